from __future__ import annotations

import json

import pytest

from campus_agent.agent.events import event_from_json
from campus_agent.errors import Explanation
from campus_agent.evaluation.case import Expect
from campus_agent.evaluation.checking import CHECKS, check
from campus_agent.evaluation.run_record import RunRecord
from campus_agent.guardrail.review import CheckedFact, Review
from tests.evaluation.made import CLUB, FOUND, call, record

SEARCH = call("search_campus_info", {"query": "AI Club meeting"}, observed=f"- Clubs: {CLUB} (clubs.md)")
COUNT = call("days_until_weekday", {"weekday": "Thursday", "after_time": "5 PM", "week": 2, "strict": True})
FACT = CheckedFact(text="Thursday", kind="weekday", supported=True, source="clubs.md")


def failures(run: RunRecord, *, earlier=(), **expect: object) -> list[str]:
    return [str(failure) for failure in check(Expect.model_validate(expect), run, earlier=earlier)]


def test_every_key_of_an_expectation_is_judged():
    assert set(CHECKS) == set(Expect.model_fields)


@pytest.mark.parametrize(
    "expect",
    [
        {"outcome": "answered"},
        {"outcome": ["refused", "answered"]},
        {"facts": ["Thursdays", "17:00", "5:00 p.m.", "Room 204"]},
        {"no_facts": ["Tuesday", "6 PM", "room 205"]},
        {"answer_contains": ["ai club", "EVERY  thursday"]},
        {"answer_contains_any": ["nothing", "Thursday"]},
        {"answer_not_contains": ["password"]},
        {"grounded": True},
        {"sources": ["clubs.md", "AI Club"]},
        {"tools_called": ["days_until_weekday", "search_campus_info"]},
        {"tools_in_order": ["search_campus_info", "days_until_weekday"]},
        {"tools_not_called": ["get_current_time"]},
        {"calls": [{"tool": "search_campus_info", "arguments": {"query": "ai club"}, "status": "ok"}]},
        {"calls": [{"tool": "days_until_weekday", "arguments": {"weekday": "Thu", "after_time": "17:00"}}]},
        {"calls": [{"tool": "days_until_weekday", "arguments": {"week": 2, "strict": True}}]},
        {"most_steps": 2, "most_calls": 2},
    ],
    ids=lambda expect: next(iter(expect)),
)
def test_what_came_as_expected_is_no_failure(expect):
    assert failures(record(CLUB, SEARCH, COUNT, sources=(FOUND,), facts=(FACT,)), **expect) == []


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({"outcome": "refused"}, f"outcome: expected refused; came answered, “{CLUB}”"),
        ({"facts": ["6 PM", "17:00", "Friday"]}, "facts: expected 6 PM, Friday; came Thursday, 5 PM, room 204"),
        ({"no_facts": ["17:00"]}, f"no_facts: expected not 17:00; came “{CLUB}”"),
        ({"answer_contains": ["monday"]}, f"answer_contains: expected “monday”; came “{CLUB}”"),
        ({"answer_contains_any": ["a", "zz"], "most_steps": 1}, "most_steps: expected at most 1 step; came 2: "),
        ({"answer_contains_any": ["yy", "zz"]}, "answer_contains_any: expected “yy” or “zz”; came"),
        ({"answer_not_contains": ["ROOM"]}, "answer_not_contains: expected not “ROOM”; came"),
        ({"grounded": True}, "grounded: expected a grounded answer; came nothing to check"),
        ({"sources": ["labs.md"]}, "sources: expected labs.md; came no source"),
        (
            {"tools_called": ["get_current_time"]},
            "tools_called: expected a call of get_current_time; came search_campus",
        ),
        (
            {"tools_in_order": ["days_until_weekday", "search_campus_info"]},
            "tools_in_order: expected days_until_weekday, then search_campus_info; came search_campus_info, days_until",
        ),
        (
            {"tools_not_called": ["days_until_weekday"]},
            "tools_not_called: expected no call of days_until_weekday; came",
        ),
        (
            {"calls": [{"tool": "days_until_weekday", "arguments": {"weekday": "Friday"}}]},
            'calls: expected days_until_weekday({"weekday": "Friday"}); came search_campus_info(',
        ),
        ({"calls": [{"tool": "search_campus_info", "status": "empty"}]}, "with status empty; came"),
        ({"calls": [{"tool": "search_campus_info"}] * 2}, "calls: expected search_campus_info({}); came"),
        ({"calls": [{"tool": "search_campus_info", "arguments": {"k": "3"}}]}, "calls: expected"),
        ({"most_calls": 1}, "most_calls: expected at most 1 call; came 2: search_campus_info, days_until_weekday"),
    ],
)
def test_a_failure_says_what_was_expected_and_what_came(expect, said):
    (failure,) = failures(record(CLUB, SEARCH, COUNT), **expect)
    assert said in failure


