// ENV-7.1 and ENV-7.2.3: extensions that a module names, and local pointers of enqueued functions.
#include <fmt/format.h>

#include "decoder/invoke_operand.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_env_extensions {
namespace {

constexpr ValidationRule kOpenCLExtension{
    .id = "ENV-7.1-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.1",
    .statement = "OpExtension names extensions of SPIR-V, never of OpenCL",
    .hint =
        "Leave it out: the device either has the OpenCL extension or does not. OpSourceExtension "
        "may name the extensions that the source used.",
    .in_field = InField::kWarning};
constexpr ValidationRule kSpirvExtension{
    .id = "ENV-7.1-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 7",
    .statement = "a module uses only the extensions of SPIR-V that the device takes",
    .hint =
        "Name the extension in the device's description, or the OpenCL extension that provides it.",
    .in_field = InField::kWarning};
constexpr ValidationRule kLocalArgument{
    .id = "ENV-7.2.3-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.3",
    .statement =
        "local pointers of enqueued functions point to 8-bit integers without "
        "cl_khr_device_enqueue_local_arg_types",
    .hint =
        "Use 'local void *' in the block's parameters, or name the extension in the device's "
        "description.",
    .in_field = InField::kWarning};

constexpr ValidationRule kInstructionSet{
    .id = "V0034",
    .clause = "SPIR-V 1.0, 3.32.4 OpExtInstImport; OpenCL Extended Instruction Set 1.0, 1",
    .statement =
        "the instructions of a kernel come from the set OpenCL.std; other sets are debug "
        "information, or change nothing (\"NonSemantic.\")",
    .hint =
        "GLSL.std.450 is for shaders. Check for a misspelled name: a set without a specification "
        "means nothing.",
    .in_field = InField::kWarning};

/// Extensions of OpenCL that bring one of SPIR-V.
struct Bringer {
  std::string_view spirv, opencl;
};
constexpr Bringer kBringers[] = {
    {"SPV_KHR_no_integer_wrap_decoration", "cl_khr_spirv_no_integer_wrap_decoration"},
    {"SPV_KHR_linkonce_odr", "cl_khr_spirv_linkonce_odr"},
    {"SPV_KHR_expect_assume", "cl_khr_expect_assume"},
    {"SPV_KHR_integer_dot_product", "cl_khr_integer_dot_product"},
    {"SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops"},
    {"SPV_KHR_subgroup_rotate", "cl_khr_subgroup_rotate"},
    {"SPV_KHR_uniform_group_instructions", "cl_khr_work_group_uniform_arithmetic"},
    {"SPV_KHR_shader_clock", "cl_khr_kernel_clock"},
    {"SPV_EXT_shader_atomic_float_add", "cl_ext_float_atomics"},
    {"SPV_EXT_shader_atomic_float16_add", "cl_ext_float_atomics"},
    {"SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics"},
    {"SPV_INTEL_subgroups", "cl_intel_subgroups"},
};

bool takes(const Device& device, std::string_view name) {
  if (device.has(name)) return true;
  for (const Bringer& bringer : kBringers)
    if (bringer.spirv == name && device.has(bringer.opencl)) return true;
  return false;
}

void check_extension(Context& context, std::uint32_t i) {
  const std::string name = context.view.text(i, 0);
  std::string shown = name.substr(0, 80);
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  if (!name.starts_with("SPV_"))
    context.report(kOpenCLExtension, Place::at(i, 0),
                   fmt::format("expected the name of an extension of SPIR-V, found \"{}\"", shown));
  else if (!takes(context.device, name))
    context.report(
        kSpirvExtension, Place::at(i, 0),
        fmt::format("{} does not list the extension {}", context.environment.title(), shown));
}

void check_instruction_set(Context& context, std::uint32_t i) {
  std::string shown = context.view.text(i, 0, 80);
  const decoder::ExtendedSet set = decoder::extended_set_named(shown);
  if (set == decoder::ExtendedSet::kOpenCLStd || set == decoder::ExtendedSet::kDebugPrintf ||
      is_debug_set(set))
    return;
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  context.report(kInstructionSet, Place::at(i, 0),
                 fmt::format("expected the instruction set OpenCL.std, found \"{}\"", shown));
}

void check_enqueue(Context& context, std::uint32_t i) {
  const std::size_t invoke = *decoder::invoke_operand(spv::Op::OpEnqueueKernel);
  const ModuleView& view = context.view;
  const std::uint32_t function = view.function_of(view.word(i, invoke));
  if (function == kNone) return;
  for (const std::uint32_t parameter : view.functions()[function].parameters) {
    const Id type = view.at(parameter).type_id;
    if (view.storage_class(type) != spv::StorageClass::Workgroup ||
        view.is_int(view.pointee(type), 8))
      continue;
    context.report(kLocalArgument, Place::at(i, static_cast<int>(invoke)),
                   fmt::format("expected local pointers to 8-bit integers, function {} takes {}",
                               context.name(view.word(i, invoke)), context.type(type)),
                   {{"the parameter", parameter}});
  }
}

void check(Context& context) {
  for (const std::uint32_t i : context.view.all(spv::Op::OpExtension)) check_extension(context, i);
  for (const std::uint32_t i : context.view.all(spv::Op::OpExtInstImport))
    check_instruction_set(context, i);
  if (context.device.has("cl_khr_device_enqueue_local_arg_types")) return;
  for (const std::uint32_t i : context.view.all(spv::Op::OpEnqueueKernel))
    check_enqueue(context, i);
}

constexpr const ValidationRule* kRules[] = {&kOpenCLExtension, &kSpirvExtension, &kLocalArgument,
                                            &kInstructionSet};

}  // namespace
}  // namespace rules_env_extensions

const Family kEnvExtensionsFamily{"extensions", rules_env_extensions::kRules,
                                  rules_env_extensions::check};

}  // namespace transpire::validator
