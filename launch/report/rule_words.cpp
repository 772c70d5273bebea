#include "launch/report/rule_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::toupper(x) == std::toupper(y);
  });
}

/// True if the ids differ in one character behind the letter of the family: replaced, left out or inserted.
bool is_slip(std::string_view a, std::string_view b) {
  constexpr std::size_t kFamily = 5;  // "TSP-R"
  if (a.substr(0, kFamily) != b.substr(0, kFamily)) return false;
  if (a.size() > b.size()) std::swap(a, b);
  const auto same = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::string_view rest = b.substr(std::min(same + 1, b.size()));
  return a.size() == b.size() ? a.substr(std::min(same + 1, a.size())) == rest
                              : a.substr(same) == rest;
}

}  // namespace

std::string full_rule_id(std::string_view text) {
  std::string id(text);
  if (id.size() < 4 || !same_letters(std::string_view(id).substr(0, 4), "TSP-")) id = "TSP-" + id;
  for (const RulePage& page : rule_pages())
    if (same_letters(page.id, id)) return page.id;
  for (char& c : id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (id.size() < 9 && id.size() > 5) id.insert(5, 9 - id.size(), '0');
  return id;
}

std::string rule_id_near(std::string_view word) {
  const std::string id = full_rule_id(word);
  const auto& pages = rule_pages();
  const auto near =
      std::ranges::find_if(pages, [&id](const RulePage& page) { return is_slip(page.id, id); });
  return near == pages.end() ? std::string() : std::string(near->id);
}

Diagnostic no_such_rule(std::string_view word) {
  const std::string near = rule_id_near(word);
  return command_error(
      kNoSuchRule, fmt::format("no rule has the id '{}'", word),
      near.empty() ? "'transpire explain' lists them" : fmt::format("did you mean '{}'?", near));
}

}  // namespace transpire::launch
