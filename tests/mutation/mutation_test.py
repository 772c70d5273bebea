#!/usr/bin/env python3
"""Seeded bugs in correct programs, and whether one run with --check=all finds them.

Programs are golden ones (tests/programs), shaders among them, and kernels of bench/, compiled, and changed as SPIR-V (mutants.py). A mutant counts
as wrong where one of these shows it, all without checks and on one thread:
  - its results in lockstep are not those that the launch expects;
  - `transpire fuzz` finds two orders of work-items that leave different results, or one that fails, of serial, reverse and
    SEEDS random ones;
  - the same of its witness, which an implementation may make of it: a barrier whose fence is gone may order nothing, and
    what was never written may be any value;
  - the model of publishing (mutants.publishes), of atomics and fences that lost their order, and of memory that lost Coherent.
Found means: a run with --check=all, in lockstep, has a finding; of those that lockstep shows to be wrong also that their results
are not those that are expected. What is wrong and not found must be listed in NOT_FOUND with the reason, and nothing else may.
The programs themselves have no finding. Which mutants there are depends on nothing but the programs and their compiler.

docs/checkers.md has a table of it, which `--update` writes. The table holds no count that depends on the width of a batch.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import compiles_opencl_c, golden_programs  # noqa: E402
from mutants import KINDS, UNINITIALISED, Mutant, mutants_of  # noqa: E402
from spirv import Grammar, Module  # noqa: E402

SEEDS = 12
LEAST = 300
LOCKSTEP = "its results in lockstep"
NOT_COHERENT = "TSP-R0108"  # a warning that nothing but a mistake causes
LIMITS = ["--max-steps", "50000", "--timeout", "60", "--subgroup-size", "32", "-q"]
BEGIN, END = "<!-- made by tests/mutation/mutation_test.py --update -->", "<!-- end of tests/mutation/mutation_test.py -->"

GOLDEN = """atomic/divergent atomic/exchange atomic/global_32 atomic/handover atomic/histogram atomic/local_32 atomic/old_values
barrier/global_fence barrier/in_function barrier/race_free barrier/reduction barrier/reverse barrier/reverse_odd barrier/scan
barrier/two_dimensions barrier/uniform_branch barrier/work_group_barrier group/async_copies memory/generic_c20
memory/local_arrays memory/packed_tiles memory/struct_tiles memory/transposes producers/static_local""".split()

SHADERS = """shader/atomic_Add_shared_uint.comp shader/atomic_Max_buffer_int.comp shader/buffer_barrier.comp
shader/coherent_coherent.comp shader/descriptor_arrays.comp shader/exchange_shared_uint.comp shader/layouts.comp
shader/memory_model.comp shader/storage_push.comp shader/storage_shared.comp shader/workgroup_zeros.comp
clspv/arguments_push.spvasm""".split()

# Wrong by the models and not found, each with the reason.
ATOMIC_INIT = "the compiler makes an atomic store of atomic_init, and two atomics are no data race, whichever is first"
NOT_FOUND = {f"atomic/handover: {bug}": ATOMIC_INIT for bug in ("barrier dropped 1", "fence weakened 1", "fence weakened 2")}
NOT_FOUND["shader/memory_model: atomic relaxed 1"] = "what the model takes for published, a barrier orders as well"


@dataclass
class Program:
    name: str
    source: pathlib.Path
    launch: str  # without its module
    options: str


@dataclass
class Case:
    name: str  # "barrier/scan: barrier dropped 2"
    mutant: Mutant
    launch: str
    ignored: list[str]  # buffers of the program whose contents may be in any order


@dataclass
class Verdict:
    wrong: str = ""  # what shows it; empty: nothing
    found: str = ""  # rules, or "expectation"; empty: nothing
    refused: bool = False

    def is_found(self) -> bool:
        """Whether one run in lockstep tells, by a finding where its results are right."""
        return "TSP-" in self.found or (self.wrong == LOCKSTEP and self.found != "")


def programs_of(root: pathlib.Path, transpire: str) -> list[Program]:
    programs = []
    for name in GOLDEN:
        source = golden_programs(transpire) / f"{name}.cl"
        lines = re.findall(r"^//! ?(.*)", source.read_text(encoding="utf-8"), re.MULTILINE)
        options = " ".join(line.removeprefix("options ") for line in lines if line.startswith("options "))
        launch = "\n".join(line for line in lines if not line.startswith(("options ", "check ")))
        programs.append(Program(name, source, launch, options))
    for name in SHADERS if shutil.which("glslangValidator") else []:
        source = golden_programs(transpire) / name
        lines = re.findall(r"^(?://|;)! ?(.*)", source.read_text(encoding="utf-8"), re.MULTILINE)
        launch = "\n".join(line for line in lines if not line.startswith("check "))
        programs.append(Program(name.rsplit(".", 1)[0], source, launch, ""))
    for launch in sorted((root / "tests/mutation/launches").glob("*.launch")):
        source = root / "bench/kernels" / f"{launch.stem}.cl"
        programs.append(Program(f"bench/{launch.stem}", source, launch.read_text(encoding="utf-8"), ""))
    return programs


class Suite:
    def __init__(self, transpire: str, root: pathlib.Path, grammar: pathlib.Path, folder: pathlib.Path):
        self.transpire, self.root, self.folder = transpire, root, folder
        self.grammar = Grammar(grammar)
        self.environment = dict(os.environ, TRANSPIRE_THREADS="1")

    def call(self, *words: object) -> subprocess.CompletedProcess:
        return subprocess.run([self.transpire, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env=self.environment, timeout=1200, check=False)

    def compiled(self, program: Program, level: str) -> Module:
        path = self.folder / f"{program.name.replace('/', '_')}{level}.spv"
        if program.source.suffix == ".spvasm":
            subprocess.run(["spirv-as", "--target-env", "spv1.3", program.source, "-o", path], check=True)
            return Module.read(self.grammar, path.read_bytes())
        words = [f"--build-options={program.options}"] if program.options else []
        words += [] if program.source.suffix == ".comp" else [f"-O{level}"]
        done = self.call("compile", program.source, "-o", path, *words)
        if done.returncode != 0:
            sys.exit(f"{program.name}: {done.stdout}{done.stderr}")
        return Module.read(self.grammar, path.read_bytes())

    def launch_file(self, name: str, module: Module, launch: str) -> pathlib.Path:
        stem = re.sub(r"[^a-zA-Z0-9]+", "_", name)
        (self.folder / f"{stem}.spv").write_bytes(module.bytes())
        path = self.folder / f"{stem}.launch"
        path.write_text(f"module {stem}.spv\n{launch}\n", encoding="utf-8")
        return path

    def checked(self, path: pathlib.Path) -> tuple[bool, str]:
        """Whether the module is refused, and what one run with all checks finds."""
        report = json.loads(self.call("run", path, "--check=all", *LIMITS, "--format=json").stdout)
        if report["errors"] and not report["findings"]:
            return True, ""
        rules = sorted({each["rule"] for each in report["findings"]
                        if not each.get("expected") and (each["severity"] == "error" or each["rule"] == NOT_COHERENT)})
        unmet = ["expectation"] if report["expectations"]["failures"] else []
        return False, " ".join(rules + unmet)

    def in_any_order(self, path: pathlib.Path) -> list[str]:
        """Buffers that a right program leaves in another way in each order, such as who came first."""
        ignored: list[str] = []
        while True:
            words = ["--check=none", "--runs", SEEDS, *LIMITS, *(f"--ignore={name}" for name in ignored), "--format=json"]
            report = json.loads(self.call("fuzz", path, *words).stdout)
            if report["exit_code"] == 0:
                return ignored
            if "difference" not in report:
                sys.exit(f"{path.stem} is not right as it is: {report}")
            ignored.append(report["difference"]["buffer"])

    def shown(self, path: pathlib.Path, ignored: list[str]) -> str:
        """What shows that it is wrong; empty: no order does."""
        if self.call("run", path, "--check=none", *LIMITS).returncode != 0:
            return LOCKSTEP
        words = ["--check=none", "--runs", SEEDS, "--jobs", 1, *LIMITS, *(f"--ignore={name}" for name in ignored)]
        done = self.call("fuzz", path, *words)
        return "an order of work-items" if done.returncode != 0 else ""

    def with_results(self, program: Program, module: Module) -> str:
        """The launch, which expects what it leaves in its buffers now: those of bench/ have no expectations."""
        if "expect " in program.launch:
            return program.launch
        names = re.findall(r"^(?:arg|buffer) (\w+) = [a-z0-9]+:(?!\d+$)", program.launch, re.MULTILINE)
        path = self.launch_file(program.name, module, program.launch)
        stem = program.name.replace("/", "_")
        files = {name: f"{stem}_{name}.bin" for name in dict.fromkeys(names)}
        done = self.call("run", path, *LIMITS, *(f"--out={name}={file}" for name, file in files.items()))
        if done.returncode != 0:
            sys.exit(f"{program.name}: {done.stdout}{done.stderr}")
        return "\n".join([program.launch, *(f"expect {name} = bytes:file:{file}" for name, file in files.items())])

    def cases_of(self, program: Program) -> list[Case]:
        cases = []
        levels = "20" if program.source.suffix == ".cl" else "2"
        for level in levels:
            original = self.compiled(program, level)
            launch = self.with_results(program, original)
            path = self.launch_file(f"{program.name} O{level}", original, launch)
            refused, found = self.checked(path)
            ignored = self.in_any_order(path)
            if refused or found or self.shown(path, ignored):
                sys.exit(f"{program.name} at -O{level} is not right as it is: {found or self.call('run', path).stderr}")
            count: Counter[str] = Counter()
            for mutant in mutants_of(original):
                # Without the optimiser there are initialisers to remove; all else would be there twice.
                if (mutant.kind == UNINITIALISED) != (level == "0") and len(levels) > 1:
                    continue
                count[mutant.kind] += 1
                cases.append(Case(f"{program.name}: {mutant.kind} {count[mutant.kind]}", mutant, launch, ignored))
        return cases

    def judge(self, case: Case) -> Verdict:
        path = self.launch_file(case.name, case.mutant.module, case.launch)
        refused, found = self.checked(path)
        if refused:
            return Verdict(refused=True)
        wrong = self.shown(path, case.ignored)
        if not wrong and case.mutant.witness is not None:
            witness = self.launch_file(f"{case.name} witness", case.mutant.witness, case.launch)
            wrong = self.shown(witness, case.ignored) and "its witness"
        if not wrong and case.mutant.publishes:
            wrong = "the model of publishing"
        return Verdict(wrong, found)


def table_of(verdicts: list[tuple[Case, Verdict]]) -> str:
    generator = verdicts[0][0].mutant.module.generator()
    lines = [f"Compiled by {generator}.", "", "| seeded bug | made | wrong | found | found besides |", "|---|---|---|---|---|"]
    total = [0] * 4
    for kind in KINDS:
        mine = [verdict for case, verdict in verdicts if case.mutant.kind == kind and not verdict.refused]
        if not any(case.mutant.kind == kind for case, _ in verdicts):
            continue
        row = [len(mine), sum(bool(v.wrong) for v in mine), sum(bool(v.wrong) and v.is_found() for v in mine),
               sum(v.is_found() and not v.wrong for v in mine)]
        total = [a + b for a, b in zip(total, row)]
        lines.append(f"| {kind} | {' | '.join(map(str, row))} |")
    return "\n".join([*lines, f"| all | {' | '.join(map(str, total))} |"]) + "\n"


def check_table(docs: pathlib.Path, table: str, update: bool) -> list[str]:
    text = docs.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN + "\n")
    old, after = rest.split(END)
    if update and old != table:
        docs.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")
    return [] if update or old == table else [f"{docs.name} is not up to date, --update writes it:\n{table}"]


def mistakes_in(verdicts: list[tuple[Case, Verdict]], is_usual_compiler: bool) -> list[str]:
    mistakes = []
    for case, verdict in verdicts:
        if verdict.wrong and not verdict.is_found() and case.name not in NOT_FOUND:
            mistakes.append(f"{case.name} ({case.mutant.what}) is wrong by {verdict.wrong}, and not found")
        if case.name in NOT_FOUND and is_usual_compiler and (verdict.is_found() or not verdict.wrong):
            mistakes.append(f"{case.name} is listed as not found: {verdict}")
    return mistakes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transpire")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("grammar", type=pathlib.Path, help="spirv.core.grammar.json")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="", help="mutants with this in their names")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what is run")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if not compiles_opencl_c(options.transpire):
        print("no compiler of OpenCL C")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        suite = Suite(os.path.abspath(options.transpire), options.root.resolve(), options.grammar, folder.resolve())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = [case for cases in pool.map(suite.cases_of, programs_of(suite.root, suite.transpire)) for case in cases]
            cases = [case for case in made if options.only in case.name]
            verdicts = list(zip(cases, pool.map(suite.judge, cases)))
    if options.verbose:
        for case, verdict in verdicts:
            print(f"{case.name} ({case.mutant.what}): {verdict}")
    accepted = sum(not verdict.refused for _, verdict in verdicts)
    docs = suite.root / "docs/checkers.md"
    kinds = [[row for row in verdicts if row[0].mutant.module.is_shader() == is_shader] for is_shader in (False, True)]
    tables = [table_of(rows) for rows in kinds if rows]
    table = "\n".join(tables)
    print(table)
    unseen = sum(verdict.wrong not in ("", LOCKSTEP) for _, verdict in verdicts)
    print(f"{unseen} wrong mutants have the right results in lockstep: how many depends on the width of a batch")
    # Another compiler makes other programs of the sources, and so other mutants: they have no table.
    text = docs.read_text(encoding="utf-8")
    is_usual = options.update or (len(tables) == 2 and all(each.split("\n", 1)[0] in text for each in tables))
    mistakes = mistakes_in(verdicts, is_usual)
    if not options.only:
        mistakes += [f"{accepted} mutants, expected at least {LEAST}"] if accepted < LEAST else []
        mistakes += check_table(docs, table, options.update) if is_usual else []
    print("\n".join([f"{len(made)} mutants made of {len(programs_of(suite.root, suite.transpire))} programs, {accepted} run", *mistakes]))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
