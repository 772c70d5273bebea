#!/usr/bin/env python3
"""Checks statements of the documentation about the sources. claims_test.py ROOT PROGRAMS

Paths, names, rules, options, presets, tests and numbers that README.md, CONTRIBUTING.md and docs/ mention exist; and so do the files
and rules that comments name. PROGRAMS is the folder of the golden programs that the build writes whole.
"""
import pathlib
import re
import sys

import cpp_source

ROOT, PROGRAMS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
CODE = re.compile(r"```.*?```|`([^`\n]+)`", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
RULE = re.compile(r"\b(?:TSP-)?([A-Z]\d{4})\b|\b(TSP-[A-Z]+-[\w.]+)\b")
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "build"}
# Paths of other projects, by the document that names them.
FOREIGN = {("docs/oclgrind-kernels.md", "tests/kernels")}
# Claims that are numbers: what is written, and what the source must have.
NUMBERS = [
    ("docs/architecture.md", "32-byte instructions", "vm/program/instruction.h", r"static_assert\(sizeof\(Inst\) == 32\)"),
    ("docs/architecture.md", "up to 1,024 scalars", "vm/build/*.h", r"kMaxApart = 1024;"),
    ("docs/architecture.md", "128 on AVX-512, 64 everywhere else", "vm/simd/isa.h", r"kLanes = kIsaBits == 512 \? 128 : 64;"),
    ("docs/architecture.md", "Tags are 14 bits", "memory/address_space.h", r"kTagShift = 50;"),
    ("docs/architecture.md", "a multiple of 16,381", "memory/address_space.h", r"kTags = 16381;"),
    ("docs/architecture.md", "every 1,024 instructions", "vm/emit/*.cpp", r"kPollPeriod = 1024;"),
    ("docs/architecture.md", "every 128 KiB", "vm/exec/long_work.h", r"kPieceBytes = std::uint64_t\{128\} << 10;"),
    ("docs/architecture.md", "looks every millisecond", "scheduler/launch.cpp", r"milliseconds kProgressPeriod\{1\};"),
    ("docs/architecture.md", "8, 16, 32 or 64 work-items", "include/transpire/launch_rules.hpp",
     r"kSubgroupSizes\{8, 16, 32, 64\};"),
    ("CONTRIBUTING.md", "at 100 columns", ".clang-format", r"ColumnLimit: 100"),
    ("CONTRIBUTING.md", "No file of production code past 600 lines", "tests/style_test.py",
     r"MAX_FILE, MAX_FUNCTION, MIN_CLONE = 600, 60, 6"),
]


