// Rules about modules to accept, beyond capabilities and group instructions: ENV-2.1-17P,
// ENV-X.3-07P, ENV-EXT, V0022.
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_accepted {
namespace {

constexpr std::string_view kHint = "A device that refuses it violates the specification.";

#define TRANSPIRE_ACCEPTED(object, number, section, text)                              \
  constexpr ValidationRule object{.id = number,                                        \
                                  .clause = "OpenCL SPIR-V Environment 2.2, " section, \
                                  .statement = text,                                   \
                                  .hint = kHint,                                       \
                                  .kind = RuleKind::kAccepts};
TRANSPIRE_ACCEPTED(kFunctionAtomic, "ENV-2.1-17P", "2.1",
                   "an atomic on a Function pointer is valid, although what it does is undefined")
TRANSPIRE_ACCEPTED(kGenericAtomic, "ENV-X.3-07P", "3.3, 4.3 and 5.3",
                   "an atomic on a Generic pointer is valid from OpenCL 2.0 on")
TRANSPIRE_ACCEPTED(kExt01, "ENV-EXT-01P", "7.2.4", "cl_khr_fp16 makes Float16 valid")
TRANSPIRE_ACCEPTED(kExt02, "ENV-EXT-02P", "7.3.1",
                   "cles_khr_int64 makes Int64 valid in embedded profiles")
TRANSPIRE_ACCEPTED(kExt03, "ENV-EXT-03P", "7.2.12",
                   "cl_khr_subgroup_named_barrier makes NamedBarrier valid")
TRANSPIRE_ACCEPTED(kExt04, "ENV-EXT-04P", "7.2.8",
                   "the cl_khr_int64 atomics extensions make atomics of 64 bits valid")
TRANSPIRE_ACCEPTED(kExt05, "ENV-EXT-05P", "7.2.7",
                   "cl_khr_gl_msaa_sharing makes multisampled 2D images valid")
TRANSPIRE_ACCEPTED(
    kExt06, "ENV-EXT-06P", "7.2.7",
    "cl_khr_gl_msaa_sharing with the depth image extensions makes multisampled depth "
    "images valid")
TRANSPIRE_ACCEPTED(kExt07, "ENV-EXT-07P", "7.2.9",
                   "cl_khr_mipmap_image makes a Lod other than zero valid for sampled reads")
TRANSPIRE_ACCEPTED(kExt08, "ENV-EXT-08P", "7.2.10",
                   "cl_khr_mipmap_image_writes makes a Lod valid for writes")
TRANSPIRE_ACCEPTED(
    kExt09, "ENV-EXT-09P", "7.2.9",
    "cl_khr_mipmap_image makes a Lod other than zero valid for reads without a sampler")
TRANSPIRE_ACCEPTED(kExt10, "ENV-EXT-10P", "7.2.1",
                   "cl_khr_3d_image_writes makes writes to 3D images valid")
TRANSPIRE_ACCEPTED(kExt11, "ENV-EXT-11P", "7.2.2", "cl_khr_depth_images makes depth images valid")
TRANSPIRE_ACCEPTED(kExt12, "ENV-EXT-12P", "7.2.11",
                   "cl_khr_subgroups makes the execution scope Subgroup valid in OpenCL 2.0")
TRANSPIRE_ACCEPTED(
    kExt13, "ENV-EXT-13P", "7.2.3",
    "cl_khr_device_enqueue_local_arg_types makes local pointers of any type valid for "
    "enqueued functions")
TRANSPIRE_ACCEPTED(kExt14, "ENV-EXT-14P", "7.2.4 and 2.9", "cl_khr_fp16 makes half arguments valid")
TRANSPIRE_ACCEPTED(kExt15, "ENV-EXT-15P", "7.2.5 and 2.9",
                   "cl_khr_fp64 makes double arguments valid")
#undef TRANSPIRE_ACCEPTED
constexpr ValidationRule kWideAtomic12{
    .id = "V0022",
    .clause = "OpenCL SPIR-V Environment 2.2, 6.3 and 7.2.8",
    .statement =
        "in OpenCL 1.2, an atomic of 64 bits with WorkgroupMemory semantics is valid "
        "with the scope Workgroup",
    .hint =
        "Section 6.3 requires the scope Device of every atomic of OpenCL 1.2, and 7.2.8 requires "
        "Workgroup of these. No scope obeys both, so one section has to yield. Section 7.2.8 is "
        "about atomics that only the cl_khr_int64 extensions provide, which 6.3 did not know, and "
        "an extension wins over the text that it extends. By the other reading, the extensions' "
        "atomics could never name local memory in OpenCL 1.2, where OpenCL C has them for it. The "
        "order stays Relaxed, because 7.2.8 does not mention it. Without WorkgroupMemory, the "
        "scope Device of 6.3 applies.",
    .kind = RuleKind::kAccepts};

constexpr const ValidationRule* kRules[] = {
    &kFunctionAtomic, &kGenericAtomic, &kExt01, &kExt02, &kExt03, &kExt04,
    &kExt05,          &kExt06,         &kExt07, &kExt08, &kExt09, &kExt10,
    &kExt11,          &kExt12,         &kExt13, &kExt14, &kExt15, &kWideAtomic12};

}  // namespace
}  // namespace rules_accepted

const Family kAcceptedFamily{"accepted", rules_accepted::kRules, nullptr};

}  // namespace transpire::validator
