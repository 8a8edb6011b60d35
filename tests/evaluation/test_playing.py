from __future__ import annotations

import asyncio
from itertools import chain

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.errors import KnowledgeError, ModelError
from campus_agent.evaluation.case import Case
from campus_agent.evaluation.playing import Evaluation, Played, Verdict
from campus_agent.evaluation.suite import EXAMPLES, read_example
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.settings import REFUSAL, Settings
from tests.evaluation.made import CLUB, agent, asks, case, planned

GOOD = [asks(), CLUB]
BAD = [asks(), "It meets in room 204."]
DAY = case(facts=["Thursday"])


async def play(one: Agent, *cases: Case, **options: object) -> tuple[Played, ...]:
    return await Evaluation(planned(*cases), make=lambda settings: one, jobs=1, **options).play()


@pytest.mark.parametrize(
    ("attempts", "repeat", "verdict"),
    [
        ([GOOD], None, Verdict.PASS),
        ([BAD, GOOD], None, Verdict.FLAKY),
        ([BAD, BAD], None, Verdict.FAIL),
        ([BAD], 1, Verdict.FAIL),
        ([GOOD, GOOD, GOOD], 3, Verdict.PASS),
        ([GOOD, BAD, GOOD], 3, Verdict.FLAKY),
        ([BAD, BAD, BAD], 3, Verdict.FAIL),
    ],
)
async def test_a_case_is_played_so_often_and_judged_by_all_its_attempts(attempts, repeat, verdict):
    (one,) = await play(agent(*chain.from_iterable(attempts)), DAY, repeat=repeat)
    assert one.verdict is verdict
    assert [not attempt.failures for attempt in one.attempts] == [attempt is GOOD for attempt in attempts]


INVENTED = "It meets in room 999 on Monday; ask Dr. Zebra."


@pytest.mark.parametrize("mode", ["off", "warn", "strict"])
async def test_whether_an_answer_is_grounded_is_judged_whatever_the_guardrail_was_told(mode):
    made = agent(*[asks(), INVENTED, INVENTED] * 2) if mode == "strict" else agent(*[asks(), INVENTED] * 2)
    made.guardrail = Guardrail(mode=mode, refusal=REFUSAL)
    (one,) = await play(made, case(grounded=True))
    assert one.verdict is Verdict.FAIL
    run = one.attempts[0].runs[0]
    found = run.unsupported_drafts if mode == "strict" else run.unsupported
    assert {"room 999", "Monday"} <= set(found)


@pytest.mark.parametrize("mode", ["off", "warn", "strict"])
async def test_a_good_answer_is_grounded_whatever_the_guardrail_was_told_also_by_an_earlier_turn(mode):
    made = agent(asks(), CLUB, "It meets in room 204.")
    made.guardrail = Guardrail(mode=mode, refusal=REFUSAL)
    turns = ["When does the AI Club meet?", "And in which room does the AI Club meet?"]
    expect = {"grounded": True, "sources": ["clubs.md"], "no_facts": ["room 999"]}
    (one,) = await play(made, Case.model_validate({"name": "a", "turns": turns, "expect": expect}))
    assert one.attempts[0].failures == ()


async def test_what_was_wrong_with_a_draft_is_not_held_against_an_answer_without_facts():
    made = agent(asks(), INVENTED, "Which day do you mean?")
    (one,) = await play(made, case(outcome="answered"))
    run = one.attempts[0].runs[0]
    assert run.unsupported == ()
    assert "room 999" in run.unsupported_drafts


async def test_a_model_that_fails_is_a_failure_with_its_reason():
    (one,) = await play(agent(*[ModelError("The server is down.")] * 2), DAY)
    assert one.verdict is Verdict.FAIL
    assert str(one.attempts[0].failures[0]).endswith("came provider_error, The server is down.")


async def test_a_case_that_breaks_is_a_failure_with_its_reason_and_the_others_go_on(monkeypatch):
    def broken(expect, run, **_):
        if expect.most_calls == 0:
            raise RuntimeError("boom \x1b[31m")
        return []

    monkeypatch.setattr("campus_agent.evaluation.playing.check", broken)
    first, second = await play(agent(*GOOD * 3), case("a", most_calls=0), case("b"))
    assert [str(failure) for failure in first.attempts[1].failures] == ["crash: RuntimeError: boom \ufffd[31m"]
    assert (first.verdict, second.verdict) == (Verdict.FAIL, Verdict.PASS)


