// Result and Status inside the library, and the one macro that has control flow.
#pragma once

#include "base/rule.h"
#include "transpire/result.hpp"

/// Evaluates an expression of type Result<T>; returns its diagnostics from the enclosing function
/// when it failed, else assigns the value to `target`, which may be a declaration.
#define TRANSPIRE_TRY(target, expression) TRANSPIRE_TRY_AT(target, expression, __LINE__)
#define TRANSPIRE_TRY_AT(target, expression, line) TRANSPIRE_TRY_NAMED(target, expression, line)
#define TRANSPIRE_TRY_NAMED(target, expression, line)              \
  auto transpire_try_##line = (expression);                        \
  if (!transpire_try_##line) return transpire_try_##line.errors(); \
  target = std::move(transpire_try_##line).value()
