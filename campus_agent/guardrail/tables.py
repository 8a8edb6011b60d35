"""The English words that the guardrail knows: what a day, a unit or a denial is called. Data only, no logic."""

from __future__ import annotations

from campus_agent.calendar_names import MONTHS as MONTHS
from campus_agent.calendar_names import WEEKDAYS as WEEKDAYS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WEEKDAY_ABBREVIATIONS = {
    "Mon": 0, "Tue": 1, "Tues": 1, "Wed": 2, "Weds": 2, "Thu": 3, "Thur": 3, "Thurs": 3, "Fri": 4, "Sat": 5, "Sun": 6,
}  # fmt: skip
# How timetables write several days at once.
WEEKDAY_CODES = {"MWF": (0, 2, 4), "MW": (0, 2), "WF": (2, 4), "TTh": (1, 3), "TuTh": (1, 3), "Tu/Th": (1, 3)}

MONTH_ABBREVIATIONS = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Sept": 9, "Oct": 10, "Nov": 11,
    "Dec": 12,
}  # fmt: skip

NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "ground": 0, "top": -1}

# A unit, and how many of the unit that it is counted in make one of it.
UNITS = {
    "minute": ("minute", 1), "min": ("minute", 1), "hour": ("minute", 60), "hr": ("minute", 60),
    "day": ("day", 1), "week": ("day", 7), "month": ("month", 1), "year": ("year", 1),
    "semester": ("semester", 1), "credit": ("credit", 1), "unit": ("credit", 1),
}  # fmt: skip
# Words that may stand between a number and its unit without changing either.
UNIT_ADJECTIVES = "more|full|whole|business|working|school|calendar|short|consecutive|academic"

# Titles that come before a person's name.
PERSON_TITLES = "Dr|Prof|Professor|Mr|Mrs|Ms|Mx|Dean|Coach|Chancellor|President|Provost"

# Words that carry no meaning of their own in a comparison.
STOP_WORDS = _words(
    """a about above according after again ago all also always am an and another any anyone anything are around as
    at away back based be because been before being below between both but by came can cannot come comes coming
    could did do does doing don done down during each either else even ever every everyone few first for from
    further get gets getting give given go goes going good got great had has have having he hello help helpful
    her here hi him his how however i if in information inside instead into is it its itself just keep know last
    later least less let like listed look looking lot made make makes many may me mean mention mentioned might
    more most much must my near need needs neither never next no nor not nothing now of off oh ok okay on once
    one only onto or other others our out over own per perhaps please plus question quite rather re really
    regarding result results right s said same say says search searched see seem shall she should show shows
    since so some something soon sooner still such sure t take takes than thank thanks that the their them then
    there these they thing things this those though through thus till to today together tomorrow tonight too
    toward two under until unfortunately up upon us use used using usually very via want wants was way we well
    were what when where whether which while who whom whose why will with within without would yes yet you your
    yours ll ve d m isn aren wasn weren doesn didn hasn haven hadn won wouldn couldn shouldn found find
    according note answer time times day days date dates week weeks minute minutes currently actually already
    specifically"""
)

# Predicates that a right answer exchanges freely: they tell one passage from another only weakly.
LIGHT_WORDS = _words(
    """meet open opening available hold held happen place occur run start begin offer locate location situate close
    schedule regular week daily monthly gather session list base campus student room set provide join attend
    visit include host hour pm am next plan remain end last build event member free play serve due phone number
    email mail address name link website contact evening morning afternoon"""
)

# Different words for one thing on a campus, a line each.
SAME_THING = (
    "faculty professor instructor teacher lecturer prof",
    "lab laboratory",
    "meet meeting gather gathering meetup",
    "python coding",
    "gym fitness recreation workout",
    "dining cafeteria canteen",
    "exam final examination",
    "fee tuition cost price",
    "register registration enroll enrollment enrol",
    "admission apply application",
    "wifi wireless",
    "dorm housing residence hostel",
    "club society",
    "building hall",
    "advisor adviser advising",
    "computer computation",
)

