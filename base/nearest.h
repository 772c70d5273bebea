// What somebody may have meant by a word that nobody knows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transpire {

/// The candidate that is spelled most like the word, letter case aside; empty when none is near: `most_edits` letters
/// differ, or a third of the word and one.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates,
                    std::optional<std::size_t> most_edits = std::nullopt);

}  // namespace transpire
