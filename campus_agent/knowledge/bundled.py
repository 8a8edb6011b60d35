"""Where the knowledge base that comes with the program stands."""

from __future__ import annotations

from pathlib import Path


def bundled_base() -> Path:
    """Return the demo base: inside the installed package, else at the root of the repository."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "kb"
    return installed if installed.is_dir() else package.parent / "kb"
