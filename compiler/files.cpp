#include "compiler/files.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/environment.h"
#include "base/missing_file.h"

namespace transpire::compiler {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

Diagnostic cannot_read(const std::string& path, int error) {
  Diagnostic diagnostic = make_diagnostic(
      Rule::kC0001, fmt::format("cannot read '{}': {}", path, std::strerror(error)));
  diagnostic.input = path;
  diagnostic.help = missing_file_help(path, error);
  return diagnostic;
}

/// Whether there is something to read, or the end of it; false when the limit is reached first.
bool wait_for_bytes(int descriptor, const WorkLimit& limit) {
  if (!limit.limited()) return true;
  constexpr int kMillisecondsBetweenLooks = 5;
  for (pollfd wanted{descriptor, POLLIN, 0}; !limit.spent();)
    if (poll(&wanted, 1, kMillisecondsBetweenLooks) != 0) return true;
  return false;
}

enum class ReadEnd { kEnd, kError, kTime, kSize };

/// Appends what there is to `bytes`.
template <class Bytes>
ReadEnd read_all(int descriptor, const WorkLimit& limit, std::uint64_t max_bytes, Bytes& bytes) {
  using Byte = typename Bytes::value_type;
  std::vector<Byte> block(std::size_t{1} << 16);
  for (;;) {
    if (!wait_for_bytes(descriptor, limit)) return ReadEnd::kTime;
    const ssize_t size = read(descriptor, block.data(), block.size());
    if (size == 0) return ReadEnd::kEnd;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ReadEnd::kError;
    const auto count = static_cast<std::size_t>(size);
    if (count > max_bytes || bytes.size() > max_bytes - count) return ReadEnd::kSize;
    bytes.insert(bytes.end(), block.begin(), block.begin() + size);
  }
}

}  // namespace

Diagnostic time_is_over(std::string_view doing) {
  return make_diagnostic(Rule::kL0002, fmt::format("the time limit was reached while {}", doing));
}

Result<std::vector<std::byte>> read_file(const std::string& path, const WorkLimit& limit,
                                         std::uint64_t max_bytes) {
  const std::unique_ptr<std::FILE, Close> file(path == "-" ? stdin
                                                           : std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return cannot_read(path, errno);
  std::vector<std::byte> bytes;
  Diagnostic error;
  switch (read_all(fileno(file.get()), limit, max_bytes, bytes)) {
    case ReadEnd::kEnd:
      return bytes;
    case ReadEnd::kError:
      return cannot_read(path, errno);
    case ReadEnd::kTime:
      error = time_is_over(fmt::format("'{}' was read", path));
      break;
    case ReadEnd::kSize:
      error = make_diagnostic(
          Rule::kL0004, fmt::format("'{}' has more bytes than the limit of {}", path, max_bytes));
      break;
  }
  error.input = path;
  return error;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = std::filesystem::temp_directory_path(error).string();
  if (error) pattern = "/tmp";
  pattern += "/transpire-XXXXXX";
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
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
