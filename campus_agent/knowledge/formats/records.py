"""Rows and objects: things that are told as names with values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campus_agent.knowledge.formats.blocks import file_title
from campus_agent.knowledge.passage import Passage, title_path
from campus_agent.knowledge.words import fold

# What the parts of a passage are called in the tables and lists that people keep, without accents, in English, German,
# Spanish and French; the first that is there is taken.
_TITLES = (
    *("question", "questions", "q", "frage", "fragen", "pregunta", "preguntas"),
    *("title", "heading", "titel", "titulo", "titre", "name", "nombre", "nom"),
)
_TEXTS = (
    *("answer", "answers", "a", "antwort", "antworten", "respuesta", "respuestas", "reponse", "reponses"),
    *("text", "response", "content", "body", "description", "inhalt", "beschreibung", "texto", "texte"),
    *("contenido", "descripcion", "contenu"),
)
_GROUPS = ("category", "topic", "section", "tag", "kategorie", "thema", "categoria", "tema", "categorie")
_LONGEST_NAME = 200  # characters; each row repeats the names


def row_text(names: Sequence[str], values: Sequence[str]) -> str:
    """Return "Name: value; Name: value", without the values that are blank; a value without a name stands alone."""
    told = []
    for position, value in enumerate(values):
        name = (
            names[position][:_LONGEST_NAME].replace("_", " ").strip().removesuffix(":") if position < len(names) else ""
        )
        if value.strip():
            told.append(f"{name}: {value.strip()}" if name else value.strip())
    return "; ".join(told)


def record_title(record: Mapping[str, str]) -> str | None:
    """Return what a record calls itself, None when it has no name, title or question."""
    title = _first(record, _TITLES)
    return None if title is None else record[title].strip()


def record_passage(
    record: Mapping[str, str], source: str, line: int | None, *, above: Sequence[str] = ()
) -> Passage | None:
    """Make the passage that a record tells, None when it tells nothing.

    A title and a text, or a question and its answer, are taken as such; a category goes before the title, and what
    else there is after the text. Any other record becomes "Name: value; Name: value".

    Args:
        record: the values by their names, in order.
        source: the document.
        line: where the record begins in it.
        above: the titles that the record stands under.
    """
    title, text, group = (_first(record, names) for names in (_TITLES, _TEXTS, _GROUPS))
    if title is None or text is None:
        told = row_text(list(record), list(record.values()))
        titles = [*above, record_title(record) or ""]
    else:
        rest = {name: value for name, value in record.items() if name not in (title, text, group)}
        more = row_text(list(rest), list(rest.values()))
        told = record[text].strip()
        told = f"{told} ({more})" if told and more else told
        titles = [*above, record[group] if group else "", record[title]]
    return Passage(title_path(*titles) or file_title(source), told, source, line) if told else None


def _first(record: Mapping[str, str], wanted: Sequence[str]) -> str | None:
    names = {fold(name.strip()): name for name in record}
    return next((names[name] for name in wanted if name in names), None)
