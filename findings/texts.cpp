#include "findings/texts.h"

#include <fmt/format.h>

namespace transpire::findings {

std::string text_of(const std::array<std::uint64_t, 3>& id) {
  return fmt::format("({},{},{})", id[0], id[1], id[2]);
}

std::string text_of(const vm::exec::WorkItem& item) {
  return fmt::format("global {}, group {}, local {}", text_of(item.global_id),
                     text_of(item.group_id), text_of(item.local_id));
}

std::string with_article(std::string_view noun) {
  return fmt::format("{} {}", noun.starts_with('a') ? "an" : "a", noun);
}

}  // namespace transpire::findings
