from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL, load_fresh

CLOCK = Evidence("get_current_time", "Wednesday, June 02, 2027 at 10:30 AM PDT")
COUNTED = Evidence("days_until_date", "Saturday, June 12, 2027 is in 10 day(s).")
PAST = Evidence(
    "days_until_date", "Monday, April 19, 2027 was 44 day(s) ago. Wednesday, April 19, 2028 is in 322 day(s)."
)
FAIR = "- Fair: The fair is on June 5, June 12 and June 19, 2027, in the Old Mill. (e.md, line 1)"
HIKE = "- Hike: The ridge hike was on April 19, 2027. (e.md, line 2)"
CAMP = "- Camp: The camp runs from Monday, June 14, 2027 to Friday, June 18, 2027. (e.md, line 3)"
SHOP = (
    "- Kiosk: The kiosk is open Monday to Friday from 9 AM to 5 PM, closed from noon to 1 PM. It sells stamps. (s.md)"
)
STORE = "- Thrift store: The thrift store opens on Saturdays from 10 AM to 2 PM. (s.md, line 8)"
GYM = "- Gym: The climbing gym is closed until June 21, 2027. Lessons used to be on Mondays; now on Fridays. (g.md)"
TESTS = (
    "- Tests: The quiz takes place on June 9, 2027 in Lab 2 and counts 20%. "
    "The final takes place on June 24, 2027 in Lab 6 and counts 50%. (t.md, line 1)"
)
CLUBS = (
    "- Clubs › Drummers: The Drummers play on Tuesdays at 4 PM in Cedar House, room 5. (c.md, line 5)\n"
    "- Clubs › Singers: The Singers rehearse on Tuesdays at 7:30 PM in Cedar House, room 8. (c.md, line 8)"
)
RULES = (
    "- Rules: Swim caps must be worn. Animals may not enter the hall. Coats are not kept. Wait behind the glass. (r.md)"
)
DESK = "- Desk: The desk in Fern House lends cables. It does not repair phones. Wait at the Fern House gate. (d.md)"
RIDE = (
    "- Zip line: The zip line runs on Sundays from 11 AM. A visitor lunch costs $9. A key takes 3 days. (z.md, line 1)"
)
ANSWER = "The zip line runs on Sundays from 11 AM."


def rejects(draft: str, passage: str, question: str = "Tell me about it", *beside: Evidence) -> bool:
    evidence = (Evidence("search_campus_info", passage), *beside)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return bool(review.unsupported) or review.off_topic


def test_of_the_drafts_of_newcomers_few_right_ones_are_rejected_and_few_wrong_ones_pass() -> None:
    drafts = load_fresh("newcomers.json")
    guardrail = Guardrail(refusal=REFUSAL)
    flagged = [
        one for one in drafts if guardrail.review(one.draft, question=one.question, evidence=one.evidence).unsupported
    ]
    both = sum(bool(one.unsupported) for one in flagged)
    assert both >= 0.9 * len(flagged)
    assert both >= 0.95 * sum(bool(one.unsupported) for one in drafts)


@pytest.mark.parametrize(
    ("draft", "passage", "beside", "rejected"),
    [
        ("The second fair is in 10 days, on Saturday, June 12.", FAIR, COUNTED, False),
        ("The next fair is in 3 days, on June 5.", FAIR, CLOCK, False),
        ("The last fair is in 16 days, on June 19.", FAIR, CLOCK, True),
        ("The ridge hike was 44 days ago.", HIKE, PAST, False),
        ("The hike was about six weeks ago.", HIKE, CLOCK, False),
        ("The hike was about nine weeks ago.", HIKE, CLOCK, True),
        ("The ridge hike is in 44 days.", HIKE, PAST, True),
        ("The camp lasts five days.", CAMP, CLOCK, False),
        ("The camp lasts six days.", CAMP, CLOCK, True),
        ("The camp begins in 12 days, on Monday.", CAMP, CLOCK, False),
        ("The thrift store is closed tomorrow morning.", STORE, CLOCK, False),
        ("It is closed until June 21, which is 19 days away.", GYM, CLOCK, False),
        ("The climbing gym reopens on June 21.", GYM, CLOCK, False),
        ("Lessons are on Mondays.", GYM, CLOCK, True),
    ],
)
def test_days_are_counted_as_a_calendar_does(draft: str, passage: str, beside: Evidence, rejected: bool) -> None:
    assert rejects(draft, passage, "When?", beside) is rejected


@pytest.mark.parametrize(
    ("question", "rejected"),
    [
        ("Is the kiosk open at 3 PM on Friday?", True),
        ("Is the kiosk open at 7 PM on Friday?", False),
        ("Is the kiosk open at 5 PM on Friday?", False),
        ("Is the kiosk open at 3 PM on Sunday?", False),
        ("Is the kiosk closed at 3 PM on Friday?", False),
        ("Does the kiosk sell stamps on Fridays?", True),
        ("Does the kiosk sell coffee on Fridays?", False),
        ("Is the kiosk only open on Fridays?", False),
    ],
)
def test_a_bare_no_to_what_the_passage_says_is_unsupported(question: str, rejected: bool) -> None:
    assert rejects("No.", SHOP, question) is rejected


@pytest.mark.parametrize(
    ("right", "wrong", "passage"),
    [
        ("The final takes place on June 24 in Lab 6.", "The final takes place on June 24 in Lab 2.", TESTS),
        ("The final counts 50%.", "The final counts 20%.", TESTS),
        ("The quiz is on June 9.", "The midterm is on June 9.", TESTS.replace("The final", "The essay")),
        ("A visitor lunch costs $9.", "A visitor dinner costs $9.", RIDE),
        ("The Drummers play on Tuesdays at 4 PM.", "The Drummers play on Tuesdays at 7:30 PM.", CLUBS),
        ("You must wear a swim cap.", "Swim caps are optional.", RULES),
        ("Animals can't enter the hall.", "Animals are welcome in the hall.", RULES),
        ("Coats aren't kept.", "Coats are kept at the desk.", RULES),
        ("Wait behind the glass.", "Wait in front of the glass.", RULES),
        ("They don't fix phones.", "The desk fixes phones.", DESK),
        ("The desk is in Fern House.", "The desk is at the Fern House roof.", DESK),
    ],
)
def test_the_contrary_of_what_a_passage_says_is_unsupported(right: str, wrong: str, passage: str) -> None:
    assert (rejects(right, passage), rejects(wrong, passage)) == (False, True)


@pytest.mark.parametrize(
    "added",
    [
        "The instructor was trained in Switzerland.",
        "Vegetarian snacks are served.",
        "Wear a wetsuit.",
        "Everybody gets a T-shirt.",
        "Please send your student number.",
    ],
)
def test_what_no_passage_speaks_of_is_unsupported_also_beside_a_supported_fact(added: str) -> None:
    assert rejects(f"{ANSWER} {added}", RIDE)


@pytest.mark.parametrize(
    "added",
    [
        "Enjoy the ride!",
        "Sounds like fun!",
        "Wishing you a great time.",
        "Mark your calendar.",
        "Bring a friend!",
        "For anything else, just ask.",
        "You might want to arrive a little early.",
        "I couldn't find anything about parking.",
    ],
)
def test_a_pleasantry_may_stand_beside_a_supported_fact(added: str) -> None:
    assert not rejects(f"{ANSWER} {added}", RIDE)
