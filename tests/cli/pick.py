#!/usr/bin/env python3
"""Prints members of a JSON document on standard input, in one line. pick PATH...

A path is `launches[0].end`, or `findings[].rule` for those of all elements. Strings are printed as they are, what is not there as
"-". A document of the command line must agree with docs/output.schema.json, where the package jsonschema is installed.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "output.schema.json"


def member(value, steps):
    if not steps:
        return value
    if steps[0] == "[]":
        return [member(each, steps[1:]) for each in value]
    try:
        return member(value[int(steps[0][1:-1])] if steps[0][0] == "[" else value[steps[0]], steps[1:])
    except (KeyError, IndexError):
        return "-"


document = json.load(sys.stdin)
if jsonschema and "exit_code" in document:
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
found = [member(document, re.findall(r"\[\d*\]|[^.\[\]]+", path)) for path in sys.argv[1:]]
print(*(each if isinstance(each, str) else json.dumps(each, separators=(",", ":")) for each in found))
