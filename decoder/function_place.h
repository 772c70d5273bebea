// The place of a function or parameter: in the words, and in the source by debug information.
#pragma once

#include "decoder/module.h"

namespace transpire::decoder {

/// The line of the function's name, from its DebugFunction. It has no column, which may be the
/// parameter list's. Unknown if no instruction in the function has debug information.
SourceLine line_of(const Module& module, const Function& function);

/// Offset of the OpFunctionParameter, or of the OpFunction if the function has no such parameter.
std::uint32_t word_of_parameter(const Module& module, const Function& function, Id parameter);

}  // namespace transpire::decoder
