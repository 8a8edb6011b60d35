from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.tools.tool import Source
from tests.guardrail.triples import REFUSAL

LAB = Source(title="GPU lab", source="labs.md", text="The GPU lab is open Monday to Friday from 10 AM to 6 PM.")
NOW = "Is the GPU lab open right now?"


def clock(day: str, time: str) -> Evidence:
    return Evidence("get_current_time", f"{day} at {time} PDT")


SATURDAY = clock("Saturday, June 13, 2026", "10:00 AM")
MONDAY = clock("Monday, June 15, 2026", "10:00 AM")


def unsupported(draft: str, *evidence: Evidence, lab: Source = LAB, question: str = NOW) -> list[str]:
    searched = Evidence("search_campus_info", "One passage.", (lab,))
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(searched, *evidence))
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    "draft", ["Yes.", "Yes, it is.", "Yes, it's open.", "The GPU lab is open right now.", "It is currently **open**."]
)
def test_what_is_closed_may_not_be_called_open(draft: str) -> None:
    assert unsupported(draft, SATURDAY) == ["open right now"]
    assert unsupported(draft, MONDAY) == []


@pytest.mark.parametrize(
    "draft", ["No.", "No, it's closed.", "The GPU lab is not open right now.", "It isn't open now."]
)
def test_what_is_open_may_not_be_called_closed(draft: str) -> None:
    assert unsupported(draft, MONDAY) == ["closed right now"]
    assert unsupported(draft, SATURDAY) == []


@pytest.mark.parametrize(
    ("time", "is_open"), [("09:59 AM", False), ("10:00 AM", True), ("05:59 PM", True), ("06:00 PM", False)]
)
def test_it_opens_on_the_minute_and_at_closing_time_it_is_closed(time: str, is_open: bool) -> None:
    evidence = clock("Monday, June 15, 2026", time)
    assert (unsupported("It is open right now.", evidence) == []) is is_open
    assert (unsupported("It is closed right now.", evidence) == []) is not is_open


def test_without_a_clock_nobody_knows_what_is_open_now() -> None:
    assert unsupported("The GPU lab is open right now.") == ["open right now"]
    assert unsupported("I could not check whether it is open right now.") == []


def judged(text: str, day: str, time: str) -> tuple[bool, bool]:
    """Whether "open right now" passes, and "closed right now"."""
    lab, now = LAB.model_copy(update={"text": text}), clock(day, time)
    return tuple(unsupported(f"It is {state} right now.", now, lab=lab) == [] for state in ("open", "closed"))


OPEN, CLOSED, EITHER, NEITHER = (True, False), (False, True), (True, True), (False, False)
SAT, SUN, MON, WED = (
    "Saturday, June 13, 2026",
    "Sunday, June 14, 2026",
    "Monday, June 15, 2026",
    "Wednesday, June 17, 2026",
)
OCTOBER = "Tuesday, October 06, 2026"


@pytest.mark.parametrize(
    ("text", "day", "time", "states"),
    [
        ("It is open weekdays from 10 AM to 6 PM and Saturdays from 9 AM to noon.", SAT, "09:30 AM", OPEN),
        ("It is open weekdays from 10 AM to 6 PM and Saturdays from 9 AM to noon.", MON, "09:30 AM", CLOSED),
        ("It is open Monday to Friday. The desk is open from 10 AM to 6 PM.", MON, "09:00 AM", EITHER),
        ("It opens at 8:30 and closes at 22:00 Monday to Thursday, at 18:00 on Fridays.", MON, "07:00 PM", OPEN),
        ("It opens at 8:30 and closes at 22:00 Monday to Thursday, at 18:00 on Saturdays.", SAT, "07:00 PM", CLOSED),
        ("It opens at 7 AM on weekdays; it closes at 8 PM every day.", MON, "07:30 AM", OPEN),
        ("It is open Monday to Friday from 10 AM.", MON, "09:00 AM", CLOSED),
        ("It is open on weekdays.", SAT, "10:00 AM", CLOSED),
        ("It is open on weekdays.", MON, "10:00 AM", EITHER),
        ("It is open Fridays and Saturdays from 10 PM to 2 AM.", SUN, "01:00 AM", OPEN),
        ("It is open Fridays and Saturdays from 10 PM to 2 AM.", MON, "01:00 AM", CLOSED),
        ("It is open 24/7.", SUN, "03:00 AM", OPEN),
        ("It is open 9 AM to 5 PM. Closed on Sundays.", SUN, "10:00 AM", CLOSED),
        ("It is open daily except Sundays, 9 AM to 5 PM.", SUN, "10:00 AM", CLOSED),
        ("It is open daily except Sundays, 9 AM to 5 PM.", MON, "10:00 AM", OPEN),
        # closed for a while
        ("It is open weekdays 8 AM-5 PM, closed for lunch from noon to 1 PM.", MON, "12:20 PM", CLOSED),
        ("It is open weekdays 8 AM-5 PM, closed for lunch from noon to 1 PM.", MON, "01:00 PM", OPEN),
        ("It is open weekdays 8 AM-5 PM except from noon to 1 PM.", MON, "12:20 PM", CLOSED),
        # only in some months, or at some times of the year
        ("It is open daily from 6 AM to 11 PM; from June to August it closes at 8 PM.", MON, "09:00 PM", CLOSED),
        ("It is open daily from 6 AM to 11 PM; from June to August it closes at 8 PM.", OCTOBER, "09:00 PM", OPEN),
        ("It is open daily from 6 AM to 11 PM; in summer it is open 8 AM to 2 PM.", MON, "05:00 PM", EITHER),
        ("It is open daily from 6 AM to 11 PM; in summer it is open 8 AM to 2 PM.", MON, "05:00 AM", CLOSED),
        # not for sure
        ("It is open Monday to Friday from 10 AM to 6 PM, except holidays.", MON, "11:00 AM", EITHER),
        ("It is open Monday to Friday from 10 AM to 6 PM, except holidays.", SAT, "11:00 AM", CLOSED),
        ("It is usually open Monday to Friday from 10 AM to 6 PM.", MON, "11:00 AM", EITHER),
        ("It is open on Wednesdays 9-11 AM and by appointment.", WED, "10:00 AM", EITHER),
        # by appointment alone
        ("It is open by appointment only.", MON, "11:00 AM", NEITHER),
        ("Students are seen by appointment only.", MON, "11:00 AM", NEITHER),
    ],
)
def test_hours_of_any_form_are_read(text: str, day: str, time: str, states: tuple[bool, bool]) -> None:
    assert judged(f"The GPU lab: {text}", day, time) == states


