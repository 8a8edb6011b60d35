from __future__ import annotations

import random
import tomllib
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest
from pydantic import TypeAdapter

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.lexicon import ENGLISH, lexicon
from campus_agent.guardrail.review import Evidence

FOLDER = files("campus_agent.guardrail").joinpath("languages")
NAMES = sorted(file.name.removesuffix(".toml") for file in FOLDER.iterdir())
NUMBERS, MEASURED, SENSES = dict[str, int], dict[str, tuple[str, int]], dict[str, list[tuple[str, int]]]
# What the code unpacks out of each table.
TABLES: dict[str, Any] = {
    **dict.fromkeys(("numbers", "multiples", "ordinals", "times_few", "relative_days"), NUMBERS),
    **dict.fromkeys(("weekday_abbreviations", "month_abbreviations"), NUMBERS),
    **dict.fromkeys(("comparatives", "orderings", "superlatives"), MEASURED),
    **dict.fromkeys(("predicates", "modals"), SENSES),
    "units": dict[str, tuple[str, float]],
    "weekday_codes": dict[str, list[int]],
    "sides": dict[str, list[str]],
    "patterns": dict[str, str],
}
FOUND = Evidence(
    "search_campus_info",
    "- Choir: The choir meets on Mondays at 5 PM in room 118 and costs $25 a term, or 40 euros. (a.md, line 1)\n"
    "- Coro: El coro ensaya los lunes a las 17:00 en el aula 118, planta baja, y cuesta 25 euros. (b.md, line 1)",
)
OTHERS = (
    Evidence(
        "search_campus_info", "- Parking (table): Lot: B | Fee: $310 a year. Lot: C | Fee: $190. (p.csv, rows 1-2)"
    ),
    Evidence("get_current_time", "Wednesday, September 09, 2026 at 07:15 PM PDT"),
    Evidence("days_until_weekday", "The next Monday is in 5 day(s), on September 14, 2026."),
)


def data_of(name: str) -> dict[str, Any]:
    return tomllib.loads(FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))


def words_of(name: str) -> list[str]:
    data = data_of(name)
    del data["patterns"]
    return list(chain.from_iterable(lexicon(name).listed(key) for key in data))


def in_batches(words: list[str], size: int) -> list[list[str]]:
    return [words[at : at + size] for at in range(0, len(words), size)]


def review(draft: str, question: str, language: str) -> None:
    guardrail = Guardrail(refusal="No.", language=language)
    assert guardrail.review(draft, question=question, evidence=(FOUND, *OTHERS)) is not None


@pytest.mark.parametrize("name", NAMES)
def test_every_table_of_a_language_file_has_the_shape_that_the_code_unpacks(name: str) -> None:
    for key, value in data_of(name).items():
        shape = TABLES[key] if isinstance(value, dict) else str | list[str]
        assert TypeAdapter(shape).validate_python(value)


@pytest.mark.parametrize("name", [name for name in NAMES if name != ENGLISH])
def test_a_pattern_of_another_language_has_the_groups_of_the_english_one(name: str) -> None:
    for pattern in data_of(name)["patterns"]:
        asked, given = (set(lexicon(one).pattern(pattern).groupindex) for one in (ENGLISH, name))
        assert given == asked, pattern


@pytest.mark.parametrize("name", NAMES)
def test_no_word_of_a_language_can_break_a_review_wherever_it_stands(name: str) -> None:
    words = lexicon(name)
    day, unit, than = words.listed("weekdays")[0], words.listed("units")[0], "que" if name == "spanish" else "than"
    for some in in_batches(words_of(name), 12):
        draft = ". ".join(
            f"{word} {day} {word} {unit}, es {word} {than} is {word} {than} la {word} 3 {word}" for word in some
        )
        review(draft, some[0], name)


@pytest.mark.parametrize("name", NAMES)
def test_no_run_of_words_of_a_language_can_break_a_review(name: str) -> None:
    chance = random.Random(7)
    values = [
        "Monday",
        "lunes",
        "5",
        "17:00",
        "17h",
        "$25",
        "2026-06-18",
        "20%",
        "room",
        "aula",
        "118",
        *".,;:?!-()\n|",
    ]
    words = [*words_of(name), *values * 8]
    for _ in range(400):
        draft, question = (" ".join(chance.choices(words, k=chance.randint(1, most))) for most in (25, 10))
        review(draft, question, name)


@pytest.mark.parametrize("name", NAMES)
def test_letters_that_a_pattern_takes_for_others_break_nothing_and_are_read_as_those(name: str) -> None:
    alike = str.maketrans("sikSIK", "ſıKſİK")
    for some in in_batches(words_of(name), 30):
        draft = ". ".join(f"3 {word} {word}".translate(alike) for word in some)
        review(draft, draft[:60], name)
    guardrail = Guardrail(refusal="No.")
    said = guardrail.review("The choir meets on ſundays.", question="When?", evidence=(FOUND,))
    assert [fact.text for fact in said.unsupported] == ["sundays"]


@pytest.mark.parametrize(
    ("draft", "language"),
    [
        ("abre en la planta baja lunes a viernes", "spanish"),
        ("Open on the ground Monday to Friday, at half past zero, zero times a week.", "english"),
        ("El coro es más barato que la orquesta, y más larga que el coro.", "spanish"),
    ],
)
def test_what_only_looks_like_the_first_monday_or_a_number_breaks_nothing(draft: str, language: str) -> None:
    review(draft, "?", language)
