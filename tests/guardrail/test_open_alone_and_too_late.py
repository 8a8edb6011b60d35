from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

NOODLES = "Larch House › Stations: The noodle bar is open at lunch. Trays are by the door."
TERRACE = "Larch House › Terrace: The roof terrace is closed for repairs."
DESK = "Desk: The parcel desk is in Oak 3. It is open Monday to Friday from 11:00 AM to 5:00 PM."
HUSH = "Rules › Silent hours: Silent hours are Sunday to Thursday from 10:00 PM to 8:00 AM."
EXAMS = (
    "Sport › Exam weeks: In exam weeks, from December 7, 2026, only Alder Gym is open, for lifting. "
    "Lockers are emptied on December 24, 2026."
)
POOL = "Birch Pool › Hours: Day: Saturday; Open: 12:00 PM; Close: 8:00 PM"
CONTRACTS = "Contracts: Graduates who live in Cedar Court must have the Basic or the Plus contract."
BASIC = "Contracts: Contract: Basic; Price: $900"
SAVER = "Contracts: Contract: Saver; Price: $700"
LEAVING = (
    "Kayak course › Leaving: You can leave the kayak course without a fee until September 21, 2026. "
    "Afterwards the fee is $30."
)
CREDITS = "What becomes of laundry credits?: Credits carry over from autumn to spring. They lapse on June 2, 2027."
PASSES = "Do guest passes carry over?: No. A pass is good for one term."
LIFT = "Are bicycles allowed in the lift?: Yes. Hold on to them."
IRONS = "Rooms › Appliances: Kettles are allowed. Heaters, irons and candles are not allowed."
HALLS = "Halls: Hall: Elm Hall; Price: $900; Piano room: no; Laundry: basement"
GARDEN = "Garden: The herb garden is behind Elm Hall. It has forty beds."

WEDNESDAY = "Wednesday, October 07, 2026 at 09:00 AM PDT"


def unsupported(draft: str, question: str, *passages: str, now: str = WEDNESDAY) -> list[str]:
    listed = "\n".join(f"- {passage} (base.md, line {at})" for at, passage in enumerate(passages, 1))
    evidence = (Evidence("search_campus_info", listed), Evidence("get_current_time", now))
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize("draft", ["Yes, Larch House is open.", "Larch House is closed.", "Yes.", "No."])
def test_what_is_open_in_a_house_does_not_tell_whether_the_house_is(draft: str) -> None:
    assert unsupported(draft, "is larch house open now", NOODLES) != []


def test_what_is_open_at_some_time_of_day_is_not_so_now() -> None:
    question = "Is the noodle bar open right now?"
    assert unsupported("The noodle bar is open right now.", question, NOODLES) == ["open right now"]
    assert unsupported("The noodle bar is open at lunch.", question, NOODLES) == []
    assert unsupported("The roof terrace is closed right now.", "Is the terrace open now?", TERRACE) == []
    assert unsupported("The roof terrace is open right now.", "Is the terrace open now?", TERRACE) != []


@pytest.mark.parametrize("written", ["", " now", " on Wednesday, October 07, 2026 at 09:00 AM PDT"])
def test_without_a_day_or_at_the_time_of_the_clock_it_is_of_now(written: str) -> None:
    noon = WEDNESDAY.replace("09:00 AM", "12:00 PM")
    assert unsupported(f"Yes, the parcel desk is open{written}.", "is the parcel desk open", DESK) == ["open right now"]
    later = written.replace("09:00 AM", "12:00 PM")
    assert unsupported(f"Yes, the parcel desk is open{later}.", "is the parcel desk open", DESK, now=noon) == []


def test_of_another_day_it_may_be_open() -> None:
    assert unsupported("Yes, it is open.", "Is the parcel desk open on Friday?", DESK) == []


def test_what_is_on_right_now_is_judged_by_its_hours() -> None:
    question, draft = "are silent hours on right now", "Yes, silent hours are on right now."
    assert unsupported(draft, question, HUSH) == ["open right now"]
    assert unsupported(draft, question, HUSH, now=WEDNESDAY.replace("09:00 AM", "11:00 PM")) == []


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Birch Pool is open in exam weeks.", False),
        ("Yes.", False),
        ("Alder Gym and Birch Pool are open in exam weeks.", False),
        ("Birch Pool is not open in exam weeks.", True),
        ("No, in exam weeks only Alder Gym is open.", True),
        ("Alder Gym is open in exam weeks.", True),
        ("Birch Pool is open on Saturday from 12:00 PM to 8:00 PM.", True),
    ],
)
def test_where_only_one_thing_is_open_no_other_is(draft: str, right: bool) -> None:
    assert (unsupported(draft, "is birch pool open in exam weeks", EXAMS, POOL) == []) is right


