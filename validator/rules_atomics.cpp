// SPIR-V 1.0, 2.16.1 "Atomic access rules", 3.25 and 3.32.18: atomics and memory semantics that are
// known at compile time. The VM checks those that only a run knows.
#include <fmt/format.h>

#include <bit>

#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_atomics {
namespace {

using spv::Op;

constexpr ValidationRule kClasses{"UNI-25",
                                  "SPIR-V 1.0, 2.16.1",
                                  "atomics go through pointers to Workgroup, CrossWorkgroup or "
                                  "Generic memory; environments add Function",
                                  "ENV-2.1-17 reports other storage classes.",
                                  InField::kError,
                                  Severity::kError,
                                  RuleKind::kAccepts};
constexpr ValidationRule kRunTimeScopes{
    "UNI-51",
    "SPIR-V 1.0, 2.16.2",
    "scopes and memory semantics of kernels need not be constants",
    "The rules on their values apply all the same. The VM checks values that are known only at run "
    "time.",
    InField::kError,
    Severity::kError,
    RuleKind::kAccepts};
constexpr ValidationRule kPointee{
    "UNI-26", "SPIR-V 1.0, 2.16.1",
    "atomics go through pointers to integers of 32 or 64 bits, and loads, stores and exchanges to "
    "floats as well",
    "Use a wider integer; floats can be exchanged after OpBitcast to an integer."};
constexpr ValidationRule kOneOrder{"UNI-34", "SPIR-V 1.0, 3.25",
                                   "memory semantics have at most one of Acquire, Release, "
                                   "AcquireRelease and SequentiallyConsistent",
                                   "AcquireRelease (0x8) is both Acquire and Release."};
constexpr ValidationRule kUnequal{
    "UNI-35", "SPIR-V 1.0, 3.32.18 OpAtomicCompareExchange",
    "the semantics Unequal are neither Release nor AcquireRelease, and not stronger than Equal",
    "Use Relaxed or Acquire: nothing is written when the comparison fails.", InField::kWarning};
constexpr ValidationRule kDirection{
    "UNI-36", "SPIR-V 1.0, 3.32.18; OpenCL C 2.0, 6.13.11",
    "atomic loads are neither Release nor AcquireRelease, and atomic stores and OpAtomicFlagClear "
    "neither Acquire nor AcquireRelease",
    "Use Acquire for loads and Release for stores; SequentiallyConsistent serves both.",
    InField::kWarning};

constexpr std::uint32_t kAcquire = 0x2, kRelease = 0x4, kAcquireRelease = 0x8, kSequential = 0x10;
constexpr std::uint32_t kOrders = kAcquire | kRelease | kAcquireRelease | kSequential;

int strength(std::uint64_t semantics) {
  if (semantics & kSequential) return 3;
  if (semantics & kAcquireRelease) return 2;
  return semantics & (kAcquire | kRelease) ? 1 : 0;
}

class Atomics {
 public:
  explicit Atomics(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const auto operands = view_.operands(i);
      for (std::size_t n = 0; n < operands.size(); ++n) check_operand(i, n, operands[n].kind);
      if (is_atomic(view_.at(i).op)) check_atomic(i);
    }
  }

 private:
  void check_operand(std::uint32_t i, std::size_t n, decoder::OperandKind kind);
  void check_atomic(std::uint32_t i);
  void check_pointee(std::uint32_t i, Op op);
  void check_unequal(std::uint32_t i, std::size_t n);
  std::optional<std::uint64_t> constant(std::uint32_t i, std::size_t n) const {
    return view_.constant_value(view_.word(i, n));
  }

  Context& context_;
  const ModuleView& view_;
};

/// Scopes and semantics are 32-bit integers, of any instruction.
void Atomics::check_operand(std::uint32_t i, std::size_t n, decoder::OperandKind kind) {
  const bool semantics = kind == decoder::OperandKind::kIdMemorySemantics;
  if (!semantics && kind != decoder::OperandKind::kIdScope) return;
  const Id id = view_.word(i, n);
  const auto place = Place::at(i, static_cast<int>(n));
  if (!is_value(view_, id) || !view_.is_int(view_.type_of(id), 32)) {
    context_.report(
        kOperandTypes, place,
        fmt::format("expected a 32-bit integer, found {}", context_.type(view_.type_of(id))));
    return;
  }
  const auto value = semantics ? view_.constant_value(id) : std::nullopt;
  if (value && std::popcount(static_cast<std::uint32_t>(*value) & kOrders) > 1)
    context_.report(
        kOneOrder, place,
        fmt::format("expected at most one order in the semantics, found {:#x}", *value));
}

