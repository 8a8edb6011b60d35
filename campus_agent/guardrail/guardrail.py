"""Reviews a draft before anybody reads it as an answer: is every fact in it supported by what the tools returned?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from campus_agent.guardrail.affirming import Affirming
from campus_agent.guardrail.bearing import Bearing
from campus_agent.guardrail.citing import invented_sources
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import QUESTION, Finding, Said, said
from campus_agent.guardrail.ground import Ground, ground
from campus_agent.guardrail.grounding import Grounding
from campus_agent.guardrail.lexicon import ENGLISH, known, without_lookalikes
from campus_agent.guardrail.passages import SEARCH
from campus_agent.guardrail.refusal import is_refusal
from campus_agent.guardrail.review import Evidence, GuardrailMode, Review
from campus_agent.guardrail.scope import off_topic
from campus_agent.guardrail.small_talk import declines, is_small_talk, states_plainly
from campus_agent.tools.tool import Source

# A sentence that shares so many telling words with a passage, beyond those of the question, states something of it.
_TELLING = 2


class Guardrail:
    """Compares drafts with observations.

    Attributes:
        mode: "strict" and "warn" report every fact, "off" reports none.
        refusal: the line that is said when the information is not there.
        language: the language of the base; English where there is no word list for it.
        allowed: text whose names and values carry no facts when repeated, such as the base's name and topics.
    """

    def __init__(
        self, *, mode: GuardrailMode = "strict", refusal: str, allowed: str = "", language: str = ENGLISH
    ) -> None:
        self.mode = mode
        self.refusal = refusal
        self.allowed = allowed
        self.language = known(language)
        self._speaks = self.language == language  # else nobody can tell small talk in it from a statement

    def strictly(self) -> Guardrail:
        """Return the same checks with none of them off: for whoever measures answers, whatever may be shown."""
        checks = copy(self)
        checks.mode = "strict"
        return checks

    def review(self, draft: str, *, question: str, evidence: Sequence[Evidence]) -> Review:
        """Check the facts of `draft` against `evidence`; never raises, takes time in proportion to the text.

        Args:
            draft: what the model would say.
            question: what the person asked. Its values may be repeated in a denial, not affirmed.
            evidence: the observations that the answer may rest on.
        """
        draft, question = without_lookalikes(draft), without_lookalikes(question)
        if is_refusal(draft, self.refusal, self.language):
            return Review(refusal=True)
        base = ground(evidence, self.language)
        asked, read = said(question, base), said(draft, base)
        allowed = said(f"{self.allowed}\n{self.refusal}", base)
        seen = (question, self.allowed, *(name for one in evidence for name in _texts(one)))
        own = (*Grounding(read, asked, allowed, base).findings(), *invented_sources(read, seen, base))
        if self.mode != "off" and declines(read, asked, allowed) and not any(_gives(one, asked) for one in own):
            return Review(refusal=True)
        affirmed = tuple(Affirming(read, asked, allowed, base).findings(own))
        unborne = Bearing(read, asked, allowed, base).findings((*affirmed, *own)) if self._speaks else ()
        findings = (*affirmed, *own, *unborne)
        retold = _retold(read, asked.words | allowed.words, base)
        judged = self._judges_talk(base, evidence)
        states_something = bool(retold) or any(_tells(finding, asked) for finding in findings)
        return Review(
            facts=() if self.mode == "off" else tuple(finding.checked for finding in findings),
            states_something=states_something,
            off_topic=self.mode != "off"
            and not states_something
            and (off_topic(read, allowed) or (judged and states_plainly(read, asked, allowed))),
            small_talk=not (findings or retold) and is_small_talk(read, asked, allowed),
            sources=_sources(findings, retold),
        )

    def _judges_talk(self, base: Ground, evidence: Sequence[Evidence]) -> bool:
        """Whether nothing was looked up that a plain sentence may rest on; a clock or calendar tells nothing of it."""
        beside = {SEARCH, *base.today.values()}
        return self._speaks and not base.passages and all(one.tool in beside for one in evidence)


def _tells(finding: Finding, asked: Said) -> bool:
    """Whether a supported fact says something: it is not of the question, or it is affirmed of a subject."""
    if finding.support is None or finding.support.source == QUESTION:
        return False
    if not finding.fact.supported_by(asked.words if finding.fact.kind == "name" else asked.atoms):
        return True
    return finding.fact.kind != "name" and not finding.place.sentence.denies


def _gives(finding: Finding, asked: Said) -> bool:
    """Whether a value is more than one of the question, be it right or wrong."""
    return finding.fact.kind not in ("name", "claim") and (not finding.support or _tells(finding, asked))


def _retold(read: Said, given: frozenset[str], base: Ground) -> tuple[Source, ...]:
    """Return the passages that sentences of the draft retell, whether or not with a value, beyond `given` words."""
    found: dict[int, Source] = {}
    for sentence in read.sentences:
        if _speaks_of_itself(sentence, base):
            continue
        said_words = {stem for clause in sentence.clauses for stem in clause.subjects if base.weights.get(stem)} - given
        shared = [len(said_words & passage.words) for passage in base.passages]
        if shared and max(shared) >= _TELLING:
            best = shared.index(max(shared))
            found.setdefault(best, base.passages[best].source)
    return tuple(found.values())


def _speaks_of_itself(sentence: Sentence, base: Ground) -> bool:
    """Whether the assistant speaks of itself, or asks: that states nothing of the campus."""
    first = sentence.clauses[0].plain[0][0]
    return sentence.asks or (first in base.lexicon.words("self") and sentence.denies)


def _texts(observation: Evidence) -> Iterator[str]:
    """Yield what was read of an observation, and where it stood."""
    yield observation.text
    for source in observation.sources:
        yield from (source.source, source.title, source.text)


def _sources(findings: Sequence[Finding], retold: Sequence[Source]) -> tuple[Source, ...]:
    rested = [finding.support.passage for finding in findings if finding.support and finding.support.passage]
    return tuple(dict.fromkeys([*rested, *retold]))
