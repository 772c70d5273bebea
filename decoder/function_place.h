// Where a function, or a parameter of one, stands: in the words, and in the source as debug information has it.
#pragma once

#include "decoder/module.h"

namespace transpire::decoder {

/// The line that the function's name stands in, by its DebugFunction; without a column, which may be a parameter list's.
/// Unknown without debug information of an instruction in it.
SourceLine line_of(const Module& module, const Function& function);

/// Of the OpFunctionParameter; of the OpFunction where the function has no such parameter.
std::uint32_t word_of_parameter(const Module& module, const Function& function, Id parameter);

}  // namespace transpire::decoder
