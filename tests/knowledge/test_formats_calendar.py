from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats import calendar_file
from campus_agent.knowledge.formats.calendar_file import read_calendar
from campus_agent.knowledge.formats.reader import Content
from campus_agent.knowledge.passage import Passage, Problem

NOW = datetime(2026, 9, 8, 10, tzinfo=ZoneInfo("America/Los_Angeles"))  # a Tuesday


def calendar(*events: str, head: str = "") -> str:
    told = "".join(f"BEGIN:VEVENT\n{event}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{head}{told}END:VCALENDAR\n"


def read(text: str, now: datetime = NOW) -> list[Passage | Problem]:
    return list(read_calendar(Content(text.encode(), "academic_calendar.ics", now)))


def texts(*events: str, head: str = "") -> list[str]:
    items = read(calendar(*events, head=head))
    assert not [item for item in items if isinstance(item, Problem)]
    return [item.text for item in items if isinstance(item, Passage)]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            "DTSTART;VALUE=DATE:20260918\nDTEND;VALUE=DATE:20260919\nCATEGORIES:Fall 2026,Fee\nSUMMARY:Fees due",
            "On Friday, September 18, 2026 (Fall 2026, Fee): Fees due.",
        ),
        ("DTSTART;VALUE=DATE:20260918\nSUMMARY:Last day to drop a class!", None),
        (
            "DTSTART;VALUE=DATE:20261126\nDTEND;VALUE=DATE:20261129\nSUMMARY:Thanksgiving recess",
            "From Thursday, November 26, 2026 to Saturday, November 28, 2026: Thanksgiving recess.",
        ),
        (
            "DTSTART;VALUE=DATE:20261126\nDURATION:P3D\nSUMMARY:Recess",
            "From Thursday, November 26, 2026 to Saturday, November 28, 2026: Recess.",
        ),
        (
            "DTSTART;TZID=America/Los_Angeles:20260910T170000\nDTEND;TZID=America/Los_Angeles:20260910T183000\n"
            "SUMMARY:AI Club\nLOCATION:SAL 101\nDESCRIPTION:Bring a\\nlaptop\\, please",
            "On Thursday, September 10, 2026 from 5:00 PM to 6:30 PM: AI Club. Bring a laptop, please. Place: SAL 101.",
        ),
        ("DTSTART:20260911T003000Z\nSUMMARY:Talk", "On Thursday, September 10, 2026 at 5:30 PM: Talk."),
        (
            "DTSTART:20260910T120000\nDURATION:PT45M\nSUMMARY:A",
            "On Thursday, September 10, 2026 from 12:00 PM to 12:45 PM: A.",
        ),
        (
            "DTSTART;TZID=Eastern Standard Time:20260910T090000\nSUMMARY:Webinar",
            "On Thursday, September 10, 2026 at 6:00 AM: Webinar.",
        ),
        (
            "DTSTART:20260910T220000\nDTEND:20260911T030000\nSUMMARY:Party",
            "From Thursday, September 10, 2026 at 10:00 PM to Friday, September 11, 2026 at 3:00 AM: Party.",
        ),
        (
            "DTSTART:20260910T170000\nDTEND:20260910T160000\nSUMMARY:Back",
            "On Thursday, September 10, 2026 at 5:00 PM: Back.",
        ),
        (
            "DTSTART;VALUE=DATE:20260910\nSTATUS:CANCELLED\nSUMMARY:Talk",
            "On Thursday, September 10, 2026: Cancelled: Talk.",
        ),
        ("DTSTART;VALUE=DATE:20260907\nSUMMARY:Labor Day", "Past: on Monday, September 7, 2026: Labor Day."),
        ("DTSTART:20260908T060000\nSUMMARY:Run", "On Tuesday, September 8, 2026 at 6:00 AM: Run."),
        (
            "DTSTART;VALUE=DATE:20260910\nSUMMARY:A very long\n  name of\n  an event",
            "On Thursday, September 10, 2026: A very long name of an event.",
        ),
        ("DTSTART;VALUE=DATE:20260910\nDESCRIPTION:No classes", "On Thursday, September 10, 2026: No classes."),
        ("DTSTART:nonsense\nDTSTART;VALUE=DATE:20260910\nSUMMARY:Twice", "On Thursday, September 10, 2026: Twice."),
    ],
)  # fmt: skip
def test_an_event_is_told_with_its_weekday_its_date_and_what_it_is_filed_under(event: str, expected: str | None):
    assert texts(event) == [expected or "On Friday, September 18, 2026: Last day to drop a class!"]


def test_where_a_single_day_ends_on_itself_the_last_day_is_the_one_that_is_written():
    assert texts(
        "DTSTART;VALUE=DATE:20260910\nDTEND;VALUE=DATE:20260910\nSUMMARY:Talk",
        "DTSTART;VALUE=DATE:20261126\nDTEND;VALUE=DATE:20261127\nSUMMARY:Recess",
    ) == [
        "On Thursday, September 10, 2026: Talk.",
        "From Thursday, November 26, 2026 to Friday, November 27, 2026: Recess.",
    ]


