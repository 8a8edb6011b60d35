from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from campus_agent.recording import Recording, RecordingError, read

START: dict[str, Any] = {
    "kind": "run_started",
    "question": "When?",
    "model": "offline",
    "provider": "offline",
    "protocol": "native",
    "budgets": {},
}
STEP: dict[str, Any] = {"kind": "step_started", "step": 1, "of": 5}
END: dict[str, Any] = {
    "kind": "run_finished",
    "outcome": "answered",
    "complete": True,
    "answer": "At five.",
    "message": None,
    "usage": None,
    "duration_ms": 6.0,
}


def lines(*events: dict[str, Any], run: str = "run-1") -> list[str]:
    same = {"run_id": run, "seq": 0, "time": "2026-06-13T17:00:00Z"}
    return [json.dumps({**same, **event}) for event in events]


def recording(folder: Path, *written: str, end: str = "\n") -> Recording:
    file = folder / "run.jsonl"
    file.write_text("\n".join(written) + end, encoding="utf-8")
    return read(file)


def kinds(found: Recording) -> list[list[str]]:
    return [[event.kind for event in run] for run in found.runs]


def test_the_runs_of_a_recording_come_back_in_order(tmp_path: Path) -> None:
    found = recording(tmp_path, *lines(START, STEP, END), *lines(START, END, run="run-2"))
    assert kinds(found) == [["run_started", "step_started", "run_finished"], ["run_started", "run_finished"]]
    assert found.problems == ()
    assert found.name == "run.jsonl"


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\n\n  \n"])
def test_blank_lines_byte_order_marks_and_other_line_ends_do_no_harm(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + separator.join(lines(START, STEP, END)).encode())
    assert (len(read(file).runs[0]), read(file).problems) == (3, ())


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("garbage", "not readable as JSON"),
        ('{"kind": "step_sta', "not readable as JSON"),
        ("[" * 100_000, "not readable as JSON"),
        ("42", "no event of a run"),
        ('{"step": 1}', "no event of a run"),
        ('{"question": "a", "outcome": "answered"}', "this is what --json writes"),
        (*lines({"kind": "sparkled"}), "an event of an unknown kind, 'sparkled'; it may be from a newer"),
        (*lines({"kind": "[/x]\x1b[2J"}), b"an unknown kind, '[/x]\\ufffd[2J'".decode("unicode_escape")),
        (
            *lines({"kind": "step_started", "step": "first", "of": 5}),
            "step_started is not right: step: input should be",
        ),
    ],
    ids=["garbage", "cut", "nested", "number", "no kind", "result", "newer", "hostile", "wrong"],
)
def test_a_line_that_is_no_event_is_named_with_its_number_and_the_rest_is_kept(
    tmp_path: Path, broken: str, said: str
) -> None:
    start, step, end = lines(START, STEP, END)
    found = recording(tmp_path, start, broken, step, end)
    assert kinds(found) == [["run_started", "step_started", "run_finished"]]
    assert len(found.problems) == 1
    assert found.problems[0].startswith("line 2: ")
    assert said in found.problems[0]


def test_an_event_of_a_newer_version_is_kept_without_what_is_not_known_of_it(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "seen": 3}
    newer = {**END, "mood": "fine", "usage": usage, "message": {"what": "Late.", "link": "a page"}}
    found = recording(tmp_path, *lines(START, STEP, newer))
    assert kinds(found) == [["run_started", "step_started", "run_finished"]]
    assert "3 unknown parts left out" in found.problems[0]
    assert "newer campus-agent" in found.problems[0]


def test_a_recording_that_is_cut_keeps_what_is_there_and_says_so(tmp_path: Path) -> None:
    start, step, end = lines(START, STEP, END)
    found = recording(tmp_path, start, step, end[:40], end="")
    assert kinds(found) == [["run_started", "step_started"]]
    assert found.problems[-1] == "line 3: the recording ends in the middle of a run"


def test_a_run_without_a_beginning_or_an_end_is_kept_and_named(tmp_path: Path) -> None:
    found = recording(tmp_path, *lines(STEP), *lines(START, STEP, END, run="run-2"), *lines(STEP, run="run-2"))
    assert kinds(found) == [["step_started"], ["run_started", "step_started", "run_finished"]]
    assert [problem.partition(":")[0] for problem in found.problems] == ["line 1", "line 5", "line 1"]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# Notes\n", b"\x00\xff\xfe" * 50, b'{"kind": 5}\n'])
