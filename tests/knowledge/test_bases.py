"""The two bases in the folder `bases`: one with a document of every format, one that means harm."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import read_campus_file

for package in ("pypdfium2", "mammoth"):
    pytest.importorskip(package, reason='the extras are not installed: pip install -e ".[dev]"')

BASES = Path(__file__).parent / "bases"
NOW = datetime(2026, 6, 13, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def every_format() -> KnowledgeBase:
    return KnowledgeBase.load([BASES / "every-format"], now=NOW)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A copy of the base that means harm, with links as no archive of this project should hold them."""
    folder = tmp_path / "hostile"
    shutil.copytree(BASES / "hostile", folder)
    (folder / "loop").symlink_to(".", target_is_directory=True)
    (folder / "self.md").symlink_to("self.md")
    (folder / "leak.md").symlink_to(Path(__file__).resolve())
    with (folder / "film.txt").open("wb") as file:
        file.truncate(2 * 1024**3)  # a sparse file
    return folder


@pytest.mark.parametrize(
    ("question", "source", "said"),
    [
        ("When does the archery range open?", "archery.md", "Mondays at 9 AM"),
        ("Who coaches lane one?", "archery.md", "Lane: Lane one; Coach: Ana Ruiz"),
        ("When does the boat house open?", "boats.txt", "Tuesdays at 10 AM"),
        ("When does the ceramics studio open?", "ceramics.html", "Wednesdays at 11 AM"),
        ("When does the darkroom open?", "darkroom.csv", "Thursdays, at noon"),
        ("When does the easel store open?", "easels.tsv", "Fridays at 1 PM"),
        ("Is there sword training?", "fencing.json", "Saturdays at 2 PM"),
        ("When do the garden plots open?", "garden.jsonl", "Sundays at 3 PM"),
        ("When can I play the harp?", "harp.yaml", "Mondays at 4 PM"),
        ("When is the ice rink open day?", "ice.ics", "Tuesday, July 7, 2026: Ice rink open day. Place: North Hall."),
        ("Is there a skating gala?", "ice.ics", "Cancelled: Skating gala"),
        ("When are the judo mats out?", "judo.pdf, page 1", "Tuesdays at 5 PM"),
        ("When is the knot workshop?", "knots.docx", "Wednesdays at 6 PM"),
        ("When does the loom room open?", "looms.zip/looms.md", "Thursdays at 7 PM"),
        ("When does the museum café open?", "museum.txt", "Fridays at 8 AM"),
    ],
)
def test_what_a_document_of_each_format_says_is_found_first(
    every_format: KnowledgeBase, question: str, source: str, said: str
):
    found = every_format.search(question)
    assert (found.passages[0].passage.source, found.found) == (source, True)
    assert said in found.passages[0].passage.text


def test_of_every_format_nothing_is_left_over_and_nothing_hidden_is_read(every_format: KnowledgeBase):
    assert every_format.problems == ()
    assert not any(word in passage.text for passage in every_format.passages for word in ("hidden", "scripted"))


def test_of_a_base_that_means_harm_the_good_is_read_and_all_else_is_named(hostile: Path):
    base = KnowledgeBase.load([hostile], now=NOW)
    assert sorted({passage.source for passage in base.passages}) == ["endless.ics", "good.md"]
    named = {problem.source for problem in base.problems}
    left_out = {path.name for path in hostile.iterdir()} - {"good.md", "endless.ics", "bomb.zip", "loop"}
    assert left_out <= named
    assert {"bomb.zip/a.txt", "bomb.zip/../out.md", "bomb.zip/inner.zip"} <= named
    assert base.search("When does the library open?").passages[0].passage.source == "good.md"


def test_a_base_that_means_harm_sets_its_name_and_nothing_else(hostile: Path):
    campus = read_campus_file([hostile])
    assert (campus.name, campus.settings()) == ("Hostile", {})
    assert len(campus.problems) == 5
    assert "sk-secret" not in str(campus.problems)
