"""`campus.toml`: what a base says of itself and of the campus that it is for."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, field_validator

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.folder import CAMPUS_FILE, leads_outside
from campus_agent.knowledge.passage import Problem
from campus_agent.knowledge.postgres.address import SCHEMES, parsed
from campus_agent.settings import Text, in_words, read_toml
from campus_agent.text import one_line

_MOST_BYTES = 100_000
_LONGEST_PHRASE = 60  # characters
_LONGEST_LINE = 200  # characters
_NAMELESS = "this campus"
_STRUCTURE = re.compile(r"[<>{}\n\r]|\b(?:system|assistant|user|human|developer)[ \t]*[:：]", re.IGNORECASE)

# What a refusal line must not state; how to reach whom it names is no such fact.
_STATING = frozenset({"weekday", "date", "time", "room", "money", "percent"})

# Why the settings of the program that could harm who opens a base cannot come with one; the others just do not belong.
_MODEL = "it could send your questions, or your key, to somebody else"
_CODE = "it could run somebody else's program on this machine"
_FILES = "it could show files of this machine that are outside the base"
_RULES = "it could turn off what keeps the answers true"
_REASONS = {
    **dict.fromkeys(("provider", "model", "base_url", "protocol"), _MODEL),
    "api_key": "a key never belongs in a folder that people share",
    **dict.fromkeys(("tools", "tool_names", "mcp", "plugins", "semantic"), _CODE),
    **dict.fromkeys(("kb", "journal"), _FILES),
    **dict.fromkeys(("guardrail", "system_prompt", "additional_instructions", "verifier"), _RULES),
}


def _short(text: str) -> str:
    if len(text) > _LONGEST_PHRASE:
        raise ValueError(f"should be a word or a few, of at most {_LONGEST_PHRASE} characters")
    return text


def _harmless(text: str) -> str:
    """Return a text that the model will read with its instructions, on one line; it must not look like one of them."""
    from campus_agent.guardrail.hostile import flags

    if _STRUCTURE.search(text.strip()):
        raise ValueError("should be plain words on one line, without markup and without saying who speaks")
    if found := flags(text):
        raise ValueError(f"should only inform, and is left out. {found[0]}")
    return one_line(text)


def _line(text: str) -> str:
    if len(text) > _LONGEST_LINE:
        raise ValueError(f"should be a line of at most {_LONGEST_LINE} characters")
    return _harmless(text)


def _refuses(text: str) -> str:
    """Return a refusal line; what it says is never checked, so it may name whom to ask, and nothing of the campus."""
    from campus_agent.guardrail.facts import facts
    from campus_agent.guardrail.lexicon import languages

    told = [one for language in sorted(languages()) for one in facts(text, language) if one.kind in _STATING]
    if told:
        raise ValueError(
            f"should only say that the answer is not known and whom to ask; it states “{one_line(told[0].text, 40)}”, "
            "so the usual line is said instead"
        )
    return text


Phrase = Annotated[Text, AfterValidator(_short)]
Label = Annotated[Text, AfterValidator(_short), AfterValidator(_harmless)]
Line = Annotated[Text, AfterValidator(_line)]


class CampusFile(BaseModel):
    """What a base may set, all of it optional; bases are shared, so nothing here can reach outside them.

    Attributes:
        name: what the base is called.
        refusal: the line that is said when the information is not there.
        timezone: the campus time zone, an IANA name.
        language: the language of the base.
        topics: what the assistant is for.
        questions: questions to begin with.
        synonyms: for a word, others that mean the same on this campus, such as "dorm" -> ("residence hall",).
        problems: what could not be used, and why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Label | None = None
    refusal: Annotated[Line, AfterValidator(_refuses)] | None = None
    timezone: str | None = None
    language: str | None = None
    topics: tuple[Label, ...] = ()
    questions: tuple[Line, ...] = ()
    synonyms: dict[Phrase, tuple[Phrase, ...]] = {}
    problems: tuple[Problem, ...] = ()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        try:
            ZoneInfo(name or "UTC")
        except (ValueError, KeyError, OSError):  # an unknown name is a KeyError, one with ".." in it a ValueError
            raise ValueError(f"{name!r} is no IANA time zone") from None
        return name

    @field_validator("language")
    @classmethod
    def _known_language(cls, name: str | None) -> str | None:
        from campus_agent.knowledge.words import languages

        if name is not None and name not in languages():
            raise ValueError(f"{name!r} is none of {', '.join(languages())}")
        return name

    @property
    def broken(self) -> bool:
        """Whether there are only problems in it, so that what was set before is better kept."""
        return bool(self.problems) and not self.model_fields_set - {"problems"}

    def settings(self) -> dict[str, Any]:
        """Return what is set here and is a setting of the program, by its name there."""
        values = {name: getattr(self, name) for name in ("refusal", "timezone", "language", "topics")}
        return {name: value for name, value in values.items() if value}


