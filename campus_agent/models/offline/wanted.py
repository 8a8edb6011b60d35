"""Whether a text holds what a question wants: a time, a place, a person, a price, a way to get in touch, a number."""

from __future__ import annotations

import re

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.dates import blank_dates
from campus_agent.models.offline.hours import DAY, read_schedule
from campus_agent.models.offline.question import Question, Want
from campus_agent.models.offline.rows import read_row
from campus_agent.models.offline.times import TIME
from campus_agent.models.offline.vocabulary import MONTHS
from campus_agent.models.offline.words import stem, stem_set, stems, words

_PLACE_NOUN = (
    r"rooms?|rm|buildings?|bldg|floor|hall|house|wing|tower|block|street|st|avenue|ave|road|square|quad|basement|lobby"
    r"|gate|entrance|centre|center|courtyard|suite|plaza|park|library|gym|gymnasium|auditorium|theatre|theater|cafeteria"
    r"|lounge|office|desk|studio|pavilion|stadium|field|court|pool|corner|annex|atrium|station|campus|level|pier|garden"
    r"|school|church|chapel|barn|kitchen|classroom|museum|lab|laboratory|market|bar|caf[eé]|pub|yard|tent|harbou?r|beach"
    r"|dock|warehouse|shop|store|bookstore|clinic|dorm|dormitory|residence|cellar|attic|foyer|gallery|greenhouse"
)
_AT = r"in|at|on|near|inside|outside|behind|beside|by|to|from|opposite|above|below|off|through"
_NUMBERED = re.compile(  # room B12; Lab 3 alone may be what is done there
    rf"(?i:\b(?!lab)(?:{_PLACE_NOUN})|\b(?:in|at) (?:the )?lab(?:oratory)?)\s+(?:[A-Z]?-?\d+\w?|[A-Z])\b"
)
_PLACE = re.compile(
    rf"(?i:\b(?:{_AT})\s+(?:[\w'’-]+\s+){{0,4}}?(?P<noun>{_PLACE_NOUN})\b)"  # in the new engineering building
    r"|\b[A-Z]\w+\s+(?P<named>Hall|House|Building|Cent(?:er|re)|Tower|Street|Road|Avenue|Park|Plaza|Square|Room|Lounge)\b"
    rf"|(?:,|\bin) (?!{'|'.join(MONTHS)})[A-Z][a-z]+ [A-Z]?\d{{2,3}}\b"  # Elm 204
    r"|(?i:\b(?:sold|bought|available|picked up|collected) (?:in|at|from)\b)"
    r"|(?i:\b(?:located|next to|opposite|behind|upstairs|downstairs|online|portal|website)\b)"
    rf"|\b(?:in|at|on|near|inside|beside|above|below|outside)\s+(?:the\s+)?(?!{DAY}|(?:{'|'.join(MONTHS)})\b)"
    r"(?:[A-Z][a-z]+|[A-Z]+-?\d+)\b",
)
# SCI 112 after a time, or where something is: "the club meets in SCI 112". An exam "in BIO 112" is one of a course.
_CODED = re.compile(
    r"(?:(?i:\b(?:\d{1,2}(?::\d\d)? ?)?[ap]\.?m\b\.?|\b\d{1,2}:\d\d|\bnoon|\bmidnight),?(?: (?:in|at))?"
    r"|\b(?!(?i:exams?|finals?|midterms?|students?|enrol\w*|regist\w*|grades?|better|higher|credits?|majors?|class(?:es)?"
    r"|courses?|sections?|pass(?:ed|ing)?|taught|taking|interested|assignments?|material|offered) )[\w'’.-]+ (?:in|at))"
    r" (?P<letters>(?![AP]M\b)[A-Z]{2,5})[ -]?\d{1,4}[A-Z]?\b"
)
_OFFICE = re.compile(r"\boffice:?,?\s+(?:in\s+|at\s+)?[A-Z]\w+\s+\d")  # office Lowell 318
_PLACE_GIVEN = re.compile(r"(?:^|[.;]\s)(?:place|location|venue|room|building|address|where): ([^.;]+)", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:Dr|Prof|Professor|Mr|Mrs|Ms|Coach|Dean|Captain)\b\.?\s+[A-Z]|\S@\S"
    r"|(?i:\b(?:run|led|taught|organi[sz]ed|headed|managed|coached|coordinated|hosted|founded|chaired|supervised) by\b)"
    r"|(?i:\b(?:contact|ask for|speak to|coach|president|director|coordinator|advis[eo]r|librarian|instructor)\b)"
    r"|(?i:\b(?:organi[sz]er|captain|chair|manager|head|tutor|teacher)\b)"
    r"|\b(?:with|by) [A-Z][\w'’-]+ [A-Z][\w'’-]+"
    r"|\b(?:leads|runs|teaches|coaches|organi[sz]es|heads|manages|directs|coordinates|chairs)\b"
)
_GROUP = re.compile(
    r"\b(?:students?|members?|staff|faculty|everyone|anyone|anybody|nobody|public|adults|children|residents|visitors)\b",
    re.IGNORECASE,
)
_FULL = r"[A-Z][\w'’-]+(?: [A-Z]\.)? [A-Z][\w'’-]+"
_NAMED = re.compile(rf"(?:\w+\. )*(?:{_FULL}.*|[A-Z][\w'’-]+)")  # all of it, in a column for names
_NAME_COLUMNS = ("name", "full name", "person", "who", "contact", "contact person", "staff", "employee", "officer")
_FIRST_NAME = rf"(?!(?:{DAY}|{'|'.join(MONTHS)})\b)[A-Z][\w'’-]+"
# The degree auditor is Joan Lee; Degree auditor: Joan Lee; The officers are Mina and Juan; Joan Lee, the degree auditor
_BESIDE = re.compile(
    rf"\b(?P<before>(?:[\w-]+ ){{0,3}}[\w-]+)(?: is| are|:) {_FIRST_NAME}\b"
    rf"|\b{_FULL}(?:,| is| \() ?(?:the |our |an? )?(?P<after>[\w-]+(?: [\w-]+){{0,3}})"
)
_PERMITTED = re.compile(
    r"\bwho (?:can|may|is|are|gets|could)\b.*"
    r"\b(?:(?:use|join|allowed|borrow|enter|come|visit|attend|eligible|get)\b|for\W*$)",
    re.IGNORECASE,
)
_WHO_DOES = re.compile(r"\bwho (\w{3,}s)\b", re.IGNORECASE)
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\b\d[\d,.]*\s?(?:dollars?|euros?|pounds?|cents?|usd|eur|gbp|rupees)\b"
    r"|\bfree\b|\bcosts? nothing\b|\bno (?:charge|cost|fee)\b|\b(?:fees?|costs?|price[ds]?|charges?)\b.*\b\d{2,}",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"\S@\S|https?://|www\.|\b\d{3,}[-\s.]\d{3,}|\bphone\b|\be-?mail\b|\bcall\b|\bext\b"
    r"|\b(?:apply|write|speak|talk|report) to (?-i:[A-Z])",
    re.IGNORECASE,
)
_SMALL = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty)"
_TO_DO = re.compile(r"\b(?:can|could|may|do|does|should|must) (?:i|we|you|they)\b|\bor\b|\bto\b", re.IGNORECASE)
_WAYS = (  # what asks for one way to get in touch and for no other, and how that looks
    (re.compile(r"\be-?mail\b(?!.*\bphone\b)", re.IGNORECASE), re.compile(r"\S@\S|\(at\)|\[at\]")),
    (
        re.compile(r"\b(?:tele)?phone\b(?!.*\be-?mail\b)", re.IGNORECASE),
        re.compile(
            r"\b\d{3,}\)?[-\s.]\d{3,}|\b(?:phone(?: number)?(?: is)?|call|dial|ext\.?|extension):? [+(]?\d",
            re.IGNORECASE,
        ),
    ),
)
_NUMBER = re.compile(
    r"\d(?![\d.,]*\s?%)"  # a share counts nothing
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|a dozen)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"people|persons?|students|members|players|guests|seats", re.IGNORECASE)
_FOR_PEOPLE = re.compile(
    r"\b(?:size|capacity|seats?|places|holds?|fits?):? (?:up to )?\d"
    rf"|\b{_SMALL} (?:people|persons?|members|students|players|guests)\b",
    re.IGNORECASE,
)
_NEAR = 5  # words
_HOW_MANY = re.compile(r"\bhow many (?:more )?(\w+)", re.IGNORECASE)
_JOINING = re.compile(
    r"\S@\S|\b(?:join\w*|register|registration|sign(?:ing)?[- ]?up|appl(?:y|ications?)|enrol\w*|contact|e-?mail"
    r"|form|bring|visit|ask|write to|call|come|drop in|open to|free|membership)\b",
    re.IGNORECASE,
)
_SOMETIME = re.compile(
    rf"\b(?:in|during|every|each) (?:the )?(?:{'|'.join(MONTHS)}|semester|summer|winter|spring|autumn|fall)\b"
    r"|\b(?:monthly|weekly|noon|mornings?|afternoons?|evenings?)\b|\b(?:in|since) (?:19|20)\d\d\b",
    re.IGNORECASE,
)
_WHAT_TIME = re.compile(r"\bwhat time\b", re.IGNORECASE)
_TIME_OF_DAY = re.compile(
    rf"(?<![\w.])(?:{TIME})(?![\w%])|\bo'clock\b"
    r"|\b(?:all day|24/7|24 hours|around the clock|mornings?|afternoons?|evenings?|closed)\b",
    re.IGNORECASE,
)
_DEADLINE = re.compile(r"\bdeadlines?\b", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:deadlines?|due|by|until|till|before|no later than|last day|clos(?:es?|ing)|ends?)\b", re.IGNORECASE
)
_PERCENT = re.compile(r"\bpercent(?:age)?\b|\bhow much\b", re.IGNORECASE)
_SHARE = re.compile(r"\d\s?%|\bper ?cent\b|\bpoints?\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:before|after|once|requires?|until|within)\b|\bfrom (?:the|your) \w+ (?:day|week|month|year|semester)\b",
    re.IGNORECASE,
)
_MAY = re.compile(r"\bwhen (?:can|may|could|should|do|are|is)\b", re.IGNORECASE)


