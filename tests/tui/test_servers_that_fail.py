from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from screen_runs import QUESTIONS
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import assemble
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.turn import Turn
from tests.quirk_server import QuirkServer

WIDE = (120, 36)


@pytest.fixture(scope="module")
def server() -> Iterator[QuirkServer]:
    with QuirkServer() as server:
        yield server


def app_with(address: str, model: str) -> CampusApp:
    settings = Settings(base_url=address, model=model, request_retries=0, guardrail="off", first_byte_timeout=5)
    return CampusApp(settings, assemble=assemble, load=lambda **changes: settings.model_copy(update=changes))


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


async def ask(pilot: Pilot[int], screen: ConversationScreen, question: str) -> str:
    """Ask, and return what the chat shows of the run once it is over."""
    turns = len(screen.query(Turn))
    screen.query_one(Prompt).put(question)
    await pilot.press("enter")
    await until(pilot, lambda: len(screen.query(Turn)) > turns and not screen.busy)
    return shown(screen)


def shown(screen: ConversationScreen) -> str:
    return "\n".join(str(part.render()) for part in screen.query(Turn).last().query("Static, Failure, MarkdownBlock"))


async def test_a_run_that_is_stopped_in_a_tool_call_leaves_no_call_open_for_the_next_question(server: QuirkServer):
    app = app_with(server.base_url, "good")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("f8")
        screen.query_one(Prompt).put(QUESTIONS[0])
        await pilot.press("enter")
        await until(pilot, lambda: screen.query("PauseCard"))
        await pilot.press("space")
        await until(pilot, lambda: any("skip" in str(part.render()) for part in screen.query("PauseCard Widget")))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        await pilot.press("f8")
        assert [record.finished and record.finished.outcome for record in screen.records] == [Outcome.CANCELLED]
        assert "June 18, 2026" in await ask(
            pilot, screen, QUESTIONS[0]
        )  # the server refuses a history with an open call


async def test_a_tool_that_does_not_exist_is_told_to_the_model_and_the_run_goes_on(server: QuirkServer):
    app = app_with(server.base_url, "name-unknown")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        assert "June 18, 2026" in await ask(pilot, screen, QUESTIONS[0])


async def test_the_end_of_the_steps_is_said_with_what_to_try(server: QuirkServer):
    app = app_with(server.base_url, "stubborn-unknown")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        text = await ask(pilot, screen, QUESTIONS[0])
        assert "step limit" in text
        assert "/steps" in text


@pytest.mark.parametrize(("model", "words"), [("http-401", "CAMPUS_AGENT_API_KEY"), ("http-429-long", "429")])
async def test_a_server_that_refuses_is_said_with_the_reason_and_the_app_stays_of_use(
    server: QuirkServer, model: str, words: str
):
    app = app_with(server.base_url, model)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        assert words in await ask(pilot, screen, QUESTIONS[0])
        assert screen.query_one(Prompt).text == QUESTIONS[0]
        screen.query_one(Prompt).put("/model good")
        before = screen.assistant
        await pilot.press("enter")
        await until(pilot, lambda: screen.assistant not in (None, before))
        assert "June 18, 2026" in await ask(pilot, screen, QUESTIONS[0])


async def test_a_server_that_is_down_is_a_card_with_its_address_and_the_question_comes_back():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    app = app_with(address, "any")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        assert address.removeprefix("http://").removesuffix("/v1") in await ask(pilot, screen, QUESTIONS[0])
        assert screen.query_one(Prompt).text == QUESTIONS[0]
