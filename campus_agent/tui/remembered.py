"""What the app remembers of how a person likes it: one small file, which may be missing, broken or read-only."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """How a person likes the app to look.

    Attributes:
        theme: the name of the theme, None when none was ever chosen. It may be one that this version does not have.
        share: the chat's part of the width in percent, None when it was never changed.
        trace: whether the trace is shown beside the chat.
    """

    theme: str | None = None
    share: int | None = None
    trace: bool = True


class LookFile:
    """The file that remembers the look; without a path nothing is remembered after the app has ended."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.look = _read(path) if path else Look()

    @classmethod
    def standard(cls) -> LookFile:
        """Return the file in the person's own folder for such things."""
        from platformdirs import user_state_path

        return cls(user_state_path("campus-agent", appauthor=False) / "look.json")

    def keep(self, look: Look) -> None:
        """Remember `look`. A file that cannot be written is left alone."""
        if look != self.look:
            self.look = look
            with suppress(OSError):
                self._write()

    def _write(self) -> None:
        """Write the whole file beside the old one and put it in its place, so that no reader finds half of it."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            beside.write_text(json.dumps(asdict(self.look)), encoding="utf-8")
            beside.replace(self._path)
        finally:
            beside.unlink(missing_ok=True)


def _read(path: Path) -> Look:
    """Return what the file says; whatever in it cannot be used counts as not said."""
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return Look()
    if not isinstance(said, dict):
        return Look()
    theme, share, trace = said.get("theme"), said.get("share"), said.get("trace")
    return Look(
        theme=theme if isinstance(theme, str) else None,
        share=share if type(share) is int else None,
        trace=trace is not False,
    )