def test_what_is_still_open_is_open_now() -> None:
    question = "Is the GPU lab still open?"
    assert unsupported("Yes, it is still open!", SATURDAY, question=question) == ["open right now"]
    assert unsupported("Yes, it is still open!", MONDAY, question=question) == []


def test_a_long_text_that_says_so_again_and_again_is_judged_without_growing_slow() -> None:
    assert len(unsupported("It is open right now. " * 5_000, SATURDAY)) == 5_000
    assert unsupported("open right now " * 10_000, SATURDAY) == []


def test_clocks_of_two_zones_are_not_judged() -> None:
    assert unsupported("It is open right now.", SATURDAY, clock("Sunday, June 14, 2026", "02:00 AM")) == []


@pytest.mark.parametrize("draft", ["If it is open right now depends on the day.", "It is open Monday to Friday."])
def test_what_does_not_speak_of_now_is_not_judged(draft: str) -> None:
    assert unsupported(draft, SATURDAY) == []


def seen(draft: str, *evidence: Evidence, question: str = NOW) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


CLOSED_STATES = ["closed right now"]
UNHELPFUL = Evidence("search_campus_info", "- GPU lab: The GPU lab has forty computers. (labs.md, line 3)")
LIBRARY = Evidence("search_campus_info", "- Library: The library is open daily from 8 AM to 10 PM. (l.md, line 1)")


@pytest.mark.parametrize("evidence", [(), (SATURDAY,), (SATURDAY, UNHELPFUL), (SATURDAY, LIBRARY)])
@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("Yes, the GPU lab is open right now.", "open right now"),
        ("The GPU lab is not open right now.", "closed right now"),
        ("It is currently closed.", "closed right now"),
        ("Yes.", "open right now"),
        ("No.", "closed right now"),
    ],
)
def test_without_hours_of_that_thing_nobody_knows_whether_it_is_open(
    draft: str, named: str, evidence: tuple[Evidence, ...]
) -> None:
    assert seen(draft, *evidence) == [named]


def test_nor_whether_it_is_open_today_or_at_a_time() -> None:
    assert seen("The GPU lab is closed today.", SATURDAY) == ["closed"]
    assert seen("It is closed on Saturday.", SATURDAY, question="Is the GPU lab open on Saturday?") != []
    assert seen("Yes.", SATURDAY, question="Is the GPU lab open?") == ["open right now"]


def test_hours_without_a_clock_do_not_tell_whether_it_is_open_now() -> None:
    irregular = "The GPU lab is usually open Monday to Friday from 10 AM to 6 PM."
    lab = LAB.model_copy(update={"text": irregular})
    assert unsupported("It is closed right now.", lab=lab) == CLOSED_STATES
    assert unsupported("It is closed right now.", SATURDAY, lab=lab) == []


@pytest.mark.parametrize(
    "text", ["The GPU lab is closed for renovation.", "The GPU lab is closed until further notice."]
)
def test_what_a_passage_says_of_any_time_needs_no_clock(text: str) -> None:
    lab = LAB.model_copy(update={"text": text})
    assert unsupported("The GPU lab is closed right now.", lab=lab) == []
    assert unsupported("The GPU lab is open right now.", lab=lab) == ["open right now"]


@pytest.mark.parametrize(
    "draft",
    [
        "The GPU lab is currently open to all students.",
        "The open question now is who pays.",
        "It is now a closed-book exam.",
        "The software is open source now.",
        "The GPU lab has an open door policy now.",
        "I don't know whether it is open right now.",
    ],
)
def test_other_uses_of_open_and_closed_are_not_judged(draft: str) -> None:
    review = Guardrail(refusal=REFUSAL).review(draft, question=NOW, evidence=(SATURDAY, UNHELPFUL))
    assert [fact.text for fact in review.unsupported if fact.kind != "claim"] == []


def test_a_tool_that_knows_what_is_open_is_believed() -> None:
    assert seen("The GPU lab is open right now.", Evidence("lab_status", "GPU lab: open, 4 seats")) == []
