from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event as ThreadEvent
from typing import Any

import pytest
from screen_runs import ABOUT, QUESTIONS, PlayedAgent, Script, club_run
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.conversation import Conversation, Turn
from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import About, Assistant
from campus_agent.errors import KnowledgeError
from campus_agent.models.chat_model import UserMessage
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.exporting import NotExported
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.help import HelpScreen
from campus_agent.tui.slash.completing import Completion, complete
from campus_agent.tui.slash.table import COMMANDS, in_the_app
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.suggestions import Suggestions

WIDE = (120, 36)


class Assembled:
    """Makes an assistant a time, and remembers from which settings; from the n-th time on it fails, if told so."""

    def __init__(self, *, fails_from: int = 99, waits: ThreadEvent | None = None) -> None:
        self.settings: list[Settings] = []
        self.agents: list[PlayedAgent] = []
        self.fails_from = fails_from
        self.waits = waits

    def __call__(self, settings: Settings) -> Assistant:
        self.settings.append(settings)
        if self.waits is not None and len(self.settings) > 1:
            self.waits.wait(10)
        if len(self.settings) >= self.fails_from:
            raise KnowledgeError("There is nothing to search.", next="Name another folder.")
        agent = PlayedAgent(club_run())
        agent.conversation = Conversation(8)  # type: ignore[attr-defined]
        self.agents.append(agent)
        about = About(model=f"model of {settings.max_steps} steps", base=ABOUT.base, questions=QUESTIONS)
        return Assistant(agent=agent, about=about)  # type: ignore[arg-type]


def app_of(assemble: object) -> CampusApp:
    return CampusApp(Settings(), assemble=assemble, clock=lambda: 0.0)  # type: ignore[arg-type]


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


async def typed(pilot: Pilot[int], text: str, *keys: str) -> None:
    for character in text:
        pilot.app.post_message(events.Key("space" if character == " " else character, character))
    await pilot.pause()
    await pilot.press(*keys)


def said(app: CampusApp) -> str:
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


def prompt(screen: ConversationScreen) -> str:
    return screen.query_one(Prompt).text


def offered(screen: ConversationScreen) -> str:
    suggestions = screen.query_one(Suggestions)
    return str(suggestions.render()) if suggestions.display else ""


# ---- completing ----------------------------------------------------------------------------------------------------


async def test_a_slash_shows_the_commands_and_escape_closes_them_and_stops_nothing():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/")
        assert "/help" in offered(screen)
        assert "Begin a new conversation" in offered(screen)
        await pilot.press("escape")
        assert offered(screen) == ""
        assert prompt(screen) == "/"


async def test_nothing_moves_when_the_commands_are_shown():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        before = [widget.region for widget in (screen.query_one(ChatPane), screen.query_one(Prompt))]
        await typed(pilot, "/")
        assert [widget.region for widget in (screen.query_one(ChatPane), screen.query_one(Prompt))] == before
        assert screen.query_one(Suggestions).region.bottom == screen.query_one(ChatPane).region.bottom


async def test_tab_completes_a_name_and_then_offers_its_values():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/gua", "tab")
        assert prompt(screen) == "/guardrail "
        assert "strict" in offered(screen)
        await pilot.press("down", "tab")
        assert prompt(screen) == "/guardrail warn"
        assert offered(screen) == ""


async def test_enter_takes_what_is_marked_and_runs_it_when_nothing_has_to_follow():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/ste", "enter")
        assert prompt(screen) == "/steps "
        screen.query_one(Prompt).put("")
        await typed(pilot, "/theme drac", "enter")
        await until(pilot, lambda: app.theme == "dracula")
        assert prompt(screen) == ""


async def test_a_path_that_is_typed_is_not_replaced_by_one_that_is_offered(tmp_path, monkeypatch):
    (tmp_path / "talk-long.md").write_text("x")
    monkeypatch.chdir(tmp_path)
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await asked(pilot, screen)
        await typed(pilot, "/export talk")
        await until(pilot, lambda: "talk-long.md" in offered(screen))
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "talk.md").exists())
        assert (tmp_path / "talk-long.md").read_text() == "x"


async def test_the_list_goes_round_and_more_than_fits_can_be_reached():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/", "up")
        assert f"❯ /{COMMANDS[-1].name}" in offered(screen)
        await pilot.press("down")
        assert f"❯ /{COMMANDS[0].name}" in offered(screen)


async def test_a_suggestion_can_be_clicked():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/st")
        await pilot.click(Suggestions, offset=(4, 1))
        await until(pilot, lambda: prompt(screen).startswith("/st"))
        assert prompt(screen) in ("/step", "/steps ")


