from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic import served
from campus_agent.knowledge.semantic.embedder import EmbeddingFailed
from campus_agent.knowledge.semantic.served import ServedEmbedder
from campus_agent.knowledge.semantic.setting import search_by_meaning
from campus_agent.models.providers import Endpoint
from campus_agent.settings import Settings
from tests.knowledge.embedders import NURSE, PASSAGES, WordsWithMeaning

NVIDIA = "nvidia/nv-embedqa-e5-v5"
Answer = Callable[[dict[str, Any]], tuple[int, Any]]


class EmbeddingsServer:
    """Answers each request by `answer`, and remembers paths, keys and bodies."""

    def __init__(self) -> None:
        self.answer: Answer = vectors
        self.seen: list[tuple[str, str | None, dict[str, Any]]] = []
        self.go_on = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.seen.append((self.path, self.headers["authorization"], body))
                status, reply = outer.answer(body)
                data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, _, body in self.seen]

    def close(self) -> None:
        self.go_on.set()
        self._server.shutdown()
        self._server.server_close()


def vectors(body: dict[str, Any]) -> tuple[int, Any]:
    """Answer as the made-up embedder would, backwards, as a server may."""
    made = WordsWithMeaning()
    made.batch = 1000
    items = [{"index": n, "embedding": v} for n, v in enumerate(made.embed(body["input"], "query").tolist())]
    return 200, {"object": "list", "data": items[::-1]}


def refusal(text: str, status: int = 400) -> tuple[int, Any]:
    return status, {"error": {"message": text}}


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    running = EmbeddingsServer()
    yield running
    running.close()


@pytest.fixture
def embedder(server: EmbeddingsServer) -> Callable[..., ServedEmbedder]:
    def build(model: str = "some-model", key: str | None = "sk-secret") -> ServedEmbedder:
        secret = SecretStr(key) if key else None
        return ServedEmbedder(Endpoint("custom", server.base_url, secret, model, "the server", True))

    return build


def passages() -> list[Passage]:
    return [Passage("", text, "facts.md", n) for n, text in enumerate(PASSAGES, 1)]


# ---- the wire ------------------------------------------------------------------------------------------------------


def test_vectors_come_back_in_the_order_of_the_texts_whatever_that_of_the_reply(server, embedder) -> None:
    got = embedder().embed(["ill", "waltz"], "passage")
    assert got.shape == (2, 64)
    assert got.argmax(axis=1).tolist() == [0, 2]
    assert server.seen == [
        ("/v1/embeddings", "Bearer sk-secret", {"model": "some-model", "input": ["ill", "waltz"]}),
    ]


@pytest.mark.parametrize("model", [NVIDIA, "NVIDIA/llama-3.2-nv-embedqa-1b-v2", "snowflake/arctic-embed-l"])
def test_a_model_that_reads_questions_in_another_way_is_told_which_a_text_is(server, embedder, model: str) -> None:
    one = embedder(model)
    one.embed(["a"], "passage")
    one.embed(["a"], "query")
    assert [(body["input_type"], body["truncate"]) for body in server.bodies] == [("passage", "END"), ("query", "END")]


@pytest.mark.parametrize(("model", "told"), [(NVIDIA, [True, False, False]), ("some-model", [False, True, True])])
def test_a_refusal_that_names_the_kind_changes_once_whether_it_is_told(server, embedder, model, told) -> None:
    server.answer = lambda body: (
        vectors(body) if len(server.seen) > 1 else refusal("input_type: not as this model wants it")
    )
    one = embedder(model)
    one.embed(["a"], "query")
    one.embed(["b"], "query")
    assert ["input_type" in body for body in server.bodies] == told


