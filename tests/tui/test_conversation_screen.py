from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from threading import Event as ThreadEvent

import pytest
from screen_runs import (
    ABOUT,
    QUESTIONS,
    PlayedAgent,
    Script,
    campus_app,
    capped_run,
    club_run,
    failed_run,
    refused_run,
    rejected_run,
)
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import Assistant
from campus_agent.errors import KnowledgeError
from campus_agent.settings import REFUSAL, THEMES, Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.record import Record
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.help import HelpScreen
from campus_agent.tui.screens.link import LinkScreen
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.fold import Fold, FoldLine
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

WIDE, NARROW = (120, 36), (80, 24)


def screen_of(app: CampusApp) -> ConversationScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    return screen


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = screen_of(pilot.app)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


async def ask(pilot: Pilot[int], question: str = QUESTIONS[0]) -> ConversationScreen:
    screen = await ready(pilot)
    screen.query_one(Prompt).text = question
    await pilot.press("enter")
    await until(pilot, lambda: screen.query(Turn) and not screen.busy)
    return screen


def waiting(screen: ConversationScreen) -> str:
    line = screen.query_one(".waiting")
    return str(line.render()) if line.display else ""


def shown(screen: ConversationScreen, kind: type) -> str:
    return "\n".join(str(widget.render()) for widget in screen.query(kind))


async def test_a_question_is_asked_and_its_answer_and_trace_are_shown():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert agent.asked == [QUESTIONS[0]]
        assert "June 18" in screen.query_one(Answer).source
        assert str(screen.query_one(Status).render()) == "✓ grounded · 5 facts   [1]\u00a0clubs.md"
        trace = shown(screen, Row)
        assert trace.index("search_campus_info") < trace.index("AI Club: meets") < trace.index("days_until_weekday")
        assert 'weekday     "Thursday"' in trace
        assert 'after_time  "5 PM"' in trace
        assert str(screen.query(".outcome").last().render()) == "● answered in 3 steps, 2 calls, 6 ms"
        assert "step ▰▰▰▱▱ 3/5   calls 2/15      6 ms of 180 s" in str(screen.query_one(Header).render())
        assert screen.query_one(Prompt).text == ""


@pytest.mark.parametrize("key", ["ctrl+j", "shift+enter", "alt+enter"])
async def test_each_of_the_three_keys_begins_a_new_line_and_sends_nothing(key: str):
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", key, "b")
        assert screen.query_one(Prompt).text == "a\nb"
        assert screen.query_one(Prompt).size.height == 2
        assert agent.asked == []


@pytest.mark.parametrize("new_line", ["\n", "\r", "\r\n"])
async def test_pasted_lines_stay_in_the_prompt_until_they_are_sent(new_line: str):
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        pilot.app.post_message(events.Paste(f"one{new_line}two"))
        await until(pilot, lambda: screen.query_one(Prompt).text == "one\ntwo")
        assert agent.asked == []


async def test_enter_right_after_fast_typing_sends_all_that_was_typed():
    agent = PlayedAgent(club_run())
    app = campus_app(agent)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        for character in "when does it meet":
            app.post_message(events.Key("space" if character == " " else character, character))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: agent.asked and not screen.busy)
        assert agent.asked == ["when does it meet"]


