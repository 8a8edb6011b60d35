"""The campus clock, and the tool that reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

from campus_agent.tools.tool import Tool, tool

_ABBREVIATION = re.compile(r"[A-Z]{2,5}")  # PST, EST, CET: an offset that is wrong for half of the year


def real_time() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


class CampusClock:
    """The one source of the time: every tool asks it, so no two disagree about today.

    Args:
        zone: the campus time zone.
        now: a moment to pretend it is; without an offset it is campus time. None: the real time.
    """

    def __init__(self, zone: ZoneInfo, now: datetime | None = None) -> None:
        self.zone = zone
        self._frozen = now.replace(tzinfo=zone) if now and now.tzinfo is None else now
        self._held: datetime | None = None

    def now(self) -> datetime:
        """Return the time now, in the campus zone."""
        return (self._held or self._frozen or real_time()).astimezone(self.zone)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the clock stand still, so that a run that crosses midnight has one today."""
        self._held = self.now()
        try:
            yield
        finally:
            self._held = None


def clock_tool(clock: CampusClock) -> Tool:
    """Make `get_current_time` on this clock."""

    @tool(timeless=False)
    def get_current_time(timezone: str | None = None) -> str:
        """Tell the current day, date and time. Use it for "now", "today", "tomorrow" and "open right now".

        Args:
            timezone: an IANA name such as "Europe/Madrid"; leave it out for the time on campus.
        """
        zone = find_zone(timezone) if timezone else clock.zone
        if zone:
            return written(clock.now().astimezone(zone))
        return f"{written(clock.now())} (campus time, {clock.zone.key}: '{timezone}' is not a time zone that is known)"

    return get_current_time


def find_zone(name: str) -> ZoneInfo | None:
    """Return the zone with this IANA name, whatever its case, or None.

    Abbreviations such as PST or EST count as unknown: they name an offset, not a place, and would be an hour off
    for half of the year.
    """
    name = name.strip().replace(" ", "_")
    if name.upper() in ("UTC", "GMT"):
        return ZoneInfo(name.upper())
    if _ABBREVIATION.fullmatch(name):
        return None
    folded = name.casefold()
    found = next((zone for zone in available_timezones() if zone.casefold() == folded), None)
    return ZoneInfo(found) if found else None


def written(moment: datetime) -> str:
    """Write a moment as `Saturday, June 13, 2026 at 10:00 AM PDT`."""
    return moment.strftime("%A, %B %d, %Y at %I:%M %p %Z")
