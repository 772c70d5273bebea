// SPIR-V 1.0, 2.16.1 "Entry point and execution model", 3.6, 3.21 and 3.32.5: entry points, their
// interfaces and modes, built-in variables.
#include <fmt/format.h>

#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_interfaces {
namespace {

using spv::BuiltIn;
using spv::Op;
using spv::StorageClass;

constexpr ValidationRule kUniqueName{
    "UNI-27", "SPIR-V 1.0, 3.32.5 OpEntryPoint",
    "an entry point is a function, and no two entry points have the same execution model and name",
    "Kernels are found by name: rename one of them."};
constexpr ValidationRule kInterface{
    "UNI-28", "SPIR-V 1.0, 3.32.5 OpEntryPoint",
    "an entry point's interface lists the Input variables that its call tree uses",
    "Add the variable to the operands of OpEntryPoint.", InField::kWarning};
constexpr ValidationRule kInterfaceKind{
    "V0006", "SPIR-V 1.0 and 1.4, 3.32.5 \"Mode-Setting Instructions\", OpEntryPoint",
    "up to SPIR-V 1.3 an interface lists only Input and Output variables; from 1.4 on it lists "
    "each variable outside of functions that the call tree uses, of any class, once",
    "Raise or lower the version in the header, or change the list to fit it.", InField::kWarning};
constexpr ValidationRule kModes{
    "UNI-49", "SPIR-V 1.0, 3.6 and 3.32.5 OpExecutionMode",
    "an execution mode belongs to an entry point, which has it once, or once for each width of "
    "floats that it names; sizes are not zero",
    "Name a function that OpEntryPoint names. Write 1 for a size that does not matter."};
constexpr ValidationRule kInputBuiltIn{
    "V0033", "SPIR-V 1.0, 3.7 \"Storage Class\" and 3.21 \"BuiltIn\"",
    "an Input variable that a function uses has the decoration BuiltIn",
    "Kernels have no other input: the host passes values as the kernel's parameters.",
    InField::kWarning};
constexpr ValidationRule kModeOperands{
    "V0027", "SPIR-V 1.2, 3.32.5 OpExecutionMode and OpExecutionModeId",
    "OpExecutionMode takes no mode with operands that are ids, and OpExecutionModeId no other",
    "Use OpExecutionModeId for LocalSizeId and other modes whose operands are ids, and "
    "OpExecutionMode for LocalSize and other modes whose operands are literals.",
    InField::kWarning};
constexpr ValidationRule kBuiltInType{
    "UNI-52", "SPIR-V 1.0, 3.21; OpenCL C 2.0, 6.13.1",
    "a built-in variable is an Input of the type that its meaning needs: ids and sizes are vectors "
    "of three size_t, linear ids size_t, the rest 32-bit integers",
    "size_t has the addressing model's width: 64 bits with Physical64, 32 with Physical32.",
    InField::kWarning};

enum class BuiltInShape : std::uint8_t { kOther, kSizes, kSize, kUint, kMask };

BuiltInShape shape_of(BuiltIn builtin) {
  switch (builtin) {
    case BuiltIn::NumWorkgroups:
    case BuiltIn::WorkgroupSize:
    case BuiltIn::WorkgroupId:
    case BuiltIn::LocalInvocationId:
    case BuiltIn::GlobalInvocationId:
    case BuiltIn::GlobalSize:
    case BuiltIn::EnqueuedWorkgroupSize:
    case BuiltIn::GlobalOffset:
      return BuiltInShape::kSizes;
    case BuiltIn::LocalInvocationIndex:
    case BuiltIn::GlobalLinearId:
      return BuiltInShape::kSize;
    case BuiltIn::WorkDim:
    case BuiltIn::SubgroupSize:
    case BuiltIn::SubgroupMaxSize:
    case BuiltIn::NumSubgroups:
    case BuiltIn::NumEnqueuedSubgroups:
    case BuiltIn::SubgroupId:
    case BuiltIn::SubgroupLocalInvocationId:
      return BuiltInShape::kUint;
    case BuiltIn::SubgroupEqMask:
    case BuiltIn::SubgroupGeMask:
    case BuiltIn::SubgroupGtMask:
    case BuiltIn::SubgroupLeMask:
    case BuiltIn::SubgroupLtMask:
      return BuiltInShape::kMask;
    default:
      return BuiltInShape::kOther;
  }
}

/// Calls and variables of a function itself, on which interfaces depend.
struct FunctionUses {
  std::vector<std::uint32_t> callees;  ///< indexes of functions
  std::vector<Id> variables;           ///< module-scope variables, each once
};

class EntryPoints {
 public:
  explicit EntryPoints(Context& context) : context_(context), view_(context.view) {}

