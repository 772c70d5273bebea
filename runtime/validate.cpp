// Validation of bytes and files: include/transpire/validate.hpp.
#include "transpire/validate.hpp"

#include "runtime/files.h"
#include "runtime/opencl_source.h"
#include "validator/validate.h"

namespace transpire {

Result<Validation> validate(std::span<const std::byte> bytes, const ValidateOptions& options) {
  return validator::validate_bytes(bytes, options);
}

Result<Validation> validate_file(const std::string& path, ValidateOptions options,
                                 const LoadOptions& load) {
  if (options.name == ValidateOptions{}.name) options.name = path == "-" ? "<stdin>" : path;
  if (path.ends_with(".cl")) {
    TRANSPIRE_TRY(const std::vector<std::byte> compiled,
                  runtime::compile_opencl_c(path, load.build_options, load.optimise_source));
    return validate(compiled, options);
  }
  TRANSPIRE_TRY(const std::vector<std::byte> bytes, runtime::read_file(path));
  return validate(bytes, options);
}

}  // namespace transpire
