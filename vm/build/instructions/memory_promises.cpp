#include "vm/build/instructions/memory_promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "base/narrow.h"
#include "decoder/newer_opcodes.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/cooperative_matrix.h"
#include "vm/build/instructions/extinst.h"
#include "vm/build/instructions/memory.h"
#include "vm/build/instructions/opencl_std.h"
#include "vm/build/instructions/subgroup_block.h"
#include "vm/build/pointer_origins.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {
namespace {

/// An access of an instruction through a pointer operand.
struct Touch {
  std::size_t operand = 0;
  bool writes = false;
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

bool is_matrix_access(spv::Op op) {
  return op == decoder::kOpCooperativeMatrixLoadKHR || op == decoder::kOpCooperativeMatrixStoreKHR;
}

const Type* pointer_type(Builder& b, const Instruction& i, std::size_t operand) {
  const Type* type =
      operand < i.operands.size() ? b.request.module.type_of(i.operands[operand]) : nullptr;
  return type != nullptr && type->kind == Type::Kind::kPointer && type->element != nullptr
             ? type
             : nullptr;
}

/// An extended instruction accesses what its pointers, of which most functions have one at most, point to.
void add_function(Builder& b, const Instruction& i, std::vector<Touch>& touches) {
  const ExtendedRow* function = find_extended(i);
  if (function == nullptr || (function->flags & kNoAccess) != 0) return;
  for (std::size_t n = kFirstOperand; n < i.operands.size(); ++n)
    if (pointer_type(b, i, n) != nullptr) touches.push_back({n, (function->flags & kReads) == 0});
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
    case spv::Op::OpCopyMemorySized:
      touches = {{0, true}, {1, false}};
      break;
    case spv::Op::OpSubgroupBlockReadINTEL:
      touches = {{0, false}};
      break;
    case spv::Op::OpSubgroupBlockWriteINTEL:
      touches = {{0, true}};
      break;
    case spv::Op::OpExtInst:
      add_function(b, i, touches);
      break;
    default:
      if (is_atomic(i.op)) touches = {{0, i.op != spv::Op::OpAtomicLoad}};
      if (is_matrix_access(i.op)) touches = {{0, i.op == decoder::kOpCooperativeMatrixStoreKHR}};
  }
  std::erase_if(touches, [&](const Touch& touch) {
    const Type* type = pointer_type(b, i, touch.operand);
    return type == nullptr || !b.types.is_addressable(*type) ||
           b.ids.input(i.operands[touch.operand]) != nullptr;
  });
  return touches;
}

/// The memory that a pointer leads to, as far as it is known here.
lir::Space space_of(Builder& b, const Instruction& i, std::size_t operand) {
  return b.pointers.known_space(b.ids.scalar_operand(i, operand),
                                b.types.space_of(*pointer_type(b, i, operand)));
}

// ---- Which bytes an access touches ----

/// A vector of 3 takes the room of 4 components, of which the last one is not accessed.
std::uint64_t accessed_bytes(const Type& type) {
  return type.kind == Type::Kind::kVector ? type.count * type.element->size_bytes : type.size_bytes;
}

struct Range {
  ValueId address = kNoValue, bytes = kNoValue;
};

/// For functions whose pointer and offset name a vector (extinst_data.cpp).
Range vector_range(Builder& b, const Instruction& i, const Touch& touch, bool aligned) {
  const std::uint64_t components =
      touch.writes ? b.ids.operand(i, kFirstOperand).size() : b.types.result_layout(i).kinds.size();
  const std::uint64_t size = lane_bytes(element_kind(b, i, touch.operand));
  const std::uint64_t steps = aligned ? std::bit_ceil(components) : components;
  return {b.pointers.element(b.ids.scalar_operand(i, touch.operand),
                             b.ids.scalar_operand(i, touch.operand - 1), steps * size),
          b.ops.constant(Kind::kI64, components * size)};
}

/// A range for each component: elements of other work-items lie between.
std::vector<Range> block_ranges(Builder& b, const Instruction& i, const Touch& touch) {
  const Type& element = *pointer_type(b, i, 0)->element;
  const std::size_t components =
      touch.writes ? b.ids.operand(i, 1).size() : b.types.result_layout(i).kinds.size();
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < components && !b.failed(); ++c)
    ranges.push_back({subgroup_block::address(b, b.ids.scalar_operand(i, 0), element, c),
                      b.ops.constant(Kind::kI64, element.size_bytes)});
  return ranges;
}

