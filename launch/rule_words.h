// Rules as people write them.
#pragma once

#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"

namespace transpire::launch {

/// "r21", "R0021" and "tsp-r0021" all mean TSP-R0021; "env-2.1-07" means TSP-ENV-2.1-07. As it is
/// spelled in the list of rules, when it is there.
std::string full_rule_id(std::string_view text);

/// C0025, with the rule that may have been meant: one that differs in a single character.
Diagnostic no_such_rule(std::string_view word);

}  // namespace transpire::launch
