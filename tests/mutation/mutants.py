"""Seeded bugs: small changes of a module, each of which is what somebody forgets or mistypes.

A mutant may have a witness: a module that an implementation of OpenCL may make of the mutant, whose results show by the
order of work-items what the mutant's own do not show here, because this implementation orders more than it has to.
"""
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spirv import CROSS_WORKGROUP, FUNCTION, STORAGE_BUFFER, WORKGROUP, Instruction, Module

LOCAL, GLOBAL, UNIFORM = 0x100, 0x200, 0x40  # of memory semantics: WorkgroupMemory, CrossWorkgroupMemory, UniformMemory
MEMORY = LOCAL | GLOBAL | UNIFORM
MADE = 0x2000 | 0x4000  # available and visible, which only what orders may make
SHARED = (WORKGROUP, CROSS_WORKGROUP, STORAGE_BUFFER)  # storage classes that work-items share
ORDERS = 0x2 | 0x4 | 0x8 | 0x10  # Acquire to SequentiallyConsistent
INVOCATION = 4  # a scope
ARRAY_STRIDE, BUILT_IN_NUMBER, COHERENT, BINDING_NUMBER, OFFSET = 6, 11, 23, 33, 35  # decorations
POISON = 0xa5a5a5a5a5a5a5a5

DROPPED, WEAKENED, PLAIN, RELAXED, UNINITIALISED, INDEX, STORE, STEP, NARROWED, INCOHERENT, LAYOUT, BINDING, BUILT_IN = KINDS = (
    "barrier dropped", "fence weakened", "atomic made plain", "atomic relaxed", "initialiser removed",
    "index off by one", "store removed", "reduction step swapped", "scope narrowed", "Coherent dropped",
    "Offset or ArrayStride wrong", "bindings exchanged", "built-in exchanged")

ATOMIC_SUMS = {"OpAtomicIAdd": "OpIAdd", "OpAtomicISub": "OpISub", "OpAtomicAnd": "OpBitwiseAnd", "OpAtomicOr": "OpBitwiseOr",
               "OpAtomicXor": "OpBitwiseXor", "OpAtomicIIncrement": "OpIAdd", "OpAtomicIDecrement": "OpISub"}
ATOMIC_CHOICES = {"OpAtomicUMin": "OpULessThan", "OpAtomicUMax": "OpUGreaterThan", "OpAtomicSMin": "OpSLessThan",
                  "OpAtomicSMax": "OpSGreaterThan"}
SCALARS = ("OpTypeInt", "OpTypeFloat")


@dataclass
class Mutant:
    kind: str
    what: str  # "word 412: OpControlBarrier"
    module: Module
    witness: Module | None = None
    publishes: bool = False  # of a relaxed atomic or fence: see `publishes()`


def changed(module: Module, at: int, change: Callable[[Module, int], None]) -> Module:
    """A copy of the module in which the instruction at that place was changed."""
    copy = module.copy()
    change(copy, at)
    copy.index()
    return copy


def remove(module: Module, at: int) -> None:
    del module.code[at]


def replace(module: Module, target: Instruction, *instead: Instruction) -> None:
    at = next(i for i, each in enumerate(module.code) if each is target)
    module.code[at:at + 1] = instead


def semantics_at(name: str) -> int:
    """Which operand the memory semantics are; -1: there is none. Of a compare-exchange those of success."""
    if name in ("OpControlBarrier", "OpAtomicStore", "OpAtomicFlagClear"):
        return 2
    if name == "OpMemoryBarrier":
        return 1
    return 4 if name.startswith("OpAtomic") else -1


def with_semantics(semantics: int) -> Callable[[Module, int], None]:
    def change(module: Module, at: int) -> None:
        target, place = module.code[at], semantics_at(module.code[at].name)
        target.words[place] = module.constant(module.types[target.words[place]], semantics)
        if target.name.startswith("OpAtomicCompareExchange"):
            target.words[place + 1] = target.words[place]
    return change


def publishes(module: Module, at: int) -> bool:
    """Whether an atomic or a fence orders what it should: in front of it the kernel stores plainly to something that is loaded
    plainly behind it, both in memory that work-items share. The way of such a value from one work-item to another is the
    atomic, so without its order nothing puts the store before the load: OpenCL's memory model calls that a race, whatever the
    order in which an implementation happens to make them. Atomics whose own value is all that matters publish nothing."""
    begin = max(i for i in range(at) if module.code[i].name == "OpFunction")
    end = next(i for i in range(at, len(module.code)) if module.code[i].name == "OpFunctionEnd")

    def roots(part: range, opcode: str, operand: int) -> set[int]:
        pointers = (module.code[i].words[operand] for i in part if module.code[i].name == opcode)
        return {module.root_of(each) for each in pointers if module.storage_of(each) in SHARED}

    return bool(roots(range(begin, at), "OpStore", 0) & roots(range(at, end), "OpLoad", 2))


