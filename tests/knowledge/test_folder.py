from __future__ import annotations

import io
import os
import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from campus_agent.knowledge import archive, folder
from campus_agent.knowledge.folder import Document, documents_of
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import read_document, read_documents

FACT = "The library opens at eight on weekdays."


def packed(files: dict[str, str | bytes], *, compressed: bool = True) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archived:
        for name, content in files.items():
            archived.writestr(name, content)
    return data.getvalue()


def read(folder: Path, name: str, data: bytes) -> tuple[list[Passage], list[str]]:
    path = folder / name
    path.write_bytes(data)
    passages, problems = read_document(Document(path, name))
    return passages, [str(problem) for problem in problems]


# ---- the folder ----------------------------------------------------------------------------------------------------


def test_ten_thousand_files_are_listed_in_order_and_read_with_their_progress(tmp_path: Path):
    for number in range(10_000):
        (tmp_path / f"{number:05}.txt").touch()
    listing = documents_of(tmp_path)
    assert [document.source for document in listing.documents] == [f"{number:05}.txt" for number in range(10_000)]
    seen: list[tuple[int, int, str]] = []
    passages, problems = read_documents(listing.documents[:3], progress=lambda *step: seen.append(step))
    assert seen == [(0, 3, "00000.txt"), (1, 3, "00001.txt"), (2, 3, "00002.txt"), (3, 3, "")]
    assert (passages, len(problems)) == ([], 3)


def test_of_far_too_many_files_the_first_are_read_and_the_rest_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(folder, "_MOST_FILES", 3)
    for name in "abcdef":
        (tmp_path / f"{name}.txt").write_text(FACT)
    listing = documents_of(tmp_path)
    assert [document.source for document in listing.documents] == ["a.txt", "b.txt", "c.txt"]
    (problem,) = listing.problems
    assert problem.reason == "there are over 3 files in the base, and the rest is not read; name a smaller folder"


def test_a_file_of_two_gigabytes_is_named_without_reading_it(tmp_path: Path):
    path = tmp_path / "lecture.txt"
    with path.open("wb") as file:
        file.truncate(2 * 1024**3)  # a sparse file
    assert read_document(Document(path, "lecture.txt")) == (
        [],
        [Problem("lecture.txt", None, "it is over 20 MB; cut it into smaller files")],
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_or_a_device_that_is_itself_the_base_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.txt")
    for path in (tmp_path / "pipe.txt", Path("/dev/zero")):
        (document,) = documents_of(path).documents
        assert read_document(document) == ([], [Problem(document.source, None, "it is not an ordinary file")])


def test_what_a_problem_quotes_of_a_document_is_short_and_safe_to_show(tmp_path: Path):
    event = "DTSTART:20260910\nRRULE:FREQ=DAILY;COUNT=2\nDTEND:20260910" + "\x1b[31m" * 500
    data = f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{event}\nSUMMARY\x1b[31m{'x' * 5000}\nEND:VEVENT\nEND:VCALENDAR"
    _, problems = read(tmp_path, "dates.ics", data.encode())
    assert problems
    assert all(len(problem) < 350 and "\x1b" not in problem and "\n" not in problem for problem in problems)


# ---- archives ------------------------------------------------------------------------------------------------------


def test_the_documents_of_an_archive_are_read_with_their_names_in_it(tmp_path: Path):
    data = packed(
        {"b/clubs.csv": "club,day\nAI,Monday\n", "a.md": f"# Library\n\n{FACT}", ".git/x.md": FACT, "empty/": ""}
    )
    passages, problems = read(tmp_path, "forms.zip", data)
    assert [(p.title, p.source, p.line) for p in passages] == [
        ("Library", "forms.zip/a.md", 3),
        ("Clubs", "forms.zip/b/clubs.csv", 2),
    ]
    assert problems == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../out.md", "its path leads out of the archive; pack it again"),
        ("a/../../out.md", "its path leads out of the archive; pack it again"),
        ("/etc/out.md", "its path leads out of the archive; pack it again"),
        ("C:/out.md", "its path leads out of the archive; pack it again"),
        ("..\\out.md", "its path leads out of the archive; pack it again"),
        ("inner.zip", "it is an archive within an archive; unpack it"),
        ("picture.png", "not a kind of file that is read; save it as text, Markdown, HTML, CSV, PDF or Word (.docx)"),
        ("broken.json", "the JSON is broken here (Expecting value)"),
    ],
)
def test_what_of_an_archive_cannot_be_read_is_named_and_the_rest_is_used(tmp_path: Path, name: str, reason: str):
    passages, problems = read(tmp_path, "forms.zip", packed({"a.md": FACT, name: FACT}))
    assert [passage.text for passage in passages] == [FACT]
    (problem,) = problems
    assert problem.endswith(reason)
    assert problem.startswith("forms.zip/")


