from __future__ import annotations

from datetime import date

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.dates import asked_span, mentions
from campus_agent.knowledge.passage import Passage

SATURDAY = date(2026, 6, 13)


def base(*texts: str) -> KnowledgeBase:
    return KnowledgeBase("test", [Passage("", text, "events.md", n) for n, text in enumerate(texts, 1)])


def first(texts: tuple[str, ...], query: str, today: date | None = SATURDAY) -> str:
    return base(*texts).search(query, today=today).passages[0].passage.text


@pytest.mark.parametrize(
    ("query", "text", "about"),
    [
        ("events tomorrow", "The picnic is on June 14.", True),
        ("events tomorrow", "The picnic is on June 14, 2027.", False),
        ("events tomorrow", "The choir sings every Sunday.", True),
        ("events tomorrow", "The choir sings every Monday.", False),
        ("events today", "The fair is on Saturday, June 20, 2026.", False),
        ("what is on next week", "The talk is on 16 June 2026.", True),
        ("what is on next week", "The talk is on 2026-06-16.", True),
        ("what is on next week", "The talk is on June 22.", False),
        ("what is on this weekend", "The swim meet is on Sundays.", True),
        ("deadlines next month", "Apply by July 31.", True),
        ("deadlines next month", "Apply by June 30.", False),
        ("holidays in October", "The recess is on Oct. 12, 2026.", True),
        ("holidays in October", "The recess is on September 7.", False),
        ("holidays in May", "In May there is one holiday.", True),
        ("holidays in May", "Students may leave early.", False),
        ("first day of classes fall 2026", "Classes of the autumn semester 2026 begin in August.", True),
        ("first day of classes fall 2026", "Classes of fall 2025 begin in August.", False),
        ("clubs on Friday", "The chess club meets on Fridays.", True),
        ("clubs on Friday", "The chess club meets on Mondays.", False),
        ("exam on December 10", "The exam is on December 10, 2026.", True),
        ("exam on December 10", "The exam is on December 11, 2026.", False),
        ("what is on in April", "Event: Boat Race; Date: 2026-04-09", True),
        ("what is on in April", "Event: Boat Race; Date: 2026-09-04", False),
        ("what is on 4/9", "Event: Boat Race; Date: 2026-04-09", True),
        ("what is on 4/9/2027", "Event: Boat Race; Date: 2026-04-09", False),
        ("boat race April 9", "The boat race is on 4/9.", True),
    ],
)
def test_a_passage_speaks_of_the_time_that_is_asked_for_or_does_not(query: str, text: str, about: bool):
    span = asked_span(query, SATURDAY)
    assert span is not None
    assert mentions(text, span) is about


@pytest.mark.parametrize("query", ["when may I apply", "what if I fall ill", "march in the parade", "room 2026", ""])
def test_a_word_that_only_looks_like_a_time_names_none(query: str):
    assert asked_span(query, SATURDAY) is None


def test_tomorrow_is_not_known_without_a_date():
    assert asked_span("events tomorrow", None) is None


@pytest.mark.parametrize(("day", "month_after"), [(date(2026, 1, 31), 2), (date(2026, 12, 31), 1)])
def test_the_next_month_is_that_of_the_calendar(day: date, month_after: int):
    span = asked_span("next month", day)
    assert span is not None
    assert span.first is not None
    assert span.first.month == month_after


def test_of_two_equal_matches_the_one_of_the_asked_time_comes_first():
    texts = ("Registration opens on August 3 for fall 2025.", "Registration opens on August 5 for fall 2026.")
    assert first(texts, "registration fall 2026") == texts[1]
    assert first(texts, "registration fall 2025") == texts[0]


def test_a_time_never_beats_a_clearly_better_match():
    texts = ("The chess club plays in the tower hall.", "The library has its sale on June 14.", "Tea is served.")
    assert first(texts, "chess club tomorrow") == texts[0]


def test_the_same_query_finds_other_events_on_another_day():
    texts = ("The book sale is on June 14.", "The book sale is on June 21.", "Tea is served.")
    assert first(texts, "book sale tomorrow", date(2026, 6, 13)) == texts[0]
    assert first(texts, "book sale tomorrow", date(2026, 6, 20)) == texts[1]


PICNIC, TALK, CHOIR = "The picnic is on June 14.", "The talk is on 2026-06-16.", "The choir sings every Sunday."
WEEKS = "A card is ready within two weeks, and next to it a form."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tomorrow", [PICNIC, CHOIR]),
        ("What's on tomorrow?", [PICNIC, CHOIR]),
        ("what is happening this weekend", [PICNIC, CHOIR]),
        ("next week", [TALK]),
        ("any events this month?", [PICNIC, TALK]),
        ("what is going on next month", []),
        ("today", []),
    ],
)
def test_where_only_a_time_is_asked_for_what_speaks_of_it_is_found_and_nothing_else(query: str, found: list[str]):
    result = base(WEEKS, PICNIC, TALK, CHOIR, "Tea is served.").search(query, today=SATURDAY)
    assert [scored.passage.text for scored in result.passages] == found
    assert (result.found, result.share, result.unmatched_terms) == (bool(found), float(bool(found)), ())


def test_a_time_does_not_find_what_is_asked_for_beside_it():
    result = base(WEEKS, PICNIC, TALK, CHOIR).search("weather tomorrow", today=SATURDAY)
    assert (result.found, result.unmatched_terms) == (False, ("weather",))


def test_what_is_found_by_its_time_is_explained_by_it():
    (picnic, _) = base(PICNIC, CHOIR, TALK).explain("what is on tomorrow", today=SATURDAY)
    assert [(part.origin, part.term) for part in picnic.contributions] == [("time", "tomorrow")]


def test_a_word_of_a_counted_time_is_no_word_to_look_for():
    texts = ("The menu of the hall changes daily.", f"The menu. {WEEKS}")
    assert first(texts, "menu of the hall next week") == texts[0]


@pytest.mark.parametrize(
    "query", ["what is on in April", "april", "4/9", "boat race in April", "2026-04-09", "April 9"]
)
def test_a_month_or_date_finds_what_is_dated_in_numbers(query: str):
    texts = ("Event: Kite Day; Date: 2026-05-02", "Event: Boat Race; Date: 2026-04-09", "The desk lends four kites.")
    assert first(texts, query) == texts[1]


def test_hours_around_the_clock_are_no_date():
    assert asked_span("is the gate open 24/7", SATURDAY) is None


def test_a_time_that_no_passage_speaks_of_finds_nothing():
    assert base("Event: Kite Day; Date: 2026-05-02").search("what is on in April", today=SATURDAY).found is False
