"""What does not take place as it would: events that repeat but skip a date, and events that are cancelled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from campus_agent.models.offline.dates import date_parts, read_dates, read_ranges, same_date
from campus_agent.models.offline.sections import sentences

# The end of a repeating calendar event, as the knowledge base tells it.
_COMING = re.compile(r"\s*\bNext: (?P<next>[^.]*)\.(?P<skipped> Not on [^.]*\.)?\s*$")
_LISTS = re.compile(
    r"\b(?:next|upcoming|coming|remaining|future)\s+(?:\w+\s+){0,3}?"
    r"(?:meetings?|sessions?|dates?|events?|classes|workshops?|shows?|screenings?|labs?|rehearsals?|ones?)\b"
    r"[^:;.]{0,40}?(?:\bare\b|\bis\b|\bon\b|:)|\b(?:meeting|session) dates\b",
    re.IGNORECASE,
)
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
        begins: the date before which nothing is told; "" where that is not so.
    """

    told: str
    dates: tuple[str, ...]
    exception: str
    ends: str
    begins: str = ""

    def on(self, date: str) -> bool | None:
        """Say whether it takes place on a date; None for a date beyond those that are told."""
        if any(same_date(date, one) for one in self.dates):
            return True
        day, latest = date_parts(date), date_parts(self.dates[-1])
        if any(same_date(date, one) for one in read_dates(self.exception)):
            return False
        first = date_parts(self.begins) if self.begins else None
        if day is None or (first is not None and day < first):
            return None
        last = date_parts(self.ends) if self.ends else None
        told = latest is not None and (day <= latest or (last is not None and day > last))
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


def read_coming(text: str) -> Series | None:
    """Read a passage that lists the coming dates of what is on regularly: "The next meetings are May 5 and May 19"."""
    listing = [part for part in sentences(text) if read_dates(part) and _LISTS.search(part)]
    if len(listing) != 1 or any(read_dates(part) for part in sentences(text) if part not in listing):
        return None
    dates = read_dates(listing[0])
    return Series(text, dates, "", "", begins=dates[0])


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
