#!/usr/bin/env python3
"""Every C and C++ file is as clang-format of Debian 12 (version 15) leaves it. format_test.py ROOT [--fix]"""
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
PROGRAM = 'clang-format-15'
SUFFIXES = {'.c', '.cpp', '.h', '.hpp'}


def sources(root):
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith('.') and folder.name != 'build':
            yield from (str(f) for f in sorted(folder.rglob('*')) if f.suffix in SUFFIXES)


def main():
    if shutil.which(PROGRAM) is None:
        print(f'{PROGRAM} is not installed')
        return SKIPPED
    files = list(sources(pathlib.Path(sys.argv[1])))
    if not files:
        print('no sources were found')
        return 1
    mode = ['-i'] if '--fix' in sys.argv else ['--dry-run', '-Werror']
    return subprocess.run([PROGRAM, *mode, *files]).returncode


if __name__ == '__main__':
    sys.exit(main())