def test_what_is_to_come_stands_first_and_the_line_and_title_are_those_of_the_event():
    items = read(
        calendar(
            "DTSTART;VALUE=DATE:20260101\nSUMMARY:Old",
            "DTSTART;VALUE=DATE:20270101\nSUMMARY:Later",
            "DTSTART;VALUE=DATE:20260901\nSUMMARY:Recent",
            "DTSTART;VALUE=DATE:20260908\nSUMMARY:Today",
            head="X-WR-CALNAME:USC dates\n",
        )
    )
    assert [(item.title, item.line) for item in items if isinstance(item, Passage)] == [
        ("USC dates › Today", 16),
        ("USC dates › Later", 8),
        ("USC dates › Recent", 12),
        ("USC dates › Old", 4),
    ]


def test_a_term_that_the_calendar_does_not_name_is_searched_by_and_never_told():
    first, second = read(
        calendar(
            "DTSTART;VALUE=DATE:20261126\nSUMMARY:Recess",
            "DTSTART;VALUE=DATE:20261225\nCATEGORIES:Winter 2027\nSUMMARY:Gap",
        )
    )
    assert isinstance(first, Passage)
    assert isinstance(second, Passage)
    assert first.phrasings == ("fall autumn 2026",)
    assert "fall" not in first.text.lower()
    assert second.phrasings == ()


# ---- events that repeat --------------------------------------------------------------------------------------------

WEEKLY = "DTSTART;TZID=America/Los_Angeles:20260827T170000\nDURATION:PT90M\nSUMMARY:AI Club\nUID:a\n"


def test_an_event_that_repeats_is_one_passage_with_its_next_dates_and_those_that_it_skips():
    rule = "RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20261009T060000Z\nEXDATE;TZID=America/Los_Angeles:20260917T170000"
    assert texts(WEEKLY + rule) == [
        "Every week on Thursday from 5:00 PM to 6:30 PM, from Thursday, August 27, 2026 to Thursday, October 8, 2026: "
        "AI Club. Next: Thursday, September 10, 2026; Thursday, September 24, 2026; Thursday, October 1, 2026; "
        "Thursday, October 8, 2026. Not on Thursday, September 17, 2026."
    ]


def test_a_date_that_was_moved_or_cancelled_is_told_on_its_own_and_is_skipped_by_the_rest():
    assert texts(
        WEEKLY + "RRULE:FREQ=WEEKLY;COUNT=5",
        "UID:a\nRECURRENCE-ID;TZID=America/Los_Angeles:20260910T170000\nDTSTART:20260911T180000\nSUMMARY:AI Club",
        "UID:a\nRECURRENCE-ID:20260918T000000Z\nDTSTART:20260918T000000Z\nSTATUS:CANCELLED\nSUMMARY:AI Club",
    ) == [
        "On Friday, September 11, 2026 at 6:00 PM: AI Club.",
        "On Thursday, September 17, 2026 at 5:00 PM: Cancelled: AI Club.",
        "Every week on Thursday from 5:00 PM to 6:30 PM, from Thursday, August 27, 2026 to Thursday, September 24, "
        "2026: AI Club. Next: Thursday, September 24, 2026. Not on Thursday, September 10, 2026; Thursday, "
        "September 17, 2026.",
    ]


@pytest.mark.parametrize(
    ("rule", "begins"),
    [
        ("FREQ=WEEKLY;BYDAY=TU,TH", "Every week on Tuesday and Thursday at 5:00 PM, from Thursday, August 27, 2026: "),
        ("FREQ=WEEKLY;INTERVAL=2", "Every 2 weeks on Thursday at 5:00 PM, from Thursday, August 27, 2026: "),
        ("FREQ=DAILY", "Every day at 5:00 PM, from Thursday, August 27, 2026: "),
        ("FREQ=MONTHLY;BYDAY=4TH", "Every month at 5:00 PM, from Thursday, August 27, 2026: "),
        ("FREQ=YEARLY", "Every year at 5:00 PM, from Thursday, August 27, 2026: "),
        ("FREQ=WEEKLY;COUNT=2", "Past: every week on Thursday at 5:00 PM, from Thursday, August 27, 2026 to "),
        ("FREQ=WEEKLY;UNTIL=20260904", "Past: every week on Thursday at 5:00 PM, from Thursday, August 27, 2026 to "),
        ("FREQ=WEEKLY;COUNT=1", "Past: on Thursday, August 27, 2026 at 5:00 PM: "),
    ],
)
def test_how_often_is_said_in_words(rule: str, begins: str):
    (text,) = texts(f"DTSTART:20260827T170000\nSUMMARY:AI Club\nRRULE:{rule}")
    assert text.startswith(f"{begins}")