def test_a_server_that_refuses_the_kind_either_way_is_asked_twice_and_no_more(server, embedder) -> None:
    server.answer = lambda body: refusal("no input_type")
    one = embedder(NVIDIA)
    for _ in range(2):
        with pytest.raises(EmbeddingFailed):
            one.embed(["a"], "query")
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    "reply",
    [
        refusal("no such model", 404),
        refusal("sk-secret is no valid key", 401),
        refusal("busy", 503),
        (200, b"<html>sign in</html>"),
        (200, b""),
        (200, b"[" * 100_000),
        (200, []),
        (200, {"data": None}),
        (200, {"data": []}),
        (200, {"data": ["x"]}),
        (200, {"data": [{"index": 0, "embedding": []}]}),
        (200, {"data": [{"index": 0, "embedding": [1, "x"]}]}),
        (200, {"data": [{"index": 0, "embedding": [1e999, 0]}]}),
        (200, {"data": [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1, 0]}]}),
        (200, {"error": {"message": "out of money"}}),
    ],
    ids=str,
)
def test_whatever_else_comes_is_a_failure_in_words_and_never_shows_the_key(server, embedder, reply) -> None:
    server.answer = lambda body: reply
    with pytest.raises(EmbeddingFailed) as failed:
        embedder().embed(["a"], "query")
    assert failed.value.explanation.what
    assert "sk-secret" not in str(failed.value)


def test_a_server_that_does_not_answer_a_question_in_time_is_a_failure(server, embedder, monkeypatch) -> None:
    monkeypatch.setattr(served, "_ONE", 0.05)

    def silent(body: dict[str, Any]) -> tuple[int, Any]:
        server.go_on.wait(60)
        return vectors(body)

    server.answer = silent
    with pytest.raises(EmbeddingFailed, match=r"within 0\.05 s"):
        embedder().embed(["a"], "query")


async def test_it_may_be_asked_from_a_thread_that_has_a_loop_of_its_own(embedder) -> None:
    assert embedder().embed(["ill"], "query").shape == (1, 64)


# ---- as a search uses it -------------------------------------------------------------------------------------------


@pytest.fixture
def searched(server: EmbeddingsServer) -> KnowledgeBase:
    base = KnowledgeBase("test", passages())
    settings = Settings(semantic=NVIDIA, base_url=server.base_url, model="chat")
    assert search_by_meaning(base, settings, {}) == ""
    return base


def test_the_models_server_is_asked_for_the_model_that_the_setting_names(server, searched: KnowledgeBase) -> None:
    found = searched.search("I feel ill")
    assert found.passages[0].passage.text == NURSE
    kinds = [body["input_type"] for body in server.bodies]
    assert {body["model"] for body in server.bodies} == {NVIDIA}
    assert sorted(server.bodies[0]["input"]) == sorted(PASSAGES)
    assert (kinds[0], set(kinds[1:])) == ("passage", {"query"})
    assert max(len(body["input"]) for body in server.bodies) <= ServedEmbedder.batch


@pytest.mark.parametrize("answered", [0, 3])
def test_a_server_that_fails_leaves_the_search_by_words_and_that_is_told_once(
    server, searched: KnowledgeBase, answered: int
) -> None:
    server.answer = lambda body: vectors(body) if len(server.seen) <= answered else refusal("asleep", 503)
    first, second = (searched.search("nurse Finch House") for _ in range(2))
    assert first.passages[0].passage.text == second.passages[0].passage.text == NURSE
    assert ["asleep" in " ".join(one.notes) for one in (first, second)] == [True, False]
    assert len(server.seen) == answered + 1


def test_a_key_for_one_provider_never_goes_to_another_that_the_setting_names(server, monkeypatch) -> None:
    base = KnowledgeBase("test", passages())
    settings = Settings(semantic="nvidia:some-model", base_url="http://127.0.0.1:1/v1", api_key="sk-own", model="chat")
    environ = {"NIM_BASE_URL": server.base_url, "NVIDIA_API_KEY": "nvapi-own"}
    assert search_by_meaning(base, settings, environ) == ""
    assert base.search("I feel ill").found
    assert {key for _, key, _ in server.seen} == {"Bearer nvapi-own"}
