#!/usr/bin/env python3
"""Makes the table of error limits in docs/numerics.md, and those of GLSL.std.450.

In the first table, one column is what the accuracy tests demand (tests/extinst/math_functions.cpp), the other what the
specification allows (extinst/opencl_std.def). The second one (ulp/glsl.def) has the errors of the page's larger runs. The third one says
where each function of GLSL.std.450 is measured or tested; the script fails for one that is not. With
--update the tables are rewritten; otherwise the script fails when one is out of date or when an error is above what is allowed.
"""
import pathlib
import re
import sys

BEGIN, END = "<!-- bounds: begin -->\n", "<!-- bounds: end -->"
ROW = re.compile(r'\{Op::k\w+, "(\w+)", [\w<>]+, [-\d.]+, [-\d.]+, ([\d.]+), ([\d.]+), ([\d.]+)\}')
ALLOWED = re.compile(r"TRANSPIRE_CLSTD\(\d+, (\w+), kMath, (\w+|[\d.]+), (\w+|[\d.]+), (\w+|[\d.]+)\)")
GLSL_BEGIN, GLSL_END = "<!-- glsl: begin -->\n", "<!-- glsl: end -->"
GLSL = re.compile(r'^TRANSPIRE_GLSL_MEASURED\((\w+), (\w+), ([\d.]+), ([\d.]+), "(.*)"\)$', re.MULTILINE)


HELD_BEGIN, HELD_END = "<!-- held: begin -->\n", "<!-- held: end -->"
RUN = re.compile(r"^    \{GLSLstd450(\w+),", re.MULTILINE)
FORMULA = re.compile(r'^TRANSPIRE_FORMULA\w*\((\w+),.*"(.*)"\)$', re.MULTILINE)
# Exact functions, with the golden program that holds each, and GLSL's name of it there.
EXACT = {
    "SAbs": ("integer_ranges.comp.in", "abs"), "SSign": ("integer_ranges.comp.in", "sign"),
    **{name: ("integer_ranges.comp.in", name[1:].lower()) for name in ("UMin", "SMin", "UMax", "SMax", "UClamp", "SClamp")},
    **{name: ("packed.comp.in", name[0].lower() + name[1:]) for name in
       (pack + to for pack in ("Pack", "Unpack") for to in ("Snorm4x8", "Unorm4x8", "Snorm2x16", "Unorm2x16", "Half2x16"))},
    "PackDouble2x32": ("functions.comp.in", "packDouble2x32"), "UnpackDouble2x32": ("functions.comp.in", "unpackDouble2x32"),
    "FindILsb": ("packed.comp.in", "findLSB(bit"), "FindUMsb": ("packed.comp.in", "findMSB(bit"),
    "FindSMsb": ("packed.comp.in", "findMSB(int"),
    **{name: ("parts_of_numbers_{T}.spvasm.in", f"%glsl {name} ") for name in ("ModfStruct", "FrexpStruct")}}


def held_table(root: pathlib.Path) -> tuple[str, list[str]]:
    """The table, and the functions that nothing holds."""
    run = RUN.findall((root / "vm/build/instructions/extinst_glsl.cpp").read_text(encoding="utf-8"))
    in_ulp = {name: rule for name, *_, rule in GLSL.findall((root / "ulp/glsl.def").read_text(encoding="utf-8"))}
    formulas = dict(FORMULA.findall((root / "ulp/formulas.def").read_text(encoding="utf-8")))
    table, loose = "| function | held by | Vulkan |\n|---|---|---|\n", []
    for name in run:
        held, rule = "-", "-"
        if name in in_ulp:
            held, rule = "ulp", in_ulp[name]
        elif name in formulas:
            held, rule = "formula", formulas[name] or "-"
        elif name in EXACT:
            program, word = EXACT[name]
            held = f"`{program.split('.')[0]}`"
            rule = "correctly rounded" if name == "PackHalf2x16" else "-"
            if word not in (root / "tests/programs/shader" / program).read_text(encoding="utf-8"):
                loose.append(name)
        else:
            loose.append(name)
        table += f"| {name} | {held} | {rule} |\n"
    return table, loose


def spell(bound: str) -> str:
    return "-" if bound == "kNoBound" else bound


def replaced(text: str, begin: str, table: str, end: str) -> str:
    head, rest = text.split(begin)
    return head + begin + table + end + rest.split(end)[1]


def glsl_table(rows: list[tuple[str, ...]], page: str) -> tuple[str, int]:
    """The table, and the number of errors above the bound."""
    runs = {(cells[1].strip(), cells[2].strip()): cells[7].strip()
            for cells in (line.split("|") for line in page.split("<!-- sweep: begin -->")[1].splitlines()) if len(cells) > 8}
    table = ("| function | run by | Vulkan, half / float | at least, ulp | half: worst ulp | float: worst ulp |\n"
             "|---|---|---|---|---|---|\n")
    above = 0
    for name, opencl, half, single, rule in rows:
        worst = runs[opencl, "half"], runs[opencl, "float"]
        # The page rounds errors up to thousandths; a correctly rounded result has none.
        above += any(float(error) > float(bound) + (0.001 if float(bound) > 0 else 0)
                     for error, bound in zip(worst, (half, single)))
        table += f"| {name} | {opencl} | {rule} | {half} / {single} | {worst[0]} | {worst[1]} |\n"
    return table, above


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    promised = {name: (half, single, double) for name, single, double, half in
                ROW.findall((root / "tests/extinst/math_functions.cpp").read_text(encoding="utf-8"))}
    allowed = {name: bounds for name, *bounds in
               ALLOWED.findall((root / "extinst/opencl_std.def").read_text(encoding="utf-8"))}
    table = "| function | half | float | double | allowed |\n|---|---|---|---|---|\n"
    above = 0
    for name in sorted(promised):
        for mine, most in zip(promised[name], allowed[name]):
            above += most != "kNoBound" and float(mine) > float(most)
        limits = " / ".join(spell(bound) for bound in allowed[name])
        table += f"| {name} | {' | '.join(promised[name])} | {limits} |\n"
    path = root / "docs/numerics.md"
    text = path.read_text(encoding="utf-8")
    rows = GLSL.findall((root / "ulp/glsl.def").read_text(encoding="utf-8"))
    compared = (root / "tests/programs/shader/measured_{T}.spvasm.in").read_text(encoding="utf-8")
    # These two have two results; other programs have them, and they are exact.
    loose = [name for name, opencl, *_ in rows if f" {name} {opencl}" not in compared and name not in ("Modf", "Frexp")]
    if loose:
        print("shader/measured_{T}.spvasm.in does not compare", *loose)
        return 1
    glsl, above_in_glsl = glsl_table(rows, text)
    above += above_in_glsl
    held, loose = held_table(root)
    if loose:
        print("vm/build/instructions/extinst_glsl.cpp: neither ulp/ measures nor tests/programs/shader tests", *loose)
        return 1
    updated = replaced(replaced(text, BEGIN, table, END), GLSL_BEGIN, glsl, GLSL_END)
    updated = replaced(updated, HELD_BEGIN, held, HELD_END)
    if "--update" in sys.argv:
        path.write_text(updated, encoding="utf-8")
    print(f"{len(promised)} functions, {above} bounds above what is allowed")
    if updated != text and "--update" not in sys.argv:
        print("a table of docs/numerics.md is out of date: run tests/numerics_table.py with --update")
        return 1
    return 1 if above or not promised else 0


if __name__ == "__main__":
    sys.exit(main())
