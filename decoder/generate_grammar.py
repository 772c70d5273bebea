"""Writes the decoder's tables from the grammar files of SPIRV-Headers.

Input:  --core spirv.core.grammar.json, beside which the grammars of extended instruction sets are,
        --sets extended_sets.def: the sets that compute, and which grammar each has,
        --newer newer_hints.json newer_instructions.json: what the installed grammar may be too old for
Output: --output grammar_tables.inc, included by decoder/grammar.cpp only: constexpr arrays of the
        row types that decoder/grammar.h declares. Rows of operands, enumerants and capabilities are
        shared through one pool each, so that the file compiles in a fraction of a second.
What the tables do not say: anything about meaning; that is authored where it is used.
"""
import argparse
import json
import pathlib
import re

COMPUTING_SET = re.compile(r'^TRANSPIRE_COMPUTING_SET\((\w+), "[^"]*", "([^"]*)"\)', re.M)

QUANTIFIERS = {"": "kOne", "?": "kOptional", "*": "kAny"}

# Vendor spellings of an opcode or enumerant that has a plain one lose against it.
VENDOR_SUFFIXES = ("KHR", "EXT", "NV", "NVX", "AMD", "INTEL", "GOOGLE")


class Pool:
    """A flat array in which equal runs of entries are stored once."""

    def __init__(self):
        self.entries = []
        self.starts = {}

    def add(self, run):
        run = tuple(run)
        if not run:
            return 0
        if run not in self.starts:
            self.starts[run] = len(self.entries)
            self.entries.extend(run)
        return self.starts[run]


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def version_word(row):
    """0x00010300 for "1.3"; 0 for the first version, all ones for extensions only."""
    text = row.get("version")
    if text is None:
        return 0
    if text == "None":
        return 0xFFFFFFFF
    major, minor = text.split(".")
    return int(major) << 16 | int(minor) << 8


def canonical(rows, key, name):
    """One row per number, in numeric order; a name without vendor suffix wins, with the extensions of
    all names: what a version took over, an extension may still bring to older ones."""
    best = {}
    extensions = {}
    for row in rows:
        value = number(row[key])
        known = extensions.setdefault(value, [])
        known.extend(e for e in row.get("extensions", []) if e not in known)
        old = best.get(value)
        if old is None or (old[name].endswith(VENDOR_SUFFIXES) and
                           not row[name].endswith(VENDOR_SUFFIXES)):
            best[value] = row
    return [dict(best[value], extensions=extensions[value]) for value in sorted(best)]


def class_name(row):
    name = row["class"]
    return "Reserved" if name.startswith("@") else name


def add_instructions(core, newer):
    """Adds the instructions that the grammar lacks; their numbers."""
    known = {row["opcode"] for row in core["instructions"]}
    added = [row for row in newer.get("instructions", []) if row["opcode"] not in known]
    core["instructions"] += added
    return {row["opcode"] for row in added}


def add_kinds(core, newer):
    """Adds the enumerants that the grammar lacks; the names of them, each with its kind and number, but for kinds that are new
    themselves: these stand behind another new name, which tells the kind."""
    names = {}
    for kind in newer["operand_kinds"]:
        known = next((k for k in core["operand_kinds"] if k["kind"] == kind["kind"]), None)
        if known is None:
            core["operand_kinds"].append(kind)
            continue
        values = {number(row["value"]) for row in known["enumerants"]}
        for row in kind["enumerants"]:
            if row["value"] in values:
                continue
            known["enumerants"].append(row)
            names.update((name, (kind["kind"], row["value"]))
                         for name in [row["enumerant"], *row.get("aliases", [])])
    return names


