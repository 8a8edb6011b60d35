from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from kept_runs import search_campus_info
from screen_runs import ABOUT, HOSTILE
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget
from waiting import until

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Acting, Observed
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import Assistant
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL, Settings
from campus_agent.tools.calendar import calendar_tools
from campus_agent.tools.clock import CampusClock
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.edit_arguments import ArgumentsEditor, EditArgumentsScreen
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.pause_card import PauseCard
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.status import Status

ZONE = ZoneInfo("America/Los_Angeles")
ANSWER = "The next Thursday is in 5 days."
WIDE, NARROW = (120, 36), (80, 24)


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def counting_agent(weekday: str = "Thursday", *, runs: int = 1) -> Agent:
    """An agent that counts the days to a day and then answers."""
    clock = CampusClock(ZONE, datetime(2026, 6, 13, 10, tzinfo=ZONE))
    script = [[RequestedCall("days_until_weekday", {"weekday": weekday})], ANSWER] * runs
    guardrail = Guardrail(mode="off", refusal=REFUSAL)
    return Agent(ScriptedModel(script), calendar_tools(clock), instructions="Answer.", guardrail=guardrail, clock=clock)


def stepping_app(agent: Agent, *, step: bool = True, clock: Callable[[], float] = lambda: 0.0) -> CampusApp:
    return CampusApp(Settings(step=step), assemble=lambda _: Assistant(agent=agent, about=ABOUT), clock=clock)


def conversation(app: CampusApp) -> ConversationScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    return screen


async def ask(pilot: Pilot[int]) -> ConversationScreen:
    screen = conversation(pilot.app)  # type: ignore[arg-type]
    await until(pilot, lambda: screen.assistant is not None)
    await pilot.press(*"when?", "enter")
    return screen


async def paused_before(pilot: Pilot[int], words: str) -> None:
    screen = conversation(pilot.app)  # type: ignore[arg-type]
    await until(pilot, lambda: words in said(screen) and isinstance(screen.focused, PauseCard))


def said(screen: ConversationScreen) -> str:
    """What the card of the pause that is in sight says, with all white space as one space."""
    shown = [str(part.render()) for card in screen.query(PauseCard) if card.region.area for part in card.query(Widget)]
    return " ".join(" ".join(shown).replace("\u00a0", " ").split())


def outcome(screen: ConversationScreen) -> Outcome | None:
    finished = screen.query(RunTrace).last().record.finished
    return finished.outcome if finished else None


async def test_a_run_pauses_before_each_model_call_and_each_act_and_space_lets_each_happen():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        for words in ("before step 1 of 5", "before running days_until_weekday", "before step 2 of 5"):
            await paused_before(pilot, words)
            assert str(screen.query_one(Status).render()) == "‖ paused"
            await pilot.press("space")
        await until(pilot, lambda: not screen.busy)
        assert outcome(screen) is Outcome.ANSWERED
        assert not screen.query(PauseCard)
        assert isinstance(screen.focused, Prompt)
        assert screen.query_one(Prompt).text == ""


def steps(screen: ConversationScreen) -> str:
    return "\n".join(str(row.render()) for row in screen.query("StepCard > Row"))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_a_pause_holds_says_that_it_waits_and_says_so_no_longer_when_it_happens(size: tuple[int, int]):
    async with stepping_app(counting_agent()).run_test(size=size) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1 of 5")
        assert "· waiting" in steps(screen)
        await pilot.press("space")
        await paused_before(pilot, "before running days_until_weekday")
        acting = [row for row in steps(screen).splitlines() if "▸ acting" in row]
        assert acting
        assert all(row.endswith(" waiting") for row in acting)
        await pilot.press("space")
        await paused_before(pilot, "before step 2 of 5")
        assert all("waiting" not in row for row in steps(screen).splitlines() if "▸ acting" in row)
        assert "· waiting" in steps(screen)
        assert "thinking" not in steps(screen)
        await pilot.press("c")
        await until(pilot, lambda: not screen.busy)
        assert "waiting" not in steps(screen)


