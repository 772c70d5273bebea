"""Which built-in functions of OpenCL C a program calls, and with which parameters, from the syntax tree that clang prints
(-ast-dump). builtins_coverage.py uses it.

A call is the function's name with its parameters' types as OpenCL C writes them: ("fract", ("float4", "global float4*")). Each is
also there in the forms that an inventory may ask for: pointers into any address space ("float4*"), images of any access
("aQual image2d_t"), and the mere number of arguments ("...2").
"""
import re

Call = tuple[str, tuple[str, ...]]

NODE = re.compile(r"^([ |`]*-)?(\w+)")
REFERENCE = re.compile(r"DeclRefExpr .* Function 0x\w+ '(\w+)' '(.*?)'(?::'(.*?)')?(?: \(.*\))?$")
WHOLE_TYPE = re.compile(r"<.*?>+ '([^']*)'(?::'([^']*)')?")
VECTOR = re.compile(r"__attribute__\(\(ext_vector_type\((\d+)\)\)\)")
SPELLED = {"unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint", "unsigned long": "ulong"}
SPACES = ("global", "local", "constant", "private", "generic")


def spelled(clang_type: str) -> str:
    """'const __global float *__attribute__((ext_vector_type(4)))' is 'global float4*'."""
    width = "".join(VECTOR.findall(clang_type))
    bare = re.sub(r"_Atomic\(([\w ]+)\)", lambda match: "atomic_" + SPELLED.get(match[1], match[1]), VECTOR.sub("", clang_type))
    pointer = "*" if "*" in bare else ""
    bare = bare.split("*")[0] if pointer else bare
    words = [word.removeprefix("__") for word in bare.split() if word not in ("const", "volatile", "restrict", "enum")]
    space = "".join(word + " " for word in words if word in SPACES) if pointer else ""
    name = " ".join(word for word in words if word not in SPACES)
    return space + SPELLED.get(name, name) + width + pointer


def parameters(function_type: str) -> tuple[str, ...]:
    """Those of 'int (float, ...)'."""
    depth, begin, found = 0, function_type.index("(") + 1, []
    for at in range(begin, len(function_type)):
        letter = function_type[at]
        if depth == 0 and letter in ",)":
            found.append(function_type[begin:at].strip())
            begin = at + 1
        if depth == 0 and letter == ")":
            break
        depth += (letter == "(") - (letter == ")")
    return tuple(spelled(one) for one in found if one not in ("", "void"))


def forms(name: str, types: tuple[str, ...]) -> set[Call]:
    """A call as it is, and as an inventory may ask for it."""
    any_space = tuple(re.sub(rf"^({'|'.join(SPACES)}) (.*\*)$", r"\2", one) for one in types)
    any_access = tuple(re.sub(r"^(read_only|write_only|read_write) image", "aQual image", one) for one in types)
    return {(name, types), (name, any_space), (name, any_access)}


def depth_of(line: str) -> int:
    prefix = NODE.match(line)[1]
    return len(prefix) if prefix else 0


def children(lines: list[str], at: int) -> list[int]:
    """The lines of the nodes right below that one."""
    own, found = depth_of(lines[at]), []
    for below in range(at + 1, len(lines)):
        depth = depth_of(lines[below])
        if depth <= own:
            break
        if depth == own + 2:
            found.append(below)
    return found


def type_of(line: str) -> str:
    match = WHOLE_TYPE.search(line)
    return spelled(match[2] or match[1]) if match else ""


def callee(lines: list[str], call: int) -> str:
    """The function that a call names itself, through casts alone."""
    at = call + 1
    while at < len(lines) and ("ImplicitCastExpr" in lines[at] or "ParenExpr" in lines[at]):
        at += 1
    match = REFERENCE.search(lines[at]) if at < len(lines) else None
    return match[1] if match else ""


def calls(tree: str) -> set[Call]:
    lines, found = [line for line in tree.splitlines() if NODE.match(line)], set()
    for at, line in enumerate(lines):
        node = NODE.match(line)[2]
        if node == "DeclRefExpr" and (match := REFERENCE.search(line)):
            found |= forms(match[1], parameters(match[3] or match[2]))
        elif node == "CallExpr" and (name := callee(lines, at)):
            found.add((name, (f"...{len(children(lines, at)) - 1}",)))
        elif node == "AsTypeExpr":
            found.add((f"as_{type_of(line)}", (type_of(lines[at + 1]),)))
        elif node == "UnaryExprOrTypeTraitExpr" and " vec_step" in line:
            named = re.search(r" vec_step '([^']*)'(?::'([^']*)')?", line)
            found.add(("vec_step", (spelled(named[2] or named[1]) if named else type_of(lines[at + 1]),)))
    return found


TREE = """TranslationUnitDecl 0x1 <<invalid sloc>> <invalid sloc>
|-CallExpr 0x2 <col:3, col:9> 'float4':'float __attribute__((ext_vector_type(4)))'
| |-ImplicitCastExpr 0x3 <col:3> 'float (*)(float)' <FunctionToPointerDecay>
| | `-DeclRefExpr 0x4 <col:3> 'x' Function 0x5 'fract' 'float (float __attribute__((ext_vector_type(4))), float __global * __attribute__((ext_vector_type(4)))) __attribute__((ext_vector_type(4)))'
| |-DeclRefExpr 0x6 <col:7> 'float4':'float __attribute__((ext_vector_type(4)))' lvalue ParmVar 0x7 'v' 'float4'
| `-DeclRefExpr 0x8 <col:8> 'float4 *' lvalue ParmVar 0x9 'p' 'float4 *'
|-AsTypeExpr 0xa <col:3, col:5> 'int2':'int __attribute__((ext_vector_type(2)))'
| `-ImplicitCastExpr 0xb <col:4> 'double' <LValueToRValue>
`-UnaryExprOrTypeTraitExpr 0xc <col:1, col:2> 'unsigned long' vec_step 'uint3':'unsigned int __attribute__((ext_vector_type(3)))'
"""


def self_test() -> None:
    assert spelled("const volatile __generic _Atomic(unsigned long) *") == "generic atomic_ulong*"
    assert spelled("unsigned char __attribute__((ext_vector_type(16)))") == "uchar16"
    assert spelled("__read_only image2d_t") == "read_only image2d_t"
    assert spelled("const __constant char *__private") == "constant char*"
    assert spelled("enum memory_order") == "memory_order"
    assert parameters("int (const __constant char *__private, ...)") == ("constant char*", "...")
    assert parameters("void (void)") == ()
    found = calls(TREE)
    for call in [("fract", ("float4", "global float4*")), ("fract", ("float4", "float4*")), ("fract", ("...2",)),
                 ("as_int2", ("double",)), ("vec_step", ("uint3",))]:
        assert call in found, call
    assert not any(name == "fract" and "float*" in types for name, types in found)
