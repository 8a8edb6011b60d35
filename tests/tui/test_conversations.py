from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from kept_runs import ANSWER, SIZE, asked, begun, keeping_app, questions, record, runs, stored, written
from screen_runs import ABOUT, Script, club_run, refused_run
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static
from traced import ask, shown
from waiting import until

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.journal.store import Journal
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool
from campus_agent.tui.record import Record
from campus_agent.tui.screens.confirm import ConfirmScreen
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.conversations import ConversationsScreen
from campus_agent.tui.screens.replay import ReplayScreen
from campus_agent.tui.widgets.answer import Answer
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.widgets.turn import Turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def command(pilot: Pilot[int], typed: str) -> None:
    pilot.app.screen_stack[0].query_one(Prompt).text = typed
    await pilot.press("enter")
    await pilot.pause()


async def listing(pilot: Pilot[int], count: int) -> ConversationsScreen:
    await pilot.press("ctrl+r")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConversationsScreen))
    screen = pilot.app.screen
    assert isinstance(screen, ConversationsScreen)
    await until(pilot, lambda: screen.query_one(OptionList).option_count == count)
    return screen


def titles(screen: ConversationsScreen) -> list[str]:
    options = screen.query_one(OptionList).options
    return [str(option.prompt).split("\n")[0] for option in options]


def head(screen: ConversationsScreen) -> str:
    return str(screen.query(".sheet > Static").first(Static).render())


def foot(screen: ConversationsScreen) -> str:
    return str(screen.query_one(".keys", Static).render())


def answered(question: str, answer: str = ANSWER) -> list[Event]:
    return Script(question).step().write(answer).step_over().end(Outcome.ANSWERED, answer).events


# ---- keeping ---------------------------------------------------------------------------------------------------------


