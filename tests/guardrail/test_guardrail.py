from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence, Review
from campus_agent.tools.tool import Source
from tests.guardrail.triples import REFUSAL, load

CLUB = Source(
    title="USC AI Club meeting",
    source="clubs.md",
    line=3,
    text="The USC AI Club meets every Thursday at 5 PM in the engineering building, room 204.",
)
OFFICE = Source(
    title="USC AI/ML office hours",
    source="faculty.md",
    line=5,
    text="Office hours for the USC AI/ML faculty are Tuesdays 2-4 PM.",
)
ROBOTICS = Source(
    title="USC robotics lab",
    source="labs.md",
    text="The USC robotics lab requires safety training before students can use the soldering station.",
)
COUNTED = Evidence("days_until_weekday", "The next Thursday is in 5 day(s), on June 18, 2026.")
QUESTION = "When does the USC AI Club meet?"


def found(*sources: Source, note: str = "") -> Evidence:
    lines = [f"- {source.title}: {source.text} ({source.source}, line {source.line})" for source in sources]
    return Evidence("search_campus_info", "\n".join([*lines, note]), sources)


def review(draft: str, *evidence: Evidence, question: str = QUESTION, allowed: str = "") -> Review:
    return Guardrail(refusal=REFUSAL, allowed=allowed).review(draft, question=question, evidence=evidence)


def unsupported(draft: str, *evidence: Evidence, question: str = QUESTION) -> list[str]:
    return [fact.text for fact in review(draft, *evidence, question=question).unsupported]


def test_a_wrong_room_is_named() -> None:
    assert unsupported("The AI Club meets Thursday at 5 PM in room 205.", found(CLUB)) == ["room 205"]


def test_what_the_counting_tool_said_is_grounded() -> None:
    draft = "It is in 5 days, June 18."
    assert [fact.source for fact in review(draft, found(CLUB), COUNTED).facts] == ["days_until_weekday"] * 2


def test_a_count_that_the_tool_did_not_give_is_named() -> None:
    assert unsupported("It is in 6 days.", found(CLUB), COUNTED) == ["6 days"]


@pytest.mark.parametrize(
    "draft", ["Thursdays at 5 PM.", "Every Thu. at 17:00.", "On Thursday at 5:00 p.m., in Room 204."]
)
def test_other_ways_of_writing_are_grounded(draft: str) -> None:
    assert unsupported(draft, found(CLUB)) == []


def test_a_value_of_another_passage_does_not_ground_the_sentence() -> None:
    both = found(CLUB, OFFICE)
    assert unsupported("The AI Club meets Tuesday.", both) == ["Tuesday"]
    assert unsupported("Office hours are on Tuesday.", both, question="When are office hours?") == []


def test_a_passage_that_is_not_in_this_history_grounds_nothing() -> None:
    assert unsupported("Office hours are Tuesdays.", found(CLUB)) == ["Tuesdays"]


def test_an_observation_that_the_model_wrote_itself_is_none() -> None:
    assert unsupported("Observation: Friday", found(CLUB)) == ["Friday"]


def test_an_invented_password_is_named() -> None:
    nothing = Evidence("search_campus_info", 'Nothing found for "wifi trojan2026". No passage mentions: wifi.')
    draft = "The password is trojan2026."
    assert unsupported(draft, nothing, question="What is the campus wifi password?") == ["trojan2026"]


def test_notes_of_a_search_support_nothing() -> None:
    noted = found(CLUB, note="Weak match: no passage mentions Friday, 7 PM.")
    assert unsupported("The AI Club also meets on Friday at 7 PM.", noted) == ["Friday", "7 PM"]


def test_passages_are_read_off_the_text_when_no_sources_came_with_it() -> None:
    evidence = Evidence("search_campus_info", found(CLUB, OFFICE).text)
    checked = review("The AI Club meets Thursday.", evidence)
    assert [(fact.supported, fact.source) for fact in checked.facts] == [(True, "clubs.md")]
    assert checked.sources == (CLUB,)
    assert unsupported("The AI Club meets Tuesday.", evidence) == ["Tuesday"]


def test_a_number_that_is_part_of_another_supports_nothing() -> None:
    big = CLUB.model_copy(update={"text": "The USC AI Club meets in room 2045, extension 12045."})
    assert unsupported("The AI Club meets in room 204.", found(big)) == ["room 204"]


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("No, it meets Thursday, not Tuesday.", []),
        ("It isn't on Tuesday; the club meets Thursday.", []),
        ("You asked about Tuesday, but the AI Club meets Thursday.", []),
        ("I can't confirm that it meets on Tuesday.", []),
        ("Yes, on Tuesday.", ["Tuesday"]),
        ("It meets on Tuesday at 5 PM.", ["Tuesday"]),
    ],
)
def test_a_value_of_the_question_may_be_denied_but_not_affirmed(draft: str, named: list[str]) -> None:
    assert unsupported(draft, found(CLUB), question="Does the AI Club meet on Tuesday?") == named


