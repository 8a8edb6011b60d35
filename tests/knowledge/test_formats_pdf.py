from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.folder import Document
from campus_agent.knowledge.formats import apart, pdf
from campus_agent.knowledge.formats.pdf import read_pdf
from campus_agent.knowledge.formats.reader import Content
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import read_document

NOW = datetime(2026, 6, 13, 10, tzinfo=UTC)
PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")

Line = tuple[str, int]  # its text and its size in points; no text is a gap


def pdf_of(*pages: Sequence[Line] | bytes, outline: Sequence[tuple[str, int]] = (), password: str = "") -> bytes:
    """Write a PDF by hand: a page is its lines, or its drawing commands; the outline is titles with their pages."""
    objects: dict[int, bytes] = {}
    first_page, first_title = 10, 10 + 2 * len(pages)
    key, encryption = _encryption(password) if password else (b"", b"")
    for number, page in enumerate(pages):
        at = first_page + 2 * number
        drawn = page if isinstance(page, bytes) else _drawn(page)
        if key:
            drawn = _rc4(hashlib.md5(key + (at + 1).to_bytes(3, "little") + b"\0\0").digest()[:10], drawn)
        objects[at] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {at + 1} 0 R"
            " /Resources << /Font << /F 3 0 R >> /XObject << /I 4 0 R >> >> >>"
        ).encode()
        objects[at + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn)
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(pages)))
    objects[1] = b"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>"
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects[4] = (
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
        b"\nstream\n\x00\nendstream"
    )
    objects[5] = (
        f"<< /Type /Outlines /First {first_title} 0 R /Count {len(outline)} >>".encode() if outline else b"<< >>"
    )
    for number, (title, page_number) in enumerate(outline):
        following = f" /Next {first_title + number + 1} 0 R" if number + 1 < len(outline) else ""
        target = first_page + 2 * (page_number - 1)
        objects[first_title + number] = (
            f"<< /Title ({title}) /Parent 5 0 R /Dest [{target} 0 R /Fit]{following} >>".encode()
        )
    objects.update({6: encryption} if encryption else {})
    return _file(objects, b" /Encrypt 6 0 R /ID [<00> <00>]" if encryption else b"")


def _drawn(lines: Sequence[Line]) -> bytes:
    y, commands = 740.0, []
    for text, size in lines:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        commands.append(f"BT /F {size} Tf 72 {y} Td ({escaped}) Tj ET" if text else "")
        y -= size * 1.25
    return "\n".join(commands).encode("cp1252")


def _file(objects: dict[int, bytes], trailer: bytes) -> bytes:
    data, places = b"%PDF-1.4\n", {}
    for number in sorted(objects):
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table = b"".join(b"%d 1\n%010d 00000 n \n" % (number, at) for number, at in places.items())
    end = b"trailer\n<< /Root 1 0 R /Size %d%s >>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, trailer, len(data))
    return data + b"xref\n0 1\n0000000000 65535 f \n" + table + end


def _encryption(password: str) -> tuple[bytes, bytes]:
    padded = (password.encode() + PAD)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    key = hashlib.md5(padded + owner + (-4).to_bytes(4, "little", signed=True) + b"\0").digest()[:5]
    user = _rc4(key, PAD)
    return key, f"<< /Filter /Standard /V 1 /R 2 /O <{owner.hex()}> /U <{user.hex()}> /P -4 >>".encode()


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def read(data: bytes) -> tuple[list[tuple[str, str, int | None]], list[str]]:
    items = list(read_pdf(Content(data, "student_handbook.pdf", NOW)))
    passages = [(item.title, item.text, item.page) for item in items if isinstance(item, Passage)]
    return passages, [item.reason for item in items if isinstance(item, Problem)]


def test_text_is_read_in_paragraphs_and_lists_each_with_its_page():
    data = pdf_of(
        [("The library opens at eight on weekdays", 12), ("and at ten on Sundays.", 12), ("", 12),
         ("The gym opens at six daily.", 12)],
        [("The pool is closed (for good).", 12)],
    )  # fmt: skip
    assert read(data) == (
        [
            ("Student handbook", "The library opens at eight on weekdays and at ten on Sundays.", 1),
            ("Student handbook", "The gym opens at six daily.", 1),
            ("Student handbook", "The pool is closed (for good).", 2),
        ],
        [],
    )


def test_what_is_written_larger_is_a_heading():
    data = pdf_of(
        [("Campus life", 24), ("Clubs", 16), ("", 12), ("Chess is played in hall one on Monday.", 12)],
        [("Sport", 16), ("The pool is open daily from six to nine.", 12)],
    )
    assert read(data)[0] == [
        ("Campus life › Clubs", "Chess is played in hall one on Monday.", 1),
        ("Campus life › Sport", "The pool is open daily from six to nine.", 2),
    ]


