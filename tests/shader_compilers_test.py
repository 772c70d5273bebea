#!/usr/bin/env python3
"""Runs the golden programs of compute shaders as other compilers and options compile them: their expectations must hold for all.

    shader_compilers_test.py TRANSPIRE PROGRAMS [NAME...]

Names of variables are kept (-g): launch lines use them."""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
COMPILERS = {
    '.comp': [['glslangValidator', '-V', '--target-env', 'vulkan1.1'], ['glslangValidator', '-V', '-Os', '-g', '--target-env', 'vulkan1.3'],
              ['glslc', '-O0', '--target-env=vulkan1.1'], ['glslc', '-O', '-g', '--target-env=vulkan1.2'],
              ['glslc', '-Os', '-g', '--target-env=vulkan1.3']],
    '.hlsl': [['glslc', '-x', 'hlsl', '-fshader-stage=compute', '-fentry-point=main', '-g', level, '--target-env=vulkan1.1']
              for level in ('-O0', '-O', '-Os')],
}
# Programs that a compiler refuses or gets wrong, with the reason.
EXCEPTIONS = {}


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors='replace')


def judge(transpire, program, compiler):
    """(verdict, what was printed)"""
    reason = EXCEPTIONS.get((program.stem, compiler[0]))
    if reason:
        return 'excepted', reason
    with tempfile.TemporaryDirectory() as folder:
        module, launch = pathlib.Path(folder, 'module.spv'), pathlib.Path(folder, 'case.launch')
        compiled = run([*compiler, '-o', module, program])
        if compiled.returncode:
            return 'not compiled', compiled.stdout + compiled.stderr
        # Places in the source are the business of the golden programs themselves.
        lines = [re.sub(r'(expect fault .*?) line .*', r'\1', line[3:].strip()) for line in program.read_text().splitlines()
                 if line.startswith('//!')]
        launch.write_text('\n'.join(['module module.spv', *lines]) + '\n')
        result = run([transpire, 'run', launch])
        return ('holds', '') if result.returncode == 0 else ('fails', f'exit code {result.returncode}\n{result.stdout}{result.stderr}')


def main():
    transpire, programs, *names = sys.argv[1:]
    if not shutil.which('glslc') or not shutil.which('glslangValidator'):
        print('glslc or glslangValidator is not installed')
        sys.exit(SKIPPED)
    found = [path for path in sorted(pathlib.Path(programs, 'shader').iterdir())
             if path.suffix in COMPILERS and (not names or path.stem in names)]
    pairs = [(program, compiler) for program in found for compiler in COMPILERS[program.suffix]]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (program, compiler), (verdict, said) in zip(pairs, pool.map(lambda pair: judge(transpire, *pair), pairs)):
            counts[verdict] += 1
            if verdict not in ('holds', 'excepted'):
                print(f'{program.name} by {" ".join(compiler)}: {verdict}: {said}')
    print(', '.join(f'{count} {verdict}' for verdict, count in sorted(counts.items())))
    sys.exit(counts['fails'] + counts['not compiled'] != 0 or counts['holds'] == 0)


main()