def fits(text: str, want: Want, question: Question) -> bool:
    """Say whether a text holds what a question wants."""
    match want:
        case Want.WHEN:
            if _DEADLINE.search(question.asks) and not _BY.search(text):
                return False
            if _WHAT_TIME.search(question.asks):
                return _TIME_OF_DAY.search(text) is not None
            return _says_when(text) or bool(_MAY.search(question.asks) and _CONDITION.search(text))
        case Want.WHERE:
            return _says_where(text, question)
        case Want.WHO:
            return _says_who(text, question)
        case Want.COST:
            pattern = _MONEY
        case Want.CONTACT:
            pattern = _contact_by(question)
        case Want.NUMBER:
            return _says_how_many(text, question)
        case Want.HOW_TO_JOIN:
            pattern = _JOINING
    return pattern.search(text) is not None


def _contact_by(question: Question) -> re.Pattern[str]:
    """Return what a way to get in touch looks like: an address for mail or a number where just that is asked for."""
    if question.polar or _TO_DO.search(question.asks):
        return _CONTACT
    return next((way for said, way in _WAYS if said.search(question.asks)), _CONTACT)


def asks_only_how_many(question: Question) -> bool:
    """Say whether a question names nothing but what it counts: "how many points"."""
    counted = _HOW_MANY.search(question.asks)
    return counted is not None and {fold(key) for key in question.keys} == {fold(counted[1])}


