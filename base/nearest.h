// Finds the known word that an unknown word is probably a misspelling of.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transpire {

/// The candidate with the fewest edits from the word, ignoring letter case. Empty if all need more than `most_edits`
/// edits, by default a third of the word's length plus one, or if more than half of the letters differ. Letters in a shared
/// beginning that ends in a hyphen ("--", "TSP-") and in a shared extension (".cl") do not count.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates,
                    std::optional<std::size_t> most_edits = std::nullopt);

}  // namespace transpire
