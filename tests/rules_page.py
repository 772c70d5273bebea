#!/usr/bin/env python3
"""Makes docs/rules.md, the page of all rules, from what `transpire explain` knows.

With --update the page is rewritten; otherwise the script fails when it is out of date, or when a rule's
explanation does not say more than its title.
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

COLUMNS = 118

FAMILIES = {
    "D": ("Decoder", "These rules say what the words of a module must look like. A module that breaks one is refused when "
                     "it is loaded, with the offset of the word and the instruction that is wrong. Exit code 3."),
    "V": ("Validator", "`transpire validate` checks these rules beyond those below: SPIRV-Tools' opinion, and rules of later "
                       "versions of SPIR-V. Errors lead to exit code 3, warnings to none."),
    "ENV": ("Validator: the OpenCL environment", "OpenCL's environment specification requires this of a module, for the "
            "environment and the device that it is validated for. Rules with a P or a Q at the end say which modules have to "
            "be accepted. `transpire explain` shows a module that breaks the rule and one that does not. Errors lead to exit "
            "code 3."),
    "UNI": ("Validator: SPIR-V", "SPIR-V itself requires this of every module. Errors lead to exit code 3."),
    "LIM": ("Validator: limits of a module", "Every consumer has to accept modules up to these limits; a device's description "
            "may set larger ones. Errors lead to exit code 3."),
    "U": ("Not supported", "The VM does not execute these features. A kernel that uses one is refused before it runs. Exit "
                           "code 5."),
    "R": ("Findings", "A finding is a mistake that a kernel makes while it runs. The launch goes on. Equal findings (same "
                      "rule, instruction and allocation) are reported once, with a count and the first work-item. Errors "
                      "lead to exit code 4, warnings to none. After `--max-errors` distinct findings the launch ends."),
    "L": ("Limits", "A module or launch is too large or takes too long. Errors lead to exit code 6, warnings to none."),
    "C": ("Command line and launches", "A command, a launch file or the arguments of a launch are wrong. Exit code 2, but for "
                                       "TSP-C0023 (1), TSP-C0030 (3) and TSP-C0031 (5)."),
}
HEAD = """# Rules

Every diagnostic has a rule, whose id never changes. `transpire explain ID` prints one of these pages,
`transpire explain --format=json` all of them. Made by `tests/rules_page.py` from `base/rules/`
and from the rules beside the validator's checks (`validator/rules_*.cpp`).
"""


def family_of(rule: str) -> str:
    """D of TSP-D0003, ENV of TSP-ENV-2.1-07."""
    return re.match(r"TSP-([A-Z]+)", rule).group(1)


def markdown(text: str) -> str:
    """Plain text with `code` in it, as Markdown that shows the same."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([<*_])", r"\\\1", part) for part in parts)


def paragraphs(text: str) -> str:
    return "\n\n".join(textwrap.fill(markdown(paragraph), COLUMNS, break_long_words=False, break_on_hyphens=False)
                       for paragraph in text.split("\n\n"))


def page_of(rule: dict) -> str:
    kind = "" if rule["severity"] == "error" else f" ({rule['severity']})"
    text = f"\n### {rule['id']}: {markdown(rule['title'])}{kind}\n\n{paragraphs(rule['explanation'])}\n"
    if "clause" in rule:
        text += f"\n{paragraphs('Source: ' + rule['clause'])}\n"
    return text


def is_thin(rule: dict) -> bool:
    """A page says what is wrong and, in a second paragraph, why that happens or what to do."""
    return len(rule["explanation"].split("\n\n")) < 2


def main() -> int:
    root, transpire = pathlib.Path(sys.argv[1]), sys.argv[2]
    done = subprocess.run([transpire, "explain", "--format=json"], capture_output=True, text=True, check=True)
    rules = json.loads(done.stdout)["rules"]
    text, family = HEAD, ""
    for rule in rules:
        if family_of(rule["id"]) != family:
            family = family_of(rule["id"])
            title, what = FAMILIES[family]
            text += f"\n## {title}\n\n{paragraphs(what)}\n"
        text += page_of(rule)
    path = root / "docs/rules.md"
    if "--update" in sys.argv:
        path.write_text(text, encoding="utf-8")
    thin = [rule["id"] for rule in rules if is_thin(rule)]
    print(f"{len(rules)} rules, {len(thin)} with one paragraph only {' '.join(thin)}")
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        print("docs/rules.md is out of date: run tests/rules_page.py with --update")
        return 1
    return 1 if thin or not rules else 0


if __name__ == "__main__":
    sys.exit(main())
