// Text of ids, work-items and nouns in findings and their notes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "vm/exec/work_item.h"

namespace transpire::findings {

/// "(64,0,0)"
std::string text_of(const std::array<std::uint64_t, 3>& id);

/// "global (64,0,0), group (1,0,0), local (0,0,0)"
std::string text_of(const vm::exec::WorkItem& item);

/// "a store", "an atomic access"
std::string with_article(std::string_view noun);

}  // namespace transpire::findings