# Nouns that, with a word before them, name one particular thing: a chess club is no AI club.
ENTITY_HEADS = _words(
    """club lab library gym center centre cafe cafeteria canteen society team department school college museum
    clinic pool theater theatre garage shop store studio workshop course class program hotline shuttle bus fair
    festival hackathon tournament ensemble choir band orchestra league committee council association desk bank"""
)
# Words before such a noun that do not tell one thing from another.
PLAIN_MODIFIERS = _words(
    """main own new next local student campus university college week weekly regular same nearest our free small
    big large public open central whole entire official current upcoming usual monthly daily annual yearly first
    second third last"""
)

# Words with which a clause says what is not so.
DENIALS = _words(
    """no not never none neither nor without cannot unlisted unknown unavailable closed closes except excluding
    outside isn't aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't won't wouldn't couldn't can't
    shouldn't isnt arent doesnt dont didnt cant wont unable unsure nothing unclear rather instead contrary
    incorrect wrong false mistaken beyond"""
)
# Words after which a value is only spoken of, not stated.
MENTIONS = _words("asked ask asking about regarding concerning whether if mentioned said say your question")
# Words before a number that only counts what is listed.
LISTS = _words("are have found these those following of the other list both")
# Words that tie a clause to the present moment.
PRESENT = _words("today now currently tonight tomorrow since because moment this if from counting as")
# Words before a weekday that state it as when something is.
STATES_A_DAY = _words("on every each meets meet is are open opens held")
# Words after a number of days that compare two counts.
GAPS = _words("later earlier sooner apart before after between difference")

# Capitalised words that, in a name, claim nothing: labels, common nouns, the language of answers.
PLAIN_NAME_WORDS = _words(
    """access activities activity assistant agent bot chatbot guide additional address admission admissions advice
    advising advisor answer answers appointment availability available best bring building call calendar campus
    cell center check class classes click closed closing club clubs college community contact cost costs count
    course courses current date dates day days deadline deadlines department description desk details digital
    directions door duration email engineering entrance event events every everyone exam exams facility faculty
    fall fees fee final finals find floor focus food free frequency friday frequently full general getting go
    good group hall happy head hello help here high home hour hours how important in info information internet
    introduction item join key lab labs library link list location locations main map meeting meetings member
    members membership monday more morning name names network new next no not note notes now number office on
    online open opening operating option options organization overview page people person phone place please pm
    policy price program programs question questions quick read reason recurring reference regular requirement
    requirements resource resources result results right room rooms schedule scheduled school search section see
    semester service services session sessions sign source sources space spring staff start starting status step
    steps student students summary summer support the this ticket tip time times title today tomorrow topic
    topics total training tutoring type understanding university until update upcoming use venue visit week
    weekday weekdays weekend weekly weekends what when where winter workshop workshops yes you your ask join try
    stop located take learn explore feel let if for and or also however additionally unfortunately although
    while since because according based thank thanks sorry great sure currently ai faq pacific eastern central
    mountain daylight standard zone los angeles america utc gmt pdt pst edt est cdt cst mdt mst may march cet
    cest bst"""
)
# Three-letter words before a number that make no room of it.
NO_BUILDING = _words(
    """AM PM PDT PST EDT EST CDT CST MDT MST UTC GMT CET CEST BST JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV
    DEC USD EUR GBP ISO MON TUE WED THU FRI SAT SUN AND OR TO IN AT OF ON BY IS NO STEP LINE PAGE TOP THE FALL"""
)

# Nouns that end the name of a place, after in or at.
PLACE_HEADS = _words(
    """building hall library center centre room lab laboratory gym gymnasium cafeteria canteen auditorium floor campus
    theater theatre classroom lounge chapel stadium basement lobby atrium plaza courtyard quad arena cafe annex
    pavilion boathouse gallery museum studio"""
)
# Those that, without a word before them, tell nothing.
VAGUE_PLACES = _words("building hall room floor campus lab laboratory center centre classroom")
# Plain modifiers that, before a vague head, do tell which place is meant.
PLACE_MODIFIERS = _words("main student campus university college public central")
# Words that begin a piece of advice: "join today", "come tomorrow", "try again tomorrow".
IMPERATIVES = _words(
    """join visit sign come register apply contact check stop drop explore get start enroll enrol learn try see reach
    feel let enjoy go call email ask book return swing head talk speak"""
)