  void check() {
    collect_uses();
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> seen;
    for (const std::uint32_t i : view_.all(Op::OpEntryPoint)) {
      if (view_.operand_count(i) < 3) continue;
      if (view_.op_of(view_.word(i, 1)) != Op::OpFunction && !context_.lacks_function)
        context_.report(
            kUniqueName, Place::at(i, 1),
            fmt::format("expected a function, found {}", context_.name(view_.word(i, 1))), {},
            "Name the kernel's OpFunction.");
      const auto [first, is_new] = seen.try_emplace({view_.word(i, 0), view_.text(i, 2)}, i);
      if (!is_new)
        context_.report(
            kUniqueName, Place::at(i, 2),
            fmt::format("expected a name of its own, found \"{}\" again", view_.text(i, 2)),
            {{"the other entry point", first->second}});
      check_interface(i);
    }
    check_modes();
    check_builtins();
    check_inputs();
  }

 private:
  void collect_uses();
  void check_interface(std::uint32_t i);
  void check_listed(std::uint32_t i, const std::unordered_set<Id>& listed);
  void check_modes();
  void check_mode(std::uint32_t i);
  void check_mode_operands(std::uint32_t i);
  void check_builtins();
  void check_inputs();
  void check_builtin(const Decoration& decoration);
  void check_fixed_size(const Decoration& decoration);

  /// Call trees of many entry points may share most functions, so the work is bounded. Modules that
  /// exceed the bound are checked in part.
  bool spend() { return budget_ != 0 && budget_-- != 0; }
  bool lists_all() const { return view_.version() >= 0x00010400; }

  Context& context_;
  const ModuleView& view_;
  std::vector<FunctionUses> uses_;
  std::size_t budget_ = 1'000'000 + 64 * view_.instructions().size();
};

void EntryPoints::collect_uses() {
  uses_.resize(view_.functions().size());
  for (std::size_t f = 0; f < uses_.size(); ++f) {
    std::unordered_set<Id> seen;
    const Function& function = view_.functions()[f];
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      const auto operands = view_.operands(i);
      for (std::size_t n = 0; n < operands.size(); ++n) {
        if (!view_.is_id(operands[n])) continue;
        const Id id = view_.word(i, n);
        const Op op = view_.op_of(id);
        if (op == Op::OpFunction && view_.at(i).op == Op::OpFunctionCall) {
          if (seen.insert(id).second) uses_[f].callees.push_back(view_.function_of(id));
        } else if (is_variable(view_, id) && view_.at(view_.definition(id)).function == kNone) {
          if (seen.insert(id).second) uses_[f].variables.push_back(id);
        }
      }
    }
  }
}

/// Reports the first wrong entry.
void EntryPoints::check_interface(std::uint32_t i) {
  std::unordered_set<Id> listed;
  std::string wrong;
  for (std::size_t n = 3; n < view_.operand_count(i); ++n) {
    const Id id = view_.word(i, n);
    const bool is_new = listed.insert(id).second;
    const std::uint32_t definition = view_.definition(id);
    if (definition == kNone || !wrong.empty()) continue;
    const auto storage = static_cast<StorageClass>(view_.word(definition, 0));
    if (!is_variable(view_, id) || view_.at(definition).function != kNone)
      wrong = fmt::format("expected a variable outside of functions, found {}", context_.name(id));
    else if (!lists_all() && storage != StorageClass::Input && storage != StorageClass::Output)
      wrong = fmt::format("expected an Input or Output variable up to SPIR-V 1.3, found {}",
                          context_.name(id));
    else if (lists_all() && !is_new)
      wrong = fmt::format("expected each variable once, found {} again", context_.name(id));
    if (!wrong.empty())
      context_.report(kInterfaceKind, Place::at(i, static_cast<int>(n)), wrong,
                      {{"declared here", definition}});
  }
  check_listed(i, listed);
}

