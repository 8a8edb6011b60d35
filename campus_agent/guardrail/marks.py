"""The marks with which chat templates, tool protocols and traces tell who speaks, whatever model they belong to."""

from __future__ import annotations

import re

_ROLE = "system|sys|user|human|assistant|developer|(?:chat)?bot|ai|role"
_CALLED = "(?:tool|function)"
# The last part of the name of a tag; parts of a name end with - _ . or :
_SPOKEN = (
    rf"{_ROLE}|(?:{_ROLE})[-_.](?:message|msg|reply|response|query|input|output|content|text)"
    rf"|{_CALLED}s?|{_CALLED}[-_.]?(?:use|code|list|inputs?|outputs?|calls?|results?|responses?|definitions?)"
    r"|turn|channel|utterance|invoke|\w{0,20}think|\w{0,20}thinking|thoughts?|reasoning|scratchpad|observations?"
    r"|response|question|answer|instructions?|prompts?|passages?|context|arg[-_]key|arg[-_]value"
)
_NUMBERED = r"(?:extra_id|reserved|special)_\d{1,4}|(?:unused|ctrl)\d{1,4}|0x[0-9a-f]{2}"
_BARE = rf"s|bos|eos|unk|pad|sop|eop|mask|(?:im|header|text)[-_](?:start|end|begin)|fim[-_]\w{{1,20}}|{_NUMBERED}"
_BARE += r"|(?:[a-z]{1,20}:)?(?:bos|eos|unk|pad|sep|cls|mask)(?:_token)?"
_BRACKETED = (
    r"INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|gMASK|unused\d{1,4}"
)
# The signs of a mark, also as a web page or an address writes them.
_LT = r"(?:[<‹＜]|&lt;|&#0{0,4}60;|&#x0{0,4}3c;|%3c)"
_GT = r"(?:[>›＞]|&gt;|&#0{0,4}62;|&#x0{0,4}3e;|%3e)"
_BAR = r"(?:[|｜]|&vert;|&#0{0,4}124;|%7c)"
MARKUP = re.compile(
    # <|...|>, and what begins or ends so: <|turn>, <turn|>, <|im_start
    rf"{_LT}[ \t\\!]?{_BAR}[^<>\n]{{0,60}}?{_BAR}[ \t]?{_GT}"
    rf"|{_LT}[\\!]?{_BAR}(?:[^<>|\n]{{0,60}}?{_GT}|[\w/.▁-]{{0,40}})|{_LT}/?[\w.▁-]{{1,40}}{_BAR}{_GT}"
    # <tool_call>, </longcat_user>, <end_of_utterance>, <function_results id="1">
    rf"|{_LT}/?_?(?:[a-z0-9]{{1,20}}[-_.:]){{0,3}}(?:{_SPOKEN})(?:[-_](?:start|end|begin|\d{{1,4}}))?"
    rf"(?=[\s/]|{_GT})[^<>\n]{{0,80}}?{_GT}"
    rf"|{_LT}/?(?:{_BARE})(?=[\s/]|{_GT})[^<>\n]{{0,80}}?{_GT}|{_LT}/?(?:start|end|begin)[-_]of[-_]\w{{1,30}}{_GT}"
    r"|<(?:function|parameter)(?:=|[ \t]name=)[^<>\n]{0,80}>?|</parameter>|<</?SYS>>"
    rf"|\[/?(?:[A-Z]{{1,20}}_){{0,2}}(?:{_BRACKETED})\]|\[\|[a-z]{{1,20}}\|\]|\[e~\[|\]~!?b[\[\]]"
    r"|```[ \t]?tool_(?:code|calls?|outputs?)",
    re.IGNORECASE,
)
_BEGINS = r"(?:(?<=[.!?>:\]›] )(?:#{1,6}[ \t]{1,3})?|(?<=[.!?>\]])|^[ \t]*(?:[-*#>]+[ \t]*)?)[*_]{0,2}"
# In the middle of a line only what replies, and never somebody who works there.
_AMONG = "".join(
    rf"(?<!\b{who} )"
    for who in ("teaching", "resident", "lab", "research", "graduate", "student", "office", "library", "shop", "the")
)
_TRACED = r"\bstep[ \t]\d{1,3}[ \t][·•][ \t]?(?:thought|acting|act|observed?|draft|checked|answer)[ \t]{0,4}"
# Who a line may be said by, as in a script. A label says the same and gives a name, a place or what to see; what is
# said by somebody begins as a reply or an order does, or is a statement.
_SPEAKER = r"[\[(]?(?:System|Assistant|User|Developer)(?:[ \t_-](?:override|prompt|turn|reply|response))?[\])]?"
_REPLIES = (
    r"(?:you|ignore|disregard|forget|call|say|tell|answer|reply|respond|from now|do not|don't|never|always|repeat"
    r"|output|the user|obey|follow|act|pretend|sure|ok|okay|of course|certainly|yes|no|i|hi|hello|hey)\b"
)
_NAMED = r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx)\b|(?-i:(?!The |This |Our |Your |In |On |At )[A-Z][\w'’-]+ (?:[A-Z]\. )?[A-Z]))"
_WITHIN = r"(?:(?!\b(?:who|that|which|where|when|if)\b)[^.!?\n;|()]){1,80}?[ \t]"
_SAID = (
    rf"[*_\"“ \t]{{0,4}}+(?:{_REPLIES}|{_WITHIN}(?:opens|closes|meets|starts|begins|ends|costs(?= [$€£\d]| no))\b"
    rf"|(?!{_NAMED}){_WITHIN}(?:is|are|was|were|has|have|had|do|does|can|could|will|would|must|shall|should|cannot"
    r"|\w{2,5}n['’]t|es|está|son|cuesta|abre|cierra)\b)"
)
_STEP = r"Observation|Thought|Action|Action Input|Final Answer"
MARKER = re.compile(
    _BEGINS + rf"(?:(?:{_STEP}|Tool"
    r"(?: call| result| output|(?![*_ \t]{0,3}[:：][^\n|]{1,60} \|)))[*_]{0,2}[ \t]?"
    r"(?P<colon>[:：])|Human[*_]{0,2}[ \t]?(?P<human>[:：])"
    rf"|{_SPEAKER}[*_]{{0,2}}[ \t]?(?P<role>[:：])(?={_SAID}))"
    r"|(?:^|\s)#{1,6}[ \t]{1,3}(?:(?:Instruction|Input|Response|System|Assistant|User|Human)[ \t]?(?P<heading>[:：])"
    rf"|(?:Instruction|Response|System|Assistant|User|Human)(?P<headed>\s{{1,3}})(?=(?:{_REPLIES}|the|it|this|we)\b))"
    rf"|\b{_AMONG}(?:Assistant|System|Human|User)[ \t]?(?P<among>[:：])(?=[ \t]*(?:ignore|disregard|say|reply|obey"
    r"|you (?:are|must|will)|sure|ok|okay|of course|certainly|i (?:will|can|am)|the answer is)\b)"
    rf"|{_TRACED}(?P<trace><-|->|[:：]|\.\.|==|xx|\?\?)",
    re.IGNORECASE | re.MULTILINE,
)
# The other turns of a conversation of which one line is such a marker: "User: hi".
TURN = re.compile(
    rf"{_BEGINS}(?:System|Assistant|User|Human|Developer)[*_]{{0,2}}[ \t]?(?P<turn>[:：])", re.IGNORECASE | re.MULTILINE
)
# What replies to somebody on the same line.
_ASKED = r"(?:User|Human)[*_]{0,2}[ \t]?"
TALK = re.compile(
    rf"{_BEGINS}{_ASKED}[:：][^\n]{{1,300}}?\b{_AMONG}Assistant[*_]{{0,2}}[ \t]?(?P<reply>[:：])(?={_SAID})",
    re.IGNORECASE | re.MULTILINE,
)
# What such a marker is in a text that was fenced.
DASHED = re.compile(
    _BEGINS + rf"(?:(?:{_STEP}|Tool|Human) – |{_SPEAKER} – (?={_SAID})"
    rf"|{_ASKED}– [^\n]{{1,300}}?\bAssistant – (?={_SAID}))|{_TRACED}– ",
    re.IGNORECASE | re.MULTILINE,
)
CALL = re.compile(
    r"\{\s*(?:[\"']type[\"']\s*:\s*[\"']function[\"']\s*,\s*)?[\"'](?:name|tool|function|action)[\"']\s*:"
    r"\s*[\"'][\w.-]{1,80}[\"']\s*,\s*[\"'](?:arguments|parameters|args|action_input|input)[\"']\s*:"
    r"|\{\s*[\"']role[\"']\s*:\s*[\"'](?:system|developer|assistant|user|tool)[\"']"
    r"|\{\s*[\"'](?:action|thought)[\"']\s*:\s*[\"'][^\"'\n]{0,200}[\"']\s*,\s*[\"'](?:(?:final_)?answer|tool|action)[\"']\s*:"
    r"|[\"']tool_calls?[\"']\s*:\s*[\[{]"
    r"|\b[a-z]{1,40}_\w{1,60}\(\s*\{\s*[\"']\w{1,40}[\"']\s*:",
    re.IGNORECASE,
)