@pytest.mark.parametrize("words", ["before step 1 of 5", "before running days_until_weekday", "before step 2 of 5"])
async def test_nothing_waits_or_thinks_in_a_run_that_is_stopped_in_a_pause(words: str):
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        for coming in ("before step 1 of 5", "before running days_until_weekday", "before step 2 of 5"):
            await paused_before(pilot, coming)
            if coming == words:
                break
            await pilot.press("space")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert outcome(screen) is Outcome.CANCELLED
        assert "waiting" not in steps(screen)
        assert "thinking" not in steps(screen)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_space_too_many_at_the_end_is_not_typed_before_a_command(size: tuple[int, int]):
    agent = counting_agent()
    async with stepping_app(agent).run_test(size=size) as pilot:
        screen = await ask(pilot)
        for words in ("before step 1 of 5", "before running days_until_weekday", "before step 2 of 5"):
            await paused_before(pilot, words)
            await pilot.press("space")
        await until(pilot, lambda: not screen.busy and isinstance(screen.focused, Prompt))
        await pilot.press("space", "space", *"/step", "escape", "enter")
        await until(pilot, lambda: not screen.stepping.on)
        assert len(screen.records) == 1


async def test_what_is_pasted_in_a_pause_stands_in_the_prompt_and_decides_nothing():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        pilot.app.post_message(events.Paste("c s e"))
        await until(pilot, lambda: screen.query_one(Prompt).text == "c s e")
        assert screen.stepping.pause is not None
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)


async def test_the_card_says_how_large_the_prompt_is_and_what_is_new_in_it():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        assert "your question, under the instructions and the list of tools" in said(screen)
        await pilot.press("space")
        await paused_before(pilot, "before running")
        assert 'weekday "Thursday"' in said(screen)
        assert "s skip e edit" in said(screen)
        await pilot.press("space")
        await paused_before(pilot, "before step 2")
        assert "days_until_weekday returned" in said(screen)
        assert "since the last call" in said(screen)
        assert "skip" not in said(screen)


async def test_a_pause_before_a_call_beside_the_steps_says_what_it_is_for():
    agent = counting_agent()
    agent.plan = True
    async with stepping_app(agent).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before the model is asked for a plan")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert outcome(screen) is Outcome.CANCELLED


async def test_a_call_can_be_skipped_and_a_model_call_cannot():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("s", "e")
        assert "before step 1" in said(screen)
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("s")
        await paused_before(pilot, "before step 2")
        observed = [event for event in screen.query_one(RunTrace).record.events if isinstance(event, Observed)]
        assert [event.status for event in observed] == ["skipped"]


async def test_to_the_end_lets_this_run_go_and_holds_the_next():
    async with stepping_app(counting_agent(runs=2)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("c")
        await until(pilot, lambda: not screen.busy)
        assert outcome(screen) is Outcome.ANSWERED
        await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)


async def test_escape_stops_the_run_and_gives_the_question_back():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy and not screen.query(PauseCard))
        assert outcome(screen) is Outcome.CANCELLED
        assert screen.query_one(Prompt).text == "when?"
        assert isinstance(screen.focused, Prompt)
        assert screen.stepping.pause is None


async def test_arguments_are_edited_before_they_run_and_the_trace_says_so():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditArgumentsScreen))
        pilot.app.screen.query_one("ArgumentsEditor").text = '{"weekday": "Friday"}'  # type: ignore[attr-defined]
        await pilot.press("enter")
        await paused_before(pilot, "before step 2")
        events = screen.query_one(RunTrace).record.events
        acting = [event for event in events if isinstance(event, Acting)]
        assert [event.arguments for event in acting] == [{"weekday": "Thursday"}, {"weekday": "Friday"}]
        assert "edited" in str(acting[-1].repaired)
        assert any(isinstance(event, Observed) and "Friday" in event.content for event in events)


@pytest.mark.parametrize("text", ["{", "[1]", '{"weekday": 5', '{"day": "Friday"}', HOSTILE])
async def test_arguments_that_cannot_be_used_are_said_and_what_was_typed_is_kept(text: str):
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditArgumentsScreen))
        editor = pilot.app.screen.query_one("ArgumentsEditor")
        editor.text = text  # type: ignore[attr-defined]
        await pilot.press("enter")
        wrong = str(pilot.app.screen.query_one(".wrong").render())
        assert wrong.startswith(("✕ This cannot be read: ", "✕ days_until_weekday cannot use this: "))
        assert "Send one" not in wrong
        assert "char " not in wrong
        assert editor.text == text  # type: ignore[attr-defined]
        await pilot.press("escape")
        await paused_before(pilot, "before running")
        assert screen.busy


