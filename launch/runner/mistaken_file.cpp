// Finds files with headers: see the header.
#include "launch/runner/mistaken_file.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

using namespace std::string_view_literals;

struct Form {
  std::string_view start;  ///< the first bytes of every such file
  std::string_view end;    ///< ending of the files' names
  std::string_view what;
  std::string_view help;  ///< with a place for the file's name
};

constexpr std::array kForms{
    Form{"\x93NUMPY"sv, ".npy", "a NumPy array", "'npy:{}' reads its numbers"},
    Form{"PK\x03\x04"sv, ".npz", "an archive, as of NumPy arrays",
         "take the array out of '{}', with numpy.save, and read that with 'npy:'"},
    Form{"\x89PNG\r\n\x1a\n"sv, ".png", "a picture",
         "'image 2d RGBA UNORM_INT8 file:{}' reads its pixels"},
};

std::string first_bytes(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::array<char, 8> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(file.gcount())};
}

}  // namespace

std::optional<Diagnostic> mistaken_file(const ValueSpec& value) {
  if (value.maker != ValueSpec::Maker::kFile) return std::nullopt;
  const std::string start = first_bytes(value.file);
  for (const Form& form : kForms) {
    if (!start.starts_with(form.start)) continue;
    if (value.raw_bytes && !value.file.ends_with(form.end)) continue;
    return command_error(
        "TSP-C0045",
        fmt::format("'{}' is {}: 'file:' takes its header for data", value.file, form.what),
        fmt::format(fmt::runtime(form.help), value.file));
  }
  return std::nullopt;
}

}  // namespace transpire::launch
