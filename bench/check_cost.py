#!/usr/bin/env python3
"""What checks cost: CPU time of the bench's kernels with each check against that without, in their small size; and of Oclgrind,
which looks for nothing then, where it is installed.

    bench/check_cost.py build/release/bench/transpire-bench [--check NAME]... [--no-oclgrind] [--repeat N] [--update docs/checkers.md]

Without --check: uninit, race and all. One thread; the least time of some runs, in turn. Prints a table and the geometric means; --update
writes both into the page, between the comments that name this file.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess


def run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def least_time(bench: list[str], case: str, repeat: int, *words: str, via: str = "transpire") -> float:
    """In microseconds, without the first run, which makes the program."""
    lines = run(*bench, "--one", case, "--via", via, "--threads", "1", "--small", "--repeat", str(repeat + 1), *words)
    times = [json.loads(line)["cpu_ns"] for line in lines.splitlines() if "cpu_ns" in line]
    return min(times[1:]) / 1000


def oclgrind_time(bench: str, case: str) -> float | None:
    """None where Oclgrind cannot run the case, or is not installed."""
    try:
        return least_time(["oclgrind", bench], case, 1, via="oclgrind")
    except (subprocess.CalledProcessError, FileNotFoundError, ValueError):
        return None


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def table(options: argparse.Namespace) -> str:
    columns: dict[str, list[float]] = {check: [] for check in options.check}
    others: list[float] = []
    rows = []
    for case in re.findall(r"^(\w+):", run(options.bench, "--list"), re.MULTILINE):
        plain = least_time([options.bench], case, options.repeat)
        row = [case, f"{plain:.3g}"]
        for check, ratios in columns.items():
            ratios.append(least_time([options.bench], case, options.repeat, "--check", check) / plain)
            row.append(f"{ratios[-1]:.1f}")
        if not options.no_oclgrind:
            other = oclgrind_time(options.bench, case)
            others += [] if other is None else [other / plain]
            row.append("" if other is None else f"{other / plain:.0f}")
        rows.append(row)
    head = ["kernel", "without, us", *columns]
    last = ["geometric mean", "", *(f"{mean(ratios):.1f}" for ratios in columns.values())]
    if not options.no_oclgrind:
        head.append("Oclgrind, no check")
        last.append(f"{mean(others):.0f}" if others else "")
    lines = [head, ["---"] * len(head), *rows, last]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--check", action="append")
    parser.add_argument("--no-oclgrind", action="store_true")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--update", type=pathlib.Path)
    options = parser.parse_args()
    options.check = options.check or ["uninit", "race", "all"]
    text = table(options)
    print(text)
    if options.update:
        page = options.update.read_text()
        pattern = r"(<!-- made by bench/check_cost\.py [^\n]*-->\n).*?(<!-- end of bench/check_cost\.py -->)"
        made, count = re.subn(pattern, lambda match: match[1] + text + "\n" + match[2], page, flags=re.DOTALL)
        assert count == 1, "the page has no place for it"
        options.update.write_text(made)


if __name__ == "__main__":
    main()
