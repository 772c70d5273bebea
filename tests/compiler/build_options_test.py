#!/usr/bin/env python3
"""Every option of compiler/build_options.def: those that are taken compile, those that are refused say so by name, and
neither leave anything in the current folder.

usage: build_options_test.py TRANSPIRE REPOSITORY
"""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support import ROOT, Case, main, needs_compiler  # noqa: E402

TABLE = (ROOT / "compiler" / "build_options.def").read_text()
PAGE = (ROOT / "docs" / "launch-file.md").read_text()
NEEDS_CLANG = needs_compiler
#: A value that means something, of options that want one.
VALUES = {"-D": "N=4", "-U": "N", "-I": ".", "-include": "k.h", "-imacros": "k.h", "-iquote": ".", "-isystem": ".",
          "-idirafter": ".", "-cl-std=": "CL2.0", "-std=": "cl2.0", "-x": "cl", "-target": "spir-unknown-unknown",
          "--target=": "spir64-unknown-unknown", "-Xclang": "-disable-llvm-passes", "-cl-ext=": "+cl_khr_fp16", "-W": "all",
          "-ferror-limit=": "3", "-gdwarf-": "4", "-fdebug-compilation-dir=": ".", "-fdebug-prefix-map=": "a=b",
          "-ffile-prefix-map=": "a=b", "-fmacro-prefix-map=": "a=b", "-ffp-contract=": "off", "-ffp-model=": "fast",
          "-ffp-exception-behavior=": "ignore", "-fdenormal-fp-math=": "ieee", "-fno-builtin-": "memcpy"}
#: What people might hope for; each word after the name in the message is shown as it was written.
REFUSED = ["-o", "-o x", "-ox", "-MD", "-MMD", "-MF x", "-MJ x", "-M", "-save-temps", "-save-temps=cwd", "--save-temps",
           "-emit-llvm", "-emit-ast", "-S", "-E", "-###", "--serialize-diagnostics x", "-serialize-diagnostics x",
           "-fplugin=x.so", "-fpass-plugin=x.so", "-fplugin-arg-x-y", "@x", "-dependency-file x", "-ftime-trace",
           "-ftime-trace=x", "-fprofile-generate", "-fprofile-instr-generate=x", "-fcoverage-mapping",
           "-fcrash-diagnostics-dir=.", "-gsplit-dwarf", "-fsave-optimization-record", "-foptimization-record-file=x",
           "-fproc-stat-report=x", "-fmodules", "-mllvm -debug", "-Wp,-MD,x", "-Wl,x", "--config x", "-Xpreprocessor -MD",
           "-B .", "-ccc-print-phases", "--coverage", "-create-library", "-lm", "--version", "-print-search-dirs",
           "-fsyntax-only", "-flto", "-fembed-bitcode"]


def rows(kind):
    """The forms and names of the rows of a kind."""
    for form, name in re.findall(rf'^TRANSPIRE_{kind}\((?:(\w+), )?"([^"]*)"', TABLE, re.MULTILINE):
        yield form, name


