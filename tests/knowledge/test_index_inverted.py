from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from campus_agent.knowledge import index
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.best_first import best_first
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.inverted import Inverted, idf
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.words import Words

TERMS = [f"t{number}" for number in range(40)]
PASSAGES = st.lists(st.lists(st.sampled_from(TERMS), max_size=30), min_size=1, max_size=25).filter(any)


def reference(passages: list[list[str]]) -> BM25Okapi:
    okapi = BM25Okapi(passages)
    having = {term: sum(term in passage for passage in passages) for term in TERMS}
    okapi.idf = {term: idf(len(passages), count) for term, count in having.items() if count}
    return okapi


@settings(max_examples=80, deadline=None, derandomize=True)
@given(PASSAGES, st.lists(st.sampled_from([*TERMS, "unknown"]), max_size=6))
def test_the_scores_are_those_of_rank_bm25_with_unknown_and_repeated_terms_too(
    passages: list[list[str]], query: list[str]
):
    ours = Inverted.build(passages).scores(query)
    assert np.abs(ours - reference(passages).get_scores(query)).max() <= 1e-9


@settings(max_examples=60, deadline=None, derandomize=True)
@given(PASSAGES, PASSAGES, st.randoms(use_true_random=False))
def test_an_index_that_was_updated_is_the_one_that_is_built_anew(
    before: list[list[str]], added: list[list[str]], chance: random.Random
):
    kept = [position for position in range(len(before)) if chance.random() < 0.6]
    order: list[tuple[int | None, list[str]]] = [(position, before[position]) for position in kept]
    order += [(None, terms) for terms in added]
    chance.shuffle(order)
    updated = Inverted.build(before).updated([o for o, _ in order], [terms for o, terms in order if o is None])
    anew = Inverted.build([terms for _, terms in order])
    for term in TERMS:
        assert updated.having(term) == anew.having(term)
        assert np.array_equal(updated.scores([term]), anew.scores([term]))


def test_a_term_is_in_the_passages_that_have_it_and_in_no_other():
    built = Inverted.build([["a", "b"], [], ["b", "b"]])
    assert [built.has(position, "b") for position in range(3)] == [True, False, True]
    assert (built.having("b"), built.having("c"), "a" in built, "c" in built) == (2, 0, True, False)


@pytest.mark.parametrize("passages", [[], [[]], [[], []]])
def test_an_index_without_terms_scores_nothing(passages: list[list[str]]):
    assert Inverted.build(passages).scores(["a"]).tolist() == [0.0] * len(passages)


def test_what_is_saved_and_mapped_scores_the_same(tmp_path: Path):
    built = Inverted.build([["a", "b"], ["b"], ["é", "a", "a"]])
    built.save(tmp_path)
    assert np.array_equal(Inverted.load(tmp_path).scores(["a", "é"]), built.scores(["a", "é"]))


def test_parts_that_do_not_fit_together_are_refused(tmp_path: Path):
    Inverted.build([["a", "b"], ["b"]]).save(tmp_path)
    np.save(tmp_path / "counts.npy", np.array([1]))
    with pytest.raises(ValueError, match="do not fit"):
        Inverted.load(tmp_path)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 9000), st.integers(1, 50), st.randoms(use_true_random=False))
def test_the_best_first_is_the_whole_order_however_many_there_are(size: int, values: int, chance: random.Random):
    scores = np.array([float(chance.randrange(values)) for _ in range(size)])
    expected = sorted((position for position in range(size) if scores[position] > 0), key=lambda p: (-scores[p], p))
    assert [position for position, _ in best_first(scores)] == expected


def test_every_term_weighs_something_and_a_rarer_one_more():
    weights = [idf(10, having) for having in range(11)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0
    assert weights[3] == pytest.approx(math.log(1 + 7.5 / 3.5))


def test_a_large_base_ranks_as_a_small_one_does_but_for_the_letters(monkeypatch: pytest.MonkeyPatch):
    texts = [f"Hall {n} is near the {('library', 'gym', 'pool')[n % 3]} and opens at {n % 12}." for n in range(60)]
    passages = [Passage("", text, "halls.md", n) for n, text in enumerate(texts)]
    queries = ["library hall 7", "gym opens", "pool near", "libary", "nothing of it"]
    small = Index.build(passages, Words())
    monkeypatch.setattr(index, "LARGE", 10)
    large = Index.build(passages, Words())
    assert isinstance(large.terms, Inverted)
    assert large.vocabulary == small.vocabulary
    for query in queries:
        terms = [Words().stem(token) for token in query.split()]
        assert np.abs(large.terms.scores(terms) - small.terms.scores(terms)).max() <= 1e-9
    found = KnowledgeBase("large", passages).search("libary hall 30")
    assert (found.corrected, found.passages[0].passage) == ({"libary": "library"}, passages[30])
