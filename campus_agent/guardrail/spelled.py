"""Reads letters that only look like those of a word as those letters, so that "Ｉgnоrе" is the word that it shows."""

from __future__ import annotations

import unicodedata

_CYRILLIC = ("авекмнорстухіјѕԁԛԝһӏѵ", "abekmhopctyxijsdqwhlv")
_GREEK = ("αβγεικνορτυχ", "abyeikvoptux")
_GREEK_CAPITALS = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
_SMALL_CAPITALS = ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡ", "abcdeghijklmnoprstuvwyziag")


def spelled(text: str) -> str:
    """Return `text` with each character that has a plain Latin look as that one; it stays as long as it is."""
    if text.isascii():
        return text
    return text.translate({ord(one): _plain(one) for one in set(text) if not one.isascii()})


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
