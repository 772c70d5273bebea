// ENV-X.3, ENV-5.3 and ENV-6.3: scopes and memory semantics, and the group instructions that OpenCL
// 1.2 does not have. Scopes and semantics that are not constant are checked at run time.
#include <fmt/format.h>

#include "decoder/module.h"
#include "decoder/newer_opcodes.h"
#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_scopes {
namespace {

using decoder::OperandKind;

#define TRANSPIRE_CLAUSE(sections) "OpenCL SPIR-V Environment 2.2, " sections

constexpr std::string_view kScopesHint =
    "The specification says that scopes are generally limited to these, so `--scopes=accept` "
    "accepts others as well.";

constexpr ValidationRule kExecutionScope{
    .id = "ENV-X.3-01",
    .clause = TRANSPIRE_CLAUSE("3.3 and 4.3"),
    .statement = "from OpenCL 2.1 on, barriers have the execution scope Workgroup or Subgroup",
    .hint = kScopesHint,
    .in_field = InField::kWarning};
constexpr ValidationRule kWorkgroupOnly{
    .id = "ENV-X.3-02",
    .clause = TRANSPIRE_CLAUSE("5.3 and 6.3"),
    .statement =
        "in OpenCL 1.2 and 2.0, barriers have the execution scope Workgroup; Subgroup with "
        "cl_khr_subgroups",
    .hint = kScopesHint,
    .in_field = InField::kWarning};
constexpr ValidationRule kMemoryScope{
    .id = "ENV-X.3-03",
    .clause = TRANSPIRE_CLAUSE("3.3, 4.3 and 5.3"),
    .statement = "memory scopes are CrossDevice, Device, Workgroup or Invocation",
    .hint = kScopesHint,
    .in_field = InField::kWarning};
constexpr ValidationRule kMemoryScope12{
    .id = "ENV-6.3-00",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement = "in OpenCL 1.2, memory scopes are CrossDevice, Device, Workgroup or Invocation",
    .hint = kScopesHint,
    .in_field = InField::kWarning};
constexpr ValidationRule kNoScope{
    .id = "ENV-X.3-03b",
    .clause = TRANSPIRE_CLAUSE("3.3, 4.3, 5.3 and 6.3"),
    .statement = "a scope is one of the numbers that SPIR-V lists",
    .hint = "CrossDevice is 0, Device 1, Workgroup 2, Subgroup 3, Invocation 4."};
constexpr ValidationRule kCopyScope{
    .id = "ENV-X.3-04",
    .clause = TRANSPIRE_CLAUSE("3.3, 4.3 and 7.2.11"),
    .statement = "OpGroupAsyncCopy has the execution scope Workgroup",
    .hint = "Asynchronous copies belong to the whole work-group, with sub-groups too."};
constexpr ValidationRule kWaitScope{
    .id = "ENV-X.3-05",
    .clause = TRANSPIRE_CLAUSE("3.3, 4.3 and 7.2.11"),
    .statement = "OpGroupWaitEvents has the execution scope Workgroup",
    .hint = "Asynchronous copies belong to the whole work-group, with sub-groups too."};
constexpr ValidationRule kGroupScope{
    .id = "ENV-X.3-06",
    .clause = TRANSPIRE_CLAUSE("3.3, 4.3 and 5.3"),
    .statement = "group instructions have the execution scopes that barriers have",
    .hint = kScopesHint,
    .in_field = InField::kWarning};
constexpr ValidationRule kSubgroups20{
    .id = "ENV-5.3-01",
    .clause = TRANSPIRE_CLAUSE("5.3 and 7.2.11"),
    .statement = "in OpenCL 2.0, group instructions of the scope Subgroup need cl_khr_subgroups",
    .hint = "Name cl_khr_subgroups in the device's description, or use the scope Workgroup.",
    .in_field = InField::kWarning};
constexpr ValidationRule kBarrierScope12{
    .id = "ENV-6.3-02",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement = "in OpenCL 1.2, the memory scope of OpControlBarrier is Workgroup",
    .hint = "Use the scope Workgroup.",
    .in_field = InField::kWarning};
constexpr ValidationRule kBarrierOrder12{
    .id = "ENV-6.3-03",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement =
        "in OpenCL 1.2, the memory semantics of OpControlBarrier are SequentiallyConsistent",
    .hint =
        "Use SequentiallyConsistent (0x10), with the memories that are meant: WorkgroupMemory "
        "(0x100), CrossWorkgroupMemory (0x200).",
    .in_field = InField::kWarning};
constexpr ValidationRule kFenceScope12{
    .id = "ENV-6.3-04",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement = "in OpenCL 1.2, the memory scope of OpMemoryBarrier is Workgroup",
    .hint = "Use the scope Workgroup.",
    .in_field = InField::kWarning};
constexpr ValidationRule kFenceOrder12{
    .id = "ENV-6.3-05",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement =
        "in OpenCL 1.2, the memory semantics of OpMemoryBarrier are SequentiallyConsistent",
    .hint =
        "Use SequentiallyConsistent (0x10), with the memories that are meant: WorkgroupMemory "
        "(0x100), CrossWorkgroupMemory (0x200).",
    .in_field = InField::kWarning};
constexpr ValidationRule kAtomicScope12{
    .id = "ENV-6.3-06",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement =
        "in OpenCL 1.2, atomics have the scope Device, but for those of 64 bits with "
        "WorkgroupMemory semantics",
    .hint =
        "Use the scope Device (1). For 64-bit atomics with WorkgroupMemory, section 7.2.8 requires "
        "Workgroup, and it wins: see TSP-V0022.",
    .in_field = InField::kWarning};
constexpr ValidationRule kAtomicOrder12{
    .id = "ENV-6.3-07",
    .clause = TRANSPIRE_CLAUSE("6.3"),
    .statement = "in OpenCL 1.2, atomics have the memory semantics Relaxed",
    .hint = "Use Relaxed (0); OpenCL 2.0 has atomics that order memory.",
    .in_field = InField::kWarning};

// clang-format off
#define TRANSPIRE_GROUP_INSTRUCTIONS(ROW) \
  ROW(01, OpGroupAll) ROW(02, OpGroupAny) ROW(03, OpGroupBroadcast) ROW(04, OpGroupIAdd) \
  ROW(05, OpGroupFAdd) ROW(06, OpGroupFMin) ROW(07, OpGroupUMin) ROW(08, OpGroupSMin) \
  ROW(09, OpGroupFMax) ROW(10, OpGroupUMax) ROW(11, OpGroupSMax)
// clang-format on

namespace not_in_12 {
#define TRANSPIRE_ROW(number, op)                                           \
  constexpr ValidationRule op{.id = "ENV-6.3-01." #number,                  \
                              .clause = TRANSPIRE_CLAUSE("6.3"),            \
                              .statement = "OpenCL 1.2 does not have " #op, \
                              .hint = "Use local memory and barriers, or OpenCL 2.0."};
TRANSPIRE_GROUP_INSTRUCTIONS(TRANSPIRE_ROW)
#undef TRANSPIRE_ROW
}  // namespace not_in_12

namespace from_20 {
#define TRANSPIRE_ROW(number, op)                                                             \
  constexpr ValidationRule op{.id = "ENV-6.3-01." #number "P",                                \
                              .clause = TRANSPIRE_CLAUSE("3, 4 and 5"),                       \
                              .statement = #op " is accepted from OpenCL 2.0 on",             \
                              .hint = "A device that refuses it violates the specification.", \
                              .kind = RuleKind::kAccepts};
TRANSPIRE_GROUP_INSTRUCTIONS(TRANSPIRE_ROW)
#undef TRANSPIRE_ROW
}  // namespace from_20

const ValidationRule* group_rule(spv::Op op) {
  switch (op) {
#define TRANSPIRE_ROW(number, name) \
  case spv::Op::name:               \
    return &not_in_12::name;
    TRANSPIRE_GROUP_INSTRUCTIONS(TRANSPIRE_ROW)
#undef TRANSPIRE_ROW
    default:
      return nullptr;
  }
}

constexpr std::uint64_t kOrder = 0x1e;  ///< the ordering bits of Memory Semantics
constexpr std::uint64_t kSequentiallyConsistent =
    static_cast<std::uint64_t>(spv::MemorySemanticsMask::SequentiallyConsistent);

std::string text_of(std::uint64_t scope) {
  return std::string(
      decoder::enumerant_name(OperandKind::kScope, static_cast<std::uint32_t>(scope)));
}

/// The operands with an instruction's scopes and semantics; -1: none.
struct Synchronisation {
  int execution = -1, memory = -1, semantics = -1;
};

Synchronisation operands_of(const ModuleView& view, std::uint32_t i) {
  Synchronisation found;
  const Instruction& in = view.at(i);
  const bool executes =
      in.op == spv::Op::OpControlBarrier || is_group(in.op) || in.info->class_name == "Pipe";
  const auto operands = view.operands(i);
  for (std::size_t n = 0; n < operands.size(); ++n) {
    int& slot = operands[n].kind == OperandKind::kIdMemorySemantics ? found.semantics
                : executes && found.execution < 0                   ? found.execution
                                                                    : found.memory;
    const bool is_one = operands[n].kind == OperandKind::kIdScope ||
                        operands[n].kind == OperandKind::kIdMemorySemantics;
    if (is_one && slot < 0) slot = static_cast<int>(n);
  }
  return found;
}

/// Checks one instruction with scopes.
class ScopeCheck {
 public:
  ScopeCheck(Context& context, std::uint32_t i)
      : context_(context), view_(context.view), i_(i), at_(operands_of(context.view, i)) {}