def counts_it(text: str, question: Question) -> bool:
    """Say whether a number of a text stands shortly before what "how many" asks for, or after it: "Seats: 40"."""
    counted = _HOW_MANY.search(question.asks)
    if counted is None:
        return True
    said = [(found.end(), text[found.end() :]) for found in _NUMBER.finditer(text)]
    after = [words(rest)[:_NEAR] for _, rest in said]
    before = [words(text[:end])[-_NEAR:] for end, _ in said]
    return any(stem(counted[1]) in stems(near) for near in (*after, *before))


def _says_who(text: str, question: Question) -> bool:
    """Say whether a text names a person; where it tells of the same deed, a group that does it will do."""
    if _PERMITTED.search(question.asks):
        return _GROUP.search(text) is not None
    doing = _WHO_DOES.search(question.asks)
    group = _GROUP.search(text)
    does = doing is not None and group is not None and stem(doing[1]) in stem_set(text[group.end() :])
    asked = {fold(key) for key in question.keys}  # who the coach is, is not said by "ask the coach"
    persons = (found for found in _PERSON.finditer(text) if fold(found.group()) not in asked)
    if doing is not None:  # somebody, or an office: "The registrar issues it"
        does = does or re.search(rf"(?:{_FULL}|\b[Tt]he (?:[\w-]+ )?[\w-]+) {doing[1]}\b", text) is not None
    return does or any(persons) or _names_somebody(text, question)


def _names_somebody(text: str, question: Question) -> bool:
    """Say whether a text names a person beside the role that is asked for, in a column or in so many words."""
    row = read_row(text)
    asked = stems(question.keys)
    if row:
        names = [value for name, value in row if fold(name) in _NAME_COLUMNS and _NAMED.fullmatch(value)]
        held = any(stem_set(name) & asked and _NAMED.fullmatch(value) for name, value in row)
        return held or any(not stem_set(name) & asked for name in names)
    beside = [found["before"] or found["after"] for found in _BESIDE.finditer(text)]
    return any(asked & stem_set(role) for role in beside)


def _says_when(text: str) -> bool:
    without = blank_dates(text)
    said = any(pattern.search(text) for pattern in (_SOMETIME, _TIME_OF_DAY))
    return without != text or said or bool(read_schedule(without).rules)


def _says_where(text: str, question: Question) -> bool:
    """Say whether a text names a place other than the one asked about: the library is not in the library."""
    asked = stem_set(question.text)
    given = _PLACE_GIVEN.findall(text)
    if _NUMBERED.search(text) or _OFFICE.search(text) or any(not stem_set(place) <= asked for place in given):
        return True
    if any(fold(found["letters"]) not in map(fold, words(question.text)) for found in _CODED.finditer(text)):
        return True
    nouns = [found["noun"] or found["named"] for found in _PLACE.finditer(text)]
    return any(noun is None or not stem_set(noun) & asked for noun in nouns)


def _says_how_many(text: str, question: Question) -> bool:
    """Say whether a text holds a number, and names what is counted: 5 PM is no number of members."""
    if _PERCENT.search(question.asks):
        return _SHARE.search(text) is not None
    counted = _HOW_MANY.search(question.asks)
    if counted and _PEOPLE.fullmatch(counted[1]) and _FOR_PEOPLE.search(text):
        return True
    return _NUMBER.search(text) is not None and (counted is None or stem(counted[1]) in stem_set(text))