class Tables:
    def __init__(self, core, sets, newer):
        """`sets`: the grammar of each, by name. `newer`: several grammars."""
        self.newer_names, self.newer_opcodes = {}, set()
        for grammar in newer:
            self.newer_names |= add_kinds(core, grammar)
            self.newer_opcodes |= add_instructions(core, grammar)
        capabilities = next(kind for kind in core["operand_kinds"] if kind["kind"] == "Capability")
        self.capability_numbers = {row["enumerant"]: row["value"] for row in capabilities["enumerants"]}
        self.core = core
        self.sets = sets
        self.operands = Pool()
        self.capabilities = Pool()
        self.extensions = Pool()
        self.kinds = [kind["kind"] for kind in core["operand_kinds"]]
        self.categories = {kind["kind"]: kind["category"] for kind in core["operand_kinds"]}

    def operand_span(self, row, field="operands"):
        run = [(operand["kind"], QUANTIFIERS[operand.get("quantifier", "")])
               for operand in row.get(field, [])
               if operand["kind"] not in ("IdResultType", "IdResult")]
        return "{{kOperands + {}, {}}}".format(self.operands.add(run), len(run))

    def requirements(self, row):
        capabilities = row.get("capabilities", [])
        extensions = row.get("extensions", [])
        return "{{{:#x}, {{kRequiredCapabilities + {}, {}}}, {{kRequiredExtensions + {}, {}}}}}".format(
            version_word(row), self.capabilities.add(capabilities), len(capabilities),
            self.extensions.add(extensions), len(extensions))

    def opcode_rows(self):
        for row in canonical(self.core["instructions"], "opcode", "opname"):
            kinds = [operand["kind"] for operand in row.get("operands", [])]
            yield '{{{}, "{}", "{}", {}, {}, {}, {}, {}}}'.format(
                row["opcode"], row["opname"], class_name(row), self.operand_span(row),
                "true" if "IdResultType" in kinds else "false",
                "true" if "IdResult" in kinds else "false",
                "true" if row["opcode"] in self.newer_opcodes else "false", self.requirements(row))

    def enumerant_rows(self):
        """The pool of enumerants, and per kind its first entry and how many."""
        rows, spans = [], {}
        for kind in self.core["operand_kinds"]:
            enumerants = canonical(kind.get("enumerants", []), "value", "enumerant")
            spans[kind["kind"]] = (len(rows), len(enumerants))
            for row in enumerants:
                rows.append('{{{:#x}, "{}", {}, {}}}'.format(
                    number(row["value"]), row["enumerant"], self.operand_span(row, "parameters"),
                    self.requirements(row)))
        return rows, spans

    def ext_inst_rows(self):
        """By set, in the order of decoder/extended_sets.def, and number."""
        for name, grammar in self.sets.items():
            for row in canonical(grammar["instructions"], "opcode", "opname"):
                yield '{{ExtendedSet::k{}, {}, "{}", {}}}'.format(name, row["opcode"], row["opname"],
                                                                 self.operand_span(row))


def array(out, declaration, rows):
    out.append("constexpr {}[] = {{".format(declaration))
    out.extend("  {},".format(row) for row in rows)
    out.append("};")


def render(tables):
    opcodes = list(tables.opcode_rows())
    enumerants, spans = tables.enumerant_rows()
    ext_insts = list(tables.ext_inst_rows())
    kind_rows = ['{{"{}", Category::k{}, {}, {}}}'.format(kind, tables.categories[kind],
                                                         *spans[kind]) for kind in tables.kinds]
    out = ["// Generated by decoder/generate_grammar.py from SPIRV-Headers; do not edit."]
    array(out, "OperandSpec kOperands",
          ["{{OperandKind::k{}, Quantifier::{}}}".format(*entry)
           for entry in tables.operands.entries])
    array(out, "spv::Capability kRequiredCapabilities",
          ["spv::Capability({})".format(tables.capability_numbers[name]) for name in tables.capabilities.entries])
    array(out, "std::string_view kRequiredExtensions",
          ['"{}"'.format(name) for name in tables.extensions.entries])
    array(out, "OpcodeInfo kOpcodes", opcodes)
    array(out, "EnumerantInfo kEnumerants", enumerants)
    array(out, "KindRow kKinds", kind_rows)
    array(out, "ExtInstInfo kExtInsts", ext_insts)
    # One row at least: an array of none is none.
    array(out, "NewerName kNewerNames",
          ['{{"{}", OperandKind::k{}, {}}}'.format(name, *meaning)
           for name, meaning in sorted(tables.newer_names.items())] or ['{"", OperandKind::kCapability, 0}'])
    return "\n".join(out) + "\n"


def render_kinds(tables):
    out = ["// Generated by decoder/generate_grammar.py from SPIRV-Headers; do not edit."]
    out.extend("k{},".format(kind) for kind in tables.kinds)
    return "\n".join(out) + "\n"


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", required=True)
    parser.add_argument("--sets", required=True)
    parser.add_argument("--newer", required=True, nargs="+")
    parser.add_argument("--output", required=True, help="the tables")
    parser.add_argument("--kinds", required=True, help="the enumerators of OperandKind")
    arguments = parser.parse_args()
    core = read_json(arguments.core)
    headers = pathlib.Path(arguments.core).parent
    sets = {name: read_json(headers / "extinst.{}.grammar.json".format(grammar))
            for name, grammar in COMPUTING_SET.findall(pathlib.Path(arguments.sets).read_text(encoding="utf-8"))}
    tables = Tables(core, sets, [read_json(path) for path in arguments.newer])
    with open(arguments.output, "w", encoding="utf-8") as output:
        output.write(render(tables))
    with open(arguments.kinds, "w", encoding="utf-8") as output:
        output.write(render_kinds(tables))


if __name__ == "__main__":
    main()
