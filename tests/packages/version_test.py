#!/usr/bin/env python3
"""The version stands in the top CMakeLists.txt. Wherever else it stands, it is the same.

usage: version_test.py ROOT BUILD TRANSPIRE
"""
import pathlib
import re
import subprocess
import sys

ROOT, BUILD, TRANSPIRE = (pathlib.Path(word) for word in sys.argv[1:4])
FULL, MINOR = r"(\d+\.\d+\.\d+)", r"(\d+\.\d+)"
# File, what stands before and around the version, and whether it is all three numbers.
PLACES = [
    (ROOT / "CHANGELOG.md", rf"\A# Changelog\n(?:(?!\n## ).|\n)*?\n## {FULL} - \d{{4}}-\d\d-\d\d\n"),
    (ROOT / "include/transpire/transpire.h", rf"version, e\.g\. \"{FULL}\""),
    (ROOT / "examples/library/CMakeLists.txt", rf"find_package\(transpire {MINOR} "),
    (ROOT / "docs/library.md", rf"find_package\(transpire {MINOR}\b"),
    (ROOT / "docs/library.md", rf"`TRANSPIRE_CXX_{MINOR}`"),
    (ROOT / "docs/packages.md", rf"_{FULL}-\d+_"),
    (BUILD / "include/generated/transpire/version.h", rf"#define TRANSPIRE_VERSION \"{FULL}\""),
]
PACKAGE_PLACES = [
    ("package/transpire.pc", rf"^Version: {FULL}$"),
    ("package/transpire-config-version.cmake", rf"set\(PACKAGE_VERSION \"{FULL}\"\)"),
    ("package/transpire.map", rf"TRANSPIRE_CXX_{MINOR} "),
    ("CPackConfig.cmake", rf"set\(CPACK_PACKAGE_VERSION \"{FULL}\"\)"),
]


def main() -> int:
    version = re.search(rf"^project\(transpire VERSION {FULL}\b", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.MULTILINE)[1]
    # Where handlers come from another build there is no package.
    places = PLACES + [(BUILD / name, pattern) for name, pattern in PACKAGE_PLACES if (BUILD / name).exists()]
    wrong, seen = [], 0
    for path, pattern in places:
        found = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
        seen += len(found)
        if not found:
            wrong.append(f"{path}: has no version any more: {pattern}")
        for other in found:
            if other != version and not (other.count(".") == 1 and version.startswith(other + ".")):
                wrong.append(f"{path}: {other}, and CMakeLists.txt has {version}")
    header = (BUILD / "include/generated/transpire/version.h").read_text(encoding="utf-8")
    if re.findall(r"_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE) != version.split("."):
        wrong.append("transpire/version.h: its numbers are not those of its text")
    said = subprocess.run([TRANSPIRE, "version"], text=True, capture_output=True, check=True).stdout.split("\n")[0]
    if said != f"transpire {version}":
        wrong.append(f"`transpire version` says '{said}'")
    print("\n".join(wrong))
    print(f"{version}: {seen + 1} places, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
