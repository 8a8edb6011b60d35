from __future__ import annotations

import pytest

from campus_agent.cli import inventing
from campus_agent.guardrail.facts import facts
from campus_agent.models.inventing import DRAFTS, NAME
from campus_agent.settings import REFUSAL

INVENTED = ("Monday", "118", "Dana Whitfield", "213-555-0147")


def test_each_draft_makes_up_a_day_a_room_a_person_and_a_phone_number():
    for draft in DRAFTS:
        assert all(value in draft for value in INVENTED)
        assert len(facts(draft)) >= len(INVENTED)


def test_what_is_made_up_is_named_fact_by_fact_and_then_refused(cli):
    ran = cli("demo", "--inventing")
    assert (ran.status, ran.err) == (0, "")
    first, *_ = lines = ran.out.splitlines()
    assert first.startswith(f"{NAME} (not a language model")
    said = [line for line in lines if not line.startswith("  ")]
    assert said[-1] == REFUSAL
    assert not any(value in line for line in said for value in INVENTED)
    checked = [line for line in lines if "facts supported" in line]
    assert len(checked) == len(DRAFTS)
    for line in checked:
        assert " 0 of " in line
        assert all(value in line for value in INVENTED)


def test_as_an_object_the_answer_holds_nothing_that_was_made_up(cli):
    (one,) = cli("demo", "--inventing", "--json").objects
    assert (one["outcome"], one["answer"], one["model"]) == ("refused", REFUSAL, NAME)


def test_without_the_checks_it_reaches_the_student(cli):
    assert DRAFTS[0] in cli("demo", "--inventing", "--guardrail", "off").out


@pytest.mark.parametrize("flags", [("--plan",), ("--verifier",), ("--base-url", "http://localhost:9/v1")])
def test_nothing_but_the_script_is_asked(cli, flags: tuple[str, ...]):
    (one,) = cli("demo", "--inventing", "--json", *flags).objects
    assert one["outcome"] == "refused"


def test_at_a_terminal_the_app_plays_it_and_says_that_it_is_scripted(cli, monkeypatch: pytest.MonkeyPatch):
    played = []
    monkeypatch.setattr(inventing, "is_at_a_terminal", lambda: True)
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda _, *, replay: (played.append(replay), (0, ()))[1])
    ran = cli("demo", "--inventing")
    assert (ran.status, ran.out) == (0, "")
    (recording,) = played
    assert recording.name == NAME
    assert [event.kind for event in recording.runs[0]].count("answer_withdrawn") == len(DRAFTS)
