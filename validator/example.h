// The examples of rules. The bad one breaks its rule, the good one does not. `transpire explain`
// shows them, and the tests validate each.
//
// Both stand in one file, validator/examples/<ID>.spvasm.in. A line that begins with `bad:` or
// `good:` belongs to that example alone, any other line to both. Each example begins with a comment
// that says what it shows:
//   bad:  ; two variables in functions where one is allowed
//   good: ; one variable
//         ; device: {"limits": {"local_variables": 1}}
//         %uint = OpTypeInt 32 0
//         %ptr_fn_uint = OpTypePointer Function %uint
//         kernel test()
//         %first = OpVariable %ptr_fn_uint Function
//   bad:  %second = OpVariable %ptr_fn_uint Function
//
// The build embeds the whole texts. validator/embed_examples.py adds what a file leaves out:
//   - in the header, the environment opencl2.2 and version 1.0;
//   - without OpMemoryModel: OpMemoryModel Physical64 OpenCL, and the capabilities Addresses and
//     Kernel in front of the others;
//   - for `kernel test(%uint a b, %float c)`: OpFunction, the parameters %a, %b and %c, and the
//     label %entry. Where the text has none, also OpEntryPoint, %void, the type of the function,
//     and OpReturn and OpFunctionEnd at the end. The type is %test_type for a kernel with
//     parameters and %fn_void for others, unless the text defines %test_type.
// Examples about layout, headers or bytes are written whole.
//
// Comments at the top say how to validate, one "; key: value" a line:
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

/// All embedded examples, sorted by rule and kind. Static.
std::vector<Example> examples();

/// The words that an example stands for, and the options to validate them with.
struct PreparedExample {
  std::vector<std::uint32_t> words;
  ValidateOptions options;
};
/// Errors: D0040 for text that does not assemble, C0035 for a header line that is none of the above.
Result<PreparedExample> prepare_example(const Example& example);

}  // namespace transpire::validator
