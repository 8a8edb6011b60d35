from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campus_agent.tools.clock import CampusClock, clock_tool, find_zone

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
SATURDAY = datetime(2026, 6, 13, 10, tzinfo=LOS_ANGELES)


def read(now: datetime, **arguments: object) -> str:
    return clock_tool(CampusClock(LOS_ANGELES, now)).function(**arguments)


def test_the_clock_tells_campus_time_in_full() -> None:
    assert read(SATURDAY) == "Saturday, June 13, 2026 at 10:00 AM PDT"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", "Saturday, June 13, 2026 at 05:00 PM UTC"),
        ("utc", "Saturday, June 13, 2026 at 05:00 PM UTC"),
        ("Europe/Madrid", "Saturday, June 13, 2026 at 07:00 PM CEST"),
        ("europe/madrid", "Saturday, June 13, 2026 at 07:00 PM CEST"),
        ("America/New York", "Saturday, June 13, 2026 at 01:00 PM EDT"),
        ("Pacific/Auckland", "Sunday, June 14, 2026 at 05:00 AM NZST"),
        (None, "Saturday, June 13, 2026 at 10:00 AM PDT"),
        ("", "Saturday, June 13, 2026 at 10:00 AM PDT"),
    ],
)
def test_another_zone_is_told_when_asked_for(zone: str | None, expected: str) -> None:
    assert read(SATURDAY, timezone=zone) == expected


@pytest.mark.parametrize("zone", ["Mars/Phobos", "PST", "EST", "../etc/passwd", "America", "x\0y", "🕒", "a" * 5000])
def test_an_unknown_zone_is_said_and_the_campus_zone_is_used(zone: str) -> None:
    told = read(SATURDAY, timezone=zone)
    assert told.startswith("Saturday, June 13, 2026 at 10:00 AM PDT")
    assert zone in told
    assert "America/Los_Angeles" in told


def test_a_moment_without_an_offset_is_campus_time() -> None:
    assert read(datetime(2026, 6, 13, 10)) == "Saturday, June 13, 2026 at 10:00 AM PDT"


def test_a_moment_in_another_zone_is_told_as_campus_time() -> None:
    assert read(datetime(2026, 6, 14, 3, tzinfo=UTC)) == "Saturday, June 13, 2026 at 08:00 PM PDT"


def test_the_clock_stands_still_while_it_is_held() -> None:
    clock = CampusClock(LOS_ANGELES)
    with clock.held():
        first = clock.now()
        assert clock.now() == first
    assert clock.now() > first


def test_a_held_clock_goes_on_after_an_error() -> None:
    clock = CampusClock(LOS_ANGELES)

    def fail() -> None:
        with clock.held():
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert clock.now() != clock.now()


def test_a_zone_is_found_whatever_its_case() -> None:
    assert find_zone("ASIA/TOKYO") == ZoneInfo("Asia/Tokyo")