def test_the_time_of_day_stays_when_the_clocks_change():
    (text,) = texts("DTSTART;TZID=America/Los_Angeles:20261029T170000\nSUMMARY:AI Club\nRRULE:FREQ=WEEKLY;COUNT=2")
    assert "Next: Thursday, October 29, 2026; Thursday, November 5, 2026." in text


def test_dates_that_are_only_listed_are_told_too():
    (text,) = texts(
        "DTSTART;VALUE=DATE:20260910\nSUMMARY:Fair\nRDATE;VALUE=DATE:20260915,20261001\nRRULE:FREQ=DAILY;COUNT=1"
    )
    assert text.endswith(
        "Fair. Next: Thursday, September 10, 2026; Tuesday, September 15, 2026; Thursday, October 1, 2026."
    )


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=MINUTELY;BYHOUR=1,2;BYSECOND=0,1,2",
        "FREQ=DAILY;BYSETPOS=400",
        "FREQ=NEVER",
    ],
)
def test_a_rule_that_is_no_rule_or_far_too_many_dates_is_bounded(rule: str):
    items = read(calendar(f"DTSTART:20260827T170000\nSUMMARY:A\nRRULE:{rule}", "DTSTART:20260910T170000\nSUMMARY:Good"))
    assert "On Thursday, September 10, 2026 at 5:00 PM: Good." in [i.text for i in items if isinstance(i, Passage)]


def test_a_rule_whose_date_never_comes_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calendar_file, "SECONDS", 1.5)
    event = "DTSTART:20260827T170000\nSUMMARY:A\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"
    with pytest.raises(Unreadable, match="takes over 2 s to read"):
        read(calendar(event))


# ---- what is broken ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("SUMMARY:When?", "no date that can be read"),
        ("DTSTART:nonsense\nSUMMARY:When?", "no date that can be read"),
        ("DTSTART;VALUE=DATE:20260910", "does not say what it is"),
        ("DTSTART;VALUE=DATE:20260910\nnonsense", "does not say what it is"),
        ("DTSTART;VALUE=DATE:00000000\nSUMMARY:Zero", "no date that can be read"),
        ("DTSTART;VALUE=DATE:99991231\nDURATION:P9999D\nSUMMARY:Far", "cannot be read"),
    ],
)
def test_a_broken_event_is_named_with_its_line_and_the_rest_is_read(event: str, reason: str):
    items = read(calendar(event, "DTSTART;VALUE=DATE:20260910\nSUMMARY:Good"))
    (problem,) = (item for item in items if isinstance(item, Problem))
    assert reason in problem.reason
    assert problem.line == 3
    assert len(items) == 2


def test_a_calendar_that_is_cut_off_is_read_up_to_there():
    items = read(calendar("DTSTART;VALUE=DATE:20260910\nSUMMARY:Good") + "BEGIN:VEVENT\nSUMMARY:Half")
    assert [type(item) for item in items] == [Problem, Passage]


@pytest.mark.parametrize("text", ["", "Dear students", "BEGIN:VCARD\nEND:VCARD"])
def test_what_is_no_calendar_is_named(text: str):
    with pytest.raises(Unreadable, match="no calendar"):
        read(text)


def test_of_very_many_events_the_first_are_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calendar_file, "_MOST_EVENTS", 2)
    items = read(calendar(*["DTSTART;VALUE=DATE:20260910\nSUMMARY:A"] * 3))
    assert [type(item) for item in items] == [Problem, Passage, Passage]


def test_a_calendar_that_is_far_too_large_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calendar_file, "_MOST_CHARACTERS", 50)
    with pytest.raises(Unreadable, match="cut it into smaller files"):
        read(calendar("SUMMARY:A", "SUMMARY:B"))


NAMES = ("DTSTART", "DTEND", "DURATION", "EXDATE", "RDATE", "RECURRENCE-ID", "CATEGORIES", "UID", "SUMMARY")
PARAMETERS = ("", ";VALUE=DATE", ";TZID=Mars", ";TZID=America/Los_Angeles", ";VALUE=PERIOD")
VALUES = ("20260910", "20260910T170000", "99991231T235959Z", "P1D", "-P9D", "x", "", "20260910T170000Z/PT1H")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.tuples(*map(st.sampled_from, (NAMES, PARAMETERS, VALUES)))))
def test_no_event_breaks_the_reader(parts: list[tuple[str, str, str]]):
    event = "\n".join(f"{name}{parameter}:{value}" for name, parameter, value in parts)
    now = datetime(2026, 6, 13, tzinfo=UTC)
    assert len(read(calendar("SUMMARY:A\nDTSTART;VALUE=DATE:20260910\n" + event), now)) >= 1
