"""An observation that is too long is cut where nothing is cut in two, and what was left out is no evidence."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Observed
from campus_agent.agent.fitting import fitted
from campus_agent.agent.outcome import Outcome
from campus_agent.tools.tool import Source, ToolResult, tool
from tests.agent.conftest import call, search

MakeAgent = Callable[..., Agent]
MARK = "[cut here: what stood behind this was left out, because it is too long]"
TEXT = "The lab opens at 9:30 AM in room 2045. It closes on Friday, June 19."


def kept(content: str, limit: int) -> str:
    text, _, mark = fitted(ToolResult(content), limit).content.rpartition("[")
    assert f"[{mark}" == MARK
    return text.rstrip("\n")


@pytest.mark.parametrize(
    ("content", "limit", "stays"),
    [
        ("- a: one.\n- b: two.\n- c: three.", 19, "- a: one.\n- b: two."),
        ("- a: one.\n- b: two.\n- c: three.", 18, "- a: one."),
        ("- a: one. Two.\n- b: two.", 12, "- a: one."),
        ("- GPU Lab: room 2045 (a.md)", 18, "- GPU Lab: room"),
        ("- GPU Lab: room 2045 (a.md)", 20, "- GPU Lab: room 2045"),
        ("俱乐部每周四下午五点。在二零四室见面", 15, "俱乐部每周四下午五点。"),
        ("2045204520452045", 5, ""),
        ("x" * 5_000, 200, ""),
    ],
)
def test_a_text_is_cut_behind_a_line_else_a_sentence_else_a_word(content: str, limit: int, stays: str) -> None:
    assert kept(content, limit) == stays


@pytest.mark.parametrize("limit", range(1, len(TEXT)))
def test_no_word_or_number_is_ever_cut_in_two(limit: int) -> None:
    words = kept(TEXT, limit).split()
    assert words == TEXT.split()[: len(words)]
    assert len(kept(TEXT, limit)) <= limit


@pytest.mark.parametrize("content", ["", "short", "x" * 200, "a\nb"])
def test_what_fits_stays_as_it_is(content: str) -> None:
    assert fitted(ToolResult(content), 200).content == content


def test_the_mark_holds_no_figure_that_could_pass_for_a_fact() -> None:
    assert not any(character.isdigit() for character in MARK)


async def test_a_passage_that_was_left_out_is_no_source_of_the_answer(make_agent: MakeAgent) -> None:
    texts = [f"The {name} Lab is in room {room}. " + "It is large. " * 14 for name, room in (("GPU", 204), ("VR", 205))]

    @tool(searches=True)
    def search_campus_info(query: str) -> ToolResult:
        """Search."""
        sources = tuple(Source(title="Labs", source="labs.md", line=n, text=text) for n, text in enumerate(texts))
        return ToolResult("\n".join(f"- Labs: {text} (labs.md)" for text in texts), sources=sources)

    script = [search("labs"), "The VR Lab is in room 205.", "The VR Lab is in room 205."]
    agent = make_agent(script, tools=[search_campus_info], observation_chars=300)
    events = [event async for event in agent.run("Where is the VR Lab?")]
    (observed,) = [event for event in events if isinstance(event, Observed)]
    assert [source.line for source in observed.sources] == [0]
    assert "205" not in observed.content
    assert events[-1].outcome is Outcome.REFUSED  # type: ignore[union-attr]


@pytest.mark.parametrize("steps", [1, 2, 3])
async def test_a_run_in_which_every_search_failed_ends_as_that_and_not_at_its_limit(
    make_agent: MakeAgent, steps: int
) -> None:
    @tool(searches=True)
    def search_campus_info(query: str) -> str:
        """Search."""
        raise OSError("the index is gone")

    script = [search(f"AI Club {n}") for n in range(5)]
    result = await make_agent(script, tools=[search_campus_info], max_steps=steps, max_tool_calls=9).ask("When?")
    assert result.outcome is (Outcome.TOOL_FAILED if steps > 1 else Outcome.STEP_LIMIT)  # with one, none was made
    result = await make_agent(script, tools=[search_campus_info], max_tool_calls=1).ask("When?")
    assert result.outcome is Outcome.TOOL_FAILED


async def test_what_a_tool_sends_off_to_a_thread_cannot_keep_the_program_alive(make_agent: MakeAgent) -> None:
    @tool
    async def look() -> str:
        """Look around."""
        inner = await asyncio.to_thread(lambda: threading.current_thread().daemon)
        return f"daemon: {threading.current_thread().daemon} and {inner}"

    result = await make_agent([[call("look")], "Done."], tools=[look]).ask("What?")
    assert result.steps[0].observation == "daemon: True and True"
