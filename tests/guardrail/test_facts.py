from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import equal, facts


def the_fact(text: str) -> Fact:
    found = facts(text)
    assert len(found) == 1, found
    return found[0]


EQUAL = [
    ("weekday", ["Thursday", "thursday", "THURSDAY", "Thursdays", "Thu", "Thu.", "Thurs", "Thursday's"]),
    ("weekday", ["Monday to Friday", "Mon-Fri", "Mon – Fri", "Monday through Friday", "weekdays", "MON-FRI"]),
    ("weekday", ["weekends", "Saturday - Sunday", "the weekend"]),
    ("weekday", ["MWF"]),
    (
        "date",
        ["June 18, 2026", "18 June 2026", "18th of June, 2026", "2026-06-18", "6/18/2026", "Jun 18, 2026", "June 18th"],
    ),
    ("date", ["December 08", "Dec. 8", "8 December", "December 8, 2026"]),
    ("date", ["December 14-18, 2026", "14-18 December 2026", "December 14 to 18, 2026"]),
    ("date", ["January 2027", "Jan 2027"]),
    ("time", ["5 PM", "5pm", "17:00", "5:00 p.m.", "5:00PM", "5 P.M.", "17:00:00"]),
    ("time", ["noon", "12 PM", "12:00 p.m.", "midday", "12 noon"]),
    ("time", ["midnight", "12 AM", "00:00"]),
    ("time", ["2-4 PM", "2 PM to 4 PM", "2:00–4:00 p.m.", "14:00-16:00", "2 p.m. until 4 p.m."]),
    ("time", ["10-2 PM", "10 AM - 2 PM", "10 AM to 14:00"]),
    ("time", ["9 AM to noon", "9:00 AM-12:00 PM", "9 to 12 noon"]),
    ("number", ["5 days", "five days", "5 day(s)", "Five days", "5-day"]),
    ("number", ["one week", "7 days", "a total of 7 days"]),
    ("number", ["two hours", "2 hours", "2-hour", "120 minutes", "2 hrs"]),
    ("number", ["1,200 seats", "1200 seats"]),
    ("money", ["$5", "$5.00", "5 dollars", "five dollars", "USD 5"]),
    ("money", ["for free", "at no cost", "free of charge", "It is free."]),
    ("money", ["$0.10", "10 cents"]),
    ("percent", ["50%", "50 percent", "fifty percent", "50.0 %"]),
    ("room", ["room 204", "Room 204", "Rm. 204", "room #204", "Room: 204", "**Room** 204"]),
    ("room", ["Room B-12", "room B12", "Room B 12"]),
    ("room", ["second floor", "2nd floor", "floor 2"]),
    ("phone", ["(213) 740-1111", "213-740-1111", "213.740.1111", "+1 213 740 1111"]),
    ("email", ["ai@usc.edu", "AI@usc.edu"]),
    ("link", ["https://www.usc.edu/club", "usc.edu/club", "http://usc.edu/club/", "www.usc.edu/club."]),
]


