#!/usr/bin/env python3
"""What a check costs: CPU time of the bench's kernels with the check against that without, in their small size.

    bench/check_cost.py build/release/bench/transpire-bench [--check race] [--repeat N] [--update docs/checkers.md]

One thread; the least time of some runs, in turn. Prints a table and the geometric mean; --update writes both into the page, between the
comments that name this file.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess


def run(bench: str, *words: str) -> str:
    return subprocess.run([bench, *words], check=True, capture_output=True, text=True).stdout


def least_time(bench: str, case: str, repeat: int, *words: str) -> float:
    """In microseconds, without the first run, which makes the program."""
    lines = run(bench, "--one", case, "--via", "transpire", "--threads", "1", "--small", "--repeat", str(repeat + 1), *words)
    times = [json.loads(line)["cpu_ns"] for line in lines.splitlines() if "cpu_ns" in line]
    return min(times[1:]) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--check", default="race")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--update", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for case in re.findall(r"^(\w+):", run(options.bench, "--list"), re.MULTILINE):
        plain = least_time(options.bench, case, options.repeat)
        checked = least_time(options.bench, case, options.repeat, "--check", options.check)
        rows.append((case, plain, checked, checked / plain))
    mean = math.exp(sum(math.log(row[3]) for row in rows) / len(rows))
    lines = ["| kernel | without, us | with the check, us | times |", "|---|---|---|---|"]
    lines += [f"| {case} | {plain:.3g} | {checked:.3g} | {times:.1f} |" for case, plain, checked, times in rows]
    lines.append(f"| geometric mean | | | {mean:.1f} |")
    table = "\n".join(lines)
    print(table)
    if options.update:
        text = options.update.read_text()
        pattern = r"(<!-- made by bench/check_cost\.py [^\n]*-->\n).*?(<!-- end of bench/check_cost\.py -->)"
        made, count = re.subn(pattern, lambda match: match[1] + table + "\n" + match[2], text, flags=re.DOTALL)
        assert count == 1, "the page has no place for it"
        options.update.write_text(made)


if __name__ == "__main__":
    main()
