// ENV-CAP, ENV-DEV-01 and 02, ENV-7.2.12, V0020: the capabilities that a module may declare for an
// environment and a device. Another family checks which capability a feature needs.
#include <fmt/format.h>

#include <algorithm>

#include "decoder/module.h"
#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_capabilities {
namespace {

#define TRANSPIRE_CLAUSE(sections) "OpenCL SPIR-V Environment 2.2, " sections

constexpr std::string_view kForbiddenHint =
    "Leave out the capability and the instructions that need it. Or name an environment that has "
    "it with --env, or name the extension that provides it in the device's description.";
constexpr std::string_view kAcceptedHint = "A device that refuses it violates the specification.";

// One object for each rule, named after the capability.
namespace forbidden {
#define TRANSPIRE_FORBIDDEN(name, sections, field)                                                 \
  constexpr ValidationRule name{                                                                   \
      .id = "ENV-CAP-" #name,                                                                      \
      .clause = TRANSPIRE_CLAUSE(sections),                                                        \
      .statement = "the capability " #name                                                         \
                   " is declared only where the environment or an extension of the device has it", \
      .hint = kForbiddenHint,                                                                      \
      .in_field = InField::field};
#define TRANSPIRE_ACCEPTED(name, sections)
#define TRANSPIRE_ACCEPTED_ALONE(name, sections)
#include "validator/capability_rules.def"
#undef TRANSPIRE_FORBIDDEN
#undef TRANSPIRE_ACCEPTED
#undef TRANSPIRE_ACCEPTED_ALONE
}  // namespace forbidden

namespace accepted {
#define TRANSPIRE_FORBIDDEN(name, sections, field)
#define TRANSPIRE_ACCEPTED(name, sections)                                                         \
  constexpr ValidationRule name{.id = "ENV-CAP-" #name "P",                                        \
                                .clause = TRANSPIRE_CLAUSE(sections),                              \
                                .statement = "the capability " #name                               \
                                             " is accepted where it is required, or optional and " \
                                             "the device has it",                                  \
                                .hint = kAcceptedHint,                                             \
                                .kind = RuleKind::kAccepts};
#define TRANSPIRE_ACCEPTED_ALONE(name, sections)                                                   \
  constexpr ValidationRule name##Alone{                                                            \
      .id = "ENV-CAP-" #name "Q",                                                                  \
      .clause = TRANSPIRE_CLAUSE(sections),                                                        \
      .statement = "the capability " #name                                                         \
                   " is accepted from a module that does not declare "                             \
                   "ImageBasic, on a device with images",                                          \
      .hint =                                                                                      \
          "The device must support it whenever it supports ImageBasic. The specification nowhere " \
          "requires a module to declare both.",                                                    \
      .kind = RuleKind::kAccepts};
#include "validator/capability_rules.def"
#undef TRANSPIRE_FORBIDDEN
#undef TRANSPIRE_ACCEPTED
#undef TRANSPIRE_ACCEPTED_ALONE
}  // namespace accepted

constexpr ValidationRule kImages{
    .id = "ENV-DEV-01",
    .clause = TRANSPIRE_CLAUSE("3.1 to 6.2"),
    .statement = "ImageBasic and the capabilities that come with it are for devices with images",
    .hint = "Use buffers, or a device with CL_DEVICE_IMAGE_SUPPORT."};
constexpr ValidationRule kDouble{
    .id = "ENV-DEV-02",
    .clause = TRANSPIRE_CLAUSE("3.1 to 6.2, 7.2.5"),
    .statement = "Float64 is for devices with double precision",
    .hint =
        "Use float, or a device with CL_DEVICE_DOUBLE_FP_CONFIG. Literals without 'f' are doubles "
        "in OpenCL C: `-cl-single-precision-constant` makes them floats."};
constexpr ValidationRule kNamedBarrier{
    .id = "ENV-7.2.12-01",
    .clause = TRANSPIRE_CLAUSE("7.2.12"),
    .statement = "the capability NamedBarrier needs cl_khr_subgroup_named_barrier",
    .hint = "Name the extension in the device's description, or use barriers of the work-group.",
    .in_field = InField::kWarning};
constexpr ValidationRule kOtherCapability{
    .id = "V0002",
    .clause = TRANSPIRE_CLAUSE("3 to 7"),
    .statement = "capabilities that the environment does not list need an extension of the device",
    .hint =
        "Name the extension in the device's description, in the form of OpenCL (cl_khr_...) or of "
        "SPIR-V (SPV_...).",
    .in_field = InField::kWarning};
constexpr ValidationRule kHalfAsValue{
    .id = "ENV-CAP-F16B-01",
    .clause = "SPIR-V 1.0, 3.31, Float16Buffer",
    .statement =
        "with Float16Buffer alone, 16-bit floats are only pointed at, and read and written by "
        "vload_half, vstore_half and their like",
    .hint = "Read it with vload_half as a float, or declare Float16, which needs cl_khr_fp16.",
    .in_field = InField::kWarning};
