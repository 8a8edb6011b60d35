"""Runs a tool on a thread of its own, so that nothing it does can hold up the loop or the screen."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.text import well_formed
from campus_agent.tools.tool import Source, Tool, ToolResult

Deliver = Callable[[ToolResult | Exception, float], None]
"""Takes what a tool returned or raised, and the milliseconds that it took."""


def start(tool: Tool, arguments: dict[str, Any], deliver: Deliver) -> None:
    """Start a tool and return at once; `deliver` is called on this event loop when, and if, it finishes.

    The thread is a daemon: a tool that never returns keeps neither the run nor the process alive.
    """
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()

    def work() -> None:
        began = time.perf_counter()
        result: ToolResult | Exception
        try:
            result = _as_result(tool, context.run(_call, tool, arguments))
        except BaseException as error:  # the border to whatever a tool does, sys.exit() included
            result = error if isinstance(error, Exception) else RuntimeError(type(error).__name__)
        milliseconds = (time.perf_counter() - began) * 1000
        try:
            loop.call_soon_threadsafe(deliver, result, milliseconds)
        except RuntimeError:
            return  # the loop is gone: nobody waits for this any more

    threading.Thread(target=work, name=f"tool {tool.name}", daemon=True).start()


def _call(tool: Tool, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - a tool may return anything
    result = tool.function(**arguments)
    return asyncio.run(_finish(result)) if inspect.isawaitable(result) else result


async def _finish(awaitable: Any) -> Any:  # noqa: ANN401 - a tool may return anything
    # What a tool sends off to a thread must not keep the process alive either.
    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    return await awaitable


def _as_result(tool: Tool, value: Any) -> ToolResult:  # noqa: ANN401 - a tool may return anything
    result = value if isinstance(value, ToolResult) else ToolResult(_as_text(value))
    content, notes = well_formed(result.content), tuple(map(well_formed, result.notes))
    if wrong := [source for source in result.sources if not isinstance(source, Source)]:
        raise TypeError(f"the sources of a result must be of type Source, not {type(wrong[0]).__name__}")
    if result.match not in (None, "strong", "weak"):
        raise TypeError(f"the match of a result must be strong, weak or None, not {result.match!r}")
    if content.strip():
        sources = tuple(result.sources)
        return replace(result, content=content, empty=bool(result.empty), sources=sources, notes=notes)
    return ToolResult(f"The tool {tool.name} provided an empty response.", empty=True, notes=notes)


def _as_text(value: Any) -> str:  # noqa: ANN401 - a tool may return anything
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, default=str)
