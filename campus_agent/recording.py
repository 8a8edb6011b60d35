"""Reads a recording: the events of runs as JSON lines, as `ask --jsonl` writes them; what is broken is named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from campus_agent.errors import CampusAgentError
from campus_agent.journal.possible import impossible
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from campus_agent.agent.events import Event

_LARGEST = 64 * 1024 * 1024  # bytes of a file
_LONGEST = 8 * 1024 * 1024  # bytes of a line
_MOST_PROBLEMS = 100
_MADE_BY = "A recording is what campus-agent ask --jsonl QUESTION > FILE writes."
_NEWER = "it may be from a newer campus-agent"
_UNKNOWN_PART = ("extra_forbidden", "unexpected_keyword_argument")  # as pydantic says it of a model, of a dataclass


class RecordingError(CampusAgentError):
    """A file of which nothing can be replayed."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What could be read of a recording.

    Attributes:
        name: the name of the file.
        runs: the events of each run, none of them empty, in the order in which they begin in the file.
        problems: what could not be used, each with the number of its line, in the order of the file: the first ones.
        more_problems: how many there are besides.
    """

    name: str
    runs: tuple[tuple[Event, ...], ...]
    problems: tuple[str, ...] = ()
    more_problems: int = 0


@dataclass
class _Reading:
    """What has been read so far."""

    runs: list[list[Event]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    more_problems: int = 0
    current: dict[str, list[Event]] = field(default_factory=dict)  # the latest run of each id
    latest: dict[str, int] = field(default_factory=dict)  # the line of its last event
    refused: set[str] = field(default_factory=set)  # ids of runs that are left out

    def complain(self, line: int, what: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(f"line {line}: {what}")
        else:
            self.more_problems += 1

    def add(self, line: int, event: Event) -> None:
        """Put an event to the run that it belongs to; a run begins with its first event and ends with its last."""
        if event.kind == "run_started":
            self.refused.discard(event.run_id)
        elif event.run_id in self.refused:
            return
        if wrong := impossible(event):
            self.complain(line, f"this run cannot be, so it is left out: {wrong}")
            self._leave_out(event.run_id)
        elif event.kind == "run_started" or event.run_id not in self.current:
            self._begin(line, event)
        elif self.current[event.run_id][-1].kind == "run_finished":
            self.complain(line, "this event comes after the end of its run, and is left out")
        else:
            self.current[event.run_id].append(event)
            self.latest[event.run_id] = line

    def _begin(self, line: int, event: Event) -> None:
        before = self.current.get(event.run_id)
        if before and before[-1].kind != "run_finished":
            self.complain(line, "the run before this line has no end")
        if event.kind != "run_started":
            self.complain(line, "the beginning of this run is missing")
        self.current[event.run_id], self.latest[event.run_id] = [event], line
        self.runs.append(self.current[event.run_id])

    def _leave_out(self, run_id: str) -> None:
        self.refused.add(run_id)
        if (run := self.current.pop(run_id, None)) is not None and run[-1].kind != "run_finished":
            self.runs = [one for one in self.runs if one is not run]

    def end(self, line: int) -> None:
        """Name the runs that have no end."""
        for id, run in self.current.items():
            if run[-1].kind != "run_finished" and run is not self.runs[-1]:
                self.complain(self.latest[id], "the run of this line has no end")
        if self.runs and self.runs[-1][-1].kind != "run_finished":
            self.complain(line, "the recording ends in the middle of a run")


def read(path: str | Path, *, stop: Callable[[], bool] | None = None) -> Recording:
    """Read the runs of a recording, and what is wrong with it, line by line; `~` is the person's home.

    Raises `RecordingError` when the file cannot be read or not one event is in it, or when `stop`, which is asked for
    each line, says so.
    """
    file = Path(os.path.expanduser(path))
    must_be_readable(file)
    reading = _Reading()
    number = 0
    try:
        for number, line in _lines(file, reading):
            if stop and stop():
                raise RecordingError(f"Reading {_shown(file)} was stopped.")
            event, problem = _event(line)
            if problem:
                reading.complain(number, problem)
            if event is not None:
                reading.add(number, event)
    except OSError as error:
        raise _unreadable(file, error) from None
    reading.end(number)
    if not reading.runs:
        cause = one_line(reading.problems[0], 300) if reading.problems else "The file is empty."
        raise RecordingError(f"{_shown(file)} is not a recording.", cause, _MADE_BY)
    runs = tuple(map(tuple, reading.runs))
    return Recording(one_line(file.name, 80), runs, tuple(reading.problems), reading.more_problems)


def must_be_readable(file: Path) -> None:
    """Raise `RecordingError` for a file that is not there, or cannot be opened; nothing of it is read."""
    if file.exists() and not file.is_file():  # a pipe or a device could be read for ever
        raise RecordingError(f"{_shown(file)} could not be read: it is no ordinary file.", next=_MADE_BY)
    try:
        file.open("rb").close()
    except OSError as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: OSError) -> RecordingError:
    reason = error.strerror or type(error).__name__
    return RecordingError(f"{_shown(file)} could not be read: {reason}.", next=_MADE_BY)


def _lines(file: Path, reading: _Reading) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that have something in them, each with its number; stop where it becomes too much."""
    taken = 0
    with file.open("rb") as stream:
        number = 0
        while line := stream.readline(_LONGEST + 1):
            number += 1
            taken += len(line)
            if taken > _LARGEST:
                reading.complain(number, f"only the first {_LARGEST >> 20} MB are read")
                return
            if len(line) > _LONGEST:
                reading.complain(number, f"longer than {_LONGEST >> 20} MB, left out")
                taken += _skip_line(stream)
            elif line.strip(b"\xef\xbb\xbf \t\r\n"):
                yield number, line.removeprefix(b"\xef\xbb\xbf")


