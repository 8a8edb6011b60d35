"""Tells small talk from a statement, where nothing was looked up that could bear a statement out.

Every sentence of small talk asks, greets, thanks or takes leave, offers help, or speaks of the assistant itself, and
goes on to say nothing of anything else: no courtesy with words of its own, nothing that "I" do but as an assistant.
Whatever is left states something, and so does a courtesy that was asked for: "Write a note to Ana" - "Thank you, Ana!".
"""

from __future__ import annotations

import re

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.lexicon import Lexicon, languages, lexicon
from campus_agent.guardrail.words import listed_stems, words

_ASKS = re.compile(r"[?？][\s*_\"”’)]*\Z")
_LISTED = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]")
_SPACE = re.compile(r"\s+")
_FACE = re.compile(r"[\W_]+[A-Za-z3]?")  # ":)", ":D", "<3"
# What small talk begins with; what stands behind the first two may be of anything.
_OPEN = ("of_oneself", "sociable")
_SOCIABLE = (*_OPEN, "courteous")
_COURTESIES = ("courtesies", "ordinary_words", "feelings")
# The most characters of a sentence of small talk: an offer of help may list every topic of the base.
_LONGEST = 2000


def states_plainly(draft: Said, question: Said, allowed: Said) -> bool:
    """Whether a sentence of the draft is no small talk; a bare yes is none where something was asked of the campus.

    People greet in their own language, whatever that of the base is, so every language with a word list counts.
    """
    return all(_states(draft, question, allowed, language) for language in (draft.language, *sorted(languages())))


def is_small_talk(draft: Said, question: Said, allowed: Said) -> bool:
    """Whether small talk answers small talk, or a question of the assistant itself.

    "Go ahead and enjoy!" is a yes to somebody who asked whether they may, and so may be what comes after their "yes".
    """
    asked = (question.text[sentence.start : sentence.end].strip() for sentence in question.sentences)
    return not states_plainly(draft, question, allowed) and all(
        any(_is_talk(text, question, allowed, name) for name in languages()) for text in asked
    )


def is_no_statement(text: str, question: Said, allowed: Said) -> bool:
    """Whether a sentence is small talk in any language that there are words of, or has no word at all."""
    spoken = (question.language, *sorted(languages()))
    return not any(letter.isalpha() for letter in text) or any(
        _is_sociable(text, question, allowed, language) for language in spoken
    )


def declines(draft: Said, question: Said, allowed: Said) -> bool:
    """Whether a draft says in words of its own that it does not know or cannot help, and nothing beside but courtesies.

    To ask which library is meant is no refusal.
    """
    told = [draft.text[sentence.start : sentence.end].strip() for sentence in draft.sentences]
    beside = [text for text in told if not any(_says_no(text, name) for name in languages())]
    return len(beside) < len(told) and all(
        any(lexicon(name).pattern("courtesy").match(text.lower()) for name in languages())
        or ("?" not in text and is_no_statement(text, question, allowed))
        for text in beside
    )


def without_agreement(text: str, words: Lexicon) -> str:
    """Return a sentence without the yes or the "Sure," that leads up to what it states."""
    lead = words.pattern("agreement").match(text)
    return text[lead.end() :] if lead and len(text) > lead.end() else text


def _states(draft: Said, question: Said, allowed: Said, language: str) -> bool:
    offering = False  # a list may follow
    for sentence in draft.sentences:
        text = draft.text[sentence.start : sentence.end].strip()
        if _asks(sentence, text) or _FACE.fullmatch(text):
            continue
        if _LISTED.match(text) and offering and not lexicon(language).pattern("asserts").search(text):
            continue
        if not _is_sociable(text, question, allowed, language):
            return True
        offering = True
    return False


def _is_talk(text: str, question: Said, allowed: Said, language: str) -> bool:
    """Whether a sentence of a question asks nothing of the campus and agrees to nothing."""
    spoken = lexicon(language)
    if not any(clause.subjects for clause in question.clauses) and spoken.pattern("asks_the_assistant").search(text):
        return True
    return not spoken.pattern("agrees").fullmatch(text) and _is_sociable(text, question, allowed, language)


def _says_no(text: str, language: str) -> bool:
    spoken = lexicon(language)
    declined = len(text) <= _LONGEST and spoken.pattern("declines").search(text)
    return bool(declined) and not spoken.pattern("asserts").search(text)


def _asks(sentence: Sentence, text: str) -> bool:
    """Whether a sentence asks, and does not tell by asking: "Did you know that ...?"."""
    return (sentence.asks or bool(_ASKS.search(text))) and not _in_any_language("tells_by_asking", text)


def _is_sociable(text: str, question: Said, allowed: Said, language: str) -> bool:
    spoken = lexicon(language)
    if len(text) > _LONGEST:
        return False
    if spoken.pattern("agrees").fullmatch(text):
        asked = any(clause.subjects for clause in question.clauses)
        return not asked or bool(spoken.pattern("asks_the_assistant").search(question.text))
    lead = _begins(text, 0, spoken, *_SOCIABLE)
    if not lead or spoken.pattern("asserts").search(text, lead.end()):
        return False
    if lead.re is not spoken.pattern("of_oneself") and _in_any_language("commissions", question.text):
        return False
    given = question.words | allowed.words
    if lead.re is spoken.pattern("courteous") and _says_more(text, lead.end(), given, language):
        return False
    own = spoken.pattern("oneself").finditer(text, lead.end())
    return all(_begins(text, one.start(), spoken, *_SOCIABLE) for one in own)


def _says_more(text: str, start: int, given: frozenset[str], language: str) -> bool:
    """Whether any word from `start` on, up to an offer of help, is neither given nor one of courtesies."""
    spaces = _SPACE.finditer(text, start)
    end = next((one.start() for one in spaces if _begins(text, one.end(), lexicon(language), *_OPEN)), len(text))
    known = given.union(*(listed_stems(name, language) for name in _COURTESIES))
    return any(word.stem not in known for word in words(text[start:end], language) if word.stem)


def _begins(text: str, start: int, spoken: Lexicon, *names: str) -> re.Match[str] | None:
    return next((found for name in names if (found := spoken.pattern(name).match(text, start))), None)


def _in_any_language(name: str, text: str) -> bool:
    return any(lexicon(language).pattern(name).search(text) for language in languages())
