"""The Textual app: one event stream, shown as a chat beside the trace of every step."""
