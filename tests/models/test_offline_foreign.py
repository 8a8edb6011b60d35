"""The offline model asked in a language that it does not know: it quotes what the search is sure of, or refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from campus_agent import Agent, Settings
from campus_agent.agent.outcome import Outcome
from campus_agent.knowledge.language import is_foreign

BASES = {
    "spanish": "# Club de ajedrez\n\nEl club de ajedrez se reúne los martes a las 17:30 en la sala B12.\n\n"
    "# Biblioteca\n\nLa biblioteca abre de lunes a viernes, de 8:00 a 20:00.\n",
    "french": "# Bibliothèque\n\nLa bibliothèque ouvre du lundi au vendredi à 9 h.\n\n"
    "# Gymnase\n\nLe gymnase est au bâtiment C.\n",
    "russian": "# Библиотека\n\nБиблиотека открыта с понедельника по пятницу.\n\n# Столовая\n\nСтоловая в корпусе Б.\n",
}


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("spanish", "¿Cuándo se reúne el club de ajedrez?", "martes a las 17:30"),
        ("spanish", "¿Dónde se reúne el club de ajedrez?", "sala B12"),
        ("french", "Où est le gymnase ?", "bâtiment C"),
        ("french", "Quand ouvre la bibliothèque ?", "lundi au vendredi"),
        pytest.param("russian", "Библиотека открыта?", "понедельника", id="russian"),
    ],
)
async def test_what_the_search_is_sure_of_is_quoted(tmp_path: Path, language: str, question: str, said: str) -> None:
    (tmp_path / "base.md").write_text(BASES[language], encoding="utf-8")
    result = await Agent.from_settings(Settings(kb=(str(tmp_path),), language=language)).ask(question)
    assert result.outcome is Outcome.ANSWERED
    assert said in (result.answer or "")


@pytest.mark.parametrize("question", ["¿Cuál es la contraseña del wifi?", "¿Dónde está el club de esgrima?"])
async def test_what_it_is_not_sure_of_is_refused(tmp_path: Path, question: str) -> None:
    (tmp_path / "base.md").write_text(BASES["spanish"], encoding="utf-8")
    result = await Agent.from_settings(Settings(kb=(str(tmp_path),), language="spanish")).ask(question)
    assert result.outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    "question",
    [
        "When does the AI club meet?",
        "gpu lab",
        "and where is that?",
        "die on campus",
        "Is Los Angeles near?",
        "",
        "???",
    ],
)
def test_english_names_and_nothing_at_all_are_not_foreign(question: str) -> None:
    assert not is_foreign(question)
