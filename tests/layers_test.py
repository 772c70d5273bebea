#!/usr/bin/env python3
"""Checks every include of our own headers against the table of layers.

Data runs one way through the folders; a file may include its own folder and the ones listed for it.
"""
import pathlib
import re
import sys

LAYERS = {
    "include": set(),
    "base": {"include"},
    "decoder": {"base", "include"},
    "validator": {"decoder", "base", "extinst", "include"},
    "extinst": {"base", "include", "vm"},  # its lane functions are compiled inside vm/simd
    "memory": {"base", "include"},
    "vm": {"decoder", "extinst", "memory", "base", "include"},
    "scheduler": {"vm", "memory", "base", "include"},
    "runtime": {"scheduler", "vm", "memory", "extinst", "validator", "decoder", "base", "include"},
    "cli": {"include"},
    "opencl": {"include"},
    "bench": {"include"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def folder_of(name: str) -> str:
    first = name.split("/")[0]
    return "include" if first == "transpire" else first


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    wrong, files = [], 0
    for folder, allowed in LAYERS.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".hpp", ".cpp", ".def", ".inc"}:
                continue
            files += 1
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                target = folder_of(name)
                if target in LAYERS and target != folder and target not in allowed:
                    wrong.append(f"{path.relative_to(root)}: may not include \"{name}\"")
    print("\n".join(wrong))
    print(f"{files} files read, {len(wrong)} wrong includes")
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
