// Functions before and after a pass, as one text each.
#pragma once

#include <functional>
#include <string>

#include "vm/lir/lir.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

/// A line `A | B` is A before the pass and B behind it, `A |` goes, `| B` comes, any other line stays. Values keep
/// their names; those that the pass makes are %0, %1, ... in the order of the text.
struct PassCase {
  std::string name;
  std::string text;
};

using Pass = std::function<void(vm::lir::Function&)>;
/// Empty, or how functions differ in what they do.
using Comparison =
    std::function<std::string(const vm::lir::Function& before, const vm::lir::Function& after)>;

/// Work-items in a batch of four do what they did alone.
std::string compare_four_lanes(const vm::lir::Function& before, const vm::lir::Function& after);
/// For what the machine of lir_machine.h cannot run.
std::string do_not_compare(const vm::lir::Function& before, const vm::lir::Function& after);

/// Checks what the pass makes of the case's function, and that it still does the same.
void check_pass(const PassCase& c, const Pass& pass,
                const Comparison& compare = compare_four_lanes);

}  // namespace transpire::test
