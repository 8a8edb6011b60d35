"""Recordings that come with the program."""

from __future__ import annotations

from pathlib import Path


def workshop() -> Path:
    """Return the recorded workshop: its four questions, answered by the offline model on a day that stands still."""
    return Path(__file__).with_name("workshop.jsonl")