def barriers(module: Module) -> Iterator[Mutant]:
    for at, each in enumerate(module.code):
        if each.name not in ("OpControlBarrier", "OpMemoryBarrier"):
            continue
        # A fence that is gone is as good as one that orders nothing: only its model tells.
        dropped = changed(module, at, remove)
        is_fence = each.name == "OpMemoryBarrier"
        is_published = is_fence and publishes(module, at)
        yield Mutant(DROPPED, each.name, dropped, publishes=is_published)
        semantics = module.constant_value(each.words[semantics_at(each.name)])
        if semantics is None:
            continue
        # Without its fence a barrier still makes work-items wait for each other, but what they stored may become visible to
        # the others as late as if there were none: the witness is the module without the barrier.
        memory = semantics & MEMORY
        if memory and not is_fence:
            yield Mutant(WEAKENED, f"{each.name} without semantics", changed(module, at, with_semantics(0)), dropped)
        if memory and is_fence:
            yield Mutant(WEAKENED, f"{each.name} without memory", changed(module, at, with_semantics(semantics & ~memory)),
                         publishes=is_published)
        buffers = UNIFORM if module.is_shader() else GLOBAL
        if memory in (LOCAL, buffers) and not is_fence:
            other = with_semantics(semantics ^ (LOCAL | buffers))
            yield Mutant(WEAKENED, f"{each.name} of other memory", changed(module, at, other), dropped)


def make_plain(module: Module, at: int) -> None:
    target = module.code[at]
    words = target.words
    if target.name == "OpAtomicStore":
        return replace(module, target, Instruction("OpStore", [words[0], words[3]]))
    type_id, result, pointer = words[:3]
    load = Instruction("OpLoad", [type_id, result, pointer])
    if target.name == "OpAtomicLoad":
        return replace(module, target, load)
    if target.name == "OpAtomicExchange":
        return replace(module, target, load, Instruction("OpStore", [pointer, words[5]]))
    value = words[5] if len(words) > 5 else module.constant(type_id, 1)
    new = module.new_id()
    store = Instruction("OpStore", [pointer, new])
    if target.name in ATOMIC_SUMS:
        return replace(module, target, load, Instruction(ATOMIC_SUMS[target.name], [type_id, new, result, value]), store)
    if target.name in ATOMIC_CHOICES:
        compare, operands = ATOMIC_CHOICES[target.name], [value, result]
    else:  # OpAtomicCompareExchange: pointer, scope, two semantics, value, comparator
        compare, operands, value = "OpIEqual", [result, words[7]], words[6]
    condition = module.new_id()
    test = Instruction(compare, [module.bool_type(), condition, *operands])
    return replace(module, target, load, test, Instruction("OpSelect", [type_id, new, condition, value, result]), store)


def atomics(module: Module) -> Iterator[Mutant]:
    plain = {*ATOMIC_SUMS, *ATOMIC_CHOICES, "OpAtomicStore", "OpAtomicLoad", "OpAtomicExchange", "OpAtomicCompareExchange"}
    for at, each in enumerate(module.code):
        if each.name in plain:
            yield Mutant(PLAIN, each.name, changed(module, at, make_plain))
        place = semantics_at(each.name)
        if not each.name.startswith("OpAtomic") or place < 0:
            continue
        semantics = module.constant_value(each.words[place])
        if semantics is not None and semantics & ORDERS:
            yield Mutant(RELAXED, each.name, changed(module, at, with_semantics(semantics & ~ORDERS & ~MEMORY & ~MADE)),
                         publishes=publishes(module, at))


def poisoned(module: Module, value: int) -> int:
    type_id = module.types[value]
    return module.constant(type_id, POISON & ((1 << module.width_of(type_id)) - 1))


def initialisers(module: Module) -> Iterator[Mutant]:
    """Of variables, and the first store of a constant to a variable of a function or to local memory. The witness stores
    another value: what is undefined may be any."""
    seen = set()
    for at, each in enumerate(module.code):
        if each.name != "OpStore" or not module.name_of(each.words[1]).startswith("OpConstant"):
            continue
        root = module.root_of(each.words[0])
        if root in seen or module.name_of(root) != "OpVariable" or module.storage_of(root) not in (FUNCTION, WORKGROUP):
            continue
        if module.name_of(module.types[each.words[1]]) not in SCALARS or module.width_of(module.types[each.words[1]]) < 32:
            continue
        seen.add(root)

        def poison(copy: Module, place: int) -> None:
            target = copy.code[place]
            target.words[1] = poisoned(copy, target.words[1])

        yield Mutant(UNINITIALISED, f"store to {module.name_of(root)} %{root}", changed(module, at, remove),
                     changed(module, at, poison))


