#!/usr/bin/env python3
"""Every built-in function of OpenCL C has a golden program that calls it. builtins_coverage.py ROOT [--update | --missing]

tests/data/opencl_c_builtins.tsv has the functions of OpenCL C 2.0 with the types that they take: a row stands for one overload
for each type and width. A golden program in OpenCL C calls one where clang, asked for the program's syntax tree, resolves a call
to it; only programs count that run to their end and say which values or texts come out. Without clang-15 the test is skipped.
What is left to later work, and what compilers stop at, is listed here; what is listed and called is wrong as well. With --update
docs/builtins.md is written, else it must be up to date. --missing prints all overloads that no program calls, not the first 50.
"""
import concurrent.futures
import dataclasses
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import builtins_ast

SKIPPED = 77
CLANG = "clang-15"
INVENTORY, PAGE = "tests/data/opencl_c_builtins.tsv", "docs/builtins.md"

# Sections whose functions are not there yet, and what they are: none at present.
LATER: dict[str, str] = {}

# Overloads that no program can call, and why.
IMPOSSIBLE = {
    r"atomic_compare_exchange_\w+\(atomic_(float|double)\*.*\)":
        "llvm-spirv 15 stops at them, for OpAtomicCompareExchange is of integers alone",
}

SECTIONS = {
    "6.2.3": "Explicit conversions", "6.2.4": "Reinterpreting as another type", "6.13.1": "Work-item functions",
    "6.13.2": "Math functions", "6.13.3": "Integer functions", "6.13.4": "Common functions", "6.13.5": "Geometric functions",
    "6.13.6": "Relational functions", "6.13.7": "Vector data load and store functions", "6.13.8": "Synchronization functions",
    "6.13.9": "Address space qualifier functions", "6.13.10": "Async copies and prefetch", "6.13.11": "Atomic functions",
    "6.12.9": "Fences of OpenCL C 1.2", "6.12.11": "Atomic functions of OpenCL C 1.2",
    "6.13.12": "Miscellaneous vector functions", "6.13.13": "printf", "6.13.14": "Image read and write functions",
    "6.13.15": "Work-group functions", "6.13.16": "Pipe functions", "6.13.17": "Enqueuing kernels",
}

# Programs that compare functions on vectors with the same ones on scalars: what they call on scalars alone does not count.
COMPARING = re.compile(r"extinst/vector_components_\w+\.cl")

ELEMENTS = {
    "integers": "char uchar short ushort int uint long ulong",
    "floats": "half float double",
    "arithmetic": "char uchar short ushort int uint long ulong half float double",
}
WIDTHS = {"all": "1 2 3 4 8 16", "vectors": "2 3 4 8 16"}
SIGNED = {"uchar": "char", "ushort": "short", "uint": "int", "ulong": "long", "half": "short", "float": "int", "double": "long"}
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong", "half": "ushort", "float": "uint",
            "double": "ulong"}

Overload = tuple[str, tuple[str, ...]]


@dataclasses.dataclass
class Row:
    section: str
    names: list[str]
    elements: str
    widths: str
    parameters: str

    def overloads(self, name: str) -> list[Overload]:
        """What a name of this row stands for."""
        found = []
        for element in ELEMENTS.get(self.elements, self.elements).split() or [""]:
            for width in WIDTHS.get(self.widths, self.widths).split() or [""]:
                shape = "" if width == "1" else width
                full = name.replace("{gentype}", element + shape).replace("{n}", width)
                found.append((full, tuple(expanded(word, element, shape) for word in self.parameters.split(", ") if word)))
        return found

    def all_overloads(self) -> list[Overload]:
        return [overload for name in self.names for overload in self.overloads(name)]


def expanded(parameter: str, element: str, shape: str) -> str:
    """A row's parameter for one type: 'igentype*' of float4 is 'int4*'."""
    parameter = parameter.replace("sgentype", element)
    parameter = parameter.replace("ugentype", UNSIGNED.get(element, element) + shape)
    parameter = parameter.replace("igentype", SIGNED.get(element, element) + shape)
    parameter = parameter.replace("gentype", element + shape)
    return re.sub(r"\b(u?(?:char|short|int|long)|half|float|double)n\b", rf"\g<1>{shape}", parameter)


