"""What was typed before, in this start of the program and in earlier ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campus_agent.settings import Settings

_MOST = 500  # entries
_MOST_CHARACTERS = 10_000  # of one entry; a longer one is remembered only until the end
_MOST_BYTES = 2_000_000  # that are read of a file


class History:
    """What was typed before, oldest first, and a place in it.

    It is read when it is first asked for. It lives in a file that only its owner can read, a line of JSON for each
    entry; a file that cannot be read or written costs the memory of earlier starts and nothing else.

    Attributes:
        private: whether what is added is remembered only until the end.
        kept: whether the settings want it kept at all; None while they are not read, when it waits to be written.
        mask: takes what must not stand in the file, such as a key, out of a text.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Take the file, by default the one in the person's data folder."""
        self._path = path
        self.private = False
        self.kept: bool | None = True
        self.mask: Callable[[str], str] = str
        self._waiting: list[str] = []
        self._entries: list[str] | None = None
        self._place = 0  # of the entry that is shown; that of what is being typed is behind the last
        self._draft = ""

    def add(self, text: str) -> None:
        """Remember `text` as the newest entry, and go back behind it."""
        entries = self._read()
        if text.strip() and entries[-1:] != [text]:
            entries.append(text)
            del entries[:-_MOST]
            if len(text) <= _MOST_CHARACTERS and not self.private:
                self._waiting.append(text)
                self._write_waiting()
        self._place = len(entries)

    def go_by(self, settings: Settings) -> None:
        """Keep what was typed until now, and what will be, or do not, as the settings say; keys are masked."""
        from campus_agent.journal.masking import KeyMasks
        from campus_agent.models.providers import known_keys

        self.kept, self.mask = settings.journal, KeyMasks(known_keys(settings, os.environ)).text
        self._write_waiting()

    def forget(self, texts: Iterable[str]) -> None:
        """Take these texts out of what was typed before, of the file as well."""
        gone = {self.mask(text).strip() for text in texts}
        self._entries = [entry for entry in self._read() if self.mask(entry).strip() not in gone]
        self._place = len(self._entries)
        with suppress(OSError, RuntimeError):
            lines = self._file().read_bytes().splitlines()
            left = [line for line in lines if _text(line).strip() not in gone]
            if len(left) < len(lines):
                self._shorten(left)

    def older(self, shown: str) -> str | None:
        """Return the entry before the one that is shown, None when there is none; `shown` is kept as a draft."""
        return self._go(-1, shown)

    def newer(self, shown: str) -> str | None:
        """Return the entry behind the one that is shown, at last the draft again; None when there is none."""
        return self._go(1, shown)

    def back_to(self, texts: Sequence[str], shown: str) -> str:
        """Go to the first of `texts` (at least one), with the others somewhere behind it; return it.

        Those that are not remembered in this order are added. `shown` is kept as a draft.
        """
        self._keep_draft(shown)
        place = self._place_of(texts)
        if place is None:
            for text in texts:
                self.add(text)
            place = self._place_of(texts)
        self._place = place if place is not None else len(self._read()) - 1
        return self._read()[self._place]

    def _place_of(self, texts: Sequence[str]) -> int | None:
        """Return where the first of `texts` stands, when the others stand behind it in their order; the newest such."""
        sought = [text.strip() for text, before in zip(texts, ["", *texts], strict=False) if text != before]
        entries = self._read()
        for place in range(len(entries) - 1, -1, -1):
            if sought and entries[place].strip() == sought[-1]:
                sought.pop()
                if not sought:
                    return place
        return None

    def _keep_draft(self, shown: str) -> None:
        """Take what is shown for the draft that one comes back to, unless it is the entry that one stands at."""
        entries = self._read()
        if self._place >= len(entries) or shown != entries[self._place]:
            self._place, self._draft = len(entries), shown

    def _go(self, by: int, shown: str) -> str | None:
        entries = self._read()
        self._keep_draft(shown)
        place = self._place + by
        if not 0 <= place <= len(entries):
            return None
        self._place = place
        return entries[place] if place < len(entries) else self._draft

    # ---- the file --------------------------------------------------------------------------------------------------

    def _read(self) -> list[str]:
        if self._entries is None:
            self._entries = list(self._lines())[-_MOST:]
            self._place = len(self._entries)
        return self._entries

    def _file(self) -> Path:
        if self._path is None:
            from platformdirs import user_data_path

            self._path = user_data_path("campus-agent", appauthor=False) / "history.jsonl"
        return self._path

    def _lines(self) -> Iterator[str]:
        """Yield the entries of the file; a line that is none is passed over."""
        try:
            path = self._file()
            if not path.is_file():
                return
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _MOST_BYTES))
                lines = file.read(_MOST_BYTES).splitlines()
        except (OSError, RuntimeError):  # the second: a home folder that cannot be found out
            return
        if len(lines) > 2 * _MOST or size > _MOST_BYTES // 2:
            self._shorten(lines[-_MOST:])
        for line in lines:
            if (text := _text(line)).strip():
                yield text[:_MOST_CHARACTERS]

    def _write_waiting(self) -> None:
        if self.kept is None:
            return
        waiting, self._waiting = self._waiting, []
        for text in waiting if self.kept else ():
            self._append(self.mask(text))

    def _append(self, text: str) -> None:
        with suppress(OSError, RuntimeError):
            path = self._file()
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(path, json.dumps(text) + "\n", os.O_APPEND)

    def _shorten(self, lines: list[bytes]) -> None:
        """Write the file anew with these lines; another start that adds one meanwhile may lose that one."""
        with suppress(OSError):
            beside = self._file().with_suffix(f".{os.getpid()}")
            _write(beside, b"".join(line + b"\n" for line in lines).decode("utf-8", "replace"), os.O_TRUNC)
            beside.replace(self._file())


def _text(line: bytes) -> str:
    """Return the entry in a line, "" when there is none."""
    with suppress(ValueError, RecursionError):
        text = json.loads(line)
        return text if isinstance(text, str) else ""
    return ""


def _write(path: Path, text: str, how: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