async def test_an_empty_prompt_sends_nothing():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("space", "enter", "enter")
        assert agent.asked == []


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_a_run_that_is_stuck_in_a_tool_is_cancelled_and_its_question_comes_back(key: str):
    async with campus_app(PlayedAgent(club_run(until_second_call=True))).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press(*"how?", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        assert screen.busy
        assert str(screen.query_one(Status).render()) == "⠋ counting days to Thursday …"
        await pilot.press(key)
        await until(pilot, lambda: not screen.busy)
        assert str(screen.query_one(Status).render()).startswith("■ cancelled")
        assert screen.query_one(Prompt).text == "how?"
        assert "not finished" in shown(screen, Row)
        assert pilot.app.is_running


async def test_the_partial_answer_of_a_cancelled_run_stays_and_is_marked():
    written = Script().step().write("The club ", "meets").events
    cancelled = Script().end(Outcome.CANCELLED, "The club meets").events[-1]
    async with campus_app(PlayedAgent([*written, cancelled])).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert screen.query_one(Answer).source == "The club meets"
        assert screen.query_one(Answer).has_class("-partial")
        assert str(screen.query_one(Status).render()).startswith("■ cancelled")


async def test_a_failed_run_shows_what_why_and_what_to_do_and_gives_the_question_back():
    async with campus_app(PlayedAgent(failed_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot, "When?")
        card = shown(screen, Failure)
        assert "does not answer" in card
        assert "Nothing listens there" in card
        assert "choose another" in card
        assert str(screen.query_one(Status).render()) == "✕ provider error"
        assert screen.query_one(Prompt).text == "When?"


async def test_what_was_typed_meanwhile_is_not_overwritten_by_the_question_that_comes_back():
    async with campus_app(PlayedAgent(club_run(until_second_call=True))).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.busy)
        await pilot.press("b", "escape")
        await until(pilot, lambda: not screen.busy)
        assert screen.query_one(Prompt).text == "b"


async def test_an_agent_that_breaks_becomes_a_card_and_the_next_question_works():
    class Breaks(PlayedAgent):
        async def run(self, question: str):
            if not self.asked:
                self.asked.append(question)
                raise RuntimeError("[/x] broken")
            async for event in super().run(question):
                yield event

    async with campus_app(Breaks(club_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot, "one")
        assert "RuntimeError: [/x] broken" in shown(screen, Failure)
        assert shown(screen, ".outcome") == "✕ cut off: this run has no end"
        screen.query_one(Prompt).text = "two"
        await pilot.press("enter")
        await until(pilot, lambda: "answered" in str(screen.query(".outcome").last().render()))


async def test_a_question_sent_during_a_run_waits_and_is_asked_next():
    agent = PlayedAgent(club_run(until_second_call=True), club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.busy)
        await pilot.press("b", "enter")
        await until(pilot, lambda: waiting(screen) == "next: b\n↑ takes the last one back")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert screen.query_one(Prompt).text == "a"
        assert waiting(screen) == ""
        await pilot.press("down")
        await until(pilot, lambda: screen.query_one(Prompt).text == "b")
        await pilot.press("enter")
        await until(pilot, lambda: agent.asked == ["a", "b"] and not screen.busy)


async def test_questions_typed_ahead_wait_in_order_and_are_all_asked():
    agent = PlayedAgent(club_run(until_second_call=True), club_run(), club_run(), club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        for character in "a\rb\rc\rd\r":
            pilot.app.post_message(events.Key("enter" if character == "\r" else character, character))
        await until(pilot, lambda: waiting(screen).splitlines()[:3] == ["next: b", "then: c", "then: d"])
        agent.cancel()
        await until(pilot, lambda: agent.asked == ["a", "b", "c", "d"] and not screen.busy)
        assert waiting(screen) == ""
        assert screen.query_one(Prompt).text == ""


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_stopping_gives_the_stopped_question_back_first_and_those_that_wait_one_by_one_behind_it(key: str):
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        prompt = screen.query_one(Prompt)
        await pilot.press("a", "enter", "b", "enter", "c", "enter", key)
        await until(pilot, lambda: not screen.busy)
        assert waiting(screen) == ""
        assert "↓ brings back" in next(iter(pilot.app._notifications)).message
        came = [prompt.text]
        for _ in range(3):
            await pilot.press("down")
            await pilot.pause()
            came.append(prompt.text)
        assert came == ["a", "b", "c", ""]
        assert agent.asked == ["a"]


async def test_stopping_leaves_what_is_typed_alone_and_the_arrow_up_leads_to_all_that_was_not_answered():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        prompt = screen.query_one(Prompt)
        await pilot.press("a", "enter", "b", "enter", "c", "enter", "d", "escape")
        await until(pilot, lambda: not screen.busy)
        came = [prompt.text]
        for _ in range(3):
            await pilot.press("up")
            await pilot.pause()
            came.append(prompt.text)
        assert came == ["d", "c", "b", "a"]
        assert waiting(screen) == ""


async def test_questions_that_are_taken_back_one_after_the_other_are_never_joined():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        prompt = screen.query_one(Prompt)
        await pilot.press("a", "enter", "b", "enter", "c", "enter", "d", "up", "up")
        await until(pilot, lambda: waiting(screen) == "")
        came = [prompt.text]
        for _ in range(2):
            await pilot.press("down")
            await pilot.pause()
            came.append(prompt.text)
        assert came == ["b", "c", "d"]


async def test_an_assistant_that_cannot_be_made_gives_all_that_waits_back():
    may_go_on = ThreadEvent()

    def assemble(_: Settings) -> Assistant:
        may_go_on.wait(30)
        raise KnowledgeError("There is nothing to search.", "It is empty.", "Add a file.")

    app = CampusApp(Settings(), assemble=assemble, clock=lambda: 0.0)
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        await pilot.press("a", "enter", "b", "enter")
        may_go_on.set()
        await until(pilot, lambda: screen.query(Failure))
        assert screen.query_one(Prompt).text == "a"
        assert waiting(screen) == ""


class StoppedTwice(PlayedAgent):
    """The second stop of a run arrives when the run is over, and cancels whoever reads it."""

    def __init__(self, *runs: Sequence[Event], before_the_end: bool) -> None:
        super().__init__(*runs)
        self.before_the_end = before_the_end

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        async for event in super().run(question):
            if event.kind == "run_finished" and event.outcome is Outcome.CANCELLED and self.before_the_end:
                raise asyncio.CancelledError
            yield event
        if len(self.asked) == 1:
            raise asyncio.CancelledError


@pytest.mark.parametrize("before_the_end", [True, False])
async def test_a_run_whose_reader_is_cancelled_frees_the_screen_and_gives_the_question_back(before_the_end: bool):
    agent = StoppedTwice(club_run(until_second_call=True), club_run(), before_the_end=before_the_end)
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        screen.action_stop()
        screen.action_stop()
        await until(pilot, lambda: not screen.busy)
        assert screen.query_one(Prompt).text == "a"
        assert str(screen.query_one(Status).render()).startswith("■ cancelled")
        assert running_timers(pilot.app) == []
        await pilot.press("enter")
        await until(pilot, lambda: agent.asked == ["a", "a"] and not screen.busy)
        assert "grounded" in str(screen.query(Status).last().render())


async def test_the_next_question_is_asked_also_after_a_run_whose_reader_was_cancelled():
    agent = StoppedTwice(club_run(until_second_call=True), club_run(), before_the_end=True)
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        screen.action_stop()
        screen.question("b")
        await until(pilot, lambda: agent.asked == ["a", "b"] and not screen.busy)
        assert waiting(screen) == ""
        assert "grounded" in str(screen.query(Status).last().render())


async def test_a_stop_that_is_faster_than_the_run_still_stops_it():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.question("a")
        screen.action_stop()
        assert agent.asked == []
        await until(pilot, lambda: agent.asked == ["a"] and not screen.busy)
        assert screen.query_one(Prompt).text == "a"


async def test_the_question_that_waits_is_asked_when_the_run_is_over():
    agent = PlayedAgent(failed_run(), club_run())
    app = campus_app(agent)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.question("a")
        screen.question("b")
        await until(pilot, lambda: agent.asked == ["a", "b"] and not screen.busy)
        assert screen.query_one(Prompt).text == ""
        assert len(screen.query(Turn)) == 2


async def test_the_app_takes_a_question_before_the_assistant_is_ready_and_asks_it_then():
    agent, may_go_on = PlayedAgent(club_run()), ThreadEvent()

    def assemble(_: Settings) -> Assistant:
        may_go_on.wait(30)
        return Assistant(agent=agent, about=ABOUT)  # type: ignore[arg-type]

    app = CampusApp(Settings(), assemble=assemble, clock=lambda: 0.0)
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        await pilot.press(*"when", "enter", *"where", "enter")
        await until(pilot, lambda: waiting(screen).startswith("as soon as the assistant is ready: when\nthen: where"))
        assert agent.asked == []
        may_go_on.set()
        await until(pilot, lambda: agent.asked == ["when", "where"] and not screen.busy)
        assert waiting(screen) == ""


async def test_an_assistant_that_cannot_be_made_is_a_card_and_sending_again_tries_again():
    agent, tries = PlayedAgent(club_run()), []

    def assemble(_: Settings) -> Assistant:
        tries.append(1)
        if len(tries) == 1:
            raise KnowledgeError("There is nothing to search in [/x].", "It is empty.", "Add a file.")
        return Assistant(agent=agent, about=ABOUT)  # type: ignore[arg-type]

    app = CampusApp(Settings(), assemble=assemble, clock=lambda: 0.0)
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        await until(pilot, lambda: screen.query(Failure))
        assert "nothing to search in [/x]" in shown(screen, Failure)
        await pilot.press("a", "enter")
        await until(pilot, lambda: agent.asked == ["a"])
        assert not screen.query("Failure.-alone")


async def test_a_starter_question_is_picked_with_the_arrow_keys():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: agent.asked == [QUESTIONS[1]])
        assert not screen.query(Start)
        assert isinstance(screen.focused, Prompt)


async def test_a_starter_question_is_picked_with_the_mouse():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.click(OptionList, offset=(4, 3))
        await until(pilot, lambda: agent.asked == [QUESTIONS[3]])


async def test_typing_while_the_starter_questions_have_the_focus_goes_to_the_prompt():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("down", "h", "i")
        assert screen.query_one(Prompt).text == "hi"


async def test_a_rejected_draft_leaves_the_chat_and_stays_in_the_trace_with_the_fact_that_failed():
    async with campus_app(PlayedAgent(rejected_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert [answer.source for answer in screen.query(Answer)] == ["The AI Club meets every Thursday at 5 PM."]
        trace = shown(screen, Row)
        assert "✕ rejected The AI Club meets on Tuesday at 5 PM." in trace
        assert "✕ Tuesday was not found for this" in trace
        assert "They ask when the club meets, so I search." in trace


async def test_after_a_second_rejected_draft_the_trace_says_that_the_refusal_line_was_the_answer():
    script = Script().step().write("On Tuesday.").step_over().check(("Tuesday", "weekday", None)).withdraw("rejected")
    run = script.end(Outcome.REFUSED, REFUSAL).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        trace = shown(screen, Row)
        assert (
            trace.index("checked 0 of 1 fact") < trace.index("✕ rejected On Tuesday.") < trace.index("the refusal line")
        )
        assert screen.query_one(Answer).source == REFUSAL


async def test_a_draft_that_became_a_thought_moves_to_the_trace():
    script = (
        Script().step().write("Let me ", "look.").withdraw("became_thought").act("search_campus_info", {"query": "x"})
    )
    run = script.observe("- A: b (c.md)").step_over().step().write("B.").step_over().end(Outcome.ANSWERED, "B.").events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert [answer.source for answer in screen.query(Answer)] == ["B."]
        assert "· thought  Let me look." in shown(screen, Row)


async def test_the_answer_is_that_of_the_end_of_the_run_not_the_sum_of_what_was_streamed():
    run = Script().step().write("wrong").step_over().end(Outcome.REFUSED, REFUSAL).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert screen.query_one(Answer).source == REFUSAL


async def test_text_of_a_run_that_ended_without_an_answer_does_not_stand_as_one():
    run = Script().step().write("half an").step_over().end(Outcome.FILTERED).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert not screen.query(Answer)
        assert "half an" in shown(screen, Row)
        assert str(screen.query_one(Status).render()) == "✕ withheld by the provider"


async def test_a_refusal_shows_what_was_searched_and_what_found_nothing():
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert str(screen.query_one(Status).render()) == "○ refused"
        assert "No passage has: wifi, password." in str(screen.query_one(".nothing").render())
        assert not screen.query(Failure)


async def test_a_refusal_for_which_something_was_found_shows_what_was_searched():
    script = Script().step().act("search_campus_info", {"query": "opening hours"}).observe("- A: b (c.md)").step_over()
    run = script.step().write(REFUSAL).step_over().end(Outcome.REFUSED, REFUSAL).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert str(screen.query_one(Status).render()) == "○ refused · searched “opening hours”"


async def test_the_meter_stays_full_when_the_cap_ends_a_run():
    async with campus_app(PlayedAgent(capped_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        assert "step ▰▰▰ 3/3   calls 3/15" in str(screen.query_one(Header).render())
        assert "narrower question" in shown(screen, Failure)


async def test_observations_of_calls_side_by_side_stand_under_their_own_call():
    script = Script().step().act("first", {}).act("second", {})
    script.observe("of the second", call=2, ms=1).observe("of the first", call=1, ms=2).step_over()
    run = script.end(Outcome.STEP_LIMIT).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        trace = shown(screen, Row)
        order = [trace.index(text) for text in ("first", "of the first", "second", "of the second")]
        assert order[0] < order[1] < order[3]
        assert [line.split()[-2:] for line in trace.splitlines() if "▸ acting" in line] == [["2", "ms"], ["1", "ms"]]


async def test_arguments_that_could_not_be_read_are_shown_as_they_came():
    script = Script().step().act("search_campus_info", None, raw_arguments="{query: [/x]")
    run = script.observe("That was no JSON.", status="error").step_over().end(Outcome.MALFORMED).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        trace = shown(await ask(pilot), Row)
        assert "unreadable  {query: [/x]" in trace
        assert "✕ failed" in trace


async def test_a_long_observation_is_folded_and_opens_in_place():
    script = Script().step().act("list_rooms", {}).observe("\n".join(f"room {n}" for n in range(60))).step_over()
    async with campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events)).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        row = next(row for row in screen.query(Row) if "room 0" in str(row.render()))
        assert "… 50 more lines ▸" in str(row.render())
        row.focus()
        await pilot.press("enter")
        assert "room 59" in str(row.render())


async def test_under_100_columns_the_trace_folds_under_the_answer_and_opens_in_place():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        screen = await ask(pilot)
        assert not screen.query_one(TracePane).display
        fold = screen.query_one(FoldLine)
        assert str(fold.render()) == "3 steps · search_campus_info, days_until_weekday ▸"
        await pilot.click(FoldLine)
        await until(pilot, lambda: len(screen.query(Fold).first().query(Row)) == 6)
        assert "June 18, 2026" in "\n".join(str(row.render()) for row in screen.query_one(Fold).query(Row))
        fold.focus()
        await pilot.press("enter")
        await until(pilot, lambda: not screen.query_one(Fold).query(RunTrace))


async def test_f2_shows_the_whole_trace_where_there_is_one_pane_and_hides_it_where_there_are_two():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        screen = await ask(pilot)
        await pilot.press("f2")
        assert (screen.query_one(TracePane).display, screen.query_one(ChatPane).display) == (True, False)
        await pilot.resize_terminal(*WIDE)
        await pilot.pause()
        assert (screen.query_one(TracePane).display, screen.query_one(ChatPane).display) == (True, True)
        await pilot.press("f2")
        assert (screen.query_one(TracePane).display, screen.query_one(ChatPane).display) == (False, True)


async def test_help_opens_says_what_acting_and_observe_mean_and_closes():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        assert isinstance(pilot.app.screen, HelpScreen)
        said = "\n".join(str(row.render()) for row in pilot.app.screen.query(Row))
        assert "the model asks for a tool" in said
        assert "what the tool returned" in said
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, HelpScreen)


async def test_a_new_conversation_stops_the_run_forgets_it_and_shows_the_start_again():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.busy)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: agent.resets == 1 and screen.query(Start))
        await until(pilot, lambda: screen.query_one(OptionList).option_count == len(QUESTIONS))
        assert not screen.query("Turn, RunTrace")
        assert not screen.busy


async def test_ctrl_c_quits_neither_a_busy_nor_an_idle_app_and_ctrl_q_does():
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+c", "ctrl+c")
        assert app.is_running
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0


def over_the_conversation(what: str) -> Callable[[CampusApp], object]:
    match what:
        case "help":
            return lambda app: app.action_help()
        case "link":
            return lambda app: app.push_screen(LinkScreen("https://example.org"))
    return lambda app: app.action_command_palette()


@pytest.mark.parametrize("what", ["help", "link", "palette"])
async def test_ctrl_c_stops_the_run_and_ctrl_q_quits_whatever_stands_over_the_conversation(what: str):
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        over_the_conversation(what)(app)
        await until(pilot, lambda: app.screen is not screen)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not screen.busy)
        assert app.is_running
        assert app.screen is not screen
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0


