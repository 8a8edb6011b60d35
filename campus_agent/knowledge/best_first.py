"""Puts scores in order, the best of very many before the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST = 100  # passages at least that are put in order before the rest is
_BLOCK = 64  # passages, of which the best is looked for first


def best_first(scores: NDArray[Any]) -> Iterator[tuple[int, float]]:
    """Yield position and score of what scores above zero, best first, equal ones in their order."""
    import numpy as np

    least = 0.0
    if len(scores) > _FIRST * _BLOCK:
        # The best passages of that many blocks are different ones, so at least so many score as much as the last.
        maxima = np.maximum.reduceat(scores, np.arange(0, len(scores), _BLOCK))
        least = float(np.partition(maxima, -_FIRST)[-_FIRST])
    yield from _in_order(scores, np.flatnonzero(scores >= least if least else scores > 0))
    if least:  # few are asked for, so the many behind are seldom put in order
        yield from _in_order(scores, np.flatnonzero((scores > 0) & (scores < least)))


def _in_order(scores: NDArray[Any], positions: NDArray[Any]) -> Iterator[tuple[int, float]]:
    import numpy as np

    order = positions[np.lexsort((positions, -scores[positions]))]
    yield from zip(order.tolist(), scores[order].tolist(), strict=True)
