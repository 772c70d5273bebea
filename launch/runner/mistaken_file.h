// Warns of files with a header that a value reads as bare bytes: `float:file:a.npy` makes numbers of the header, too.
#pragma once

#include <optional>

#include "launch/language/value_spec.h"

namespace transpire::launch {

/// A warning (C0045) if the value is `file:` and the file begins like an array or a picture. With `bytes:`, the file's name
/// must end like one, too. Devices and FIFOs are not opened, because reading would consume their data.
std::optional<Diagnostic> mistaken_file(const ValueSpec& value);

}  // namespace transpire::launch
