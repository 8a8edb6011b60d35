"""Tells an answer to something that the assistant is not for: code, or long prose that no observation bears out."""

from __future__ import annotations

import re

from campus_agent.guardrail.finding import Said

# A fenced block, or two lines that only a program has.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_PROGRAM = re.compile(
    r"^[ \t]*(?:(?:async )?def \w+\(.*\).*:|class \w+.*[:{]|(?:from \w[\w.]* )?import \w[\w., ]*|#include\b.*"
    r"|function \w*\(.*\) ?\{|(?:public|private|static) \w.*[({]|(?:const|let|var) \w+ ?=.*|return\b.*"
    r"|\w+ ?[+*/-]?= ?.*[;)]|for ?\(.*\) ?\{|for \w+ in .+:|if .+:|else:|while .+:|print\(.*\)|console\.log\(.*"
    r"|SELECT\b.+\bFROM\b.*|[{}]+;?)[ \t]*$",
    re.MULTILINE,
)
_LINES = 2
# So many telling words, beyond those of the base and its topics, make more than a greeting or an offer of help.
_WORDS = 40


def off_topic(draft: Said, allowed: Said) -> bool:
    """Whether a draft of which no observation bears anything out is code, or longer than small talk is."""
    if _FENCE.search(draft.text) or sum(1 for _ in _PROGRAM.finditer(draft.text)) >= _LINES:
        return True
    telling = (stem for clause in draft.clauses for stem in clause.subjects if stem not in allowed.words)
    return sum(1 for _ in telling) > _WORDS
