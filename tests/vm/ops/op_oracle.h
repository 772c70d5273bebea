// The arithmetic oracle (tests/fuzz/oracle) for single handlers: each op's meaning has the name that the op has.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "tests/fuzz/oracle/instructions.h"
#include "vm/simd/kind.h"

namespace transpire::test {

inline oracle::Scalar scalar_of(vm::Kind kind) {
  const oracle::Kind as_number = is_float(kind) ? oracle::Kind::kFloat : oracle::Kind::kInt;
  return {kind == vm::Kind::kBool ? oracle::Kind::kBool : as_number, width_bits(kind)};
}

/// "OpIAdd" and "IAdd", or "s_abs_diff" and "SAbsDiff", are one name.
inline std::string plain_name(std::string_view name) {
  std::string plain;
  if (name.starts_with("Op")) name.remove_prefix(2);
  for (const char c : name)
    if (c != '_') plain += static_cast<char>(std::tolower(c));
  return plain;
}

/// Fails the test where there is no such instruction.
inline const oracle::Instruction& instruction_named(std::string_view name) {
  for (const auto instructions : {oracle::integer_instructions(), oracle::float_instructions(),
                                  oracle::conversion_instructions()}) {
    const auto found = std::ranges::find_if(instructions, [&](const oracle::Instruction& each) {
      return plain_name(each.name) == plain_name(name);
    });
    if (found != instructions.end()) return *found;
  }
  FAIL("the arithmetic oracle has no ", std::string(name));
  return oracle::integer_instructions()[0];
}

}  // namespace transpire::test