def test_an_answer_without_any_fact_is_quoted_instead():
    assert failures(record("Soon."), facts=["6 PM"]) == ["facts: expected 6 PM; came “Soon.”"]


def test_a_run_that_did_not_complete_fails_also_where_no_outcome_is_named_and_says_why():
    run = record(None, outcome="provider_error", message=Explanation(what="The server is down."))
    assert failures(run, facts=["5 PM"], tools_called=["x"]) == [
        "outcome: expected answered or refused; came provider_error, The server is down."
    ]


def test_an_unsupported_fact_is_named_where_an_answer_has_to_be_grounded():
    run = record(facts=(FACT,), unsupported=("6 PM",))
    assert failures(run, grounded=True) == ["grounded: expected a grounded answer; came no support for 6 PM"]
    assert failures(run, grounded=False) == []


def test_a_refusal_is_not_a_grounded_answer():
    assert failures(record("No.", outcome="refused"), grounded=True, outcome="refused") == [
        "grounded: expected a grounded answer; came refused"
    ]


def test_what_an_earlier_turn_found_counts_as_remembered_in_the_answer_or_in_a_call():
    before = record(CLUB, SEARCH)
    assert failures(record("In 5 days.", COUNT), earlier=[before], remembers=["Thursday"]) == []
    assert failures(record("On Thursdays."), earlier=[before], remembers=["Thursday"]) == []


@pytest.mark.parametrize(
    ("question", "answer", "fact", "came"),
    [
        ("And when?", "No idea.", "Thursday", "it was found earlier, and not used"),
        ("And when?", "On Monday.", "Monday", "no earlier turn found it; there were Thursday, 5 PM, room 204"),
        ("How many days until Thursday?", "On Thursday.", "Thursday", "the question itself names it"),
    ],
)
def test_what_is_not_remembered_is_said_with_the_reason(question, answer, fact, came):
    (failure,) = failures(record(answer, question=question), earlier=[record(CLUB, SEARCH)], remembers=[fact])
    assert came in failure


def test_no_escape_sequence_of_an_answer_reaches_a_reason():
    (failure,) = failures(record("\x1b[2J\u202ewiped"), facts=["5 PM"])
    assert failure.isprintable()


def test_the_time_of_tools_that_ran_side_by_side_is_taken_once_from_the_time_of_their_step():
    def event(kind: str, **more: object):
        common = {"kind": kind, "run_id": "r", "seq": 0, "time": "2026-06-13T10:00:00Z"}
        return event_from_json(json.dumps(common | more))

    budgets = {"max_steps": 5}
    seen = {"step": 1, "tool": "t", "content": "x", "length": 1}
    act = {"step": 1, "tool": "t", "arguments": {}}
    fact = {"text": "6 PM", "kind": "time", "supported": False}
    run = RunRecord.from_events(
        [
            event("run_started", question="q", model="m", provider="p", protocol="native", budgets=budgets),
            event("planned", items=["look"], latency_ms=7.0),
            event("step_started", step=1, of=5),
            event("acting", call_id="a", **act),
            event("acting", call_id="b", **act),
            event("acting", call_id="c", **act),
            event("observed", call_id="a", status="ok", latency_ms=30.0, **seen),
            event("observed", call_id="b", status="ok", latency_ms=50.0, **seen),
            event("observed", call_id="c", status="skipped", latency_ms=0.0, **seen),
            event("step_finished", step=1, usage=None, latency_ms=80.0),
            event("step_started", step=2, of=5),
            event("grounding_checked", step=2, facts=[fact]),
            event("answer_withdrawn", step=2, reason="rejected"),
            event("step_finished", step=2, usage=None, latency_ms=20.0),
            event(
                "run_finished",
                outcome="answered",
                complete=True,
                answer="At 7 PM.",
                message=None,
                usage=None,
                duration_ms=110.0,
            ),
        ],
        Review(facts=(CheckedFact(text="7 PM", kind="time", supported=False),), sources=(FOUND,)),
    )
    assert (run.steps, run.model_ms, run.tool_ms) == (2, (7.0, 30.0, 20.0), (30.0, 50.0))
    assert (run.unsupported_drafts, run.unsupported) == (("6 PM",), ("7 PM",))
    assert ([fact.text for fact in run.result.facts], run.result.sources) == (["7 PM"], (FOUND,))


