// Checks the shape of a JSON launch description against docs/launch.schema.json, with messages for people. Does not
// interpret the contents of strings.
#pragma once

#include <string>

#include "base/json.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// All violations of the schema, each with the JSON pointer of its place.
Diagnostics misshapen(const Json& root);

/// Adds a note with the JSON pointer to the diagnostic.
Diagnostic at_pointer(Diagnostic error, const std::string& pointer);

}  // namespace transpire::launch
