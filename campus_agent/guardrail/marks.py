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
_BRACKETED = "INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|gMASK"
MARKUP = re.compile(
    # <|...|>, and what begins or ends so: <|turn>, <turn|>, <|im_start
    r"[<‹＜][ \t\\!]?[|｜][^<>\n]{0,60}?[|｜][ \t]?[>›＞]"
    r"|[<‹＜][\\!]?[|｜](?:[^<>|\n]{0,60}[>›＞]|[\w/.▁-]{0,40})|[<‹＜]/?[\w.▁-]{1,40}[|｜][>›＞]"
    # <tool_call>, </longcat_user>, <end_of_utterance>, <function_results id="1">
    rf"|</?_?(?:[a-z0-9]{{1,20}}[-_.:]){{0,3}}(?:{_SPOKEN})(?:[-_](?:start|end|begin|\d{{1,4}}))?(?=[\s/>])[^<>\n]{{0,80}}>"
    rf"|</?(?:{_BARE})(?=[\s/>])[^<>\n]{{0,80}}>|</?(?:start|end|begin)[-_]of[-_]\w{{1,30}}>"
    r"|<(?:function|parameter)(?:=|[ \t]name=)[^<>\n]{0,80}>?|</parameter>|<</?SYS>>"
    rf"|\[/?(?:[A-Z]{{1,20}}_){{0,2}}(?:{_BRACKETED})\]|\[\|[a-z]{{1,20}}\|\]|\[e~\[|\]~!?b[\[\]]"
    r"|```[ \t]?tool_(?:code|calls?|outputs?)",
    re.IGNORECASE,
)
_BEGINS = r"(?:(?<=[.!?>:\]] )(?:#{1,6}[ \t]{1,3})?|(?<=[.!?>\]])|^[ \t]*(?:[-*#>]+[ \t]*)?)[*_]{0,2}"
# In the middle of a line only what replies, and never somebody who works there.
_AMONG = "".join(
    rf"(?<!\b{who} )"
    for who in ("teaching", "resident", "lab", "research", "graduate", "student", "office", "library", "shop", "the")
)
_TRACED = r"\bstep[ \t]\d{1,3}[ \t][·•][ \t]?(?:thought|acting|act|observed?|draft|checked|answer)[ \t]{0,4}"
MARKER = re.compile(
    _BEGINS + r"(?:(?:Observation|Thought|Action|Action Input|Final Answer|Tool"
    r"(?: call| result| output|(?![*_ \t]{0,3}[:：][^\n|]{1,60} \|)))[*_]{0,2}[ \t]?"
    r"(?P<colon>[:：])|Human[*_]{0,2}[ \t]?(?P<human>[:：])"
    r"|(?:System|Assistant|User|Developer)[*_]{0,2}[ \t]?(?P<role>[:：])(?=[ \t]*(?:you|ignore"
    r"|disregard|forget|call|say|tell|answer|reply|respond|from now|do not|don't|never|always|repeat|output|the user"
    r"|obey|follow|act|pretend|sure|ok|okay|of course|certainly|yes|no|i)\b))"
    r"|(?:^|\s)#{1,6}[ \t]{1,3}(?:Instruction|Input|Response|System|Assistant|User|Human)[ \t]?(?P<heading>[:：])"
    rf"|\b{_AMONG}(?:Assistant|System|Human|User)[ \t]?(?P<among>[:：])(?=[ \t]*(?:ignore|disregard|say|reply|obey"
    r"|you (?:are|must|will)|sure|ok|okay|of course|certainly|i (?:will|can|am)|the answer is)\b)"
    rf"|{_TRACED}(?P<trace><-|->|[:：]|\.\.|==|xx|\?\?)",
    re.IGNORECASE | re.MULTILINE,
)
# What such a marker is in a text that was fenced.
DASHED = re.compile(
    _BEGINS + r"(?:Observation|Thought|Action|Action Input|Final Answer|Tool|System|Assistant|User|Human) – "
    rf"|{_TRACED}– ",
    re.IGNORECASE | re.MULTILINE,
)
CALL = re.compile(
    r"\{\s*(?:[\"']type[\"']\s*:\s*[\"']function[\"']\s*,\s*)?[\"'](?:name|tool|function|action)[\"']\s*:"
    r"\s*[\"'][\w.-]{1,80}[\"']\s*,\s*[\"'](?:arguments|parameters|args|action_input|input)[\"']\s*:"
    r"|\{\s*[\"']role[\"']\s*:\s*[\"'](?:system|developer|assistant|user|tool)[\"']"
    r"|[\"']tool_calls?[\"']\s*:\s*[\[{]"
    r"|\b[a-z]{1,40}_\w{1,60}\(\s*\{\s*[\"']\w{1,40}[\"']\s*:",
    re.IGNORECASE,
)
