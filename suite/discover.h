// Which launch descriptions a suite is made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::suite {

/// The files that are named, and all that describe a launch in the folders that are named and below: .launch, .sim,
/// .json with the shape of one, .cl and .spvasm with launch lines. Folders whose name begins with a dot are left out, as are
/// links to folders. In order of their names, each file once. Fails with C0001 and C0020.
Result<std::vector<std::string>> find_tests(const std::vector<std::string>& paths);

/// Whether a name has the pattern in it; a pattern with a '*' or '?' is for the whole name, as shells match names, but '/'
/// is a character like others.
bool matches(std::string_view name, std::string_view pattern);

/// One of several parts of a suite, each as large as the others but for one test.
struct Shard {
  std::size_t index = 1, count = 1;  ///< 1 to count
};

/// "2/5". Fails with C0020.
Result<Shard> parse_shard(std::string_view text);
std::vector<std::string> part_of(const std::vector<std::string>& tests, const Shard& shard);

}  // namespace transpire::suite
