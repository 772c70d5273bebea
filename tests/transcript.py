"""Transcripts of a shell: commands behind "$ ", and what each of them prints, standard output before standard error.

A line "..." stands for any lines, "..." within a line for any text. Durations and rates differ from run to run: they are
compared as "<time>" and "<rate>".
"""
import re

VOLATILE = [
    (re.compile(r"\b[0-9.]+ ?[kMG]? ?work-items/s"), "<rate>"),
    (re.compile(r"\b[0-9.]+ ?(ns|us|ms|s)\b"), "<time>"),
]


def normalise(text: str) -> list[str]:
    for pattern, name in VOLATILE:
        text = pattern.sub(name, text)
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def line_matches(expected: str, found: str) -> bool:
    return expected == found or ("..." in expected and bool(re.fullmatch(".*".join(map(re.escape, expected.split("..."))), found)))


def matches(expected: list[str], found: list[str]) -> bool:
    if "..." not in expected:
        return len(expected) == len(found) and all(map(line_matches, expected, found))
    cut = expected.index("...")
    head, tail = expected[:cut], expected[cut + 1:]
    if len(found) < cut or not all(map(line_matches, head, found)):
        return False
    rest = found[cut:]
    return any(matches(tail, rest[i:]) for i in range(len(rest) + 1)) if tail else True
