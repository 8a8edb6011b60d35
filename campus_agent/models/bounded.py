"""The beginning of a refusal: an error body has no end but its own, and a person is shown a few hundred characters."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import httpx2

_MOST = 64_000  # bytes


async def bound(response: httpx2.Response) -> None:
    """Let no more be read of a reply with an error status than is of use; a hook for replies that are not read yet."""
    if response.is_error:
        response.stream = _Beginning(cast("httpx2.AsyncByteStream", response.stream))


class _Beginning(httpx2.AsyncByteStream):
    """The first bytes of a body."""

    def __init__(self, whole: httpx2.AsyncByteStream) -> None:
        self._whole = whole

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _MOST
        async for packet in self._whole:
            yield packet[:left]
            left -= len(packet)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._whole.aclose()
