// Helpers of the command line's tests.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "launch/language/layout.h"
#include "tests/errors.h"

namespace transpire::test {

using namespace launch;

/// The type that a word such as "float4" names.
inline TypeInfo named(const char* name) { return launch::type_of(*launch::type_word(name)); }

template <class T>
std::vector<T> elements(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], &bytes[i * sizeof(T)], sizeof(T));
  return values;
}

}  // namespace transpire::test
