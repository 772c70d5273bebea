#include "vm/build/instructions/scopes.h"

#include <fmt/format.h>

#include "base/narrow.h"
#include "base/run_rule.h"
#include "decoder/grammar.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/memory.h"

namespace transpire::vm::builder {
namespace {

using decoder::OperandKind;

constexpr std::uint32_t mask_of(spv::MemorySemanticsMask mask) {
  return narrow<std::uint32_t>(mask);
}
constexpr std::uint32_t kAcquire = mask_of(spv::MemorySemanticsMask::Acquire),
                        kRelease = mask_of(spv::MemorySemanticsMask::Release),
                        kAcquireRelease = mask_of(spv::MemorySemanticsMask::AcquireRelease),
                        kSequential = mask_of(spv::MemorySemanticsMask::SequentiallyConsistent);
constexpr std::uint32_t kOrders = kAcquire | kRelease | kAcquireRelease | kSequential;
constexpr std::uint32_t kWorkgroupMemory = mask_of(spv::MemorySemanticsMask::WorkgroupMemory);
constexpr std::uint32_t kLastScope = 6;  ///< ShaderCallKHR
constexpr int kNotThere = -1;

constexpr std::uint32_t number_of(spv::Scope scope) { return narrow<std::uint32_t>(scope); }

/// Where an instruction has its scopes and semantics: operands, kNotThere when it has none.
struct Places {
  int execution = kNotThere, memory = kNotThere, semantics = kNotThere, unequal = kNotThere;
};

Places places_of(const decoder::OpcodeInfo& info) {
  Places found;
  const auto op = static_cast<spv::Op>(info.opcode);
  const bool executes = info.class_name != "Atomic" && op != spv::Op::OpMemoryBarrier &&
                        op != spv::Op::OpMemoryNamedBarrier;
  for (std::size_t n = 0; n < info.operands.size(); ++n) {
    const OperandKind kind = info.operands[n].kind;
    const int at = static_cast<int>(n);
    if (kind == OperandKind::kIdScope)
      (executes && found.execution == kNotThere ? found.execution : found.memory) = at;
    if (kind == OperandKind::kIdMemorySemantics)
      (found.semantics == kNotThere ? found.semantics : found.unequal) = at;
  }
  return found;
}

class ScopeChecks {
 public:
  ScopeChecks(Builder& b, const Instruction& i, const decoder::OpcodeInfo& info)
      : b_(b),
        i_(i),
        name_(info.name),
        at_(places_of(info)),
        version_(b.request.options.opencl_version) {}

  void place() {
    if (const ValueId scope = unknown(at_.execution); scope != kNoValue) check_execution(scope);
    if (const ValueId scope = unknown(at_.memory); scope != kNoValue) check_memory(scope);
    if (const ValueId semantics = unknown(at_.semantics); semantics != kNoValue)
      check_semantics(semantics);
    if (unknown(at_.unequal) != kNoValue ||
        (at_.unequal >= 0 && unknown(at_.semantics) != kNoValue))
      check_unequal();
    if (is_atomic() && (unknown(at_.memory) != kNoValue || unknown(at_.semantics) != kNoValue))
      check_wide();
  }

 private:
  bool is_atomic() const { return decoder::opcode_class(i_.op) == "Atomic"; }
  bool is_wide() const {
    const Type* const accessed = memory_access::accessed_type(b_, i_, 0);
    return accessed != nullptr && accessed->size_bytes == 8;
  }
  bool is_barrier() const {
    return i_.op == spv::Op::OpControlBarrier || i_.op == spv::Op::OpMemoryBarrier;
  }

