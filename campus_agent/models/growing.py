"""A text that comes in fragments: what of each is new, in whole characters."""

from __future__ import annotations


class Growing:
    """The answer, or the thoughts, of a reply in the making: some servers send it twice, some cut characters in two."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._half = ""  # of a character whose other half has not come yet

    @property
    def whole(self) -> str:
        """All text so far, as it was sent."""
        return "".join(self._parts)

    def add(self, text: str) -> str:
        """Take a fragment; return what is certain by now, which is all of it but for half a character at its end."""
        if not text:
            return ""
        self._parts.append(text)
        text = self._half + text
        self._half = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        return whole_characters(text.removesuffix(self._half))

    def rest_of(self, text: str, *, in_pieces: bool) -> str:
        """Return what of a text that may be the whole one has not come yet.

        A text that does not go on from what came is the next piece; or, `in_pieces`, where all of it came in pieces
        before, the same text in other words.
        """
        so_far = self.whole
        if text.startswith(so_far):
            return text[len(so_far) :]
        return "" if in_pieces else text


def whole_characters(text: str) -> str:
    """Return `text` with the two halves of a character (a surrogate pair) put together wherever they meet."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text