std::vector<Range> matrix_ranges(Builder& b, const Instruction& i) {
  std::vector<Range> ranges;
  for (const cooperative_matrix::Element& element : cooperative_matrix::elements(b, i))
    ranges.push_back({element.address, b.ops.constant(Kind::kI64, element.size_bytes)});
  return ranges;
}

std::vector<Range> ranges_of(Builder& b, const Instruction& i, const Touch& touch) {
  if (i.op == spv::Op::OpSubgroupBlockReadINTEL || i.op == spv::Op::OpSubgroupBlockWriteINTEL)
    return block_ranges(b, i, touch);
  if (is_matrix_access(i.op)) return matrix_ranges(b, i);
  const ExtendedRow* function = find_extended(i);
  if (function != nullptr && (function->flags & kNamesVector) != 0)
    return {vector_range(b, i, touch, (function->flags & kAlignsVector) != 0)};
  const ValueId bytes =
      i.op == spv::Op::OpCopyMemorySized
          ? b.ops.resize(b.ids.scalar_operand(i, 2), Kind::kI64, false)
          : b.ops.constant(Kind::kI64,
                           accessed_bytes(*memory_access::accessed_type(b, i, touch.operand)));
  return {{b.ids.scalar_operand(i, touch.operand), bytes}};
}

// ---- Pure and Const ----

bool has_control(const Frame& frame, spv::FunctionControlMask bit) {
  return (narrow<std::uint32_t>(frame.function->control) & narrow<std::uint32_t>(bit)) != 0;
}

/// True if the pointer leads to a variable of the frame's function or of one that it calls. None if
/// that is unknown: private memory by a pointer that was loaded or selected.
std::optional<bool> is_own(Builder& b, const Instruction& i, const Touch& touch,
                           const Frame& frame) {
  const ValueId base = b.pointers.root(b.ids.scalar_operand(i, touch.operand)).base;
  if (const std::optional<std::uint32_t> variable = b.private_variables.variable_at(base))
    return *variable >= frame.first_variable;
  const lir::Space space = space_of(b, i, touch.operand);
  if (space == lir::Space::kPrivate || space == lir::Space::kGeneric) return std::nullopt;
  return false;
}

/// True if a function also promises not to read memory: Const. The translator from LLVM, which made
/// most modules, writes Pure for functions that read none, and Const for those that only read.
bool promises_no_reads(Builder& b, const Frame& frame) {
  constexpr std::uint32_t kTranslator = 6;  // "Khronos LLVM/SPIR-V Translator"
  const bool swapped = b.request.module.generator >> 16 == kTranslator;
  return has_control(frame,
                     swapped ? spv::FunctionControlMask::Pure : spv::FunctionControlMask::Const);
}

/// True if a Generic pointer leads to private memory.
ValueId leads_to_private(Builder& b, ValueId pointer) {
  lir::Value in_private;
  in_private.op = Op::kGenericToSpace;
  in_private.kind = in_private.from = Kind::kI64;
  in_private.imm = static_cast<std::uint64_t>(lir::Space::kPrivate);
  in_private.args = {pointer};
  const ValueId found = b.writer.place(std::move(in_private));
  return b.ops.emit(Op::kINotEqual, {found, b.ops.constant(Kind::kI64, 0)});
}

/// Checks accesses, where `condition` holds, to memory that other functions have, too; `constant`:
/// memory that nothing changes.
void check_control(Builder& b, const Frame& frame, ValueId condition, bool writes, bool constant) {
  if (!writes && (constant || !promises_no_reads(b, frame))) return;
  b.checks.never(Rule::kR0032, condition,
                 fmt::format("'{}' {} memory that is not its own", frame.function->name,
                             writes ? "writes" : "reads"));
}

