// Launches a case in every way that this machine has, and tells what differs from its expectation
// or between two ways.
#pragma once

#include "tests/hostile/case.h"

namespace transpire::hostile {

/// Every instruction set on both paths with one thread, and one of them, another from case to case,
/// with several. `isa`: only that one; empty: all.
std::vector<oracle::Setup> setups(const std::string& isa, std::uint64_t index);

/// Empty when all is as expected.
std::string run_case(oracle::Devices& devices, const Case& made,
                     const std::vector<oracle::Setup>& all);

/// Makes one expectation wrong, another one from case to case, so that every run must differ.
void tamper(Case& made, std::uint64_t index);

}  // namespace transpire::hostile
