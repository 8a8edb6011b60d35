from __future__ import annotations

import json
from xml.etree import ElementTree as Xml

import pytest
from rich.cells import cell_len

from campus_agent.errors import SettingsError
from campus_agent.evaluation import junit
from campus_agent.evaluation.checking import Failure
from campus_agent.evaluation.playing import Attempt, Planned, Played
from campus_agent.evaluation.summary import Summary, Times, as_object
from campus_agent.evaluation.table import report
from campus_agent.models.chat_model import Usage
from campus_agent.settings import Settings
from tests.evaluation.made import call, case, record

GOOD = Attempt((record("At 5 PM.", call("t"), usage=Usage(prompt_tokens=1200, completion_tokens=34)),), ())
SILENT = Attempt((record(),), ())
BAD = Attempt((record(unsupported=("6 PM",)),), (Failure(1, "facts", "5 PM", "6 PM, in “At 6 PM.”"),))
BROKEN = Attempt((), (Failure(0, "crash", "", "RuntimeError: boom"),))
HOSTILE = "\x1b]0;owned\x07 \u202e \x9b31m & <b> \ud800 ＷＩＤＥ会议室 👩🏽‍🎓 " + "long" * 40


def played(*attempts: Attempt, name: str = "club") -> Played:
    return Played("suite", case(name), attempts)


def lines(*all_played: Played, width: int = 80, of: int | None = None) -> list[str]:
    return list(report(all_played, summary(*all_played, of=of), width=width))


def summary(*all_played: Played, of: int | None = None) -> Summary:
    return Summary.of(all_played, of=of or len(all_played), seconds=1.25)


def test_the_last_line_is_the_one_a_script_looks_for():
    shown = lines(played(GOOD), played(BAD, GOOD), played(BAD, BAD), played(BROKEN))
    assert shown[-1] == "eval summary: 1 passed, 1 flaky, 2 failed — 1.2 s"


def test_the_table_names_every_case_with_its_verdict_and_its_reasons_beneath():
    shown = lines(played(GOOD, name="good"), played(BAD, GOOD, name="sometimes"), played(BROKEN, BROKEN, name="never"))
    assert [line.split()[1:4] for line in shown[1:4]] == [
        ["PASS", "good", "2"],
        ["FLAKY", "sometimes", "2"],
        ["FAIL", "never", "0"],
    ]
    assert "    facts: expected 5 PM; came 6 PM, in “At 6 PM.” (1 of 2 times)" in shown
    assert "    crash: RuntimeError: boom (2 of 2 times)" in shown


@pytest.mark.parametrize("width", [1, 30, 40, 63, 64, 80, 96, 120])
def test_no_line_is_wider_than_the_terminal_and_none_can_drive_it(width):
    reason = Failure(1, "facts", HOSTILE, HOSTILE)
    shown = lines(played(Attempt((record(HOSTILE),), (reason,)), name=HOSTILE), played(GOOD), width=width, of=9)[:-1]
    assert max(map(cell_len, shown)) <= max(width, 30)
    assert not any(mark in line for line in shown for mark in "\x1b\x07\u202e\x9b\ud800")


def test_a_wide_terminal_also_shows_tokens_and_unsupported_facts():
    head, first, second, *_ = lines(played(GOOD), played(BAD), width=100)
    assert head.split() == ["case", "steps", "calls", "model", "tools", "tokens", "unsupported"]
    assert first.split()[-6:] == ["4", "ms", "1", "ms", "1,234", "0"]
    assert second.split()[-2:] == ["n/a", "1"]


@pytest.mark.parametrize(
    ("attempts", "tokens"),
    [
        ([SILENT], "tokens       n/a"),
        ([GOOD], "tokens       1,200 read, 34 written"),
        ([GOOD, SILENT], "tokens       1,200 read, 34 written, in 1 of 2 runs; n/a in the rest"),
    ],
)
def test_tokens_that_no_server_counted_are_not_said_to_be_none(attempts, tokens):
    assert tokens in lines(*map(played, attempts))


