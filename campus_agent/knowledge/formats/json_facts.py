"""JSON and JSON lines: facts, question and answer pairs, chatbot intents, titles with texts, and anything nested."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.blocks import file_title, is_sentence
from campus_agent.knowledge.formats.records import record_passage, record_title
from campus_agent.knowledge.passage import Passage, Problem, title_path

_VARIANT = 90  # of 100, how much alike two responses are that say the same in other words
_COMPARED = 20  # responses that are compared, and carry the phrasings: more are no answers to one question
_BEGINNING = 500  # characters of a response that are compared
_PHRASE = 3  # words from which a nested value is a text under a title, and no property


def read_json(text: str, source: str) -> Iterator[Passage]:
    """Yield the passages of one JSON value.

    Raises:
        Unreadable: no JSON; the line is where that shows.
    """
    yield from facts(_parsed(text), source)


def facts(value: object, source: str, *, above: tuple[str, ...] = ()) -> Iterator[Passage]:
    """Yield what a value of dicts, lists, texts and numbers tells, under the titles `above`."""
    yield from _Reader(source, None).told(value, above)


def read_json_lines(text: str, source: str) -> Iterator[Passage | Problem]:
    """Yield the passages of a document with a JSON value a line, and a problem for each line that is none."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _parsed(line)
        except Unreadable as error:
            yield Problem(source, number, error.reason)
        else:
            yield from _Reader(source, number).told([value], ())


def _parsed(text: str) -> Any:  # noqa: ANN401 - whatever JSON can hold
    try:
        return json.loads(text, parse_constant=lambda name: None)
    except json.JSONDecodeError as error:
        raise Unreadable(f"the JSON is broken here ({error.msg})", error.lineno) from None
    except ValueError:  # what Python says of a whole number of thousands of digits
        reason = "the JSON cannot be read (a number in it has thousands of digits; put it in quotes, or shorten it)"
        raise Unreadable(reason) from None


@dataclass(frozen=True, slots=True)
class _Reader:
    source: str
    line: int | None

    def told(self, value: object, above: tuple[str, ...]) -> Iterator[Passage]:
        """Yield what a value tells under the titles `above`."""
        match value:
            case dict() if "responses" in value:
                yield from self._intent(value)
            case dict():
                yield from self._object(value, above)
            case list():
                for item in value:
                    is_record = isinstance(item, dict) and "responses" not in item
                    yield from self._record(item, above) if is_record else self.told(item, above)
            case _:
                yield from self._passage(_flat(value) or "", above)

    def _object(self, value: Mapping[str, object], above: tuple[str, ...]) -> Iterator[Passage]:
        """Yield titles with their texts, and what is shorter as the properties of one thing."""
        texts = {name: text for name, part in value.items() if (text := _flat(part))}
        only = next(iter(value.values())) if len(value) == 1 and not texts else None
        if isinstance(only, list):  # {"faqs": [...]}: a wrapping, whose name tells nothing
            yield from self.told(only, above)
        elif record_title(texts) is not None:
            yield from self._record(value, above)
        else:
            told = {name: text for name, text in texts.items() if not above or len(text.split()) >= _PHRASE}
            for name, text in told.items():
                yield from self._passage(text, (*above, name))
            yield from self._record({name: part for name, part in value.items() if name not in told}, above)

    def _record(self, value: Mapping[str, object], above: tuple[str, ...]) -> Iterator[Passage]:
        """Yield one passage for the properties of a thing, and more for what is nested in it."""
        texts = {name: text for name, part in value.items() if (text := _flat(part))}
        nested = {name: part for name, part in value.items() if isinstance(part, dict | list) and name not in texts}
        title = record_title(texts)
        passage = record_passage(texts, self.source, self.line, above=above)
        if passage is not None and not (nested and title is not None and len(texts) == 1):
            yield passage
        for name, part in nested.items():
            yield from self.told(part, (*above, title or "", name))

    def _intent(self, value: Mapping[str, object]) -> Iterator[Passage]:
        """Yield what a chatbot answers, each thing once, to be found by the ways that it is asked for."""
        from rapidfuzz import process
        from rapidfuzz.fuzz import token_set_ratio
        from rapidfuzz.utils import default_process

        phrasings = tuple(_texts(value.get("patterns")))
        title = _flat(value.get("tag")) or next(iter(phrasings), "")
        said: list[str] = []
        for response in _texts(value["responses"]):
            compared = default_process(response[:_BEGINNING])
            if process.extractOne(compared, said, scorer=token_set_ratio, score_cutoff=_VARIANT):
                continue
            asked = phrasings if len(said) < _COMPARED else ()
            if len(said) < _COMPARED:
                said.append(compared)
            yield Passage(title_path(title) or file_title(self.source), response, self.source, self.line, asked)

    def _passage(self, text: str, above: tuple[str, ...]) -> Iterator[Passage]:
        if text:
            yield Passage(title_path(*above) or file_title(self.source), text, self.source, self.line)


def _texts(value: object) -> list[str]:
    parts = value if isinstance(value, list) else [value]
    return [text for part in parts if (text := _flat(part))]


def _flat(value: object) -> str | None:
    """Return a plain value, or a list of short ones, as text; None for nothing and for what is nested."""
    match value:
        case str():
            return " ".join(value.split())
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return str(value)
        case [*parts] if not any(isinstance(part, dict | list) for part in parts):
            texts = _texts(value)
            return None if any(map(is_sentence, texts)) else ", ".join(texts)
    return None