async def test_what_is_asked_in_one_sitting_is_one_conversation_and_new_begins_another(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?", "Where?")
        await command(pilot, "/new")
        await until(pilot, lambda: not screen.query(Turn))
        await ask(pilot, "Who?")
    assert stored(path) == {"When?": ["When?", "Where?"], "Who?": ["Who?"]}


async def test_every_event_is_in_the_journal_when_it_is_shown(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?")
        (shown_run,) = screen.records
        with Journal(path) as journal:
            kept = Record(shown_run.question, run="", read=partial(journal.events, shown_run.run)).events
        assert kept == shown_run.events


async def test_nothing_is_written_where_nothing_is_to_be_kept(path: Path, isolation: Path):
    async with keeping_app(path, journal=False).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?")
        await command(pilot, "Secret?")
        await until(pilot, lambda: len(screen.records) == 2 and not screen.busy)
    assert stored(path) == {}
    assert written(isolation) == ""


async def test_a_conversation_that_goes_on_with_the_journal_off_says_that_nothing_is_kept(path: Path):
    id = await record(path, answered("one?"))
    async with keeping_app(path, first=id, journal=False).run_test(size=SIZE, notifications=True) as pilot:
        screen = await begun(pilot)
        await until(pilot, lambda: questions(screen) == ["one?"])
        await until(pilot, lambda: any("journal is off" in str(note.message) for note in pilot.app._notifications))


async def test_in_private_nothing_that_is_asked_is_kept_until_it_ends(path: Path, isolation: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?")
        await command(pilot, "/private")
        assert "private" in str(screen.query_one("#asking").border_title)
        await command(pilot, "Secret?")
        await until(pilot, lambda: len(screen.records) == 2 and not screen.busy)
        await command(pilot, "/private")
        assert "private" not in str(screen.query_one("#asking").border_title or "")
    assert "Secret?" not in str(stored(path))
    assert "When?" in written(isolation)
    assert "Secret?" not in written(isolation)


async def test_a_journal_that_cannot_be_written_is_said_and_the_chat_goes_on(tmp_path: Path):
    async with keeping_app(tmp_path).run_test(size=SIZE, notifications=True) as pilot:
        screen = await ask(pilot, "When?")
        assert screen.records[-1].finished
        assert any("nothing is kept" in str(note.message) for note in pilot.app._notifications)


async def test_what_a_lock_kept_out_of_the_journal_until_the_end_is_said_when_the_app_is_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("campus_agent.journal.recorder._WAIT", 0.01)
    monkeypatch.setattr("campus_agent.journal.recorder._LAST_WAIT", 0.01)
    app, left = keeping_app(path), list[object]()
    monkeypatch.setattr(app, "exit", lambda message: left.append(message))
    async with app.run_test(size=SIZE) as pilot:
        await begun(pilot)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await ask(pilot, "When?")
            await pilot.press("ctrl+q")
            await until(pilot, lambda: left)
    assert "Not kept in the journal: “When?”: another program keeps it locked" in str(left[0])


async def test_after_it_was_said_that_nothing_is_kept_a_command_says_why(tmp_path: Path):
    async with keeping_app(tmp_path).run_test(size=SIZE, notifications=True) as pilot:
        await ask(pilot, "When?")
        await command(pilot, "/rename Clubs")
        said = "Nothing of this conversation is kept.\nFrom here on"
        await until(pilot, lambda: any(said in str(note.message) for note in pilot.app._notifications))


# ---- going on --------------------------------------------------------------------------------------------------------


async def test_a_conversation_to_begin_with_is_shown_with_its_traces_and_counters_and_is_remembered(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await ask(pilot, "When?", "Where?")
    async with keeping_app(path, first="last").run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        await until(pilot, lambda: len(screen.query(Turn)) == 2)
        assert questions(screen) == ["When?", "Where?"]
        assert [str(answer.text) for answer in screen.query(Answer)] == [ANSWER, ANSWER]
        assert len(screen.query(RunTrace)) == 2
        assert "2/5" in str(screen.query_one(Header).render())
        assert screen.assistant
        assert len(screen.assistant.agent.conversation.turns) == 2
        screen.question("Who?")
        await until(pilot, lambda: len(screen.query(Turn)) == 3 and not screen.busy)
    assert stored(path) == {"When?": ["When?", "Where?", "Who?"]}


async def test_a_question_that_was_sent_before_the_conversation_was_there_is_asked_in_it(path: Path):
    await record(path, answered("When?"))
    async with keeping_app(path, first="last").run_test(size=SIZE) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        screen.question("Where?")
        await until(pilot, lambda: len(screen.records) == 2 and not screen.busy)
    assert stored(path) == {"When?": ["When?", "Where?"]}


async def test_what_is_sent_while_a_conversation_is_read_is_asked_in_it(path: Path, monkeypatch: pytest.MonkeyPatch):
    id = await record(path, answered("When?"))
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        recall = ChatPane.recall

        async def sent_meanwhile(pane: ChatPane, records: Sequence[Record]) -> None:
            screen.question("Where?")
            await recall(pane, records)

        monkeypatch.setattr(ChatPane, "recall", sent_meanwhile)
        screen.resume(id)
        await until(pilot, lambda: questions(screen) == ["When?", "Where?"] and not screen.busy)
    assert runs(path) == [["When?", "Where?"]]


async def test_a_journal_that_breaks_in_the_middle_is_said_once_and_the_chat_goes_on(path: Path):
    async with keeping_app(path).run_test(size=SIZE, notifications=True) as pilot:
        screen = await ask(pilot, "When?")
        assert screen.kept
        screen.kept.recorder._db.execute("DROP TABLE events")  # type: ignore[union-attr]
        for question in ("Where?", "Who?"):
            await asked(pilot, screen, question)
            assert screen.records[-1].finished
        notices = [note for note in pilot.app._notifications if "nothing is kept" in str(note.message)]
        assert len(notices) == 1


async def test_a_conversation_that_is_gone_is_said_and_a_new_one_begins(path: Path):
    async with keeping_app(path, first="abc").run_test(size=SIZE, notifications=True) as pilot:
        await begun(pilot)
        assert any("abc" in str(note.message) for note in pilot.app._notifications)


async def test_another_base_or_model_is_said_over_the_next_question(path: Path):
    id = await record(path, answered("When?"), base="Old base", model=ABOUT.model)
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        screen.resume(id[:6])
        await until(pilot, lambda: screen.query(Turn))
        screen.question("Where?")
        await until(pilot, lambda: len(screen.query(Turn)) == 2 and not screen.busy)
        said = shown(screen, ".remark")
        assert "Old base" in said
        assert "by" not in said


async def test_a_run_without_an_end_is_shown_as_cut_in_the_chat_and_in_the_trace(path: Path):
    id = await record(path, club_run(until_second_call=True))
    async with keeping_app(path, first=id).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        await until(pilot, lambda: screen.query(RunTrace))
        assert "cut off" in str(screen.query_one(Status).render())
        assert "cut off" in shown(screen, ".outcome")
        acting = [row for row in shown(screen, Row).splitlines() if "▸ acting" in row]
        assert acting[-1].endswith("not finished")
        assert "n/a" in str(screen.query_one(Header).render())


@pytest.mark.parametrize("width", [60, 120])
async def test_a_long_conversation_comes_back_with_few_widgets_and_older_turns_when_scrolled_to(path: Path, width: int):
    id = await record(path, *(answered(f"question {number}") for number in range(300)))
    async with keeping_app(path, first=id).run_test(size=(width, 30)) as pilot:
        screen = await begun(pilot)
        chat = screen.query_one(ChatPane)
        await until(pilot, lambda: questions(screen)[-1:] == ["question 299"])
        assert len(screen.query(Turn)) == chat.kept + 1
        assert len(screen.records) == 300
        first = questions(screen)[0]
        chat.scroll_home(animate=False)
        await until(pilot, lambda: questions(screen)[0] != first and not chat._moving)
        assert f"{chat._first} earlier questions" in str(screen.query(".earlier").first().render())


# ---- the list --------------------------------------------------------------------------------------------------------


async def test_the_list_shows_conversations_narrows_them_down_by_title_and_text_and_goes_on_with_one(path: Path):
    await record(path, answered("Where is the pool?", "In the gym."))
    await record(path, answered("When is lunch?", "At noon, beside the fountain."))
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        listed = await listing(pilot, 2)
        assert titles(listed) == ["When is lunch?", "Where is the pool?"]
        await pilot.press(*"fount")
        await until(pilot, lambda: titles(listed) == ["When is lunch?"])
        await pilot.press(*["backspace"] * 5, *"POOL")
        await until(pilot, lambda: titles(listed) == ["Where is the pool?"])
        await pilot.press("enter")
        await until(pilot, lambda: questions(screen) == ["Where is the pool?"])
        assert screen.kept
        assert screen.kept.recorder.conversation is not None


async def test_in_the_list_a_conversation_is_renamed_and_deleted_when_that_is_confirmed(path: Path):
    await record(path, answered("Where is the pool?"))
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await begun(pilot)
        listed = await listing(pilot, 1)
        await pilot.press("f2", "!", "enter")
        await until(pilot, lambda: titles(listed) == ["Where is the pool?!"])
        for key, count in (("escape", 1), ("y", 0)):
            await pilot.press("f8")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
            await pilot.press(key)
            await until(pilot, lambda count=count: pilot.app.screen is listed and len(titles(listed)) == count)
    assert stored(path) == {}


async def test_while_a_conversation_is_renamed_the_list_says_so_and_no_key_does_anything_else(path: Path):
    await record(path, answered("Where is the pool?"))
    await record(path, answered("When is lunch?"))
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await begun(pilot)
        listed = await listing(pilot, 2)
        assert foot(listed) == "⏎ resume  esc leave  F6 copy  F2 rename  F8 delete"
        await pilot.press("f2", "!", "f2", "f6", "f8", "down", "up")
        await pilot.click(OptionList)
        assert head(listed) == "New title"
        assert foot(listed) == "⏎ keep  esc leave it"
        assert pilot.app.screen is listed
        assert listed.query_one(Input).value == "When is lunch?!"
        await pilot.press("escape")
        assert head(listed) == "Earlier conversations"
        assert foot(listed).startswith("⏎ resume")
        assert listed.query_one(Input).value == ""
        assert titles(listed) == ["When is lunch?", "Where is the pool?"]


async def test_a_copy_begins_with_the_next_question_and_the_conversation_that_goes_on_is_not_deleted_in_the_list(path):
    id = await record(path, answered("Where is the pool?"))
    async with keeping_app(path).run_test(size=SIZE, notifications=True) as pilot:
        screen = await begun(pilot)
        await listing(pilot, 1)
        await pilot.press("f6")
        await until(pilot, lambda: questions(screen) == ["Where is the pool?"])
        assert runs(path) == [["Where is the pool?"]]
        await asked(pilot, screen, "And when?")
        assert runs(path) == [["Where is the pool?", "And when?"], ["Where is the pool?"]]
        await listing(pilot, 2)
        await pilot.press("f8")
        await until(pilot, lambda: any("/delete" in str(note.message) for note in pilot.app._notifications))
        await pilot.press("down", "enter")
        await until(pilot, lambda: screen.kept and screen.kept.recorder.conversation == id)


async def test_hostile_titles_stay_text(path: Path):
    await record(path, answered("[/x] [b]bold[/b] \x1b[31mred\u202e $primary"), base="[/y]")
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await begun(pilot)
        listed = await listing(pilot, 1)
        assert "[/x] [b]bold[/b]" in titles(listed)[0]
        assert "\x1b" not in titles(listed)[0]


# ---- branching, names, deleting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("journal", [True, False], ids=["kept", "not kept"])
async def test_a_branch_goes_back_to_before_a_question_which_stands_in_the_prompt(path: Path, journal: bool):
    async with keeping_app(path, journal=journal).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?", "Where?", "Who?")
        screen.query(Turn)[-1].focus()
        await pilot.press("up", "f6")
        await until(pilot, lambda: questions(screen) == ["When?"])
        assert screen.query_one(Prompt).text == "Where?"
        assert screen.assistant
        assert len(screen.assistant.agent.conversation.turns) == 1
        assert len(screen.query(RunTrace)) == 1
        screen.query_one(Prompt).text = "Where else?"
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.query(Turn)) == 2 and not screen.busy)
    assert runs(path) == ([["When?", "Where else?"], ["When?", "Where?", "Who?"]] if journal else [])


async def test_a_branch_in_which_nothing_is_asked_leaves_nothing_and_can_be_branched_again(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "A?", "B?", "C?")
        for left in (["A?", "B?"], ["A?"]):
            await command(pilot, "/branch")
            await until(pilot, lambda left=left: questions(screen) == left)
        assert runs(path) == [["A?", "B?", "C?"]]
        await asked(pilot, screen, "D?")
        assert runs(path) == [["A?", "D?"], ["A?", "B?", "C?"]]
        await command(pilot, "/new")
        await until(pilot, lambda: not screen.query(Turn))
        await asked(pilot, screen, "E?")
    assert runs(path) == [["E?"], ["A?", "D?"], ["A?", "B?", "C?"]]


async def test_a_branch_from_the_first_question_begins_a_new_conversation(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?")
        await command(pilot, "/branch")
        await until(pilot, lambda: not screen.query(Turn))
        assert screen.query_one(Prompt).text == "When?"
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.query(Turn)) == 1 and not screen.busy)
    with Journal(path) as journal:
        assert [row.runs for row in journal.conversations()] == [1, 1]


async def test_this_conversation_is_renamed_and_deleted_by_commands(path: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await ask(pilot, "When?")
        await command(pilot, "/rename Clubs")
        await until(pilot, lambda: list(stored(path)) == ["Clubs"])
        await command(pilot, "/delete")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not screen.query(Turn) and not stored(path))


async def test_a_question_of_a_deleted_conversation_leaves_the_history_of_the_prompt(path: Path, isolation: Path):
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        await command(pilot, "Where?")
        await until(pilot, lambda: len(screen.records) == 1 and not screen.busy and "Where?" in written(isolation))
        await command(pilot, "/delete")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not stored(path) and "Where?" not in written(isolation))
    assert "Where?" not in written(isolation)


