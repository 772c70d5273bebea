// Environment variables of the process.
#pragma once

#include <cstdlib>
#include <string>

namespace transpire {

/// The value of an environment variable; empty if it is not set.
inline std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace transpire
