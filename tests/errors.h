// What is wrong with a result, for comparison.
#pragma once

#include <string>

#include "transpire/result.hpp"

namespace transpire::test {

/// The first diagnostic as "RULE: message", or "ok".
template <class T>
std::string error_of(const Result<T>& result) {
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

}  // namespace transpire::test
