from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from tests.quirk_server import QuirkServer


@pytest.fixture(scope="module")
def quirks() -> Iterator[QuirkServer]:
    with QuirkServer() as server:
        yield server


@pytest.fixture
def talk() -> Callable[..., OpenAIChatModel]:
    def build(base_url: str, model: str | None = "good", **options) -> OpenAIChatModel:
        endpoint = options.pop("endpoint", None) or Endpoint("custom", base_url, None, model, "the server", True)
        return OpenAIChatModel(endpoint, **{"first_byte_timeout": 2.0, "idle_timeout": 0.3, "backoff": 0.01, **options})

    return build