def documents() -> dict[str, str]:
    paths = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def everything() -> dict[str, str]:
    """All sources, scripts and build files: what documentation talks of."""
    found = {}
    for folder in sorted(FOLDERS - {"docs"}):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".cpp", ".h", ".hpp", ".c", ".def", ".py", ".txt", ".cmake", ".in", ".tsv"} or folder == "scripts":
                if path.is_file() and "programs" not in path.parts[:-1]:
                    found[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8", errors="replace")
    found["CMakeLists.txt"] = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found["CMakePresets.json"] = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
    return found


def spans(text: str):
    """What stands in backticks within a line, and the line's number."""
    for match in CODE.finditer(text):
        if match[1]:
            yield match[1], text.count("\n", 0, match.start()) + 1


def exists(word: str) -> bool:
    """Whether there are such files; golden programs are looked for where the build writes them whole."""
    if word.startswith("tests/programs/"):
        return any(True for _ in PROGRAMS.glob(word.removeprefix("tests/programs/").rstrip("/") or "*"))
    return any(True for _ in ROOT.glob(word.rstrip("/"))) if word.strip("/") else True


def missing_paths(path: str, text: str) -> list[tuple[int, str]]:
    wrong = []
    for span, line in spans(text):
        for word in span.split():
            word = re.sub(r"^\./", "", word).rstrip(",;")
            if word.split("/")[0] in FOLDERS and "/" in word and re.fullmatch(r"[\w./*+-]+", word) \
                    and (path, word) not in FOREIGN and not exists(word):
                wrong.append((line, f"there is no {word}"))
    return wrong


def missing_links(path: str, text: str) -> list[tuple[int, str]]:
    return [(text.count("\n", 0, match.start()) + 1, f"the link leads nowhere: {match[1]}")
            for match in LINK.finditer(text)
            if "://" not in match[1] and not (ROOT / path).parent.joinpath(match[1]).exists()]


def missing_rules(text: str, rules: set[str]) -> list[tuple[int, str]]:
    wrong = []
    for match in RULE.finditer(text):
        name = f"TSP-{match[1]}" if match[1] else match[2].rstrip(".")
        if name not in rules and not any(rule.startswith(name + "-") for rule in rules):
            wrong.append((text.count("\n", 0, match.start()) + 1, f"there is no rule {name}"))
    return wrong


def known_rules(sources: dict[str, str]) -> set[str]:
    rules = {f"TSP-{name}" for path, text in sources.items() if path.startswith("base/rules/")
             for name in re.findall(r"TRANSPIRE_(?:RULE|RUN_RULE)\((?:\w+, )?\"?(?:TSP-)?([A-Z]\d{4})", text)}
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    return rules | set(re.findall(r"^#+ `?(TSP-[\w.-]+\d[a-z]?)", page, re.MULTILINE)) | {
        name for path, text in sources.items() if path.startswith("validator/")
        for name in re.findall(r"\"(TSP-[\w.-]+\d[a-z]?)\"", text)}


def known_options(sources: dict[str, str]) -> set[str]:
    return {name for text in sources.values() for match in re.finditer(r'--([a-z][\w-]+)|"([a-z][\w-]+)"', text)
            for name in match.groups() if name}


def missing_options(text: str, known: set[str]) -> list[tuple[int, str]]:
    """Options that no program, script or build file of the repository has; CMake's own are its business."""
    wrong = []
    for span, line in spans(text):
        if span.startswith("cmake "):
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]+", span):
            if option != "--component" and option[2:] not in known:
                wrong.append((line, f"nothing has the option {option}"))
    return wrong


def missing_builds(text: str, sources: dict[str, str]) -> list[tuple[int, str]]:
    """Presets, options of CMake, CTests, and programs in the build tree."""
    wrong = []
    presets = set(re.findall(r'"name": "([^"]+)"', sources["CMakePresets.json"])) - {"base"}
    cmake = "\n".join(t for p, t in sources.items() if p.endswith(("CMakeLists.txt", ".cmake")))
    tests = [re.sub(r"\\?\$\\?\{\w+\\?\}", r"\\w+", name) for name in re.findall(r"(?:add_test\(NAME |transpire_python_test\()(\w[\w.${}]*)", cmake)]

    def look(pattern: str, known, what: str):
        for match in re.finditer(pattern, text):
            if match[1] not in known:
                wrong.append((text.count("\n", 0, match.start()) + 1, f"there is no {what} {match[1]}"))

    look(r"--preset ([a-z][\w+]*)", presets, "preset")
    look(r"scripts/test ([a-z][\w+]*)`", presets, "preset")
    for match in re.finditer(r"\bctest\b[^\n`]* -R (\w+)|\bCTests? `(\w+)`", text):
        if not any(re.match(test if match[1] else rf"{test}$", match[1] or match[2]) for test in tests):
            wrong.append((text.count("\n", 0, match.start()) + 1, f"there is no CTest {match[1] or match[2]}"))
    for name in re.findall(r"-D(TRANSPIRE_\w+)=", text):
        if not re.search(rf"\b(option|set)\({name}\b|\bif\((NOT )?{name}\b", cmake):
            wrong.append((text[:text.index(f"-D{name}")].count("\n") + 1, f"there is no CMake option {name}"))
    for match in re.finditer(r"(?<![\w/])build/(\w[\w+]*)/([\w/.-]*\w)", text):
        line = text.count("\n", 0, match.start()) + 1
        folder, _, name = match[2].rpartition("/")
        if match[1] not in presets | {"fuzz", "tidy"}:
            wrong.append((line, f"there is no preset {match[1]}"))
        while folder and f"{folder}/CMakeLists.txt" not in sources:
            folder, _, name = folder.rpartition("/")
        if name not in sources.get(f"{folder}/CMakeLists.txt" if folder else "CMakeLists.txt", "") \
                and name not in cmake:
            wrong.append((line, f"the build has no {match[2]}"))
    return wrong


