// ENV-2.1-01 to 05 and ENV-2.2: execution, addressing and memory model, and the version of the source.
#include <fmt/format.h>

#include "decoder/execution_models.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_modes {
namespace {

using decoder::OperandKind;

constexpr ValidationRule kExecutionModel{
    .id = "ENV-2.1-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "entry points have the execution model Kernel",
    .hint = "The module was made for a graphics API: compile the source for OpenCL."};
constexpr ValidationRule kAddressingModel{
    .id = "ENV-2.1-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "the addressing model is Physical32 or Physical64",
    .hint = "Logical addressing is for graphics: compile the source for OpenCL."};
constexpr ValidationRule kPhysical32{
    .id = "ENV-2.1-03",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "modules of Physical32 are for devices of 32 address bits",
    .hint = "Compile for spir64 instead of spir."};
constexpr ValidationRule kPhysical64{
    .id = "ENV-2.1-04",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "modules of Physical64 are for devices of 64 address bits",
    .hint = "Compile for spir instead of spir64."};
constexpr ValidationRule kMemoryModel{
    .id = "ENV-2.1-05",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.1",
    .statement = "the memory model is OpenCL",
    .hint = "The module was made for a graphics API: compile the source for OpenCL."};
constexpr ValidationRule kSourceVersion{
    .id = "ENV-2.2-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 2.2",
    .statement = "OpSource has the version of OpenCL C as the bytes 0, major, minor, revision",
    .hint =
        "OpenCL C 1.2 is 0x00010200. Producers write 102000 as well; the version has no effect on "
        "how the module runs.",
    .in_field = InField::kIgnored,
    .severity = Severity::kWarning};

template <typename Enumerant>
std::string_view text_of(OperandKind kind, Enumerant value) {
  const std::string_view name = decoder::enumerant_name(kind, static_cast<std::uint32_t>(value));
  return name.empty() ? "an unknown one" : name;
}

/// The row of OpenCL's entry points.
const decoder::ExecutionModelRow& kernels() { return decoder::row_of(spv::MemoryModel::OpenCL); }

void check_memory_model(Context& context, std::uint32_t i) {
  const auto addressing = static_cast<spv::AddressingModel>(context.view.word(i, 0));
  const auto memory = static_cast<spv::MemoryModel>(context.view.word(i, 1));
  const decoder::ExecutionModelRow& row = kernels();
  const auto bits = context.device.address_bits;
  if (addressing == spv::AddressingModel::Physical32) {
    if (bits == 64u)
      context.report(kPhysical32, Place::at(i, 0),
                     "expected Physical64 for a device of 64 address bits, found Physical32");
  } else if (addressing == spv::AddressingModel::Physical64) {
    if (bits == 32u)
      context.report(kPhysical64, Place::at(i, 0),
                     "expected Physical32 for a device of 32 address bits, found Physical64");
  }
  if (!row.has(addressing))
    context.report(kAddressingModel, Place::at(i, 0),
                   fmt::format("expected the addressing model {}, found {}",
                               decoder::addressing_model_names(row),
                               text_of(OperandKind::kAddressingModel, addressing)));
  if (!row.has(memory))
    context.report(
        kMemoryModel, Place::at(i, 1),
        fmt::format("expected the memory model {}, found {}", decoder::memory_model_names(row),
                    text_of(OperandKind::kMemoryModel, memory)));
}

void check_source(Context& context, std::uint32_t i) {
  const std::uint32_t language = context.view.word(i, 0);
  if (language != static_cast<std::uint32_t>(spv::SourceLanguage::OpenCL_C) &&
      language != static_cast<std::uint32_t>(spv::SourceLanguage::OpenCL_CPP))
    return;
  // 0 means that the producer does not say.
  const std::uint32_t version = context.view.word(i, 1);
  const std::uint32_t major = version >> 16 & 0xff;
  if (version == 0 || (version >> 24 == 0 && major >= 1 && major <= 3 &&
                       (version >> 8 & 0xff) <= 9 && (version & 0xff) <= 9))
    return;
  context.report(
      kSourceVersion, Place::at(i, 1),
      fmt::format("expected a version such as 0x00010200, found {:#x} ({})", version, version));
}

void check(Context& context) {
  const ModuleView& view = context.view;
  for (const std::uint32_t i : view.all(spv::Op::OpMemoryModel)) check_memory_model(context, i);
  for (const std::uint32_t i : view.all(spv::Op::OpEntryPoint)) {
    const auto model = static_cast<spv::ExecutionModel>(view.word(i, 0));
    if (model != kernels().model)
      context.report(kExecutionModel, Place::at(i, 0),
                     fmt::format("expected the execution model {}, found {}",
                                 text_of(OperandKind::kExecutionModel, kernels().model),
                                 text_of(OperandKind::kExecutionModel, model)));
  }
  for (const std::uint32_t i : view.all(spv::Op::OpSource)) check_source(context, i);
}

constexpr const ValidationRule* kRules[] = {&kExecutionModel, &kAddressingModel, &kPhysical32,
                                            &kPhysical64,     &kMemoryModel,     &kSourceVersion};

}  // namespace
}  // namespace rules_modes

const Family kModesFamily{"modes", rules_modes::kRules, rules_modes::check};

}  // namespace transpire::validator
