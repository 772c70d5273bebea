#include "vm/build/instructions/memory_promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vm/build/builder.h"
#include "vm/build/instructions/extinst.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {
namespace {

using Entry = OpenCLLIB::Entrypoints;

/// An access of an instruction through a pointer operand. `bytes`: none where only the instruction knows.
struct Touch {
  std::size_t operand = 0;
  bool writes = false;
  ValueId bytes = kNoValue;
};

bool is_flag(spv::Op op) {
  return op == spv::Op::OpAtomicFlagTestAndSet || op == spv::Op::OpAtomicFlagClear;
}

bool is_atomic(spv::Op op) {
  return is_flag(op) || (op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor) ||
         op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
         op == spv::Op::OpAtomicFMaxEXT;
}

bool is_image_access(spv::Op op) {
  return op == spv::Op::OpImageSampleExplicitLod || op == spv::Op::OpImageRead ||
         op == spv::Op::OpImageWrite;
}

const Type* pointer_type(Builder& b, const Instruction& i, std::size_t operand) {
  const Type* type =
      operand < i.operands.size() ? b.request.module.type_of(i.operands[operand]) : nullptr;
  return type != nullptr && type->kind == Type::Kind::kPointer && type->element != nullptr
             ? type
             : nullptr;
}

/// Whether the function reads, and does not write, through its pointer.
bool only_reads(std::uint32_t function) {
  switch (function) {
    case Entry::Vloadn:
    case Entry::Vload_half:
    case Entry::Vload_halfn:
    case Entry::Vloada_halfn:
      return true;
    default:
      return false;
  }
}

/// What a function of OpenCL.std accesses: the one pointer that it has.
void add_function(Builder& b, const Instruction& i, std::vector<Touch>& touches) {
  const std::uint32_t function = b.ids.operand_id(i, 1);
  if (function == Entry::Printf || function == Entry::Prefetch) return;
  for (std::size_t n = 2; n < i.operands.size(); ++n)
    if (pointer_type(b, i, n) != nullptr) touches.push_back({n, !only_reads(function)});
}

std::vector<Touch> touches_of(Builder& b, const Instruction& i) {
  std::vector<Touch> touches;
  switch (i.op) {
    case spv::Op::OpLoad:
      touches = {{0, false}};
      break;
    case spv::Op::OpStore:
      touches = {{0, true}};
      break;
    case spv::Op::OpCopyMemory:
      touches = {{0, true}, {1, false}};
      break;
    case spv::Op::OpCopyMemorySized:
      touches = {{0, true}, {1, false}};
      for (Touch& touch : touches)
        touch.bytes = b.ops.resize(b.ids.scalar_operand(i, 2), Kind::kI64, false);
      break;
    case spv::Op::OpExtInst: {
      const decoder::ExtInstImport* import =
          b.request.module.ext_inst_import(b.ids.operand_id(i, 0));
      if (import != nullptr && import->set == decoder::InstructionSet::kOpenCLStd)
        add_function(b, i, touches);
      break;
    }
    default:
      if (is_atomic(i.op)) touches = {{0, i.op != spv::Op::OpAtomicLoad}};
  }
  std::erase_if(touches, [&](const Touch& touch) {
    const Type* type = pointer_type(b, i, touch.operand);
    return type == nullptr || !b.types.is_addressable(*type) ||
           b.ids.input(i.operands[touch.operand]) != nullptr;
  });
  return touches;
}

/// Where a pointer leads, as far as that is known here.
lir::Space space_of(Builder& b, const Instruction& i, std::size_t operand) {
  return b.pointers.known_space(b.ids.scalar_operand(i, operand),
                                b.types.space_of(*pointer_type(b, i, operand)));
}

/// The bytes of an access; of one that an instruction of OpenCL.std makes, those of an element.
std::uint64_t known_bytes(Builder& b, const Instruction& i, const Touch& touch) {
  if (touch.bytes != kNoValue) return b.ops.constant_bits(touch.bytes).value_or(1);
  return pointer_type(b, i, touch.operand)->element->size_bytes;
}

// ---- Pure and Const ----

bool has_control(const Frame& frame, spv::FunctionControlMask bit) {
  return (static_cast<std::uint32_t>(frame.function->control) & static_cast<std::uint32_t>(bit)) !=
         0;
}

/// Whether the pointer leads to a variable of the frame's function or of one that it calls; nothing where that is not
/// known: private memory by a pointer that was loaded or chosen.
std::optional<bool> is_own(Builder& b, const Instruction& i, const Touch& touch,
                           const Frame& frame) {
  const ValueId base = b.pointers.root(b.ids.scalar_operand(i, touch.operand)).base;
  if (const std::optional<std::uint32_t> variable = b.private_variables.variable_at(base))
    return *variable >= frame.first_variable;
  const lir::Space space = space_of(b, i, touch.operand);
  if (space == lir::Space::kPrivate || space == lir::Space::kGeneric) return std::nullopt;
  return false;
}

/// Whether a function promises not to read memory either: Const. The translator from LLVM, of which most modules are, says
/// Pure of what reads none, and Const of what only reads.
bool promises_no_reads(Builder& b, const Frame& frame) {
  constexpr std::uint32_t kTranslator = 6;  // "Khronos LLVM/SPIR-V Translator"
  const bool swapped = b.request.module.generator >> 16 == kTranslator;
  return has_control(frame,
                     swapped ? spv::FunctionControlMask::Pure : spv::FunctionControlMask::Const);
}

/// Memory that other functions have, too; `constant`: that nothing changes.
void check_control(Builder& b, const Frame& frame, bool writes, bool constant) {
  if (!writes && (constant || !promises_no_reads(b, frame))) return;
  b.checks.never(Rule::kR0032, b.ops.constant(Kind::kBool, 1),
                 fmt::format("'{}' {} memory that is not its own", frame.function->name,
                             writes ? "writes" : "reads"));
}

/// Of the function that makes a promise, or one that it calls.
void check_controls(Builder& b, const Instruction& i, const std::vector<Touch>& touches) {
  for (const Frame* frame = b.position.frame; frame != nullptr; frame = frame->caller) {
    if (!has_control(*frame, spv::FunctionControlMask::Pure) &&
        !has_control(*frame, spv::FunctionControlMask::Const))
      continue;
    if (is_image_access(i.op)) check_control(b, *frame, i.op == spv::Op::OpImageWrite, false);
    for (const Touch& touch : touches)
      if (is_own(b, i, touch, *frame) == false)
        check_control(b, *frame, touch.writes,
                      space_of(b, i, touch.operand) == lir::Space::kConstant);
  }
}

// ---- Copies, atomics and flags ----

ValueId without_tag(Builder& b, ValueId pointer) {
  if (b.request.physical32()) return pointer;
  return b.ops.emit(Op::kBitwiseAnd,
                    {pointer, b.ops.constant(Kind::kI64, memory::without_tag(~std::uint64_t{0}))});
}

/// Memory may be copied to where it is: compilers do so for an assignment of a struct to itself.
void check_overlap(Builder& b, const Instruction& i, ValueId bytes) {
  const lir::Space to = space_of(b, i, 0), from = space_of(b, i, 1);
  const bool known = to != lir::Space::kGeneric && from != lir::Space::kGeneric;
  const ValueId target = b.ids.scalar_operand(i, 0), source = b.ids.scalar_operand(i, 1);
  const auto variable = [&](ValueId pointer) {
    return b.private_variables.variable_at(b.pointers.root(pointer).base);
  };
  if ((known && to != from) ||
      (variable(target) && variable(source) && variable(target) != variable(source)))
    return;
  if (b.failed()) return;
  const ValueId a = without_tag(b, target), c = without_tag(b, source);
  const auto within = [&](ValueId x, ValueId y) {
    return b.ops.emit(Op::kULessThan, {b.ops.emit(Op::kISub, {x, y}), bytes});
  };
  const ValueId overlaps = b.ops.emit(Op::kLogicalOr, {within(a, c), within(c, a)});
  b.checks.never(Rule::kR0031,
                 b.ops.emit(Op::kLogicalAnd, {overlaps, b.ops.emit(Op::kINotEqual, {a, c})}));
}

void check_copy(Builder& b, const Instruction& i) {
  if (i.op == spv::Op::OpCopyMemorySized)
    return check_overlap(b, i, b.ops.resize(b.ids.scalar_operand(i, 2), Kind::kI64, false));
  if (i.op != spv::Op::OpCopyMemory) return;
  check_overlap(b, i, b.ops.constant(Kind::kI64, pointer_type(b, i, 0)->element->size_bytes));
}

void check_atomic(Builder& b, const Instruction& i) {
  const lir::Space space = space_of(b, i, 0);
  if (space == lir::Space::kPrivate)
    return b.checks.never(Rule::kR0033, b.ops.constant(Kind::kBool, 1));
  if (space != lir::Space::kGeneric) return;
  lir::Value in_private;
  in_private.op = Op::kGenericToSpace;
  in_private.kind = in_private.from = Kind::kI64;
  in_private.imm = static_cast<std::uint64_t>(lir::Space::kPrivate);
  in_private.args = {b.ids.scalar_operand(i, 0)};
  const ValueId found = b.writer.place(std::move(in_private));
  b.checks.never(Rule::kR0033, b.ops.emit(Op::kINotEqual, {found, b.ops.constant(Kind::kI64, 0)}));
}

void place(Builder& b, Op op, ValueId address, std::uint64_t imm) {
  lir::Value check;
  check.op = op;
  check.from = Kind::kI64;
  check.imm = imm;
  check.args = {address};
  b.writer.place(std::move(check));
  b.writer.function().keeps_notes = true;
}

/// Private memory is another matter: TSP-R0033.
void check_flags(Builder& b, const Instruction& i, const Touch& touch) {
  if (space_of(b, i, touch.operand) == lir::Space::kPrivate) return;
  const ValueId address = b.ids.scalar_operand(i, touch.operand);
  if (is_flag(i.op))
    place(b, Op::kCheckFlag, address, 0);
  else if (touch.writes)
    place(b, Op::kCheckFlag, address, std::max<std::uint64_t>(known_bytes(b, i, touch), 1));
}

/// Of a kernel with a pointer that is declared restrict.
void check_aliases(Builder& b, const Instruction& i, const Touch& touch) {
  if (space_of(b, i, touch.operand) == lir::Space::kPrivate) return;
  constexpr std::uint64_t kMost = 4096;
  const std::uint64_t bytes = std::clamp<std::uint64_t>(known_bytes(b, i, touch), 1, kMost);
  place(b, Op::kCheckAlias, b.ids.scalar_operand(i, touch.operand),
        AliasCheck{static_cast<std::uint32_t>(bytes), touch.writes}.encode());
}

void check_views(Builder& b, const Instruction& i, const Touch& touch) {
  const lir::Space space = space_of(b, i, touch.operand);
  if (space == lir::Space::kGlobal || space == lir::Space::kConstant ||
      space == lir::Space::kGeneric)
    place(b, Op::kCheckView, b.ids.scalar_operand(i, touch.operand), touch.writes ? 1 : 0);
}

}  // namespace

MemoryUse memory_use_of(const decoder::Module& module) {
  MemoryUse use;
  for (const auto& type : module.types) use.images |= type->kind == Type::Kind::kImage;
  for (const decoder::Function& function : module.functions)
    for (const decoder::Block& block : function.blocks)
      for (const Instruction& i : block.instructions) use.flags |= is_flag(i.op);
  return use;
}

void check_memory_promises(Builder& b, const Instruction& i) {
  if (b.failed()) return;
  const std::vector<Touch> touches = touches_of(b, i);
  if (b.failed()) return;
  check_controls(b, i, touches);
  if (touches.empty() || b.failed()) return;
  if (touches.size() == 2) check_copy(b, i);
  if (is_atomic(i.op)) check_atomic(b, i);
  if (!b.memory_use) b.memory_use = memory_use_of(b.request.module);
  const bool has_restrict =
      std::ranges::any_of(b.writer.function().parameters, &transpire::vm::Parameter::no_alias);
  for (const Touch& touch : touches) {
    if (b.memory_use->flags) check_flags(b, i, touch);
    if (has_restrict) check_aliases(b, i, touch);
    if (b.memory_use->images) check_views(b, i, touch);
  }
}

}  // namespace transpire::vm::builder
