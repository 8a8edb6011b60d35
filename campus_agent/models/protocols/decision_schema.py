"""The JSON schema of one decision: call this tool with these arguments, or answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campus_agent.models.chat_model import ToolSchema

# What every server can turn into a grammar; the gatekeeper checks the rest of a tool's schema all the same.
_KEPT = ("type", "enum", "description")


def decision_schema(tools: Sequence[ToolSchema]) -> dict[str, Any]:
    """Return the schema of a reply: a `thought`, and a `decision`, a call of one of `tools` or an answer.

    The thought comes first, because small models decide better once they have said what they do not know. The schema
    keeps to what both OpenAI's strict mode and llama.cpp's grammars take: an object at the top, no open objects, every
    property required, an optional one nullable. Without tools only an answer is left.
    """
    answer = _object({"answer": {"type": "string"}})
    calls = [
        _object({"tool": {"type": "string", "enum": [tool.name]}, "arguments": _strict(tool.parameters, {})})
        for tool in tools
    ]
    return _object({"thought": {"type": "string"}, "decision": {"anyOf": [*calls, answer]} if calls else answer})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _strict(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Rewrite a tool's schema with references filled in, `const` and `oneOf` in their common forms, the rest left out.

    A reference that leads back to itself becomes any object.
    """
    definitions = schema.get("$defs", definitions)
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            others = {key: value for key, value in definitions.items() if key != name}
            return _strict(definitions[name], others) if name in definitions else {"type": "object"}
        case {"anyOf": [*choices]} | {"oneOf": [*choices]}:
            return {"anyOf": [_strict(choice, definitions) for choice in choices]}
        case {"const": value}:
            return {"enum": [value]}
        case {"properties": dict(properties)}:
            required = schema.get("required", ())
            fields = {name: _strict(field, definitions) for name, field in properties.items()}
            return _object({name: field if name in required else _nullable(field) for name, field in fields.items()})
        case {"items": dict(items)}:
            return {"type": "array", "items": _strict(items, definitions)}
    return {key: schema[key] for key in _KEPT if key in schema}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}
