// Formulas of the short form: lists of expected values, such as {I from 0 to 9: I * I % 7}. tests/programs/README.md describes them.
#pragma once

#include "tests/shorthand/lines.h"

namespace transpire::shorthand {

/// `line` with the value of each {NAME}, and of each sum of products of names and whole numbers, such as {4*INDEX+3}.
std::string substituted(std::string_view line, const Values& values);

/// `line` with the values of each {NAME from FIRST to LAST: FORMULA, ...}, in parentheses where there are several formulas.
/// @throws Mistake
std::string with_formulas(std::string_view line, const Values& values);

}  // namespace transpire::shorthand
