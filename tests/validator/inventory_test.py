#!/usr/bin/env python3
"""Every rule of the inventory has a page and examples, and docs/validator.md compares us with spirv-val.

Rules that a run decides as well (base/rules/found_at_run.def) each have a launch in tests/programs that shows the finding.

The inventory (tests/data/env_rules.json) lists what the specifications ask. A rule that a module can break has
a bad and a good example, one that says what has to be accepted a good one; what neither can show stands in
EXEMPT with the reason. With --update the comparison in docs/validator.md is rewritten: every rule's examples,
judged by us and, where it is installed, by spirv-val; without, it has to be up to date as far as it names rules.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "validator")]
from command import golden_programs  # noqa: E402
from embed_examples import examples  # noqa: E402

EXEMPT = {
    "UNI-14": "matrices are refused by ENV-2.4-05 and ENV-CAP-Matrix before",
    "UNI-25": "the environment's list of storage classes, ENV-2.1-17, replaces it",
}
ACCEPTS = {"positive", "positive-ext", "unspecified"}
BEGIN, END = "<!-- comparison: begin -->\n", "<!-- comparison: end -->\n"


def missing(rules: list, pages: dict, found: dict) -> list:
    wrong = []
    for rule in rules:
        name = rule["id"]
        if name in EXEMPT:
            continue
        if f"TSP-{name}" not in pages:
            wrong.append(f"{name}: 'transpire explain' has no page")
        kinds = found.get(name, {})
        if "good" not in kinds:
            wrong.append(f"{name}: no good example")
        if "bad" not in kinds and rule["class"] not in ACCEPTS:
            wrong.append(f"{name}: no bad example")
    for name in EXEMPT:
        if name not in {rule["id"] for rule in rules}:
            wrong.append(f"{name}: exempt, but not in the inventory")
    for page in pages:
        is_ours = re.match(r"TSP-(ENV|UNI|LIM|V)", page) and page not in ("TSP-V0001", "TSP-V0050")
        if is_ours and page[4:] not in found and page[4:] not in EXEMPT:
            wrong.append(f"{page}: no example")
    return wrong


def without_launch(root: pathlib.Path, transpire: str, pages: dict) -> list:
    """Rules found at run that no golden program expects, or that are no rules of the validator."""
    table = (root / "base/rules/found_at_run.def").read_text(encoding="utf-8")
    rules = re.findall(r'^TRANSPIRE_RUN_RULE\(\w+, "([^"]+)"', table, re.MULTILINE)
    programs = "".join(path.read_text(encoding="utf-8") for path in golden_programs(transpire).rglob("*.spvasm"))
    expected = set(re.findall(r"expect fault (\S+)", programs))
    wrong = [f"{rule}: found at run, but no program in tests/programs expects it" for rule in rules
             if rule not in expected]
    wrong += [f"{rule}: found at run, but 'transpire explain' has no page" for rule in rules if rule not in pages]
    return wrong if rules else ["base/rules/found_at_run.def has no rules"]


def header(text: str, key: str) -> str:
    return re.search(rf"^; {key}: (.*)$", text, re.MULTILINE).group(1).strip()


def spirv_val(text: str) -> str:
    """What spirv-val says of an example: accepts, rejects, or nothing when text cannot express it."""
    if re.search(r"^; (word |append:|truncate:|byte-order:)", text, re.MULTILINE):
        return ""
    version = header(text, "Version")
    with tempfile.NamedTemporaryFile(suffix=".spv") as module:
        made = subprocess.run(["spirv-as", "--target-env", f"spv{version}", "--preserve-numeric-ids", "-", "-o",
                               module.name], input=text.encode(), capture_output=True, check=False)
        if made.returncode != 0:
            return ""
        environment = header(text, "env").replace("opencl3.0", "opencl2.2")
        done = subprocess.run(["spirv-val", "--target-env", environment, module.name], capture_output=True,
                              check=False)
    return "accepts" if done.returncode == 0 else "rejects"


def comparison(rules: list, found: dict) -> str:
    rows, counts = [], {}
    for rule in rules:
        kinds = found.get(rule["id"], {})
        bad = spirv_val(kinds["bad"]) if "bad" in kinds else ""
        good = spirv_val(kinds["good"]) if "good" in kinds else ""
        verdict = ("misses it" if bad == "accepts" else "false rejection" if good == "rejects" else
                   "agrees" if bad or good else "not asked")
        if bad == "accepts" and good == "rejects":
            verdict = "misses it, and a false rejection"
        counts[verdict] = counts.get(verdict, 0) + 1
        if verdict not in ("agrees", "not asked"):
            rows.append(f"| TSP-{rule['id']} | {rule['statement'].replace('POSITIVE: ', '').replace('|', ' ')} | {verdict} |\n")
    said = {"agrees": "agrees with {} rules", "misses it": "accepts the example that breaks the rule for {} (`misses it`)",
            "not asked": "is not asked about {}, which have no example in assembly text",
            "false rejection": "rejects the example that keeps the rule for {} (`false rejection`)",
            "misses it, and a false rejection": "does both for {}"}
    summary = ", ".join(said[verdict].format(count) for verdict, count in sorted(counts.items(), key=lambda c: -c[1]))
    return (f"The {len(rules)} rules of `tests/data/env_rules.json` have examples that break them and examples that keep them. spirv-val judges each "
            f"in its environment. It {summary}. Transpire judges all of them as the rule says (`validator_examples`). This table has the "
            "differences. spirv-val rejects every module of OpenCL 1.2 with the capability Groups, also those without the instructions of "
            "TSP-ENV-6.3-01.\n\n"
            "| rule | statement | spirv-val |\n|---|---|---|\n" + "".join(rows))


def main() -> int:
    root, transpire = pathlib.Path(sys.argv[1]), sys.argv[2]
    rules = json.loads((root / "tests/data/env_rules.json").read_text(encoding="utf-8"))
    done = subprocess.run([transpire, "explain", "--format=json"], capture_output=True, text=True, check=True)
    pages = {page["id"]: page for page in json.loads(done.stdout)["rules"]}
    found = examples(root / "validator/examples")
    wrong = missing(rules, pages, found) + without_launch(root, transpire, pages)
    document = root / "docs/validator.md"
    text = document.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    if "--update" in sys.argv:
        table = comparison(rules, found)
        document.write_text(before + BEGIN + table + END + after, encoding="utf-8")
    named = set(re.findall(r"^\| TSP-(\S+) \|", table, re.MULTILINE))
    wrong += [f"{name}: in docs/validator.md, but not in the inventory"
              for name in sorted(named - {rule["id"] for rule in rules})]
    if not named:
        wrong.append("docs/validator.md has no comparison: run tests/validator/inventory_test.py with --update")
    print("\n".join(wrong))
    print(f"{len(rules)} rules, {len(found)} with examples, {len(EXEMPT)} exempt, {len(wrong)} wrong")
    return 1 if wrong or not rules else 0


if __name__ == "__main__":
    sys.exit(main())