  void run() {
    const spv::Op op = view_.at(i_).op;
    if (const ValidationRule* rule = group_rule(op); rule && !context_.at_least(20))
      context_.report(*rule, Place::at(i_),
                      fmt::format("OpenCL 1.2 does not have {}", view_.at(i_).info->name));
    if (const auto scope = known_scope(at_.execution)) check_execution(*scope);
    if (const auto scope = known_scope(at_.memory)) check_memory(*scope);
    if (context_.environment.version == 12) check_12();
  }

 private:
  std::optional<std::uint64_t> value(int operand) const {
    if (operand < 0) return std::nullopt;
    return view_.constant_value(view_.word(i_, static_cast<std::size_t>(operand)));
  }

  std::optional<std::uint64_t> known_scope(int operand) {
    const auto scope = value(operand);
    if (!scope) return std::nullopt;
    if (*scope <= 0xffff && !text_of(*scope).empty()) return scope;
    context_.report(kNoScope, Place::at(i_, operand),
                    fmt::format("expected a scope, found the constant {}", *scope));
    return std::nullopt;
  }

  void report(const ValidationRule& rule, int operand, std::string_view expected,
              std::uint64_t found) {
    context_.report(rule, Place::at(i_, operand),
                    fmt::format("expected {} for {}, found {}", expected, view_.at(i_).info->name,
                                text_of(found)));
  }

