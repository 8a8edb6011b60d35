"""A model on any OpenAI-compatible server, through the openai package and in spite of the server's quirks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from campus_agent.errors import ModelError
from campus_agent.models.abilities import Abilities
from campus_agent.models.certificates import tls_context
from campus_agent.models.chat_model import ModelNote, ModelPiece, ModelRequest, Reply
from campus_agent.models.failures import ServerFailure, Withheld, explain, failure_from_response, failure_in_body
from campus_agent.models.finish import says_end
from campus_agent.models.masking import KeyMask, masked
from campus_agent.models.providers import Endpoint
from campus_agent.models.sse import BodyReader, NotACompletion
from campus_agent.models.tries import Tries
from campus_agent.text import one_line

if TYPE_CHECKING:
    import ssl

    import httpx2
    import openai

_MOST_REDIRECTS = 3
_AFTER_END = 5.0  # seconds that a server has for the rest of a reply of which it has said that it is over
_DRAIN = 0.1  # seconds for the end of a body after its last event, so that the connection can be used again
_HEADERS = frozenset(("accept", "accept-encoding", "connection", "content-length", "content-type", "host"))


class OpenAIChatModel:
    """A `ChatModel` on an OpenAI-compatible server. Remembers for its lifetime what the server turned out to refuse."""

    protocol = "native"

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        stream: bool = True,
        temperature: float = 0.2,
        max_tokens: int = 800,
        request_retries: int = 2,
        first_byte_timeout: float = 60.0,
        idle_timeout: float = 20.0,
        backoff: float = 0.5,
    ) -> None:
        """Prepare to speak to `endpoint`; nothing is imported or sent yet.

        Args:
            endpoint: the server, the key for it, and the model on it.
            stream: whether to ask for the reply as it is written.
            temperature: how freely the model chooses its words.
            max_tokens: the most tokens of a reply; twice as many when one was cut off.
            request_retries: tries after the first; a silent server is tried again at most once.
            first_byte_timeout: seconds until a reply begins.
            idle_timeout: seconds of silence in the middle of one.
            backoff: seconds before the second try, twice as many before each further one.
        """
        self._endpoint = endpoint
        self._first_byte_timeout = first_byte_timeout
        self._idle_timeout = idle_timeout
        self._name = endpoint.model
        self._tries = Tries(
            endpoint,
            self._objects,
            stream=stream,
            temperature=temperature,
            max_tokens=max_tokens,
            request_retries=request_retries,
            backoff=backoff,
            abilities=Abilities(**endpoint.needs),
        )
        self._tls: ssl.SSLContext | None = None
        self._clients: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}

    @property
    def name(self) -> str:
        """The model's name; "" until the server was asked which it has."""
        return self._name or ""

    @property
    def provider(self) -> str:
        """The provider's name."""
        return self._endpoint.provider

    def warm(self) -> None:
        """Import what the first request needs, which takes up to a second; to be called in a thread."""
        import openai  # noqa: F401 - imported for the next import to be quick

        if self._tls is None:
            self._tls = tls_context(hosted=self._endpoint.base_url.startswith("https:"))

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client:
            await client.close()

    async def models(self) -> list[str]:
        """Ask the server for the names of its models; raises `ModelError`."""
        await self._ready()
        import httpx2

        try:
            with _translated(f"No list of models within {self._first_byte_timeout:g} s."):
                async with asyncio.timeout(self._first_byte_timeout):
                    response = await self._client().get("/models", cast_to=httpx2.Response)
            listing = json.loads(response.content)
        except ServerFailure as failure:
            raise explain(failure, self._endpoint, self.name) from None
        except (ValueError, RecursionError):
            raise explain(ServerFailure(_text(response), "garbled"), self._endpoint, self.name) from None
        items = listing.get("data") if isinstance(listing, dict) else listing
        named = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        return [item["id"] for item in named if isinstance(item.get("id"), str)]

    async def embed(self, body: Mapping[str, Any]) -> bytes:
        """Send a request for embeddings; return the body of the reply. Raises `ServerFailure`."""
        await self._ready()
        import httpx2

        with _translated(f"No vectors came within {self._first_byte_timeout:g} s."):
            async with asyncio.timeout(self._first_byte_timeout):
                response = await self._client().post("/embeddings", cast_to=httpx2.Response, body=body)
        return response.content

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece]:
        """Make one model call.

        Raises `ModelError` for a call that gets no usable reply, `NoToolSupport` where the model takes no tools.
        """
        await self._ready()
        if not self._name:
            self._name = await self._first_model()
            yield ModelNote(f"No model was named; using the first that the server lists: {self._name}.")
        async with aclosing(masked(self._tries.reply(request, self._name), self._key)) as pieces:
            try:
                async for piece in pieces:
                    yield piece
            except Withheld:
                yield Reply(finish="filter")

    # ---- the wire ----------------------------------------------------------------------------------------------------

    async def _objects(self, body: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a request; yield the JSON objects of the reply as they come. Raises `ServerFailure`."""
        import httpx2
        import openai

        now = asyncio.get_running_loop().time
        until, silence = now() + self._first_byte_timeout, f"No reply began within {self._first_byte_timeout:g} s."
        with _translated(silence):
            async with asyncio.timeout_at(until):
                sent = self._client().post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=body,
                    stream=True,
                    stream_cls=openai.AsyncStream[Any],
                )
                response = cast("httpx2.Response", await sent)  # which is what it is: `cast_to` comes before `stream`
        reader, ended = BodyReader(), False
        try:
            packets = response.aiter_bytes()
            while not reader.done:
                with _translated(silence):
                    async with asyncio.timeout_at(until):
                        packet = await anext(packets, None)
                items = reader.close() if packet is None else reader.feed(packet)
                for item in items:
                    if failure := failure_in_body(item):
                        raise failure
                    yield item
                    ended = ended or says_end(item)
                if packet is None:
                    break
                if items or not ended:  # once the reply is over, mere signs of life hold nobody up
                    # Counted from here, because a slow reader is not the server's silence.
                    idle = min(self._idle_timeout, _AFTER_END) if ended else self._idle_timeout
                    until, silence = now() + idle, f"Nothing more came for {idle:g} s."
            if not reader.done:
                raise ServerFailure("The reply broke off before its end.", "lost" if reader.cut else "unfinished")
            await _drain(packets)
        except NotACompletion as error:
            raise ServerFailure(str(error), "garbled") from None
        finally:
            await response.aclose()

    async def _ready(self) -> None:
        if self._tls is None:
            await asyncio.to_thread(self.warm)

    async def _first_model(self) -> str:
        names = await self.models()
        if not names:
            raise ModelError(f"{self._endpoint.label} lists no models.", "", "Name one with --model.")
        return next((name for name in names if "embed" not in name.lower()), names[0])

    def _client(self) -> openai.AsyncOpenAI:
        """Return the client of the running event loop; connections cannot outlive theirs."""
        import httpx2
        import openai

        from campus_agent.models.bounded import bound

        loop = asyncio.get_running_loop()
        if loop in self._clients:
            return self._clients[loop]
        self._clients = {loop: client for loop, client in self._clients.items() if not loop.is_closed()}
        transport = httpx2.AsyncClient(
            timeout=None,  # the two timers bound it
            follow_redirects=True,
            max_redirects=_MOST_REDIRECTS,
            trust_env=not self._endpoint.local,  # a proxy does not lead to a server of one's own network
            verify=self._tls or True,
            event_hooks={"request": [self._strip], "response": [self._stay, bound]},
        )
        # The package takes whatever is not given to it from OPENAI_* variables, for any host.
        self._clients[loop] = openai.AsyncOpenAI(
            base_url=self._endpoint.base_url,
            api_key=self._key or "none",
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            max_retries=0,
            http_client=transport,
        )
        return self._clients[loop]

    @property
    def _key(self) -> str:
        return self._endpoint.api_key.get_secret_value() if self._endpoint.api_key else ""

    async def _strip(self, request: httpx2.Request) -> None:
        """Let out only the headers that a request needs: OPENAI_CUSTOM_HEADERS and .netrc can add others."""
        for name in set(request.headers) - _HEADERS:
            del request.headers[name]
        request.headers["user-agent"] = "campus-agent"
        if self._key:
            request.headers["authorization"] = f"Bearer {self._key}"

    async def _stay(self, response: httpx2.Response) -> None:
        """Refuse a redirect to another origin, and one that would lose the body of the request."""
        if not response.has_redirect_location:
            return
        here = response.request.url
        there = here.join(response.headers["location"])
        same = (there.scheme, there.netloc) == (here.scheme, here.netloc)
        if not same or (response.request.method == "POST" and response.status_code not in (307, 308)):
            place = KeyMask(self._key).text(f"{there.scheme}://{there.netloc.decode()}")
            raise ModelError(
                f"{self._endpoint.label} redirects to {one_line(place, 200)}, which was not followed.",
                "The address has moved, or a sign-in page of the network stands in between.",
                "Check the network; if the new address is right, set it as --base-url.",
            )


async def _drain(packets: AsyncIterator[bytes]) -> None:
    """Read the end of a body that is over, for its connection to be free again."""
    import httpx2

    with suppress(TimeoutError, httpx2.HTTPError):
        async with asyncio.timeout(_DRAIN):
            async for _ in packets:
                pass


@contextmanager
def _translated(silence: str) -> Iterator[None]:
    """Turn what the openai package and its transport raise into `ServerFailure`."""
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise failure_from_response(error.status_code, error.response.headers, _text(error.response)) from None
    except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException):
        raise ServerFailure(silence, "silent") from None
    except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        if isinstance(error.__cause__, httpx2.TooManyRedirects):
            raise ModelError("The server redirects in circles.", "", "Check --base-url.") from None
        raise ServerFailure(_lost(error), "lost") from None


def _text(response: httpx2.Response) -> str:
    """Return the body of a response as text, whatever charset it claims."""
    return response.content.decode("utf-8", "replace")


def _lost(error: Exception) -> str:
    cause = error.__cause__ or error
    said = one_line(str(cause)).replace("All connection attempts failed", "nothing answers at this address.")
    return f"The connection failed: {said}" if said else f"The connection failed ({type(cause).__name__})."
