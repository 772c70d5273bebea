// LIR as text for tests: parses what lir::print() writes, and prints with values numbered as they
// appear, so that a test can state the whole function before and after a pass.
//
// Beyond print()'s output the parser takes: names instead of numbers (%x), blocks without `from`
// (preds in the order of the branches), and an access of a copy without `from` (generic).
#pragma once

#include <string>
#include <string_view>

#include "vm/lir/lir.h"

namespace transpire::test {

/// Throws std::runtime_error with the line that it does not understand.
vm::lir::Function parse_lir(std::string_view text);

/// print(), values renumbered from %0 in the order of the text. The lines above the first block are
/// left out unless asked for.
std::string lir_text(const vm::lir::Function& function, bool with_header = false);

/// Values of printed text numbered from %0 in the order of the text.
std::string renumber(std::string_view text);

/// The lines of a raw string literal without the leading newline and the common indentation.
std::string dedent(std::string_view text);

}  // namespace transpire::test
