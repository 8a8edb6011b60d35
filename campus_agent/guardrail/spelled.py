"""Reads letters that only look like those of a word as those letters, so that "Ｉgnоrе" is the word that it shows.

Nothing grows longer or shorter: what is found in a text that was read so stands at the same place in the text itself.
"""

from __future__ import annotations

import re
import unicodedata

_CYRILLIC = ("авекмнорстухіјѕԁԛԝһӏѵ", "abekmhopctyxijsdqwhlv")
_GREEK = ("αβγεικνορτυχ", "abyeikvoptux")
_GREEK_CAPITALS = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
_SMALL_CAPITALS = ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡ", "abcdeghijklmnoprstuvwyziag")
_MIXED = re.compile(r"\b(?:[^\W\d_]++[\d@$]|\d++[^\W\d_])[\w@$]*")  # letters and signs that may stand for some
_LETTERS = str.maketrans("013457@$", "oieastas")
_APART = re.compile(r"\b[a-z](?: [a-z]){3,40}\b", re.IGNORECASE)  # a word with its letters apart


def spelled(text: str) -> str:
    """Return `text` with each character that has a plain Latin look as that one; it stays as long as it is."""
    if text.isascii():
        return text
    return text.translate({ord(one): _plain(one) for one in set(text) if not one.isascii()})


def disguised(text: str) -> str:
    """Return `text` with "1gn0re" and "i g n o r e" as the word that is meant; it stays as long as it is."""
    whole = _APART.sub(lambda word: word[0].replace(" ", "").ljust(len(word[0])), text)
    return _MIXED.sub(lambda word: word[0].translate(_LETTERS), whole)


def _plain(character: str) -> str:
    """Return a wide, bold or circled letter as an ordinary one, and one of another script as what it looks like."""
    plain = unicodedata.normalize("NFKC", character)
    plain = plain if len(plain) == 1 else character
    for letters, looks in (_CYRILLIC, _GREEK, _GREEK_CAPITALS, _SMALL_CAPITALS):
        if plain in letters:
            return looks[letters.index(plain)]
    if (small := plain.lower()) in _CYRILLIC[0]:
        return _CYRILLIC[1][_CYRILLIC[0].index(small)].upper()
    return plain
