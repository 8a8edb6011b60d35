"""Drafts a first suite from a knowledge base: questions that its passages answer, and one that they do not."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

from campus_agent.evaluation.case import Case, Expect
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.lexicon import ENGLISH, known
from campus_agent.knowledge.suggestions import question_about, subject_of
from campus_agent.text import one_line

if TYPE_CHECKING:
    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.knowledge.passage import Passage

_MOST_FACTS = 3  # of a passage: an answer need not repeat all that a long one says
_LONGEST_FACT = 80  # characters
_SHORTEST_FACT = 2  # characters: a digit alone says little
_QUESTION_WORDS = ("what ", "when ", "where ", "who ", "which ", "why ", "how ", "can ", "is ", "are ", "do ", "does ")
_ROW = re.compile(r"[^:;]{1,40}: (?P<name>[^:;]{2,60});")  # the first cell says what the row is about
# A dot with more behind it, but not that of "Dr. Okafor" or "Prof. Whitfield".
_SENTENCE_END = re.compile(r"(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})(?<!\b[A-Z][a-z]{3})\.\s")
# What a passage says happens on its days and at its times, and how that is asked; else it is asked in general.
_HAPPENS = (
    (re.compile(r"\b(?:meets?|meetings?)\b", re.IGNORECASE), "When {does} {subject} meet?"),
    (re.compile(r"\b(?:opens?|hours)\b", re.IGNORECASE), "When {is} {subject} open?"),
    (
        re.compile(r"\b(?:is|are|held|takes? place|begins?|starts?)\b|\A(?:on|at|from)\b", re.IGNORECASE),
        "When {is} {subject}?",
    ),
)

# What is asked, and the kinds of facts that answer it: of days and times wherever a passage has them, else of the one
# of these that stands first in it, else in general.
_TIMES, _PLACES, _PRICES = ("weekday", "time", "date"), ("room",), ("money",)
_CONTACTS, _REST = ("email", "phone", "link"), ("number", "percent", "name")
_FORMS = {
    _PLACES: "Where {is} {subject}?",
    _PRICES: "How much {does} {subject} cost?",
    _CONTACTS: "How can I reach {subject}?",
}
# A title that says so itself is not asked how it is reached.
_REACHES = re.compile(r"\b(?:contacts?|phones?|e-?mails?|address(?:es)?|numbers?|reach)\b", re.IGNORECASE)
# What a question that the base itself has asks for; any other one may be answered by whatever stands there.
_ASKS_FOR = (
    (re.compile(r"\W*(?:who|whom|whose)\b", re.IGNORECASE), ("name",)),
    (re.compile(r"\W*(?:when|(?:at |on )?(?:what|which) (?:times?|days?|dates?|hours))\b", re.IGNORECASE), _TIMES),
    (re.compile(r"\W*(?:where|(?:in )?(?:what|which) (?:room|building))\b", re.IGNORECASE), ("room", "name")),
    (re.compile(r"\W*(?:how much|what (?:is|are) the (?:price|cost|fee))", re.IGNORECASE), _PRICES),
    (re.compile(r"\W*how (?:many|long|old)\b", re.IGNORECASE), ("number",)),
    (re.compile(r"\W*how (?:can|do|could) (?:i|we) (?:reach|contact|call|e-?mail)\b", re.IGNORECASE), _CONTACTS),
)

# The first that finds nothing is asked, for the refusal line; in English where the language has none.
_UNANSWERABLE = {
    ENGLISH: (
        "What is the campus wifi password?",
        "How deep is the ocean trench near Guam?",
        "Who composed the opera Rusalka?",
        "Qzxv wkjq vprt?",
    ),
    "spanish": (
        "¿Cuál es la contraseña del wifi?",
        "¿Qué profundidad tiene la fosa de las Marianas?",
        "¿Quién compuso la ópera Rusalka?",
        "¿Qzxv wkjq vprt?",
    ),
}

_HEADER = """# Golden cases for {name}, to begin with. Each of them passes with the offline model; play them with
#
#     campus-agent eval {file}
#
# and with --provider or --base-url against any other model. Change the questions to those that your students ask, and
# the expectations to what an answer has to get right.
"""


def draft_cases(base: KnowledgeBase) -> Iterator[Case]:
    """Yield a case for each passage that a question can be made of, one document after the other in turn."""
    documents: dict[str, list[Passage]] = defaultdict(list)
    for passage in base.passages:
        documents[passage.document].append(passage)
    names: set[str] = set()
    for passage in filter(None, chain.from_iterable(zip_longest(*documents.values()))):
        case = _case(passage, base.language)
        if case and case.name not in names:
            names.add(case.name)
            yield case


def refusal_case(base: KnowledgeBase) -> Case | None:
    """Return a case with a question that the base cannot answer; None when it seems to answer all that are known."""
    questions = _UNANSWERABLE.get(base.language, _UNANSWERABLE[ENGLISH])
    question = next((question for question in questions if not base.search(question).found), None)
    if question is None:
        return None
    expect = Expect.model_validate({"outcome": "refused", "tools_called": ["search_campus_info"]})
    return Case(name="what the base does not hold is refused", question=question, expect=expect)


def write_suite(cases: Sequence[Case], *, name: str, file: str, kb: Sequence[str], now: datetime) -> str:
    """Return the TOML of a suite of cases with one question each; `kb` is written as it is given."""
    lines = [_HEADER.format(name=one_line(name, 80), file=one_line(file, 80))]
    if kb:
        lines.append(f"kb = {_list(kb)}")
    lines.append(f"now = {now.isoformat(timespec='seconds')}  # so that the answers are the same on every day")
    for case in cases:
        expect = case.expect
        lines += ["", "[[cases]]", f"name = {_quoted(case.name)}", f"question = {_quoted(case.question or '')}"]
        lines += ["[cases.expect]", f"outcome = {_quoted(expect.outcome[0])}"]
        if expect.grounded:
            lines.append("grounded = true")
        lists = {name: getattr(expect, name) for name in ("facts", "sources", "tools_called")}
        lines += [f"{name} = {_list(values)}" for name, values in lists.items() if values]
    return "\n".join(lines) + "\n"


def _case(passage: Passage, language: str) -> Case | None:
    row = _ROW.match(passage.text)
    subject = _SENTENCE_END.split(_seen(row["name"] if row else subject_of(passage), 100))[0].rstrip(".")
    told = facts(passage.text, known(language))
    own = next(filter(None, map(_seen, passage.phrasings)), "")
    kinds = _answering(own or subject, told)
    question = own or _question(passage, subject, kinds, english=language == ENGLISH)
    expected = tuple(_expected(told, kinds, known(language)))
    if not question or not expected:
        return None
    expect = Expect.model_validate(
        {"outcome": "answered", "grounded": True, "facts": expected, "sources": [one_line(passage.document)]}
    )
    return Case(name=subject or question, question=question, expect=expect)


def _seen(text: str, limit: int = 0) -> str:
    """Return `text` on one line without the characters that nobody sees, as nobody types them either."""
    return one_line("".join(letter for letter in text if unicodedata.category(letter) != "Cf"), limit)


def _answering(question: str, told: Sequence[Fact]) -> Sequence[str]:
    """Return the kinds of facts that answer a question of the base itself, or else that which a title is made into."""
    asked = next((kinds for asks, kinds in _ASKS_FOR if asks.match(question)), None)
    if asked is not None:
        return asked
    if any(fact.kind in _TIMES for fact in told):
        return _TIMES
    return next((kinds for fact in told for kinds in _FORMS if fact.kind in kinds), _REST)


def _question(passage: Passage, subject: str, kinds: Sequence[str], *, english: bool) -> str:
    """Return a question that is made of the title of a passage, after facts of these kinds."""
    if not subject or subject.endswith("?") or not english:
        return subject
    several = subject.endswith("s") and not subject.endswith(("ss", "us"))
    named = subject.lower() in passage.text.lower()
    if subject.lower().startswith(_QUESTION_WORDS) or (several and not named and "hours" not in subject.lower()):
        return question_about(subject)  # of a title such as "Clubs" nobody asks when they are
    form = _asking_when(passage.text, subject) if kinds == _TIMES else _FORMS.get(tuple(kinds), "")
    if kinds == _CONTACTS and _REACHES.search(subject):
        form = ""
    known_as = "open?" in form or form.startswith("What")
    bare = f"the {subject.lower()}" not in passage.text.lower() and not known_as
    article = "" if bare or subject.lower().startswith(("the ", "a ", "an ", "our ")) else "the "
    words = {"is": "are" if several else "is", "does": "do" if several else "does", "subject": f"{article}{subject}"}
    return form.format_map(words) or question_about(subject)


def _asking_when(text: str, subject: str) -> str:
    """Return how to ask for the days or times of a passage; empty when they are not those of the thing itself."""
    if "hours" in subject.lower():
        return "What {is} {subject}?"
    return next((form for happens, form in _HAPPENS if happens.search(text)), "")


def _expected(told: Sequence[Fact], kinds: Sequence[str], language: str) -> Iterator[str]:
    """Yield the first facts of these kinds, those that are still the same facts when they stand alone."""
    values = dict.fromkeys(one_line(fact.text) for fact in told if fact.kind in kinds and _fits(fact.text))
    alone = (value for value in values if {fact.kind for fact in facts(value, language)} & set(kinds))
    return islice(alone, _MOST_FACTS)


def _fits(fact: str) -> bool:
    return _SHORTEST_FACT <= len(fact) <= _LONGEST_FACT


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"


def _quoted(text: str) -> str:
    """Return a basic string of TOML, which is that of JSON once there is no control character in it."""
    return json.dumps(one_line(text), ensure_ascii=False)
