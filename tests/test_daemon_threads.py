from __future__ import annotations

import asyncio
import threading

import pytest

from campus_agent.daemon_threads import DaemonThreads


def test_an_event_loop_ends_although_a_call_in_its_executor_does_not() -> None:
    release = threading.Event()

    async def begin_and_leave() -> str:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(DaemonThreads())
        loop.run_in_executor(None, release.wait, 60)
        return "left"

    assert asyncio.run(begin_and_leave()) == "left"
    release.set()


def test_a_call_gives_its_result_or_its_error() -> None:
    threads = DaemonThreads()
    assert threads.submit(divmod, 7, 3).result(10) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        threads.submit(divmod, 7, 0).result(10)
