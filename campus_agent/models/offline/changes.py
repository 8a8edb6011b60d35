"""What does not take place as it would: events that repeat but skip a date, and events that are cancelled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from campus_agent.models.offline.dates import date_parts, read_dates, read_ranges, same_date
from campus_agent.models.offline.sections import sentences

# The end of a repeating calendar event, as the knowledge base tells it.
_COMING = re.compile(r"\s*\bNext: (?P<next>[^.]*)\.(?P<skipped> Not on [^.]*\.)?\s*$")
_CANCELLED = re.compile(
    r"\bcancell?ed:"
    r"|\b(?:is|are|was|were|been) (?:(?!not\b)\w+ )?(?P<how>cancell?ed|called off|postponed)\b"
    r"|\b(?:will|does|do) not (?:take place|happen)\b|\bwill not be held\b",
    re.IGNORECASE,
)
_PERHAPS = re.compile(r"\b(?:if|unless|when|whenever|until|may|might|could|in case)\b", re.IGNORECASE)
_EXCEPTED = re.compile(
    r"\bnot (?:on|held)\b|\b(?:except|excluding|but not|closed|skips?|skipped)\b|\b(?:there is|there will be) no\b"
    r"|^no\b|\bcancell?ed\b|\bpostponed\b|\b(?:does|do|will) not\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Series:
    """An event of a calendar that repeats.

    Attributes:
        told: what is said of it before its coming dates.
        dates: its coming dates, the first few of them.
        exception: the sentence that names the dates on which it would be but is not; "" for none.
        ends: its last date; "" where it goes on.
    """

    told: str
    dates: tuple[str, ...]
    exception: str
    ends: str

    def on(self, date: str) -> bool | None:
        """Say whether it takes place on a date; None for a date beyond those that are told."""
        if any(same_date(date, one) for one in self.dates):
            return True
        day, latest = date_parts(date), date_parts(self.dates[-1])
        if any(same_date(date, one) for one in read_dates(self.exception)):
            return False
        last = date_parts(self.ends) if self.ends else None
        told = day is not None and latest is not None and (day <= latest or (last is not None and day > last))
        return False if told else None


def read_series(text: str) -> Series | None:
    """Read a passage that tells of a repeating event of a calendar; None for any other."""
    found = _COMING.search(text)
    dates = read_dates(found["next"]) if found else ()
    if found is None or not dates:
        return None
    told = text[: found.start()]
    bounds = next((last for first, last in read_ranges(told) if first != last), "")
    return Series(told, dates, (found["skipped"] or "").strip(), bounds)


def cancelled(text: str) -> str:
    """Return how a text says that something does not take place, such as "postponed"; "" where it does not say so."""
    for sentence in sentences(text):
        if (found := _CANCELLED.search(sentence)) and not _PERHAPS.search(sentence):
            return (found["how"] or "cancelled").casefold()
    return ""


def excepts(text: str, date: str) -> bool:
    """Say whether a text names a date as one on which something is not on."""
    named = [part for part in sentences(text) if any(same_date(date, one) for one in read_dates(part))]
    return any(_EXCEPTED.search(part) for part in named)