void EntryPoints::check_listed(std::uint32_t i, const std::unordered_set<Id>& listed) {
  const std::uint32_t first = view_.function_of(view_.word(i, 1));
  if (first == kNone) return;
  std::unordered_set<std::uint32_t> seen{first};
  std::vector<std::uint32_t> todo{first};
  while (!todo.empty() && spend()) {
    const std::uint32_t f = todo.back();
    todo.pop_back();
    for (const Id id : uses_[f].variables) {
      if (!spend()) return;
      const std::uint32_t definition = view_.definition(id);
      const bool input =
          static_cast<StorageClass>(view_.word(definition, 0)) == StorageClass::Input;
      if (listed.contains(id) || (!input && !lists_all())) continue;
      context_.report(
          input ? kInterface : kInterfaceKind, Place::at(i),
          fmt::format("expected {} in the interface", context_.name(id)),
          {{"declared here", definition}, {"used by this function", view_.functions()[f].first}});
      return;
    }
    for (const std::uint32_t callee : uses_[f].callees)
      if (callee != kNone && seen.insert(callee).second) todo.push_back(callee);
  }
}

/// Modes for floats of one width, their operand. Each width may have one.
bool is_of_one_width(spv::ExecutionMode mode) {
  switch (mode) {
    case spv::ExecutionMode::DenormPreserve:
    case spv::ExecutionMode::DenormFlushToZero:
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
    case spv::ExecutionMode::RoundingModeRTE:
    case spv::ExecutionMode::RoundingModeRTZ:
    case spv::ExecutionMode::RoundingModeRTPINTEL:
    case spv::ExecutionMode::RoundingModeRTNINTEL:
    case spv::ExecutionMode::FloatingPointModeALTINTEL:
    case spv::ExecutionMode::FloatingPointModeIEEEINTEL:
      return true;
    default:
      return false;
  }
}

void EntryPoints::check_modes() {
  /// By entry point, mode and width; a mode for all widths has the width 0.
  std::map<std::tuple<Id, std::uint32_t, std::uint32_t>, std::uint32_t> seen;
  for (const Op op : {Op::OpExecutionMode, Op::OpExecutionModeId})
    for (const std::uint32_t i : view_.all(op)) {
      if (view_.operand_count(i) < 2) continue;
      check_mode(i);
      const std::uint32_t mode = view_.word(i, 1);
      const std::uint32_t width =
          is_of_one_width(static_cast<spv::ExecutionMode>(mode)) ? view_.word(i, 2) : 0;
      const auto [first, is_new] = seen.try_emplace({view_.word(i, 0), mode, width}, i);
      if (!is_new)
        context_.report(kModes, Place::at(i, 1),
                        "expected each mode once for an entry point, or once for each width",
                        {{"the other one", first->second}});
    }
}

void EntryPoints::check_mode(std::uint32_t i) {
  if (!view_.is_entry_point(view_.word(i, 0)))
    context_.report(
        kModes, Place::at(i, 0),
        fmt::format("expected an entry point, found {}", context_.name(view_.word(i, 0))));
  const auto mode = static_cast<spv::ExecutionMode>(view_.word(i, 1));
  const bool sizes = mode == spv::ExecutionMode::LocalSize ||
                     mode == spv::ExecutionMode::LocalSizeHint ||
                     mode == spv::ExecutionMode::SubgroupSize;
  check_mode_operands(i);
  const auto operands = view_.operands(i);
  for (std::size_t n = 2; n < operands.size(); ++n) {
    const auto place = Place::at(i, static_cast<int>(n));
    const bool by_id = view_.is_id(operands[n]);
    if (by_id && !is_constant(view_.op_of(view_.word(i, n))))
      context_.report(kModes, place, "expected a constant");
    const bool zero =
        by_id ? view_.constant_value(view_.word(i, n)) == 0u : sizes && view_.word(i, n) == 0;
    if (zero) context_.report(kModes, place, "expected a size of at least 1, found 0");
  }
}

