// ENV-DEV-03 and what a device's description has to keep: rules that no word of a module decides.
#include <fmt/format.h>

#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_device {
namespace {

constexpr ValidationRule kNoProgram{
    .id = "ENV-DEV-03",
    .clause = "OpenCL SPIR-V Environment 2.2, 5 and 6",
    .statement = "OpenCL 1.2 and 2.0 take SPIR-V only with cl_khr_il_program",
    .hint =
        "Build the program from OpenCL C for this device, or use one with cl_khr_il_program or of "
        "OpenCL 2.1 or later."};
constexpr ValidationRule kAtomicPair{
    .id = "ENV-7.2.8-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.8",
    .statement =
        "a device has both cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics, or neither",
    .hint = "The device's description contradicts itself: list both extensions, or none of them."};
constexpr ValidationRule kMipmapPair{
    .id = "ENV-7.2.10-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 7.2.10",
    .statement = "a device with cl_khr_mipmap_image_writes has cl_khr_mipmap_image",
    .hint = "The device's description contradicts itself: list cl_khr_mipmap_image as well."};

void check(Context& context) {
  const Device& device = context.device;
  if (!context.at_least(21) && !device.il_program)
    context.report(kNoProgram, Place::module(),
                   fmt::format("a device of {} without cl_khr_il_program takes no SPIR-V",
                               context.environment.title()));
  const bool base = device.has("cl_khr_int64_base_atomics");
  const bool extended = device.has("cl_khr_int64_extended_atomics");
  if (base != extended)
    context.report(kAtomicPair, Place::module(),
                   fmt::format("expected cl_khr_int64_{}_atomics beside cl_khr_int64_{}_atomics",
                               base ? "extended" : "base", base ? "base" : "extended"));
  if (device.has("cl_khr_mipmap_image_writes") && !device.has("cl_khr_mipmap_image"))
    context.report(kMipmapPair, Place::module(),
                   "expected cl_khr_mipmap_image beside cl_khr_mipmap_image_writes");
}

constexpr const ValidationRule* kRules[] = {&kNoProgram, &kAtomicPair, &kMipmapPair};

}  // namespace
}  // namespace rules_device

const Family kDeviceFamily{"device", rules_device::kRules, rules_device::check};

}  // namespace transpire::validator