def test_the_figures_tell_times_unsupported_facts_and_what_was_not_played():
    shown = lines(played(BAD), of=3)
    assert "model time   p50 1 ms · p95 3 ms a step" in shown
    assert "tool time    p50 1 ms · p95 1 ms a call" in shown
    assert "unsupported  1 fact in answers" in shown
    assert "not played   2 cases, because of the interrupt" in shown
    assert "model time   n/a" in lines(played(BROKEN))


@pytest.mark.parametrize(
    ("values", "p50", "p95"),
    [([5], 5, 5), ([2, 1], 1, 2), (range(1, 101), 50, 95), (range(1, 21), 10, 19)],
)
def test_percentiles_are_values_that_were_measured(values, p50, p95):
    assert Times.of(list(values)) == Times(p50, p95)


def test_without_any_case_that_was_played_there_is_no_table():
    assert lines(of=2)[:2] == ["", "model time   n/a"]


def test_the_object_holds_every_attempt_and_survives_json():
    one = played(BAD, GOOD)
    told = json.loads(json.dumps(as_object([one], summary(one, of=2), interrupted=True)))
    assert (told["flaky"], told["not_played"], told["interrupted"]) == (1, 1, True)
    (only,) = told["cases"]
    assert (only["name"], only["verdict"]) == ("club", "FLAKY")
    assert [attempt["passed"] for attempt in only["attempts"]] == [False, True]
    assert only["attempts"][0]["failures"][0]["key"] == "facts"
    assert only["attempts"][0]["runs"][0]["answer"]
    assert told["usage"] == {"prompt_tokens": 1200, "completion_tokens": 34}
    assert as_object([], summary(of=1), interrupted=True)["usage"] is None


def written(path, *all_played: Played, also: int = 0, strict: bool = False) -> Xml.Element:
    cases = [Planned(one.suite, one.case, Settings()) for one in all_played]
    cases += [Planned("other", case(f"left {number}"), Settings()) for number in range(also)]
    junit.write(path, all_played, cases, strict=strict)
    return Xml.parse(path).getroot()


def test_the_junit_report_counts_and_explains(tmp_path):
    every = [played(GOOD, name="a"), played(BAD, GOOD, name="b"), played(BAD, name="c"), played(BROKEN, name="d")]
    root = written(tmp_path / "r.xml", *every, also=2)
    first, second = root
    assert (root.tag, first.attrib["name"], second.attrib["name"]) == ("testsuites", "suite", "other")
    counted = {name: first.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "4", "failures": "1", "errors": "1", "skipped": "0"}
    assert second.attrib["skipped"] == "2"
    assert [[child.tag for child in one] for one in first] == [[], ["system-out"], ["failure"], ["error"]]
    assert "expected 5 PM" in first[2][0].attrib["message"]
    assert first[1][0].text.startswith("FLAKY: facts")


def test_a_flaky_case_is_a_failure_of_the_junit_report_only_when_that_is_wanted(tmp_path):
    root = written(tmp_path / "r.xml", played(BAD, GOOD), strict=True)
    assert root[0].attrib["failures"] == "1"


def test_what_xml_cannot_hold_does_not_break_the_junit_report(tmp_path):
    reason = Failure(1, "facts", HOSTILE + "\uffff\x00", HOSTILE)
    root = written(tmp_path / "r.xml", played(Attempt((), (reason,)), name=HOSTILE + "]]>\ufffe"))
    assert "WIDE" not in root[0][0].attrib["name"]
    assert "\u202e" not in Xml.tostring(root, encoding="unicode")
    assert "会议室" in root[0][0].attrib["name"]


def test_only_an_earlier_report_is_replaced(tmp_path):
    place = tmp_path / "r.xml"
    junit.check_place(place)
    written(place, played(GOOD))
    junit.check_place(place)
    (tmp_path / "empty.xml").touch()
    junit.check_place(tmp_path / "empty.xml")
    (tmp_path / "notes.md").write_text("mine", encoding="utf-8")
    for wrong in (tmp_path / "notes.md", tmp_path, tmp_path / "none" / "r.xml"):
        with pytest.raises(SettingsError):
            junit.check_place(wrong)
