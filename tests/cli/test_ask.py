from __future__ import annotations

import pytest
from played import Ending, Terminal

from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation

DOWN = Explanation(what="The server is down.", cause="Nothing listens there.", next="Start it.")
CUT = Explanation(what="The answer was cut off.")


def test_the_answer_goes_to_standard_output_and_the_trace_to_standard_error(cli, played):
    played()
    ran = cli("ask", "When?")
    assert ran.status == 0
    assert ran.out == "At noon.\n"
    assert ran.err.splitlines() == [
        "  a played model · test base, 1 passage",
        "  step 1/5",
        '  step 1 · acting  -> search_campus_info({"query": "AI Club"})',
        "  step 1 · observe <- - Club: at noon",
        "  step 1 · tokens n/a · 3 ms",
        "  ● answered in 1 step, 1 call, 6 ms",
    ]


def test_quiet_prints_the_answer_alone(cli, played):
    played(problems=("clubs.csv, line 7: broken",))
    ran = cli("ask", "--quiet", "When?")
    assert (ran.out, ran.err) == ("At noon.\n", "")


def test_a_broken_file_of_the_base_is_named_before_the_trace(cli, played):
    played(problems=("clubs.csv, line 7: broken",))
    assert "  note: clubs.csv, line 7: broken" in cli("ask", "When?").err.splitlines()


def test_json_is_one_object_with_every_field_and_no_trace(cli, played):
    played()
    ran = cli("ask", "--json", "When?")
    (found,) = ran.objects
    assert ran.err == ""
    assert set(found) == {
        "question", "outcome", "complete", "model", "provider", "duration_ms", "answer", "message", "steps", "sources",
        "facts", "usage", "notes",
    }  # fmt: skip
    assert found["answer"] == "At noon."
    assert found["steps"] == [
        {
            "step": 1,
            "tool": "search_campus_info",
            "arguments": {"query": "AI Club"},
            "raw_arguments": None,
            "observation": "- Club: at noon",
            "status": "ok",
            "latency_ms": 2.0,
        }
    ]


def test_jsonl_is_the_events_one_a_line(cli, played):
    played()
    kinds = [event["kind"] for event in cli("ask", "--jsonl", "When?").objects]
    assert kinds == ["run_started", "step_started", "acting", "observed", "step_finished", "run_finished"]


def test_words_without_quotation_marks_are_one_question(cli, played):
    agent = played()
    cli("ask", "When", "does", "it", "meet?")
    assert agent.questions == ["When does it meet?"]


def test_a_dash_reads_the_question_from_standard_input(cli, played):
    agent = played()
    cli("ask", "-", stdin="\ufeffWhen?\n")
    assert agent.questions == ["When?"]


@pytest.mark.parametrize("question", ["", "  ", "\n\t"])
def test_a_blank_question_is_wrong_usage_and_reaches_no_model(cli, played, question):
    agent = played()
    ran = cli("ask", question)
    assert ran.status == 2
    assert "blank" in ran.err
    assert agent.questions == []


@pytest.mark.parametrize(
    "flags", [("--quiet", "--json"), ("--json", "--jsonl"), ("--quiet", "--jsonl"), ("-q", "--json", "--jsonl")]
)
def test_two_ways_to_print_at_once_are_wrong_usage(cli, played, flags):
    agent = played()
    ran = cli("ask", "When?", *flags)
    assert (ran.status, agent.questions) == (2, [])
    assert "exclude each other" in ran.err


@pytest.mark.parametrize(
    ("ending", "status", "out", "err"),
    [
        (Ending(Outcome.REFUSED, "Not here."), 0, "Not here.\n", ""),
        (Ending(Outcome.PROVIDER_ERROR, None, DOWN), 1, "", f"campus-agent: {DOWN}\n"),
        (Ending(Outcome.TRUNCATED, "At no", CUT), 1, "At no\n", f"campus-agent: {CUT}\n"),
    ],
)
def test_each_ending_prints_what_there_is_and_says_why(cli, played, ending, status, out, err):
    played(ending)
    ran = cli("ask", "-q", "When?")
    assert (ran.status, ran.out, ran.err) == (status, out, err)


def test_what_a_model_or_a_tool_says_cannot_drive_the_terminal(cli, played):
    played(Ending(answer="\x1b]52;c;eA==\x07 \x9b31m \u202e"), problems=("\x1b[2J",))
    ran = cli("ask", "When?")
    assert not set(ran.out + ran.err) & set("\x1b\x07\x9b\u202e")
    ran = cli("ask", "--json", "When?")
    assert ran.out.isascii()
    assert ran.objects[0]["answer"] == "\x1b]52;c;eA==\x07 \x9b31m \u202e"


@pytest.mark.parametrize(("no_color", "dimmed"), [("", True), ("1", False)])
def test_step_announcements_are_dimmed_only_on_a_terminal_that_wants_colour(cli, played, monkeypatch, no_color, dimmed):
    played()
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("NO_COLOR", no_color)
    cli("ask", "When?")
    assert ("\x1b[2m  step 1/5\x1b[0m" in terminal.getvalue()) is dimmed


def test_the_first_interrupt_cancels_the_run_and_its_object_is_still_printed(cli, played):
    stopped = Explanation(what="You stopped this run.")
    played(Ending(Outcome.CANCELLED, "At", stopped, interrupts=1))
    ran = cli("ask", "--json", "When?")
    assert ran.status == 130
    assert ran.objects[0]["outcome"] == "cancelled"
    assert ran.objects[0]["answer"] == "At"


def test_a_second_interrupt_ends_the_program_at_once(cli, played):
    played(Ending(Outcome.CANCELLED, interrupts=2))
    assert cli("ask", "When?").status == 130
