// The environment that the process was started with.
#pragma once

#include <cstdlib>
#include <string>

namespace transpire {

/// What a variable holds; empty when it is not set.
inline std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace transpire
