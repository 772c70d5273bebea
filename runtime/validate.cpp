// Validation of bytes and files: include/transpire/validate.hpp.
#include "transpire/validate.hpp"

#include <iterator>

#include "compiler/opencl_source.h"
#include "findings/source_texts.h"
#include "validator/rule.h"
#include "validator/validate.h"

namespace transpire {
namespace {

using validator::names_rule;

Result<Validation> validate_with_sources(std::span<const std::byte> bytes,
                                         const ValidateOptions& options, const WorkLimit& limit) {
  findings::SourceTexts sources(options.sources, options.name);
  return validator::validate_bytes(bytes, options, limit,
                                   [&](const SourceLine& where) { return sources.excerpt(where); });
}

/// Puts the compiler's warnings in front of the module's, after the same options for suppression
/// and severity.
void add_warnings(Diagnostics warnings, const ValidateOptions& options, Validation& validation) {
  std::erase_if(warnings, [&](const Diagnostic& warning) {
    return names_rule(options.suppress, warning.rule) ||
           (options.suppressed && options.suppressed(warning));
  });
  for (Diagnostic& warning : warnings) {
    const bool is_error =
        (options.warnings_as_errors || names_rule(options.as_errors, warning.rule)) &&
        !names_rule(options.as_warnings, warning.rule);
    if (is_error) warning.severity = Severity::kError;
    ++(is_error ? validation.errors : validation.warnings);
  }
  validation.diagnostics.insert(validation.diagnostics.begin(),
                                std::make_move_iterator(warnings.begin()),
                                std::make_move_iterator(warnings.end()));
  validation.valid = validation.errors == 0;
}

/// `compile` makes the module, or takes it as it is.
template <typename Compile>
Result<Validation> validate_compiled(const ValidateOptions& options, LoadOptions load,
                                     const Compile& compile) {
  const WorkLimit limit = WorkLimit::after(options.timeout_seconds);
  compiler::SourceNotes notes;
  load.name = options.name;
  load.source_types = false;  // lines have to do: of the rest, SPIRV-Tools would have much to say
  TRANSPIRE_TRY(const std::vector<std::byte> bytes, compile(load, limit, notes));
  auto validation = validate_with_sources(bytes, options, limit);
  if (!validation) return validation;
  // How compilers write modules is nothing that a source could mend.
  if (notes.is_compiled) validation->held_back = 0;
  add_warnings(std::move(notes.warnings), options, *validation);
  return validation;
}

}  // namespace

Result<Validation> validate(std::span<const std::byte> bytes, const ValidateOptions& options) {
  return validate_with_sources(bytes, options, WorkLimit::after(options.timeout_seconds));
}

Result<Validation> validate_file(const std::string& path, ValidateOptions options,
                                 const LoadOptions& load) {
  if (options.name == ValidateOptions{}.name) options.name = path == "-" ? "<stdin>" : path;
  return validate_compiled(
      options, load,
      [&](const LoadOptions& how, const WorkLimit& limit, compiler::SourceNotes& notes) {
        return compiler::module_of_file(path, how, limit, notes);
      });
}

Result<Validation> validate_input(std::span<const std::byte> bytes, ValidateOptions options,
                                  const LoadOptions& load) {
  if (options.name == ValidateOptions{}.name) options.name = "<stdin>";
  return validate_compiled(
      options, load,
      [&](const LoadOptions& how, const WorkLimit& limit, compiler::SourceNotes& notes) {
        return compiler::module_of_input(bytes, how, limit, notes);
      });
}

}  // namespace transpire
