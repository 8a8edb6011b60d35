"""What of a piece of HTML a person sees: how its elements look, as far as that hides their text."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape

# A tag, never longer than somebody writes one.
TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][a-z0-9:-]{0,30}+)"
    r"(?P<rest>(?:[\s/](?>[^<>\"']++|\"[^\"]{0,500}\"|'[^']{0,500}'|[\"']){0,60}+)?)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=\"'/]{1,60})(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+)))?")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_NEVER_NESTED = frozenset(["p", "li", "dt", "dd", "tr", "td", "th", "option"])  # one more ends the one before
_UNREAD = frozenset(["script", "style", "template", "noscript"])

_LIKE = 16  # of 256, by which a colour has to differ from its background in some channel
_FEW_PIXELS = 3  # in which nothing can be read
_FAINT = 0.1  # of 1
_NAMED = {
    **{"white": "ffffff", "black": "000000", "snow": "fffafa", "ivory": "fffff0"},
    **{"ghostwhite": "f8f8ff", "whitesmoke": "f5f5f5", "floralwhite": "fffaf0", "mintcream": "f5fffa"},
}
_PART = r"(\d{1,4}(?:\.\d{0,9})?%?|\.\d{1,9}%?)"
_RGB = re.compile(rf"rgba?\(\s*{_PART}[\s,]+{_PART}[\s,]+{_PART}\s*(?:[,/]\s*{_PART}\s*)?\)")
_LIGHTNESS = re.compile(rf"(ok)?l(?:ab|ch)\(\s*{_PART}[\s,][^()]*\)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_HSL = re.compile(rf"hsla?\(\s*-?{_PART}(?:deg)?[\s,]+{_PART}[\s,]+{_PART}\s*(?:[,/]\s*{_PART}\s*)?\)")
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(px|pt|r?em|%|)")
_PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "em": 16, "rem": 16, "%": 0.16}
_MOVED = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")
_AWAY = re.compile(r"-(?:(?:999|\d{4,})(?:\.\d+)?(?:px|pt)?|\d{3,}(?:\.\d+)?(?:r?em|%|v[wh]))")  # further than a screen
_SHRUNK = {
    "clip": re.compile(r"rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?){3}\s*\)"),
    "clip-path": re.compile(r"inset\(\s*(?:[5-9]\d|100)%.*|circle\(\s*0\D.*|polygon\((?:\s*0(?:px|%)?\s*,?)+\)"),
    "transform": re.compile(r".*(?:scale[xy]?\(\s*0*\.?0*\s*[,)]|translate[xy]?\([^()]*-\d{4,}).*"),
    "filter": re.compile(r".*opacity\(\s*0*\.?0*%?\s*\).*"),
}
_EXTENTS = ("height", "max-height", "width", "max-width")
_TELLING = frozenset(
    {"display", "visibility", "opacity", "font-size", "color", "scale", "zoom", "overflow"}
    | {"background", "background-color", "background-image", *_EXTENTS, *_MOVED, *_SHRUNK}
)

Declarations = dict[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """How the text of an element looks, as far as it says; an unknown background hides nothing.

    Attributes:
        hidden: whether it is switched off, as what a script shows, or out of sight, as what is for screen readers.
        faint: whether it is there and nobody can read it: too small, or transparent.
        variables: the values that the style has a name for.
    """

    hidden: bool = False
    faint: bool = False
    color: str | None = "000000"
    background: str | None = "ffffff"
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def seen(self) -> bool:
        """Whether there is anything to see of the text."""
        if self.hidden or self.faint or self.color == "transparent":
            return False
        return self.color is None or self.background is None or not alike(self.color, self.background)


def look_of(tag: str, attributes: Mapping[str, str | None], style: Mapping[str, str], around: Look) -> Look:
    """Return how the text of an element with this style looks that stands in one that looks like `around`."""
    variables = {**around.variables, **{name: value for name, value in style.items() if name.startswith("--")}}
    style = {name: _VARIABLE.sub(lambda of: variables.get(of[1], of[2] or of[0]), style[name]) for name in style}
    color = _color(style.get("color") or attributes.get("color") or "") if tag != "body" else None
    ground = style.get("background-color") or style.get("background") or attributes.get("bgcolor")
    return Look(
        hidden=around.hidden or tag in _UNREAD or _is_off(style, attributes),
        faint=around.faint or _is_faint(style),
        color=color or around.color,
        background=None if _is_picture(style) else _ground(ground) if ground else around.background,
        variables=variables,
    )


def declarations(text: str) -> Declarations:
    """Return the values that a style gives to the properties that tell whether text is seen."""
    pairs = (part.partition(":") for part in _COMMENT.sub("", text).split(";"))
    values = {name.strip().lower(): value.lower().replace("!important", "").strip() for name, _, value in pairs}
    return {name: value for name, value in values.items() if name in _TELLING or name.startswith("--")}


def alike(color: str, other: str) -> bool:
    """Tell whether nobody can tell two colours apart, each of six hexadecimal digits; any other only equals itself."""
    try:
        channels = zip(bytes.fromhex(color), bytes.fromhex(other), strict=True)
        return all(abs(one - two) < _LIKE for one, two in channels)
    except ValueError:
        return color == other


class Screen:
    """Follows HTML from its beginning, tag by tag, and tells what of it is seen.

    Attributes:
        hid: whether any text was left out so far.
    """

    def __init__(self) -> None:
        self.hid = False
        self._open: list[tuple[str, Look]] = []
        self._names: dict[str, int] = {}  # how often an element is open

    @property
    def seen(self) -> bool:
        """Whether text is seen that stands here."""
        return not self._open or self._open[-1][1].seen

    def shown(self, html: str, *, instead: str = "", by_line: bool = False) -> str:
        """Take in more HTML, and return what of it is seen; `instead` stands where text is left out.

        With `by_line` what is never closed ends with its line, for another text may stand on the next.
        """
        kept: list[str] = []
        ends = {tag["name"].lower(): tag.start() for tag in TAG.finditer(html) if tag["end"]} if by_line else {}
        at = 0
        for tag in TAG.finditer(html):
            self._text(html, at, tag.start(), kept, instead, ends if by_line else None)
            was_seen, at = self.seen, tag.end()
            self._tag(tag)
            if was_seen if tag["end"] else self.seen:
                kept.append(tag[0])
        self._text(html, at, len(html), kept, instead, ends if by_line else None)
        return "".join(kept)

    def open(self, name: str, attributes: Mapping[str, str | None]) -> None:
        """Begin an element; what is hidden of an element that holds nothing is nothing."""
        if name in _VOID:
            return
        if name in _NEVER_NESTED and self._open and self._open[-1][0] == name:
            self._pop()
        around = self._open[-1][1] if self._open else Look()
        style = declarations(attributes.get("style") or "")
        self._open.append((name, look_of(name, attributes, style, around) if attributes or name in _UNREAD else around))
        self._names[name] = self._names.get(name, 0) + 1

    def close(self, name: str) -> None:
        """End an element, and all that are open in it."""
        while self._names.get(name) and self._pop() != name:
            pass

    def _pop(self) -> str:
        name, _ = self._open.pop()
        self._names[name] -= 1
        return name

    def _tag(self, tag: re.Match[str]) -> None:
        name = tag["name"].lower()
        if tag["end"]:
            self.close(name)
        else:
            self.open(name, _attributes(tag["rest"]))

    def _text(
        self, html: str, start: int, end: int, kept: list[str], instead: str, ends: Mapping[str, int] | None
    ) -> None:
        """Keep what is seen of the text between two tags."""
        while start < end:
            line_end = html.find("\n", start, end) if ends is not None and not self.seen else -1
            stop = end if line_end < 0 else line_end
            if self.seen:
                kept.append(html[start:stop])
            elif html[start:stop].strip():
                self.hid = True
                if instead and kept[-1:] != [instead]:
                    kept.append(instead)
            if line_end >= 0 and ends is not None:
                while self._open and ends.get(self._open[-1][0], -1) < line_end:
                    self._pop()
                if not self.seen:
                    stop += 1
            start = stop


def _attributes(text: str) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def _is_off(style: Mapping[str, str], attributes: Mapping[str, str | None]) -> bool:
    return (
        ("hidden" in attributes and attributes["hidden"] != "until-found")
        or attributes.get("aria-hidden") == "true"
        or style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or any(_pixels(style, name) == 0 for name in ("height", "max-height"))
        or (style.get("overflow") in ("hidden", "clip") and any(_pixels(style, name) < 2 for name in _EXTENTS))
        or any(shape.fullmatch(style.get(name, "")) for name, shape in _SHRUNK.items())
        or any(_AWAY.fullmatch(style.get(name, "")) for name in _MOVED)
    )


def _is_faint(style: Mapping[str, str]) -> bool:
    shares = (style.get(name, "1") for name in ("opacity", "scale", "zoom"))
    return _pixels(style, "font-size") < _FEW_PIXELS or any(_share(share) < _FAINT for share in shares)


def _is_picture(style: Mapping[str, str]) -> bool:
    return style.get("background-image", "none") != "none"


def _pixels(style: Mapping[str, str], name: str) -> float:
    """Return about how long the value of a property is on the screen; of none, or an unknown one, more than any."""
    length = _LENGTH.fullmatch(style.get(name, ""))
    return float(length[1]) * _PIXELS[length[2]] if length else float("inf")


def _share(value: str) -> float:
    """Return a number from 0 to 1, as "0.5" or "50%"; of any other value 1."""
    number = re.fullmatch(_PART, value)
    if number is None:
        return 1
    return float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)


def _ground(value: str) -> str | None:
    """Return the colour of a background, None for a picture, a gradient or one that shows what is behind it."""
    return next(
        (color for part in [value, *value.split()] if (color := _color(part)) not in (None, "transparent")), None
    )


def _color(value: str) -> str | None:
    """Return a colour as six hexadecimal digits, or "transparent"; None when it is none that is known."""
    value = value.strip().lower()
    value = _NAMED.get(value, value.removeprefix("#"))
    if re.fullmatch(r"[0-9a-f]{3,4}", value):
        value = "".join(digit * 2 for digit in value)
    if re.fullmatch(r"[0-9a-f]{8}", value):
        return "transparent" if value[6:] < "1a" else value[:6] if value[6:] == "ff" else value
    if light := _LIGHTNESS.fullmatch(value):
        share = _share(light[2]) / (1 if light[1] or light[2].endswith("%") else 100)
        return "ffffff" if share > 1 - _LIKE / 256 else "000000" if share < _LIKE / 256 else value
    if (found := _RGB.fullmatch(value) or _HSL.fullmatch(value)) is None:
        return value or None
    alpha = _share(found[4] or "1")
    if alpha < 1:
        return "transparent" if alpha < _FAINT else value
    channels = _of_hsl(*found.group(1, 2, 3)) if value.startswith("hsl") else map(_channel, found.group(1, 2, 3))
    return "".join(f"{min(round(channel), 255):02x}" for channel in channels)


def _channel(value: str) -> float:
    return float(value.removesuffix("%")) * (2.55 if value.endswith("%") else 1)


def _of_hsl(hue: str, saturation: str, lightness: str) -> tuple[float, ...]:
    whole = (float(hue) / 360, float(lightness.removesuffix("%")) / 100, float(saturation.removesuffix("%")) / 100)
    return tuple(255 * channel for channel in colorsys.hls_to_rgb(*whole))
