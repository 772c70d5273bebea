#include "compiler/files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/environment.h"
#include "base/input_file.h"
#include "compiler/folder_removal.h"

namespace transpire::compiler {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

}  // namespace

Diagnostic time_is_over(std::string_view doing) {
  return make_diagnostic(Rule::kL0002, fmt::format("the time limit was reached while {}", doing));
}

Result<std::vector<std::byte>> read_file(const std::string& path, const WorkLimit& limit,
                                         std::uint64_t max_bytes) {
  auto bytes = read_whole_file(path, {limit, max_bytes});
  if (bytes) return bytes;
  Diagnostics errors = bytes.errors();
  for (Diagnostic& error : errors) error.input = path;
  return errors;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = std::filesystem::temp_directory_path(error).string();
  if (error) pattern = "/tmp";
  pattern += "/transpire-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) return;
  path_ = pattern;
  removal_ = std::make_unique<FolderRemoval>(path_.c_str());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (ok()) std::filesystem::remove_all(path_, ignored);
}

std::string program_identity(const std::string& program) {
  const auto identity_of = [](const std::filesystem::path& file) -> std::string {
    struct stat found {};
    if (access(file.c_str(), X_OK) != 0 || stat(file.c_str(), &found) != 0 ||
        !S_ISREG(found.st_mode))
      return {};
    return fmt::format("{} {} {}.{}", file.string(), found.st_size, found.st_mtim.tv_sec,
                       found.st_mtim.tv_nsec);
  };
  if (program.find('/') != program.npos) return identity_of(program);
  const std::string path = environment_variable("PATH");
  std::string_view folders = path;
  while (!folders.empty()) {
    const std::size_t colon = std::min(folders.find(':'), folders.size());
    const std::filesystem::path file = std::filesystem::path(folders.substr(0, colon)) / program;
    folders.remove_prefix(std::min(colon + 1, folders.size()));
    if (std::string identity = identity_of(file); !identity.empty()) return identity;
  }
  return {};
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbxe"));
  if (file == nullptr) return false;
  return std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
         std::fflush(file.get()) == 0;
}

}  // namespace transpire::compiler