def type_bodies(sources: dict[str, str]) -> dict[str, str]:
    """By name, what stands in the braces of all types of that name, and of those that they inherit from."""
    bodies: dict[str, str] = {}
    bases: dict[str, str] = {}
    for path, text in sources.items():
        if path.endswith((".h", ".hpp")) and not path.startswith("tests/"):
            for match in re.finditer(r"\b(?:struct|class|enum class)(?: alignas\(\d+\)| TRANSPIRE_API)? (\w+)([^;{()]*)\{", text):
                depth, at = 1, match.end()
                while depth and at < len(text):
                    depth += {"{": 1, "}": -1}.get(text[at], 0)
                    at += 1
                body = text[match.end():at]
                rows = "".join(sources.get(folder + named, "") for folder in ("", "include/")
                               for named in re.findall(r'#include "([^"]+\.def)"', body))
                bodies[match[1]] = bodies.get(match[1], "") + body + rows
                bases[match[1]] = bases.get(match[1], "") + match[2]
    return {name: body + "".join(bodies.get(base, "") for base in re.findall(r"\w+", bases[name]))
            for name, body in bodies.items()}


def missing_names(text: str, sources: dict[str, str], words: set[str]) -> list[tuple[int, str]]:
    """Names of C++: a member is its type's, other names occur somewhere."""
    bodies, wrong = type_bodies(sources), []
    for span, line in spans(text):
        name = re.sub(r"\(.*\)$", "", span)
        if re.fullmatch(r"\w+(::\w+)+", name):
            outer, inner = name.split("::")[-2:]
            if not re.search(rf"\b{inner}\b", bodies[outer]) if outer in bodies else inner not in words:
                wrong.append((line, f"there is no {name}"))
        elif re.fullmatch(r"[A-Z]\w*[a-z]\w*|[a-z]+(_[a-z]+)+", name) and name not in words:
            wrong.append((line, f"nothing is called {name}"))
    return wrong


def wrong_stop_reasons(text: str) -> list[str]:
    engine = (ROOT / "vm/exec/engine.h").read_text(encoding="utf-8")
    names = re.search(r"enum class Stop : [\w:]+ \{([^}]*)\}", engine)[1].split(",")
    found = [re.sub(r"(?<!^)([A-Z])", r" \1", name.strip()[1:]).lower() for name in names]
    written = re.search(r"stop reason \(([^)]*)\)", text)
    if written is None or [" ".join(reason.split()) for reason in written[1].split(",")] != found:
        return [f"docs/architecture.md:1: the stop reasons are: {', '.join(found)}"]
    return []


def wrong_steps(text: str) -> list[str]:
    """The table of steps: each header declares what the step makes."""
    wrong = []
    rows = re.findall(r"^\| \w+ \| `([^`]+\.h)` \| an? `(?:\w+::)*(\w+)`", text, re.MULTILINE)
    for header, made in rows:
        path = ROOT / header
        if not path.exists() or not re.search(rf"\b{made}\b", path.read_text(encoding="utf-8")):
            wrong.append(f"docs/architecture.md:1: {header} has no {made}")
    return wrong if len(rows) >= 3 else [*wrong, "docs/architecture.md:1: the table of steps is not what it was"]


def wrong_comments(sources: dict[str, str], rules: set[str]) -> list[str]:
    """Files and rules that comments in the sources name."""
    wrong = []
    named = re.compile(rf"(?<![\w/.-])((?:{'|'.join(sorted(FOLDERS))})/[\w/*.-]*\w\.(?:h|hpp|cpp|def|py|md|tsv))\b")
    for path, text in sources.items():
        if not path.endswith(tuple(cpp_source.SUFFIXES)):
            continue
        for token in cpp_source.comments(text):
            wrong += [f"{path}:{token.line}: there is no {word}" for word in named.findall(token.text) if not exists(word)]
            wrong += [f"{path}:{token.line}: {what}" for _, what in missing_rules(token.text, rules)]
    return wrong