/// Checks accesses in a function that makes a promise, or in one that it calls.
void check_controls(Builder& b, const Instruction& i, const std::vector<Touch>& touches) {
  for (const Frame* frame = b.position.frame; frame != nullptr; frame = frame->caller) {
    if (!has_control(*frame, spv::FunctionControlMask::Pure) &&
        !has_control(*frame, spv::FunctionControlMask::Const))
      continue;
    const ValueId always = b.ops.constant(Kind::kBool, 1);
    if (is_image_access(i.op))
      check_control(b, *frame, always, i.op == spv::Op::OpImageWrite, false);
    for (const Touch& touch : touches) {
      const lir::Space space = space_of(b, i, touch.operand);
      const std::optional<bool> own = is_own(b, i, touch, *frame);
      if (own == false)
        check_control(b, *frame, always, touch.writes, space == lir::Space::kConstant);
      else if (!own && space == lir::Space::kGeneric && !b.failed())
        check_control(b, *frame,
                      b.ops.not_of(leads_to_private(b, b.ids.scalar_operand(i, touch.operand))),
                      touch.writes, false);
    }
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
  check_overlap(b, i,
                b.ops.constant(Kind::kI64, memory_access::accessed_type(b, i, 0)->size_bytes));
}

void check_atomic(Builder& b, const Instruction& i) {
  const lir::Space space = space_of(b, i, 0);
  if (space == lir::Space::kPrivate)
    return b.checks.never(Rule::kR0033, b.ops.constant(Kind::kBool, 1));
  if (space == lir::Space::kGeneric)
    b.checks.never(Rule::kR0033, leads_to_private(b, b.ids.scalar_operand(i, 0)));
}

void place(Builder& b, Op op, const Range& range, std::uint64_t imm) {
  lir::Value check;
  check.op = op;
  check.from = Kind::kI64;
  check.imm = imm;
  check.args = {range.address, range.bytes};
  b.writer.place(std::move(check));
  b.writer.function().keeps_notes = true;
}

/// Checks a range of shared memory. TSP-R0033 covers private memory.
void check_range(Builder& b, const Instruction& i, const Touch& touch, const Range& range,
                 bool has_restrict) {
  const lir::Space space = space_of(b, i, touch.operand);
  if (space == lir::Space::kPrivate) return;
  const std::uint64_t writes = touch.writes ? 1 : 0;
  if (b.promised->flags && (is_flag(i.op) || touch.writes))
    place(b, Op::kCheckFlag, range, is_flag(i.op) ? 0 : 1);
  if (has_restrict) place(b, Op::kCheckAlias, range, AliasCheck{touch.writes}.encode());
  if (b.promised->images && space != lir::Space::kWorkgroup)
    place(b, Op::kCheckView, range, writes);
}

}  // namespace

PromisedMemory promised_memory_of(const decoder::Module& module) {
  PromisedMemory found;
  for (const auto& type : module.types) found.images |= type->kind == Type::Kind::kImage;
  for (const decoder::Function& function : module.functions)
    for (const decoder::Block& block : function.blocks)
      for (const Instruction& i : block.instructions) found.flags |= is_flag(i.op);
  return found;
}

void check_memory_promises(Builder& b, const Instruction& i) {
  if (b.failed()) return;
  const std::vector<Touch> touches = touches_of(b, i);
  if (b.failed()) return;
  check_controls(b, i, touches);
  if (touches.empty() || b.failed()) return;
  if (touches.size() == 2) check_copy(b, i);
  if (is_atomic(i.op)) check_atomic(b, i);
  if (!b.promised) b.promised = promised_memory_of(b.request.module);
  const bool has_restrict =
      std::ranges::any_of(b.writer.function().parameters, &transpire::vm::Parameter::no_alias);
  if (!has_restrict && !b.promised->flags && !b.promised->images) return;
  for (const Touch& touch : touches)
    for (const Range& range : ranges_of(b, i, touch)) {
      if (b.failed()) return;
      check_range(b, i, touch, range, has_restrict);
    }
}

void mark_aliases(lir::Function& function) {
  const auto checks = [](const lir::Value& value) {
    return value.op == Op::kCheckAlias && value.block != lir::kNoBlock;
  };
  if (std::ranges::none_of(function.values, checks)) return;
  const std::vector<std::uint32_t> origins = sole_origins(function);
  for (lir::Value& value : function.values) {
    if (!checks(value)) continue;
    AliasCheck check = AliasCheck::decode(value.imm);
    check.parameter = origins[value.args[0]];
    value.imm = check.encode();
  }
}

}  // namespace transpire::vm::builder
