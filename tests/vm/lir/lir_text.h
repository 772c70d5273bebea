// LIR as text for tests: parses what lir::print() writes, and prints with values numbered as they
// appear, so that a test can state the whole function before and after a pass.
//
// Beyond print()'s output the parser takes: names instead of numbers (%x), blocks without `from`
// (preds in the order of the branches), blocks without a branch (they go on at the next one, and the
// last one returns), a first block without `b0:`, an access of a copy without `from` (generic), and one line for all arguments: `arguments: %p pointer,
// %n i32, %s by-value 8, %x private 4`, sizes in bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "vm/lir/lir.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

/// Throws std::runtime_error with the line that it does not understand.
vm::lir::Function parse_lir(std::string_view text);

/// print() from the first block on, values renumbered from %0 in the order of the text.
std::string lir_text(const vm::lir::Function& function);

/// The names that a text gives to values.
using LirNames = std::map<vm::lir::ValueId, std::string>;

vm::lir::Function parse_lir(std::string_view text, LirNames& names);

/// print() from the first block on, with those names; other values are %0, %1, ... in the order of the text.
std::string lir_text(const vm::lir::Function& function, const LirNames& names);

}  // namespace transpire::test