@pytest.mark.parametrize("pasted", ["1976\rline", "1976\nline", "1976\r\nline\r\n"], ids=repr)
async def test_lines_that_are_pasted_into_the_arguments_stay_words_of_their_own(pasted: str):
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.focused, ArgumentsEditor))
        editor = pilot.app.screen.query_one(ArgumentsEditor)
        editor.text = ""
        pilot.app.post_message(events.Paste(pasted))
        await until(pilot, lambda: editor.text != "")
        assert editor.text == "1976 line"


async def test_arguments_left_as_they_were_are_no_edit():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditArgumentsScreen))
        await pilot.press("enter")
        await paused_before(pilot, "before step 2")
        assert sum(isinstance(event, Acting) for event in screen.query_one(RunTrace).record.events) == 1


async def test_the_editor_closes_when_the_run_ends_meanwhile():
    agent = counting_agent()
    async with stepping_app(agent).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditArgumentsScreen))
        agent.cancel()
        await until(pilot, lambda: not screen.busy and pilot.app.screen is screen)
        assert outcome(screen) is Outcome.CANCELLED
        assert not screen.query(PauseCard)


async def test_step_mode_can_be_turned_on_and_off_in_the_middle_of_a_run():
    async with stepping_app(counting_agent(), step=False).run_test(size=WIDE) as pilot:
        screen = conversation(pilot.app)  # type: ignore[arg-type]
        await pilot.press("f8")
        assert "step mode" in str(screen.query_one("#asking").border_title)
        await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("c")
        await until(pilot, lambda: not screen.busy)
        assert outcome(screen) is Outcome.ANSWERED
        await pilot.press("f8")
        assert screen.query_one("#asking").border_title == ""


@pytest.mark.parametrize("times", [1, 2, 5])
async def test_f8_in_a_pause_never_ends_the_demonstration_but_says_what_decides(times: int):
    async with stepping_app(counting_agent()).run_test(size=WIDE, notifications=True) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        assert screen.query_one("#asking").border_title == ""
        await pilot.press(*["f8"] * times)
        assert screen.stepping.on
        assert "before step 1" in said(screen)
        assert isinstance(screen.focused, PauseCard)
        assert "Space goes on" in next(iter(pilot.app._notifications)).message


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        (["f8"], "step mode, F8 ends it: a run pauses before each model call and each tool"),
        (["f7"], "slow motion, F7 ends it: everything stays for a moment"),
        (["f9"], "big type, F9 ends it: F2 changes between the chat and the trace"),
        (["f8", "f9"], "step mode (F8)  ·  big type (F9)"),
        (["f8", "f8"], ""),
    ],
)
async def test_how_runs_are_shown_is_said_over_the_prompt_and_covers_nothing(keys: list[str], title: str):
    async with stepping_app(counting_agent(), step=False).run_test(size=NARROW, notifications=True) as pilot:
        screen = conversation(pilot.app)  # type: ignore[arg-type]
        await pilot.press(*keys)
        assert screen.query_one("#asking").border_title == title
        assert not list(pilot.app._notifications)


async def test_the_keys_at_the_bottom_are_those_of_the_card():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        for words, there in (("before step 1", False), ("before running", True), ("before step 2", False)):
            await paused_before(pilot, words)
            keys = str(screen.query_one(KeyLine).render())
            assert "Space go on" in keys
            assert ("skip" in keys, "edit" in keys) == (there, there)
            assert ("skip" in said(screen), "edit" in said(screen)) == (there, there)
            await pilot.press("space")


async def test_f8_or_tab_goes_back_to_the_card_after_a_click_elsewhere():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.click(Prompt)
        assert isinstance(screen.focused, Prompt)
        assert "F8 goes to the keys" in str(screen.query_one("#asking").border_title)
        await pilot.press("f8")
        assert isinstance(screen.focused, PauseCard)
        assert screen.stepping.on
        await pilot.click(Prompt)
        for _ in range(5):
            if not isinstance(screen.focused, PauseCard):
                await pilot.press("tab")
        assert isinstance(screen.focused, PauseCard)