async def test_models_are_looked_up_while_one_is_typed():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.query_one(Prompt).models = lambda: ("llama-3", "[/x]qwen\x1b[31m")
        await typed(pilot, "/model qw")
        await until(pilot, lambda: "qwen" in offered(screen))
        assert "\x1b" not in offered(screen)


async def test_pasting_a_text_that_begins_with_a_slash_sends_nothing():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        app.post_message(events.Paste("/new\n/quit\nmore"))
        await until(pilot, lambda: prompt(screen) == "/new\n/quit\nmore")
        assert app.is_running


@pytest.mark.parametrize("size", [(120, 36), (60, 20), (40, 12)])
async def test_the_list_fits_on_every_screen(size):
    async with app_of(Assembled()).run_test(size=size) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/")
        assert all(len(row) <= size[0] for row in offered(screen).splitlines())
        assert screen.query_one(Suggestions).region.width <= size[0]


# ---- commands ------------------------------------------------------------------------------------------------------


async def asked(pilot: Pilot[int], screen: ConversationScreen) -> None:
    screen.question(QUESTIONS[0])
    await until(pilot, lambda: screen.query("Turn") and not screen.busy)


async def test_a_setting_is_changed_the_conversation_goes_on_and_it_is_said():
    made = Assembled()
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        turn = Turn((UserMessage("before?"),))
        made.agents[0].conversation.remember([turn])  # type: ignore[attr-defined]
        await asked(pilot, screen)
        await typed(pilot, "/steps 7", "enter")
        await until(pilot, lambda: len(made.agents) == 2 and screen.assistant is not None)
        assert made.settings[-1].max_steps == 7
        assert made.agents[1].conversation.turns == (turn,)  # type: ignore[attr-defined]
        assert screen.query("Turn")
        assert "Changed /steps is now 7" in said(app)
        assert "model of 7 steps" in str(screen.query_one(Header).render())
        await typed(pilot, "where?", "enter")
        await until(pilot, lambda: made.agents[1].asked == ["where?"])


async def test_a_question_that_is_sent_while_the_setting_changes_is_answered_under_the_new_one():
    may_go_on = ThreadEvent()
    made = Assembled(waits=may_go_on)
    async with app_of(made).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/steps 7", "enter")
        await until(pilot, lambda: len(made.settings) == 2)
        await typed(pilot, "where?", "enter")
        may_go_on.set()
        await until(pilot, lambda: len(made.agents) == 2 and made.agents[1].asked == ["where?"])
        assert made.agents[0].asked == []
        await until(pilot, lambda: not screen.busy)


async def test_a_change_that_fails_says_why_and_all_stays_as_it_was():
    made = Assembled(fails_from=2)
    app = app_of(made)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/kb nowhere", "enter")
        await until(pilot, lambda: screen.query(Failure))
        assert "nothing to search" in str(screen.query_one(Failure).render())
        assert app.chosen.settings.kb == ()
        assert prompt(screen) == "/kb nowhere"
        screen.query_one(Prompt).put("")
        await typed(pilot, "when?", "enter")
        await until(pilot, lambda: made.agents[0].asked == ["when?"])


async def test_another_base_is_named_with_its_passages_and_over_the_next_question():
    class Changing(Assembled):
        def __call__(self, settings: Settings) -> Assistant:
            made = super().__call__(settings)
            return replace(made, about=replace(made.about, base=f"{settings.kb or 'demo'} [/x], 7 passages"))

    app = app_of(Changing())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        assert "/kb FOLDER" in str(screen.query_one("Start .yours").render())
        await typed(pilot, "/kb elsewhere", "enter")
        await until(pilot, lambda: "Answers now come from ('elsewhere',) [/x], 7 passages." in said(app))
        await typed(pilot, "one", "enter")
        await until(pilot, lambda: len(screen.records) == 1 and not screen.busy)
        assert not screen.query("Turn .remark")
        await typed(pilot, "/kb again", "enter")
        await until(pilot, lambda: "('again',)" in said(app))
        await typed(pilot, "two", "enter")
        await until(pilot, lambda: len(screen.records) == 2 and not screen.busy)
        (remark,) = screen.query("Turn .remark")
        assert str(remark.render()) == "From here on answers come from ('again',) [/x], 7 passages."
        assert screen.records[1].remark in str(remark.render())