def test_what_is_taken_alone_in_one_place_is_not_so_in_another() -> None:
    door = "Fair tickets: Only cash is accepted at the door."
    shop = "Campus shop: The shop sells mugs. Cards and cash are accepted."
    assert unsupported("Cards are accepted in the campus shop.", "can i pay by card in the shop", door, shop) == []
    assert unsupported("Cards are accepted for fair tickets.", "can i pay by card at the fair", door, shop) != []


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Yes, graduates who live in Cedar Court can have the Saver contract.", False),
        ("Yes.", False),
        ("No.", True),
        ("No, they must have the Basic or the Plus contract.", True),
        ("Graduates in Cedar Court can have the Plus contract.", True),
    ],
)
def test_who_must_have_one_of_two_may_not_have_a_third(draft: str, right: bool) -> None:
    question = "can graduates in cedar court have the saver contract"
    assert (unsupported(draft, question, CONTRACTS, SAVER, BASIC) == []) is right


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Yes, you can still leave the course until September 21, 2026.", False),
        ("You can still leave the kayak course without a fee.", False),
        ("No, that was possible until September 21, 2026.", True),
        ("You could leave it without a fee until September 21, 2026.", True),
        ("Yes, you can still leave, for a fee of $30.", True),
    ],
)
def test_what_had_to_be_done_by_a_day_in_the_past_may_not_still_be_done(draft: str, right: bool) -> None:
    question = "Can I still leave the kayak course without a fee?"
    assert (unsupported(draft, question, LEAVING) == []) is right
    assert unsupported(draft, question, LEAVING, now=WEDNESDAY.replace("October", "September")) == []


def test_what_is_said_of_them_is_said_of_what_the_last_sentence_is_about() -> None:
    question = "When do laundry credits lapse?"
    assert unsupported("Laundry credits lapse on June 2, 2027.", question, CREDITS) == []
    assert unsupported("Laundry credits never lapse.", question, CREDITS) != []


@pytest.mark.parametrize(("passage", "yes"), [(PASSES, False), (LIFT, True)])
def test_a_question_of_a_passage_says_what_the_answer_behind_it_does(passage: str, yes: bool) -> None:
    question = passage.partition(":")[0]
    assert (unsupported("Yes.", question, passage) == []) is yes
    assert (unsupported("No.", question, passage) == []) is not yes


def test_an_introduction_does_not_turn_a_denial_round() -> None:
    question = "do guest passes carry over"
    assert unsupported("According to the file `base.md`, guest passes do not carry over.", question, PASSES) == []
    assert unsupported("According to the file `base.md`, guest passes carry over.", question, PASSES) != []


def test_what_is_forbidden_outright_is_so_in_ones_room_too() -> None:
    question = "can i have an iron in my room"
    assert unsupported("Yes, you can have an iron in your room.", question, IRONS) != []
    assert unsupported("No, you cannot have an iron in your room.", question, IRONS) == []
    assert unsupported("Yes, you can have a kettle in your room.", "can i have a kettle in my room", IRONS) == []


def test_a_cell_that_says_no_denies_what_its_column_names() -> None:
    question = "does elm hall have a piano room"
    assert unsupported("Yes, Elm Hall has a piano room.", question, HALLS) != []
    assert unsupported("No, Elm Hall has no piano room.", question, HALLS) == []
    assert unsupported("Elm Hall has laundry in the basement.", question, HALLS) == []


@pytest.mark.parametrize("draft", ["No.", "There are no goats."])
def test_a_no_needs_a_passage_that_knows_more_than_half_of_what_was_asked(draft: str) -> None:
    assert unsupported(draft, "may goats visit the garden", GARDEN) != []
    assert unsupported("The garden pages do not mention goats.", "may goats visit the garden", GARDEN) == []


def test_a_yes_to_one_question_does_not_affirm_another_that_is_denied() -> None:
    question = "Can I have a kettle, and can I have an iron in my room?"
    assert unsupported("Yes, kettles are allowed. Irons are not.", question, IRONS) == []