async def test_an_answer_that_arrives_under_the_help_is_whole_when_the_help_closes():
    text = [f"Line {number}.\n\n" for number in range(40)]
    run = Script().step().write(*text).step_over().end(Outcome.ANSWERED, "".join(text)).events
    app = campus_app(PlayedAgent(run))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        app.action_help()
        await until(pilot, lambda: app.screen is not screen)
        screen.question("a")
        await until(pilot, lambda: screen.query(Turn) and not screen.busy)
        assert screen.query_one(Answer).source == "".join(text)
        await pilot.press("escape")
        await until(pilot, lambda: "Line 39." in app.export_screenshot().replace("&#160;", " "))


async def test_copying_says_which_way_it_went(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ask(pilot)
        await pilot.press("ctrl+y")
        assert app.clipboard == screen.query_one(Answer).source
        assert "terminal" in next(iter(app._notifications)).message


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("https://example.org/club", True),
        ("http://example.org", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("https://", False),
    ],
)
async def test_only_web_addresses_can_be_opened_and_only_after_they_were_shown(
    address: str, asked: bool, monkeypatch: pytest.MonkeyPatch
):
    opened: list[str] = []
    app = campus_app(PlayedAgent(club_run()))
    monkeypatch.setattr("campus_agent.tui.screens.link.opened_in_browser", lambda one, **_: opened.append(one) or True)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ask(pilot)
        screen.query_one(Answer).post_message(Answer.Link(address))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, LinkScreen) is asked
        assert opened == []
        if asked:
            assert address in "\n".join(str(part.render()) for part in app.screen.query(".address"))
            await pilot.press("enter")
            await until(pilot, lambda: opened == [address] and not isinstance(app.screen, LinkScreen))