async def test_what_a_new_base_leaves_out_is_said_with_the_change_in_one_message():
    class Leaving(Assembled):
        def __call__(self, settings: Settings) -> Assistant:
            made = super().__call__(settings)
            problems = ("a.md: it is empty\x1b[2J",) if settings.kb else ()
            return replace(made, about=replace(made.about, base=f"{settings.kb or 'demo'}", problems=problems))

    app = app_of(Leaving())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await ready(pilot)
        await typed(pilot, "/kb elsewhere", "enter")
        await until(pilot, lambda: app._notifications)
        (note,) = app._notifications
        assert note.message == "Answers now come from ('elsewhere',).\nLeft out: a.md: it is empty\ufffd[2J"


async def test_the_start_names_no_base_of_ones_own_when_there_is_one():
    app = CampusApp(Settings(kb=("mine",)), assemble=Assembled(), clock=lambda: 0.0)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await until(pilot, lambda: "/kb" not in str(screen.query_one("Start .yours").render()))
        assert "/provider" in str(screen.query_one("Start .yours").render())


async def test_a_base_can_be_named_when_there_was_none_to_search():
    made = Assembled(fails_from=1)
    app = app_of(made)
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen_stack[0]
        await until(pilot, lambda: screen.query(Failure))
        made.fails_from = 99
        await typed(pilot, "/kb elsewhere", "enter")
        await ready(pilot)
        assert made.settings[-1].kb == ("elsewhere",)
        await until(pilot, lambda: not screen.query(Failure) and screen.query("Start OptionList"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/steps many", "/steps many cannot be used.\nIt should be a whole number, not 'many'"),
        ("/theme pink", "The nearest are rose-pine"),
        ("/model tiny", "the answers come from the offline model"),
        ("/guardrail strickt", "strict, warn, off"),
        ("/hlep", "There is no command /hlep"),
        ("/help me", "takes nothing behind it"),
        ("/pace wild", "There is no such pace"),
        ("/export talk.pdf", ".md, .jsonl, .html"),
        ("/export", "nothing to export yet"),
        ("/export missing/talk.svg", "could not be written"),
        ("/copy", "no answer to copy"),
        ("/sources", "Nothing was asked yet"),
        ("/links", "no link to open"),
        ("/branch", "Nothing was asked yet"),
        ("/delete", "journal is not open"),
        ("/resume", "journal is not open"),
        ("/resume abc", "journal is not open"),
        ("/rename It", "journal is not open"),
        ("/[/x]\x1b[31m", "There is no command"),
    ],
)
async def test_what_cannot_be_done_says_why_and_comes_back(text, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Assembled()
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        screen.query_one(Prompt).put(text)
        await pilot.press("enter")
        await until(pilot, lambda: words in said(app) and prompt(screen) == text.replace("\x1b", "\ufffd"))
        assert "\x1b" not in said(app)
        assert len(made.settings) == 1


@pytest.mark.parametrize(
    ("text", "keys", "stands"),
    [
        ("/theme pink", "/steps 4", "/steps 4"),
        ("/steps many", "/", "/"),
        ("/theme pink", "er", "/theme pinker"),
        ("/export missing", "/talk.txt", "/export missing/talk.txt"),
        ("/replay missing", "/talk.jsonl", "/replay missing/talk.jsonl"),
    ],
)
async def test_a_command_that_came_back_makes_way_for_the_next_one_but_a_path_can_be_gone_on_with(text, keys, stands):
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.query_one(Prompt).put(text)
        await pilot.press("enter")
        await until(pilot, lambda: said(app) and prompt(screen) == text)
        await pilot.press(*("slash" if key == "/" else "space" if key == " " else key for key in keys))
        assert prompt(screen) == stands
        if not stands.startswith(text):
            await pilot.press("escape", "up")
            assert prompt(screen) == text


@pytest.mark.parametrize(
    ("answer", "text", "words"),
    [
        ("At 5 PM.", "/sources", "rests on no passage"),
        ("At 5 PM.", "/links", "no link to open"),
        (None, "/copy", "no answer to copy"),
    ],
)
async def test_a_command_about_an_answer_comes_back_where_the_answer_has_nothing_of_the_kind(answer, text, words):
    made = Assembled()
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        outcome = Outcome.ANSWERED if answer else Outcome.MALFORMED
        made.agents[0].runs = [Script().step().end(outcome, answer).events]
        await asked(pilot, screen)
        screen.query_one(Prompt).put(text)
        await pilot.press("enter")
        await until(pilot, lambda: words in said(app) and prompt(screen) == text)


async def test_an_unknown_command_comes_back_with_the_nearest_few_and_where_all_are():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/stepz 3", "enter")
        await until(pilot, lambda: "There is no command /stepz." in said(app))
        assert "The nearest are /step, /steps, " in said(app)
        assert "/ alone lists all." in said(app)
        assert prompt(screen) == "/stepz 3"


async def test_a_setting_waits_for_the_run_with_words_and_comes_back():
    made = Assembled()
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        made.agents[0].runs = [club_run(until_second_call=True)]
        screen.question("when?")
        await until(pilot, lambda: screen.busy)
        await typed(pilot, "/steps 3", "enter")
        await until(pilot, lambda: "A run goes on" in said(app))
        assert prompt(screen) == "/steps 3"
        assert len(made.settings) == 1
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)