def read_inventory(root: pathlib.Path) -> list[Row]:
    rows = []
    for line in (root / INVENTORY).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            section, names, elements, widths, parameters = line.split("\t")
            rows += [Row(section, names.split(), elements, widths, each) for each in parameters.split(" | ")]
    return rows


# ---- Golden programs ----------------------------------------------------------------------------------------------------

def launch_lines(source: str) -> list[str]:
    return re.findall(r"^//!(.*)", source, re.MULTILINE)


def checks_results(source: str) -> bool:
    """Whether the program runs to its end and must give certain values or texts."""
    wanted = [line.split(None, 1)[1] for line in launch_lines(source) if re.match(r"\s*expect\s+\S", line)]
    if any(re.match(r"refused\b|fault\b", line) for line in wanted):
        return False
    return any(re.match(r"printf\b", line) or "=" in line for line in wanted)


def build_options(source: str) -> list[str]:
    options = [word for line in launch_lines(source) if line.split()[:1] == ["options"] for word in shlex.split(line)[1:]]
    return options if any(word.startswith("-cl-std") for word in options) else ["-cl-std=CL1.2", *options]


def called_by(program: pathlib.Path) -> set[Overload]:
    source = program.read_text(encoding="utf-8")
    command = [CLANG, "-x", "cl", "-target", "spir64", "-fsyntax-only", "-w", "-fno-color-diagnostics",
               "-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins", "-Xclang", "-ast-dump",
               *build_options(source), program.name]
    done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    if any("use of undeclared identifier" not in line for line in errors):  # Transpire declares what clang does not know
        raise RuntimeError(f"{program}: {errors[0]}")
    return builtins_ast.calls(done.stdout)


def on_vectors(calls: set[Overload]) -> set[Overload]:
    return {call for call in calls if any(re.search(r"\d+\*?$", one) for one in call[1])}


def programs_of(folder: pathlib.Path) -> dict[str, set[Overload]]:
    """What each golden program calls, by its path below tests/programs."""
    files = [path for path in sorted(folder.rglob("*.cl")) if checks_results(path.read_text(encoding="utf-8"))]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = {path.relative_to(folder).as_posix(): calls for path, calls in zip(files, pool.map(called_by, files))}
    return {name: on_vectors(calls) if COMPARING.fullmatch(name) else calls for name, calls in found.items()}


# ---- What is missing ----------------------------------------------------------------------------------------------------

def shown(overload: Overload) -> str:
    return f"{overload[0]}({', '.join(overload[1])})"


def reason_of(section: str, overload: Overload) -> str:
    """Why nothing calls it, where that is known."""
    if section in LATER:
        return f"later work ({LATER[section]})"
    return next((f"impossible ({why})" for overloads, why in IMPOSSIBLE.items() if re.fullmatch(overloads, shown(overload))), "")


def faults(inventory: list[Row], programs: dict[str, set[Overload]]) -> list[str]:
    """What no program calls, and what one calls though it is listed as something else."""
    found, called = [], set().union(*programs.values())
    for row in inventory:
        for overload in row.all_overloads():
            reason = reason_of(row.section, overload)
            if reason and overload in called:
                found.append(f"{shown(overload)}: a golden program calls it, yet it is listed as {reason}")
            if not reason and overload not in called:
                found.append(f"{shown(overload)}: no golden program calls it")
    return found


def cover(wanted: set[Overload], programs: dict[str, set[Overload]]) -> list[str]:
    """Few programs that together call all of them: again and again the one that adds most."""
    chosen, left = [], set(wanted)
    while left:
        best = min(programs, key=lambda name: (-len(left & programs[name]), name))
        if not left & programs[best]:
            break
        chosen.append(best)
        left -= programs[best]
    return sorted(chosen)


# ---- The page -----------------------------------------------------------------------------------------------------------

def types_of(rows: list[Row]) -> str:
    """'(gentype, gentype), (gentype, sgentype) of floats, vectors': the rows of a function, those of the same types together."""
    parameters: dict[str, list[str]] = {}
    for row in rows:
        of = f" of {row.elements}" if row.elements else ""
        if row.widths in WIDTHS:
            of += f", {row.widths}"
        elif row.widths not in ("", "1"):
            of += f", of {row.widths}"
        parameters.setdefault(of, []).append(f"({row.parameters})")
    return "; ".join(", ".join(lists) + of for of, lists in parameters.items())


