#!/usr/bin/env python3
"""Which clang and llvm-spirv compile OpenCL C: the order in which they are looked for, the environment variables that name
others, clang's own backend, and what is said when there is none.

The programs are stand-ins in a folder that is all of PATH; version 15 does the work.

usage: toolchain_test.py TRANSPIRE REPOSITORY
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support import PATIENCE, TRANSPIRE, Case, main  # noqa: E402

CLANG, TRANSLATOR = shutil.which("clang-15"), shutil.which("llvm-spirv-15")
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"
NEEDS_BOTH = unittest.skipUnless(CLANG and TRANSLATOR, "needs clang-15 and llvm-spirv-15")
HELP = ("help: on Debian: apt install clang-15 llvm-spirv-15; or set TRANSPIRE_CLANG and TRANSPIRE_LLVM_SPIRV to programs "
        "that work together; or give a SPIR-V module")


class Toolchains(Case):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.write("k.cl", "kernel void k(global int* y) { y[get_global_id(0)] = 7; }\n")

    def install(self, name, version=None, **more):
        """A stand-in; clang-16 is version 16 where nothing else is said."""
        program = self.bin / name
        program.write_text(f"#!{sys.executable}\n{STAND_IN.read_text()}")
        program.chmod(0o755)
        version = version or int(name.rsplit("-", 1)[1])
        (self.bin / (name + ".json")).write_text(
            json.dumps({"version": version, "clang": CLANG, "translator": TRANSLATOR, **more}))
        return str(program)

    def install_pairs(self, *versions):
        for version in versions:
            self.install(f"clang-{version}")
            self.install(f"llvm-spirv-{version}")

    def remove(self, *names):
        for name in names:
            (self.bin / name).unlink()

    def compile(self, *words, code=0, **variables):
        """What it says; `calls` then has what was run."""
        (self.bin / "calls.txt").unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("TRANSPIRE_CLANG", "TRANSPIRE_LLVM_SPIRV")}
        environment["TRANSPIRE_CACHE"] = "0"  # what runs is what the test is about
        done = subprocess.run([TRANSPIRE, "compile", "k.cl", "-o", "k.spv", *words], cwd=self.folder, capture_output=True,
                              text=True, timeout=PATIENCE, check=False, env={**environment, "PATH": str(self.bin), **variables})
        self.assertEqual(done.returncode, code, done.stderr)
        calls = self.bin / "calls.txt"
        self.calls = [json.loads(line) for line in calls.read_text().splitlines()] if calls.exists() else []
        return done.stderr

    def assert_runs(self, *names):
        self.assertEqual([call[0] for call in self.calls], list(names))

    def assert_refused(self, lines, **variables):
        """C0031 with these lines, and nothing was run in place of what is named."""
        said = self.compile(code=5, **variables).splitlines()
        self.assertEqual(said, [f"error[TSP-C0031]: {lines[0]}", "  --> k.cl", *(f"  = {line}" for line in lines[1:]), HELP])
        self.assert_runs()


@NEEDS_BOTH
class Search(Toolchains):
    def test_15_is_first_and_then_14_and_then_what_is_nearest(self):
        versions = [15, 14, 16, 17, 18, 19, 20, 21, 22]
        self.install_pairs(*versions)
        self.install("clang", 25)
        self.install("llvm-spirv", 25)
        for version in versions:
            self.compile()
            self.assert_runs(f"clang-{version}", f"llvm-spirv-{version}")
            self.remove(f"clang-{version}")
        self.compile()
        self.assert_runs("clang", "llvm-spirv")

    def test_programs_of_one_version_belong_together(self):
        self.install("clang-15")
        self.install("llvm-spirv-14")
        self.install("clang-16")
        self.install_pairs(18)
        self.compile()
        self.assert_runs("clang-18", "llvm-spirv-18")

    def test_programs_without_a_number_are_asked_for_their_version(self):
        self.install("clang-16")
        self.install("llvm-spirv", 17)
        self.install("clang", 14)
        self.compile(code=5)
        self.install("llvm-spirv", 16)
        self.compile()
        self.assert_runs("clang-16", "llvm-spirv")
        self.install("llvm-spirv-14")
        self.compile()
        self.assert_runs("clang", "llvm-spirv-14")

    def test_extensions_are_those_that_the_translator_knows(self):
        self.install_pairs(14, 15, 18)
        self.install("llvm-spirv-18", unknown="SPV_KHR_shader_clock")

        def asked():
            self.assertEqual(self.calls[-1][0].rsplit("-", 1)[0], "llvm-spirv")
            return next(word for word in self.calls[-1] if word.startswith("--spirv-ext="))

        self.compile(TRANSPIRE_CLANG="clang-14")
        self.assertNotIn("SPV_KHR_subgroup_rotate", asked())
        self.assertIn("SPV_INTEL_subgroups", asked())
        self.compile()
        self.assertIn("SPV_KHR_subgroup_rotate", asked())
        self.assertNotIn("SPV_KHR_shader_clock", asked())
        self.compile(TRANSPIRE_CLANG="clang-18")
        self.assert_runs("clang-18", "llvm-spirv-18", "llvm-spirv-18")
        self.assertNotIn("SPV_KHR_shader_clock", asked())
        self.assertIn("SPV_KHR_subgroup_rotate", asked())


    def test_messages_are_the_same_in_all_versions(self):
        self.install_pairs(16, 17)
        for version in [16, 17]:
            self.compile(TRANSPIRE_CLANG=f"clang-{version}")
            self.assertEqual("-fno-diagnostics-show-line-numbers" in self.calls[0], version == 17)


@NEEDS_BOTH
class Variables(Toolchains):
    def test_a_named_clang_brings_the_translator_of_its_version(self):
        self.install_pairs(15, 16)
        for name in ["clang-16", str(self.bin / "clang-16"), "./bin/clang-16"]:
            self.compile(TRANSPIRE_CLANG=name)
            self.assertEqual(self.calls[-1][0], "llvm-spirv-16")
            self.assertEqual(len(self.calls), 2)

    def test_a_named_translator_brings_the_clang_of_its_version(self):
        self.install_pairs(15, 17)
        self.compile(TRANSPIRE_LLVM_SPIRV="llvm-spirv-17")
        self.assert_runs("clang-17", "llvm-spirv-17")

    def test_both_may_be_named_and_the_translator_may_be_newer(self):
        self.install_pairs(15)
        elsewhere = self.folder / "elsewhere"
        self.install("clang-16")
        self.install("llvm-spirv-18")
        self.bin.rename(elsewhere)
        self.bin.mkdir()
        self.compile(TRANSPIRE_CLANG=str(elsewhere / "clang-16"), TRANSPIRE_LLVM_SPIRV=str(elsewhere / "llvm-spirv-18"))
        calls = [json.loads(line)[0] for line in (elsewhere / "calls.txt").read_text().splitlines()]
        self.assertEqual(calls, ["clang-16", "llvm-spirv-18"])

    def test_empty_is_unset(self):
        self.install_pairs(15)
        self.compile(TRANSPIRE_CLANG="", TRANSPIRE_LLVM_SPIRV="")
        self.assert_runs("clang-15", "llvm-spirv-15")


@NEEDS_BOTH
class Backend(Toolchains):
    def test_clang_writes_spirv_where_no_translator_is(self):
        for version in [20, 21, 22]:
            self.install(f"clang-{version}", targets=version != 22)
        self.install("clang", 23, targets=True)
        self.compile()
        self.assert_runs("clang-21")
        self.assertIn("spirv64v1.2-unknown-unknown", self.calls[0])
        self.assertNotIn("-emit-llvm", self.calls[0])
        self.assertTrue((self.folder / "k.spv").read_bytes().startswith(b"\x03\x02\x23\x07"))
        self.remove("clang-20", "clang-21")
        self.compile()
        self.assert_runs("clang")
        self.install_pairs(19)
        self.compile()
        self.assert_runs("clang-19", "llvm-spirv-19")

    def test_of_a_named_clang_too(self):
        self.install_pairs(15)
        self.install("clang-22", targets=True)
        self.compile(TRANSPIRE_CLANG="clang-22")
        self.assert_runs("clang-22")

    def test_versions_and_targets_have_its_own_names(self):
        self.install("clang-22", targets=True)
        self.compile("--spirv-version", "1.4")
        self.assertIn("spirv64v1.4-unknown-unknown", self.calls[0])
        for option in ["-target spir-unknown-unknown", "--target=spir"]:
            self.compile("--build-options", option)
            self.assertIn("spirv32v1.2-unknown-unknown", " ".join(self.calls[0]))
            self.assertNotIn(option.split()[-1], self.calls[0])

    def test_before_19_it_is_not_used(self):
        self.install("clang-18", targets=True)
        self.compile(code=5)
        self.assert_runs()


class Errors(Toolchains):
    def test_nothing_there(self):
        numbers = [15, 14, 16, 17, 18, 19, 20, 21, 22]
        clangs, translators = [", ".join(f"{base}-{n}" for n in numbers) + f" and {base}" for base in ["clang", "llvm-spirv"]]
        first = "compiling OpenCL C needs clang and llvm-spirv of one version, which were not found"
        last = "nor was there a clang that writes SPIR-V by itself (`clang --print-targets` lists spirv64)"
        self.assert_refused([first, f"looked in PATH for {clangs}: there is none",
                             f"looked in PATH for {translators}: there is none", last])
        self.install("clang-16")
        self.install("clang", 14)
        self.install("llvm-spirv-15")
        self.assert_refused([first, f"looked in PATH for {clangs}: there is clang-16, clang",
                             f"looked in PATH for {translators}: there is llvm-spirv-15", last])

    def test_what_is_named_is_not_there(self):
        self.install_pairs(15)
        for variable in ["TRANSPIRE_CLANG", "TRANSPIRE_LLVM_SPIRV"]:
            self.assert_refused([f"{variable} names 'nothing-7', which is no program in PATH"], **{variable: "nothing-7"})
            self.assert_refused([f"{variable} names 'bin/nothing', which is no program"], **{variable: "bin/nothing"})
            self.assert_refused([f"{variable} names './bin', which is no program"], **{variable: "./bin"})
            self.assert_refused([f"{variable} names './k.cl', which is no program"], **{variable: "./k.cl"})

    def test_what_is_named_does_not_work(self):
        self.install_pairs(15)
        self.install("clang-16", says="something else")
        self.assert_refused(["TRANSPIRE_CLANG names 'clang-16', which does not work",
                             "`clang-16 --version` does not print 'clang version ' and a number"], TRANSPIRE_CLANG="clang-16")
        broken = self.bin / "broken"
        broken.write_text("#!/bin/sh\nexit 3\n")
        broken.chmod(0o755)
        self.assert_refused(["TRANSPIRE_LLVM_SPIRV names 'broken', which does not work",
                             "`broken --version` does not print 'LLVM version ' and a number"], TRANSPIRE_LLVM_SPIRV="broken")
        self.install("clang-13")
        self.assert_refused(["TRANSPIRE_CLANG names 'clang-13', whose version is 13: 14 is the oldest that works"],
                            TRANSPIRE_CLANG="clang-13")

    def test_what_is_named_has_no_other_half(self):
        self.install_pairs(15)
        self.install("clang-16")
        self.install("llvm-spirv-17")
        self.assert_refused(["TRANSPIRE_CLANG names 'clang-16' of version 16, for which no translator was found",
                             "looked in PATH for llvm-spirv-16 and for llvm-spirv of version 16",
                             "'clang-16' does not write SPIR-V by itself"], TRANSPIRE_CLANG="clang-16")
        self.assert_refused(["TRANSPIRE_LLVM_SPIRV names 'llvm-spirv-17' of version 17, for which no clang was found",
                             "looked in PATH for clang-17 and for clang of version 17"], TRANSPIRE_LLVM_SPIRV="llvm-spirv-17")
        self.assert_refused(["'llvm-spirv-15' of version 15 does not read what 'clang-16' of version 16 writes",
                             "TRANSPIRE_LLVM_SPIRV and TRANSPIRE_CLANG name them"],
                            TRANSPIRE_CLANG="clang-16", TRANSPIRE_LLVM_SPIRV="llvm-spirv-15")

    def test_a_program_that_is_found_and_cannot_be_run(self):
        self.install_pairs(15)
        (self.bin / "clang-15").write_text("#!/nowhere/interpreter\n")
        said = self.compile(code=5)
        self.assertEqual(said, "error[TSP-C0031]: compiling OpenCL C needs 'clang-15', which is found but cannot be run\n"
                               "  --> k.cl\n")


if __name__ == "__main__":
    main()