@pytest.mark.parametrize("size", [WIDE, NARROW, (60, 30), (20, 5)])
async def test_the_chat_follows_what_is_written_until_the_person_scrolls_and_again_when_asked(size: tuple[int, int]):
    text = [f"Line {number}.\n\n" for number in range(80)]
    run = Script().step().write(*text).step_over().end(Outcome.ANSWERED, "".join(text)).events
    async with campus_app(PlayedAgent(run, run)).run_test(size=size) as pilot:
        screen = await ask(pilot, "one")
        chat = screen.query_one(ChatPane)
        await until(pilot, lambda: chat.max_scroll_y > 0 and chat.scroll_y == chat.max_scroll_y)
        await pilot.press("pageup")
        await pilot.pause()
        before = chat.scroll_y
        assert before < chat.max_scroll_y
        assert chat.has_class("-more-below")
        screen.query_one(Prompt).text = "two"
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.query(Turn)) == 2 and not screen.busy)
        await until(pilot, lambda: chat.scroll_y == chat.max_scroll_y)
        assert not chat.has_class("-more-below")


async def test_the_terminal_may_change_its_size_in_the_middle_of_an_answer():
    text = [f"word{number} " for number in range(300)]
    run = Script().step().write(*text).step_over().end(Outcome.ANSWERED, "".join(text)).events
    async with campus_app(PlayedAgent(run)).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        for size in ((60, 30), (20, 5), (200, 50), WIDE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        await until(pilot, lambda: not screen.busy and screen.query_one(Answer).source == "".join(text))
        assert screen.query_one(Answer).text == "".join(text)


async def test_a_streamed_code_fence_is_still_there_after_the_theme_changes():
    text = "Run this:\n\n```python\nprint('hello campus')\n```\n"
    run = Script().step().write(*text).step_over().end(Outcome.ANSWERED, text).events
    app = campus_app(PlayedAgent(run))
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot)
        for theme in ("campus-light", "textual-dark", "ansi-light", "campus-dark"):
            app.theme = theme
            await pilot.pause()
            assert "hello" in app.export_screenshot()


