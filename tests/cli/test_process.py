"""What only a process of its own can show: imports, pipes, encodings, signals."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import pytest


def campus_agent(*arguments: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "campus_agent", *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, **environ},
        check=False,
    )


IMPORTED = """
import json, sys
from campus_agent.cli.entry import run
status = run(sys.argv[1:])
print(json.dumps([status, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """Run a command in a fresh process and return the packages that it imported."""
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    status, names = json.loads(ran.stderr.splitlines()[-1])
    assert status == 0
    return set(names)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("ask", "--help")])
def test_help_and_version_import_nothing_heavy(arguments):
    assert imported(*arguments) & {"textual", "openai", "numpy", "rank_bm25", "rapidfuzz", "asyncio"} == set()


@pytest.mark.parametrize("arguments", [("kb", "check"), ("kb", "search", "club"), ("config", "show")])
def test_commands_without_a_model_import_neither_screen_nor_client(arguments):
    assert imported(*arguments) & {"textual", "openai"} == set()


def test_the_version_is_printed():
    ran = campus_agent("--version")
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "campus-agent,")


def test_a_reader_that_goes_away_ends_the_program_quietly():
    with subprocess.Popen(
        [sys.executable, "-m", "campus_agent", "kb", "search", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(b"club\n" * 2000)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_encoding_that_lacks_a_character_does_not_end_the_program(encoding):
    ran = subprocess.run(
        [sys.executable, "-m", "campus_agent", "kb", "check"],
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_questions_that_are_no_text_do_not_end_the_program():
    ran = subprocess.run(
        [sys.executable, "-m", "campus_agent", "--json"],
        input=b"When does the \xff\xfe club meet?\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0
    assert len(ran.stdout.splitlines()) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only some systems have a device that is always full")
def test_output_that_cannot_be_written_is_said_without_a_traceback():
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "campus_agent", "config", "path"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert ran.returncode == 1
    assert ran.stderr.startswith("campus-agent: ")
    assert "Traceback" not in ran.stderr


def test_a_question_is_answered_before_the_next_one_has_to_be_written():
    with subprocess.Popen(
        [sys.executable, "-m", "campus_agent", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for question in (b"When does the AI Club meet?", b"What is the wifi password?"):
            process.stdin.write(question + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["question"] == question.decode()
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that one process can send another as Ctrl+C")
def test_ctrl_c_in_a_run_prints_the_object_and_ends_with_130():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with subprocess.Popen(
            [sys.executable, "-m", "campus_agent", "ask", "--json", "--base-url", address, "--model", "m", "When?"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            silent.settimeout(60)
            connection, _ = silent.accept()
            with connection:
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["outcome"] == "cancelled"
    assert err == b""


def test_the_demo_shows_a_trace_and_an_ending_for_every_question_of_the_bundled_base():
    ran = campus_agent("demo", "--now", "2026-06-13T10:00:00")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("\n> ") == 4
    assert len([line for line in ran.stdout.splitlines() if line.startswith(("  ● answered", "  ○ refused"))]) == 4
    assert "  step 2 · observe <- The next Thursday is in 5 day(s), on June 18, 2026." in ran.stdout