def _skip_line(stream: Any) -> int:  # noqa: ANN401 - a binary file
    """Read on to the end of the line, and return how many bytes that were."""
    skipped = 0
    while rest := stream.readline(_LONGEST):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def _event(line: bytes) -> tuple[Event | None, str]:
    """Return the event in a line, without what this version does not know of it, and what is wrong with the line."""
    from pydantic import ValidationError

    from campus_agent.agent.events import event_from_json

    try:
        return event_from_json(line), ""
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None, "not readable as JSON (cut off, or broken)"
    if not isinstance(content, dict) or "kind" not in content:
        return None, "no event of a run" + (": this is what --json writes" if _is_result(content) else "")
    if any(fault["type"] not in _UNKNOWN_PART for fault in faults):
        return None, _wrong(content, faults)
    for fault in faults:
        _leave_out(content, fault["loc"])
    unknown = one_line(", ".join(_where(fault["loc"]) for fault in faults), 100)
    problem = f"{plural(len(faults), 'unknown part')} left out ({unknown}); {_NEWER}"
    return event_from_json(json.dumps(content)), problem


def _wrong(content: dict[str, Any], faults: list[ErrorDetails]) -> str:
    """Say what is wrong with a line that is an object with a kind, yet no event."""
    kind = one_line(str(content["kind"]), 40)
    if any(fault["type"] == "union_tag_invalid" for fault in faults):
        return f"an event of an unknown kind, {kind!r}; {_NEWER}"
    fault = next(fault for fault in faults if fault["type"] not in _UNKNOWN_PART)
    parts = filter(None, (one_line(_where(fault["loc"]), 60), one_line(fault["msg"], 100).lower()))
    return f"{kind} is not right: {': '.join(parts)}"


def _leave_out(content: Any, location: Sequence[int | str]) -> None:  # noqa: ANN401 - JSON of any shape
    """Take a part out of an event; the first word of its location is the event's kind."""
    *way, last = location[1:]
    for step in way:
        content = content[step]
    del content[last]


def _where(location: Iterable[int | str]) -> str:
    """Return where in an event something is wrong, such as "usage.prompt_tokens"."""
    return ".".join(map(str, list(location)[1:]))


def _is_result(content: object) -> bool:
    return isinstance(content, dict) and "question" in content and "outcome" in content


def _shown(file: Path) -> str:
    return one_line(str(file), 200)
