"""The journal: the stored event streams of all runs."""
