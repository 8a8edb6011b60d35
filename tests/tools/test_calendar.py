from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from campus_agent.tools.calendar import calendar_tools, read_time, read_weekday
from campus_agent.tools.clock import CampusClock
from campus_agent.tools.tool import BadArguments

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
SATURDAY = datetime(2026, 6, 13, 10)
THURSDAY_EVENING = datetime(2026, 6, 18, 18)


def until_weekday(now: datetime, weekday: str, after_time: str | None = None) -> str:
    return calendar_tools(CampusClock(LOS_ANGELES, now))[0].function(weekday, after_time)


def until_date(now: datetime, date: str) -> str:
    return calendar_tools(CampusClock(LOS_ANGELES, now))[1].function(date)


@pytest.mark.parametrize(
    "weekday", ["Thursday", "  thursday ", "THURSDAY", "Thu", "Thurs", "Thurs.", "Thursdays", "next Thursday", "on Thu"]
)
def test_a_weekday_is_understood_however_it_is_written(weekday: str) -> None:
    assert until_weekday(SATURDAY, weekday) == "The next Thursday is in 5 day(s), on June 18, 2026."


@pytest.mark.parametrize(
    ("weekday", "expected"),
    [
        ("Saturday", "Today is Saturday (June 13, 2026) — that is 0 days away."),
        ("Sunday", "The next Sunday is in 1 day(s), on June 14, 2026."),
        ("Friday", "The next Friday is in 6 day(s), on June 19, 2026."),
    ],
)
def test_the_days_from_a_saturday(weekday: str, expected: str) -> None:
    assert until_weekday(SATURDAY, weekday) == expected


def test_next_saturday_asked_on_a_saturday_tells_both() -> None:
    told = until_weekday(SATURDAY, "next Saturday")
    assert "0 days away" in told
    assert "in 7 day(s), on June 20, 2026" in told


@pytest.mark.parametrize("weekday", ["jueves", "", "day", "th", "Caturday", "Thursday and Friday", "4", "sund" * 9999])
def test_what_is_no_weekday_is_said_with_the_seven_that_are(weekday: str) -> None:
    with pytest.raises(BadArguments, match="is not a valid weekday") as caught:
        until_weekday(SATURDAY, weekday)
    assert "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday" in str(caught.value)


@pytest.mark.parametrize(
    ("now", "weekday", "expected"),
    [
        (datetime(2026, 6, 14, 3, tzinfo=UTC), "Thursday", "in 5 day(s), on June 18, 2026"),  # still Saturday there
        (datetime(2026, 3, 7, 23, 30), "Monday", "in 2 day(s), on March 09, 2026"),  # the night loses an hour
        (datetime(2026, 10, 31, 23, 30), "Monday", "in 2 day(s), on November 02, 2026"),  # the night gains one
        (datetime(2026, 12, 30, 12), "Monday", "in 5 day(s), on January 04, 2027"),
        (datetime(2028, 2, 28, 12), "Tuesday", "in 1 day(s), on February 29, 2028"),
        (datetime(2028, 2, 29, 12), "Tuesday", "Today is Tuesday (February 29, 2028)"),
        (datetime(2026, 6, 13, 23, 59), "Sunday", "in 1 day(s), on June 14, 2026"),
        (datetime(2026, 6, 14, 0, 0), "Sunday", "Today is Sunday (June 14, 2026)"),
    ],
)
def test_days_are_campus_days(now: datetime, weekday: str, expected: str) -> None:
    assert expected in until_weekday(now, weekday)


@pytest.mark.parametrize(
    "after_time", ["5 PM", "5:00 p.m.", "17:00", "17h", "5pm", "5 PM - 7 PM", "5-7 PM", "17:00-19:00"]
)
def test_a_time_that_has_passed_today_counts_to_next_week_and_says_so(after_time: str) -> None:
    assert until_weekday(THURSDAY_EVENING, "Thursday", after_time) == (
        "Today is Thursday (June 18, 2026), and 5:00 PM has begun or passed. "
        "The next Thursday is in 7 day(s), on June 25, 2026."
    )


def test_a_time_that_is_still_to_come_is_today() -> None:
    told = until_weekday(datetime(2026, 6, 18, 16, 59), "Thursday", "5 PM")
    assert told == "Today is Thursday (June 18, 2026) — that is 0 days away. 5:00 PM is still to come today."


def test_the_minute_at_which_it_begins_has_begun() -> None:
    assert "has begun or passed" in until_weekday(datetime(2026, 6, 18, 17, 0), "Thursday", "5 PM")


