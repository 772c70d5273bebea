// Explains why atomics and fences between two racing accesses do not order them.
#pragma once

#include <string>
#include <string_view>

#include "findings/findings.h"

namespace transpire::findings {

/// Hint for a data race; empty if no atomics or fences nearly order the two accesses.
std::string near_miss_help(const scheduler::Finding& found, const FindingContext& context);

/// "memory_scope_device"
std::string_view scope_text(spv::Scope scope);

/// "atomic store", "atomic load", "atomic read-modify-write", "fence", "barrier"
std::string_view order_noun(spv::Op op);

}  // namespace transpire::findings
