// Files of numbers in a form of their own that a value takes for bare bytes: `float:file:a.npy` makes numbers of the
// header, too.
#pragma once

#include <optional>

#include "launch/value_spec.h"

namespace transpire::launch {

/// A warning (C0045) where the value is `file:` and the file begins as an array or a picture does. With `bytes:`, its name
/// must say so as well. Devices and pipes are not looked into: reading would take from them.
std::optional<Diagnostic> mistaken_file(const ValueSpec& value);

}  // namespace transpire::launch
