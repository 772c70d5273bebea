#include "suite/discover.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "launch/language/launch_plan.h"
#include "launch/language/number.h"
#include "launch/report/diagnose.h"

namespace transpire::suite {
namespace {

namespace fs = std::filesystem;
using launch::command_error;

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// True if a JSON text is a launch description, not other JSON that projects have.
bool has_launch_shape(std::string_view text) {
  const auto json = Json::try_parse(text);
  return json && json->contains("modules") && json->contains("steps");
}

bool describes_launch(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".launch" || extension == ".sim" || extension == ".amber" || extension == ".tcf")
    return true;
  const std::string_view marker = launch::launch_marker(path.native());
  if (marker.empty() && extension != ".json") return false;
  const auto bytes = launch::read_file(path.string());
  if (!bytes) return false;
  if (marker.empty()) return has_launch_shape(text_of(*bytes));
  return launch::embedded_launch_text(text_of(*bytes), marker).has_value();
}

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 1 && name[0] == '.' && name != "..";
}

/// Adds the tests in a folder and below it.
Status add_folder(const fs::path& folder, std::vector<std::string>& tests) {
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->is_directory(error) && is_hidden(entries->path()))
      entries.disable_recursion_pending();
    else if (entries->is_regular_file(error) && describes_launch(entries->path()))
      tests.push_back(entries->path().lexically_normal().string());
  }
  if (error)
    return command_error(launch::kFileUnreadable, fmt::format("cannot read the folder '{}': {}",
                                                              folder.string(), error.message()));
  return Unit{};
}

}  // namespace

Result<std::vector<std::string>> find_tests(const std::vector<std::string>& paths) {
  std::vector<std::string> tests;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error))
      return command_error(launch::kFileUnreadable,
                           fmt::format("cannot read '{}': there is no such file or folder", path));
    if (!fs::is_directory(path, error))
      tests.push_back(fs::path(path).lexically_normal().string());
    else if (const Status added = add_folder(path, tests); !added)
      return added.errors();
  }
  std::ranges::sort(tests);
  std::set<fs::path> seen;
  std::erase_if(tests, [&seen](const std::string& test) {
    std::error_code error;
    const fs::path file = fs::canonical(test, error);
    return !error && !seen.insert(file).second;
  });
  if (tests.empty())
    return command_error(launch::kBadCommandLine,
                         fmt::format("nothing in {} describes a launch", launch::listed(paths)),
                         "launch files end in .launch, .json or .sim; sources have launch lines, "
                         "'//!' in OpenCL C and ';!' in assembly");
  return tests;
}

bool matches(std::string_view name, std::string_view pattern) {
  const bool plain = pattern.find_first_of("*?") == pattern.npos;
  if (plain) return name.find(pattern) != name.npos;
  return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), FNM_NOESCAPE) == 0;
}

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = launch::parse_count(text.substr(0, slash), "shard");
  const auto count =
      launch::parse_count(text.substr(std::min(slash + 1, text.size())), "number of shards");
  if (!index || !count || *index == 0 || *index > *count)
    return command_error(launch::kBadCommandLine, fmt::format("'{}' is no shard", text),
                         "write '2/5' for the second of five");
  return Shard{static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)};
}

std::vector<std::string> part_of(const std::vector<std::string>& tests, const Shard& shard) {
  std::vector<std::string> part;
  for (std::size_t i = shard.index - 1; i < tests.size(); i += shard.count)
    part.push_back(tests[i]);
  return part;
}

}  // namespace transpire::suite
