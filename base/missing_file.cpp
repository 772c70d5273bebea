#include "base/missing_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/nearest.h"

namespace transpire {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 4096;  // a folder may have any number

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (names.size() == kMostNames) break;
    names.push_back(at->path().filename().string());
  }
  return names;
}

}  // namespace

std::string missing_file_help(const std::string& path, int error) {
  if (error == EISDIR) return "that is a folder: name a file in it";
  if (error != ENOENT || path.empty()) return {};
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fmt::format("there is no folder '{}'", folder.string());
  const std::string meant = nearest(wanted.filename().string(), names_in(folder));
  if (!meant.empty())
    return fmt::format("did you mean '{}'?",
                       wanted.has_parent_path() ? (folder / meant).string() : meant);
  if (wanted.is_absolute()) return fmt::format("'{}' has no such file", folder.string());
  return "names of files are taken from the current folder";
}

}  // namespace transpire
