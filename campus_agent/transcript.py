"""A conversation as a document: Markdown, plain text, or its events a line each. Pure: from lists of events."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from campus_agent.agent.events import Event, GroundingChecked, RunFinished, RunStarted
from campus_agent.agent.outcome import Outcome
from campus_agent.text import MASK, duration, one_line, sanitize, without_credentials
from campus_agent.tools.tool import Source

Runs = Sequence[Sequence[Event]]
"""The events of each run of a conversation, oldest first."""

_BACKTICKS = re.compile("`{3,}")
_CODE = re.compile(  # a fence from line to line, or a span within one
    r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n(?:.*\n)*? {0,3}\1[ \t]*$|(?<!`)(`+)(?!`)[^\n]+?(?<!`)\2(?!`)", re.MULTILINE
)
_LEAST_SECRET = 6  # characters; what is shorter would stand in ordinary words
_MOST_TRIES = 1_000


def as_markdown(runs: Runs, *, secrets: Iterable[str] = ()) -> str:
    """Return the conversation as Markdown: each question, its answer with the sources, and the trace of its run.

    Args:
        runs: the events of each run; one that broke off is written as far as it came.
        secrets: texts that must not stand in it, such as keys; a mask takes their place.
    """
    parts = ["# A conversation with campus-agent", *_about(runs)]
    for run in runs:
        answer = _without_html(_answer(run)) or "*No answer.*"
        parts += ["---", _quoted(_without_html(_question(run))), answer, _without_html(_how_it_ended(run)), _trace(run)]
    return _without(secrets, sanitize("\n\n".join(part for part in parts if part)) + "\n")


def as_text(runs: Runs, *, secrets: Iterable[str] = ()) -> str:
    """Return the conversation as plain text: each question, its answer, and how the run ended."""
    blocks = (
        f"You: {_question(run)}\n\nAgent: {_answer(run) or 'no answer'}\n"
        + "".join(f"  {said}\n" for said in _timed_ending(run))
        for run in runs
    )
    return _without(secrets, sanitize("\n".join(blocks)))


def as_json_lines(runs: Runs, *, secrets: Iterable[str] = ()) -> str:
    """Return every event as a line of JSON, as `ask --jsonl` writes it: what can be replayed later."""
    kept = tuple(secrets)
    lines = (json.dumps(_masked(kept, event.model_dump(mode="json"))) for run in runs for event in run)
    return "".join(f"{line}\n" for line in lines).replace("\x7f", "\\u007f")


def write_new(path: Path, text: str) -> Path:
    """Write `text` to a file that is not there yet, and return where: beside `path` when that is taken.

    Raises `OSError` when it cannot be written.
    """
    for number in range(1, _MOST_TRIES):
        free = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        if not os.path.lexists(free):
            with suppress(FileExistsError):
                write_whole(free, text)
                return free
    raise FileExistsError(f"There are too many files named like {path.name}.")


def write_whole(path: Path, text: str, *, over: bool = False) -> None:
    """Write `text` to a file that has its name only once all of it is written; with `over`, instead of another.

    Raises `OSError` when it cannot be written: `FileExistsError` for a name that is taken.
    """
    if not over and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
        if over:
            beside.replace(path)
        else:
            _name(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _name(beside: Path, path: Path) -> None:
    """Give a file another name, which must be free: a link cannot take a name from a file that is there."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a disk that knows no links
        beside.rename(path)


# ---- the parts -----------------------------------------------------------------------------------------------------


def _about(runs: Runs) -> Iterator[str]:
    """Say once when the conversation was and who answered, and with what."""
    started = [event for run in runs for event in run if isinstance(event, RunStarted)]
    if started:
        models = ", ".join(dict.fromkeys(_model(one) for one in started))
        yield f"{started[0].time:%Y-%m-%d %H:%M} UTC · {models}"


def _model(started: RunStarted) -> str:
    model, provider = one_line(started.model), one_line(started.provider)
    return f"{model} model" if model == provider else f"{model} ({provider})"


def _question(run: Sequence[Event]) -> str:
    return next((event.question for event in run if isinstance(event, RunStarted)), "")


def _finished(run: Sequence[Event]) -> RunFinished | None:
    return next((event for event in run if isinstance(event, RunFinished)), None)


def _answer(run: Sequence[Event]) -> str:
    finished = _finished(run)
    if finished is None:
        return ""
    return finished.answer or (str(finished.message) if finished.message else "")


def ending(run: Sequence[Event]) -> list[str]:
    """Return how a run ended, in the words that stand under an answer in the app, and what the answer rests on.

    A line each: the verdict, what a search did not find, then the sources with their numbers.
    """
    from campus_agent.tui.record import Record
    from campus_agent.tui.verdict import verdict

    record = Record(_question(run))
    for event in run:
        record.add(event)
    said = verdict(record)
    sources = (f"[{number}] {place}" for number, place in enumerate(_places(run), 1))
    return [str(said), *said.below.splitlines(), *sources]


def _timed_ending(run: Sequence[Event]) -> list[str]:
    first, *rest = ending(run)
    finished = _finished(run)
    return [f"{first} · in {duration(finished.duration_ms)}" if finished else first, *rest]


def _how_it_ended(run: Sequence[Event]) -> str:
    first, *rest = _timed_ending(run)
    return f"*{first}*" + ("\n" + "".join(f"\n- {said}" for said in rest) if rest else "")


def _places(run: Sequence[Event]) -> list[str]:
    """Return where the facts of an answer come from, each place once."""
    finished = _finished(run)
    if finished is None or finished.outcome is not Outcome.ANSWERED:
        return []
    checked = [event for event in run if isinstance(event, GroundingChecked)]
    return list(dict.fromkeys(_place(source) for source in checked[-1].sources)) if checked else []


def _place(source: Source) -> str:
    line = f", line {source.line}" if source.line else ""
    return one_line(f"{source.title} ({source.source}{line})")


def _trace(run: Sequence[Event]) -> str:
    """Return the trace as the command line prints it, in a fence that nothing in it can close."""
    from campus_agent.cli.printer import Printer

    lines: list[str] = []
    printer = Printer(trace=lines.append, murmur=lines.append, answer=lambda _: None, message=lambda _: None)
    for event in run:
        printer.read(event)
    text = "\n".join(lines)
    longest = max((len(found) for found in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _quoted(question: str) -> str:
    return "\n".join(f"> **{line}**" if line.strip() else ">" for line in question.strip().split("\n"))


def _without_html(text: str) -> str:
    """Return Markdown in which no tag is one: outside code `<` begins nothing."""
    return "".join(part if code else part.replace("<", "&lt;") for part, code in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of Markdown, and whether each is code."""
    end = 0
    for found in _CODE.finditer(text):
        yield text[end : found.start()], False
        yield found[0], True
        end = found.end()
    yield text[end:], False


def _masked(secrets: Sequence[str], value: object) -> object:
    """Return a value of JSON with every text in it masked."""
    match value:
        case str():
            return _without(secrets, value)
        case list():
            return [_masked(secrets, part) for part in value]
        case dict():
            return {name: _masked(secrets, part) for name, part in value.items()}
        case _:
            return value


def _without(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        if len(secret) >= _LEAST_SECRET:
            text = text.replace(secret, MASK)
    return without_credentials(text)