void Atomics::check_pointee(std::uint32_t i, Op op) {
  const Id pointer = view_.type_of(view_.word(i, 0));
  if (!is_pointer(view_, pointer)) {
    context_.report(kOperandTypes, Place::at(i, 0),
                    fmt::format("expected a pointer, found {}", context_.type(pointer)));
    return;
  }
  const bool flag = op == Op::OpAtomicFlagTestAndSet || op == Op::OpAtomicFlagClear;
  if (flag && is_untyped_pointer(view_, pointer)) return;
  const Id value = op == Op::OpAtomicStore ? view_.type_of(view_.word(i, 3)) : view_.at(i).type_id;
  const Id type = pointee_seen_as(view_, pointer, value);
  const bool real =
      op == Op::OpAtomicFAddEXT || op == Op::OpAtomicFMinEXT || op == Op::OpAtomicFMaxEXT;
  const bool either =
      op == Op::OpAtomicLoad || op == Op::OpAtomicStore || op == Op::OpAtomicExchange;
  const bool integer = view_.is_int(type, 32) || (view_.is_int(type, 64) && !flag);
  const bool number =
      view_.is_float(type) && (real || (either && component_width(view_, type) >= 32));
  if ((!integer || real) && !number)
    context_.report(kPointee, Place::at(i, 0),
                    fmt::format("expected a pointer to {}, found {}",
                                real   ? "a float"
                                : flag ? "a 32-bit integer"
                                       : "an integer of 32 or 64 bits",
                                context_.type(pointer)));
}

void Atomics::check_atomic(std::uint32_t i) {
  const Op op = view_.at(i).op;
  check_pointee(i, op);
  const int found = view_.find_operand(i, decoder::OperandKind::kIdMemorySemantics);
  if (found < 0) return;
  const auto n = static_cast<std::size_t>(found);
  if (op == Op::OpAtomicCompareExchange || op == Op::OpAtomicCompareExchangeWeak)
    check_unequal(i, n);
  const auto semantics = constant(i, n);
  if (!semantics) return;
  const bool load = op == Op::OpAtomicLoad;
  const bool store = op == Op::OpAtomicStore || op == Op::OpAtomicFlagClear;
  if ((load && (*semantics & (kRelease | kAcquireRelease)) != 0) ||
      (store && (*semantics & (kAcquire | kAcquireRelease)) != 0))
    context_.report(kDirection, Place::at(i, found),
                    fmt::format("expected {}, found {:#x}",
                                load ? "Relaxed, Acquire or SequentiallyConsistent"
                                     : "Relaxed, Release or SequentiallyConsistent",
                                *semantics));
}

/// Equal and Unequal stand side by side.
void Atomics::check_unequal(std::uint32_t i, std::size_t n) {
  const auto equal = constant(i, n);
  const auto unequal = constant(i, n + 1);
  const auto place = Place::at(i, static_cast<int>(n) + 1);
  if (!unequal) return;
  if ((*unequal & (kRelease | kAcquireRelease)) != 0)
    context_.report(kUnequal, place,
                    fmt::format("expected Unequal without Release, found {:#x}", *unequal));
  else if (equal && strength(*unequal) > strength(*equal))
    context_.report(kUnequal, place,
                    fmt::format("expected Unequal no stronger than Equal, {:#x}, found {:#x}",
                                *equal, *unequal));
}

void check(Context& context) { Atomics(context).check(); }

constexpr const ValidationRule* kRules[] = {&kClasses, &kPointee,   &kOneOrder,
                                            &kUnequal, &kDirection, &kRunTimeScopes};

}  // namespace
}  // namespace rules_atomics

const Family kAtomicUseFamily{"atomic-use", rules_atomics::kRules, rules_atomics::check};

}  // namespace transpire::validator
