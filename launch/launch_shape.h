// Checks the shape of a JSON launch description against docs/launch.schema.json, with messages for people. Does not
// interpret the contents of strings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "transpire/result.hpp"

namespace transpire::launch {

/// All violations of the schema, each with the JSON pointer of its place.
Diagnostics misshapen(const nlohmann::json& root);

/// The JSON pointer of a member or element of the value at `base`.
std::string pointer_to(const std::string& base, std::string_view key);
/// Adds a note with the JSON pointer to the diagnostic.
Diagnostic at_pointer(Diagnostic error, const std::string& pointer);

}  // namespace transpire::launch
