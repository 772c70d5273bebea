"""A stand-in for clang or llvm-spirv, which toolchain_test.py puts into a folder of its own under the name that it is to have.

It reads what it is from NAME.json beside itself: `version`, what it says; `targets`, whether it lists spirv64; `unknown`,
an extension that it refuses; `clang` and `translator`, the programs that do the work. It writes its name and its words
to calls.txt.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(sys.argv[0]).absolute()


def without(words, *pairs):
    """The words without these and the one behind each."""
    kept = []
    skip = False
    for word in words:
        if not skip and word not in pairs:
            kept.append(word)
        skip = not skip and word in pairs
    return kept


def write_spirv(it, words):
    """What clang's own backend does."""
    output = words[words.index("-o") + 1]
    own = [word for i, word in enumerate(words) if word != "-mllvm" and words[i - 1] != "-mllvm"]
    code = subprocess.run([it["clang"], "-target", "spir64", "-emit-llvm", *without(own, "-target", "-o"), "-o", output + ".bc"],
                          check=False).returncode
    if code == 0:
        code = subprocess.run([it["translator"], "--spirv-max-version=1.2", output + ".bc", "-o", output], check=False).returncode
    return code


def main():
    it = json.loads(HERE.with_name(HERE.name + ".json").read_text())
    words = sys.argv[1:]
    is_clang = HERE.name.startswith("clang")
    if words == ["--version"]:
        print(it["says"] if "says" in it else f"Some {'clang' if is_clang else 'LLVM'} version {it['version']}.0.1")
        return 0
    if words == ["--print-targets"]:
        print("    spirv64     - SPIR-V 64-bit" if it.get("targets") else "    x86-64")
        return 0
    with open(HERE.with_name("calls.txt"), "a", encoding="utf-8") as calls:
        calls.write(json.dumps([HERE.name, *words]) + "\n")
    if "unknown" in it and any("+" + it["unknown"] in word for word in words):
        print(f"Unknown extension '{it['unknown']}' was specified via --spirv-ext option")
        return 1
    words = [word for word in words if word != "-fno-diagnostics-show-line-numbers"]  # came with 17
    if is_clang and "-emit-llvm" not in words and "-E" not in words:
        return write_spirv(it, words)
    if not is_clang:  # version 15 may know less
        words = [word for word in words if not word.startswith("--spirv-ext=")]
    return subprocess.run([it["clang" if is_clang else "translator"], *words], check=False).returncode


sys.exit(main())