def missing_folders(text: str) -> list[str]:
    """The sections of docs/architecture.md name every folder of production code in their headings."""
    headings = "".join(re.findall(r"^###? .*", text, re.MULTILINE))
    return [f"docs/architecture.md:1: no heading names {folder}/"
            for folder in sorted(FOLDERS - {"tests", "docs", "scripts", "examples", "cmake"})
            if f"`{folder}/" not in headings and not folder.startswith(".")]


def wrong_numbers(texts: dict[str, str]) -> list[str]:
    wrong = []
    for document, claim, source, pattern in NUMBERS:
        if claim not in " ".join(texts[document].split()):
            wrong.append(f"{document}:1: does not say '{claim}' any more")
        if not any(re.search(pattern, path.read_text(encoding="utf-8")) for path in ROOT.glob(source)):
            wrong.append(f"{document}:1: '{claim}' is not so in {source}")
    return wrong


def wrong_instructions(text: str, sources: dict[str, str]) -> list[str]:
    """CONTRIBUTING's example is in the sources, and an instruction's four rows stand where it says."""
    wrong = []
    for row in re.findall(r"^ {7}(TRANSPIRE_\w+\(.*\))$", text, re.MULTILINE):
        if not any(row in source for path, source in sources.items() if path.endswith(".def")):
            wrong.append(f"CONTRIBUTING.md:1: no .def file has {row}")
    for kind in ("arithmetic", "bit"):
        names = re.findall(r"TRANSPIRE_OP\((\w+),", sources[f"vm/ops/{kind}.def"])
        for name in names:
            files = {path for path, source in sources.items() if path.split("/")[0] not in ("tests", "bench")
                     and not path.startswith("vm/passes/") and f"Op{name}" in source and re.search(rf"\bOp{name}\b", source)}
            four = {f"vm/ops/{kind}.def", f"vm/ops/{kind}.h", "vm/build/table.cpp", "validator/signatures.def"}
            if files and not re.search(rf"\bstruct {name}\b", sources[f"vm/ops/{kind}.h"]):
                wrong.append(f"CONTRIBUTING.md:1: vm/ops/{kind}.h has no {name}")
            if (files | {f"vm/ops/{kind}.def", f"vm/ops/{kind}.h"}) - four and name in ("BitReverse", "BitCount"):
                wrong.append(f"CONTRIBUTING.md:1: Op{name} needs more than four files: {sorted(files - four)}")
            if files and not {"vm/build/table.cpp", "validator/signatures.def"} <= files:
                wrong.append(f"CONTRIBUTING.md:1: Op{name} has no row in vm/build/table.cpp or validator/signatures.def")
    return wrong


def main() -> int:
    texts, sources = documents(), everything()
    words = set(re.findall(r"\w+", "\n".join(sources.values())))
    options = known_options(sources)
    rules = known_rules(sources)
    wrong = wrong_stop_reasons(texts["docs/architecture.md"]) + wrong_steps(texts["docs/architecture.md"])
    wrong += wrong_comments(sources, rules) + missing_folders(texts["docs/architecture.md"]) + wrong_numbers(texts) + wrong_instructions(texts["CONTRIBUTING.md"], sources)
    for path, text in texts.items():
        found = missing_paths(path, text) + missing_links(path, text) + missing_rules(text, rules)
        found += missing_options(text, options) + missing_builds(text, sources)
        if path in ("README.md", "CONTRIBUTING.md", "docs/architecture.md"):
            found += missing_names(text, sources, words)
        wrong += [f"{path}:{line}: {what}" for line, what in sorted(set(found))]
    print("\n".join(wrong))
    print(f"{len(texts)} documents, {len(rules)} rules, {len(wrong)} wrong")
    return 1 if wrong or len(rules) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
