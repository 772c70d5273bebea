// What somebody may have meant by a word that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace transpire {

/// The candidate that is spelled most like the word, letter case aside; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace transpire
