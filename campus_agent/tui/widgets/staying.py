"""Keeps what a person reads in place while something near it grows."""

from __future__ import annotations

from textual.widget import Widget


def stay(widget: Widget) -> None:
    """Let the panes around `widget` follow their end no longer: what the person opened is what they want to see."""
    for node in widget.ancestors:
        if isinstance(node, Widget) and node.is_anchored:
            node.release_anchor()
