// ENV-2.8 and ENV-2.9: results and arguments of kernels. Runs before the rules of types, so a type
// that only an argument makes wrong is reported at the argument.
#include <fmt/format.h>

#include "decoder/invoke_operand.h"
#include "decoder/opaque_types.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_kernels {
namespace {

constexpr std::string_view kArguments = "OpenCL SPIR-V Environment 2.2, 2.9";

constexpr ValidationRule kReturnsVoid{.id = "ENV-2.8-01",
                                      .clause = "OpenCL SPIR-V Environment 2.2, 2.8",
                                      .statement = "kernels return void",
                                      .hint = "Store the result through a pointer argument."};
constexpr ValidationRule kArgumentType{
    .id = "ENV-2.9-01",
    .clause = kArguments,
    .statement =
        "arguments of kernels are integers, floats, structures, vectors, pointers, samplers, "
        "images, pipes or queues",
    .hint = "Pass an integer for a Boolean, a structure or a pointer for an array."};
constexpr ValidationRule kObjectArgument{
    .id = "ENV-2.9-01b",
    .clause = kArguments,
    .statement =
        "reservation identifiers, device events and pipe storage are no arguments of kernels",
    .hint = "Make the object inside the kernel: the host has no way to pass one."};
constexpr ValidationRule kIntArgument{
    .id = "ENV-2.9-02",
    .clause = kArguments,
    .statement = "integer arguments are 8, 16, 32 or 64 bits wide and have no signedness",
    .hint = "Declare the type with Signedness 0 and one of these widths."};
constexpr ValidationRule kFloatArgument{
    .id = "ENV-2.9-03",
    .clause = kArguments,
    .statement =
        "floating-point arguments are 32 bits wide, but for devices with cl_khr_fp16 or "
        "cl_khr_fp64",
    .hint =
        "Pass a pointer to the value, or name cl_khr_fp64 or cl_khr_fp16 in the device's "
        "description.",
    .in_field = InField::kWarning};
constexpr ValidationRule kStructMember{
    .id = "ENV-2.9-04",
    .clause = kArguments,
    .statement =
        "structures that kernels take by value are made of integers, floats, structures, vectors "
        "and pointers",
    .hint =
        "Pass a pointer to the structure. C structures often have arrays, and the specification "
        "leaves open whether kernels take them: `--struct-arrays=accept` accepts them.",
    .in_field = InField::kWarning};
constexpr ValidationRule kPointerArgument{
    .id = "ENV-2.9-05",
    .clause = kArguments,
    .statement = "pointer arguments point to CrossWorkgroup, Workgroup or UniformConstant",
    .hint =
        "Make the pointer global, local or constant. `--strictness field` accepts two other forms "
        "from LLVM's producers. They pass structures by value as Function pointers with "
        "FuncParamAttr ByVal. They also make kernels of enqueued blocks, which take their captured "
        "values by a Generic pointer.",
    .in_field = InField::kWarning};
constexpr ValidationRule kGenericArgument{
    .id = "ENV-2.9-05b",
    .clause = kArguments,
    .statement = "pointer arguments do not point to Generic",
    .hint = "Write the address space of the parameter: global, local or constant."};
constexpr ValidationRule kHostType{
    .id = "ENV-2.9-06",
    .clause = kArguments,
    .statement =
        "arguments have a type that the host's API can represent: no vectors of Booleans, no "
        "empty structures",
    .hint =
        "clSetKernelArg needs a size and a type: pass a vector of integers, leave the empty "
        "structure out."};

/// One parameter of a kernel.
struct Argument {
  std::uint32_t instruction;  ///< OpFunctionParameter
  Id type;
};

class KernelCheck {
 public:
  KernelCheck(Context& context, std::uint32_t entry_point)
      : context_(context), view_(context.view), entry_point_(entry_point) {}

  void run() {
    const Id function = view_.word(entry_point_, 1);
    const std::uint32_t index = view_.function_of(function);
    if (index == kNone) return;
    const Function& kernel = view_.functions()[index];
    const Id result = view_.at(kernel.first).type_id;
    if (view_.is_type(result) && view_.op_of(result) != spv::Op::OpTypeVoid)
      context_.report(kReturnsVoid, Place::at(kernel.first, Place::kType),
                      fmt::format("expected kernel {} to return void, found {}",
                                  context_.name(function), context_.type(result)),
                      {{"it is a kernel by", entry_point_}});
    for (const std::uint32_t parameter : kernel.parameters)
      check({parameter, view_.at(parameter).type_id});
  }

 private:
  void report(const ValidationRule& rule, const Argument& argument, const std::string& what,
              std::initializer_list<Id> roots = {}) {
    context_.report(rule, Place::at(argument.instruction, Place::kType),
                    fmt::format("argument {} of kernel \"{}\": {}",
                                context_.name(view_.at(argument.instruction).result_id),
                                printable(view_.text(entry_point_, 2)), what),
                    {{"its type", view_.definition(argument.type)}}, {}, roots);
  }

  static std::string printable(std::string text) {
    for (char& c : text)
      if (c < ' ' || c > '~') c = '?';
    return text.substr(0, 100);
  }

  void check(const Argument& argument) {
    if (is_pointer(view_, argument.type)) return check_pointer(argument);
    switch (view_.op_of(argument.type)) {
      case spv::Op::OpTypeInt:
        return check_int(argument);
      case spv::Op::OpTypeFloat:
        return check_float(argument);
      case spv::Op::OpTypeStruct:
        return check_struct(argument);
      case spv::Op::OpTypeVector:
        if (view_.op_of(view_.component_type(argument.type)) == spv::Op::OpTypeBool)
          report(kHostType, argument, "the host has no type for a vector of Booleans");
        return;
      case spv::Op::OpNop:  // another rule reports an undefined type
        return;
      default:
        if (view_.is_type(argument.type)) check_other(argument);
    }
  }

