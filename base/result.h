// Result and Status for code inside the library, and TRANSPIRE_TRY, the only macro with control flow.
#pragma once

#include "base/rule.h"
#include "transpire/result.hpp"

/// Evaluates an expression of type Result<T>. If it failed, returns its diagnostics from the enclosing function. Otherwise
/// assigns its value to `target`, which may be a declaration.
#define TRANSPIRE_TRY(target, expression) TRANSPIRE_TRY_AT(target, expression, __LINE__)
#define TRANSPIRE_TRY_AT(target, expression, line) TRANSPIRE_TRY_NAMED(target, expression, line)
#define TRANSPIRE_TRY_NAMED(target, expression, line)              \
  auto transpire_try_##line = (expression);                        \
  if (!transpire_try_##line) return transpire_try_##line.errors(); \
  target = std::move(transpire_try_##line).value()
