"""What only a process of its own can show: imports, pipes, encodings, signals."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

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


ASK = ("ask", "When does the AI Club meet?")
ANSWER = "The USC AI Club meets every Thursday at 5 PM in room 204 of the engineering building.\n"
CLOSING = """
import os, sys
os.close(int(sys.argv[1]))
os.execv(sys.executable, [sys.executable, "-m", "campus_agent", *sys.argv[2:]])
"""
has_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="few systems have a device that is always full")
has_exec = pytest.mark.skipif(os.name == "nt", reason="a process is not begun there with a stream closed")


def with_closed(stream: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with one of its streams closed: 0 standard input, 1 standard output, 2 standard error."""
    return subprocess.run(
        [sys.executable, "-c", CLOSING, str(stream), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@has_full
@pytest.mark.parametrize(
    "arguments",
    [("config", "path"), ("config", "show", "--json"), ("kb", "check"), ("ask", "--help"), ("--version",), ASK],
    ids=" ".join,
)
def test_a_full_standard_output_is_named_with_what_to_do(arguments):
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "campus_agent", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-2:] == [
        "campus-agent: Standard output takes no more: No space left on device.",
        "Make room where it goes, or send it somewhere else.",
    ]
    assert "Traceback" not in ran.stderr


@has_full
@pytest.mark.parametrize(
    ("arguments", "status", "out"),
    [(ASK, 0, ANSWER), ((*ASK, "--quiet"), 0, ANSWER), (("ask", "--nothing"), 2, ""), (("ask", " "), 2, "")],
)
def test_a_full_standard_error_costs_neither_the_answer_nor_the_exit_status(arguments, status, out):
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "campus_agent", *arguments],
            stdout=subprocess.PIPE,
            stderr=full,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert (ran.returncode, ran.stdout) == (status, out)


def test_a_broken_standard_error_does_not_cost_the_answer():
    read, write = os.pipe()
    os.close(read)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "campus_agent", *ASK],
            stdout=subprocess.PIPE,
            stderr=write,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert (ran.returncode, ran.stdout) == (0, ANSWER)


@has_exec
def test_a_closed_standard_error_does_not_cost_the_answer():
    ran = with_closed(2, *ASK)
    assert (ran.returncode, ran.stdout) == (0, ANSWER)


@has_exec
@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_plain_chat_ends_as_if_left_where_a_stream_is_closed(stream):
    ran = with_closed(stream, "--plain")
    assert (ran.returncode, ran.stderr) == (0, "")


@has_exec
def test_a_closed_standard_input_is_one_without_a_question():
    ran = with_closed(0)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "No question came" in ran.stderr


@has_exec
def test_a_closed_standard_input_says_no_to_what_is_asked():
    campus_agent(*ASK)
    ran = with_closed(0, "trace", "delete", "last")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "Traceback" not in ran.stderr
    assert len(campus_agent("trace", "list", "--json").stdout.splitlines()) == 1


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


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed there")
@pytest.mark.parametrize("arguments", [("--kb", ".", "ask", "Where?"), ("kb", "check", ".")])
def test_a_folder_that_is_gone_is_said_to_be(arguments: tuple[str, ...], tmp_path: Path):
    there = "import os, shutil, sys; os.chdir(sys.argv[1]); shutil.rmtree(sys.argv[1]); del sys.argv[1]"
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{there}; from campus_agent.cli.entry import run; sys.exit(run())",
            tmp_path,
            *arguments,
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert "The folder that the program was started in is gone." in ran.stderr
