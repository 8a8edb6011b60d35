"""Text of a PDF page that nobody can see, and text that only looks as if nobody could."""

from __future__ import annotations

import pytest

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.inside import HIDDEN
from tests.knowledge.test_formats_pdf import pdf_of, read

OPEN = "BT /F 12 Tf 0 g 72 700 Td (The gym is open all day.) Tj ET"
SECRET = "(The pool costs 99 dollars.) Tj ET"
PICTURE = "q 612 0 0 792 0 0 cm /I Do Q"


def told(*drawn: str) -> tuple[list[str], list[str]]:
    passages, problems = read(pdf_of("\n".join(drawn).encode()))
    return [text for _, text, _ in passages], problems


@pytest.mark.parametrize(
    "hidden",
    [
        f"BT /F 12 Tf 1 1 1 rg 72 680 Td {SECRET}",
        f"BT /F 12 Tf 0.99 g 72 680 Td {SECRET}",
        f"BT /F 12 Tf 0 0 0 0 k 72 680 Td {SECRET}",
        f"BT /F 12 Tf 3 Tr 72 680 Td {SECRET}",
        f"BT /F 12 Tf 1 Tr 1 G 72 680 Td {SECRET}",
        f"BT /F 0.5 Tf 72 680 Td {SECRET}",
        f"BT /F 1 Tf 0.5 0 0 0.5 72 680 Tm {SECRET}",
        f"BT /F 12 Tf 72 5000 Td {SECRET}",
        f"BT /F 12 Tf -900 680 Td {SECRET}",
        f"1 0 0 rg 70 670 400 30 re f BT /F 12 Tf 1 0 0 rg 72 680 Td {SECRET}",
        f"0 g 70 670 400 30 re f 1 g 70 670 400 30 re f BT /F 12 Tf 1 g 72 680 Td {SECRET}",
        f"BT /F 12 Tf 1 g 72 680 Td {SECRET} 0 g 300 100 20 20 re f",
    ],
)
def test_text_that_nobody_can_see_is_left_out_and_named_with_its_page(hidden: str):
    assert told(OPEN, hidden) == (["The gym is open all day."], [f"{HIDDEN} (page 1)"])


@pytest.mark.parametrize(
    "seen",
    [
        f"0 0 0.4 rg 70 670 400 30 re f BT /F 12 Tf 1 g 72 680 Td {SECRET}",
        f"q 400 0 0 30 70 670 cm /I Do Q BT /F 12 Tf 1 g 72 680 Td {SECRET}",
        f"BT /F 12 Tf 2 Tr 1 g 0 G 72 680 Td {SECRET}",
        f"BT /F 12 Tf 1 Tr 1 g 0 G 72 680 Td {SECRET}",
        f"BT /F 12 Tf 0.6 g 72 680 Td {SECRET}",
        f"BT /F 5 Tf 72 680 Td {SECRET}",
        f"BT /F 1 Tf 12 0 0 12 72 680 Tm {SECRET}",
        f"BT /F 12 Tf 0 1 -1 0 300 300 Tm {SECRET}",
    ],
)
def test_text_that_can_be_seen_is_read_however_it_is_painted(seen: str):
    texts, problems = told(OPEN, seen)
    assert ("99 dollars" in " ".join(texts), problems) == (True, [])


@pytest.mark.parametrize("order", [1, -1])
def test_the_invisible_text_of_a_scan_is_read_over_or_under_its_picture(order: int):
    text = "BT /F 12 Tf 3 Tr 72 700 Td (The gym is open all day.) Tj ET"
    assert told(*[PICTURE, text][::order]) == (["The gym is open all day."], [])


def test_a_document_of_hidden_text_alone_is_said_to_be_one():
    with pytest.raises(Unreadable, match="nobody can see"):
        told(f"BT /F 12 Tf 1 g 72 680 Td {SECRET}")
