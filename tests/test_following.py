from __future__ import annotations

from pathlib import Path

import pytest

from campus_agent import Settings
from campus_agent import assemble as assembling
from campus_agent.agent.agent import Agent
from campus_agent.agent.result import RunResult
from campus_agent.assemble import assemble
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL


def north(folder: Path, toml: str) -> Path:
    (folder / "life.md").write_text("# Gym\n\nThe gym opens at 6 AM on Monday.\n")
    (folder / "campus.toml").write_text(toml)
    return folder


def agent_of(folder: Path, **settings: object) -> Agent:
    return assemble(Settings.load(kb=(str(folder),), **settings)).agent


async def refusal_of(agent: Agent) -> str | None:
    return (await agent.ask("Who composed the opera Rusalka?")).answer


async def test_what_a_base_says_of_itself_counts_from_the_next_question(tmp_path: Path) -> None:
    agent = agent_of(north(tmp_path, 'refusal = "No idea, ask at North Desk."\nname = "North"\ntopics = ["gym"]'))
    assert await refusal_of(agent) == "No idea, ask at North Desk."
    north(tmp_path, 'refusal = "No idea, ask at South Desk."\nname = "South"\ntopics = ["pool"]')
    assert await refusal_of(agent) == "No idea, ask at South Desk."
    assert "knowledge base, South." in agent.instructions
    assert "Topics: pool." in agent.instructions
    assert "South, pool" in agent.guardrail.allowed
    north(tmp_path, 'name = "South"')
    assert await refusal_of(agent) == REFUSAL


@pytest.mark.parametrize("broken", ["refusal = ", "refusal = 'The gym opens on Monday.'"])
async def test_a_file_that_is_broken_leaves_all_as_it_was_and_is_named(tmp_path: Path, broken: str) -> None:
    agent = agent_of(north(tmp_path, 'refusal = "No idea, ask at North Desk."'))
    north(tmp_path, broken)
    events = [event async for event in agent.run("Who composed the opera Rusalka?")]
    assert events[-1].answer == "No idea, ask at North Desk."
    (note,) = [event.text for event in events if event.kind == "note"]
    assert note.startswith("Read again: campus.toml changed; campus.toml: ")


async def test_what_a_person_has_set_stays_whatever_the_base_says(tmp_path: Path) -> None:
    agent = agent_of(north(tmp_path, 'refusal = "No idea, ask at North Desk."'), refusal="Beats me, friend.")
    north(tmp_path, 'refusal = "No idea, ask at South Desk."')
    assert await refusal_of(agent) == "Beats me, friend."


async def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_of(north(tmp_path, 'refusal = "No idea, ask at North Desk."'))
    await refusal_of(agent)
    read: list[object] = []
    monkeypatch.setattr(assembling, "read_campus_file", read.append)
    assert await refusal_of(agent) == "No idea, ask at North Desk."
    assert read == []


SEARCH = [RequestedCall("search_campus_info", {"query": "gym opens Monday"})]
SIX, SEVEN = "The gym opens at 6 AM on Monday.", "The gym opens at 7 AM on Monday."


async def asked_again(agent: Agent, *replies: object) -> RunResult:
    """Ask a second time; the model first says from memory what it found."""
    agent.model = ScriptedModel([SIX, *replies])
    return await agent.ask("When did you say does the gym open on Monday?")


async def told_six(folder: Path) -> Agent:
    agent = agent_of(north(folder, ""))
    agent.model = ScriptedModel([SEARCH, SIX])
    assert (await agent.ask("When does the gym open on Monday?")).answer == SIX
    return agent


@pytest.mark.parametrize(
    "now", [f"# Gym\n\n{SEVEN}\n", "# Pool\n\nThe pool is closed.\n"], ids=["another hour", "no gym"]
)
async def test_an_answer_from_memory_does_not_count_once_the_base_says_otherwise(tmp_path: Path, now: str) -> None:
    agent = await told_six(tmp_path)
    (tmp_path / "life.md").write_text(now)
    assert (await asked_again(agent, REFUSAL)).answer == REFUSAL
    assert (await asked_again(agent, SEARCH, SIX)).answer == REFUSAL


async def test_what_changed_is_looked_up_again_and_said(tmp_path: Path) -> None:
    agent = await told_six(tmp_path)
    (tmp_path / "life.md").write_text(f"# Gym\n\n{SEVEN}\n")
    result = await asked_again(agent, SEARCH, SEVEN)
    assert result.answer == SEVEN
    assert result.notes == ("Read again: life.md changed: 1 passage.",)


async def test_an_answer_from_memory_counts_while_its_passage_stands_wherever_it_moves_to(tmp_path: Path) -> None:
    agent = await told_six(tmp_path)
    (tmp_path / "life.md").write_text(f"# Pool\n\nThe pool is closed.\n\n# Gym\n\n{SIX}\n")
    (tmp_path / "more.md").write_text("# Sauna\n\nThe sauna opens on Friday.\n")
    assert (await asked_again(agent)).answer == SIX


@pytest.mark.parametrize(("says", "answer"), [(SIX, SIX), (SEVEN, REFUSAL)], ids=["the same", "another hour"])
async def test_what_was_found_before_the_program_began_counts_while_it_stands(
    tmp_path: Path, says: str, answer: str
) -> None:
    before = await told_six(tmp_path)
    (tmp_path / "life.md").write_text(f"# Gym\n\n{says}\n")
    agent = agent_of(tmp_path)
    agent.conversation.remember(before.conversation.turns)
    assert (await asked_again(agent, REFUSAL)).answer == answer