  void check_other(const Argument& argument) {
    using decoder::AsArgument;
    const decoder::OpaqueType* const opaque = decoder::opaque_type(view_.op_of(argument.type));
    const AsArgument standing = opaque != nullptr ? opaque->as_argument : AsArgument::kUnlisted;
    if (standing == AsArgument::kAllowed) return;
    const bool by_name = standing == AsArgument::kExcluded && context_.at_least(20);
    report(by_name ? kObjectArgument : kArgumentType, argument,
           fmt::format("a kernel cannot take {}", context_.type(argument.type)));
  }

  void check_int(const Argument& argument) {
    const std::uint32_t width = view_.definition_word(argument.type, 0);
    const bool good_width = width == 8 || width == 16 || width == 32 || width == 64;
    if (good_width && view_.definition_word(argument.type, 1) == 0) return;
    report(kIntArgument, argument,
           fmt::format("expected an integer of 8, 16, 32 or 64 bits without signedness, found {}",
                       context_.type(argument.type)),
           {argument.type});
  }

  void check_float(const Argument& argument) {
    const std::uint32_t width = view_.definition_word(argument.type, 0);
    if (width == 32) return;
    const bool is_3_0 = context_.environment.version == 30;
    if (width == 64 && (context_.device.has("cl_khr_fp64") ||
                        (is_3_0 && context_.device.has_feature("__opencl_c_fp64"))))
      return;
    if (width == 16 && context_.device.has("cl_khr_fp16")) return;
    if (width != 16 && width != 64) return;  // ENV-2.4-02
    report(kFloatArgument, argument,
           fmt::format("expected a float of 32 bits, found {}", context_.type(argument.type)));
  }

  void check_pointer(const Argument& argument) {
    const auto storage = view_.storage_class(argument.type);
    if (storage == spv::StorageClass::CrossWorkgroup || storage == spv::StorageClass::Workgroup ||
        storage == spv::StorageClass::UniformConstant)
      return;
    const std::string what =
        fmt::format("expected a pointer to CrossWorkgroup, Workgroup or UniformConstant, found {}",
                    context_.type(argument.type));
    if (storage == spv::StorageClass::Generic && context_.at_least(20) && !calls_enqueued())
      return report(kGenericArgument, argument, what);
    report(kPointerArgument, argument, what);
  }

  /// True if the kernel calls a function that some kernel enqueues or queries.
  bool calls_enqueued() const {
    const Function& kernel = view_.functions()[view_.function_of(view_.word(entry_point_, 1))];
    for (std::uint32_t i = kernel.first; i < kernel.end; ++i)
      if (view_.at(i).op == spv::Op::OpFunctionCall && is_enqueued(view_.word(i, 0))) return true;
    return false;
  }

  bool is_enqueued(Id function) const {
    for (const std::uint32_t i : view_.uses(function))
      if (const auto at = decoder::invoke_operand(view_.at(i).op);
          at && view_.word(i, *at) == function)
        return true;
    return false;
  }

  bool rejects_arrays() const {
    switch (context_.options.struct_arrays) {
      case OpenQuestion::kAccept:
        return false;
      default:
        return true;
    }
  }

  /// Members at any depth, each structure once.
  void check_struct(const Argument& argument) {
    std::vector<Id> pending{argument.type};
    std::set<Id> seen{argument.type};
    while (!pending.empty()) {
      const Id type = pending.back();
      pending.pop_back();
      const std::uint32_t declared = view_.definition(type);
      const std::size_t members = view_.operand_count(declared);
      if (members == 0)
        return report(kHostType, argument,
                      fmt::format("{} is empty: the host cannot pass it", context_.type(type)));
      for (std::size_t n = 0; n < members; ++n) {
        const Id member = view_.word(declared, n);
        if (!check_member(argument, type, n, member)) return;
        if (view_.op_of(member) == spv::Op::OpTypeStruct && seen.insert(member).second)
          pending.push_back(member);
      }
    }
  }

  bool check_member(const Argument& argument, Id structure, std::size_t n, Id member) {
    if (is_pointer(view_, member)) return true;
    switch (view_.op_of(member)) {
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypeStruct:
      case spv::Op::OpTypeVector:
      case spv::Op::OpNop:
        return true;
      case spv::Op::OpTypeArray:
        if (!rejects_arrays()) return true;
        break;
      default:
        break;
    }
    report(
        kStructMember, argument,
        fmt::format("member {} of {} is {}", n, context_.type(structure), context_.type(member)));
    return false;
  }

  Context& context_;
  const ModuleView& view_;
  std::uint32_t entry_point_;
};

void check(Context& context) {
  std::set<Id> seen;  // a function may have several entry points
  for (const std::uint32_t i : context.view.all(spv::Op::OpEntryPoint))
    if (seen.insert(context.view.word(i, 1)).second) KernelCheck(context, i).run();
}

constexpr const ValidationRule* kRules[] = {&kReturnsVoid,     &kArgumentType,    &kObjectArgument,
                                            &kIntArgument,     &kFloatArgument,   &kStructMember,
                                            &kPointerArgument, &kGenericArgument, &kHostType};

}  // namespace
}  // namespace rules_env_kernels

const Family kEnvKernelsFamily{"kernels", rules_env_kernels::kRules, rules_env_kernels::check};

}  // namespace transpire::validator
