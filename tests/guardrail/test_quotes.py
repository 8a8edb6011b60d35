from __future__ import annotations

from pathlib import Path

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.tools.campus import FollowedBase, search_tool
from campus_agent.tools.tool import ToolResult
from tests.guardrail.triples import REFUSAL

ROOT = Path(__file__).parents[2]
EVENTS = """title,text
Harvest fair,"On Friday, October 9, 2026 from 5 PM to 8 PM: Harvest fair. Bring a basket, taste. Place: Barn Hall."
Choir night,"On Saturday, October 10, 2026 from 7 PM to 9 PM: Choir night. Sing along, stay on. Place: Dome House."
Chess open,"On Sunday, October 11, 2026 at 10 AM: Chess open. Clocks are there, boards too. Place: Reading Hall. Free."
"""


def unsupported(base: KnowledgeBase) -> list[tuple[str, list[str]]]:
    search, guardrail, found = search_tool(FollowedBase(base)).function, Guardrail(refusal=REFUSAL), []
    for passage in base.passages:
        result = search(query=passage.title)
        assert isinstance(result, ToolResult)
        assert passage.text in result.content
        evidence = (Evidence("search_campus_info", result.content, result.sources),)
        review = guardrail.review(passage.text, question=passage.title, evidence=evidence)
        found += [(passage.title, [fact.text for fact in review.unsupported])] if review.unsupported else []
    return found


@pytest.mark.parametrize("folder", ["kb", "campus_agent/knowledge/starter"])
def test_what_a_passage_says_is_supported_word_for_word(folder: str) -> None:
    assert unsupported(KnowledgeBase.load([ROOT / folder])) == []


def test_what_an_event_says_is_supported_word_for_word(tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text(EVENTS)
    assert unsupported(KnowledgeBase.load([tmp_path])) == []


@pytest.mark.parametrize(
    "rows",
    [
        'Charge,Amount\n"Tuition, in district",$98 per credit\n"Tuition, out of district",$268 per credit\n',
        "Room,Clubs,Students\nFoyer,free,£10\nGreat Hall,£15,£40\n",
        "Experiment,Report due\nLab 3 Pendulum,2026-10-15\nLab 4 Electron diffraction,2026-10-22\n",
    ],
)
def test_what_a_row_says_is_supported_word_for_word_whatever_is_asked(tmp_path: Path, rows: str) -> None:
    (tmp_path / "table.csv").write_text(rows)
    base = KnowledgeBase.load([tmp_path])
    assert unsupported(base) == []
    search = search_tool(FollowedBase(base)).function
    for passage in base.passages:
        result = search(query="credit free report")
        assert isinstance(result, ToolResult)
        evidence = (
            Evidence("search_campus_info", f"{result.content}\n- {passage.title}: {passage.text}", result.sources),
        )
        review = Guardrail(refusal=REFUSAL).review(
            passage.text, question="how much out of district, which are free, when is it due", evidence=evidence
        )
        assert [fact.text for fact in review.unsupported] == []
