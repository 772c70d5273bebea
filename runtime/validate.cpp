// Validation of bytes and files: include/transpire/validate.hpp.
#include "transpire/validate.hpp"

#include "compiler/opencl_source.h"
#include "runtime/source_texts.h"
#include "validator/validate.h"

namespace transpire {
namespace {

Result<Validation> validate_with_sources(std::span<const std::byte> bytes,
                                         const ValidateOptions& options, const WorkLimit& limit) {
  runtime::SourceTexts sources(options.sources, options.name);
  return validator::validate_bytes(bytes, options, limit,
                                   [&](const SourceLine& where) { return sources.excerpt(where); });
}

}  // namespace

Result<Validation> validate(std::span<const std::byte> bytes, const ValidateOptions& options) {
  return validate_with_sources(bytes, options, WorkLimit::after(options.timeout_seconds));
}

Result<Validation> validate_file(const std::string& path, ValidateOptions options,
                                 const LoadOptions& load) {
  if (options.name == ValidateOptions{}.name) options.name = path == "-" ? "<stdin>" : path;
  const WorkLimit limit = WorkLimit::after(options.timeout_seconds);
  Diagnostics warnings;            // clang's, of the source, are no matter of the module
  LoadOptions lines_alone = load;  // of the rest, SPIRV-Tools would have much to say
  lines_alone.source_types = false;
  TRANSPIRE_TRY(const std::vector<std::byte> bytes,
                compiler::module_of_file(path, lines_alone, limit, warnings));
  return validate_with_sources(bytes, options, limit);
}

}  // namespace transpire
