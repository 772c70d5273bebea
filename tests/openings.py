#!/usr/bin/env python3
"""Riddling openings: sentences of comments and pages that name their subject late or never. openings.py ROOT [PATH...] [--list] [--check]

Counts sentences that begin with a word of RIDDLE, by file. Each PATH is a file or folder below ROOT; without one, all
sources and pages count. --list prints every place. --check counts the paths of CLEAN and fails when it finds one.

Sources: a sentence begins at the start of a comment, of a paragraph or list item in it, and after a full stop. Code samples in
comments do not count. Pages: list items and table cells begin a sentence, too; headings, the head of a table, code blocks
and code spans do not count. A question is no riddle.
"""
import pathlib
import re
import sys

import cpp_source

# Paths that have no riddling opening. Extend this once another path has none.
CLEAN = (
    "analysis/", "base/", "bench/", "c_api/", "cli/", "compiler/", "decoder/", "docs/", "extinst/", "findings/",
    "include/", "races/", "launch/", "memory/", "opencl/", "runtime/", "scheduler/", "suite/", "ulp/", "validator/",
    "vm/", "README.md", "CONTRIBUTING.md",
)
NOT_COUNTED = {"CHANGELOG.md"}
SOURCES = {*cpp_source.SUFFIXES, ".def"}

