#!/usr/bin/env python3
"""Whether one build of transpire-bench is slower than another: CPU time of the cases, one thread, full size.

    bench/compare_builds.py --old OLD [OLD...] --new NEW [NEW...] [--isa NAME] [--samples N] [--repeat N] [--processor P] [CASE...]

Several files of one build are link orders of it. Every sample is a process of its own, of a copy of the file made for it: where
the pages of one file lie in physical memory is decided once, when it is written, and moves single cases by up to 20 %. Its heap is
scattered by scatter_heap.c, in both builds alike. The two builds take turns.

Prints for each case the medians over samples of a process's median, without its first run, which makes the program; their ratio, new
by old; and between what 95 of 100 such ratios lie when the samples are drawn again.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile


def make_scatterer(folder: str) -> str:
    made = pathlib.Path(folder) / "scatter_heap.so"
    source = pathlib.Path(__file__).with_name("scatter_heap.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-fno-builtin", "-o", made, source], check=True)
    return str(made)


def sample(build: str, case: str, scatterer: str, seed: int, options: argparse.Namespace) -> float:
    """In milliseconds."""
    scattered = {**os.environ, "LD_PRELOAD": scatterer, "SCATTER_HEAP": str(seed)}
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy2(build, pathlib.Path(folder) / "transpire-bench")
        lines = subprocess.run(
            ["taskset", "-c", str(options.processor), copy, "--one", case, "--via", "transpire", "--isa", options.isa,
             "--threads", "1", "--repeat", str(options.repeat + 1)], check=True, capture_output=True, text=True, env=scattered).stdout
    times = [json.loads(line)["cpu_ns"] for line in lines.splitlines() if "cpu_ns" in line]
    return statistics.median(times[1:]) / 1e6


def ratio(old: list[float], new: list[float]) -> float:
    return statistics.median(new) / statistics.median(old)


def spread(old: list[float], new: list[float], draws: int = 2000) -> tuple[float, float]:
    chance = random.Random(1)
    drawn = sorted(ratio(chance.choices(old, k=len(old)), chance.choices(new, k=len(new))) for _ in range(draws))
    return drawn[draws // 40], drawn[-draws // 40]


def compare(case: str, scatterer: str, options: argparse.Namespace) -> str:
    old, new = [], []
    for turn in range(options.samples):
        pair = [(options.old, old), (options.new, new)]
        for builds, times in pair if turn % 2 else reversed(pair):
            times.append(sample(builds[turn % len(builds)], case, scatterer, turn + 1, options))
    low, high = spread(old, new)
    medians = f"{statistics.median(old):8.3f} {statistics.median(new):8.3f}"
    return f"{case:18} {medians} {ratio(old, new):6.3f}  {low:.3f} to {high:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--new", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--isa", default="avx2")
    parser.add_argument("--samples", type=int, default=24, help="of each build")
    parser.add_argument("--repeat", type=int, default=20, help="runs in each sample")
    parser.add_argument("--processor", type=int, default=1)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    listed = subprocess.run([options.new[0], "--list"], check=True, capture_output=True, text=True).stdout
    print(f"{'case':18} {'old, ms':>8} {'new, ms':>8} {'ratio':>6}  95 of 100")
    with tempfile.TemporaryDirectory() as folder:
        scatterer = make_scatterer(folder)
        for case in options.cases or re.findall(r"^(\w+):", listed, re.MULTILINE):
            print(compare(case, scatterer, options), flush=True)


if __name__ == "__main__":
    main()
