"""The dates of an event that repeats, up to two years from now."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from icalendar import Event

_AHEAD = timedelta(days=731)
_MOST_DATES = 5_000  # of one event
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}


def starts(event: Event, start: datetime, now: datetime) -> list[datetime]:
    """Return when a repeated event begins, in order, in the zone of `start`.

    The dates that it adds itself are in it, those that it takes out are not.

    Args:
        event: the event.
        start: when it begins first, with a time zone; midnight if it takes whole days.
        now: with a time zone; two years later the list ends.
    """
    rule = event.get("RRULE")
    found = set(islice(_ruled(rule, start, now + _AHEAD), _MOST_DATES)) if isinstance(rule, Mapping) else {start}
    found |= set(listed(event, "RDATE", start))
    return sorted(found - set(listed(event, "EXDATE", start)))


def listed(event: Event, name: str, start: datetime) -> Iterator[datetime]:
    """Yield the moments of a list of dates, or of the one that an exception stands for; a day means `start` on it."""
    for part in values(event, name):
        for moment in getattr(part, "dts", [part]):
            value = getattr(moment, "dt", None)
            if isinstance(value, tuple):  # a period, from one moment to another or for some time
                value = value[0]
            if isinstance(value, datetime):
                with contextlib.suppress(OverflowError):  # at the very end of the calendar
                    yield value.astimezone(start.tzinfo) if value.tzinfo else value.replace(tzinfo=start.tzinfo)
            elif isinstance(value, date):
                yield datetime.combine(value, start.timetz())


def values(event: Event, name: str) -> list[Any]:
    """Return all that an event gives under a name, without what could not be read."""
    from icalendar import vBroken

    found = event.get(name, [])
    return [value for value in (found if isinstance(found, list) else [found]) if not isinstance(value, vBroken)]


def pace(event: Event) -> str:
    """Return how often an event repeats: "week", "2 weeks"; nothing where that is no simple matter."""
    rule = event.get("RRULE")
    if not isinstance(rule, Mapping):
        return ""
    unit = _UNITS.get(_first(rule, "FREQ", ""), "")
    every = int(_first(rule, "INTERVAL", 1))
    return unit if every == 1 or not unit else f"{every} {unit}s"


def is_endless(event: Event) -> bool:
    """Tell whether the rule of an event names no end."""
    rule = event.get("RRULE")
    return isinstance(rule, Mapping) and "UNTIL" not in rule and "COUNT" not in rule


def _ruled(rule: Mapping[str, Any], start: datetime, end: datetime) -> Iterator[datetime]:
    """Yield what the rule says, in the wall time of `start`; a clock that is put forward or back changes nothing."""
    from dateutil.rrule import rrulestr

    parts = {name: values for name, values in rule.items() if name not in ("UNTIL", "COUNT")}
    text = ";".join(f"{name}={','.join(map(str, values))}" for name, values in parts.items())
    until = _first(rule, "UNTIL", None)
    if isinstance(until, datetime) and until.tzinfo:
        until = until.astimezone(start.tzinfo).replace(tzinfo=None)
    elif isinstance(until, date) and not isinstance(until, datetime):
        until = datetime.combine(until, time.max)
    last = end.astimezone(start.tzinfo).replace(tzinfo=None)
    last = min(until, last) if until else last
    moments = takewhile(lambda moment: moment <= last, rrulestr(text, dtstart=start.replace(tzinfo=None)))
    for moment in islice(moments, _first(rule, "COUNT", None)):
        yield moment.replace(tzinfo=start.tzinfo)


def _first(rule: Mapping[str, Any], name: str, otherwise: Any) -> Any:  # noqa: ANN401 - of whatever type the part has
    values = rule.get(name)
    return (values[0] if isinstance(values, list) and values else values) or otherwise
