#!/usr/bin/env python3
"""Time per work-item against the size of work-groups, for kernels that use their groups in different ways.

    bench/group_sizes/measure.py build/release/cli/transpire [--repeat N] [--isa NAME] [--svg FILE] [--table FILE]

One thread. Every size runs about the same number of work-items, N times (11), in turn with the other sizes;
the figure is the median. The table gives nanoseconds, and for each kernel the largest step between
neighbouring sizes. A size that does not divide the batch's width leaves lanes idle: that is part of the price.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = ("independent", "grouped", "barriers", "collective")
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 33, 40, 48, 56, 64, 65, 80, 96, 112, 128, 129, 160, 192, 224, 256, 257,
         320, 384, 512, 640, 768, 1024)
WORK_ITEMS = 1 << 16
COLOURS = ("#1b6ca8", "#2a9d5c", "#c8553d", "#7b4fa3")


def compile_kernels(source: pathlib.Path, folder: str) -> str:
    bitcode, module = f"{folder}/{source.stem}.bc", f"{folder}/{source.stem}.spv"
    subprocess.run(["clang-15", "-c", "-target", "spir64", "-O2", "-cl-std=CL2.0", "-emit-llvm", "-Xclang",
                    "-finclude-default-header", "-ffp-contract=off", source, "-o", bitcode], check=True)
    subprocess.run(["llvm-spirv-15", "--spirv-max-version=1.2", bitcode, "-o", module], check=True)
    return module


def measure(program: str, module: str, kernel: str, size: int, isa: str) -> float:
    """Nanoseconds of a work-item: the second of two launches, which finds everything made."""
    groups = max(1, WORK_ITEMS // size)
    text = (f"module {module}\nkernel {kernel}\nglobal {groups * size}\nlocal {size}\nthreads 1\n"
            + (f"isa {isa}\n" if isa else "")
            + f"arg 0 = zero:{groups * size}\n" + ("" if kernel == "independent" else f"arg 1 = local:{4 * size}\n")
            + "launch\nlaunch\n")
    with tempfile.NamedTemporaryFile("w", suffix=".launch") as launch:
        launch.write(text)
        launch.flush()
        done = subprocess.run([program, "run", "--format", "json", launch.name], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{kernel} in groups of {size}: {done.stderr or done.stdout}")
    last = json.loads(done.stdout)["launches"][-1]
    return last["wall_seconds"] / last["work_items"] * 1e9


def largest_step(times: list[float]) -> float:
    return max(max(a, b) / min(a, b) for a, b in zip(times, times[1:]))


def table(times: dict[str, list[float]]) -> str:
    text = "| work-group size | " + " | ".join(KERNELS) + " |\n" + "|---" * (1 + len(KERNELS)) + "|\n"
    for i, size in enumerate(SIZES):
        text += f"| {size} | " + " | ".join(f"{times[kernel][i]:.3g}" for kernel in KERNELS) + " |\n"
    text += "| largest step | " + " | ".join(f"{largest_step(times[kernel]):.2f}" for kernel in KERNELS) + " |\n"
    text += "| slowest : fastest | " + " | ".join(
        f"{max(times[kernel]) / min(times[kernel]):.2f}" for kernel in KERNELS) + " |\n"
    return text


def chart(times: dict[str, list[float]]) -> str:
    """Both axes logarithmic."""
    import math
    width, height, left, bottom = 760, 420, 60, 50
    low = math.floor(math.log2(min(map(min, times.values()))))
    high = math.ceil(math.log2(max(map(max, times.values()))))

    def at(size: float, time: float) -> tuple[float, float]:
        x = left + (width - left - 20) * math.log2(size) / math.log2(SIZES[-1])
        y = height - bottom - (height - bottom - 30) * (math.log2(time) - low) / (high - low)
        return x, y

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>']
    for power in range(low, high + 1):
        _, y = at(1, 2.0**power)
        out.append(f'<path d="M{left} {y:.1f}H{width - 20}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{2.0**power:g}</text>')
    for power in range(0, 11):
        x, _ = at(2**power, 2.0**low)
        out.append(f'<path d="M{x:.1f} 30V{height - bottom}" stroke="#eee"/>'
                   f'<text x="{x:.1f}" y="{height - bottom + 16}" text-anchor="middle">{2**power}</text>')
    for i, kernel in enumerate(KERNELS):
        points = " ".join("{:.1f},{:.1f}".format(*at(s, t)) for s, t in zip(SIZES, times[kernel]))
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[i]}" stroke-width="2"/>'
                   f'<text x="{left + 12 + 130 * i}" y="20" fill="{COLOURS[i]}">{kernel}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">work-items of a group</text>'
               f'<text x="14" y="{height / 2}" text-anchor="middle" transform="rotate(-90 14 {height / 2})">'
               "ns per work-item</text></svg>")
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--isa", default="")
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        grouped = compile_kernels(HERE / "kernels.cl", folder)
        independent = compile_kernels(HERE / "independent.cl", folder)
        runs: dict[tuple[str, int], list[float]] = {}
        for _ in range(options.repeat):
            for kernel in KERNELS:
                for size in SIZES:
                    runs.setdefault((kernel, size), []).append(
                        measure(options.program, independent if kernel == "independent" else grouped, kernel, size,
                                options.isa))
    times = {kernel: [statistics.median(runs[kernel, size]) for size in SIZES] for kernel in KERNELS}
    text = table(times)
    print(text, end="")
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    if options.svg:
        options.svg.write_text(chart(times), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