RIDDLE = re.compile(r"(what|whether|of|those|who|whose|the same|that which|as what)\b(?!-)", re.IGNORECASE)
BEFORE_WORDS = "*_\"'([ "
NEXT_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]*]*\s+(?=[\"'(\[*`]*[A-Z`])")
LIST_ITEM = re.compile(r"\s*([-*+]|\d+\.)\s+")
CODE_INDENT = 3  # blanks behind the slashes of a comment

# Texts of a page or a comment, and how many riddling openings each has: --check looks at the counting itself.
PAGE_EXAMPLES = (
    ("What runs is told.", 1), ("Fine. Of those, two. Whether or not.", 2), ("What is it? The device.", 0),
    ("# What is new\n\nText.", 0), ("- the same of images\n- a list\n1. Who waits", 2), ("`What` is a word.", 0),
    ("```\nWhat\n```\nText.\n\n    Of code\n", 0), ("| What | b |\n|---|---|\n| of it | *Whose* |", 2), ("Text on\nWhat it is.", 0),
)
COMMENT_EXAMPLES = (
    ("// What\n", 1), ("int a;  ///< of a vector\n", 1), ("/// Bytes\n/// of a line. Those count.\n", 1), ("// Off-by-one.\n", 0),
    ("//   Of code\n", 0), ("/* As what it is. */", 1), ("int a;  ///< bytes\n        ///< of it\n", 0), ('f("// Of");', 0),
    ("int a;  ///< bytes\n/// Of it.\n", 1),
)


def is_riddle(sentence: str) -> bool:
    return RIDDLE.match(sentence.lstrip(BEFORE_WORDS)) is not None and not sentence.rstrip("*_\"') ").endswith("?")


def sentences(lines: list[tuple[int, str]]):
    """Line number and text of each sentence of a paragraph, given as its numbered lines."""
    text, starts = "", []
    for number, line in lines:
        starts.append((len(text), number))
        text += line.strip() + " "
    at = 0
    for sentence in NEXT_SENTENCE.split(text):
        at = text.index(sentence, at)
        yield next(number for start, number in reversed(starts) if start <= at), sentence.strip()
        at += len(sentence)


def comment_lines(text: str) -> list[tuple[int, int, str]]:
    """Line, column and text of each line of each comment; the column is -1 where a comment begins behind code."""
    lines, found = text.split("\n"), []
    for token in cpp_source.comments(text):
        first, *more = token.text.split("\n")
        line = lines[token.line - 1]
        column = line.rindex(first) if first in line else 0
        found.append((token.line, -column - 1 if line[:column].strip() else column, first))
        found += [(token.line + i, column, part) for i, part in enumerate(more, 1)]
    return found


def comment_paragraphs(text: str):
    """The paragraphs and list items of all comments. Lines of a comment behind code go on in its column."""
    paragraph: list[tuple[int, str]] = []
    before, column, is_code = 0, 0, False
    for number, at, line in comment_lines(text):
        words = re.sub(r"\*/$", "", re.sub(r"^\s*(///?<?|/?\*+(?!/))", "", line))
        is_new = number != before + 1 or at < 0 or at != column
        indent = len(words) - len(words.lstrip())
        is_code = indent >= CODE_INDENT and (is_code or is_new or not paragraph)
        if paragraph and (is_new or is_code or not words.strip() or LIST_ITEM.match(words)):
            yield paragraph
            paragraph = []
        if words.strip() and not is_code:
            paragraph.append((number, LIST_ITEM.sub("", words, count=1)))
        before, column = number, -at - 1 if at < 0 else at
    if paragraph:
        yield paragraph


def without_code_blocks(text: str):
    """The numbered lines of a page outside of code blocks and HTML comments; a block leaves a blank line."""
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    fence, base, blank, in_code = "", 0, True, False
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence or mark:
            fence = "" if fence and line.strip() == fence else fence or mark[1]
            yield number, ""
            continue
        indent = len(line) - len(line.lstrip())
        item = LIST_ITEM.match(line)
        if line.strip():
            if blank and indent < base and not item:
                base = 0
            in_code = indent >= base + 4 and (blank or in_code)
            if item and not in_code:
                base = item.end()
        blank = not line.strip()
        yield number, "" if in_code else line


def page_paragraphs(text: str):
    """The paragraphs, list items and table cells of a page, without code and headings."""
    lines = list(without_code_blocks(text))
    paragraph: list[tuple[int, str]] = []
    for i, (number, line) in enumerate(lines):
        line = re.sub(r"^\s*>+\s?", "", re.sub(r"(`+).+?\1", "`code`", line))
        is_row, is_item = line.lstrip().startswith("|"), LIST_ITEM.match(line)
        if paragraph and (is_row or is_item or not line.strip() or line.startswith("#")):
            yield paragraph
            paragraph = []
        if is_row:
            is_head = i + 1 < len(lines) and re.fullmatch(r"\s*\|[\s|:-]+", lines[i + 1][1])
            yield from ([(number, cell)] for cell in line.strip().strip("|").split("|") if cell.strip() and not is_head)
        elif line.strip() and not line.startswith("#"):
            paragraph.append((number, LIST_ITEM.sub("", line, count=1)))
    if paragraph:
        yield paragraph


def riddles(is_page: bool, text: str) -> tuple[int, list[tuple[int, str]]]:
    """How many sentences a file documents with, and the riddling ones with their lines."""
    paragraphs = page_paragraphs(text) if is_page else comment_paragraphs(text)
    every = [sentence for paragraph in paragraphs for sentence in sentences(paragraph)]
    return len(every), [(number, sentence) for number, sentence in every if is_riddle(sentence)]


def broken_examples() -> list[str]:
    examples = [(True, *example) for example in PAGE_EXAMPLES] + [(False, *example) for example in COMMENT_EXAMPLES]
    return [f"tests/openings.py: {len(riddles(is_page, text)[1])} openings, expected {expected}: {text!r}"
            for is_page, text, expected in examples if len(riddles(is_page, text)[1]) != expected]


def counted_files(root: pathlib.Path, wanted: list[str]) -> list[pathlib.Path]:
    pages = [*root.glob("*.md"), *sorted((root / "docs").glob("*.md"))]
    folders = [f for f in sorted(root.iterdir()) if f.is_dir() and not f.name.startswith(".") and f.name != "build"]
    sources = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in SOURCES and path.is_file()]
    places = [root / name for name in wanted] or [root]
    return [path for path in [*pages, *sources] if path.name not in NOT_COUNTED
            and any(path == place or path.is_relative_to(place) for place in places)]


def main() -> int:
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not names or options - {"--list", "--check"}:
        sys.exit(__doc__)
    root = pathlib.Path(names[0]).resolve()
    is_check = "--check" in options
    broken = broken_examples() if is_check else []
    files = counted_files(root, names[1:] or (list(CLEAN) if is_check else []))
    total, openings = 0, 0
    for path in files:
        count, found = riddles(path.suffix == ".md", path.read_text(encoding="utf-8"))
        total, openings = total + count, openings + len(found)
        name = path.relative_to(root)
        if is_check or "--list" in options:
            for number, sentence in found:
                print(f"{name}:{number}: {sentence}")
        elif found:
            print(f"{len(found):5} of {count:5}  {name}")
    print("\n".join(broken + [f"{len(files)} files, {openings} of {total} sentences have a riddling opening"]))
    return 1 if not files or is_check and (openings or broken) else 0


if __name__ == "__main__":
    sys.exit(main())
