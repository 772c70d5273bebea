// The shape of a JSON launch description: docs/launch.schema.json, with messages for people. What
// the words inside of strings mean is not decided here.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "transpire/result.hpp"

namespace transpire::launch {

/// Everything that the schema refuses, each with the JSON pointer of its place.
Diagnostics misshapen(const nlohmann::json& root);

/// The JSON pointer of a member or element of what `base` points to.
std::string pointer_to(const std::string& base, std::string_view key);
/// The diagnostic with a note that says the place.
Diagnostic at_pointer(Diagnostic error, const std::string& pointer);

}  // namespace transpire::launch
