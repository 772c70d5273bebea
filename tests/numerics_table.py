#!/usr/bin/env python3
"""Makes the table of error limits in docs/numerics.md, and that of GLSL.std.450.

In the first table, one column is what the accuracy tests demand (tests/extinst/math_functions.cpp), the other what the
specification allows (extinst/opencl_std.def). The second one (ulp/glsl.def) has the errors of the page's larger runs. With
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
    updated = replaced(replaced(text, BEGIN, table, END), GLSL_BEGIN, glsl, GLSL_END)
    if "--update" in sys.argv:
        path.write_text(updated, encoding="utf-8")
    print(f"{len(promised)} functions, {above} bounds above what is allowed")
    if updated != text and "--update" not in sys.argv:
        print("a table of docs/numerics.md is out of date: run tests/numerics_table.py with --update")
        return 1
    return 1 if above or not promised else 0


if __name__ == "__main__":
    sys.exit(main())