  /// The operand's value when the validator does not know it.
  ValueId unknown(int operand) {
    if (operand < 0 || static_cast<std::size_t>(operand) >= i_.operands.size()) return kNoValue;
    const auto index = static_cast<std::size_t>(operand);
    const decoder::Constant* constant = b_.request.module.constant(b_.ids.operand_id(i_, index));
    if (constant != nullptr && !constant->specialisable &&
        constant->kind != decoder::Constant::Kind::kOperation)
      return kNoValue;
    return value(operand);
  }
  ValueId value(int operand) {
    return b_.ops.resize(b_.ids.scalar_operand(i_, static_cast<std::size_t>(operand)), Kind::kI32,
                         false);
  }
  ValueId number(std::uint32_t bits) { return b_.ops.constant(Kind::kI32, bits); }
  ValueId is(ValueId x, std::uint32_t what) { return b_.ops.emit(Op::kIEqual, {x, number(what)}); }
  ValueId is_not(ValueId x, std::uint32_t what) {
    return b_.ops.emit(Op::kINotEqual, {x, number(what)});
  }
  ValueId bits(ValueId x, std::uint32_t mask) {
    return b_.ops.emit(Op::kBitwiseAnd, {x, number(mask)});
  }
  ValueId both(ValueId x, ValueId y) { return b_.ops.emit(Op::kLogicalAnd, {x, y}); }

  /// A scope, but none of `allowed`.
  ValueId is_another(ValueId scope, std::initializer_list<std::uint32_t> allowed) {
    ValueId other = b_.ops.emit(Op::kULessThanEqual, {scope, number(kLastScope)});
    for (const std::uint32_t good : allowed) other = both(other, is_not(scope, good));
    return other;
  }
  void report(RunRule rule, ValueId wrong, std::string_view what) {
    b_.checks.never(as_rule(rule), wrong,
                    fmt::format("{} of {}, which is no constant", what, name_));
  }
  void check_number(ValueId scope, std::string_view what) {
    const ValueId wrong = b_.ops.emit(Op::kULessThan, {number(kLastScope), scope});
    report(RunRule::kEnvNoScope, wrong, fmt::format("there is no such scope: the {}", what));
  }

  void check_execution(ValueId scope);
  void check_memory(ValueId scope);
  void check_memory_12(ValueId scope);
  void check_semantics(ValueId semantics);
  void check_semantics_12(ValueId order);
  void check_unequal();
  ValueId unless_wide(ValueId wrong);
  void check_wide();

