from __future__ import annotations

import pytest
from played import Ending, Terminal

from campus_agent.agent.events import event_from_json
from campus_agent.agent.outcome import Outcome
from campus_agent.cli.wrapping import wrapped
from campus_agent.errors import Explanation


def test_a_plain_chat_reads_from_the_top_to_the_bottom(cli, played):
    agent = played(Ending(answer="At noon."))
    ran = cli("--plain", stdin="When?\n\n  \n")
    assert (ran.status, ran.err, agent.questions) == (0, "", ["When?"])
    order = ["a played model", "You: ", "acting", "search_campus_info", "observe", "Agent: At noon.", "● answered"]
    assert [ran.out.index(part) for part in order] == sorted(ran.out.index(part) for part in order)
    assert "\x1b" not in ran.out


def test_a_stopped_run_does_not_end_a_plain_chat(cli, played):
    agent = played(Ending(Outcome.CANCELLED, None, Explanation(what="Stopped."), interrupts=1), Ending(answer="Here."))
    ran = cli("--plain", stdin="one?\ntwo?\n")
    assert agent.questions == ["one?", "two?"]
    assert "Agent: Here." in ran.out


def test_quit_and_the_end_of_input_leave_a_plain_chat(cli, played):
    agent = played()
    assert cli("--plain", stdin="/quit\nwhen?\n").status == 0
    assert cli("--plain", stdin="").status == 0
    assert agent.questions == []


def test_new_forgets_and_what_is_unknown_is_explained(cli, played):
    agent = played()
    ran = cli("--plain", stdin="/new\n/theme x\n//etc?\n")
    assert agent.resets == 1
    assert "There is no command /theme here. /help lists all.\n" in ran.out
    assert "/export" not in ran.out
    assert agent.questions == ["/etc?"]


def test_under_an_answer_stands_what_was_checked_and_where_it_comes_from(cli):
    ran = cli("--plain", stdin="When does the USC AI Club meet?\n")
    assert "✓ grounded · " in ran.out
    assert ran.out.index("Agent: ") < ran.out.index("✓ grounded") < ran.out.index("  [1] ")


def test_a_setting_is_changed_by_its_command_and_the_conversation_goes_on(cli, tmp_path):
    (tmp_path / "pool.md").write_text("# Pool\n\nThe pool opens at 6 AM every day.\n", encoding="utf-8")
    ran = cli("--plain", stdin=f"/steps 4\n/kb {tmp_path}\nWhen does the pool open?\n/steps\n/steps many\n/steps 3\n")
    assert (ran.out.count("/steps is now 4\n"), ran.out.count("/steps is 4\n")) == (1, 1)
    assert "/steps is now 3\n" in ran.out
    assert "6 AM" in ran.out
    assert "/steps many cannot be used" in ran.err


def test_a_base_that_cannot_be_read_changes_nothing(cli, tmp_path):
    ran = cli("--plain", stdin=f"/kb {tmp_path / 'nowhere'}\n/kb\nWhen does the USC AI Club meet?\n")
    assert "nowhere" in ran.err
    assert "/kb is default" in ran.out
    assert "✓ grounded" in ran.out


@pytest.mark.parametrize(("flags", "times"), [(["--step"], 1), ([], 0)])
def test_a_plain_chat_says_that_it_does_not_pause(cli, played, flags, times):
    played()
    ran = cli("--plain", *flags, stdin="When?\n")
    assert ran.out.count("Step mode needs the app") == times
    assert ran.status == 0


def test_every_command_of_a_plain_chat_is_named_in_its_help(cli, played):
    played()
    said = cli("--plain", stdin="/help\n").out
    assert all(f"  {name} " in said for name in ("/help", "/kb PATH...", "/model NAME", "/export [FILE]", "/quit"))
    assert "/theme" not in said
    assert ".svg" not in said  # there is no screen to draw


def test_a_plain_chat_begins_with_one_line_on_how_to_ask_and_how_to_leave(cli, played):
    played()
    lines = cli("--plain", stdin="").out.split("\n")
    assert [("/help" in line, "Ctrl+D" in line) for line in lines if "/" in line or "Ctrl" in line] == [(True, True)]


def test_how_a_run_ended_is_said_once_and_beside_it_what_was_searched(cli):
    said = cli("--plain", stdin="What is the campus wifi password?\n").out
    assert said.count("refused") == 1
    assert "  Nothing found for" in said[said.index("refused") :]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        ("  step 1 of five", 10, ["  step 1", "  of five"]),
        ("한국어 도서관 시간", 13, ["한국어 도서관", "시간"]),
        ("a https://campus.example/hours b", 10, ["a", "https://campus.example/hours", "b"]),
        ("", 10, [""]),
        ("- one two three", 9, ["- one two", "  three"]),
        ("  step 1 · observe <- one two", 26, ["  step 1 · observe <- one", " " * 13 + "two"]),
        ("  step 1 · observe <- one two three", 46, ["  step 1 · observe <- one two three"]),
        ("  step 12 · checked == one two", 48, ["  step 12 · checked == one two"]),
        ("a\n\nb \x1b[2J", 10, ["a", "", "b \ufffd[2J"]),
    ],
)
def test_lines_are_broken_between_words_and_never_in_one(text: str, width: int, lines: list[str]):
    assert wrapped(text, width).split("\n") == lines


