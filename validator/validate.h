// Validation: checks a module against the rules of SPIR-V and of an OpenCL environment. It reports
// and changes nothing; a module that fails may still run.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/work_limit.h"
#include "decoder/view/place_renderer.h"
#include "decoder/view/viewed_module.h"
#include "transpire/validate.hpp"
#include "validator/names.h"

namespace transpire::validator {

/// The module to validate.
struct Subject {
  const ViewedModule& module;
  bool byte_swapped = false;  ///< words were given in the other byte order
  bool decodes = false;       ///< the decoder accepts them, so it need not run again
};

/// Validates a module. `source` gives lines of the text that it was compiled from, which become the
/// places. If all rules here pass but the decoder refuses the module, its rule is reported. Errors:
/// C0035, L0002.
Result<Validation> validate_module(const Subject& subject, const ValidateOptions& options,
                                   const WorkLimit& limit = {}, const SourceExcerpt& source = {});

/// Validates words in either byte order, as validate_module() does.
Result<Validation> validate_words(std::span<const std::uint32_t> words,
                                  const ValidateOptions& options, const WorkLimit& limit = {},
                                  const SourceExcerpt& source = {});

/// Validates bytes: words or assembly text. Errors also: D0040.
Result<Validation> validate_bytes(std::span<const std::byte> bytes, const ValidateOptions& options,
                                  const WorkLimit& limit = {}, const SourceExcerpt& source = {});

/// SPIRV-Tools' validator: a warning V0001 for each mistake that it names, an error V0050 in environments of other APIs than
/// OpenCL; empty if it finds none. Ids have the view's names.
Diagnostics second_opinion(const ModuleView& view, std::string_view environment,
                           const std::string& input_name);

}  // namespace transpire::validator
