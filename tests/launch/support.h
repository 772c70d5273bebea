// Helpers of the command line's tests.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::test {

/// The first diagnostic as "RULE: message", or "ok".
template <class T>
std::string error_or_ok(const Result<T>& result) {
  return result ? "ok" : result.errors()[0].rule + ": " + result.errors()[0].message;
}

/// All diagnostics as people see them.
template <class T>
std::string errors_of(const Result<T>& result) {
  std::string text;
  if (!result)
    for (const Diagnostic& error : result.errors()) text += format(error);
  return text;
}

template <class T>
std::vector<T> elements(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], &bytes[i * sizeof(T)], sizeof(T));
  return values;
}

}  // namespace transpire::test