@pytest.mark.parametrize(
    ("expect", "met"),
    [
        ({"facts": ["lunes", "6:30 p. m.", "1.200 euros"]}, True),
        ({"facts": ["Monday", "18:30"]}, True),
        ({"facts": ["martes"]}, False),
        ({"no_facts": ["Monday"]}, False),
        ({"no_facts": ["lunes"]}, False),
        ({"no_facts": ["Tuesday", "1.2 euros"]}, True),
        ({"facts": ["Elena Prado", "Prado"], "no_facts": ["Omar Haddad"]}, True),
    ],
)
def test_facts_are_read_in_the_language_of_the_base_and_a_day_in_any(expect, met):
    answer = "Los lunes a las seis y media de la tarde, con Elena Prado. La cuota es de 1200 euros."
    found = check(Expect.model_validate(expect), record(answer), language="spanish")
    assert (not found) == met


def test_what_a_tool_says_in_english_is_remembered_on_a_base_in_another_language():
    earlier = (record("Los jueves.", call("days_until_weekday", observed="It is in 5 day(s), on June 18, 2026.")),)
    run = record("Faltan cinco días, el 18 de junio.")
    expect = Expect.model_validate({"remembers": ["cinco días", "18 de junio"]})
    assert check(expect, run, earlier=earlier, language="spanish") == []


DENIALS = [
    ("It does not meet on Tuesday; it meets on Thursday.", "Tuesday", "Thursday"),
    ("It isn't on Tuesdays or Wednesdays. It meets on Thursday.", "Wednesday", "Thursday"),
    ("It never meets on Tuesday, but on Thursday.", "Tuesday", "Thursday"),
    ("Not on Tuesday, on Thursday.", "Tuesday", "Thursday"),
    ("Monday: 9 AM to 5 PM\nSunday: closed", "Sunday", "Monday"),
    ("It is not in room 204. It is in room 205.", "room 204", "room 205"),
    ("It does not start at 5 PM but at 6 PM.", "5 PM", "6 PM"),
    ("It does not cost $5; it costs $6.", "$5", "$6"),
    ("It is not led by Omar Haddad; Ana Lindqvist leads it.", "Omar Haddad", "Ana Lindqvist"),
]


@pytest.mark.parametrize(("answer", "denied", "stated"), DENIALS)
def test_what_an_answer_denies_it_does_not_state(answer, denied, stated):
    assert failures(record(answer), no_facts=[denied], facts=[stated]) == []
    assert [said.split(":")[0] for said in failures(record(answer), facts=[denied], no_facts=[stated])] == [
        "facts",
        "no_facts",
    ]


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("No, it meets on Thursday.", "Thursday"),
        ("It does not open before 8 AM.", "8 AM"),
        ("It does not close until 8 PM.", "8 PM"),
        ("It meets not only on Thursday, but also on Friday.", "Thursday"),
        ("I don't know the room, only that it is on Thursday.", "Thursday"),
        ("I am not sure, but it seems to be on Thursday.", "Thursday"),
        ("You may not park in lot B.", "lot B"),
        ("Smoking is forbidden in room 204.", "room 204"),
        ("Students who do not register pay $20.", "$20"),
        ("If it does not rain, it is on Thursday.", "Thursday"),
        ("Do not forget: it is on Thursday.", "Thursday"),
        ("It is not on Tuesday. It is on Thursday, not on Tuesday. On Thursday!", "Thursday"),
        ("It is not on Thursday this week; it usually is on Thursday.", "Thursday"),
        ("There is no charge on Thursday.", "Thursday"),
        ("No more than 5 seats are left.", "5 seats"),
    ],
)
def test_what_only_stands_beside_a_denial_is_stated(answer, fact):
    assert failures(record(answer), facts=[fact]) == []


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        ("5 of them.", True),
        ("There are five seats.", True),
        ("In 5 days.", True),
        ("The number is 5.", True),
        ("Room 5 is free.", False),
        ("It begins at 5 PM.", False),
        ("It costs $5.", False),
        ("It is on floor 5.", False),
        ("There are 15 seats.", False),
        ("It is on June 5.", False),
    ],
)
def test_a_number_alone_is_held_by_the_same_number_and_by_so_many_of_something(answer, held):
    assert (failures(record(answer), facts=["5"]) == []) == held
    assert (failures(record(answer), no_facts=["5"]) == []) == (not held)


@pytest.mark.parametrize(
    ("answer", "denied", "stated"),
    [("No se reúne los martes; se reúne los jueves.", "martes", "jueves"), ("No es en la sala 204.", "sala 204", None)],
)
def test_a_denial_in_the_language_of_the_base_counts_too(answer, denied, stated):
    expect = Expect.model_validate({"no_facts": [denied], **({"facts": [stated]} if stated else {})})
    assert check(expect, record(answer), language="spanish") == []
