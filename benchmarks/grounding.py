"""How well the guardrail tells unsupported facts from supported ones, on fourteen labelled sets of drafts.

The baseline accepts a fact when its text stands verbatim in an observation, as older assistants do. A set is divided
by the worlds that its drafts are about. On a half "first" rules were tuned. Of a half "held out" no draft was looked
at, and of a half "counted" none either, but rules that did not pay there were taken out again. Who wrote a set matters
more than anything else: triples, fresh, chatty and strangers were written with the rules, newcomers and visitors were
held out once and are learned by now (the second half of visitors stood at precision 0.88 and recall 0.84 before that),
and guests, callers, neighbours and latecomers are by writers who never saw a rule, out to find what is hard. So the
last lines tell what to expect of drafts that nobody has seen, and the first ones what was meant. The drafts of
overheard were not written for a test at all: a language model of 1.5 billion parameters wrote them, in one sentence and
in two, from what the search had found, and every draft was labelled by hand; those that state nothing are left out.
The three sets that begin with "plain" are ordinary sentences, multiplied: each way to tell a fact by ways to ask for it
and to answer, with the right value and with that of the next thing. The campus was written with the rules, the college
by somebody who never saw them, and rules were tuned on it; of the seaside, written likewise, nothing was looked at.
Precision and recall are of the verdict "unsupported"; a draft that is sent back as off topic counts as flagged.

    python benchmarks/grounding.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.plain import load_plain
from tests.guardrail.triples import REFUSAL, Triple, load, load_fresh

Judge = Callable[[Triple], list[str]]
_OTHERS = (
    *("fresh", "chatty", "strangers", "newcomers", "visitors"),
    *("guests", "callers", "neighbours", "latecomers", "overheard"),
)
_MULTIPLIED = ("campus", "college", "seaside")


@dataclass(frozen=True)
class Verdict:
    """What a judge flagged in a draft, and how long it took, in seconds."""

    triple: Triple
    flagged: tuple[str, ...]
    seconds: float

    @property
    def named(self) -> int:
        """How many of the wrong facts are flagged, as a whole or in part."""
        return sum(any(_same(wrong, text) for text in self.flagged) for wrong in self.triple.unsupported)

    @property
    def justified(self) -> int:
        """How many of the flagged facts are wrong."""
        return sum(any(_same(wrong, text) for wrong in self.triple.unsupported) for text in self.flagged)


def _same(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return one in other or other in one


def make_guardrail() -> Judge:
    """Return a judge: the facts that the guardrail finds unsupported."""
    guardrail = Guardrail(refusal=REFUSAL)

    def judge(triple: Triple) -> list[str]:
        review = guardrail.review(triple.draft, question=triple.question, evidence=triple.evidence)
        return [fact.text for fact in review.unsupported] or [triple.draft] * review.off_topic

    return judge


def verbatim(triple: Triple) -> list[str]:
    """Return the facts whose text stands in no observation."""
    observed = "\n".join(evidence.text for evidence in triple.evidence).lower()
    return [fact.text for fact in facts(triple.draft) if fact.text.lower() not in observed]


def measure(judge: Judge, triples: Iterable[Triple]) -> list[Verdict]:
    """Let `judge` judge every draft."""
    verdicts = []
    for triple in triples:
        start = time.perf_counter()
        flagged = judge(triple)
        verdicts.append(Verdict(triple, tuple(flagged), time.perf_counter() - start))
    return verdicts


def share(part: int, whole: int) -> str:
    """Write a share, or a dash where there is nothing to share."""
    return f"{part / whole:.3f}" if whole else "-"


def by_draft(verdicts: Sequence[Verdict]) -> str:
    """Write precision and recall of "something in this draft is unsupported"."""
    flagged = [verdict for verdict in verdicts if verdict.flagged]
    wrong = [verdict for verdict in verdicts if verdict.triple.unsupported]
    both = sum(bool(verdict.triple.unsupported) for verdict in flagged)
    return f"{share(both, len(flagged)):>12}{share(both, len(wrong)):>10}"


def by_fact(verdicts: Sequence[Verdict]) -> str:
    """Write precision and recall of "this fact is unsupported"."""
    flagged = sum(len(verdict.flagged) for verdict in verdicts)
    wrong = sum(len(verdict.triple.unsupported) for verdict in verdicts)
    justified, named = (sum(getattr(verdict, name) for verdict in verdicts) for name in ("justified", "named"))
    return f"{share(justified, flagged):>12}{share(named, wrong):>10}"


def report(title: str, triples: Sequence[Triple]) -> None:
    """Print one table: a row for each sort of draft, and for all."""
    columns = {"guardrail": measure(make_guardrail(), triples), "verbatim": measure(verbatim, triples)}
    print(
        f"\n{title}: {len(triples)} drafts, {sum(1 for triple in triples if triple.unsupported)} with something wrong"
    )
    print(f"  {'':12}" + "".join(f"{name:>22}" for name in columns))
    print(f"  {'':12}" + f"{'precision':>12}{'recall':>10}" * len(columns))
    for sort in dict.fromkeys(triple.sort for triple in triples):
        rows = ([verdict for verdict in verdicts if verdict.triple.sort == sort] for verdicts in columns.values())
        print(f"  {sort:12}" + "".join(map(by_draft, rows)))
    print(f"  {'all drafts':12}" + "".join(map(by_draft, columns.values())))
    print(f"  {'all facts':12}" + "".join(map(by_fact, columns.values())))
    for name, verdicts in columns.items():
        print(f"  {name}: {1000 * sum(verdict.seconds for verdict in verdicts) / len(verdicts):.2f} ms a draft")


def report_halves(name: str, triples: Sequence[Triple]) -> None:
    """Print one table for each half of a set."""
    for half in dict.fromkeys(triple.half for triple in triples):
        report(f"{name}, {half}", [triple for triple in triples if triple.half == half])


def main() -> None:
    """Print one table for each half of each set."""
    report_halves("triples", load())
    for name in _OTHERS:
        report_halves(name, load_fresh(f"{name}.json"))
    for name in _MULTIPLIED:
        report_halves(f"plain {name}", load_plain(f"plain_{name}.json"))


if __name__ == "__main__":
    main()