constexpr ValidationRule kHalfInType{
    .id = "V0020",
    .clause = "SPIR-V 1.0, 3.31, Float16Buffer",
    .statement =
        "with Float16Buffer alone, a 16-bit float makes no type but a pointer: no "
        "vector, array, structure or function type",
    .hint =
        "Point at a single half: vload_half4 and its like read vectors from there. Or "
        "declare Float16, which needs cl_khr_fp16.",
    .in_field = InField::kWarning};

struct NamedRule {
  spv::Capability capability;
  const ValidationRule* rule;
};
constexpr NamedRule kForbidden[] = {
#define TRANSPIRE_FORBIDDEN(name, sections, field) {spv::Capability::name, &forbidden::name},
#define TRANSPIRE_ACCEPTED(name, sections)
#define TRANSPIRE_ACCEPTED_ALONE(name, sections)
#include "validator/capability_rules.def"
#undef TRANSPIRE_FORBIDDEN
#undef TRANSPIRE_ACCEPTED
#undef TRANSPIRE_ACCEPTED_ALONE
};

/// Extensions that provide a capability which the environment specification does not list; one is
/// enough.
struct Bringer {
  spv::Capability capability;
  std::string_view extensions;  ///< separated by spaces
};
constexpr Bringer kBringers[] = {
#define TRANSPIRE_BROUGHT(name, extensions) {spv::Capability::name, extensions},
#include "validator/capability_extensions.def"
#undef TRANSPIRE_BROUGHT
};

const ValidationRule* rule_of(spv::Capability capability) {
  for (const NamedRule& row : kForbidden)
    if (row.capability == capability) return row.rule;
  return nullptr;
}

bool has_any(const Device& device, std::string_view extensions) {
  while (!extensions.empty()) {
    const std::size_t end = std::min(extensions.find(' '), extensions.size());
    if (device.has(extensions.substr(0, end))) return true;
    extensions.remove_prefix(std::min(end + 1, extensions.size()));
  }
  return false;
}

/// The feature of OpenCL 3.0 that a capability depends on; empty if none.
std::string_view feature_of(spv::Capability capability, const Environment& environment) {
  switch (capability) {
    case spv::Capability::DeviceEnqueue:
      return "__opencl_c_device_enqueue";
    case spv::Capability::GenericPointer:
      return "__opencl_c_generic_address_space";
    case spv::Capability::Pipes:
    case spv::Capability::PipeStorage:
      return "__opencl_c_pipes";
    case spv::Capability::ImageReadWrite:
      return "__opencl_c_read_write_images";
    case spv::Capability::ImageBasic:
      return "__opencl_c_images";
    case spv::Capability::Float64:
      return "__opencl_c_fp64";
    case spv::Capability::Int64:
      return environment.embedded ? "__opencl_c_int64" : "";
    case spv::Capability::SubgroupDispatch:
      return "__opencl_c_subgroups";
    default:
      return "";
  }
}

bool needs_images(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::ImageBasic:
    case spv::Capability::ImageReadWrite:
    case spv::Capability::LiteralSampler:
    case spv::Capability::Sampled1D:
    case spv::Capability::Image1D:
    case spv::Capability::SampledBuffer:
    case spv::Capability::ImageBuffer:
      return true;
    default:
      return false;
  }
}

void report_unlisted(Context& context, std::uint32_t i, spv::Capability capability) {
  const std::string_view name = decoder::capability_name(capability);
  for (const Bringer& bringer : kBringers) {
    if (bringer.capability != capability) continue;
    if (has_any(context.device, bringer.extensions)) return;
    context.report(
        kOtherCapability, Place::at(i, 0),
        fmt::format("{} does not list the capability {}", context.environment.title(), name),
        {{fmt::format("any of these extensions brings it: {}", bringer.extensions)}});
    return;
  }
  // Extensions of SPIR-V that the device accepts may provide capabilities that this table lacks.
  const decoder::EnumerantInfo* info = decoder::find_enumerant(
      decoder::OperandKind::kCapability, static_cast<std::uint32_t>(capability));
  if (!info) return;  // another rule reports a word that is no capability
  for (const std::string_view extension : info->needs.extensions)
    if (context.device.has(extension)) return;
  context.report(
      kOtherCapability, Place::at(i, 0),
      fmt::format("{} does not list the capability {}", context.environment.title(), name));
}

/// True if a feature of OpenCL 3.0 allows the capability, which 2.2 requires or ties to cles_khr_int64.
bool lifted_by_features(const Context& context, spv::Capability capability) {
  return context.environment.version == 30 && capability == spv::Capability::Int64 &&
         context.device.has_feature("__opencl_c_int64");
}