@pytest.mark.parametrize("typed", ["/rename Clubs", "/delete", "/resume abc"])
async def test_what_cannot_be_done_is_said(path: Path, typed: str):
    async with keeping_app(path).run_test(size=SIZE, notifications=True) as pilot:
        await begun(pilot)
        await command(pilot, typed)
        await until(pilot, lambda: list(pilot.app._notifications))


# ---- taking it elsewhere ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["html", "cast", "jsonl", "md", "svg"])
async def test_a_resumed_conversation_is_exported_whole_in_every_form(path: Path, tmp_path: Path, ending: str):
    id = await record(path, *(answered(f"question {number}") for number in range(40)))
    file = tmp_path / f"talk.{ending}"
    async with keeping_app(path, first=id).run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        await until(pilot, lambda: screen.query(Turn))
        await command(pilot, f"/export {file}")
        await until(pilot, file.exists)
    assert ("question 0" in file.read_text()) is (ending != "svg")


def saved(folder: Path) -> list[str]:
    return [file.name for file in folder.glob("talk*")]


async def test_leaving_waits_until_an_export_is_written(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    going, goes_on = threading.Event(), threading.Event()

    def slow(*arguments: object, **options: object) -> str:
        going.set()
        goes_on.wait(30)
        return "all of it"

    monkeypatch.setattr("campus_agent.tui.exporting.written", slow)
    file = tmp_path / "talk.md"
    async with keeping_app(path).run_test(size=SIZE, notifications=True) as pilot:
        await ask(pilot, "When?")
        await command(pilot, f"/export {file}")
        await until(pilot, going.is_set)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: any("is saved" in str(note.message) for note in pilot.app._notifications))
        assert saved(tmp_path) == []
        goes_on.set()
        await until(pilot, file.exists)
    assert file.read_text() == "all of it"


