"""What a table says of a thing where it is asked for something that only other rows of the table have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.rows import Row, row_name, written
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.words import stem_set

_ASKS_IF_HAS = re.compile(r"^(?:and |so )?(?:do|does|has|have)\b.*\b(?:have|has|got|with|come|get)\b", re.IGNORECASE)


def without_feature(found: Sequence[Passage], question: Question, subject: Subject) -> Passage | None:
    """Return what the row of a thing says in the column in which another row has what is asked for.

    "Does the Attic have a piano?" is answered with the equipment of the Attic, where another room has a piano; None
    where the table does not tell that plainly.
    """
    if not _ASKS_IF_HAS.match(question.text):
        return None
    for row in found:
        missing = subject.keys - stem_set(row_name(row.row))
        columns = {name for other in found if other.title == row.title for name in _holding(other.row, missing)}
        if missing and missing != subject.keys and not missing & row.stems and len(columns) == 1:
            told = [cell for cell in row.row if cell[1] == row_name(row.row) or cell[0] in columns]
            return replace(row, text=written(told)) if len(told) > 1 else None
    return None


def _holding(row: Row, wanted: frozenset[str]) -> list[str]:
    return [name for name, value in row if wanted and wanted <= stem_set(value)]