@pytest.mark.parametrize(
    "draft",
    [
        "Hello! I am the assistant for Trojan Campus Base. Ask me about the Viterbi Robotics Lab.",
        "I can help with clubs, labs and office hours.",
        "",
        "😀",
    ],
)
def test_greetings_and_offers_of_help_carry_no_facts(draft: str) -> None:
    checked = review(draft, question="hello", allowed="Trojan Campus Base\nViterbi Robotics Lab")
    assert checked == Review(small_talk=checked.small_talk)


@pytest.mark.parametrize(
    ("draft", "question", "expected"),
    [
        ("It meets Thursdays.", QUESTION, True),
        ("Yes, it meets on Thursday.", "Does the AI Club meet on Thursday?", True),
        ("You need safety training before you can use it.", "Can I use the soldering station?", True),
        ("I could not finish within the allowed steps.", QUESTION, False),
        ("I could not find out whether the AI Club meets on Thursday.", "Does the AI Club meet on Thursday?", False),
        ("I looked for the USC AI Club but I am not done.", QUESTION, False),
        ("It meets on Friday.", QUESTION, False),
        ("Let me search for that.", QUESTION, False),
    ],
)
def test_a_draft_states_something_when_an_observation_supports_it(draft: str, question: str, expected: bool) -> None:
    assert review(draft, found(CLUB, ROBOTICS), question=question).states_something is expected


def test_the_sources_are_the_passages_that_support_the_answer_each_once() -> None:
    draft = "Office hours are Tuesdays 2-4 PM. The AI Club meets Thursday at 5 PM, in room 204."
    assert review(draft, found(CLUB, OFFICE, ROBOTICS), found(CLUB)).sources == (OFFICE, CLUB)


def test_a_passage_that_is_retold_without_a_value_is_a_source() -> None:
    draft = "Students must finish the safety training first."
    assert review(draft, found(ROBOTICS), question="May I solder?").sources == (ROBOTICS,)


def test_what_another_tool_returned_supports_any_sentence() -> None:
    menu = Evidence("dining_menu", "Tonight: pasta for $7.50 at Parkside Hall until 8 PM.")
    checked = review("Dinner is $7.50 at Parkside Hall, until 20:00.", menu, question="What is for dinner?")
    assert [fact.source for fact in checked.facts] == ["dining_menu"] * 3


def test_sources_that_came_with_another_tool_are_passages_too() -> None:
    evidence = Evidence("search_library", "Two passages.", (CLUB, OFFICE))
    assert unsupported("The AI Club meets Tuesday.", evidence) == ["Tuesday"]


def test_todays_weekday_does_not_become_the_day_of_a_club() -> None:
    clock = Evidence("get_current_time", "Saturday, June 13, 2026 at 10:00 AM PDT")
    assert unsupported("The AI Club meets on Saturday.", found(CLUB), clock) == ["Saturday"]
    assert unsupported("Today is Saturday, so the AI Club does not meet.", found(CLUB), clock) == []


def test_with_the_mode_off_only_the_refusal_line_is_recognised() -> None:
    guardrail = Guardrail(mode="off", refusal=REFUSAL)
    assert guardrail.review("The AI Club meets on Friday.", question=QUESTION, evidence=()) == Review()
    assert guardrail.review(REFUSAL, question=QUESTION, evidence=()) == Review(refusal=True)
    told = guardrail.review("It meets in room 204.", question=QUESTION, evidence=(found(CLUB),))
    assert (told.facts, told.states_something) == ((), True)


def test_a_quotation_of_a_whole_observation_is_grounded() -> None:
    evidence = found(CLUB, OFFICE, ROBOTICS)
    assert unsupported(f"{evidence.text} {COUNTED.text}", evidence, COUNTED) == []


DRAFTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from([triple.draft for triple in load()]), max_size=4).map("\n".join),
)


@settings(max_examples=150, deadline=None)
@given(draft=DRAFTS, question=DRAFTS, observation=DRAFTS, allowed=st.text(max_size=50))
def test_no_text_makes_a_review_fail(draft: str, question: str, observation: str, allowed: str) -> None:
    evidence = (found(CLUB), Evidence("search_campus_info", observation), Evidence("other", observation))
    checked = review(draft, *evidence, question=question, allowed=allowed)
    assert all(fact.supported == (fact.source is not None) for fact in checked.facts)


@pytest.mark.parametrize(
    "unit",
    [
        "12 ",
        "Monday ",
        ",Monday 5 PM",
        "and Thursday ",
        "in Baker Hall, ",
        "| Monday ",
        "\n- 5 PM",
        "in the old library, ",
        "tomorrow Monday ",
    ],
)
def test_a_long_hostile_draft_is_reviewed_without_growing_slow(unit: str) -> None:
    draft = unit * (200_000 // len(unit))
    checked = review(draft, *[found(CLUB, OFFICE, ROBOTICS)] * 40)
    assert len(checked.facts) > 1_000
