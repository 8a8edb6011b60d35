"""Walks every place that shows text from outside: none reads it as markup, none lets it drive the terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from screen_runs import HOSTILE, PlayedAgent, Script, campus_app, club_run
from test_hostile_text import HOSTILE_ABOUT, ask, assert_harmless, hostile_run, whole_screen
from textual.pilot import Pilot
from textual.widgets import TextArea
from waiting import until

from campus_agent.agent.events import Event, Planned, PlanTicked, Reviewed, Reviewing
from campus_agent.agent.gate import BeforeAct, BeforeModel
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import About
from campus_agent.errors import Explanation
from campus_agent.guardrail.review import CheckedFact
from campus_agent.recording import Recording
from campus_agent.tools.tool import Source
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.edit_arguments import EditArgumentsScreen
from campus_agent.tui.screens.link import LinkScreen
from campus_agent.tui.screens.passage import PassageScreen
from campus_agent.tui.screens.replay import ReplayScreen
from campus_agent.tui.slash.completing import Completion, Suggestion
from campus_agent.tui.stepping import Pause, Stepping
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.pause_card import PauseCard
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row

BIDI = "\u2066isolated\u2069 \u202dleft\u202c"
TEXT = f"{HOSTILE} {BIDI}"
SEEN = "[@click=app.quit]quit[/]"
LONG = "A" * 200_000
SOURCE = Source(title=TEXT, source=TEXT, line=1, text=TEXT)

Sink = Callable[[ConversationScreen, Pilot[int]], Awaitable[object]]


async def complaint(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.complain(Explanation(what=TEXT, cause=TEXT, next=TEXT))


async def unknown_command(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.query_one(Prompt).text = f"/{TEXT}"
    screen.query_one(Prompt).action_send()


async def wrong_theme(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.query_one(Prompt).text = f"/theme {TEXT}"
    screen.query_one(Prompt).action_send()


async def recording_that_is_not_there(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.query_one(Prompt).text = f"/replay {TEXT}"
    screen.query_one(Prompt).action_send()


async def pause_before_a_call(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.question("a")
    await until(pilot, lambda: screen.playing is not None)
    coming = BeforeAct(1, "call-1", TEXT, {TEXT: TEXT, "query": TEXT})
    screen.post_message(Stepping.Held(Pause(coming)))
    await until(pilot, lambda: screen.query(PauseCard))


async def pause_before_the_model(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.question("a")
    await until(pilot, lambda: screen.playing is not None)
    screen.post_message(Stepping.Held(Pause(BeforeModel(2, 5))))
    await until(pilot, lambda: screen.query(PauseCard))


async def arguments_to_edit(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    editor = EditArgumentsScreen(TEXT, {TEXT: TEXT}, check=lambda _: f"wrong: {TEXT}")
    screen.app.push_screen(editor)
    await until(pilot, lambda: screen.app.screen is editor)
    editor.query_one(TextArea).insert(TEXT)
    await pilot.press("enter")


async def passages(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    facts = (CheckedFact(text=TEXT, kind="name", supported=True, source=TEXT),)
    screen.app.push_screen(PassageScreen([SOURCE, SOURCE], facts, first=1))


async def replay(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    run = tuple(hostile_run(Outcome.REFUSED, TEXT, None))
    recording = Recording(TEXT, (run, run), tuple(f"line {n}: {TEXT}" for n in range(8)))
    screen.app.push_screen(ReplayScreen(recording, clock=lambda: 0.0))
    await until(pilot, lambda: screen.app.screen.query(Row))


async def suggestions(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    prompt = screen.query_one(Prompt)
    offered = (Suggestion(f"/kb {TEXT}", TEXT, TEXT), Suggestion("/kb b", f"second {TEXT}", TEXT))
    prompt.suggestions.offer(Completion("/kb", offered))
    prompt.take(offered[0])
    prompt.suggestions.offer(Completion("/kb", offered))


async def address(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.app.push_screen(LinkScreen(f"https://example.org/{TEXT}"))


async def address_that_is_refused(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.post_message(Answer.Link(f"javascript:{TEXT}"))


async def header(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen._header.about(model=TEXT, base=TEXT)


async def error_card(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    await screen.not_ready(Explanation(what=TEXT, cause=TEXT, next=TEXT))


async def question_that_comes_back(screen: ConversationScreen, pilot: Pilot[int]) -> None:
    screen.query_one(Prompt).give_back([TEXT, f"second {TEXT}"])


SINKS: list[Sink] = [
    complaint,
    unknown_command,
    wrong_theme,
    recording_that_is_not_there,
    pause_before_a_call,
    pause_before_the_model,
    arguments_to_edit,
    passages,
    replay,
    suggestions,
    address,
    address_that_is_refused,
    header,
    error_card,
    question_that_comes_back,
]
SHOWS_NOTHING_FROM_OUTSIDE = (pause_before_the_model,)


@pytest.mark.parametrize("size", [(160, 60), (70, 40), (30, 12)], ids=["wide", "narrow", "tiny"])
@pytest.mark.parametrize("sink", SINKS, ids=lambda sink: sink.__name__)
async def test_every_place_that_shows_text_from_outside_shows_it_as_text(
    sink: Sink, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    app = campus_app(PlayedAgent(club_run(until_second_call=True)), about=HOSTILE_ABOUT)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        await until(pilot, lambda: screen.assistant is not None)
        await sink(screen, pilot)
        await pilot.pause()
        await pilot.pause()
        assert_harmless(app)
        if size[0] == 160 and sink not in SHOWS_NOTHING_FROM_OUTSIDE:
            assert SEEN in whole_screen(app) or "[@click=app.quit" in whole_screen(app)
        screen.action_stop()


def second_looks() -> list[Event]:
    """Return a run with a plan, a verifier and a critic, whose every word comes from a hostile model."""
    script = Script(TEXT)
    script._add(Planned, items=(TEXT, f"second {TEXT}"), latency_ms=1.0).step()
    script._add(PlanTicked, step=1, item=0).write(TEXT)
    for by in ("verifier", "critic"):
        script._add(Reviewing, step=1, by=by, round=1, of=2, prompt_chars=10)
        script._add(Reviewed, step=1, by=by, round=1, approved=False, text=TEXT, latency_ms=1.0)
    return script.step_over().end(Outcome.ANSWERED, TEXT).events


MARKDOWN = "\n\n".join(
    [
        f"# {TEXT}",
        f"> {TEXT}",
        f"- {TEXT}",
        f"1. {TEXT}",
        f"```{TEXT}\n{TEXT}\n```",
        f"    {TEXT}",
        f"| {TEXT} | b |\n| --- | --- |\n| {TEXT} | {TEXT} |",
        f"[{TEXT}](https://example.org)",
        f"![{TEXT}](https://example.org/x.png)",
        f"`{TEXT}` **{TEXT}** *{TEXT}* ~~{TEXT}~~ <b onclick='x'>{TEXT}</b>",
        f"<script>{TEXT}</script>",
    ]
)


def in_every_kind_of_block() -> list[Event]:
    return Script().step().write(*MARKDOWN).step_over().end(Outcome.ANSWERED, MARKDOWN).events


@pytest.mark.parametrize("run", [second_looks, in_every_kind_of_block], ids=lambda run: run.__name__)
@pytest.mark.parametrize("size", [(160, 60), (60, 40)], ids=["wide", "narrow"])
async def test_what_a_model_writes_is_text_in_plans_second_looks_and_every_kind_of_block(run, size: tuple[int, int]):
    app = campus_app(PlayedAgent(run()), about=HOSTILE_ABOUT)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = await ask(pilot, TEXT)
        assert_harmless(app)
        for key in ("pageup", "f2", "f3", "f1"):
            await pilot.press(key)
            await pilot.pause()
            assert_harmless(app)
        assert screen.query(Answer)


def long_run() -> list[Event]:
    """Return a run in which everything that a model or a tool can send is very long, and all of it one line."""
    source = Source(title=LONG, source=LONG, line=1, text=LONG)
    script = Script(LONG).note(LONG).step().think(LONG)
    script.act(LONG, {"query": LONG, LONG: 1}, repaired=LONG).observe(LONG * 5, sources=[source])
    script.act("raw", None, raw_arguments=LONG).observe("\n".join(["line"] * 100_000)).step_over()
    script.step().write(LONG).check((LONG, "name", None)).withdraw("rejected")
    script.step().write(LONG).step_over().check((LONG, "name", LONG))
    return script.end(Outcome.ANSWERED, LONG).events


LONG_EXPLAINED = Explanation(what=LONG, cause=LONG, next=LONG)


@pytest.mark.parametrize("size", [(120, 36), (60, 30)], ids=["wide", "narrow"])
async def test_very_long_lines_from_everybody_break_nothing(size: tuple[int, int]):
    about = About(model=LONG, base=LONG, questions=(LONG, "short"), problems=(LONG,), topics=())
    failed = Script(LONG).step().end(Outcome.PROVIDER_ERROR, None, LONG_EXPLAINED).events
    app = campus_app(PlayedAgent(long_run(), failed), about=about)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = await ask(pilot, "first")
        assert_harmless(app)
        await pilot.press("f2")
        await pilot.pause()
        assert_harmless(app)
        await pilot.press("f2")
        screen.question(LONG)
        screen.question(LONG)
        await until(pilot, lambda: screen.query("Failure") and not screen.busy)
        assert_harmless(app)


def test_the_walk_is_about_text_that_is_hostile_in_every_way_that_is_known():
    assert all(bad in TEXT for bad in ("[/x]", "[@click=app.quit]", "\x1b]52;", "\x9b", "\u202e", "\u2066", "$primary"))