def test_a_plain_chat_can_be_saved(cli, played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    played()
    ran = cli("--plain", stdin="/export a.md\nwhen?\n/export a.md\n/export a.svg\n")
    assert "nothing to export yet" in ran.err
    assert f"Saved: {tmp_path / 'a.md'}" in ran.out
    assert "> **when?**" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "there is no screen to draw" in ran.err
    assert not (tmp_path / "a.svg").exists()


def test_an_interrupt_at_the_prompt_leaves(cli, played, monkeypatch):
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    played()
    monkeypatch.setattr("builtins.input", interrupted)
    assert cli("--plain").status == 130


def test_plain_and_json_exclude_each_other(cli, played):
    played()
    ran = cli("--plain", "--json")
    assert ran.status == 2
    assert "exclude each other" in ran.err


@pytest.mark.parametrize("flag", ["--plain", "--inline", "--transcript"])
def test_a_way_to_chat_goes_without_a_command(cli, played, flag):
    agent = played()
    ran = cli(flag, "ask", "When?")
    assert ran.status == 2
    assert f"{flag} goes without a command" in ran.err
    assert agent.questions == []


# ---- the app -------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """Stand in for the app: what it is opened with, and the runs that it comes back with."""
    calls = []

    def run_app(settings=None, **options):
        calls.append((settings, options))
        return 0, ()

    monkeypatch.setattr("campus_agent.tui.run.run_app", run_app)
    return calls


def test_inline_opens_the_app_under_what_the_terminal_shows(cli, opened, monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    assert cli("--inline", stdin=Terminal()).status == 0
    assert opened[0][1]["inline"] is True


def test_where_inline_does_not_work_it_is_said_and_the_app_opens(capsys, monkeypatch):
    monkeypatch.setattr("os.name", "nt")
    from campus_agent.cli.chat import _inline

    assert _inline(True) is False
    assert _inline(False) is False
    monkeypatch.undo()
    assert capsys.readouterr().err.count("--inline does not work on Windows") == 1


def test_a_command_of_the_app_reads_every_layer_again_under_the_flags(cli, opened, monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    cli("--max-steps", "3", stdin=Terminal())
    settings = opened[0][1]["load"](deadline="20")
    assert (settings.max_steps, settings.deadline) == (3, 20.0)


def test_the_transcript_is_printed_when_the_app_is_closed(cli, played, monkeypatch):
    import asyncio
    import sys

    async def run() -> list:
        return [event async for event in played(Ending(answer="At noon.\x1b[31m")).run("When?")]

    runs = [asyncio.run(run())]
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda settings, **options: (0, runs))
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    cli("--transcript", stdin=Terminal())
    assert out.getvalue() == "You: When?\n\nAgent: At noon.\ufffd[31m\n  ● answered · not checked · in 6 ms\n"


@pytest.mark.parametrize("earlier", [1, 2])
def test_the_transcript_of_a_conversation_that_was_resumed_says_what_it_leaves_out(cli, monkeypatch, earlier):
    cli(stdin="one?\n" * earlier)
    cli("-c", stdin="two?\n")
    run, conversation = (cli("trace", "list", *more, "--json").objects[0]["id"] for more in ((), ("--conversations",)))
    lines = cli("trace", "export", run, "--format", "jsonl").out.splitlines()
    runs = [tuple(map(event_from_json, lines))]
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda settings, **options: (0, runs))
    out = Terminal()
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stdout", out)
    cli("-c", "--transcript", stdin=Terminal())
    questions = "1 earlier question" if earlier == 1 else "2 earlier questions"
    first, *rest = out.getvalue().split("\n")
    assert first == f"Resumed: {questions} not printed here. For all: campus-agent trace show {conversation[:8]}"
    assert rest[:2] == ["", "You: two?"]
    assert "one?" not in out.getvalue()


@pytest.mark.parametrize("arguments", [["demo"], ["demo", "--replay"], ["--plain"]])
def test_no_word_is_cut_at_the_edge_of_a_terminal(cli, monkeypatch, arguments: list[str]):
    monkeypatch.setattr("campus_agent.cli.demo.is_at_a_terminal", lambda: False)  # so that it is printed
    out = Terminal()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout", out)
    cli(*arguments, stdin="When does the USC AI Club meet?\n")
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) < 60
    assert any("Thursday" in line for line in lines)


def test_what_goes_to_a_pipe_is_not_broken(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, cli("demo").out.split("\n"))) > 80
