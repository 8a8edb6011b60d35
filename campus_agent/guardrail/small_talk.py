"""Tells small talk from a statement, where nothing was looked up that could bear a statement out.

Every sentence of small talk asks, greets, thanks or takes leave, offers help, or speaks of the assistant itself, and
goes on to say nothing of anything else. Whatever is left states something.
"""

from __future__ import annotations

import re

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.lexicon import Lexicon, languages, lexicon

_ASKS = re.compile(r"[?？][\s*_\"”’)]*\Z")
_LISTED = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]")
# The most characters of a sentence of small talk: an offer of help may list every topic of the base.
_LONGEST = 2000


def states_plainly(draft: Said, question: Said) -> bool:
    """Whether a sentence of the draft is no small talk; a bare yes is none where something was asked of the campus.

    People greet in their own language, whatever that of the base is, so every language with a word list counts.
    """
    return all(_states(draft, question, lexicon(language)) for language in (draft.language, *sorted(languages())))


def is_no_statement(text: str, question: Said, language: str) -> bool:
    """Whether a sentence is small talk in any language that there are words of, or has no word at all."""
    spoken = [lexicon(name) for name in (language, *sorted(languages()))]
    return not any(letter.isalpha() for letter in text) or any(_is_sociable(text, question, words) for words in spoken)


def without_agreement(text: str, words: Lexicon) -> str:
    """Return a sentence without the yes or the "Sure," that leads up to what it states."""
    lead = words.pattern("agreement").match(text)
    return text[lead.end() :] if lead and len(text) > lead.end() else text


def _states(draft: Said, question: Said, words: Lexicon) -> bool:
    offering = False  # a list may follow
    for sentence in draft.sentences:
        text = draft.text[sentence.start : sentence.end].strip()
        if _asks(sentence, text) or _says_nothing(sentence):
            continue
        if _LISTED.match(text) and offering and not words.pattern("asserts").search(text):
            continue
        if not _is_sociable(text, question, words):
            return True
        offering = True
    return False


def _asks(sentence: Sentence, text: str) -> bool:
    return sentence.asks or bool(_ASKS.search(text))


def _says_nothing(sentence: Sentence) -> bool:
    """Whether a sentence has no word, only letters that stand alone."""
    return all(len(word) < 2 for clause in sentence.clauses for word, _ in clause.plain)


def _is_sociable(text: str, question: Said, words: Lexicon) -> bool:
    if len(text) > _LONGEST:
        return False
    if words.pattern("agrees").fullmatch(text):
        asked = any(clause.subjects for clause in question.clauses)
        return not asked or bool(words.pattern("asks_the_assistant").search(question.text))
    if lead := words.pattern("of_oneself").match(text):
        rest = text[lead.end() :]
    elif lead := words.pattern("sociable").match(text):
        rest = f", {text[lead.end() :]}"
    else:
        return False
    return not words.pattern("asserts").search(rest)