async def test_a_setting_without_a_value_says_the_one_in_force():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await ready(pilot)
        await typed(pilot, "/steps", "escape", "enter")
        await until(pilot, lambda: "/steps is 5" in said(app))


@pytest.mark.parametrize("pasted", [" /help", "//help", ""])
async def test_a_question_may_begin_with_a_slash(pasted):
    made = Assembled()
    app = app_of(made)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        if pasted:
            app.post_message(events.Paste(pasted))
        await typed(pilot, "" if pasted else "//help", "enter")
        await until(pilot, lambda: made.agents[0].asked == ["/help"] and not screen.busy)


async def test_a_question_with_a_slash_comes_back_as_a_question():
    made = Assembled()
    async with app_of(made).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        made.agents[0].runs = [Script().step().events]
        await typed(pilot, "//etc?", "enter")
        await until(pilot, lambda: screen.busy)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy and prompt(screen) == "//etc?")


async def test_help_opens_trace_hides_and_quit_leaves():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/help", "enter")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("escape")
        await typed(pilot, "/trace", "enter")
        await until(pilot, lambda: not screen.query_one("TracePane").display)
        await typed(pilot, "/quit", "enter")
        await until(pilot, lambda: not app.is_running or app._exit)


async def test_step_mode_pace_and_big_type_are_turned_on_and_off():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/step", "escape", "enter")
        await until(pilot, lambda: screen.stepping.on)
        await typed(pilot, "/step", "escape", "enter")
        await until(pilot, lambda: not screen.stepping.on)
        await typed(pilot, "/pace slow", "enter")
        await until(pilot, lambda: screen.pace.speed == "slow")
        await typed(pilot, "/pace wild", "enter")
        await until(pilot, lambda: "There is no such pace" in said(app))
        assert screen.pace.speed == "slow"
        screen.query_one(Prompt).put("")
        before = screen.css_identifier_styled, set(screen.classes)
        await typed(pilot, "/big", "enter")
        await until(pilot, lambda: (screen.css_identifier_styled, set(screen.classes)) != before)


async def test_what_was_exported_can_be_replayed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await asked(pilot, screen)
        await screen.export("my talk.jsonl")
        await typed(pilot, "/replay my\\ talk.jsonl", "enter")
        await until(pilot, lambda: app.screen is not screen)
        await until(
            pilot, lambda: QUESTIONS[0] in "".join(str(one.render()) for one in app.screen.query("Turn Static"))
        )


@pytest.mark.parametrize("text", ["/replay missing.jsonl", "/replay", "/replay ."])
async def test_what_cannot_be_replayed_comes_back_with_the_reason(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        screen.query_one(Prompt).put(text)
        await pilot.press("enter")
        await until(pilot, lambda: said(app))
        assert prompt(screen) == text
        assert app.screen is screen


async def test_the_help_names_every_command():
    app = app_of(Assembled())
    async with app.run_test(size=(120, 200)) as pilot:
        await ready(pilot)
        app.action_help()
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = "\n".join(str(widget.render()) for widget in app.screen.query("Static"))
        assert all(command.shown in shown for command in COMMANDS)


async def test_new_begins_anew():
    made = Assembled()
    async with app_of(made).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await asked(pilot, screen)
        await typed(pilot, "/new", "enter")
        await until(pilot, lambda: screen.query(Start) and made.agents[0].resets == 1)
        assert screen.query_one(ChatPane).records == ()


async def test_every_command_is_in_the_palette_and_one_with_an_argument_goes_to_the_prompt():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        app.action_command_palette()
        await until(pilot, lambda: app.screen.query(OptionList) and app.screen.query_one(OptionList).option_count > 10)
        shown = "\n".join(str(option.prompt) for option in app.screen.query_one(OptionList)._options)
        assert all(command.shown in shown for command in COMMANDS)
        await pilot.press("escape")
        await screen.choose(next(command for command in COMMANDS if command.name == "guardrail"))
        await until(pilot, lambda: prompt(screen) == "/guardrail " and "strict" in offered(screen))


# ---- exporting -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "begins"),
    [
        ("", "campus-agent-2026-06-13-170*.md", "# A conversation"),
        ("talk", "talk.md", "# A conversation"),
        ("talk.jsonl", "talk.jsonl", '{"run_id"'),
        ("my\\ talk.svg", "my talk.svg", "<svg"),
    ],
)
async def test_a_conversation_is_saved_and_it_is_said_where(tmp_path, monkeypatch, written, name, begins):
    monkeypatch.chdir(tmp_path)
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await asked(pilot, screen)
        screen.query_one(Prompt).put(f"/export {written}")
        await pilot.press("enter")
        await until(pilot, lambda: list(tmp_path.glob(name)))
        (file,) = tmp_path.glob(name)
        assert file.read_text(encoding="utf-8").startswith(begins)
        assert str(file) in said(app)


