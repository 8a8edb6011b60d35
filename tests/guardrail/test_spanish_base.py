"""A base in another language, from its folder to the answer: campus.toml alone says the language and the line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import RunResult
from campus_agent.assemble import assemble
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import Settings

LINE = "No tengo esa información — pregunta en la Secretaría."
CAMPUS = f'name = "Campus Río"\nlanguage = "spanish"\ntimezone = "Europe/Madrid"\nrefusal = "{LINE}"\n'
CLUBS = """# Clubes

## Club de ajedrez

El club de ajedrez se reúne los jueves a las 17:00 en el aula 204. La cuota es de 15 euros.

# Biblioteca

La biblioteca abre de lunes a viernes de 9:00 a 21:00, cerrada de 14:00 a 15:00.
"""
SEARCH = [RequestedCall("search_campus_info", '{"query": "club de ajedrez"}')]
LIBRARY = [RequestedCall("search_campus_info", '{"query": "biblioteca"}'), RequestedCall("get_current_time", "{}")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "campus.toml").write_text(CAMPUS, "utf-8")
    (tmp_path / "clubes.md").write_text(CLUBS, "utf-8")
    return tmp_path


async def ask(folder: Path, question: str, replies: list[str | list[RequestedCall]], hour: int = 10) -> RunResult:
    agent = assemble(Settings.load(kb=[str(folder)], now=datetime(2026, 6, 15, hour, 30))).agent  # a Monday
    agent.model = ScriptedModel(replies)
    return await agent.ask(question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Cuándo se reúne el club de ajedrez?", "Los jueves a las 5 de la tarde, en el aula 204."),
        ("¿Cuánto cuesta el club de ajedrez?", "La cuota del club de ajedrez es de quince euros."),
        ("¿Se reúne el club de ajedrez los viernes?", "No, el club de ajedrez no se reúne los viernes."),
    ],
)
async def test_what_the_base_says_is_answered(folder: Path, question: str, answer: str) -> None:
    result = await ask(folder, question, [SEARCH, answer])
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, answer)
    assert result.sources[0].source == "clubes.md"


@pytest.mark.parametrize(
    ("invented", "named"),
    [
        ("El club de ajedrez se reúne los viernes a las 17:00.", "viernes"),
        ("El club de ajedrez se reúne los jueves a las 18:00.", "18:00"),
        ("La cuota es de 20 euros.", "20 euros"),
    ],
)
async def test_what_is_invented_is_refused_with_the_line_of_the_base(folder: Path, invented: str, named: str) -> None:
    result = await ask(folder, "¿Cuándo se reúne el club de ajedrez?", [SEARCH, invented, invented])
    assert (result.outcome, result.answer) == (Outcome.REFUSED, LINE)
    assert [fact.text for fact in result.facts if not fact.supported] == [named]


@pytest.mark.parametrize(("hour", "right", "wrong"), [(10, "abierta", "cerrada"), (14, "cerrada", "abierta")])
async def test_whether_something_is_open_is_judged_by_its_hours(
    folder: Path, hour: int, right: str, wrong: str
) -> None:
    question = "¿Está abierta la biblioteca ahora?"
    said, lie = (f"La biblioteca está {state} ahora mismo." for state in (right, wrong))
    assert (await ask(folder, question, [LIBRARY, said], hour)).answer == said
    assert (await ask(folder, question, [LIBRARY, lie, lie], hour)).answer == LINE
