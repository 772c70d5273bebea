// SPIR-V 1.0, 2.16.1 "Functions" and 3.32.9: declarations and definitions, calls, results.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/type_hints.h"

namespace transpire::validator {
namespace rules_functions {
namespace {

using spv::Op;

constexpr ValidationRule kDeclarationImported{
    "UNI-06", "SPIR-V 1.0, 2.13 and 2.16.1", "a function without a body has the linkage Import",
    "Decorate it `LinkageAttributes \"name\" Import`, or give it a body."};
constexpr ValidationRule kDefinitionNotImported{
    "UNI-07", "SPIR-V 1.0, 2.13 and 2.16.1",
    "a function with a body does not have the linkage Import",
    "Use Export for functions that other modules call."};
constexpr ValidationRule kCallee{
    "UNI-13", "SPIR-V 1.0, 2.16.1 and 3.32.9", "OpFunctionCall calls a function of the module",
    "SPIR-V has no calls through pointers: name an OpFunction, imported if need be."};
constexpr ValidationRule kArguments{
    "UNI-22", "SPIR-V 1.0, 2.16.1 and 3.32.9",
    "a call has one argument for each parameter, and types of arguments and result agree with the "
    "function's",
    "Convert the argument to the parameter's type before the call."};
constexpr ValidationRule kEntryPointCalled{
    "UNI-53", "SPIR-V 1.0, 2.16.1", "a function that OpEntryPoint names is not called",
    "Move the body to a function of its own, which the kernel and its callers call. OpenCL C lets "
    "kernels be called, so its front ends do the same."};

constexpr const char* kAsDeclared = "The function and its type must agree: change one of them.";

class Functions {
 public:
  explicit Functions(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (const Function& function : view_.functions()) check_function(function);
    for (const std::uint32_t i : view_.all(Op::OpFunctionCall)) check_call(i);
  }

 private:
  void check_function(const Function& function);
  void check_linkage(const Function& function);
  void check_parameters(const Function& function, std::uint32_t type);
  void check_returns(const Function& function);
  void check_call(std::uint32_t i);