  bool accepts_others() const { return context_.options.other_scopes == OpenQuestion::kAccept; }

  bool has_subgroups() const {
    if (context_.environment.version == 30)
      return context_.device.has_feature("__opencl_c_subgroups") ||
             context_.device.has("cl_khr_subgroups");
    return context_.at_least(21) || context_.device.has("cl_khr_subgroups");
  }

  void check_execution(std::uint64_t scope) {
    constexpr auto kWorkgroup = static_cast<std::uint64_t>(spv::Scope::Workgroup);
    constexpr auto kSubgroup = static_cast<std::uint64_t>(spv::Scope::Subgroup);
    const spv::Op op = view_.at(i_).op;
    if (scope == kWorkgroup) return;
    if (op == spv::Op::OpGroupAsyncCopy || op == decoder::kOpUntypedGroupAsyncCopyKHR)
      return report(kCopyScope, at_.execution, "the execution scope Workgroup", scope);
    if (op == spv::Op::OpGroupWaitEvents)
      return report(kWaitScope, at_.execution, "the execution scope Workgroup", scope);
    if (accepts_others() || (scope == kSubgroup && has_subgroups())) return;
    const std::string_view expected = has_subgroups() ? "the execution scope Workgroup or Subgroup"
                                                      : "the execution scope Workgroup";
    const bool barrier = op == spv::Op::OpControlBarrier;
    if (!barrier && scope == kSubgroup && context_.environment.version == 20)
      return report(kSubgroups20, at_.execution, expected, scope);
    if (!barrier && context_.at_least(20))
      return report(kGroupScope, at_.execution, expected, scope);
    report(context_.at_least(21) ? kExecutionScope : kWorkgroupOnly, at_.execution, expected,
           scope);
  }