async def test_an_agent_that_cannot_be_built_fails_its_case_alone():
    def make(settings: Settings) -> Agent:
        if built:
            return agent(*GOOD)
        built.append(settings)
        raise KnowledgeError("There is nothing to search.")

    built: list[Settings] = []
    first, second = await Evaluation(planned(case("a"), case("b")), make=make, jobs=1).play()
    assert "There is nothing to search." in str(first.attempts[0].failures[0])
    assert second.verdict is Verdict.PASS


async def test_each_attempt_is_a_conversation_of_its_own_and_a_turn_may_begin_another():
    one = agent("Hello!", "Hi!", "Hello!", "Hi!")
    asked = {"name": "a", "turns": ["one", {"question": "two", "new_conversation": True}], "expect": {"most_calls": 9}}
    await play(one, Case.model_validate(asked), repeat=2)
    assert [len(request.messages) for request in one.model.requests] == [1, 1, 1, 1]


async def test_the_turns_of_a_case_share_one_conversation():
    one = agent("Hello!", "Hello again!")
    await play(one, Case.model_validate({"name": "a", "turns": ["one", "two"], "expect": {"most_calls": 9}}))
    assert [len(request.messages) for request in one.model.requests] == [1, 3]


async def test_the_first_turn_that_fails_ends_the_conversation():
    turns = [{"question": "one", "expect": {"facts": ["Friday"]}}, {"question": "two", "expect": {"most_calls": 0}}]
    (one,) = await play(agent(*GOOD, *GOOD), Case.model_validate({"name": "a", "turns": turns}))
    assert [[failure.turn for failure in attempt.failures] for attempt in one.attempts] == [[1], [1]]
    assert [len(attempt.runs) for attempt in one.attempts] == [1, 1]


async def test_cases_are_played_side_by_side_and_come_back_in_their_order():
    together, going = asyncio.Barrier(3), []

    class Waiting:
        name = provider = "waiting"
        protocol = "native"

        async def stream(self, request):
            going.append(request.messages[0].text)
            await together.wait()
            from campus_agent.models.chat_model import Reply

            yield Reply(text="Hello!")

    def make(settings: Settings) -> Agent:
        one = agent()
        one.model = Waiting()
        return one

    cases = planned(*(case(name, question=name) for name in "abc"))
    played = await asyncio.wait_for(Evaluation(cases, make=make, jobs=3).play(), 20)
    assert [one.case.name for one in played] == ["a", "b", "c"]
    assert sorted(going) == ["a", "b", "c"]


async def test_after_a_cancel_what_is_over_stays_and_nothing_else_begins():
    def interrupt(request):
        evaluation.cancel()
        return CLUB

    one = agent(*GOOD, asks(), interrupt)
    evaluation = Evaluation(planned(case("a"), case("b"), case("c")), make=lambda settings: one, jobs=1)
    played = await asyncio.wait_for(evaluation.play(), 20)
    assert [each.case.name for each in played] == ["a"]
    assert evaluation.interrupted


async def test_the_connections_of_a_model_are_closed_and_what_breaks_there_is_no_failure():
    closed = []

    async def close():
        closed.append(True)
        raise OSError("gone")

    one = agent(*GOOD)
    one.model.aclose = close
    (played,) = await play(one, DAY)
    assert (closed, played.verdict) == ([True], Verdict.PASS)


@pytest.mark.parametrize("name", EXAMPLES)
async def test_the_shipped_suites_pass_with_the_offline_model(name):
    suite = read_example(name)
    cases = planned(*suite.cases)
    make = iter([Agent.from_settings(Settings(now=one.now, kb=one.kb, provider="offline")) for one in suite.cases])
    played = await Evaluation(cases, make=lambda settings: next(make), jobs=1, repeat=1).play()
    assert [(one.case.name, one.attempts[0].failures) for one in played] == [(one.name, ()) for one in suite.cases]
    assert not any(run.unsupported or run.unsupported_drafts for one in played for run in one.attempts[0].runs)
