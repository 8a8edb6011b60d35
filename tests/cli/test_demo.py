from __future__ import annotations

from played import Ending

from campus_agent import assemble
from campus_agent.agent.outcome import Outcome

QUESTIONS = ("When?", "Where?")


def test_the_demo_plays_each_starter_question_with_its_trace_on_standard_output(cli, played):
    agent = played(Ending(answer="At noon."), Ending(answer="In room 1."), questions=QUESTIONS)
    ran = cli("demo")
    assert (ran.status, ran.err) == (0, "")
    wanted = [
        "> When?",
        '  step 1 · acting  -> search_campus_info({"query": "AI Club"})',
        "At noon.",
        "> Where?",
        "In room 1.",
        "  ● answered in 1 step, 1 call, 6 ms",
    ]
    lines = iter(ran.out.splitlines())
    assert all(line in lines for line in wanted)
    assert agent.resets == 2


def test_the_demo_prints_one_object_a_question_with_json(cli, played):
    played(questions=QUESTIONS)
    assert [one["question"] for one in cli("demo", "--json").objects] == list(QUESTIONS)


def test_the_demo_ends_with_the_worst_status(cli, played):
    played(Ending(Outcome.MALFORMED, None), Ending(), questions=QUESTIONS)
    assert cli("demo").status == 1


def test_a_base_without_starter_questions_is_told_how_to_have_some(cli, played):
    played()
    ran = cli("demo")
    assert ran.status == 2
    assert "campus.toml" in ran.err


def test_the_demo_is_offline_although_there_is_a_key_unless_a_model_is_named(cli, monkeypatch, played):
    played(questions=QUESTIONS)
    play, providers = assemble.assemble, []
    monkeypatch.setattr(assemble, "assemble", lambda settings: providers.append(settings.provider) or play(settings))
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    cli("demo")
    cli("demo", "--provider", "ollama")
    cli("demo", "--base-url", "http://localhost:1/v1")
    assert providers == ["offline", "ollama", None]
