// SPIR-V 1.0, 2.13, 2.16.1 "Decoration rules", 2.18.2, 3.19, 3.20: allowed targets of decorations.
#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_decorations {
namespace {

using spv::Op;
using Kind = spv::Decoration;

constexpr ValidationRule kAliased{
    "UNI-17", "SPIR-V 1.0, 2.16.1 and 2.18.2",
    "Aliased stands on pointers to types other than void, and not together with Restrict",
    "Remove the decoration: pointers of kernels may alias anyway."};
constexpr ValidationRule kEntryLinkage{
    "UNI-18", "SPIR-V 1.0, 2.16.1", "a function that OpEntryPoint names has no linkage attributes",
    "Remove LinkageAttributes. Move code that other modules call into a function of its own.",
    InField::kWarning};
constexpr ValidationRule kBuiltInMembers{
    "UNI-19", "SPIR-V 1.0, 2.16.1",
    "either all members of a structure are built-ins or none is, and no structure contains a "
    "structure of built-ins",
    "Decorate variables instead: OpenCL's built-ins are variables of their own."};
constexpr ValidationRule kTargets{
    "UNI-50", "SPIR-V 1.0, 3.20 and 3.32.3",
    "each decoration stands on a target that it has a meaning for: Constant on variables outside "
    "of functions, Alignment and MaxByteOffset on pointers, CPacked on structures, FuncParamAttr "
    "on functions and parameters, SpecId on scalar specialization constants, LinkageAttributes on "
    "functions and variables outside of them, member decorations on structures that have the "
    "member",
    "Remove the decoration, or move it to the id that it is meant for.", InField::kWarning};

constexpr ValidationRule kAttributes{
    "V0019", "SPIR-V 1.0, 3.19 \"Function Parameter Attribute\"",
    "ByVal, Sret, NoAlias, NoCapture, NoWrite and NoReadWrite stand on pointer parameters, not on "
    "return values, and Sret on the first parameter only",
    "Remove the attribute: it has no meaning on anything but a pointer. A structure that is "
    "returned through memory is the function's first parameter.",
    InField::kWarning};
constexpr ValidationRule kMemoryQualifiers{
    "V0021", "SPIR-V 1.0, 3.20, Volatile, Coherent, NonWritable and NonReadable",
    "Volatile, Coherent, NonWritable and NonReadable stand on storage images, and on variables in "
    "the storage class Uniform",
    "Remove the decoration. For a kernel's memory, the memory operands of each access say that the "
    "access is Volatile. The parameter attribute NoWrite says that the kernel does not write "
    "through a pointer.",
    InField::kWarning};

class Decorations {
 public:
  explicit Decorations(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (const Decoration& decoration : view_.all_decorations())
      if (decoration.kind == Kind::Restrict)
        restrict_.try_emplace(decoration.target, decoration.instruction);
    for (const Decoration& decoration : view_.all_decorations()) {
      if (view_.op_of(decoration.target) == Op::OpDecorationGroup) continue;
      if (view_.definition(decoration.target) == kNone) continue;
      if (decoration.member != kNone)
        check_member(decoration);
      else
        check_target(decoration);
    }
    check_builtin_members();
  }

 private:
  void check_member(const Decoration& decoration);
  void check_target(const Decoration& decoration);
  void check_aliased(const Decoration& decoration);
  void check_attribute(const Decoration& decoration);
  bool is_first_parameter(std::uint32_t i) const;
  void check_qualifier(const Decoration& decoration);
  void check_linkage(const Decoration& decoration);
  void check_builtin_members();
  void check_nesting(Id structure, std::uint32_t decoration);
  void want(const Decoration& decoration, bool good, std::string_view wanted) {
    if (good) return;
    context_.report(kTargets, Place::at(decoration.instruction),
                    fmt::format("expected {} for {}, found {}", wanted, spell(decoration),
                                context_.name(decoration.target)),
                    {{"the target", view_.definition(decoration.target)}});
  }
  std::string_view spell(const Decoration& decoration) const {
    return decoder::enumerant_name(decoder::OperandKind::kDecoration,
                                   static_cast<std::uint32_t>(decoration.kind));
  }
  bool is_global_variable(Id id) const {
    return is_variable(view_, id) && view_.at(view_.definition(id)).function == kNone;
  }