def test_a_file_that_is_squeezed_as_no_document_can_be_is_not_unpacked(tmp_path: Path):
    passages, problems = read(tmp_path, "bomb.zip", packed({"a.md": FACT, "b.txt": b"0" * 15_000_000}))
    assert [passage.text for passage in passages] == [FACT]
    assert "bomb.zip/b.txt: it was squeezed as no document can be" in problems[0]


def test_an_archive_is_bounded_in_its_files_their_size_and_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    noise = os.urandom(1_100_000)
    monkeypatch.setattr(archive, "_MOST_MEGABYTES", 1)
    assert "it is over 1 MB; cut it" in read(tmp_path, "a.zip", packed({"a.txt": noise}))[1][0]
    monkeypatch.setattr(archive, "_MOST_MEGABYTES", 2)
    monkeypatch.setattr(archive, "_MOST_MEGABYTES_IN_ALL", 2)
    _, problems = read(tmp_path, "a.zip", packed({"a.txt": noise, "b.txt": noise}))
    assert "a.zip/b.txt: with it the archive is over 2 MB; unpack it into a folder" in problems
    monkeypatch.setattr(archive, "_MOST_MEMBERS", 2)
    assert read(tmp_path, "a.zip", packed(dict.fromkeys("abc", FACT))) == (
        [],
        ["a.zip: there are over 2 files in it; unpack it into a folder"],
    )


def test_a_file_with_a_password_and_a_link_in_an_archive_are_named(tmp_path: Path):
    data = bytearray(packed({"a.md": FACT}))
    data[6] |= 1  # the mark of encryption, in the file's own header and in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert read(tmp_path, "a.zip", bytes(data))[1] == [
        "a.zip/a.md: it is protected by a password; pack it again without one"
    ]
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed_link = io.BytesIO()
    with zipfile.ZipFile(packed_link, "w") as archived:
        archived.writestr(link, "/etc/passwd")
    assert read(tmp_path, "b.zip", packed_link.getvalue())[1] == ["b.zip/link.md: it is not an ordinary file"]


def test_a_size_that_an_archive_lies_about_is_not_believed(tmp_path: Path):
    data = bytearray(packed({"a.md": FACT * 1000}))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    passages, problems = read(tmp_path, "a.zip", bytes(data))
    assert passages == []
    assert problems == ["a.zip/a.md: it is damaged in the archive; pack it again"]


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"PK\x05\x06" + b"\0" * 18, packed({"a.md": FACT})[:-30]],
    ids=["nothing", "a letter", "empty", "cut"],
)
def test_an_archive_that_is_broken_or_empty_is_named(tmp_path: Path, data: bytes):
    passages, problems = read(tmp_path, "a.zip", data)
    assert passages == []
    assert problems in (["a.zip: the archive is broken or cut off; pack it again"], ["a.zip: there is nothing in it"])


def test_every_way_to_damage_an_archive_is_a_problem_and_no_crash(tmp_path: Path):
    whole = packed({"a.md": FACT, "b/c.txt": FACT})
    for position in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        passages, problems = read(tmp_path, "a.zip", bytes(damaged))
        assert passages or problems


# ---- now -----------------------------------------------------------------------------------------------------------


def test_what_is_past_depends_on_when_the_base_is_read(tmp_path: Path):
    path = tmp_path / "dates.ics"
    path.write_text(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20260907\nSUMMARY:Labor Day\nEND:VEVENT\nEND:VCALENDAR"
    )
    texts = [
        read_document(Document(path, "dates.ics"), now=datetime(2026, 9, day, tzinfo=UTC))[0][0].text for day in (7, 8)
    ]
    assert texts == ["On Monday, September 7, 2026: Labor Day.", "Past: on Monday, September 7, 2026: Labor Day."]