def test_the_themes_that_a_setting_may_name_are_those_that_the_app_has():
    assert set(THEMES) == set(campus_app(PlayedAgent(club_run())).available_themes)


async def test_only_so_many_turns_stay_on_the_screen():
    agent = PlayedAgent(refused_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        chat, trace = screen.query_one(ChatPane), screen.query_one(TracePane)
        for number in range(40):
            record = Record(str(number))
            await (await chat.begin(record)).stop()
            await trace.begin(record)
        await pilot.pause()
        assert len(screen.query(Turn)) == chat.kept + 1 < 20
        assert len(screen.query("TracePane RunTrace")) == 5
        assert len(screen.query("TracePane Fold")) == trace.kept + 1 - 5 < 25


async def test_the_trace_of_an_earlier_run_folds_to_its_question_and_opens_by_replaying_its_record():
    agent = PlayedAgent(club_run())
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        for number in range(6):
            screen.question(f"question {number}")
            await until(pilot, lambda number=number: len(agent.asked) == number + 1 and not screen.busy)
        fold = screen.query("TracePane Fold").first(Fold)
        assert str(fold.query_one(FoldLine).render()) == "question 0 ▸"
        await fold.toggle()
        fold.scroll_visible(animate=False)
        await until(pilot, lambda: len(fold.query(Row)) == 6)
        await until(pilot, lambda: "Thursday is in 5" in "\n".join(str(row.render()) for row in fold.query(Row)))
        await fold.toggle()
        await until(pilot, lambda: not fold.query(Row))


def running_timers(app: CampusApp) -> list[str]:
    nodes = [app, app.screen, *app.screen.walk_children()]
    return [timer.name for node in nodes for timer in node._timers if timer._active.is_set()]


async def test_timers_run_during_a_run_and_none_while_nothing_happens():
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        assert running_timers(app) == []
        await pilot.press("a", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        assert running_timers(app)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        assert running_timers(app) == []


async def test_a_key_at_the_bottom_can_be_clicked():
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        line = str(screen.query_one(KeyLine).render())
        await pilot.press("a")
        await pilot.click(KeyLine, offset=(line.index("^J") + 2, 0))
        assert screen.query_one(Prompt).text == "a\n"
        await pilot.click(KeyLine, offset=(line.index("F1") + 2, 0))
        assert isinstance(app.screen, HelpScreen)


async def test_selected_text_is_copied_by_ctrl_c_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: "days_until_weekday" in shown(screen, Row))
        screen.query_one(Prompt).text = "copy me"
        screen.query_one(Prompt).select_all()
        await pilot.press("ctrl+c")
        assert app.clipboard == "copy me"
        assert screen.busy
        await pilot.press("escape")


async def test_leaving_in_the_middle_of_a_stuck_run_ends_the_app_at_once():
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.busy)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert app.return_code == 0
