from __future__ import annotations

import pytest
from played import Ending, Terminal

from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation

FAILED = Ending(Outcome.PROVIDER_ERROR, None, Explanation(what="The server is down."))


def test_questions_on_standard_input_are_answered_one_a_line_without_a_trace(cli, played):
    agent = played(Ending(answer="First."), Ending(answer="Second."))
    ran = cli(stdin="\ufeffone?\n\n   \ntwo?")
    assert agent.questions == ["one?", "two?"]
    assert agent.resets == 0
    assert (ran.status, ran.out, ran.err) == (0, "First.\nSecond.\n", "")


def test_json_prints_one_object_a_question(cli, played):
    played(Ending(answer="First."), Ending(answer="Second."))
    ran = cli("--json", stdin="one?\ntwo?\n")
    assert [(one["question"], one["answer"]) for one in ran.objects] == [("one?", "First."), ("two?", "Second.")]


def test_a_failed_question_does_not_end_the_conversation_but_its_status_stays(cli, played):
    played(FAILED, Ending(answer="Second."))
    ran = cli(stdin="one?\ntwo?\n")
    assert (ran.status, ran.out, ran.err) == (1, "Second.\n", "campus-agent: The server is down.\n")


def test_an_interrupted_question_is_printed_and_ends_the_conversation(cli, played):
    agent = played(Ending(Outcome.CANCELLED, None, Explanation(what="Stopped."), interrupts=1))
    ran = cli("--json", stdin="one?\ntwo?\n")
    assert (ran.status, len(ran.objects), agent.questions) == (130, 1, ["one?"])


def test_an_interrupt_while_waiting_for_a_question_ends_the_program(cli, played):
    class Interrupted:
        def isatty(self):
            return False

        def __iter__(self):
            raise KeyboardInterrupt

    agent = played()
    assert cli(stdin=Interrupted()).status == 130
    assert agent.questions == []


@pytest.mark.parametrize("flags", [(), ("--json",)])
@pytest.mark.parametrize("stdin", ["", "\n  \n", "\ufeff"])
def test_no_question_at_all_is_said_and_is_no_failure(cli, played, flags, stdin):
    played()
    ran = cli(*flags, stdin=stdin)
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith("campus-agent: No question came on standard input.")
    assert len(ran.err.splitlines()) == 1


def test_a_terminal_for_input_but_not_for_output_is_told_about_ask(cli):
    ran = cli(stdin=Terminal())
    assert ran.status == 2
    assert "campus-agent ask" in ran.err


def test_json_at_a_terminal_is_told_about_ask(cli):
    ran = cli("--json", stdin=Terminal())
    assert ran.status == 2
    assert "ask --json" in ran.err


def test_at_a_terminal_the_app_opens_with_the_settings_of_the_flags(cli, monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    opened = []
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda settings, **options: opened.append(settings) or (0, ()))
    assert cli("--max-steps", "3", "--guardrail", "warn", stdin=Terminal()).status == 0
    assert (opened[0].max_steps, opened[0].guardrail) == (3, "warn")


@pytest.mark.parametrize("arguments", [("--json", "ask", "When?"), ("--json", "config", "path")])
def test_json_before_a_command_is_sent_behind_it(cli, played, arguments):
    agent = played()
    ran = cli(*arguments)
    assert ran.status == 2
    assert "--json goes after the command" in ran.err
    assert agent.questions == []
