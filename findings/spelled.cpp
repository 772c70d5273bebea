#include "findings/spelled.h"

#include <fmt/format.h>

namespace transpire::findings {

std::string spelled(const std::array<std::uint64_t, 3>& id) {
  return fmt::format("({},{},{})", id[0], id[1], id[2]);
}

std::string spelled(const vm::exec::WorkItem& item) {
  return fmt::format("global {}, group {}, local {}", spelled(item.global_id),
                     spelled(item.group_id), spelled(item.local_id));
}

std::string with_article(std::string_view noun) {
  return fmt::format("{} {}", noun.starts_with('a') ? "an" : "a", noun);
}

}  // namespace transpire::findings
