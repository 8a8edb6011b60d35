"""What the offline model says of events that are cancelled, skip a date, or last several days."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.offline.changes import cancelled, excepts, read_series
from campus_agent.models.offline.dates import falls_on, read_dates, read_ranges
from tests.models.test_offline_model import REFUSAL, Campus

NOW = datetime(2026, 4, 6, 9)  # a Monday

EVENTS = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//tests//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
SUMMARY:Plant Sale
DTSTART;TZID=America/Los_Angeles:20260303T100000
DTEND;TZID=America/Los_Angeles:20260303T130000
RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260603T000000Z
EXDATE;TZID=America/Los_Angeles:20260414T100000
LOCATION:Glass House
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTAMP:20260101T000000Z
SUMMARY:Harbor Swim
DTSTART;TZID=America/Los_Angeles:20260410T180000
DTEND;TZID=America/Los_Angeles:20260410T190000
LOCATION:Pier
STATUS:CANCELLED
END:VEVENT
BEGIN:VEVENT
UID:3
DTSTAMP:20260101T000000Z
SUMMARY:Reading Recess
DTSTART;VALUE=DATE:20260415
DTEND;VALUE=DATE:20260418
DESCRIPTION:No classes.
END:VEVENT
END:VCALENDAR
"""

NOTES = """# Notes

## Quiz

The quiz on Friday is cancelled.

## Brass band

The brass band plays every Wednesday at 5 PM in Fern Hall. The concert on April 8 is cancelled.

## Swim lessons

On Friday, April 10, 2026: Cancelled: Swim lessons. Place: Pool.

## Weavers

The weavers have been postponed. They were to meet on April 20, 2026 at noon.

## Debating

The debating circle meets every Thursday at 8 PM except April 9, 2026.

## Sketching

Sketching is on every Friday at 3 PM. It may be cancelled if it rains.

## Adding

You can add a class until April 1, 2026.
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder: Path = tmp_path_factory.mktemp("changes")
    (folder / "events.ics").write_text(EVENTS, encoding="utf-8")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    loaded = KnowledgeBase.load([folder], now=NOW.replace(tzinfo=ZoneInfo("America/Los_Angeles")))
    return KnowledgeBase("changes", loaded.passages)


def _asked(base: KnowledgeBase, question: str, now: datetime = NOW) -> str:
    """Return the answer to a question, which the guardrail lets through as it stands."""
    campus = Campus(base, now)
    answer = campus.ask(question).answer
    review = Guardrail(refusal=REFUSAL).review(answer, question=question, evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("When is the Harbor Swim?", "The Harbor Swim is cancelled."),
        ("Where is the Harbor Swim?", "The Harbor Swim is cancelled."),
        ("Is the Harbor Swim on Friday?", "The Harbor Swim is cancelled."),
        ("How many days until the Harbor Swim?", "The Harbor Swim is cancelled."),
        ("Which is sooner, the Harbor Swim or reading recess?", "Harbor Swim is cancelled."),
        ("How many days until the quiz?", "The quiz on Friday is cancelled."),
        ("Is the quiz on Friday?", "The quiz on Friday is cancelled."),
        ("How many days until the weavers?", "The weavers have been postponed."),
        ("When are the swim lessons?", "The swim lessons are cancelled."),
        ("When is the next brass band?", "Not all of this takes place: The brass band plays every Wednesday"),
    ],
)
def test_what_is_cancelled_is_said_to_be_so_first_and_not_counted(base, question, start):
    answer = _asked(base, question)
    assert answer.startswith(start)
    assert " is in " not in answer


def test_what_only_may_be_cancelled_is_counted(base):
    assert _asked(base, "How many days until sketching?").startswith("The next Friday is in 4 days")


@pytest.mark.parametrize("question", ["What is happening on Friday?", "What is happening on April 10?"])
def test_an_agenda_lists_what_is_cancelled_last_and_as_cancelled(base, question):
    listed = _asked(base, question).split("\n\n")
    assert listed[0].startswith("Sketching is on every Friday")
    assert listed[-1].startswith("Harbor Swim is cancelled.") or "quiz on Friday is cancelled" in listed[-1]
    assert any(one.startswith("Harbor Swim is cancelled.") for one in listed)


@pytest.mark.parametrize(
    ("question", "now", "start"),
    [
        ("Is there a plant sale on April 14?", NOW, "No, not on Tuesday, April 14, 2026."),
        ("Is there a plant sale on April 13?", NOW, "No, not on Monday, April 13, 2026."),
        ("Is there a plant sale on April 21?", NOW, "Yes, on April 21, 2026."),
        ("Is the plant sale on today?", NOW.replace(day=14), "No, not today."),
        ("Is the plant sale on tomorrow?", NOW, "Yes, tomorrow."),
        ("Is there a plant sale next week?", NOW, "Every week on Tuesday"),
    ],
)
def test_a_date_that_a_series_skips_is_denied_or_quoted_with_the_exception(base, question, now, start):
    answer = _asked(base, question, now)
    assert answer.startswith(start)
    assert answer.endswith("Not on Tuesday, April 14, 2026.")


def test_an_agenda_of_a_skipped_day_leaves_the_series_out(base):
    on_the_week_before = _asked(base, "What is happening today?", NOW.replace(day=7))
    assert "Plant Sale" in on_the_week_before
    assert "Plant Sale" not in _asked(base, "What is happening today?", NOW.replace(day=14))
    assert "Plant Sale" not in _asked(base, "What is happening on April 14?")
    assert "debating" not in _asked(base, "What is happening on April 9?")


def test_a_series_is_counted_to_its_next_date_and_never_to_its_last(base):
    assert _asked(base, "How many days until the plant sale?").startswith(
        "The Plant Sale is in 1 day, on April 07, 2026."
    )


def test_a_day_that_prose_excepts_is_not_counted_to(base):
    answer = _asked(base, "How many days until the debating circle?")
    assert answer == "The debating circle meets every Thursday at 8 PM except April 9, 2026."


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("How many days until reading recess?", "Reading Recess is in 9 days, on Wednesday, April 15, 2026."),
        ("How many days until reading recess ends?", "Reading Recess ends in 11 days, on Friday, April 17, 2026."),
        ("How many days until the end of reading recess?", "That is in 11 days, on Friday, April 17, 2026."),
    ],
)
def test_days_are_counted_to_the_start_of_what_lasts_several_and_to_its_end_when_asked(base, question, start):
    assert _asked(base, question).startswith(start)


@pytest.mark.parametrize("question", ["Are there classes on April 16?", "Are there classes on April 17?"])
def test_a_day_within_several_is_told_by_them_and_not_by_another_use_of_the_word(base, question):
    assert _asked(base, question).endswith("Reading Recess. No classes.")


def test_a_day_that_nothing_tells_of_is_not_answered_with_the_same_word(base):
    assert _asked(base, "Are there classes on Wednesday?") == REFUSAL


def test_the_events_of_a_week_are_listed_by_their_dates(base):
    assert [one.split(": ")[-1] for one in _asked(base, "What events are next week?").split("\n\n")] == [
        "Reading Recess. No classes."
    ]
    this_week = _asked(base, "What events are this week?").split("\n\n")
    assert "Plant Sale" in this_week[0]
    assert this_week[1].startswith("Harbor Swim is cancelled.")


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("The talk is cancelled.", "cancelled"),
        ("The talk has been postponed.", "postponed"),
        ("On Friday: Cancelled: Talk.", "cancelled"),
        ("The talk was called off.", "called off"),
        ("The talk will not take place.", "cancelled"),
        ("The talk is not cancelled.", ""),
        ("The talk may be cancelled.", ""),
        ("The talk is cancelled if it rains.", ""),
        ("You can cancel your booking.", ""),
    ],
)
def test_a_text_that_calls_something_off_is_told_from_one_that_does_not(text, how):
    assert cancelled(text) == how


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("From Monday, May 4, 2026 to Tuesday, May 5, 2026: Fair", (("May 4, 2026", "May 5, 2026"),)),
        ("From May 4, 2026 at 9:00 AM to May 6, 2026 at 5:00 PM", (("May 4, 2026", "May 6, 2026"),)),
        ("December 30 to January 2, 2027", (("December 30, 2026", "January 2, 2027"),)),
        ("4 May 2026 to 6 May 2026", (("May 4, 2026", "May 6, 2026"),)),
        ("May 4-6, 2026", (("May 4, 2026", "May 6, 2026"),)),
        ("2026-05-04 to 2026-05-06", (("2026-05-04", "2026-05-06"),)),
        ("May 4, 2026 to 3 PM", (("May 4, 2026", "May 4, 2026"),)),
        ("On May 4 and May 6, 2026", (("May 4, 2026", "May 4, 2026"), ("May 6, 2026", "May 6, 2026"))),
    ],
)
def test_a_range_of_dates_is_read_however_its_years_are_written(text, ranges):
    assert read_ranges(text) == ranges
    assert read_dates(text) == tuple(first for first, _ in ranges)


@pytest.mark.parametrize(("date", "within"), [("May 3, 2026", 0), ("May 4, 2026", 1), ("May 5", 0), ("May 5, 2026", 1)])
def test_a_date_falls_within_a_range_only_where_its_year_is_known(date, within):
    assert falls_on(date, "From Monday, May 4, 2026 to Wednesday, May 6, 2026") is bool(within)


def test_a_series_tells_of_no_date_beyond_those_that_it_names_and_within_its_end():
    told = "Every week on Friday, from Friday, May 1, 2026 to Friday, July 3, 2026: Market."
    series = read_series(f"{told} Next: Friday, May 8, 2026; Friday, May 22, 2026. Not on Friday, May 15, 2026.")
    assert series is not None
    dates = ("May 8, 2026", "May 15, 2026", "May 21, 2026", "June 5, 2026", "July 10, 2026")
    assert [series.on(date) for date in dates] == [True, False, False, None, False]
    assert (series.told, series.exception) == (told, "Not on Friday, May 15, 2026.")


@pytest.mark.parametrize("text", ["Closed on May 4.", "Every day except May 4, 2026.", "There is no class on May 4."])
def test_a_date_that_a_text_excepts_is_known(text):
    assert excepts(text, "May 4, 2026")
    assert not excepts(text, "May 5, 2026")