def test_on_another_day_the_time_does_not_matter() -> None:
    assert "in 5 day(s), on June 18" in until_weekday(SATURDAY, "Thursday", "5 PM")


@pytest.mark.parametrize("after_time", ["5", "25:00", "13 pm", "soon", "12:75", "-"])
def test_a_time_that_is_none_is_said(after_time: str) -> None:
    with pytest.raises(BadArguments, match="is not a time of day"):
        until_weekday(SATURDAY, "Thursday", after_time)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("noon", time(12)),
        ("midnight", time(0)),
        ("12 AM", time(0)),
        ("12 PM", time(12)),
        ("12:30 am", time(0, 30)),
        ("9.15", time(9, 15)),
        ("2-4 PM", time(14)),
        ("10 AM to 6 PM", time(10)),
        ("11:30 p.m. PDT", time(23, 30)),
        ("at 5 PM", time(17)),
        ("from 5 PM", time(17)),
        ("by 5pm", time(17)),
        ("5 o'clock PM", time(17)),
        ("12 noon", time(12)),
        ("12 midnight", time(0)),
        ("1700", time(17)),
        ("1700 hours", time(17)),
        ("2026-06-18T17:00", time(17)),
    ],
)
def test_times_of_day_are_read(text: str, expected: time) -> None:
    assert read_time(text) == expected


def test_every_weekday_is_read_by_name_and_by_its_first_three_letters() -> None:
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    assert [read_weekday(name) for name in names] == list(range(7))
    assert [read_weekday(name[:3]) for name in names] == list(range(7))


@pytest.mark.parametrize(
    "date",
    ["June 18", "June 18, 2026", "18 June 2026", "2026-06-18", "Jun 18", "18/06/2026", "6/18/26", "June 18 5 PM PDT"],
)
def test_a_date_is_understood_however_it_is_written(date: str) -> None:
    assert until_date(SATURDAY, date) == "Thursday, June 18, 2026 is in 5 day(s)."


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("today", "Today is Saturday, June 13, 2026 — that is 0 days away."),
        ("June 13", "Today is Saturday, June 13, 2026 — that is 0 days away."),
        ("tomorrow", "Sunday, June 14, 2026 is in 1 day(s)."),
        ("June 8, 2026", "Monday, June 08, 2026 was 5 day(s) ago."),
        ("2026-06-19T03:00Z", "Thursday, June 18, 2026 is in 5 day(s)."),
        ("29.02.2028", "Tuesday, February 29, 2028 is in 626 day(s)."),
        ("06/06/2026", "Saturday, June 06, 2026 was 7 day(s) ago."),
    ],
)
def test_the_days_to_a_date(date: str, expected: str) -> None:
    assert until_date(SATURDAY, date) == expected


def test_a_day_that_has_passed_this_year_means_the_next_and_the_last_is_told_too() -> None:
    assert until_date(SATURDAY, "June 10") == (
        "Thursday, June 10, 2027 is in 362 day(s). The last one, Wednesday, June 10, 2026 was 3 day(s) ago."
    )


def test_29_february_without_a_year_is_the_next_one_there_is() -> None:
    assert until_date(SATURDAY, "Feb 29") == "Tuesday, February 29, 2028 is in 626 day(s)."
    assert until_date(datetime(2028, 2, 29, 23, 59), "29 February").startswith("Today is Tuesday, February 29, 2028")


def test_the_year_turns_between_two_dates() -> None:
    told = until_date(datetime(2026, 12, 31, 23, 59), "January 1")
    assert told.startswith("Friday, January 01, 2027 is in 1 day(s).")


@pytest.mark.parametrize("date", ["06/07/2026", "7/6", "06.07.2026", "6-7-26"])
def test_a_date_in_numbers_that_could_be_two_days_is_asked_about(date: str) -> None:
    with pytest.raises(BadArguments, match=r"could mean .* or .*month's name"):
        until_date(SATURDAY, date)


@pytest.mark.parametrize(
    "date",
    [
        "5",
        "18",
        "2026",
        "June",
        "June 2027",
        "Thursday",
        "10am",
        "",
        "asdf",
        "February 29, 2027",
        "2026-13-45",
        "9" * 20,
        "x" * 9999,
    ],
)
def test_what_is_no_whole_date_is_said(date: str) -> None:
    with pytest.raises(BadArguments, match="is not a valid date"):
        until_date(SATURDAY, date)