  Builder& b_;
  const Instruction& i_;
  std::string_view name_;
  Places at_;
  std::uint32_t version_;
};

void ScopeChecks::check_execution(ValueId scope) {
  constexpr std::string_view kWhat = "execution scope";
  const std::uint32_t workgroup = number_of(spv::Scope::Workgroup);
  check_number(scope, kWhat);
  if (i_.op == spv::Op::OpGroupAsyncCopy || i_.op == spv::Op::OpGroupWaitEvents) {
    const bool copy = i_.op == spv::Op::OpGroupAsyncCopy;
    report(copy ? RunRule::kEnvCopyScope : RunRule::kEnvWaitScope, is_another(scope, {workgroup}),
           "expected Workgroup for the execution scope");
  } else if (version_ >= 21) {
    report(RunRule::kEnvExecutionScope,
           is_another(scope, {workgroup, number_of(spv::Scope::Subgroup)}),
           "expected Workgroup or Subgroup for the execution scope");
  } else {
    report(RunRule::kEnvWorkgroupOnly, is_another(scope, {workgroup}),
           "expected Workgroup for the execution scope");
  }
}

void ScopeChecks::check_memory(ValueId scope) {
  check_number(scope, "memory scope");
  const ValueId another =
      is_another(scope, {number_of(spv::Scope::CrossDevice), number_of(spv::Scope::Device),
                         number_of(spv::Scope::Workgroup), number_of(spv::Scope::Invocation)});
  // OpenCL 3.0 has the scope Subgroup with its feature sub-groups, which the VM has.
  const ValueId wrong =
      version_ >= 30 ? both(another, is_not(scope, number_of(spv::Scope::Subgroup))) : another;
  report(version_ >= 20 ? RunRule::kEnvMemoryScope : RunRule::kEnvMemoryScope12, wrong,
         "expected CrossDevice, Device, Workgroup or Invocation for the memory scope");
  if (version_ == 12) check_memory_12(scope);
}

void ScopeChecks::check_memory_12(ValueId scope) {
  if (is_barrier())
    report(i_.op == spv::Op::OpControlBarrier ? RunRule::kEnvBarrierScope12
                                              : RunRule::kEnvFenceScope12,
           is_not(scope, number_of(spv::Scope::Workgroup)),
           "expected Workgroup for the memory scope");
  else if (is_atomic())
    report(RunRule::kEnvAtomicScope12, unless_wide(is_not(scope, number_of(spv::Scope::Device))),
           "expected Device for the scope");
}

/// `wrong`, but for 64-bit atomics with WorkgroupMemory, whose scope check_wide() judges.
ValueId ScopeChecks::unless_wide(ValueId wrong) {
  return is_wide() ? both(wrong, is(bits(value(at_.semantics), kWorkgroupMemory), 0)) : wrong;
}

void ScopeChecks::check_semantics(ValueId semantics) {
  const ValueId order = bits(semantics, kOrders);
  const ValueId rest =
      b_.ops.emit(Op::kBitwiseAnd, {order, b_.ops.emit(Op::kISub, {order, number(1)})});
  report(RunRule::kUniOneOrder, is_not(rest, 0), "expected at most one order in the semantics");
  const bool load = i_.op == spv::Op::OpAtomicLoad;
  const bool store = i_.op == spv::Op::OpAtomicStore || i_.op == spv::Op::OpAtomicFlagClear;
  if (load || store)
    report(RunRule::kUniDirection,
           is_not(bits(semantics, kAcquireRelease | (load ? kRelease : kAcquire)), 0),
           load ? "expected no Release in the semantics" : "expected no Acquire in the semantics");
  if (version_ == 12) check_semantics_12(order);
}

void ScopeChecks::check_semantics_12(ValueId order) {
  if (is_barrier())
    report(i_.op == spv::Op::OpControlBarrier ? RunRule::kEnvBarrierOrder12
                                              : RunRule::kEnvFenceOrder12,
           is_not(order, kSequential), "expected SequentiallyConsistent for the semantics");
  else if (is_atomic())
    report(RunRule::kEnvAtomicOrder12, is_not(order, 0), "expected Relaxed for the semantics");
}

/// Orders are bits: of two that may stand for Unequal, the larger number is the stronger one.
void ScopeChecks::check_unequal() {
  const ValueId unequal = bits(value(at_.unequal), kOrders);
  const ValueId equal = bits(value(at_.semantics), kOrders);
  report(RunRule::kUniUnequal,
         b_.ops.emit(Op::kLogicalOr, {is_not(bits(unequal, kRelease | kAcquireRelease), 0),
                                      b_.ops.emit(Op::kULessThan, {equal, unequal})}),
         "expected no Release in the semantics Unequal, and nothing stronger than Equal, ");
}

/// Atomics of 64 bits with the semantics WorkgroupMemory have the scope Workgroup.
void ScopeChecks::check_wide() {
  if (!is_wide()) return;
  const ValueId in_group = is_not(bits(value(at_.semantics), kWorkgroupMemory), 0);
  report(RunRule::kEnvWideAtomicScope,
         both(in_group, is_not(value(at_.memory), number_of(spv::Scope::Workgroup))),
         "expected Workgroup with WorkgroupMemory for the scope");
}

}  // namespace

void check_scopes(Builder& b, const Instruction& instruction) {
  const decoder::OpcodeInfo* info = decoder::find_opcode(narrow<std::uint32_t>(instruction.op));
  if (info == nullptr || b.failed()) return;
  if (info->class_name == "Barrier" || info->class_name == "Atomic" || info->class_name == "Group")
    ScopeChecks(b, instruction, *info).place();
}

}  // namespace transpire::vm::builder
