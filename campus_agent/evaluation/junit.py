"""The report for a build server: JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree as Xml

from campus_agent.errors import SettingsError
from campus_agent.evaluation.case import Case
from campus_agent.evaluation.playing import Planned, Played, Verdict
from campus_agent.evaluation.summary import runs_of
from campus_agent.evaluation.table import in_words
from campus_agent.text import one_line

_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LOOKED_AT = 2000  # bytes of a file that is there


def check_place(path: Path) -> None:
    """Raise `SettingsError` unless a report can be written there: only an earlier JUnit report is ever replaced."""
    if not path.parent.is_dir():
        raise SettingsError(f"There is no folder {one_line(str(path.parent), 200)} for the JUnit report.")
    if path.exists() and not _is_replaceable(path):
        raise SettingsError(
            f"{one_line(str(path), 200)} is there, and is no JUnit report.",
            "Only an earlier report is replaced, so that no other file is lost.",
            "Name another file.",
        )


def _is_replaceable(path: Path) -> bool:
    """Whether there is nothing in the file, or the beginning of a report."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(_LOOKED_AT)
    return not beginning or b"<testsuite" in beginning


def write(path: Path, played: Sequence[Played], planned: Sequence[Planned], *, strict: bool) -> None:
    """Write the report; cases that were not played are skipped ones, flaky ones fail only when `strict`."""
    Xml.ElementTree(_report(played, planned, strict=strict)).write(path, encoding="utf-8", xml_declaration=True)


def _report(played: Sequence[Played], planned: Sequence[Planned], *, strict: bool) -> Xml.Element:
    found = {id(one.case): one for one in played}
    report = Xml.Element("testsuites", name="campus-agent eval")
    for name, group in groupby(planned, key=lambda one: one.suite):
        suite = Xml.SubElement(report, "testsuite", name=_xml(one_line(name)))
        for one in group:
            _add(suite, name, one.case, found.get(id(one.case)), strict=strict)
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
        suite.set("tests", str(len(suite)))
        suite.set("time", _seconds(sum(float(element.get("time", 0)) for element in suite)))
    return report


def _add(suite: Xml.Element, name: str, case: Case, one: Played | None, *, strict: bool) -> None:
    element = Xml.SubElement(
        suite, "testcase", classname=_xml(one_line(name)), name=_xml(one_line(case.name)), time="0.000"
    )
    if one is None:
        Xml.SubElement(element, "skipped", message="not played, because of the interrupt")
        return
    runs = runs_of(one.attempts)
    element.set("time", _seconds(sum(run.result.duration_ms for run in runs) / 1000))
    failures = [failure for attempt in one.attempts for failure in attempt.failures]
    reasons = dict.fromkeys(in_words(failure, turns=len(case.conversation)) for failure in failures)
    text = _xml("\n".join(reasons))
    if one.verdict is Verdict.FAIL or (strict and one.verdict is Verdict.FLAKY):
        tag = "error" if all(failure.key == "crash" for failure in failures) else "failure"
        Xml.SubElement(element, tag, message=f"{one.verdict}: {text.partition(chr(10))[0]}").text = text
    elif one.verdict is Verdict.FLAKY:
        Xml.SubElement(element, "system-out").text = f"{one.verdict}: {text}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _xml(text: str) -> str:
    """Return `text` without the characters that XML cannot hold."""
    return _NO_XML.sub("\ufffd", text)
