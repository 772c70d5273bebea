"""SPIR-V modules as lists of instructions that can be changed: decoded by SPIRV-Headers' grammar, written back as words."""
import json
import pathlib
import struct
from dataclasses import dataclass, field

MAGIC = 0x07230203
FUNCTION, CROSS_WORKGROUP, WORKGROUP, STORAGE_BUFFER = 7, 5, 4, 12  # storage classes
SHADER = 1  # a capability
TOOLS = {6: "the LLVM/SPIR-V translator", 8: "glslang"}


class Grammar:
    """Names and numbers of opcodes, and which of an instruction's first operands are its type and its result."""

    def __init__(self, path: pathlib.Path):
        rows = json.loads(path.read_text(encoding="utf-8"))["instructions"]
        self.names: dict[int, str] = {}
        self.results: dict[str, tuple[bool, bool]] = {}
        for row in rows:
            self.names.setdefault(row["opcode"], row["opname"])
            kinds = [operand["kind"] for operand in row.get("operands", [])]
            self.results[row["opname"]] = ("IdResultType" in kinds, "IdResult" in kinds)
        self.numbers = {name: number for number, name in reversed(self.names.items())}


@dataclass
class Instruction:
    name: str
    words: list[int]  # operands, the result's type and the result among them

    def copy(self) -> "Instruction":
        return Instruction(self.name, list(self.words))


@dataclass
class Module:
    grammar: Grammar
    header: list[int]
    code: list[Instruction]
    types: dict[int, int] = field(default_factory=dict)  # of results
    definitions: dict[int, Instruction] = field(default_factory=dict)

    @staticmethod
    def read(grammar: Grammar, data: bytes) -> "Module":
        words = struct.unpack(f"<{len(data) // 4}I", data)
        if words[0] != MAGIC:
            raise ValueError("no SPIR-V in this machine's byte order")
        module, at = Module(grammar, list(words[:5]), []), 5
        while at < len(words):
            count, opcode = words[at] >> 16, words[at] & 0xffff
            module.code.append(Instruction(grammar.names[opcode], list(words[at + 1:at + count])))
            at += count
        module.index()
        return module

    def index(self) -> None:
        self.types, self.definitions = {}, {}
        for each in self.code:
            typed, has_result = self.grammar.results[each.name]
            if not has_result:
                continue
            result = each.words[1 if typed else 0]
            self.definitions[result] = each
            if typed:
                self.types[result] = each.words[0]

    def copy(self) -> "Module":
        other = Module(self.grammar, list(self.header), [each.copy() for each in self.code])
        other.index()
        return other

    def bytes(self) -> bytes:
        words = list(self.header)
        for each in self.code:
            words += [(len(each.words) + 1) << 16 | self.grammar.numbers[each.name], *each.words]
        return struct.pack(f"<{len(words)}I", *words)

    def generator(self) -> str:
        """What made it: a tool's number, which the SPIR-V registry lists, and its version."""
        tool, version = self.header[2] >> 16, self.header[2] & 0xffff
        return f"{TOOLS.get(tool, f'tool {tool}')} {version}"

    def is_shader(self) -> bool:
        return any(each.name == "OpCapability" and each.words[0] == SHADER for each in self.code)

    def new_id(self) -> int:
        self.header[3] += 1
        return self.header[3] - 1

    def name_of(self, number: int) -> str:
        """The opcode that defines an <id>; empty: none."""
        return self.definitions[number].name if number in self.definitions else ""

    def constant_value(self, number: int) -> int | None:
        """Of an integer constant; null is 0."""
        definition = self.definitions.get(number)
        if definition is None or definition.name not in ("OpConstant", "OpConstantNull"):
            return None
        if self.name_of(definition.words[0]) != "OpTypeInt":
            return None
        words = definition.words[2:]
        return words[0] | (words[1] << 32 if len(words) > 1 else 0) if words else 0

    def width_of(self, type_id: int) -> int:
        """Bits of an integer or a float; 0: the type is neither."""
        definition = self.definitions.get(type_id)
        return definition.words[1] if definition and definition.name in ("OpTypeInt", "OpTypeFloat") else 0

    def constant(self, type_id: int, value: int) -> int:
        """A constant of an integer or float type, by its bits; a new one where there is none yet."""
        words = [value & 0xffffffff] + ([value >> 32] if self.width_of(type_id) == 64 else [])
        for number, each in self.definitions.items():
            if each.name == "OpConstant" and each.words[0] == type_id and each.words[2:] == words:
                return number
        return self._declare(type_id, Instruction("OpConstant", [type_id, self.new_id(), *words]), 1)

    def bool_type(self) -> int:
        for number, each in self.definitions.items():
            if each.name == "OpTypeBool":
                return number
        first = next(i for i, each in enumerate(self.code) if each.name.startswith("OpType"))
        new = Instruction("OpTypeBool", [self.new_id()])
        self.code.insert(first, new)
        self.index()
        return new.words[0]

    def _declare(self, behind: int, new: Instruction, result: int) -> int:
        self.code.insert(self.code.index(self.definitions[behind]) + 1, new)
        self.index()
        return new.words[result]

    def root_of(self, pointer: int) -> int:
        """What a pointer is made from: a variable or a parameter, as far as a chain of instructions tells."""
        chains = ("AccessChain", "PtrAccessChain", "OpBitcast", "OpPtrCastToGeneric", "OpGenericCastToPtr", "OpCopyObject")
        for _ in range(64):
            definition = self.definitions.get(pointer)
            if definition is None or not definition.name.endswith(chains):
                return pointer
            pointer = definition.words[2]
        return pointer

    def storage_of(self, pointer: int) -> int:
        """The storage class of an <id> that is a pointer; -1: it is none."""
        definition = self.definitions.get(self.types.get(pointer, 0))
        return definition.words[1] if definition and definition.name == "OpTypePointer" else -1