def indexes(module: Module) -> Iterator[Mutant]:
    """One more, and one less, of each index of a chain into memory that work-items share, but of constants."""
    for at, each in enumerate(module.code):
        if not each.name.endswith(("AccessChain", "PtrAccessChain")) or each.name.startswith("OpSpec"):
            continue
        if module.storage_of(each.words[1]) not in SHARED:
            continue
        for place in range(3, len(each.words)):
            index = each.words[place]
            if module.name_of(index).startswith("OpConstant") or module.name_of(module.types.get(index, 0)) != "OpTypeInt":
                continue
            for opcode in ("OpIAdd", "OpISub"):
                def change(copy: Module, target_at: int, place: int = place, opcode: str = opcode) -> None:
                    target = copy.code[target_at]
                    type_id, new = copy.types[target.words[place]], copy.new_id()
                    add = Instruction(opcode, [type_id, new, target.words[place], copy.constant(type_id, 1)])
                    target.words[place] = new
                    replace(copy, target, add, target)
                yield Mutant(INDEX, f"{opcode} 1 in {each.name}", changed(module, at, change))


def stores(module: Module) -> Iterator[Mutant]:
    for at, each in enumerate(module.code):
        if each.name == "OpStore" and module.storage_of(each.words[0]) in SHARED:
            yield Mutant(STORE, each.name, changed(module, at, remove))


def steps(module: Module) -> Iterator[Mutant]:
    """A barrier that comes before the store which it should follow, and a stride that is halved or doubled once too often."""
    for at, each in enumerate(module.code):
        if each.name == "OpControlBarrier":
            before = at - 1
            while module.code[before].name not in ("OpLabel", "OpStore"):
                before -= 1
            if module.code[before].name != "OpStore" or module.storage_of(module.code[before].words[0]) not in SHARED:
                continue

            def move(copy: Module, place: int, before: int = before) -> None:
                copy.code.insert(before, copy.code.pop(place))

            yield Mutant(STEP, "OpControlBarrier before the store", changed(module, at, move))
        if each.name in ("OpShiftRightLogical", "OpShiftLeftLogical") and module.constant_value(each.words[3]) == 1:
            def shift(copy: Module, place: int) -> None:
                target = copy.code[place]
                target.words[3] = copy.constant(copy.types[target.words[3]], 2)

            yield Mutant(STEP, f"{each.name} by 2", changed(module, at, shift))


# ---- Mistakes of shaders ------------------------------------------------------------------------------

BUILT_INS = {26: 27, 27: 26, 28: 27}  # WorkgroupId, LocalInvocationId, GlobalInvocationId


def decoration_at(each: Instruction, wanted: int) -> int:
    """Which operand follows this decoration; 0: the instruction is about something else."""
    place = {"OpDecorate": 1, "OpMemberDecorate": 2}.get(each.name, 0)
    return place + 1 if place and each.words[place] == wanted else 0


def with_word(place: int, value: int) -> Callable[[Module, int], None]:
    def change(module: Module, at: int) -> None:
        module.code[at].words[place] = value
    return change


def scopes(module: Module) -> Iterator[Mutant]:
    """Atomics of the scope Invocation order nothing between work-items, as plain accesses do: these are the witness."""
    for at, each in enumerate(module.code):
        if not each.name.startswith("OpAtomic"):
            continue
        place = 1 if each.name == "OpAtomicStore" else 3

        def narrow(copy: Module, target_at: int, place: int = place) -> None:
            target = copy.code[target_at]
            target.words[place] = copy.constant(copy.types[target.words[place]], INVOCATION)

        yield Mutant(NARROWED, each.name, changed(module, at, narrow), changed(module, at, make_plain))


def interfaces(module: Module) -> Iterator[Mutant]:
    """Offsets, strides, bindings and built-ins, as the host sees them."""
    bindings = [at for at, each in enumerate(module.code) if decoration_at(each, BINDING_NUMBER)]
    for at, each in enumerate(module.code):
        if place := decoration_at(each, OFFSET):
            yield Mutant(LAYOUT, f"Offset of member {each.words[1]}", changed(module, at, with_word(place, each.words[place] + 4)))
        elif place := decoration_at(each, ARRAY_STRIDE):
            yield Mutant(LAYOUT, "ArrayStride", changed(module, at, with_word(place, 2 * each.words[place])))
        elif place := decoration_at(each, BUILT_IN_NUMBER):
            if each.words[place] in BUILT_INS:
                other = BUILT_INS[each.words[place]]
                yield Mutant(BUILT_IN, f"{each.words[place]} by {other}", changed(module, at, with_word(place, other)))
        elif decoration_at(each, COHERENT):
            yield Mutant(INCOHERENT, each.name, changed(module, at, remove), publishes=True)
    for first, second in zip(bindings, bindings[1:]):
        one, other = (module.code[at].words[2] for at in (first, second))
        swapped = changed(changed(module, first, with_word(2, other)), second, with_word(2, one))
        yield Mutant(BINDING, f"{one} and {other}", swapped)


def mutants_of(module: Module) -> Iterator[Mutant]:
    for make in (barriers, atomics, initialisers, indexes, stores, steps):
        yield from make(module)
    for make in (scopes, interfaces) if module.is_shader() else ():
        yield from make(module)