@pytest.mark.parametrize("named", ["last", "the id"])
async def test_a_run_of_the_journal_is_replayed_on_the_same_screens(path: Path, named: str):
    await record(path, refused_run())
    with Journal(path) as journal:
        id = journal.run("last").id
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await begun(pilot)
        await command(pilot, f"/replay {'last' if named == 'last' else id}")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        screen._player.change_pace("fast")
        await until(pilot, lambda: screen.query(Status) and screen.query_one(Status).settled)
        assert "refused" in str(screen.query_one(Status).render())


async def test_a_run_that_was_cut_is_replayed_as_one(path: Path):
    await record(path, club_run(until_second_call=True))
    async with keeping_app(path).run_test(size=SIZE) as pilot:
        await begun(pilot)
        await command(pilot, "/replay last")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        screen._player.change_pace("fast")
        await until(pilot, lambda: screen.query(Status) and screen.query_one(Status).settled)
        assert "cut off" in str(screen.query_one(Status).render())


@pytest.mark.parametrize("leave", ["key", "command"])
async def test_a_run_that_leaving_the_app_ends_has_an_end_on_record(path: Path, leave: str) -> None:
    released = threading.Event()

    @tool(name="search_campus_info", searches=True)
    def waiting(query: str) -> str:
        """Wait."""
        released.wait(30)
        return "late"

    model = ScriptedModel([[RequestedCall("search_campus_info", {"query": "AI"})], ANSWER])
    agent = Agent(model, [waiting], instructions="Answer.", guardrail=Guardrail(refusal=REFUSAL))
    app = keeping_app(path, agent=agent)
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(pilot)
        screen.question("When?")
        await until(pilot, lambda: screen.busy and any(event.kind == "acting" for event in screen.records[0].events))
        if leave == "key":
            await pilot.press("ctrl+q")
        else:
            await command(pilot, "/quit")
        await until(pilot, lambda: not app.is_running)
    released.set()
    with Journal(path) as journal:
        (row,) = journal.newest(limit=5)
    assert row.outcome is Outcome.CANCELLED
