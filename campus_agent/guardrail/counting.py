"""Judges how many things a draft says there are: by what it lists itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.relation import Place

# The most things that are counted after a number, and the most digits of a number of things.
_MOST, _DIGITS = 20, 2
# How many characters at the end of a sentence may be its colon, and how many behind it are looked at.
_NEAR, _AHEAD = 8, 1500
_LISTED = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]")
# What stands between a number with its noun and what it counts.
_OPENS = re.compile(r"[^,:(–—\n]{0,60}?(?P<mark>[,:(]|\s[–—-]\s)")


@dataclass(frozen=True)
class Counting:
    """Counts what a draft lists."""

    draft: Said
    ground: Ground

    def counts(self, fact: Fact, place: Place) -> bool:
        """Whether a number is how many things there are, as in "here are 3 clubs" or "two fees: $5 and $9"."""
        if fact.kind != "number" or not fact.normal.isdigit() or len(fact.normal) > _DIGITS:
            return False
        number = int(fact.normal)
        if self.ground.lexicon.words("lists").intersection(place.clause.before(fact.start)[-2:]) and (
            0 < number <= max(len(self.ground.passages), 2) or number == self._all_listed
        ):
            return True
        if fact not in self.draft.inside(place.sentence):
            return False  # far into a very long one
        return 1 < number <= _MOST and number in self._listed(fact, place)

    @cached_property
    def _all_listed(self) -> int:
        """How many lines of the draft begin as those of a list do."""
        return sum(1 for line in self.draft.text.split("\n") if _LISTED.match(line))

    def _listed(self, fact: Fact, place: Place) -> Iterator[int]:
        """Yield how many things come after the number: lines of a list, parts of the sentence, values of one form."""
        text, sentence = self.draft.text, place.sentence
        if text[max(fact.end, sentence.end - _NEAR) : sentence.end].rstrip(" *_\n").endswith(":"):
            yield _lines(text[sentence.end : sentence.end + _AHEAD])
        opens = _OPENS.match(text, fact.end, sentence.end)
        if not opens:
            return
        rest = text[opens.end() : min(sentence.end, opens.end() + _AHEAD)].strip(" .!*_)\n")
        if opens["mark"] != "," and rest:
            yield len(self._parts(rest))
        after = [one for one in self.draft.inside(sentence) if one.start >= opens.end() and one.kind != "name"]
        for form in {_form(one) for one in after}:
            yield sum(_form(one) == form for one in after)

    def _parts(self, text: str) -> Sequence[str]:
        conjunction = self.ground.lexicon.any_of("and")
        return [part for part in re.split(rf"[,;]\s+(?:{conjunction}\s)?|\s{conjunction}\s", text) if part.strip()]


def _form(fact: Fact) -> tuple[str, int]:
    """Return what values that are listed have in common: their kind, and whether they are ranges."""
    return fact.kind, len(fact.needs)


def _lines(text: str) -> int:
    """Return how many lines of a list a text begins with."""
    count = 0
    for line in text.split("\n")[: 2 * _MOST]:
        if _LISTED.match(line):
            count += 1
        elif line.strip() and not line.startswith((" ", "\t")):
            break
    return count