def section_table(rows: list[Row], programs: dict[str, set[Overload]]) -> str:
    text = "| function | types | programs |\n|---|---|---|\n"
    by_name: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        for name in row.names:
            by_name.setdefault((name, reason_of(row.section, row.overloads(name)[0])), []).append(row)
    lines: dict[tuple[str, str], list[str]] = {}
    for (name, reason), with_it in by_name.items():
        wanted = {overload for row in with_it for overload in row.overloads(name)}
        entry = (types_of(with_it), reason or ", ".join(cover(wanted, programs)))
        lines.setdefault(entry, []).append(name)
    for (types, names), functions in lines.items():
        text += f"| {' '.join(functions)} | {types} | {names} |\n"
    return text


def page(root: pathlib.Path, inventory: list[Row], programs: dict[str, set[Overload]]) -> str:
    overloads = {overload for row in inventory for overload in row.all_overloads()}
    count = len({name for name, _ in overloads})
    text = (root / PAGE).read_text(encoding="utf-8")
    head, rest = text.split("<!-- builtins: begin -->\n")
    tail = rest.split("<!-- builtins: end -->")[1]
    body = f"{count:,} names of functions, {len(overloads):,} overloads.\n"
    for section in dict.fromkeys(row.section for row in inventory):
        body += f"\n## {section} {SECTIONS[section]}\n\n"
        body += section_table([row for row in inventory if row.section == section], programs)
    return head + "<!-- builtins: begin -->\n" + body + "<!-- builtins: end -->" + tail


# ---- Checks of this test itself -----------------------------------------------------------------------------------------

def self_test(inventory: list[Row]) -> None:
    """An overload less is found, and one too many; rows stand for what they should; programs that check nothing do not count."""
    all_there = {"a.cl": {one for row in inventory for one in row.all_overloads() if not reason_of(row.section, one)}}
    assert not faults(inventory, all_there)
    one = ("fmax", ("float3", "float3"))
    assert faults(inventory, {"a.cl": all_there["a.cl"] - {one}}) == [f"{shown(one)}: no golden program calls it"]
    floats = ("atomic_compare_exchange_weak", ("atomic_float*", "float*", "float"))
    assert "impossible" in faults(inventory, {"a.cl": all_there["a.cl"] | {floats}})[0]
    assert cover({one}, {"b.cl": {one}, "a.cl": {one}, "c.cl": set()}) == ["a.cl"]

    assert Row("", [], "char", "4", "gentype, ugentype").overloads("upsample") == [("upsample", ("char4", "uchar4"))]
    assert Row("", [], "float", "1 3", "gentype, intn*").overloads("frexp") == [
        ("frexp", ("float", "int*")), ("frexp", ("float3", "int3*"))]
    assert Row("", [], "half", "8", "ulong, constant sgentype*").overloads("vload{n}") == [
        ("vload8", ("ulong", "constant half*"))]

    assert checks_results("//! expect y = 1") and checks_results("//! expect printf \"a\"")
    assert not checks_results("//! expect no faults") and not checks_results("//! expect fault TSP-R0021\n//! expect y = 1")
    assert not checks_results("// expect y = 1")
    assert build_options("//! options -cl-std=CL2.0 -D'A=1 2'") == ["-cl-std=CL2.0", "-DA=1 2"]
    assert on_vectors({one, ("fabs", ("float",)), ("isfinite", ("double2",))}) == {one, ("isfinite", ("double2",))}
    builtins_ast.self_test()


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    inventory = read_inventory(root)
    self_test(inventory)
    if shutil.which(CLANG) is None:
        print(f"{CLANG} is not installed")
        return SKIPPED
    programs = programs_of(pathlib.Path(sys.argv[2]))
    found = faults(inventory, programs)
    for fault in found if "--missing" in sys.argv else found[:50]:
        print(fault)
    print(f"{len(programs)} golden programs in OpenCL C, {len(found)} faults")
    text = page(root, inventory, programs)
    if "--update" in sys.argv:
        (root / PAGE).write_text(text, encoding="utf-8")
    elif text != (root / PAGE).read_text(encoding="utf-8"):
        print(f"{PAGE} is out of date: run tests/builtins_coverage.py with --update")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