async def test_a_pause_does_not_take_the_focus_from_somebody_who_is_typing():
    agent = counting_agent()
    async with stepping_app(agent).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.click(Prompt)
        await pilot.press("s", "c")
        assert screen.stepping.pause is not None
        screen.query(PauseCard).last().action_choose("go")
        await until(pilot, lambda: "before running" in said(screen))
        assert isinstance(screen.focused, Prompt)
        assert screen.query_one(Prompt).text == "sc"


@pytest.mark.parametrize("size", [NARROW, (60, 20)])
async def test_in_a_narrow_terminal_the_card_stands_under_the_question_and_follows_to_the_trace(size: tuple[int, int]):
    async with stepping_app(counting_agent()).run_test(size=size) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        assert "Turn" in {type(node).__name__ for node in screen.focused.ancestors}  # type: ignore[union-attr]
        await pilot.press("f2")
        await until(
            pilot, lambda: isinstance(screen.focused, PauseCard) and isinstance(screen.focused.parent, RunTrace)
        )
        await pilot.press("f9")
        await until(
            pilot, lambda: isinstance(screen.focused, PauseCard) and isinstance(screen.focused.parent, RunTrace)
        )
        await pilot.press("space")
        await paused_before(pilot, "before running")


async def test_the_clock_stands_still_in_a_pause_and_nothing_ticks():
    time = Time()
    async with stepping_app(counting_agent(), clock=time).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        time.now += 3600
        assert screen.query_one(Header).auto_refresh is None
        assert screen.query_one(Status).auto_refresh is None
        assert "3600" not in str(screen.query_one(Header).render())
        await pilot.press("space")
        await paused_before(pilot, "before running")
        assert "3600" not in str(screen.query_one(Header).render())
        assert "3,600" not in str(screen.query_one(Header).render())


async def test_a_click_on_a_key_of_the_card_does_what_the_key_does():
    async with stepping_app(counting_agent()).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        card = next(card for card in screen.query(PauseCard) if card.region.area)
        await pilot.click(card.query_one(".keys"), offset=(5, 0))
        await paused_before(pilot, "before running")


async def test_untrusted_names_and_values_in_a_pause_are_only_text():
    async with stepping_app(counting_agent(HOSTILE)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        assert "[/x] [b]bold[/b] [@click=app.quit]quit[/]" in said(screen)
        assert not any(ord(character) in (0x1B, 0x9B, 0x202E) for character in said(screen))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditArgumentsScreen))
        shown = pilot.app.screen.query_one("ArgumentsEditor").text  # type: ignore[attr-defined]
        assert "[/x]" in shown
        assert "\x1b" not in shown


async def test_a_key_that_comes_before_the_card_of_a_pause_is_drawn_decides_nothing():
    app = stepping_app(counting_agent())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        pause = screen.stepping.pause
        assert pause is not None
        card = PauseCard(pause, screen.records[-1])
        with app.batch_update():
            await screen.query_one(RunTrace).mount(card)
            card.action_choose("go")
            card.action_choose("to_the_end")
        await until(pilot, lambda: card.region.area)
        assert not pause.over
        card.action_choose("go")
        await paused_before(pilot, "before running")
        assert pause.over


async def test_of_a_skipped_call_it_is_said_that_it_was_skipped_and_so_nothing_was_searched():
    script = [[RequestedCall("search_campus_info", {"query": "food"})], REFUSAL, REFUSAL]
    guardrail = Guardrail(mode="off", refusal=REFUSAL)
    app = stepping_app(Agent(ScriptedModel(script), [search_campus_info], instructions="Answer.", guardrail=guardrail))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("s")
        await paused_before(pilot, "search_campus_info was skipped")
        await pilot.press("c")
        await until(pilot, lambda: not screen.busy)
        assert "refused · nothing was searched: the call was skipped" in str(screen.query_one(Status).render())


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_where_the_card_stands_under_the_question_paused_is_said_once(size: tuple[int, int]):
    app = stepping_app(counting_agent())
    async with app.run_test(size=size) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        assert not screen.query_one(Status).region.area
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert screen.query_one(Status).region.area


@pytest.mark.parametrize(("key", "name"), [("f7", "slow motion (F7)"), ("f9", "big type (F9)")])
async def test_a_way_of_showing_runs_that_is_changed_in_a_pause_is_said_at_once(key: str, name: str):
    app = stepping_app(counting_agent())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press(key)
        await until(pilot, lambda: name in str(screen.query_one("#asking").border_title))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
