"""Numbers, counts, money, rooms and ways to reach somebody, however written."""

from __future__ import annotations

import re
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, blank, fact
from campus_agent.guardrail.tables import NO_BUILDING, NUMBERS, ORDINALS, STOP_WORDS, UNIT_ADJECTIVES, UNITS

# Numbers that count lines, steps and sources, the names of files, and a terminal's control sequences: they say nothing
# of the campus.
_COUNTERS = re.compile(
    r"[\x1b\x9b\ufffd][\[\]][\d;?]{0,20}[A-Za-z]?|"
    r"^[ \t]{0,20}(?:#{1,6} )?\(?\d{1,2}[.):](?=[ \t])|\[\^?\d{1,3}\]|^[ \t]*\d{1,2}\ufe0f?\u20e3"
    r"|\b(?i:lines?|rows?|page|pages|steps?|options?|passages?|sources?|results?|item|note|entry|question|answer|fact)"
    r"[ \t](?:#|no\. )?\d{1,6}(?:[ \t]?[/–-][ \t]?\d{1,6})?(?!\w|:\d)"
    r"|(?<![\w.,:/-])\d{1,2} of \d{1,2}(?: steps?)?(?![\w:%])|(?<![\w.,:/-])\d{1,2} steps?(?!\w)"
    r"|(?<![\w-])[\w-]{1,80}\.(?:md|csv|jsonl?|txt|html?|pdf|ics|docx|py|toml)(?!\w)",
    re.MULTILINE,
)

# ---- links, addresses, telephones ----------------------------------------------------------------------------------

_EMAIL = re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}")
_DOMAIN = (
    r"(?:[a-z0-9-]{1,63}\.){1,5}(?:edu|com|org|net|gov|io|ai|app|dev|info|eu|de|ca|(?:ac|co|edu)\.[a-z]{2})(?![\w-])"
)
_LINK = re.compile(
    rf"(?<![\w@./-])(?:(?i:https?://|www\.)[^\s<>()\[\]|\"'`*\x00]{{1,2000}}|{_DOMAIN}(?:/[^\s<>()\[\]|\"'`*\x00]{{0,2000}})?)"
)
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+?1[-. ]?)?(?:\(\d{3}\)[ ]?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])"
    r"|(?<![\w+])\+\d{1,3}(?:[ .()-]{0,2}\d){6,13}(?!\d)|(?<![\w-])\d{3}-\d{4}(?![\w-])"
)


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
    if not match[0].startswith("+") or (digits.startswith("1") and len(digits) == 11):
        digits = digits[-10:]
        groups = [part for part in (digits[:-7], digits[-7:-4], digits[-4:]) if part]
        return fact(match, "phone", "-".join(groups), gives=("-".join(groups), "-".join(groups[-2:])))
    return fact(match, "phone", f"+{digits}")


# ---- money and shares ----------------------------------------------------------------------------------------------

_FIGURE = r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)|\d{1,40})(?:\.\d{1,20})?(?!\d)"
_WORD = "|".join(sorted((word for word in NUMBERS), key=len, reverse=True))
_SIGNS = {
    "$": "$",
    "usd": "$",
    "us$": "$",
    "dollar": "$",
    "buck": "$",
    "€": "€",
    "eur": "€",
    "euro": "€",
    "£": "£",
    "gbp": "£",
    "pound": "£",
}
_MONEY_BEFORE = re.compile(rf"(?<!\w)(\$|€|£|US\$|USD|EUR|GBP)[ \t]?({_FIGURE})(?!\w)")
_MONEY_AFTER = re.compile(
    rf"(?<![\w.,$€£])({_FIGURE}|(?i:{_WORD}))[ \t]?(€|£|¢|(?i:dollar|buck|euro|pound|cent)s?|USD|EUR|GBP)(?!\w)"
)
_NO_MONEY = re.compile(
    r"\b(?i:for free|free of (?:charge|cost)|no (?:cost|charge|fee)|without (?:charge|cost|a fee)|at zero cost"
    r"|costs nothing|(?:is|are|be|it['’]s|they['’]re|completely|totally) free"
    r"(?=[.,;:!?)]|\s{1,4}(?:for|to join|to attend)\b|[ \t]{0,9}$))",
    re.MULTILINE,
)
_PERCENT = re.compile(rf"(?<![\w.,])({_FIGURE}|(?i:{_WORD}))(?:[ \t]?%|[ \t](?i:percent|per cent)\b)")


