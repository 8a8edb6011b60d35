"""Reads a document in a process of its own, so that no trap in it can hang, crash or use up this one."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.reader import Content, Reader
from campus_agent.knowledge.passage import Passage, Problem

_SECONDS = 60.0
_MOST_MEMORY = 2 * 1024**3  # bytes
_MOST_OUTPUT = 50_000_000  # characters
_NEEDED = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")


def read_apart(
    module: str, data: bytes, *, arguments: Sequence[str] = (), seconds: float = _SECONDS
) -> Iterator[dict[str, Any]]:
    """Yield what `module`, which calls `serve`, says of `data`: what came in time, if that is not all of it.

    Args:
        module: its full name.
        data: the document.
        arguments: what else it needs to know, as it finds it in `sys.argv`.
        seconds: how long it may take.

    Raises:
        Unreadable: what `serve` was told so, or the process took too long, or failed.
    """
    import subprocess

    command = [
        sys.executable,
        "-P",
        "-m",
        module,
        *arguments,
    ]  # -P: never a module from the folder that one happens to be in
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}  # no keys
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        output, reason = late.stdout or b"", f"it takes over {seconds:.0f} s to read; cut it into smaller files"
    else:
        output = done.stdout
        reason = "it breaks the program that reads it; save it again, or as text" if done.returncode else ""
    for line in output.splitlines():
        with contextlib.suppress(json.JSONDecodeError):  # the last line of a process that was ended
            said = json.loads(line)
            if "unreadable" in said:
                raise Unreadable(said["unreadable"])
            yield said
    if reason:
        raise Unreadable(reason)


def serve(read: Callable[[bytes], Iterator[dict[str, Any]]]) -> None:
    """Be the other process: read the document from standard input, and write what `read` yields, an object a line."""
    _bound_memory()
    written = 0
    try:
        for said in read(sys.stdin.buffer.read()):
            line = json.dumps(said)
            written += len(line)
            if written > _MOST_OUTPUT:
                raise Unreadable("there is more text in it than in any document; cut it into smaller files")
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    except Unreadable as error:
        sys.stdout.write(f"{json.dumps({'unreadable': error.reason})}\n")


def told_apart(module: str, content: Content, *, seconds: float = _SECONDS) -> Iterator[Passage | Problem]:
    """Yield what `module`, which calls `serve_reader`, tells of `content`; raises as `read_apart` does."""
    arguments = [content.source, content.now.isoformat(), getattr(content.now.tzinfo, "key", None) or ""]
    for said in read_apart(module, content.data, arguments=arguments, seconds=seconds):
        if "problem" in said:
            yield Problem(*said["problem"])
        else:
            yield Passage(**said | {"phrasings": tuple(said["phrasings"])})


def serve_reader(read: Reader) -> None:
    """Be the other process: pass on what `read` tells of the document."""
    serve(partial(_said, read))


def _said(read: Reader, data: bytes) -> Iterator[dict[str, Any]]:
    from zoneinfo import ZoneInfo

    source, moment, zone = sys.argv[1:]
    now = datetime.fromisoformat(moment)
    for told in read(Content(data, source, now.astimezone(ZoneInfo(zone)) if zone else now)):
        if isinstance(told, Problem):
            yield {"problem": [told.source, told.line, told.reason]}
        else:
            yield {name: getattr(told, name) for name in ("title", "text", "source", "line", "phrasings")}


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return
    with contextlib.suppress(ValueError, OSError):  # one that is stricter is in force
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
