#include "base/nearest.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace transpire {
namespace {

constexpr std::size_t kLongestWord = 100;  // no name is longer, and hostile ones take their time

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edits (insert, delete, replace, swap of neighbours) between two words, letter case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto same = [&](std::size_t i, std::size_t j) { return folded(a[i]) == folded(b[j]); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Takes away what the two share but does not tell candidates apart: a beginning up to a hyphen ("--", "TSP-"), and the same
/// extension of files.
void drop_shared(std::string_view& a, std::string_view& b) {
  const auto differing = std::ranges::mismatch(a, b).in1;
  const auto shared = a.substr(0, static_cast<std::size_t>(differing - a.begin()));
  if (const std::size_t hyphen = shared.rfind('-'); hyphen != shared.npos) {
    a.remove_prefix(hyphen + 1);
    b.remove_prefix(hyphen + 1);
  }
  const std::size_t dot = a.rfind('.'), other = b.rfind('.');
  const bool is_same = dot != a.npos && other != b.npos && a.substr(dot) == b.substr(other);
  if (!is_same || dot == 0 || other == 0) return;
  a = a.substr(0, dot);
  b = b.substr(0, other);
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates,
                    std::optional<std::size_t> most_edits) {
  std::string best;
  if (word.size() > kLongestWord) return best;
  std::size_t best_distance = SIZE_MAX;
  for (const std::string& candidate : candidates) {
    std::string_view mine = word, theirs = candidate;
    drop_shared(mine, theirs);
    const std::size_t distance = edit_distance(mine, theirs);
    const bool is_near = distance <= most_edits.value_or(mine.size() / 3 + 1) &&
                         distance < candidate.size() &&
                         2 * distance <= std::max(mine.size(), theirs.size());
    if (is_near && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace transpire
