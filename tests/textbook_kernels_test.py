#!/usr/bin/env python3
"""Runs textbook kernels as compilers' optimisers make them: reductions, scans, sorts, stencils and transposes of one to three stages.

Each compiler that is there makes a module of all of them by -O0 to -O3. What they leave must have the bits of the model in Python
(textbook_kernels.py), with every check and without, and nothing may be found. Takes the program and a folder for what is made.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import textbook_kernels as textbook
from command import compiles_opencl_c

GROUPS = 3
# Its optimiser reads elements before it knows that they are needed: values that nobody uses, but accesses all the same.
CHECKS = {"22": "sync,uninit"}
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def compilers() -> dict[str, dict[str, str]]:
    """By name: what the environment says that chooses it."""
    found = {"15": {"TRANSPIRE_CLANG": "clang-15", "TRANSPIRE_LLVM_SPIRV": "llvm-spirv-15"}}
    if shutil.which("clang-15") is None or shutil.which("llvm-spirv-15") is None:
        found = {"as found": {}}
    if shutil.which("clang-22") is not None:
        found["22"] = {"TRANSPIRE_CLANG": "clang-22", "TRANSPIRE_LLVM_SPIRV": ""}
    return found


def values_of(kernel: textbook.Kernel, seed: int) -> list[int]:
    signed = not textbook.is_sum(kernel)
    state, values = seed * 2654435761 + 12345, []
    for _ in range(GROUPS * kernel.local):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        number = state >> 40
        values.append(number % 2001 - 1000 if signed else number % 100_003)
    return values


def launch_file(module: str, kernels: list[textbook.Kernel]) -> str:
    lines = [f"module {module}"]
    for seed, kernel in enumerate(kernels):
        values = values_of(kernel, seed)
        data, right = (",".join(map(str, each)) for each in (values, textbook.result(kernel, values)))
        lines += [f"kernel {kernel.name}", f"global {GROUPS * kernel.local}", f"local {kernel.local}",
                  f"arg in = {kernel.type}:data:{data}:raw", f"arg out = {kernel.type}:zero:{len(values)}:raw",
                  f"arg rounds = {textbook.ROUNDS}", "launch",
                  f"expect out = {kernel.type}:data:{right}"]
    return "\n".join(lines) + "\n"


def run(command: list, environment: dict[str, str]) -> str:
    """What the command says if it fails."""
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}"


def check(transpire: str, folder: pathlib.Path, kernels: list[textbook.Kernel], name: str, compiler: str) -> list[str]:
    environment = compilers()[compiler]
    wrong = []
    for level in LEVELS:
        module = f"{name}_{compiler.replace(' ', '_')}{level}.spv"
        options = "-cl-std=CL2.0 -cl-ext=+cl_khr_subgroups" if name == "groups" else "-cl-std=CL1.2"
        failed = run([transpire, "compile", folder / f"{name}.cl", "-o", folder / module, level, f"--build-options={options}"],
                     environment)
        launch = folder / (module + ".launch")
        launch.write_text(launch_file(module, kernels), encoding="utf-8")
        for checks in ("none", CHECKS.get(compiler, "all")):
            failed = failed or run([transpire, "run", launch, f"--check={checks}"], environment)
            if failed:
                wrong.append(failed)
                failed = ""
                break
    return wrong


def main() -> int:
    transpire, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not compiles_opencl_c(transpire):
        print("no compiler of OpenCL C")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    tables = {"textbook": textbook.kernels(), "groups": textbook.group_kernels()}
    wrong = []
    for name, kernels in tables.items():
        (folder / f"{name}.cl").write_text(textbook.HEADER + "".join(map(textbook.source, kernels)), encoding="utf-8")
        for compiler in compilers():
            # Asynchronous copies and some functions of sub-groups are calls without a body there.
            if name == "textbook" or compiler != "22":
                wrong += check(transpire, folder, kernels, name, compiler)
    count = sum(map(len, tables.values()))
    print("\n".join([f"{count} kernels, compilers: {', '.join(compilers())}", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