@pytest.mark.parametrize(("kind", "forms"), EQUAL, ids=lambda value: value if isinstance(value, str) else value[0])
def test_equal_facts_are_equal_however_written(kind: str, forms: list[str]) -> None:
    found = [the_fact(form) for form in forms]
    assert {fact.kind for fact in found} == {kind}
    assert all(equal(found[0], other) for other in found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tuesday", "Thursday"),
        ("Monday to Friday", "Monday to Saturday"),
        ("June 18", "July 18"),
        ("June 18, 2026", "June 18, 2027"),
        ("5 PM", "5 AM"),
        ("5 PM", "5:30 PM"),
        ("2-4 PM", "2-5 PM"),
        ("5 days", "5 weeks"),
        ("5 days", "6 days"),
        ("room 204", "room 2045"),
        ("room 204", "room 20"),
        ("$5", "€5"),
        ("50%", "5%"),
        ("213-740-1111", "213-740-1112"),
        ("a@usc.edu", "b@usc.edu"),
        ("usc.edu/club", "usc.edu/lab"),
    ],
)
def test_different_values_are_different(one: str, other: str) -> None:
    assert not equal(the_fact(one), the_fact(other))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. First thing\n2) Second thing",
        "Step 2/5: I searched.",
        "See [1] and (clubs.md, line 3).",
        "One of these is sooner.",
        "The sun sat on the wall; we march on, and you may go.",
        "No second thoughts, first things first.",
        "I am here at last.",
        "Let me know if you need anything else!",
        "Here's what I found: **Meeting Time** and **Location**.",
        "## Opening Hours And Other Things",
        "Hello! How can I help you today?",
        "Feel free to ask.",
        "version v1.2.3 of the file notes_2026.txt",
        "The SAT is a test.",
        "\x1b]0;title\x07\x1b[31mred\x1b[2J",
    ],
)
def test_these_texts_hold_no_facts(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is in 5 days, on Thursday, June 18, 2026.", ["5 days", "Thursday", "June 18, 2026"]),
        ("Monday, June 15, 2026 at 10:00 AM PDT", ["Monday", "June 15, 2026", "10:00 AM"]),
        (
            "from 10 AM to 6 PM in the engineering building, room 204",
            ["10 AM to 6 PM", "engineering building", "room 204"],
        ),
        ("Ask Dr. Priya Raman at Gates Hall.", ["Priya Raman", "Gates Hall"]),
        ("Join the NVIDIA Developer Program.", ["NVIDIA Developer Program"]),
        ("The password is trojan2026.", ["trojan2026"]),
        ("The WiFi password is `swordfish`.", ["swordfish"]),
        ("Open 24/7.", ["24/7"]),
        ("Meet in RTH 217.", ["RTH 217"]),
        ("From 2 to 4 on Tuesdays.", ["2", "4", "Tuesdays"]),
    ],
)
def test_the_facts_of_a_text_are_read_in_order_with_their_places(text: str, expected: list[str]) -> None:
    found = facts(text)
    assert [fact.text for fact in found] == expected
    assert all(fact.text in text[fact.start : fact.end] for fact in found)


def test_a_range_vouches_for_what_lies_in_it_but_its_ends_do_not_make_the_range() -> None:
    week, wednesday = the_fact("Monday to Friday"), the_fact("Wednesday")
    ends = {atom for day in ("Monday", "Friday") for atom in the_fact(day).gives}
    assert wednesday.supported_by(week.gives)
    assert not week.supported_by(ends)


def test_a_time_without_its_half_of_the_day_may_mean_either() -> None:
    assert the_fact("5:00").supported_by(the_fact("5 PM").gives)
    assert the_fact("5:00").supported_by(the_fact("5 AM").gives)
    assert not the_fact("05:00").supported_by(the_fact("5 PM").gives)


def test_a_full_date_vouches_for_its_weekday() -> None:
    assert the_fact("Thursday").supported_by(the_fact("2026-06-18").gives)
    assert not the_fact("Friday").supported_by(the_fact("2026-06-18").gives)


def test_a_date_that_no_calendar_has_is_no_date() -> None:
    assert "date" not in {fact.kind for fact in facts("February 30 and 2026-13-01")}


WRITTEN = st.lists(
    st.sampled_from([form for _, forms in EQUAL for form in forms] + ["and", ",", ".", "\n", "- ", "the club", "| "]),
    max_size=12,
).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=300), WRITTEN))
def test_any_text_can_be_read_and_facts_never_overlap(text: str) -> None:
    found = facts(text)
    assert all(0 <= fact.start < fact.end <= len(text) for fact in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@settings(max_examples=200, deadline=None)
@given(WRITTEN)
def test_the_normal_form_reads_as_the_same_value(text: str) -> None:
    for fact in facts(text):
        if fact.kind == "name":
            continue
        again = the_fact(fact.normal)
        assert (again.kind, again.normal) == (fact.kind, fact.normal)


@pytest.mark.parametrize(
    "unit",
    ["1", "12 ", "12:", "1-", "1,111", "A", "Ab ", " ", "\n", "a@", "a.", "Monday - ", "*", "# ", "3.", "## Ab Cd\n"],
)
def test_long_hostile_runs_are_read_without_growing_slow(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    found = facts(text)
    assert all(fact.end <= len(text) for fact in found)
