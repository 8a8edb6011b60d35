"""The screens of the app: the conversation, and what opens over it."""
