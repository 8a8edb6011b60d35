"""What of a web page a person can see: styles, as far as they hide text or give it the colour of its background."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MOST_RULES = 200
_MOST_MATCHES = 200_000
_SIMPLE = re.compile(r"[\w\s.#,>*-]{1,200}")  # no states, and no neighbours or counts, which take a parser long to find
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NAMED = {"white": "ffffff", "black": "000000"}
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*(1(?:\.0*)?|100%))?\s*\)")
_NONE = re.compile(r"0*\.?0*(?:px|pt|em|rem|%)?")
_MOVED = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
_AWAY = re.compile(r"-(?:\d{4,}(?:\.\d+)?(?:px|pt)?|\d{3,}(?:\.\d+)?(?:r?em|%|v[wh]))")  # further than a screen is wide
_TELLING = {"display", "visibility", "opacity", "font-size", "color", "background", "background-color", *_MOVED}

Declarations = dict[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """How the text of an element looks, as far as it says; an unknown background hides nothing."""

    hidden: bool = False
    color: str | None = "000000"
    background: str | None = "ffffff"

    @property
    def seen(self) -> bool:
        """Whether there is anything to see of the text."""
        return not self.hidden and self.color != "transparent" and (self.color is None or self.color != self.background)


class Styles:
    """The styles of a page: those of its elements, and those that its own style sheets give them.

    Args:
        page: the page; with a style sheet of its own somewhere else, its background is unknown.
    """

    def __init__(self, page: LexborHTMLParser) -> None:
        self._sheet = _sheet(page)
        outside = any("stylesheet" in (link.attributes.get("rel") or "").lower() for link in page.css("link"))
        self.start = Look(background=None) if outside else Look()

    def look(self, node: LexborNode, around: Look) -> Look:
        """Return how the text of an element looks that stands in one that looks like `around`."""
        attributes = node.attributes
        if not attributes and node.mem_id not in self._sheet:
            return around
        style = {**self._sheet.get(node.mem_id, {}), **_declarations(attributes.get("style") or "")}
        color = _color(style.get("color") or attributes.get("color") or "") if node.tag != "body" else None
        ground = style.get("background-color") or style.get("background") or attributes.get("bgcolor")
        return Look(
            hidden=around.hidden or _hides(style, attributes),
            color=color or around.color,
            background=_ground(ground) if ground else around.background,
        )


def _hides(style: Mapping[str, str], attributes: Mapping[str, str | None]) -> bool:
    return (
        ("hidden" in attributes and attributes["hidden"] != "until-found")
        or attributes.get("aria-hidden") == "true"
        or style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or any(name in style and _NONE.fullmatch(style[name]) is not None for name in ("opacity", "font-size"))
        or any(_AWAY.fullmatch(style.get(name, "")) is not None for name in _MOVED)
    )


def _ground(value: str) -> str | None:
    """Return the colour of a background, None for a picture, a gradient or one that shows what is behind it."""
    return next(
        (color for part in [value, *value.split()] if (color := _color(part)) not in (None, "transparent")), None
    )


def _color(value: str) -> str | None:
    """Return a colour as six hexadecimal digits, or "transparent"; None when it is none that is known."""
    value = value.strip().lower()
    value = _NAMED.get(value, value.removeprefix("#"))
    if value == "transparent" or re.fullmatch(r"rgba\(.*[,/]\s*0(?:\.0*)?%?\s*\)", value):
        return "transparent"
    if re.fullmatch(r"[0-9a-f]{3}", value):
        return "".join(digit * 2 for digit in value)
    if re.fullmatch(r"[0-9a-f]{6}", value):
        return value
    channels = _RGB.fullmatch(value)
    return (
        "".join(f"{min(int(channel), 255):02x}" for channel in channels.group(1, 2, 3)) if channels else value or None
    )


def _declarations(text: str) -> Declarations:
    """Return the values that a style gives to the properties that tell whether text is seen."""
    pairs = (part.partition(":") for part in text.split(";"))
    values = {name.strip().lower(): value.lower().replace("!important", "").strip() for name, _, value in pairs}
    return {name: value for name, value in values.items() if name in _TELLING}


def _sheet(page: LexborHTMLParser) -> dict[int, Declarations]:
    """Return what the style sheets in the page give to its elements, by element."""
    from selectolax.lexbor import SelectolaxError

    styles: dict[int, Declarations] = {}
    matches = 0
    css = "\n".join(node.text() or "" for node in page.css("style"))
    for number, (selector, declarations) in enumerate(_rules(css)):
        if number >= _MOST_RULES or matches >= _MOST_MATCHES:
            break
        try:
            nodes = page.css(selector)
        except SelectolaxError:  # what is no selector at all
            continue
        matches += len(nodes)
        for node in nodes:
            styles.setdefault(node.mem_id, {}).update(declarations)
    return styles


def _rules(css: str) -> Iterator[tuple[str, Declarations]]:
    """Yield the rules that may hide something, without those for paper or some screens only."""
    depth, selector, at_rule = 0, "", False
    for piece in re.split(r"([{}])", _COMMENT.sub("", css)):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            selector = piece.rpartition(";")[2].strip()
            at_rule = selector.startswith("@")
        elif depth == 1 and not at_rule:
            declarations = _declarations(piece)
            if declarations and _SIMPLE.fullmatch(selector):
                yield selector, declarations
