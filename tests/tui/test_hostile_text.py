from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from screen_runs import (
    ABOUT,
    HOSTILE,
    PlayedAgent,
    Script,
    campus_app,
)
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import About
from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.tools.tool import Source
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.link import LinkScreen
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.fold import FoldLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.turn import Turn

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EXPLAINED = Explanation(what=f"what {HOSTILE}", cause=f"cause {HOSTILE}", next=f"next {HOSTILE}")
HOSTILE_ABOUT = About(
    model=f"model {HOSTILE}",
    base=f"base {HOSTILE}",
    questions=(f"first {HOSTILE}", "second [/]"),
    problems=(f"problem {HOSTILE}",),
    topics=(HOSTILE,),
)


def hostile_run(outcome: Outcome, answer: str | None, message: Explanation | None) -> list:
    source = Source(title=HOSTILE, source=HOSTILE, line=1, text=HOSTILE)
    script = Script(HOSTILE).note(f"note {HOSTILE}").step().think(HOSTILE, "[/", "x]")
    script.act(f"tool {HOSTILE}", {f"name {HOSTILE}": f"value {HOSTILE}", "query": HOSTILE}, repaired=HOSTILE)
    script.observe(f"- {HOSTILE}\n{HOSTILE}", sources=[source])
    script.act("raw", None, raw_arguments=HOSTILE).observe(HOSTILE, status="error")
    script.act("nothing", {}).observe(HOSTILE, status="empty").note(HOSTILE, step=1).step_over()
    script.step().write(HOSTILE, "\x1b", "]52;c;aGk=\x07").check((HOSTILE, "name", None)).withdraw("rejected")
    script.step().write(HOSTILE).withdraw("became_thought").write(HOSTILE).step_over()
    return script.check((HOSTILE, "name", HOSTILE)).end(outcome, answer, message).events


async def ask(pilot: Pilot[int], question: str) -> ConversationScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    screen.query_one(Prompt).text = question
    await pilot.press("enter")
    await until(pilot, lambda: screen.query(Turn) and not screen.busy)
    return screen


def whole_screen(app: CampusApp) -> str:
    svg = app.export_screenshot(simplify=True)
    return html.unescape(re.sub(r"<[^>]+>", "", svg)).replace("\xa0", " ")


def assert_harmless(app: CampusApp) -> None:
    """Nothing that could drive a terminal is in any line that is sent to it, and the app still runs."""
    assert app.is_running
    drawn = "".join(strip.text for strip in app.screen._compositor.render_strips())
    assert not UNSAFE.search(drawn)


@pytest.mark.parametrize(
    ("outcome", "answer", "message"),
    [
        (Outcome.ANSWERED, HOSTILE, None),
        (Outcome.REFUSED, HOSTILE, None),
        (Outcome.TRUNCATED, HOSTILE, EXPLAINED),
        (Outcome.CANCELLED, HOSTILE, EXPLAINED),
        (Outcome.PROVIDER_ERROR, None, EXPLAINED),
    ],
    ids=["answered", "refused", "truncated", "cancelled", "provider_error"],
)
@pytest.mark.parametrize("size", [(120, 60), (60, 60)], ids=["wide", "narrow"])
async def test_text_of_a_person_a_model_a_tool_and_an_error_is_shown_as_text(
    size: tuple[int, int], outcome: Outcome, answer: str | None, message: Explanation | None
):
    app = campus_app(PlayedAgent(hostile_run(outcome, answer, message)), about=HOSTILE_ABOUT)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = await ask(pilot, HOSTILE)
        assert_harmless(app)
        assert "[@click=app.quit]quit[/]" in whole_screen(app)
        if size[0] < 100:
            await screen.query_one(FoldLine).action_open()
            await pilot.pause()
            assert_harmless(app)
            await pilot.press("f2")
            assert_harmless(app)


async def test_a_hostile_base_is_shown_as_text_on_the_start_screen_and_in_the_palette():
    app = campus_app(PlayedAgent(hostile_run(Outcome.REFUSED, "", None)), about=HOSTILE_ABOUT)
    async with app.run_test(size=(120, 40), notifications=True, tooltips=True) as pilot:
        await until(pilot, lambda: app.screen.query(OptionList))
        assert app.screen.query_one(OptionList).option_count == 2
        assert "[@click=app.quit]" in whole_screen(app)
        assert_harmless(app)
        await pilot.press("ctrl+p")
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.press(*"first")
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert_harmless(app)
        assert "Ask: first [/x]" in whole_screen(app)


async def test_a_hostile_error_while_the_assistant_is_made_is_shown_as_text():
    app = campus_app(None, fails=CampusAgentError(f"what {HOSTILE}", HOSTILE, HOSTILE))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.screen.query(Failure))
        assert_harmless(app)
        assert "what [/x]" in whole_screen(app)


async def test_a_hostile_question_is_shown_as_text_while_it_waits():
    app = campus_app(PlayedAgent(Script().step().events), about=replace(ABOUT, questions=()))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("one")
        for _ in range(3):
            screen.question(HOSTILE)
        await pilot.pause()
        assert "next: [/x] [b]bold[/b]" in whole_screen(app)
        assert_harmless(app)
        await pilot.press("escape")


async def test_pasted_control_characters_are_made_visible():
    app = campus_app(PlayedAgent(Script().events))
    async with app.run_test(size=(120, 40)) as pilot:
        app.post_message(events.Paste(HOSTILE))
        await until(pilot, lambda: app.screen.query_one(Prompt).text)
        assert "\ufffd[31mred" in app.screen.query_one(Prompt).text
        assert_harmless(app)


async def test_an_address_is_shown_as_text_before_it_is_opened():
    app = campus_app(PlayedAgent(Script().events))
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(LinkScreen("https://example.org/[/x][@click=app.quit]"))
        await pilot.pause()
        assert "https://example.org/[/x][@click=app.quit]" in whole_screen(app)
        assert_harmless(app)
