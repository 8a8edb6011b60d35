"""The commands that are typed into the prompt, and what completes them."""