void check_one(Context& context, std::uint32_t i) {
  const auto capability = static_cast<spv::Capability>(context.view.word(i, 0));
  const auto answer = capability_in(context.environment, capability);
  if (!answer) return report_unlisted(context, i, capability);
  const std::string_view name = decoder::capability_name(capability);
  const ValidationRule* rule = rule_of(capability);
  if (context.environment.version == 30) {
    const std::string_view feature = feature_of(capability, context.environment);
    if (!feature.empty() && !context.device.has_feature(feature))
      return context.report(rule ? *rule : kOtherCapability, Place::at(i, 0),
                            fmt::format("the capability {} needs the feature {}, which the device "
                                        "does not list",
                                        name, feature));
  }
  if (!rule || answer->status == CapabilityStatus::kRequired ||
      answer->status == CapabilityStatus::kOptional || lifted_by_features(context, capability))
    return;
  const bool by_extension = answer->status == CapabilityStatus::kExtension;
  if (by_extension && context.device.has_all(answer->extension)) return;
  if (capability == spv::Capability::NamedBarrier && by_extension) rule = &kNamedBarrier;
  Notes notes;
  if (by_extension) notes.push_back({fmt::format("the device needs {}", answer->extension)});
  const bool is_of_graphics = capability == spv::Capability::Shader ||
                              capability == spv::Capability::Geometry ||
                              capability == spv::Capability::Tessellation;
  context.report(
      *rule, Place::at(i, 0),
      fmt::format("{} does not have the capability {}", context.environment.title(), name),
      std::move(notes),
      is_of_graphics ? "The module was made for a graphics API: compile the source for OpenCL."
                     : "");
}

/// A missing device feature is reported once, however many capabilities need it.
void check_device(Context& context) {
  const ModuleView& view = context.view;
  std::uint32_t first = kNone;
  Notes others;
  for (const std::uint32_t i : view.all(spv::Op::OpCapability)) {
    const auto capability = static_cast<spv::Capability>(view.word(i, 0));
    if (capability == spv::Capability::Float64 && !context.device.fp64 &&
        !context.device.has("cl_khr_fp64"))
      context.report(kDouble, Place::at(i, 0),
                     "the capability Float64 needs double precision, which the device has not");
    if (!needs_images(capability) || context.device.images) continue;
    if (first == kNone)
      first = i;
    else
      others.push_back({"another one", i});
  }
  if (first != kNone)
    context.report(
        kImages, Place::at(first, 0),
        fmt::format("the capability {} needs images, which the device has not",
                    decoder::capability_name(static_cast<spv::Capability>(view.word(first, 0)))),
        std::move(others));
}

void check_half_in_type(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  const auto operands = view.operands(i);
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const Id part = view.word(i, n);
    if (!view.is_id(operands[n]) || !view.is_float(part, 16)) continue;
    return context.report(kHalfInType, Place::at(i, static_cast<int>(n)),
                          fmt::format("expected only a pointer to be made of halves, found {}",
                                      view.at(i).info->name),
                          {}, {}, {part});
  }
}

/// True for an instruction without a result that reads or writes halves.
bool copies_halves(const ModuleView& view, std::uint32_t i) {
  const spv::Op op = view.at(i).op;
  if (op != spv::Op::OpCopyMemory && op != spv::Op::OpCopyMemorySized) return false;
  const auto points_to_half = [&](std::size_t n) {
    return view.is_float(view.pointee(view.type_of(view.word(i, n))), 16);
  };
  return points_to_half(0) || points_to_half(1);
}

/// Reports the first half that is a value or is copied: all uses share one cause.
void check_halves(Context& context) {
  const ModuleView& view = context.view;
  if (!view.has_capability(spv::Capability::Float16Buffer) ||
      view.has_capability(spv::Capability::Float16))
    return;
  for (std::uint32_t i = 0; i < view.instructions().size(); ++i) {
    const Instruction& in = view.at(i);
    if (is_type_declaration(in.op) && in.op != spv::Op::OpTypePointer)
      check_half_in_type(context, i);
    if (copies_halves(view, i))
      return context.report(kHalfAsValue, Place::at(i),
                            "expected halves to be read and written by extended instructions");
    if (in.type_id == 0 || !view.is_float(view.component_type(in.type_id), 16)) continue;
    context.report(kHalfAsValue, Place::at(i, Place::kType),
                   fmt::format("expected halves only behind pointers, found a value of type {}",
                               context.type(in.type_id)),
                   {}, {}, {view.component_type(in.type_id)});
    return;
  }
}

void check(Context& context) {
  check_device(context);
  for (const std::uint32_t i : context.view.all(spv::Op::OpCapability)) check_one(context, i);
  check_halves(context);
}

constexpr const ValidationRule* kRules[] = {
#define TRANSPIRE_FORBIDDEN(name, sections, field) &forbidden::name,
#define TRANSPIRE_ACCEPTED(name, sections) &accepted::name,
#define TRANSPIRE_ACCEPTED_ALONE(name, sections) &accepted::name##Alone,
#include "validator/capability_rules.def"
#undef TRANSPIRE_FORBIDDEN
#undef TRANSPIRE_ACCEPTED
#undef TRANSPIRE_ACCEPTED_ALONE
    &kHalfAsValue, &kHalfInType, &kImages, &kDouble, &kNamedBarrier, &kOtherCapability};

}  // namespace
}  // namespace rules_capabilities
#undef TRANSPIRE_CLAUSE

const Family kCapabilitiesFamily{"capabilities", rules_capabilities::kRules,
                                 rules_capabilities::check};

}  // namespace transpire::validator