def test_a_file_that_is_no_recording_is_refused_with_the_way_to_make_one(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.md"
    file.write_bytes(content)
    with pytest.raises(RecordingError) as caught:
        read(file)
    assert "is not a recording" in caught.value.explanation.what
    assert "ask --jsonl" in caught.value.explanation.next


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(RecordingError, match="could not be read"):
            read(path)


def test_a_line_that_is_far_too_long_is_left_out_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campus_agent.recording._LONGEST", 1000)
    start, step, end = lines(START, {**STEP}, END)
    found = recording(tmp_path, start, "x" * 5000, step, end)
    assert kinds(found) == [["run_started", "step_started", "run_finished"]]
    assert found.problems[0].startswith("line 2: longer than")


def test_a_file_that_is_far_too_large_is_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, step, end = lines(START, STEP, END)
    monkeypatch.setattr("campus_agent.recording._LARGEST", len(start) + len(step) + 3)
    found = recording(tmp_path, start, step, end)
    assert kinds(found) == [["run_started", "step_started"]]
    assert found.problems[0].startswith("line 3: only the first")


def test_countless_problems_do_not_fill_the_memory(tmp_path: Path) -> None:
    found = recording(tmp_path, *lines(START, END), *["garbage"] * 5000)
    assert (len(found.problems), found.more_problems) == (100, 4900)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("run_finished", "duration_ms", "1e999"),
        ("run_finished", "duration_ms", "NaN"),
        ("step_finished", "latency_ms", "Infinity"),
        ("step_started", "step", "300000000"),
        ("step_started", "of", "9" * 4000),
        ("step_started", "step", "-1"),
    ],
)
def test_a_number_that_no_run_has_is_a_problem_of_its_line(tmp_path: Path, kind: str, field: str, value: str):
    common = '"run_id": "a", "seq": 1, "time": "2026-06-13T10:00:00Z"'
    rest = {
        "run_finished": '"outcome": "answered", "complete": true, "answer": "x", "message": null, "usage": null, '
        '"duration_ms": 1',
        "step_finished": '"step": 1, "usage": null, "latency_ms": 1',
        "step_started": '"step": 1, "of": 5',
    }[kind]
    bad = re.sub(rf'"{field}": \d+', f'"{field}": {value}', rest)
    started = '"question": "q", "model": "m", "provider": "p", "protocol": "native", "budgets": {}'
    lines = [f'{{"kind": "run_started", {common}, {started}}}', f'{{"kind": "{kind}", {common}, {bad}}}']
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    recording = read(file)
    assert any(problem.startswith("line 2") for problem in recording.problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": "0001-01-01T00:00:00Z"}, "its time is not between the years 2000 and 2100"),
        ({"time": "9999-12-31T23:59:59Z"}, "its time is not between"),
        ({"duration_ms": 1e308}, "its duration_ms is not between 0 and a year"),
        ({"duration_ms": -1}, "its duration_ms is not"),
        ({"run_id": ""}, "its run_id is none"),
        ({"run_id": "last"}, "its run_id is none"),
        ({"run_id": "a\x1b[2J"}, "its run_id is none"),
        ({"run_id": "a" * 200}, "its run_id is none"),
    ],
)
def test_a_run_that_cannot_have_been_is_left_out_and_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    start, step, end = ({**event, "run_id": "run-2", **change} for event in (START, STEP, END))
    if "duration_ms" in change:
        start.pop("duration_ms"), step.pop("duration_ms")
    found = recording(tmp_path, *lines(START, END), *lines(start, step, end), *lines(START, END, run="run-3"))
    assert [run[0].run_id for run in found.runs] == ["run-1", "run-3"]
    assert all(said in problem for problem in found.problems)
    assert found.problems


def test_runs_whose_lines_are_mixed_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    one, two = lines(START, STEP, END), lines(START, STEP, END, run="run-2")
    found = recording(tmp_path, *(line for pair in zip(one, two, strict=True) for line in pair))
    assert [[event.run_id for event in run] for run in found.runs] == [["run-1"] * 3, ["run-2"] * 3]
    assert found.problems == ()


def test_what_is_wrong_is_said_without_empty_places(tmp_path: Path) -> None:
    found = recording(tmp_path, *lines(START, END), '{"kind": "note", "text": "\\ud800"}')
    assert found.problems[0].startswith("line 3: note is not right: invalid json")


def test_what_is_no_ordinary_file_is_not_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(RecordingError) as refused:
        read(tmp_path / "pipe.jsonl")
    assert "no ordinary file" in refused.value.explanation.what