def _figure(text: str) -> str:
    """Return a number's digits, without separators, needless zeros or words: `1,200` and `05.50` are 1200 and 5.5."""
    lower = text.lower()
    if lower in NUMBERS:
        return str(NUMBERS[lower])
    whole, _, decimals = lower.replace(",", "").partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")


def _money(match: Match[str]) -> Fact:
    sign, amount = (match[1], match[2]) if match[1].lower() in _SIGNS else (match[2], match[1])
    if sign.lower().rstrip("s") in ("¢", "cent"):
        return fact(match, "money", f"${_scaled(_figure(amount), 0.01)}")
    return fact(match, "money", _SIGNS[sign.lower().rstrip("s")] + _figure(amount))


def _no_money(match: Match[str]) -> Fact:
    return fact(match, "money", "for free", gives=("for free", "$0"))


def _percent(match: Match[str]) -> Fact:
    return fact(match, "percent", f"{_figure(match[1])}%")


# ---- rooms ---------------------------------------------------------------------------------------------------------

_ROOM = re.compile(
    r"\b(?i:(?:class)?rooms?|rm\.?|suite|ste\.?|office|hall|building|bldg\.?|auditorium|lab)"
    r"(?:[ \t](?i:number|no\.?|num\.?)|[ \t]?[:#])?[*_ \t]{0,4}#?"
    r"((?:[A-Z]{1,4}[ -]?)?\d{1,5}[A-Za-z]?(?![\w:%])(?!\.\d)(?![ \t]?[ap]\.?m\b)|[A-HJ-Z](?![\w'’.-]))"
)
_BUILDING_ROOM = re.compile(r"(?<![\w-])([A-Z]{2,4})([ -]?)(\d{2,3}[A-Z]?)(?![\w:%-])(?!\.\d)")
_FLOOR = re.compile(
    rf"\b(?i:({'|'.join(ORDINALS)})|(\d{{1,2}})(?:st|nd|rd|th)) (?i:floor)\b|\b(?i:floor|level) (\d{{1,2}})(?![\w:])"
)


def _room(match: Match[str]) -> Fact:
    """Read `room 204`, `Rm. B-12`; a bare number may be the room that is meant, and "RTH 217" is also room 217."""
    code = re.sub(r"[ -]", "", match[1]).upper()
    digits = code.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    also = {f"room {digits}"} if digits and len(code) - len(digits) > 1 else set()
    return fact(match, "room", f"room {code}", needs=[{f"room {code}", f"bare {code}"}], gives={f"room {code}"} | also)


def _building_room(match: Match[str]) -> Fact | None:
    if match[1] in NO_BUILDING:
        return None
    code = match[1] + match[3]
    return fact(match, "room", f"room {code}", gives=(f"room {code}", f"room {match[3]}"))


def _floor(match: Match[str]) -> Fact:
    number = ORDINALS[match[1].lower()] if match[1] else int(match[2] or match[3])
    normal = {0: "ground floor", -1: "top floor"}.get(number, f"floor {number}")
    return fact(match, "room", normal)


# ---- numbers -------------------------------------------------------------------------------------------------------

