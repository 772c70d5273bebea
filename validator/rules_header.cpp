// ENV-2 and ENV-V: byte order, magic number and version, and which versions an environment takes.
#include <fmt/format.h>

#include "base/spirv_words.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_header {
namespace {

constexpr ValidationRule kByteOrder{
    .id = "ENV-2-01",
    .clause = "OpenCL SPIR-V Environment 2.2, 2",
    .statement = "the words of a module have the byte order of the host",
    .hint = "Write the module in the byte order of the machine that uses it.",
    .in_field = InField::kWarning};
constexpr ValidationRule kMagicNumber{
    .id = "ENV-2-02",
    .clause = "OpenCL SPIR-V Environment 2.2, 2",
    .statement = "the first word is the magic number of SPIR-V",
    .hint = "The file is no SPIR-V module, or its beginning is damaged: produce or copy it again."};
constexpr ValidationRule kVersionWord{
    .id = "ENV-2-03",
    .clause = "OpenCL SPIR-V Environment 2.2, 2",
    .statement = "the second word is a version of SPIR-V, with its highest and lowest byte zero",
    .hint = "Versions are spelled 0x00MMmm00, such as 0x00010200 for 1.2."};

constexpr std::string_view kNewerHint =
    "Ask the producer for an older version, such as `--spirv-max-version=1.0` of llvm-spirv, or "
    "name a newer environment with `--env`. The specification lets a device accept newer versions "
    "as well, so `--strictness field` only warns.";
/// That an environment takes no newer SPIR-V.
constexpr ValidationRule newest_version(std::string_view id, std::string_view clause,
                                        std::string_view statement) {
  return {.id = id,
          .clause = clause,
          .statement = statement,
          .hint = kNewerHint,
          .in_field = InField::kWarning};
}
constexpr ValidationRule kVersion22 = newest_version("ENV-V-01", "OpenCL SPIR-V Environment 2.2, 3",
                                                     "OpenCL 2.2 takes SPIR-V 1.0, 1.1 and 1.2");
constexpr ValidationRule kVersion21 =
    newest_version("ENV-V-02", "OpenCL SPIR-V Environment 2.2, 4", "OpenCL 2.1 takes SPIR-V 1.0");
constexpr ValidationRule kVersion20 =
    newest_version("ENV-V-03", "OpenCL SPIR-V Environment 2.2, 5", "OpenCL 2.0 takes SPIR-V 1.0");
constexpr ValidationRule kVersion12 =
    newest_version("ENV-V-04", "OpenCL SPIR-V Environment 2.2, 6", "OpenCL 1.2 takes SPIR-V 1.0");

const ValidationRule& version_rule(const Environment& environment) {
  switch (environment.version) {
    case 12:
      return kVersion12;
    case 20:
      return kVersion20;
    case 21:
      return kVersion21;
    default:
      return kVersion22;
  }
}

std::string spell_version(std::uint32_t version) {
  return fmt::format("{}.{}", version >> 16 & 0xff, version >> 8 & 0xff);
}

void check(Context& context) {
  if (context.byte_swapped)
    context.report(kByteOrder, Place::header(0),
                   "expected words in the byte order of this machine, found the other one");
  if (context.view.header(0) != kSpirvMagic) {
    context.report(kMagicNumber, Place::header(0),
                   fmt::format("expected the magic number {:#010x}, found {:#010x}", kSpirvMagic,
                               context.view.header(0)));
    context.stop();
    return;
  }
  const std::uint32_t version = context.view.version();
  if ((version & 0xff0000ff) != 0) {
    context.report(kVersionWord, Place::header(1),
                   fmt::format("expected a version such as 0x00010000, found {:#010x}", version));
  } else if (version > context.environment.newest_spirv()) {
    context.report(version_rule(context.environment), Place::header(1),
                   fmt::format("expected SPIR-V {} or older for {}, found {}",
                               spell_version(context.environment.newest_spirv()),
                               context.environment.title(), spell_version(version)));
  }
}

constexpr const ValidationRule* kRules[] = {&kByteOrder, &kMagicNumber, &kVersionWord, &kVersion22,
                                            &kVersion21, &kVersion20,   &kVersion12};

}  // namespace
}  // namespace rules_header

const Family kHeaderFamily{"header", rules_header::kRules, rules_header::check};

}  // namespace transpire::validator