void EntryPoints::check_mode_operands(std::uint32_t i) {
  const auto operands = view_.operands(i);
  const bool wants_ids = view_.at(i).op == Op::OpExecutionModeId;
  const bool has_ids = operands.size() > 2 && view_.is_id(operands[2]);
  if (has_ids == wants_ids) return;
  context_.report(
      kModeOperands, Place::at(i, 1),
      fmt::format("expected {} for {}, found {}", has_ids ? "OpExecutionModeId" : "OpExecutionMode",
                  decoder::enumerant_name(decoder::OperandKind::kExecutionMode, view_.word(i, 1)),
                  view_.at(i).info->name));
}

void EntryPoints::check_builtins() {
  for (const Decoration& decoration : view_.all_decorations())
    if (decoration.kind == spv::Decoration::BuiltIn && decoration.member == kNone) {
      if (view_.op_of(decoration.target) == Op::OpVariable) check_builtin(decoration);
      if (view_.op_of(decoration.target) == Op::OpConstantComposite) check_fixed_size(decoration);
    }
}

void EntryPoints::check_inputs() {
  for (const FunctionUses& uses : uses_)
    for (const Id id : uses.variables) {
      const std::uint32_t definition = view_.definition(id);
      const bool input =
          static_cast<StorageClass>(view_.word(definition, 0)) == StorageClass::Input;
      if (input && view_.decoration(id, spv::Decoration::BuiltIn) == nullptr)
        context_.report(
            kInputBuiltIn, Place::at(definition),
            fmt::format("expected a decoration BuiltIn for {}, an Input", context_.name(id)));
    }
}

void EntryPoints::check_builtin(const Decoration& decoration) {
  const std::uint32_t definition = view_.definition(decoration.target);
  const std::uint32_t value = view_.word(decoration.instruction, decoration.first_parameter);
  const Id type = view_.pointee(view_.type_of(decoration.target));
  if (type == 0) return;
  const std::uint32_t size = address_width(view_);
  const Id component = view_.component_type(type);
  bool good = true;
  std::string wanted;
  switch (shape_of(static_cast<BuiltIn>(value))) {
    case BuiltInShape::kOther:
      return;
    case BuiltInShape::kSizes:
      good = component_count(view_, type) == 3 && view_.is_int(component, size);
      wanted = fmt::format("a vector of three {}-bit integers", size);
      break;
    case BuiltInShape::kSize:
      good = view_.is_int(type, size);
      wanted = fmt::format("a {}-bit integer", size);
      break;
    case BuiltInShape::kUint:
      good = view_.is_int(type, 32);
      wanted = "a 32-bit integer";
      break;
    case BuiltInShape::kMask:
      good = component_count(view_, type) == 4 && view_.is_int(component, 32);
      wanted = "a vector of four 32-bit integers";
      break;
  }
  const auto name = decoder::enumerant_name(decoder::OperandKind::kBuiltIn, value);
  if (size != 0 && !good)
    context_.report(kBuiltInType, Place::at(definition),
                    fmt::format("expected {} for {}, found {}", wanted, name, context_.type(type)),
                    {{"the decoration", decoration.instruction}});
  if (static_cast<StorageClass>(view_.word(definition, 0)) != StorageClass::Input)
    context_.report(kBuiltInType, Place::at(definition, 0),
                    fmt::format("expected the storage class Input for {}", name),
                    {{"the decoration", decoration.instruction}});
}

/// A constant decorated WorkgroupSize is the work-group size of all kernels.
void EntryPoints::check_fixed_size(const Decoration& decoration) {
  const std::uint32_t i = view_.definition(decoration.target);
  for (std::size_t n = 0; n < view_.operand_count(i); ++n)
    if (view_.constant_value(view_.word(i, n)) == 0u) {
      context_.report(kModes, Place::at(i, static_cast<int>(n)),
                      "expected a size of at least 1, found 0",
                      {{"the decoration", decoration.instruction}});
      return;
    }
}

void check(Context& context) { EntryPoints(context).check(); }

constexpr const ValidationRule* kRules[] = {&kUniqueName, &kInterface,    &kInterfaceKind,
                                            &kModes,      &kInputBuiltIn, &kModeOperands,
                                            &kBuiltInType};

}  // namespace
}  // namespace rules_interfaces

const Family kInterfaceFamily{"interfaces", rules_interfaces::kRules, rules_interfaces::check};

}  // namespace transpire::validator