def test_headings_are_those_of_the_outline_if_there_is_one():
    lines = [
        ("2.1 Opening hours", 12),
        ("", 12),
        ("The pool is open daily.", 12),
        ("", 30),
        ("LARGE", 30),
        ("The water is warm all day.", 12),
    ]
    assert read(pdf_of(lines, outline=[("Opening hours", 1)]))[0] == [
        ("2.1 Opening hours", "The pool is open daily.", 1),
        ("2.1 Opening hours", "LARGE: The water is warm all day.", 1),
    ]


def test_what_heads_and_foots_every_page_is_left_out():
    pages = [
        [("Student handbook 2026", 10), (f"Rule {n} says that you may.", 12), (f"Page {n}", 8)] for n in range(1, 5)
    ]
    assert [text for _, text, _ in read(pdf_of(*pages))[0]] == [f"Rule {n} says that you may." for n in range(1, 5)]


def test_a_sentence_goes_on_over_the_end_of_a_page():
    data = pdf_of([("The library opens at eight on", 12)], [("weekdays only.", 12)])
    assert read(data)[0] == [("Student handbook", "The library opens at eight on weekdays only.", 1)]


def test_the_source_of_a_passage_names_the_page_and_its_document_does_not(tmp_path: Path):
    path = tmp_path / "handbook.pdf"
    path.write_bytes(pdf_of([("", 12)], [("The pool is closed on Sundays.", 12)]))
    ((passage,), problems) = read_document(Document(path, "rules/handbook.pdf"))
    assert (passage.source, passage.line, passage.page) == ("rules/handbook.pdf, page 2", None, 2)
    assert (passage.document, passage.place) == ("rules/handbook.pdf", "rules/handbook.pdf, page 2")
    assert problems == []


def test_a_document_with_a_password_is_named():
    with pytest.raises(Unreadable, match="protected by a password; save a copy without one"):
        read(pdf_of([("The pool is open.", 12)], password="secret"))


@pytest.mark.parametrize("pages", [[b"q 612 0 0 792 0 0 cm /I Do Q"], [b""], []])
def test_a_scanned_document_is_named(pages: list[bytes]):
    with pytest.raises(Unreadable, match=r"no text in it, as in a scan|no PDF"):
        read(pdf_of(*pages))


def test_a_scanned_page_is_named_and_the_others_are_read():
    passages, problems = read(pdf_of([("The pool is open daily.", 12)], b"q 612 0 0 792 0 0 cm /I Do Q"))
    assert len(passages) == 1
    assert problems == ["no text on page 2, as in a scan; run text recognition (OCR) over it"]


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7", b"\0" * 1000, b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer << /Root 1 0 R >>"]
)
def test_what_is_no_pdf_is_named(data: bytes):
    with pytest.raises(Unreadable, match="no PDF, or a damaged one"):
        read(data)


def test_of_very_many_pages_the_first_are_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pdf, "MOST_PAGES", 1)
    _, problems = read(pdf_of([("The pool is open daily.", 12)], [("The gym is closed.", 12)]))
    assert problems == ["only the first 1 pages are read; cut it into smaller files"]


def test_a_missing_package_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Unreadable, match=r'pip install "campus-agent\[pdf\]"'):
        read(b"%PDF")


def test_what_was_read_before_the_reader_broke_off_is_kept(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object, **__: object):
        yield {"outline": [], "pages": 2}
        yield {"page": 1, "lines": [["The pool is open daily.", 700, 690]], "pictures": False, "hides": False}
        raise Unreadable("it takes over 60 s to read")

    monkeypatch.setattr(pdf, "read_apart", broken)
    assert read(b"") == (
        [("Student handbook", "The pool is open daily.", 1)],
        ["the rest is not read: it takes over 60 s to read"],
    )


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import time; print('{\"page\": 1}', flush=True); time.sleep(60)", "it takes over 0 s to read"),
        ("import os; print('{\"page\": 1}\\n{\"pa', flush=True, end=''); os._exit(139)", "it breaks the program"),
        ('print(\'{"page": 1}\\n{"unreadable": "why"}\')', "why"),
    ],
    ids=["hangs", "crashes", "says why"],
)
def test_a_process_that_hangs_or_crashes_is_ended_and_what_it_said_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
):
    (tmp_path / "trap.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    hangs = "sleep" in code
    said = apart.read_apart("trap", b"x" * 1_000_000, seconds=0.4 if hangs else 20)
    if not hangs:  # the interpreter itself may take as long to start
        assert next(said) == {"page": 1}
    with pytest.raises(Unreadable, match=reason):
        list(said)


def test_the_process_is_not_told_any_key_and_takes_no_module_from_the_folder_that_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "probe.py").write_text(
        "import json, os; print(json.dumps({'keys': [k for k in os.environ if 'KEY' in k]}))"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert list(apart.read_apart("probe", b"")) == [{"keys": []}]


def test_pages_are_counted_from_one_whatever_the_order_of_reading():
    numbers = count(1)
    data = pdf_of(*([(f"Rule number {next(numbers)} is in force.", 12)] for _ in range(12)))
    assert [page for _, _, page in read(data)[0]] == list(range(1, 13))
