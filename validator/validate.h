// Validation: whether a module obeys the rules of SPIR-V and of an OpenCL environment. Reports,
// never changes; a module that fails may still run.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/work_limit.h"
#include "transpire/validate.hpp"
#include "validator/text_positions.h"

namespace transpire::validator {

/// The line of a source that debug information names, with a caret below the place; empty when it is not to be had.
using SourceExcerpt = std::function<std::string(const SourceLine&)>;

/// The module to validate.
struct Subject {
  const ViewedModule& module;
  bool byte_swapped = false;  ///< the words were given in the other byte order
  bool decodes = false;       ///< the decoder takes them, so that it need not be asked again
};

/// Validates a module. `source` gives lines of what it was compiled from, which are then the places. What the rules
/// here let pass but the decoder refuses is told by the decoder's rule. Errors: C0035, L0002.
Result<Validation> validate_module(const Subject& subject, const ValidateOptions& options,
                                   const WorkLimit& limit = {}, const SourceExcerpt& source = {});

/// Validates words in either byte order, as validate_module() does.
Result<Validation> validate_words(std::span<const std::uint32_t> words,
                                  const ValidateOptions& options, const WorkLimit& limit = {},
                                  const SourceExcerpt& source = {});

/// The same for bytes, which are words or assembly text. Errors also: D0040.
Result<Validation> validate_bytes(std::span<const std::byte> bytes, const ValidateOptions& options,
                                  const WorkLimit& limit = {}, const SourceExcerpt& source = {});

/// SPIRV-Tools' validator: warnings of V0001, one for each thing that it names; empty when it has
/// nothing to say. Ids are called as the view calls them.
Diagnostics second_opinion(const ModuleView& view, std::string_view environment,
                           const std::string& input_name);

}  // namespace transpire::validator
