"""Which characters of a PDF page a person can see: not what is as its background, transparent, tiny or off the page."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from campus_agent.guardrail.looks import alike

_TINY = 2.0  # points, in which nothing can be read
_FAINT = 26  # of 255
_PAPER = "ffffff"
_MOST_GROUNDS = 1_000  # of a page; a page with more is a drawing, on which any text may be seen
_RECTANGLE = (4, 5)  # segments

Box = tuple[float, float, float, float]  # left, bottom, right, top, in points


@dataclass(frozen=True, slots=True)
class _Ground:
    """Something painted that text may stand on; the colour is None where it has many, or is not known."""

    order: int
    box: Box
    color: str | None = None
    pictures: bool = False


class Sight:
    """Tells of each character of a page whether a person can see it, in the order of the text.

    The invisible text of a scan, which lies over or under its picture, counts as seen: the picture shows it.
    """

    def __init__(self, page: Any, text: Any) -> None:  # noqa: ANN401 - of a package without types
        self._page = page
        self._text = text
        self._frame: Box = page.get_cropbox()
        self._verdicts: dict[int, bool] = {}  # by the address of a piece of text, which looks the same throughout
        self._latest = True

    def sees(self, index: int) -> bool:
        """Tell whether the character at `index` can be seen; one that is only implied is as the one before it."""
        from pypdfium2.raw import FPDFText_GetTextObject

        piece = FPDFText_GetTextObject(self._text, index)
        if piece:
            address = _address(piece)
            if address not in self._verdicts:
                self._verdicts[address] = self._can_see(piece, index)
            self._latest = self._verdicts[address]
        return self._latest

    def _can_see(self, piece: Any, index: int) -> bool:  # noqa: ANN401
        from pypdfium2 import raw

        left, bottom, right, top = self._text.get_charbox(index, loose=True)
        at = (left + right) / 2, (bottom + top) / 2
        if max(right - left, top - bottom) < _TINY or not _within(at, self._frame):
            return False
        orders, grounds = self._painted
        under = [ground for ground in grounds if _within(at, ground.box)]
        match raw.FPDFTextObj_GetTextRenderMode(piece):
            case raw.FPDF_TEXTRENDERMODE_INVISIBLE | raw.FPDF_TEXTRENDERMODE_CLIP:
                return any(ground.pictures for ground in under)
            case raw.FPDF_TEXTRENDERMODE_STROKE | raw.FPDF_TEXTRENDERMODE_STROKE_CLIP:
                inks = [raw.FPDFText_GetStrokeColor]
            case raw.FPDF_TEXTRENDERMODE_FILL_STROKE | raw.FPDF_TEXTRENDERMODE_FILL_STROKE_CLIP:
                inks = [raw.FPDFText_GetFillColor, raw.FPDFText_GetStrokeColor]
            case _:
                inks = [raw.FPDFText_GetFillColor]
        order = orders.get(_address(piece), len(orders) + len(grounds))
        behind = max((one for one in under if one.order < order), key=lambda one: one.order, default=None)
        color = behind.color if behind else _PAPER if len(grounds) < _MOST_GROUNDS else None
        return any(_shows(ink, (self._text, index), color) for ink in inks)

    @cached_property
    def _painted(self) -> tuple[dict[int, int], list[_Ground]]:
        """The place of each piece of text in the order of painting, by its address, and what may be behind text."""
        from pypdfium2 import raw

        orders: dict[int, int] = {}
        grounds: list[_Ground] = []
        for order in range(raw.FPDFPage_CountObjects(self._page)):
            one = raw.FPDFPage_GetObject(self._page, order)
            kinds = set[int]()
            for part in _parts(one):
                kind = raw.FPDFPageObj_GetType(part)
                kinds.add(kind)
                if kind == raw.FPDF_PAGEOBJ_TEXT:
                    orders[_address(part)] = order
            if len(grounds) < _MOST_GROUNDS and kinds - {raw.FPDF_PAGEOBJ_TEXT} and (box := _box(one)):
                pictures = raw.FPDF_PAGEOBJ_IMAGE in kinds
                plain = raw.FPDFPageObj_GetType(one) == raw.FPDF_PAGEOBJ_PATH
                if not plain or _is_filled(one):
                    grounds.append(_Ground(order, box, _color_of_path(one) if plain else None, pictures))
        return orders, grounds


def _parts(one: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield an object, or of a group those that are in it, in other groups too."""
    from pypdfium2 import raw

    if raw.FPDFPageObj_GetType(one) != raw.FPDF_PAGEOBJ_FORM:
        yield one
        return
    for position in range(raw.FPDFFormObj_CountObjects(one)):
        yield from _parts(raw.FPDFFormObj_GetObject(one, position))


def _shows(ink: Any, of: tuple[Any, int], ground: str | None) -> bool:  # noqa: ANN401
    """Tell whether a character is painted in a colour that is not that of the ground."""
    color, alpha = _color(ink, *of)
    return color is None or (alpha >= _FAINT and (ground is None or not alike(color, ground)))


def _is_filled(path: Any) -> bool:  # noqa: ANN401
    from pypdfium2 import raw

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(raw.FPDFPath_GetDrawMode(path, fill, stroke)) and fill.value != raw.FPDF_FILLMODE_NONE


def _color_of_path(path: Any) -> str | None:  # noqa: ANN401
    """Return the colour of a rectangle that nothing shines through."""
    from pypdfium2 import raw

    color, alpha = _color(raw.FPDFPageObj_GetFillColor, path)
    return color if alpha == 255 and raw.FPDFPath_CountSegments(path) in _RECTANGLE else None


def _color(ask: Any, *of: Any) -> tuple[str | None, int]:  # noqa: ANN401
    """Return a colour as six hexadecimal digits, None for one that is not known, and how dense it is, of 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not ask(*of, red, green, blue, alpha):
        return None, 255
    return f"{red.value:02x}{green.value:02x}{blue.value:02x}", alpha.value


def _box(one: Any) -> Box | None:  # noqa: ANN401
    from pypdfium2 import raw

    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(one, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _within(at: tuple[float, float], box: Box) -> bool:
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def _address(one: Any) -> int:  # noqa: ANN401
    return ctypes.cast(one, ctypes.c_void_p).value or 0
