// The launch descriptions of a suite.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::suite {

/// The named files, and all files that describe a launch in the named folders and below: .launch,
/// .sim, .json with the shape of one, .cl and .spvasm with launch lines. Folders whose name begins
/// with a dot are left out, as are links to folders. Sorted by name, each file once. Fails with
/// C0001 and C0020.
Result<std::vector<std::string>> find_tests(const std::vector<std::string>& paths);

/// True if the name contains the pattern. A pattern with a '*' or '?' must match the whole name, as
/// in a shell, but '/' is an ordinary character.
bool matches(std::string_view name, std::string_view pattern);

/// One of several parts of a suite, whose sizes differ by one test at most.
struct Shard {
  std::size_t index = 1, count = 1;  ///< index: from 1 to count
};

/// "2/5". Fails with C0020.
Result<Shard> parse_shard(std::string_view text);
std::vector<std::string> part_of(const std::vector<std::string>& tests, const Shard& shard);

}  // namespace transpire::suite
