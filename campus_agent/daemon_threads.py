"""Threads that the end of the program does not wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class DaemonThreads(ThreadPoolExecutor):
    """An executor for an event loop that runs each call on a daemon thread of its own.

    asyncio looks host names up in its executor and waits for it at its end, so with the usual one a dead name server
    would hold the program for as long as the look-up takes.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start the call and return its future."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        Thread(target=work, name="campus-agent", daemon=True).start()
        return future


async def on_a_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `call` does, without holding anything else up."""
    return await asyncio.wrap_future(DaemonThreads().submit(call, *args, **kwargs))
