"""The rules by which text becomes terms, as one mark: an index that was made by others does not fit a query."""

from __future__ import annotations

import hashlib
import unicodedata
from importlib.metadata import version
from importlib.resources import files

# What splits, folds and stems, what is left out, and what the terms of a passage weigh.
_MODULES = ("words.py", "stop_words.py", "index.py", "inverted.py")


def rules_in_force() -> str:
    """Return a mark that is another one once any of the rules is another: a digest of the modules that hold them.

    The stemmer and the tables of Unicode come from elsewhere, so their versions are part of it. Raises `OSError` where
    the program was installed without its source, so that nothing can be said.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{version('snowballstemmer')} {unicodedata.unidata_version}".encode())
    for name in _MODULES:
        data = files("campus_agent.knowledge").joinpath(name).read_bytes()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
