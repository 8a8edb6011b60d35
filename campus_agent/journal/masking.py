"""Masks the keys of this machine in what is about to be kept, also where a key was taken apart on its way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from campus_agent.agent.events import Event, event_from_json
from campus_agent.text import MASK

_LEAST_EXACT = 6  # characters; what is shorter would stand in ordinary words
_LEAST_LOOSE = 8  # letters and digits of a key that is also found with other separators
_LEAST_PART = 12  # letters and digits between two separators that are a secret also without the rest
_FARTHEST = 8  # characters between two letters of a key, as in `"nvapi", "AbCdEf"`
_ESCAPED = rf"(?:\\u[0-9a-fA-F]{{4}}|\\[bfnrt]|[\W_]){{0,{_FARTHEST}}}"  # as JSON writes what is no letter


class KeyMasks:
    """Masks some keys wherever their letters and digits stand, whatever is between these.

    A search, for one, takes a hyphen for a space.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Take the keys; one that is too short to be told from a word is passed over."""
        ways = sorted({way for secret in secrets for way in _ways(secret)}, key=len, reverse=True)
        self._pattern = re.compile("|".join(ways), re.IGNORECASE) if ways else None

    def text(self, text: str) -> str:
        """Return `text` with every key masked."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def event(self, event: Event, body: str) -> tuple[Event, str]:
        """Return an event, and itself as JSON, with every key masked in each of its texts."""
        if self._pattern is None or not self._pattern.search(body):
            return event, body
        masked = event_from_json(json.dumps(self._value(json.loads(body))))
        return masked, masked.model_dump_json()

    def _value(self, value: Any) -> Any:  # noqa: ANN401 - JSON of any shape
        match value:
            case str():
                return self.text(value)
            case list():
                return [self._value(part) for part in value]
            case dict():
                return {self.text(name): self._value(part) for name, part in value.items()}
            case _:
                return value


def _ways(secret: str) -> Iterable[str]:
    """Yield patterns for a key as it is, for its letters with anything between, and for its longest parts."""
    letters = [one for one in secret if one.isalnum()]
    if len(secret) >= _LEAST_EXACT:
        yield re.escape(secret)
        yield re.escape(json.dumps(secret, ensure_ascii=False)[1:-1])
    if len(letters) >= _LEAST_LOOSE:
        yield _ESCAPED.join(map(re.escape, letters))
    for part in re.split(r"[\W_]+", secret):
        if len(part) >= _LEAST_PART:
            yield re.escape(part)
