// SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which CI systems show beside the
// source.
#pragma once

#include <string>

#include "transpire/validate.hpp"

namespace transpire::cli {

/// One run with the findings and the rules that they name.
std::string sarif_of(const Validation& validation);

}  // namespace transpire::cli
