#!/usr/bin/env python3
"""Checks what the shared library exports: the functions that the headers in C declare, each with the C
interface's version, and of C++ what carries TRANSPIRE_API in the public headers; nothing else.

Also that the C test calls every function of the C interface.
"""
import pathlib
import re
import subprocess
import sys

C_FUNCTION = re.compile(r"TRANSPIRE_API[^;{]*?\b(transpire_\w+)\(")
CPP_CLASS = re.compile(r"\b(?:class|struct) TRANSPIRE_API (\w+)")
CPP_FUNCTION = re.compile(r"^TRANSPIRE_API [^;{(]*?(\w+)\(", re.MULTILINE)


def exported(library: str, *options: str) -> set[str]:
    """Names with their version; nm's other columns are address and kind."""
    done = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", *options, library],
                          capture_output=True, text=True, check=True)
    lines = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    return {name for _, kind, name in lines if kind != "A"}


def wrong_exports(root: pathlib.Path, library: str, abi: str) -> list[str]:
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "include/transpire").glob("*.h")))
    declared = set(C_FUNCTION.findall(headers))
    texts = [path.read_text(encoding="utf-8") for path in (root / "include/transpire").glob("*.hpp")]
    classes = {name for text in texts for name in CPP_CLASS.findall(text)}
    functions = {name for text in texts for name in CPP_FUNCTION.findall(text)}
    cpp = re.compile(rf"(?:transpire::(?:(?:{'|'.join(classes)})::.*|(?:{'|'.join(functions)})(?:\[abi:cxx11\])?\(.*)|"
                     rf"(?:vtable|typeinfo) for transpire::(?:{'|'.join(classes)}))@@TRANSPIRE_CXX_\d+\.\d+")
    c_found = {name for name in exported(library) if name.startswith("transpire_")}
    cpp_found = {name for name in exported(library, "-C") if not name.startswith("transpire_")}
    wanted = {f"{name}@@TRANSPIRE_{abi}" for name in declared}
    wrong = [f"declared, not exported: {name}" for name in sorted(wanted - c_found)]
    wrong += [f"exported, not declared: {name}" for name in sorted(c_found - wanted)]
    wrong += [f"exported, not public: {name}" for name in sorted(cpp_found) if not cpp.fullmatch(name)]
    for name in sorted(classes | functions):
        if not any(re.search(rf"\btranspire::{name}\b", symbol) for symbol in cpp_found):
            wrong.append(f"public, not exported: {name}")
    test = "".join(path.read_text(encoding="utf-8") for path in (root / "tests/library").glob("c_api*_test.c"))
    wrong += [f"not called by the tests in C: {name}" for name in sorted(declared) if f"{name}(" not in test]
    print(f"{len(c_found)} functions of C, {len(cpp_found)} symbols of C++, {len(wrong)} wrong")
    return wrong if declared and classes and functions else [*wrong, "nothing is declared"]


def main() -> int:
    wrong = wrong_exports(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