  Context& context_;
  const ModuleView& view_;
};

void Functions::check_function(const Function& function) {
  const std::uint32_t i = function.first;
  const Id type = view_.word(i, 1);
  check_linkage(function);
  if (view_.op_of(type) != Op::OpTypeFunction) {
    context_.report(kOperandTypes, Place::at(i, 1),
                    fmt::format("expected a function type, found {}", context_.name(type)), {},
                    "Name an OpTypeFunction here.");
    return;
  }
  const std::uint32_t declared = view_.definition(type);
  if (view_.at(i).type_id != view_.word(declared, 0))
    context_.report(
        kOperandTypes, Place::at(i, Place::kType),
        fmt::format("expected the function type's result {}, found {}",
                    context_.type(view_.word(declared, 0)), context_.type(view_.at(i).type_id)),
        {{"the function type", declared}}, kAsDeclared);
  check_parameters(function, declared);
  check_returns(function);
}

void Functions::check_linkage(const Function& function) {
  const Id id = view_.at(function.first).result_id;
  const Decoration* linkage = view_.decoration(id, spv::Decoration::LinkageAttributes);
  bool imported = false;
  if (linkage) {
    const int kind = view_.find_operand(linkage->instruction, decoder::OperandKind::kLinkageType);
    imported = kind >= 0 && static_cast<spv::LinkageType>(
                                view_.word(linkage->instruction, static_cast<std::size_t>(kind))) ==
                                spv::LinkageType::Import;
  }
  // Without a body there are only OpFunction, parameters and OpFunctionEnd. Other instructions lack
  // an OpLabel, which another rule reports.
  const bool is_empty = function.end - function.first <= function.parameters.size() + 2;
  if (!function.has_body() && !imported && function.closed && (is_empty || context_.options.all))
    context_.report(
        kDeclarationImported, Place::at(function.first),
        fmt::format("expected the linkage Import for {}, which has no body", context_.name(id)));
  if (function.has_body() && imported)
    context_.report(
        kDefinitionNotImported, Place::at(function.first),
        fmt::format("expected no linkage Import for {}, which has a body", context_.name(id)),
        {{"the decoration", linkage->instruction}});
}

void Functions::check_parameters(const Function& function, std::uint32_t type) {
  const std::size_t wanted = view_.operand_count(type) - 1;
  // Skips consequences of a reported mistake: in the type, an OpFunction, a duplicate parameter, or
  // a missing one that is used.
  const bool twice = std::ranges::any_of(
      function.parameters, [this](std::uint32_t i) { return context_.is_tainted(i); });
  const bool gone = function.parameters.size() < wanted && context_.has_undefined();
  if (context_.is_tainted(type) || context_.lacks_function || twice || gone) return;
  if (function.parameters.size() != wanted) {
    context_.report(kOperandTypes, Place::at(function.first),
                    fmt::format("expected {} parameter{} by the function type, found {}", wanted,
                                wanted == 1 ? "" : "s", function.parameters.size()),
                    {{"the function type", type}}, kAsDeclared);
    return;
  }
  for (std::size_t n = 0; n < wanted; ++n) {
    const std::uint32_t parameter = function.parameters[n];
    if (view_.at(parameter).type_id == view_.word(type, n + 1)) continue;
    context_.report(kOperandTypes, Place::at(parameter, Place::kType),
                    fmt::format("expected {} by the function type, found {}",
                                context_.type(view_.word(type, n + 1)),
                                context_.type(view_.at(parameter).type_id)),
                    {{"the function type", type}}, kAsDeclared);
    if (!context_.options.all) return;  // one report for two swapped parameters
  }
}

void Functions::check_returns(const Function& function) {
  const Id result = view_.at(function.first).type_id;
  if (!view_.is_type(result)) return;  // reported at its own place
  const bool is_void = view_.op_of(result) == Op::OpTypeVoid;
  for (std::uint32_t b = function.first_block; b < function.end_block; ++b) {
    const std::uint32_t i = view_.blocks()[b].terminator;
    const Op op = view_.at(i).op;
    if (op == Op::OpReturn && !is_void)
      context_.report(
          kOperandTypes, Place::at(i),
          fmt::format("expected OpReturnValue in a function of type {}", context_.type(result)), {},
          "Return a value of that type, OpUndef where none matters, or declare the function to "
          "return void.");
    if (op != Op::OpReturnValue) continue;
    const Id value = view_.word(i, 0);
    if (is_void)
      context_.report(kOperandTypes, Place::at(i),
                      "expected OpReturn in a function without a result", {},
                      "Leave the value out, or declare the function to return its type.");
    else if (!is_value(view_, value) || view_.type_of(value) != result)
      context_.report(kOperandTypes, Place::at(i, 0),
                      fmt::format("expected a value of the function's type {}, found {}",
                                  context_.type(result), context_.type(view_.type_of(value))),
                      {}, hint_for_types(view_, view_.type_of(value), result));
  }
}

void Functions::check_call(std::uint32_t i) {
  const Id callee = view_.word(i, 0);
  if (view_.op_of(callee) != Op::OpFunction) {
    context_.report(kCallee, Place::at(i, 0),
                    fmt::format("expected a function, found {}", context_.name(callee)));
    return;
  }
  const std::uint32_t definition = view_.definition(callee);
  if (view_.is_entry_point(callee)) {
    context_.report(
        kEntryPointCalled, Place::at(i, 0),
        fmt::format("expected a function that is no entry point, found {}", context_.name(callee)),
        {{"the function", definition}});
    return;
  }
  const Notes notes{{"the function", definition}};
  if (view_.at(i).type_id != view_.at(definition).type_id)
    context_.report(kArguments, Place::at(i, Place::kType),
                    fmt::format("expected the function's result type {}, found {}",
                                context_.type(view_.at(definition).type_id),
                                context_.type(view_.at(i).type_id)),
                    notes, "The call's result has the type that the function returns.");
  const std::uint32_t type = view_.definition(view_.word(definition, 1));
  if (view_.at(type).op != Op::OpTypeFunction || context_.is_tainted(type)) return;
  const std::size_t wanted = view_.operand_count(type) - 1;
  const std::size_t count = view_.operand_count(i) - 1;
  if (count != wanted) {
    context_.report(kArguments, Place::at(i),
                    fmt::format("expected {}, found {}", count_text(wanted, "argument"), count),
                    notes, "Give one argument for each parameter of the function's type.");
    return;
  }
  for (std::size_t n = 1; n <= wanted; ++n) {
    const Id argument = view_.word(i, n);
    if (is_value(view_, argument) && view_.type_of(argument) == view_.word(type, n)) continue;
    context_.report(
        kArguments, Place::at(i, static_cast<int>(n)),
        fmt::format("expected an argument of type {}, found {}", context_.type(view_.word(type, n)),
                    context_.type(view_.type_of(argument))),
        notes, hint_for_types(view_, view_.type_of(argument), view_.word(type, n)));
  }
}

void check(Context& context) { Functions(context).check(); }

constexpr const ValidationRule* kRules[] = {&kDeclarationImported, &kDefinitionNotImported,
                                            &kCallee, &kArguments, &kEntryPointCalled};

}  // namespace
}  // namespace rules_functions

const Family kFunctionFamily{"functions", rules_functions::kRules, rules_functions::check};

}  // namespace transpire::validator
