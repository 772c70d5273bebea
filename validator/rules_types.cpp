// ENV-2.1-06 and ENV-2.4: which types an OpenCL environment has.
#include <fmt/format.h>

#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_types {
namespace {

constexpr ValidationRule kSignedness{
    .id = "ENV-2.1-06",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1; SPIR-V 1.0, 2.16.3",
    .statement = "integer types have Signedness 0",
    .hint =
        "Declare the type with Signedness 0: instructions say how they read an integer's sign."};
constexpr ValidationRule kIntWidth{
    .id = "ENV-2.4-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.4.1",
    .statement = "integers are 8, 16, 32 or 64 bits wide",
    .hint = "Use the next larger width and mask what the operation leaves in the upper bits."};
constexpr ValidationRule kFloatWidth{.id = "ENV-2.4-02",
                                     .clause = "OpenCL SPIR-V Environment 2.2, 2.4.1",
                                     .statement = "floating-point types are 16, 32 or 64 bits wide",
                                     .hint = "Use one of these widths."};
constexpr ValidationRule kVectorSize{
    .id = "ENV-2.4-03",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.4.1",
    .statement = "vectors have 2, 3, 4, 8 or 16 components",
    .hint = "Use the next larger size, or an array. Sizes 8 and 16 need the capability Vector16."};
constexpr ValidationRule kVectorComponent{
    .id = "ENV-2.4-04",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.4.1",
    .statement = "the components of a vector are Booleans, integers or floating-point numbers",
    .hint = "Use an array or a structure for other components."};
constexpr ValidationRule kOtherType{
    .id = "ENV-2.4-05",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.4",
    .statement = "matrices, run-time arrays and opaque types are not supported",
    .hint =
        "Use arrays of vectors for matrices, and pointers for arrays without a length. "
        "OpTypeOpaque is for types that another module completes: link before validating.",
    .in_field = InField::kWarning};

void check_scalar(Context& context, std::uint32_t i) {
  const std::uint32_t width = context.view.word(i, 0);
  if (context.view.at(i).op == spv::Op::OpTypeFloat) {
    if (width != 16 && width != 32 && width != 64)
      context.report(kFloatWidth, Place::at(i, 0),
                     fmt::format("expected a width of 16, 32 or 64, found {}", width));
    return;
  }
  if (width != 8 && width != 16 && width != 32 && width != 64)
    context.report(kIntWidth, Place::at(i, 0),
                   fmt::format("expected a width of 8, 16, 32 or 64, found {}", width));
  if (context.view.word(i, 1) != 0)
    context.report(kSignedness, Place::at(i, 1),
                   fmt::format("expected Signedness 0, found {}", context.view.word(i, 1)));
}

void check_vector(Context& context, std::uint32_t i) {
  const ModuleView& view = context.view;
  const std::uint32_t count = view.word(i, 1);
  if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
    context.report(kVectorSize, Place::at(i, 1),
                   fmt::format("expected 2, 3, 4, 8 or 16 components, found {}", count));
  const Id component = view.word(i, 0);
  const spv::Op op = view.op_of(component);
  if (op != spv::Op::OpTypeBool && op != spv::Op::OpTypeInt && op != spv::Op::OpTypeFloat)
    context.report(
        kVectorComponent, Place::at(i, 0),
        fmt::format("expected a scalar component type, found {}", context.type(component)));
}

void check(Context& context) {
  const ModuleView& view = context.view;
  for (const spv::Op op : {spv::Op::OpTypeInt, spv::Op::OpTypeFloat})
    for (const std::uint32_t i : view.all(op)) check_scalar(context, i);
  for (const std::uint32_t i : view.all(spv::Op::OpTypeVector)) check_vector(context, i);
  for (const spv::Op op :
       {spv::Op::OpTypeMatrix, spv::Op::OpTypeRuntimeArray, spv::Op::OpTypeOpaque})
    for (const std::uint32_t i : view.all(op))
      context.report(kOtherType, Place::at(i),
                     fmt::format("{} is none of the types that OpenCL environments support",
                                 view.at(i).info->name));
}

constexpr const ValidationRule* kRules[] = {&kSignedness, &kIntWidth,        &kFloatWidth,
                                            &kVectorSize, &kVectorComponent, &kOtherType};

}  // namespace
}  // namespace rules_types

const Family kTypesFamily{"types", rules_types::kRules, rules_types::check};

}  // namespace transpire::validator
