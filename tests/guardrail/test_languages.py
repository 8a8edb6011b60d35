from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from campus_agent.guardrail.facts import equal, facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.lexicon import ENGLISH, known, lexicon
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.words import stem

FOLDER = files("campus_agent.guardrail").joinpath("languages")
NAMES = sorted(file.name.removesuffix(".toml") for file in FOLDER.iterdir())
REFUSAL = "No tengo esa información; pregunta en secretaría."
FOUND = Evidence(
    "search_campus_info",
    "- Club de ajedrez: El club de ajedrez se reúne los jueves a las 17:00 en el edificio Cervantes, aula 204. "
    "La cuota es de 15 euros. (clubes.md, line 3)\n"
    "- Biblioteca: La biblioteca abre de lunes a viernes de 9:00 a 21:00. Cerrada los domingos. (b.md, line 1)",
)
COUNTED = Evidence("days_until_weekday", "The next Thursday is in 5 day(s), on June 18, 2026.")


def unsupported(draft: str, question: str = "¿Cuándo se reúne el club de ajedrez?") -> list[str]:
    guardrail = Guardrail(refusal=REFUSAL, language="spanish")
    review = guardrail.review(draft, question=question, evidence=(FOUND, COUNTED))
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize("name", NAMES)
def test_every_pattern_of_a_language_file_can_be_read(name: str) -> None:
    data = tomllib.loads(FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))
    words = lexicon(name)
    assert all(isinstance(words.pattern(pattern), re.Pattern) for pattern in data["patterns"])
    assert stem("biblioteca", name)


def test_a_second_language_has_no_list_or_pattern_that_english_lacks() -> None:
    english, spanish = (
        tomllib.loads(FOLDER.joinpath(f"{name}.toml").read_text("utf-8")) for name in (ENGLISH, "spanish")
    )
    assert spanish["patterns"].keys() <= english["patterns"].keys()
    assert spanish.keys() - english.keys() <= {"place_heads_first", "small_weekdays"}


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("spanish", "spanish"),
        ("english", "english"),
        ("klingon", "english"),
        ("", "english"),
        ("../english", "english"),
    ],
)
def test_a_language_without_a_file_falls_back_to_english(language: str, expected: str) -> None:
    assert known(language) == expected
    assert Guardrail(refusal=REFUSAL, language=language).language == expected


@pytest.mark.parametrize(
    "forms",
    [
        ["jueves", "los Jueves", "JUEVES"],
        ["de lunes a viernes", "lunes-viernes", "entre semana"],
        ["18 de junio de 2026", "el 18 de junio", "2026-06-18"],
        ["5 de la tarde", "17:00", "5 p. m."],
        ["cinco días", "5 días"],
        ["una semana", "7 días"],
        ["15 euros", "€15"],
        ["cincuenta por ciento", "50%"],
        ["aula 204", "Aula número 204"],
    ],
)
def test_equal_facts_are_equal_however_written_in_spanish(forms: list[str]) -> None:
    found = [facts(form, "spanish") for form in forms]
    assert all(len(one) == 1 and equal(one[0], found[0][0]) for one in found)


@pytest.mark.parametrize(
    "draft",
    [
        "El club de ajedrez se reúne los jueves a las 5 de la tarde, en el aula 204.",
        "Se reúne los jueves a las 17:00. La cuota es de quince euros.",
        "La biblioteca abre los miércoles de 9:00 a 21:00.",
        "Faltan cinco días: es el 18 de junio.",
        "No, no se reúne los viernes.",
        "La biblioteca está cerrada los domingos.",
    ],
)
def test_what_a_spanish_passage_says_is_grounded_in_other_words(draft: str) -> None:
    assert unsupported(draft) == []


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("El club de ajedrez se reúne los viernes a las 17:00.", ["viernes"]),
        ("El club de ajedrez se reúne en el aula 205.", ["aula 205"]),
        ("La cuota es de 20 euros.", ["20 euros"]),
        ("Faltan seis días.", ["seis días"]),
        ("La biblioteca abre los domingos.", ["domingos"]),
        ("El club de ajedrez no se reúne los jueves.", ["jueves"]),
        ("Lo dirige la Dra. Elena Robles.", ["Elena Robles"]),
        ("El club de ajedrez se reúne de lunes a viernes.", ["lunes a viernes"]),
    ],
)
def test_what_no_spanish_passage_says_is_named(draft: str, named: list[str]) -> None:
    assert unsupported(draft) == named


def test_a_bare_yes_is_read_in_spanish_too() -> None:
    assert unsupported("Sí.", "¿Se reúne el club de ajedrez los viernes?") == ["viernes"]
    assert unsupported("Sí.", "¿Se reúne el club de ajedrez los jueves?") == []


def test_the_refusal_line_is_recognised_in_spanish() -> None:
    guardrail = Guardrail(refusal=REFUSAL, language="spanish")
    assert guardrail.review(f"Lo siento, {REFUSAL.lower()}", question="¿wifi?", evidence=()).refusal