async def test_an_export_never_overwrites_and_a_place_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.md").write_text("mine")
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await asked(pilot, screen)
        await screen.export("talk.md")
        assert (tmp_path / "talk-2.md").exists()
        for place in ("missing/talk.md", "\0.md"):
            with pytest.raises(NotExported, match="could not be written"):
                await screen.export(place)
        assert (tmp_path / "talk.md").read_text() == "mine"


async def test_an_export_holds_no_key_that_the_program_knows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    key = "a-key-of-nobody"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        app.screen_stack[0].assistant.agent.runs = [Script(f"is it {key}").events]  # type: ignore[union-attr]
        screen.question(f"is it {key}")
        await until(pilot, lambda: screen.busy)
        await screen.export("talk.md")
        assert key not in (tmp_path / "talk.md").read_text(encoding="utf-8")
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)


def test_completing_reads_nothing_for_a_question():
    def never() -> tuple[str, ...]:
        raise AssertionError

    assert complete("which model is it?", models=never).suggestions == ()


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        ("allow more steps with --max-steps.", "allow more steps with /steps N (when you start: --max-steps)."),
        ("start with --max-steps 8.", "start with /steps 8 (when you start: --max-steps 8)."),
        ("more time with --deadline.", "more time with /deadline SECONDS (when you start: --deadline)."),
        ("name another with --model NAME", "name another with /model NAME (when you start: --model NAME)"),
        ("more calls with --max-tool-calls.", "more calls with --max-tool-calls."),
        ("--kb-folder, x--kb and --modelling", "--kb-folder, x--kb and --modelling"),
        ("", ""),
    ],
)
def test_in_the_app_advice_names_the_command_that_does_what_a_flag_does(advice: str, said: str):
    assert in_the_app(advice) == said


@pytest.mark.parametrize(
    ("text", "told"), [("/steps", "/steps is 5"), ("/theme", "/theme is default"), ("/STEPS", "is 5")]
)
async def test_a_command_that_is_typed_whole_is_sent_by_enter_although_more_could_stand_behind_it(text: str, told: str):
    app = app_of(Assembled())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await typed(pilot, text, "enter")
        await until(pilot, lambda: told in said(app))
        assert prompt(screen) == ""


async def test_tab_takes_the_completion_of_a_command_that_is_typed_whole():
    app = app_of(Assembled())
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, "/steps", "tab")
        assert prompt(screen) == "/steps "


# ---- Tab before it is known how a path goes on


async def test_tab_that_comes_before_a_folder_is_read_completes_the_path_once_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "campus").mkdir()
    may_read = ThreadEvent()

    def late(text: str, **more: Any) -> Completion:
        may_read.wait(10)
        return complete(text, **more)

    monkeypatch.setattr("campus_agent.tui.widgets.completed.complete", late)
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, f"/kb {tmp_path}/ca", "tab")
        may_read.set()
        await until(pilot, lambda: prompt(screen) == f"/kb {tmp_path}/campus/")
        assert screen.query_one(Prompt).has_focus


async def test_keys_of_one_burst_complete_a_command_too():
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        for key in ("/", "d", "e", "a", "tab"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: prompt(screen) == "/deadline ")
        assert screen.query_one(Prompt).has_focus


async def test_tab_goes_on_to_the_next_part_where_a_path_has_no_end(tmp_path: Path):
    async with app_of(Assembled()).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await typed(pilot, f"/kb {tmp_path}/nowhere")
        await screen.app.workers.wait_for_complete()
        await pilot.press("tab")
        await until(pilot, lambda: not screen.query_one(Prompt).has_focus)
        assert prompt(screen) == f"/kb {tmp_path}/nowhere"
