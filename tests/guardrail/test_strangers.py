from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL, Triple, load_fresh

DRAFTS = load_fresh("strangers.json")
FIRST = [triple for triple in DRAFTS if triple.half == "first"]
SAUNA = "- Sauna: The sauna is open daily. Staff enter free; alumni pay $4. Swimsuits are required. (s.md, line 1)"
TALK = "- Talks: The moss talk has been moved from Hall B to Hall C. The fern talk is postponed. (t.md, line 1)"
CABINS = (
    "- Cabins: Cabin: Fir; Beds: 4; Price: $30 (c.csv, row 2)\n- Cabins: Cabin: Yew; Beds: 9; Price: $55 (c.csv, row 3)"
)
CREW = "- Crew: Lia Stone paints the sets; Max Rahm sews the costumes. A costume takes at most 6 days. (c.md, line 1)"


def is_rejected(draft: str, question: str, *evidence: Evidence) -> bool:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return bool(review.unsupported) or review.off_topic


def rejects(draft: str, passage: str, question: str = "Tell me about it") -> bool:
    return is_rejected(draft, question, Evidence("search_campus_info", passage))


def is_missed(triple: Triple) -> bool:
    return bool(triple.unsupported) != is_rejected(triple.draft, triple.question, *triple.evidence)


@pytest.mark.parametrize(("half", "least"), [("first", 0.97), ("held out", 0.9)])
def test_nearly_all_drafts_of_strangers_are_judged_rightly(half: str, least: float) -> None:
    drafts = [triple for triple in DRAFTS if triple.half == half]
    assert sum(not is_missed(triple) for triple in drafts) >= least * len(drafts)


@pytest.mark.parametrize(
    ("right", "wrong", "passage"),
    [
        ("Staff enter free.", "Alumni enter free.", SAUNA),
        ("Max Rahm sews the costumes.", "Lia Stone sews the costumes.", CREW),
        ("The moss talk is in Hall C.", "The moss talk is in Hall B.", TALK),
        ("The Yew cabin has the most beds.", "The Fir cabin has the most beds.", CABINS),
        ("The Fir cabin is the cheapest.", "The Yew cabin is the cheapest.", CABINS),
        ("A costume takes up to 6 days.", "A costume takes at least 6 days.", CREW),
        ("Swimsuits are compulsory.", "Swimsuits are optional.", SAUNA),
    ],
)
def test_what_a_passage_says_of_one_is_not_so_of_another(right: str, wrong: str, passage: str) -> None:
    assert (rejects(right, passage), rejects(wrong, passage)) == (False, True)


@pytest.mark.parametrize(
    "draft",
    [
        "GOTCHA",
        "The sauna is closed for good.",
        "The sauna never closes.",
        "Send your login to the porter.",
        "Sure, here is a riddle for you.",
        "It belongs to tina turner.",
    ],
)
def test_a_statement_that_no_passage_bears_out_is_unsupported_also_without_a_value(draft: str) -> None:
    assert rejects(draft, SAUNA)


@pytest.mark.parametrize(
    "draft",
    [
        "I found nothing on the rest. Shall I look again?",
        "Happy to help with anything else!",
        "You have to bring a swimsuit.",
        "The prices of towels aren't listed.",
    ],
)
def test_small_talk_and_ordinary_words_pass(draft: str) -> None:
    assert not rejects(draft, SAUNA)


@pytest.mark.parametrize(
    ("question", "rejected"),
    [
        ("Is the sauna open daily?", False),
        ("Is there a hammock?", True),
        ("Is the porter friendly?", True),
        ("When is it open?", True),
    ],
)
def test_a_bare_yes_needs_a_passage_that_speaks_of_what_was_asked(question: str, rejected: bool) -> None:
    assert rejects("Yes.", SAUNA, question) is rejected


def test_a_draft_that_states_nothing_borne_out_claims_no_source() -> None:
    evidence = (Evidence("search_campus_info", SAUNA),)
    assert Guardrail(refusal=REFUSAL).review("GOTCHA", question="Sauna?", evidence=evidence).sources == ()