  Context& context_;
  const ModuleView& view_;
  std::unordered_map<Id, std::uint32_t> restrict_;  ///< value: the decorating instruction
};

void Decorations::check_member(const Decoration& decoration) {
  const bool structure = is_struct(view_, decoration.target);
  if (structure && decoration.member < view_.operand_count(view_.definition(decoration.target)))
    return check_qualifier(decoration);
  context_.report(
      kTargets, Place::at(decoration.instruction),
      structure
          ? fmt::format("expected a member of {}, which has {}, found member {}",
                        context_.name(decoration.target),
                        view_.operand_count(view_.definition(decoration.target)), decoration.member)
          : fmt::format("expected a structure, found {}", context_.name(decoration.target)));
}

void Decorations::check_target(const Decoration& decoration) {
  const Id id = decoration.target;
  const Op op = view_.op_of(id);
  const bool pointer = is_value(view_, id) && is_pointer(view_, view_.type_of(id));
  switch (decoration.kind) {
    case Kind::Aliased:
      check_aliased(decoration);
      break;
    case Kind::LinkageAttributes:
      check_linkage(decoration);
      break;
    case Kind::Constant:
      want(decoration, is_global_variable(id), "a variable outside of functions");
      break;
    case Kind::Alignment:
    case Kind::AlignmentId:
    case Kind::MaxByteOffset:
    case Kind::MaxByteOffsetId:
      want(decoration, pointer, "a pointer");
      break;
    case Kind::CPacked:
      want(decoration, op == Op::OpTypeStruct, "a structure");
      break;
    case Kind::FuncParamAttr:
      want(decoration, op == Op::OpFunctionParameter || op == Op::OpFunction,
           "a parameter or a function");
      check_attribute(decoration);
      break;
    case Kind::SpecId:
      want(
          decoration,
          op == Op::OpSpecConstant || op == Op::OpSpecConstantTrue || op == Op::OpSpecConstantFalse,
          "a scalar specialization constant");
      break;
    default:
      check_qualifier(decoration);
      break;
  }
}

bool is_about_pointers(spv::FunctionParameterAttribute attribute) {
  using enum spv::FunctionParameterAttribute;
  return attribute == ByVal || attribute == Sret || attribute == NoAlias ||
         attribute == NoCapture || attribute == NoWrite || attribute == NoReadWrite;
}

bool Decorations::is_first_parameter(std::uint32_t i) const {
  const std::uint32_t function = view_.at(i).function;
  if (function == kNone) return false;
  const auto& parameters = view_.functions()[function].parameters;
  return !parameters.empty() && parameters.front() == i;
}

void Decorations::check_attribute(const Decoration& decoration) {
  const std::uint32_t word = view_.word(decoration.instruction, decoration.first_parameter);
  const auto attribute = static_cast<spv::FunctionParameterAttribute>(word);
  const std::uint32_t i = view_.definition(decoration.target);
  const Instruction& in = view_.at(i);
  const bool parameter = in.op == Op::OpFunctionParameter;
  if (!is_about_pointers(attribute) || (!parameter && in.op != Op::OpFunction)) return;
  const std::string_view name =
      decoder::enumerant_name(decoder::OperandKind::kFunctionParameterAttribute, word);
  std::string message;
  if (!parameter)
    message = fmt::format("expected a parameter for {}, found the return value of {}", name,
                          context_.name(decoration.target));
  else if (!is_pointer(view_, in.type_id))
    message = fmt::format("expected a pointer for {}, found {}", name, context_.type(in.type_id));
  else if (attribute == spv::FunctionParameterAttribute::Sret && !is_first_parameter(i))
    message = fmt::format("expected the first parameter for Sret, found {}",
                          context_.name(decoration.target));
  else
    return;
  context_.report(kAttributes,
                  Place::at(decoration.instruction, static_cast<int>(decoration.first_parameter)),
                  std::move(message), {{"what is decorated", i}});
}

/// Checks the target of a memory qualifier, which shaders use. In kernels only images qualify;
/// their operand Sampled does not tell how they are used.
void Decorations::check_qualifier(const Decoration& decoration) {
  if (decoration.kind != Kind::Volatile && decoration.kind != Kind::Coherent &&
      decoration.kind != Kind::NonWritable && decoration.kind != Kind::NonReadable)
    return;
  // Structures of shaders may lie in Uniform. From SPIR-V 1.3 on, 2.8 has pointer types that are
  // Volatile.
  if (view_.has_capability(spv::Capability::Shader)) return;
  const Id target = decoration.target;
  if (is_pointer(view_, target) && view_.version() >= 0x00010300) return;
  Id type = decoration.member != kNone ? view_.definition_word(target, decoration.member)
                                       : view_.type_of(target);
  if (is_pointer(view_, type)) type = view_.pointee(type);
  if (is_array(view_, type)) type = view_.definition_word(type, 0);
  if (view_.op_of(type) == Op::OpTypeImage) return;
  context_.report(kMemoryQualifiers, Place::at(decoration.instruction),
                  fmt::format("expected a storage image for {}, found {}", spell(decoration),
                              context_.name(target)),
                  {{"what is decorated", view_.definition(target)}});
}

void Decorations::check_aliased(const Decoration& decoration) {
  const Id type = view_.type_of(decoration.target);
  const bool pointer = is_value(view_, decoration.target) && is_pointer(view_, type);
  const Notes notes{{"the target", view_.definition(decoration.target)}};
  if (!pointer)
    context_.report(
        kAliased, Place::at(decoration.instruction),
        fmt::format("expected a pointer for Aliased, found {}", context_.name(decoration.target)),
        notes);
  else if (view_.op_of(view_.pointee(type)) == Op::OpTypeVoid)
    context_.report(kAliased, Place::at(decoration.instruction),
                    "expected a pointer to a type other than void for Aliased", notes);
  else if (const auto other = restrict_.find(decoration.target); other != restrict_.end())
    context_.report(kAliased, Place::at(decoration.instruction),
                    fmt::format("expected Aliased or Restrict on {}, found both",
                                context_.name(decoration.target)),
                    {{"the other one", other->second}});
}

void Decorations::check_linkage(const Decoration& decoration) {
  const Id id = decoration.target;
  if (view_.is_entry_point(id)) {
    context_.report(kEntryLinkage, Place::at(decoration.instruction),
                    fmt::format("expected a function that is no entry point for LinkageAttributes, "
                                "found {}",
                                context_.name(id)));
    return;
  }
  want(decoration, view_.op_of(id) == Op::OpFunction || is_global_variable(id),
       "a function or a variable outside of functions");
}

void Decorations::check_builtin_members() {
  std::map<Id, std::unordered_set<std::uint32_t>> members;
  std::map<Id, std::uint32_t> first;
  for (const Decoration& decoration : view_.all_decorations())
    if (decoration.kind == Kind::BuiltIn && decoration.member != kNone &&
        is_struct(view_, decoration.target)) {
      members[decoration.target].insert(decoration.member);
      first.try_emplace(decoration.target, decoration.instruction);
    }
  for (const auto& [structure, builtin] : members) {
    const std::uint32_t definition = view_.definition(structure);
    if (builtin.size() < view_.operand_count(definition))
      context_.report(kBuiltInMembers, Place::at(definition),
                      fmt::format("expected {} built-ins among the members, found {}",
                                  view_.operand_count(definition), builtin.size()),
                      {{"one of them", first[structure]}});
    check_nesting(structure, first[structure]);
  }
}

void Decorations::check_nesting(Id structure, std::uint32_t decoration) {
  for (const std::uint32_t user : view_.uses(structure))
    if (view_.at(user).op == Op::OpTypeStruct) {
      context_.report(kBuiltInMembers, Place::at(user),
                      fmt::format("expected no structure of built-ins as a member, found {}",
                                  context_.name(structure)),
                      {{"one of its decorations", decoration}});
      return;
    }
}

void check(Context& context) { Decorations(context).check(); }

constexpr const ValidationRule* kRules[] = {&kAliased, &kEntryLinkage, &kBuiltInMembers,
                                            &kTargets, &kAttributes,   &kMemoryQualifiers};

}  // namespace
}  // namespace rules_decorations

const Family kDecorationFamily{"decorations", rules_decorations::kRules, rules_decorations::check};

}  // namespace transpire::validator
