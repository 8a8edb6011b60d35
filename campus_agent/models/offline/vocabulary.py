"""The English that the offline model knows: tables of words, and no rules."""

from __future__ import annotations

from campus_agent.calendar_names import MONTHS as MONTHS
from campus_agent.calendar_names import WEEKDAYS as WEEKDAYS


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


EVERY_DAY = frozenset(range(7))
WORKING_DAYS = frozenset(range(5))
WEEKEND = frozenset((5, 6))

# Words that say how something is asked, never what about: they are left out of a search.
FUNCTION_WORDS = _set(
    """
    a about actually again ago all also am an and another any anybody anyone anything are aren around as ask at away
    be because been before being between both but by can closer come comes coming could current currently d day days
    did didn different do does doesn doing don done each earlier earliest early either else ever every everybody
    everyone everything exact exactly far find first following for from future get gets getting give given go goes
    going gonna got had happen happening happens has have having he hello help her here hey hi him his how however i
    if in instead into is isn it its itself just kind know last late later latest left let like list ll long look
    looking lot lots m many may maybe me might mine moment more most much must my myself near nearer nearest need
    needs never next not now o of off often oh ok okay on once one ones only or other our out over own people per
    perhaps please pls plz possible put question quick quickly re really regarding remain remaining right s say see
    shall she should show since so some somebody someone something somewhere soon sooner soonest sort still such
    sure t take takes taking tell than thank thanks that the their them then there these they thing things think
    this those though through till to too two u under until up upcoming upon us use used using usual usually ve very
    wanna want wanted wants was we weekly well were what whatever whats when where which while who whom whose why
    will wish with within without won wonder wondering would wouldn yes yesterday yet you your yourself
    """
)

# Words that help to choose a passage but that it need not hold: it may say the same in other words.
LIGHT_WORDS = _set(
    """
    access accessible additional address allowed anymore anywhere attend attending avail available begin beginning
    begins big bigger biggest borrow borrowed bought bring building buildings business buy call called campus charge
    charged chat close closed closes closing college color colour compulsory contact contain contains convene cost
    costs cover covered covers date dates detail details directions do email employee end ends enrol enroll enter
    entry event events exist exists extra fast faster fastest fee fees finish finishes fit fits floor free gather
    gathering gatherings gathers hand handed held hold holds home host hosted hour hours include included includes
    indoors info information inside join joining kept large larger largest lead leads learn leave lecture led lie
    live lives living locate located location locations mandatory max maximum mean means meet meeting meetings meets
    meetup member members min minimum money name named necessary needed new number occur occurs offer offered offers
    open opened opening openings opens operate operates operating optional outdoors outside pay people percent
    percentage permitted person phone place places point posted price prices program programme purchase quick reach
    register registered registration rent reopen reopens require required requirement requirements requires room
    rooms run running runs schedule scheduled school serve served serves session sessions shut shuts sign situated
    slow slower slowly sold speak spot start starting starts stay stays student students submit submitted talk
    taught teach teaches teaching telephone time times timetable timing timings today topic topics try university
    visit visited visiting visitor visitors wear website week weeks work working works worth year years
    """
)

# Words that a passage must hold only when a question has no better ones.
SOFT_WORDS = _set(
    """
    area car cars class classes course courses deadline deadlines desk facility game games group lesson lessons practice
    service team training
    """
)

# Whose a thing is, before its name: the staff parking is not the visitor parking.
AUDIENCES = _set("alumni faculty graduate member members staff student students visitor visitors")

# Nouns and verbs that may stand for the event itself: "the next club meeting", "until the club meets".
EVENT_WORDS = _set(
    """
    event gathering hours meeting meetings meetup session sessions
    """
)

# Words that end a name without telling much: "winter break", "practice rooms".
NAME_TAILS = _set(
    """
    break day member members program recess room rooms student students time times vacation week weeks
    """
)

EVENT_VERBS = _set(
    """
    begin begins close closes convenes end ends finishes gathers happen happens meet meets open opens reopens returns
    runs start starts
    """
)

# Small talk: words of which a greeting or a thank-you is made.
GREETINGS = _set(
    """
    afternoon evening greetings hello hey hi hiya howdy morning yo
    """
)

THANKS = _set(
    """
    appreciated bye cheers goodbye ta thank thanks thx
    """
)

SMALL_TALK = _set(
    """
    a again all and are awesome bye cool day everyone for friend going good great have help helpful helps how i
    is it lot lots many much my nice ok okay perfect really so team that thats the there to today up very was
    whats will yes you your
    """
)

PRAISE = _set("awesome cool good great nice ok okay perfect")
ABILITIES = (
    "help",
    "help me",
    "what can you do",
    "what can i ask",
    "what do you do",
    "what do you know",
    "what are you",
    "who are you",
    "how can you help",
    "can you help",
    "what can you help",
    "what else can you do",
    "how do you work",
    "are you a robot",
    "are you a bot",
    "are you human",
    "are you an ai",
    "who made you",
)

# Words that begin a sentence which goes on about the thing of the one before it.
CONTINUING_WORDS = _set(
    """
    admission all also and anyone application applications apply ask at both bring but call closed contact daily doors
    during e email entry every everyone except for from he hours in it its join members new no not on open opens places
    please register see she sign students that their there these they this tickets to weekdays weekends write you
    """
)

# Pronouns: they point at what was spoken of before.
POINTING = _set(
    """
    he her him his it its one ones she that their theirs them there these they this those
    """
)

# How questions are typed in a hurry, and what that stands for.
SHORTHAND = {
    "rn": "right now",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tmw": "tomorrow",
    "tomo": "tomorrow",
    "2morrow": "tomorrow",
    "2nite": "tonight",
    "tonite": "tonight",
    "wknd": "weekend",
    "thx": "thanks",
    "im": "i am",
    "ive": "i have",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "can not",
    "wont": "will not",
    "havent": "have not",
    "theres": "there is",
    "ppl": "people",
    "bc": "because",
    "cuz": "because",
    "w/o": "without",
    "yr": "year",
    "yrs": "years",
    "hrs": "hours",
    "mins": "minutes",
    "signup": "sign up",
}

HOLIDAYS = (
    "thanksgiving",
    "christmas",
    "easter",
    "labor day",
    "memorial day",
    "independence day",
    "veterans day",
    "hanukkah",
)

# A time without classes, by whatever word it is called: a "winter break" may stand in a calendar as "winter recess".
BREAKS = ("break", "recess", "vacation", "holiday")

# Asking for something, and what is handed in for it.
APPLYING = ("apply", "application")

# The last day of something: a table may have "Deadline" over its dates where "due" is asked for.
LIMITS = ("due", "deadline")

# Names of which a word would otherwise say only how something is asked.
NAMES_OF_SMALL_WORDS = (
    "help desk",
    "help center",
    "help centre",
    "help room",
    "late fee",
    "late fees",
    "first aid",
    "out of state",
    "out of district",
    "off campus",
)

# Words of a question in which a slip of the finger is put right.
OFTEN_MISTYPED = (
    "when",
    "where",
    "what",
    "which",
    "how",
    "should",
    "until",
    "today",
    "tomorrow",
    "the",
    "does",
    "open",
    *WEEKDAYS,
)

# What is often called by a short form that begins no longer word, or several.
SHORT_FOR = {
    "ta": ("teaching assistant",),
    "tas": ("teaching assistants",),
    "ra": ("research assistant", "resident assistant"),
    "ras": ("research assistants", "resident assistants"),
    "grad": ("graduate",),
    "phd": ("doctoral", "doctorate"),
    "prof": ("professor",),
    "dept": ("department",),
}
