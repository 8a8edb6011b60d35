"""Links, e-mail addresses and telephone numbers; and the numbers that say nothing of a campus."""

from __future__ import annotations

import re
from functools import cache
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, blank, fact
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.words import label_pattern

_EMAIL = re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}")
_DOMAIN = (
    r"(?:[a-z0-9-]{1,63}\.){1,5}(?:edu|com|org|net|gov|io|ai|app|dev|info|eu|(?:ac|co|edu)\.[a-z]{2}|[a-z]{2}(?=/)"
    r"|ar|au|br|ca|ch|cl|cz|de|dk|es|fi|fr|ie|jp|kr|mx|nl|nz|pe|pl|pt|se|uk)"
    r"(?![\w-])"
)
_AT_HOME = 9  # digits of a number that is written without its country
_LINK = re.compile(
    rf"(?<![\w@./-])(?:(?i:https?://|www\.)[^\s<>()\[\]|\"'`*\x00]{{1,2000}}|{_DOMAIN}(?:/[^\s<>()\[\]|\"'`*\x00]{{0,2000}})?)"
)
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+?1[-. ]?)?(?:\(\d{3}\)[ ]?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])"
    r"|(?<![\w+])\+\d{1,3}(?:[ .()-]{0,2}\d){6,13}(?!\d)|(?<![\w-])\d{3}-\d{4}(?![\w-])"
    r"|(?<![\w.+-])0\d{2,4}[ -]\d{3,4}[ -]\d{3,4}(?![\w-])"
    r"|(?<![\w.+$€£#/-])[2-9]\d\d[2-9]\d{6}(?![\w-]|[.,]\d)"
    r"|(?<![\w.,+$€£#/-])[6-9]\d(?:\d(?: \d{3}){2}|\d(?: \d\d){3}| \d{3} \d\d \d\d)(?![\w-]|[ .,]?\d)"
)
# What says nothing of a campus: the sequences of a terminal, list numbers, footnotes, names of files.
_COUNTERS = (
    r"(?m)[\x1b\x9b\ufffd][\[\]][\d;?]{0,20}[A-Za-z]?|"
    r"^[ \t]{0,20}(?:#{1,6} )?\(?\d{1,2}[.):](?=[ \t])|\[\^?\d{1,3}\]|^[ \t]*\d{1,2}\ufe0f?\u20e3|"
    r"(?<![\w-])[\w-]{1,80}\.(?:md|csv|jsonl?|txt|html?|pdf|ics|docx|py|toml)(?!\w)|"
)


@cache
def contacts(language: str) -> tuple[Rule, ...]:
    """Return the rules that read how somebody is reached; only an extension is called otherwise in each language."""
    return ((_EMAIL, _email), (_LINK, _link), (_PHONE, _phone), (lexicon(language).pattern("short_phone"), _short))


def without_counters(text: str, language: str) -> str:
    """Return `text` with what only numbers something covered: lists, footnotes, steps, groups, files."""
    text = blank(text, (match.span() for match in _counters(language).finditer(text)))
    floor = lexicon(language).pattern("on_a_floor")
    labels = (match for match in label_pattern(language).finditer(text) if match["after"])
    return blank(text, (label.span("after") for label in labels if not floor.match(text, label.start())))


@cache
def _counters(language: str) -> re.Pattern[str]:
    return re.compile(_COUNTERS + lexicon(language).written("counters"))


def _email(match: Match[str]) -> Fact:
    return fact(match, "email", match[0].lower())


def _link(match: Match[str]) -> Fact | None:
    """Read a link; the page of a site also vouches for the site."""
    written = match[0].rstrip("/.,;:!?…")
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", written, flags=re.IGNORECASE)
    host, slash, path = bare.partition("/")
    if "." not in host and ":" not in host and host != "localhost":
        return None
    normal = f"www.{host.lower()}{slash}{path}"
    found = fact(match, "link", normal, gives=(normal, f"www.{host.lower()}"))
    shorter = match.end() - len(match[0]) + len(written)
    return Fact(found.kind, normal, found.needs, found.gives, written, match.start(), shorter)


def _phone(match: Match[str]) -> Fact:
    digits = re.sub(r"\D", "", match[0])
    if match[0].startswith("0"):
        return fact(match, "phone", digits)
    if len(digits) == _AT_HOME and not match[0].startswith("+"):
        return fact(match, "phone", _at_home(digits))
    if not match[0].startswith("+") or (digits.startswith("1") and len(digits) == 11):
        digits = digits[-10:]
        groups = [part for part in (digits[:-7], digits[-7:-4], digits[-4:]) if part]
        return fact(match, "phone", "-".join(groups), gives=("-".join(groups), "-".join(groups[-2:])))
    return fact(match, "phone", f"+{digits}", gives=(f"+{digits}", _at_home(digits[-_AT_HOME:])))


def _short(match: Match[str]) -> Fact:
    """Read `ext. 4357` and `Dial 911`; a passage may give such a number without saying that it is to be called."""
    digits = match["extension"] or match["dialled"]
    return fact(match, "phone", digits, needs=[{digits, f"bare {digits}"}], gives=[digits, f"number {digits}"])


def _at_home(digits: str) -> str:
    """Return nine digits as they are called within a country that has no area codes."""
    return f"{digits[:3]} {digits[3:6]} {digits[6:]}"
