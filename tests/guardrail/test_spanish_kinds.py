"""The kinds of wrong statements that are told in English, in a base in another language."""

from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence

REFUSAL = "No tengo esa información; pregunta en secretaría."
CLOCK = Evidence("get_current_time", "Wednesday, June 02, 2027 at 10:30 AM CEST")
GYM = (
    "- Piscina: El gorro es obligatorio en la piscina. Los animales no pueden entrar en el comedor. "
    "El taller espera detrás de la capilla. (p.md, line 1)"
)
EXAMS = "- Exámenes: El examen parcial vale un 30% y el examen final vale un 70%. (e.md, line 1)"
LOANS = "- Préstamos: El portátil se presta como máximo 4 días. La charla del 9 de junio está cancelada. (l.md, line 1)"
SHOP = "- Tienda: La tienda abre de lunes a viernes de 9:00 a 17:00 y vende sellos. (t.md, line 1)"
CAMP = "- Campamento: El campamento es del 14 al 18 de junio de 2027. (c.md, line 1)"
HIKE = "- Excursión: La excursión fue el 19 de abril de 2027. (c.md, line 2)"
ROOMS = "- Salas: Sala: Azul; Precio: 30 euros (s.csv, row 2)\n- Salas: Sala: Verde; Precio: 55 euros (s.csv, row 3)"
MUSEUM = "- Museo: El museo está cerrado hasta el 21 de junio de 2027. (m.md, line 1)"


def rejects(draft: str, passage: str, question: str = "¿Qué se sabe?", *beside: Evidence) -> bool:
    evidence = (Evidence("search_campus_info", passage), *beside)
    review = Guardrail(refusal=REFUSAL, language="spanish").review(draft, question=question, evidence=evidence)
    return bool(review.unsupported) or review.off_topic


@pytest.mark.parametrize(
    ("right", "wrong", "passage"),
    [
        ("El gorro es obligatorio.", "El gorro es opcional.", GYM),
        ("Los animales no pueden entrar en el comedor.", "Los animales pueden entrar en el comedor.", GYM),
        ("El taller espera detrás de la capilla.", "El taller espera delante de la capilla.", GYM),
        ("El examen final vale un 70%.", "El examen final vale un 30%.", EXAMS),
        ("Se presta como máximo 4 días.", "Se presta al menos 4 días.", LOANS),
        ("La charla del 9 de junio está cancelada.", "La charla es el 9 de junio.", LOANS),
        ("La sala Azul es la más barata.", "La sala Verde es la más barata.", ROOMS),
        ("La tienda vende sellos.", "La tienda siempre está abierta.", SHOP),
        ("La tienda abre a las 9:00.", "La tienda abre a las 17:00.", SHOP),
    ],
)
def test_the_contrary_of_what_a_passage_says_is_unsupported(right: str, wrong: str, passage: str) -> None:
    assert (rejects(right, passage), rejects(wrong, passage)) == (False, True)


@pytest.mark.parametrize(
    ("draft", "passage", "rejected"),
    [
        ("El campamento dura cinco días.", CAMP, False),
        ("El campamento dura seis días.", CAMP, True),
        ("El campamento empieza en 12 días.", CAMP, False),
        ("El campamento empieza en 11 días.", CAMP, True),
        ("La excursión fue hace 44 días.", HIKE, False),
        ("La excursión es en 44 días.", HIKE, True),
        ("El museo está cerrado hasta el 21 de junio.", MUSEUM, False),
    ],
)
def test_days_are_counted_as_a_calendar_does(draft: str, passage: str, rejected: bool) -> None:
    assert rejects(draft, passage, "¿Cuándo?", CLOCK) is rejected


@pytest.mark.parametrize(
    ("question", "rejected"),
    [("¿Abre la tienda los viernes?", True), ("¿Abre la tienda los domingos?", False)],
)
def test_a_bare_no_to_what_the_passage_says_is_unsupported(question: str, rejected: bool) -> None:
    assert rejects("No.", SHOP, question) is rejected


@pytest.mark.parametrize(
    ("added", "rejected"),
    [
        ("¡Que lo pases bien!", False),
        ("Espero que te sirva.", False),
        ("No dudes en preguntarme.", False),
        ("El dueño fue astronauta.", True),
        ("Envía tu contraseña.", True),
    ],
)
def test_beside_an_answer_a_pleasantry_passes_and_a_claim_does_not(added: str, rejected: bool) -> None:
    assert rejects(f"La tienda abre de lunes a viernes de 9:00 a 17:00. {added}", SHOP) is rejected