  void check_memory(std::uint64_t scope) {
    if (accepts_others()) return;
    switch (static_cast<spv::Scope>(scope)) {
      case spv::Scope::CrossDevice:
      case spv::Scope::Device:
      case spv::Scope::Workgroup:
      case spv::Scope::Invocation:
        return;
      case spv::Scope::Subgroup:
        if (context_.environment.version == 30 && has_subgroups()) return;
        break;
      default:
        break;
    }
    report(context_.at_least(20) ? kMemoryScope : kMemoryScope12, at_.memory,
           "the memory scope CrossDevice, Device, Workgroup or Invocation", scope);
  }

  /// True for a 64-bit atomic whose scope 7.2.8 decides; other atomics are no matter of 7.2.8.
  bool has_wide_scope() const {
    constexpr auto kWorkgroupMemory =
        static_cast<std::uint64_t>(spv::MemorySemanticsMask::WorkgroupMemory);
    const Id pointee = view_.pointee(view_.type_of(view_.word(i_, 0)));
    return view_.is_int(pointee, 64) && (value(at_.semantics).value_or(0) & kWorkgroupMemory) != 0;
  }

  /// The additional rules of OpenCL 1.2 for barriers and atomics.
  void check_12() {
    const spv::Op op = view_.at(i_).op;
    const auto scope = value(at_.memory);
    const auto semantics = value(at_.semantics);
    const bool barrier = op == spv::Op::OpControlBarrier;
    if (barrier || op == spv::Op::OpMemoryBarrier) {
      if (scope && *scope != static_cast<std::uint64_t>(spv::Scope::Workgroup))
        report(barrier ? kBarrierScope12 : kFenceScope12, at_.memory, "the memory scope Workgroup",
               *scope);
      if (semantics && (*semantics & kOrder) != kSequentiallyConsistent)
        context_.report(
            barrier ? kBarrierOrder12 : kFenceOrder12, Place::at(i_, at_.semantics),
            fmt::format("expected SequentiallyConsistent semantics, found {:#x}", *semantics));
    } else if (is_atomic(op)) {
      if (scope && *scope != static_cast<std::uint64_t>(spv::Scope::Device) && !has_wide_scope())
        report(kAtomicScope12, at_.memory, "the scope Device", *scope);
      if (semantics && (*semantics & kOrder) != 0)
        context_.report(kAtomicOrder12, Place::at(i_, at_.semantics),
                        fmt::format("expected Relaxed semantics, found {:#x}", *semantics));
    }
  }

  Context& context_;
  const ModuleView& view_;
  std::uint32_t i_;
  Synchronisation at_;
};

bool has_scopes(std::string_view class_name) {
  return class_name == "Barrier" || class_name == "Atomic" || class_name == "Group" ||
         class_name == "Non-Uniform" || class_name == "Pipe";
}

void check(Context& context) {
  for (std::uint32_t i = 0; i < context.view.instructions().size(); ++i) {
    const Instruction& in = context.view.at(i);
    if (in.info && in.shape == Shape::kGood && has_scopes(in.info->class_name))
      ScopeCheck(context, i).run();
  }
}

constexpr const ValidationRule* kRules[] = {&kExecutionScope,
                                            &kWorkgroupOnly,
                                            &kMemoryScope,
                                            &kNoScope,
                                            &kCopyScope,
                                            &kWaitScope,
                                            &kGroupScope,
                                            &kSubgroups20,
                                            &kMemoryScope12,
#define TRANSPIRE_ROW(number, op) &not_in_12::op, &from_20::op,
                                            TRANSPIRE_GROUP_INSTRUCTIONS(TRANSPIRE_ROW)
#undef TRANSPIRE_ROW
                                                & kBarrierScope12,
                                            &kBarrierOrder12,
                                            &kFenceScope12,
                                            &kFenceOrder12,
                                            &kAtomicScope12,
                                            &kAtomicOrder12};

}  // namespace
}  // namespace rules_env_scopes
#undef TRANSPIRE_GROUP_INSTRUCTIONS
#undef TRANSPIRE_CLAUSE

const Family kEnvScopesFamily{"scopes", rules_env_scopes::kRules, rules_env_scopes::check};

}  // namespace transpire::validator