class BuildOptions(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cl", "kernel void k(global int* y) { y[get_global_id(0)] = 7; }\n")
        self.write("k.h", "#define M 1\n")
        self.there = self.names()

    def names(self):
        return sorted(path.name for path in self.folder.rglob("*"))

    def compile(self, options, code=0):
        error = self.call("compile", "k.cl", "-o", "k.spv", "--build-options", options, code=code).stderr
        (self.folder / "k.spv").unlink(missing_ok=True)
        self.assertEqual(self.names(), self.there, options)
        return error

    @NEEDS_CLANG
    def test_options_that_are_taken_compile_and_leave_nothing(self):
        count = 0
        for kind in ["OPENCL", "UNUSED", "TAKEN", "CHOICE"]:
            for form, name in rows(kind):
                with self.subTest(option=name):
                    value = VALUES[name] if form in ("JOINED", "VALUED", "NEXT") else ""
                    self.compile(f"{name} {value}" if form == "NEXT" else name + value)
                    if form == "VALUED":
                        self.compile(f"{name} {value}")
                count += 1
        self.assertGreater(count, 100)

    def test_options_that_are_refused_say_why_and_leave_nothing(self):
        words = REFUSED + [name for _, name in rows("REFUSED")]
        self.assertGreater(len(words), 100)
        for option in words:
            with self.subTest(option=option):
                shown = self.compile(option, code=2).splitlines()
                word = option.split()[0]
                self.assertRegex(shown[0], rf"^error\[TSP-C0037\]: the build option '{re.escape(word)}' is refused: \w")
                self.assertNotIn("it is not known", shown[0])

    def test_unknown_options_get_a_suggestion(self):
        for word, meant in [("-cl-fast-relax-math", "-cl-fast-relaxed-math"), ("-ffastmath", "-ffast-math"),
                            ("-cl-st=CL2.0", "-cl-std="), ("-o3", None), ("-cl-kernel-args-info", "-cl-kernel-arg-info")]:
            error = self.compile(word, code=2)
            self.assertIn(f"the build option '{word}' is refused: ", error)
            if meant:
                self.assertIn("it is not known\n", error)
                self.assertIn(f"help: did you mean '{meant}'?", error)
        self.assertNotIn("help", self.compile("-something-else-entirely", code=2))

    def test_what_is_no_option_and_what_lacks_its_value(self):
        for word in ["other.cl", "-", "--", "''"]:
            self.assertIn("it is no option, and one source is compiled at a time", self.compile(word, code=2))
        for word in ["-D", "-include", "-Xclang", "-target"]:
            self.assertIn(f"the build option '{word}' is refused: its value is missing", self.compile(word, code=2))

    def test_values_that_are_refused(self):
        for option, shown in [("-x c", "-x c"), ("-xc", "-xc"), ("-target x86_64", "-target x86_64"),
                              ("--target=amdgcn", "--target=amdgcn"), ("-std=c99", "-std=c99"), ("-cl-std=C99", "-cl-std=C99"),
                              ("-Xclang -load", "-load"), ("-Xclang -dependency-file", "-dependency-file"),
                              ("-Xclang -ast-dump", "-ast-dump"), ("-Xclang -unheard-of", "-Xclang -unheard-of")]:
            self.assertIn(f"the build option '{shown}' is refused: ", self.compile(option, code=2))

    def test_all_that_is_refused_is_said_at_once(self):
        error = self.compile("-O2 -MD -DN=1 -S", code=2)
        self.assertEqual([line for line in error.splitlines() if line.startswith("error")],
                         ["error[TSP-C0037]: the build option '-MD' is refused: clang would write files of its own beside the module",
                          "error[TSP-C0037]: the build option '-S' is refused: clang would write something else than the module"])

    def test_all_paths_meet_the_check(self):
        self.write("k.launch", "module k.cl\noptions -MD\nglobal 1\narg y = int:zero:1\nlaunch\n")
        for words in [["run", "k.launch"], ["run", "k.cl", "-g", "1", "-a", "y=int:zero:1", "--build-options", "-MD"],
                      ["info", "k.cl", "--build-options", "-MD"], ["validate", "k.cl", "--build-options", "-MD"]]:
            self.assertIn("TSP-C0037", self.call(*words, code=2).stderr, words)

    def test_the_page_names_what_is_taken(self):
        section = PAGE.split("\n## Build options\n")[1].split("\n## ")[0]
        for kind in ["OPENCL", "UNUSED", "TAKEN", "CHOICE"]:
            for _, name in rows(kind):
                bare = re.sub(r"^-f(no-)?", "-f", name).rstrip("=")
                self.assertTrue(f"`{name}" in section or f"`{bare}" in section, name)


if __name__ == "__main__":
    main()
