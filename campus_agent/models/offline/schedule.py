"""When something is open or on through a week."""

from __future__ import annotations

from dataclasses import dataclass

from campus_agent.models.offline.times import DAY_MINUTES, Span, Time
from campus_agent.models.offline.vocabulary import EVERY_DAY

SMALL_HOURS = 8 * 60
"""Minutes after midnight up to which the night before may still go on."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What is said of some weekdays (Monday is 0): the spans on them, or that there is nothing on them.

    `days` is empty where the text names none. A closed rule with spans is a break, such as lunch.
    """

    days: frozenset[int] = frozenset()
    spans: tuple[Span, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Schedule:
    """All the rules of a text.

    Attributes:
        rules: in the order said.
        certain: whether nothing qualifies them and all was read, so that they may be judged by.
        whole: whether a day that they leave out is a day without; not so of one row of a table.
    """

    rules: tuple[Rule, ...] = ()
    certain: bool = True
    whole: bool = True

    @property
    def days(self) -> frozenset[int]:
        """The weekdays that it names and does not close."""
        named = frozenset(day for rule in self.rules if not rule.closed for day in rule.days)
        return named - self.closed_days

    @property
    def closed_days(self) -> frozenset[int]:
        """The weekdays of which it says that there is nothing on them."""
        return frozenset(day for rule in self.rules if rule.closed and not rule.spans for day in rule.days)

    def names(self, day: int) -> bool:
        """Say whether it tells of a weekday, that something or that nothing is on."""
        return day in self.days | self.closed_days

    @property
    def timed(self) -> bool:
        """Whether it says from when to when, or that it is closed altogether."""
        return self.closed_days == EVERY_DAY or any(span.end for day in EVERY_DAY for span in self.spans(day))

    def spans(self, day: int) -> tuple[Span, ...]:
        """Return the spans of a weekday, in the order said."""
        return () if day in self.closed_days else self._said_of(day, closed=False)

    def _said_of(self, day: int, *, closed: bool) -> tuple[Span, ...]:
        """Return the spans of a weekday's rules; a rule without days holds for all that are named, or for each day."""
        unsaid = self.days or EVERY_DAY
        rules = [rule for rule in self.rules if rule.closed == closed and day in (rule.days or unsaid)]
        return tuple(span for rule in rules for span in rule.spans)

    def on(self, day: int) -> bool | None:
        """Say whether something is on at a weekday; None when that is not told."""
        if not self.whole and not self.names(day):
            return None
        return day in self.days or bool(self.spans(day))

    def at(self, day: int, minutes: int) -> bool | None:
        """Say whether something is on at a weekday, `minutes` after midnight; None when that is not told.

        It is not where the hours of the day, or the end of something that has begun by then, are left out.
        """
        if self.in_break(day, minutes):
            return False
        if self.open_at(day, minutes) or any(span.start.minutes == minutes for span in self.spans(day)):
            return True
        if not self.whole and minutes < SMALL_HOURS and not self.names((day - 1) % 7):
            return None
        if not self.on(day):
            return self.on(day)
        spans = self.spans(day)
        begun = any(span.end is None and span.start.minutes < minutes for span in spans)
        return None if begun or not spans else False

    def open_at(self, day: int, minutes: int) -> bool:
        """Say whether it is open at a weekday, `minutes` after midnight; a closing time is closed already."""
        if self.in_break(day, minutes):
            return False
        past_midnight = minutes + DAY_MINUTES
        return any(span.covers(minutes) for span in self.spans(day)) or any(
            span.covers(past_midnight) for span in self.spans((day - 1) % 7)
        )

    def in_break(self, day: int, minutes: int) -> bool:
        """Say whether a break that interrupts the hours, such as lunch, is on."""
        return any(span.covers(minutes) for span in self._said_of(day, closed=True))

    def start(self, day: int) -> Time | None:
        """Return when it begins on a weekday."""
        starts = [span.start for span in self.spans(day)]
        return min(starts, key=lambda time: time.minutes) if starts else None

    def next_start(self, day: int, minutes: int) -> tuple[int, Time] | None:
        """Return in how many days (0 to 7) it begins next after `minutes` on a weekday, and at what time."""
        for ahead in range(8):
            starts = [span.start for span in self.spans((day + ahead) % 7)]
            later = [time for time in starts if ahead or time.minutes > minutes]
            if later:
                return ahead, min(later, key=lambda time: time.minutes)
        return None
