#!/usr/bin/env python3
"""lintian finds no error in the packages, and no warning but those that are listed here.

usage: lintian_test.py FOLDER

Exits with 77 (skipped) where lintian is not installed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Warnings that stay, and why.
EXPECTED = {
    "package-name-doesnt-match-sonames": "of the driver, which is loaded by its name and never linked",
    "shared-library-lacks-version": "of the driver, too",
    "pkg-config-unavailable-for-cross-compilation": "of a build for /usr/lib, which one with the prefix /usr is not",
}


def main() -> int:
    if shutil.which("lintian") is None:
        print("skipped: lintian is not installed")
        return 77
    debs = sorted(pathlib.Path(sys.argv[1]).glob("*.deb"))
    root = ["--allow-root"] if os.geteuid() == 0 else []
    done = subprocess.run(["lintian", *root, "--no-cfg", "--tag-display-limit", "0", *debs], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout)
    found = re.findall(r"^([EW]): \S+: ([\w-]+)", done.stdout, re.MULTILINE)
    wrong = [tag for level, tag in found if level == "E" or tag not in EXPECTED]
    if done.returncode not in (0, 2) or (done.returncode == 2 and not found):
        wrong.append(f"exit code {done.returncode}")
    print(f"{len(debs)} packages, {len(found)} errors and warnings, {len(wrong)} of them not expected")
    return 1 if wrong or len(debs) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
