// The examples of rules: validator/examples/<ID>.bad.spvasm breaks the rule, <ID>.good.spvasm does not.
// They are embedded for `transpire explain`, and the tests validate each.
//
// Comments at the top say how, one "; key: value" a line:
//   env: opencl2.0embedded      the environment (opencl2.2 when there is none)
//   device: {"images": false}   the device, on one line
//   strictness: field           strict when there is none
//   option: irreducible=reject  or struct-arrays=, scopes=; accept or reject
//   Version: 1.1                the version of SPIR-V to assemble for
// and, for what text cannot express, what is done to the words after assembling:
//   word 3 = 0x00400000         replaces a word
//   append: 0x1 0x2             adds words at the end
//   truncate: 20                keeps as many words
//   byte-order: swapped         reverses the bytes of every word
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "transpire/validate.hpp"

namespace transpire::validator {

struct Example {
  std::string_view id;    ///< "ENV-2.1-07"
  std::string_view kind;  ///< "bad" or "good"
  std::string_view text;
};

/// All embedded examples, sorted by file name. Static.
std::vector<Example> examples();
/// The text, or empty.
std::string_view example_text(std::string_view id, std::string_view kind);

/// The words that an example stands for, and the options to validate them with.
struct PreparedExample {
  std::vector<std::uint32_t> words;
  ValidateOptions options;
};
/// Errors: D0040 for text that does not assemble, C0035 for a header line that is none of the above.
Result<PreparedExample> prepare_example(const Example& example);

}  // namespace transpire::validator