_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
_NUMBER = re.compile(rf"(?<![\w,.$])(?<!\d[/:])({_FIGURE}|(?i:{_WORD}))(?![\w%@])(?=[ \t-]([a-z]{{3,30}})|)")
_COUNTED = re.compile(
    rf"(?<![\w,.\x00$])({_FIGURE}|(?i:{_WORD}))(?:[ \t-](?:(?:{UNIT_ADJECTIVES}) )?|)(?i:({_UNIT})(?:\(s\)|s)?)(?!\w)"
)
_UNCOUNTED = ("one", "zero", "hundred")


def _counted(match: Match[str]) -> Fact | None:
    """Read a number with its unit: weeks are days and hours are minutes, so that `one week` is `7 days`."""
    if match[1][0].isalpha() and match[0][len(match[1])] not in " \t-":
        return None
    unit, size = UNITS[match[2].lower()]
    amount = _scaled(_figure(match[1]), size)
    normal = f"{amount} {unit}"
    return fact(match, "number", normal, gives=(normal, f"count {amount}"))


def _scaled(figure: str, size: float) -> str:
    if size == 1 or len(figure) > 12:
        return figure
    return f"{float(figure) * size:.6f}".rstrip("0").rstrip(".")


def _number(match: Match[str]) -> Fact | None:
    """Read a plain number. Followed by a noun it counts things; alone it may be an hour, a room or a count."""
    if match[1].lower() in _UNCOUNTED:
        return None
    figure = _figure(match[1])
    if match[2] and match[2] not in STOP_WORDS:
        needs, gives = {f"number {figure}"}, {f"number {figure}"}
    else:
        needs = {f"{sort} {figure}" for sort in ("number", "bare", "room", "hour", "count", "floor")}
        gives = {f"number {figure}", f"bare {figure}"}
    return fact(match, "number", figure, needs=[needs], gives=gives)


# ---- codes and passwords -------------------------------------------------------------------------------------------

_CODE = re.compile(r"(?<![\w./@#-])(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])([A-Za-z0-9]{4,40})(?![\w@])(?![.-]\w)")
_MEASURE = re.compile(r"\d+(?:st|nd|rd|th|[ap]m|min|mins|hrs?|[kmgt]b|km|ft|lbs?|px|[kmgt]?hz|s)", re.IGNORECASE)
_SECRET = re.compile(
    r"(?i:password|passcode|passphrase|access code|pin|ssid|key)[*_ \t]{0,4}(?i:is|was|:|=)?[ \t:*_]{0,4}"
    r"(?:[\"'“‘`*]{1,3}([^\s\"'”’`*\x00]{2,64})[\"'”’`*]|(?<=[:s=] )([A-Za-z]*[A-Z!@#$%][\w!@#$%-]{2,64}))"
)


def _code(match: Match[str]) -> Fact | None:
    if _MEASURE.fullmatch(match[1]):
        return None
    return fact(match, "name", match[1].lower())


def _secret(match: Match[str]) -> Fact | None:
    """Read what a text gives out as a password, whatever it looks like."""
    which = 1 if match[1] else 2
    value = match[which].rstrip(".,;:!?")
    atom = value.lower()
    start = match.start(which)
    return Fact(
        "name", f'password: "{atom}"', (frozenset((atom,)),), frozenset((atom,)), value, start, start + len(value)
    )


CONTACTS: tuple[Rule, ...] = ((_EMAIL, _email), (_LINK, _link), (_PHONE, _phone))
AMOUNTS: tuple[Rule, ...] = (
    (_SECRET, _secret),
    (_MONEY_BEFORE, _money),
    (_MONEY_AFTER, _money),
    (_NO_MONEY, _no_money),
    (_PERCENT, _percent),
    (_FLOOR, _floor),
    (_COUNTED, _counted),
    (_ROOM, _room),
    (_BUILDING_ROOM, _building_room),
    (_CODE, _code),
    (_NUMBER, _number),
)


def without_counters(text: str) -> str:
    """Return `text` with list numbers, footnotes, step and line counts and file names covered."""
    return blank(text, (match.span() for match in _COUNTERS.finditer(text)))