def read_campus_file(paths: Iterable[str | Path]) -> CampusFile:
    """Read the `campus.toml` of each base in `paths` that has one; the first base that sets a value wins.

    A file that is broken is left out, and of any other file each value, or part of a list, that cannot be used; both
    are named in `problems`. What a base in PostgreSQL sets was pushed with it. Nothing is raised, also not for a path
    that does not exist, or a server that does not answer.
    """
    paths = list(paths)
    if address := next((str(path) for path in paths if str(path).startswith(SCHEMES)), ""):
        return _pushed(address)
    merged: dict[str, Any] = {}
    setter: dict[str, str] = {}
    problems: list[Problem] = []
    bases = list(dict.fromkeys(_resolved(paths)))
    for base in bases:
        source = f"{base.name}/{CAMPUS_FILE}" if len(bases) > 1 else CAMPUS_FILE
        values, found = _values(base, source)
        problems.extend(found)
        for name, value in values.items():
            if name not in merged:
                merged[name], setter[name] = value, source
            elif merged[name] != value:
                problems.append(Problem(source, None, f"{name} is already set by {setter[name]}, and that is used"))
    return CampusFile(**merged, problems=tuple(problems))


def stamp_of(paths: Iterable[str | Path]) -> tuple[object, ...]:
    """Return what differs once a `campus.toml` of a base in `paths` has changed; nothing is read for it."""
    return tuple(map(_stamp, _resolved(paths)))


def _stamp(base: Path) -> object:
    try:
        state = os.stat(base / CAMPUS_FILE)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino


def folder_name(base: Path) -> str:
    """Return what a base is called that does not say so: as its folder or file, where that is a plain name."""
    try:
        return _harmless(one_line(base.name, _LONGEST_LINE)) or _NAMELESS
    except ValueError:
        return _NAMELESS


def _pushed(address: str) -> CampusFile:
    try:
        found = parsed(address)
        from campus_agent.knowledge.postgres.base import campus_at

        return campus_at(found)
    except KnowledgeError:  # which is said when the base is opened
        return CampusFile()


def _resolved(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield where the paths lead, without those that can lead nowhere."""
    for path in paths:
        with suppress(OSError, RuntimeError, ValueError):  # a link to itself, a person who does not exist, a null byte
            yield Path(path).expanduser().resolve()


def _values(base: Path, source: str) -> tuple[dict[str, Any], Sequence[Problem]]:
    path = base / CAMPUS_FILE
    try:
        if not path.is_file():
            return {}, ()
        if leads_outside(path, base):
            return {}, [Problem(source, None, "the link leads out of the base")]
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        return {}, [Problem(source, None, f"it cannot be opened: {error.strerror}")]
    if len(data) > _MOST_BYTES:
        return {}, [Problem(source, None, f"it is over {_MOST_BYTES // 1000} KB")]
    try:
        values = read_toml(data)
    except ValueError as error:
        return {}, [Problem(source, None, str(error))]
    return _usable(values, source)


def _usable(values: dict[str, Any], source: str) -> tuple[dict[str, Any], Sequence[Problem]]:
    """Return the values that a base may set and that make sense, and the problems of the others."""
    problems = [Problem(source, None, _refusal(name)) for name in values if name not in _allowed()]
    allowed = {name: value for name, value in values.items() if name in _allowed()}
    try:
        return CampusFile(**allowed).model_dump(exclude_unset=True), problems
    except ValidationError as error:
        faults = {_place(fault["loc"]): fault for fault in error.errors(include_url=False)}
    problems += [Problem(source, None, f"{_named(place)}: {in_words(fault)}") for place, fault in faults.items()]
    rest = {name: _without(value, (name,), faults) for name, value in allowed.items() if (name,) not in faults}
    return CampusFile(**rest).model_dump(exclude_unset=True), problems


def _place(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return where a fault is; one in a name stands for all that is given under the name."""
    return location[:-1] if location[-1:] == ("[key]",) else location


def _named(place: tuple[int | str, ...]) -> str:
    return one_line(".".join(str(part) for part in place if isinstance(part, str)), 80)


def _without(value: Any, place: tuple[int | str, ...], faults: Container[tuple[int | str, ...]]) -> Any:  # noqa: ANN401 - of any type
    """Return a value without those of its parts that are among `faults`."""
    if isinstance(value, list):
        return [part for position, part in enumerate(value) if (*place, position) not in faults]
    if isinstance(value, dict):
        kept = {name: part for name, part in value.items() if (*place, name) not in faults}
        return {name: _without(part, (*place, name), faults) for name, part in kept.items()}
    return value


def _allowed() -> list[str]:
    return [name for name in CampusFile.model_fields if name != "problems"]


def _refusal(name: str) -> str:
    why = f" ({_REASONS[name]})" if name in _REASONS else ""
    return f"{one_line(name, 40)}: a base cannot set that, so it is left out{why}; it can set {', '.join(_allowed())}"
