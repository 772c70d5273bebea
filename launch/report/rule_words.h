// Reads rule ids in the spellings that people use.
#pragma once

#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"

namespace transpire::launch {

/// The full id: "r21", "R0021" and "tsp-r0021" all mean TSP-R0021; "env-2.1-07" means TSP-ENV-2.1-07. A known rule has the
/// spelling of the list of rules.
std::string full_rule_id(std::string_view text);

/// The id of a rule that differs in a single character; empty if there is none.
std::string rule_id_near(std::string_view word);

/// The diagnostic C0025. It suggests rule_id_near().
Diagnostic no_such_rule(std::string_view word);

}  // namespace transpire::launch
