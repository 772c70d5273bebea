#include "base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <utility>

#include "base/missing_file.h"

namespace transpire {
namespace {

/// Time between two looks at the limit.
constexpr int kWaitMilliseconds = 5;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// True if there is something to read, or the end of it; false when the limit is reached first. A FIFO that nobody has opened
/// for writing yet has neither.
bool wait_for_bytes(int descriptor, const WorkLimit& limit) {
  const int wait = limit.limited() ? kWaitMilliseconds : -1;
  for (pollfd wanted{descriptor, POLLIN, 0}; !limit.spent();) {
    const int ready = poll(&wanted, 1, wait);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  return false;
}

/// The bytes of all pieces, each of which goes as it was copied: there are never two copies of more than one piece.
std::vector<std::byte> joined(std::deque<std::vector<std::byte>> pieces, std::size_t size) {
  if (pieces.size() == 1) return std::move(pieces.front());
  std::vector<std::byte> all;
  all.reserve(size);
  for (; !pieces.empty(); pieces.pop_front())
    all.insert(all.end(), pieces.front().begin(), pieces.front().end());
  return all;
}

}  // namespace

bool is_read_once(const std::string& path) {
  struct stat found {};
  return path == "-" ||
         (stat(path.c_str(), &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISCHR(found.st_mode)));
}

Diagnostic limit_reached(WorkLimit::End why, std::string_view doing) {
  const bool cancelled = why == WorkLimit::End::kCancelled;
  Diagnostic error = make_diagnostic(
      cancelled ? Rule::kL0008 : Rule::kL0002,
      fmt::format("{} while {}",
                  cancelled ? "the run was interrupted" : "the time limit was reached", doing));
  error.severity = Severity::kError;  // in a launch that ends at its limit it is a note
  return error;
}

Result<InputFile> InputFile::open(const std::string& path) {
  if (path == "-") return InputFile(path, STDIN_FILENO);
  InputFile file(path, ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.descriptor_ < 0) return file.unreadable(errno);
  struct stat found {};
  if (fstat(file.descriptor_, &found) == 0 && S_ISREG(found.st_mode))
    file.size_bytes_ = static_cast<std::uint64_t>(found.st_size);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

InputFile::~InputFile() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

Diagnostic InputFile::unreadable(int error) const {
  Diagnostic diagnostic = make_diagnostic(
      Rule::kC0001, fmt::format("cannot read '{}': {}", path_, std::strerror(error)));
  diagnostic.help = missing_file_help(path_, error);
  return diagnostic;
}

Diagnostic file_too_large(const std::string& path, std::uint64_t max_bytes) {
  return make_diagnostic(Rule::kL0004,
                         fmt::format("'{}' has more bytes than the limit of {}", path, max_bytes));
}

Diagnostic InputFile::too_large(std::uint64_t max_bytes) const {
  return file_too_large(path_, max_bytes);
}

Result<std::size_t> InputFile::read(std::span<std::byte> to, const WorkLimit& limit) {
  std::size_t done = 0;
  while (done < to.size()) {
    if (!wait_for_bytes(descriptor_, limit))
      return limit_reached(limit.end(), fmt::format("'{}' was read", path_));
    const ssize_t size =
        ::read(descriptor_, to.data() + done, std::min(to.size() - done, kPieceBytes));
    if (size == 0) break;
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return unreadable(errno);
    done += static_cast<std::size_t>(size);
  }
  return done;
}

Result<std::vector<std::byte>> InputFile::read_rest(const ReadLimit& limit) {
  if (size_bytes_ > limit.max_bytes) return too_large(limit.max_bytes);
  std::deque<std::vector<std::byte>> pieces;
  std::size_t size = 0;
  // A byte more than a file has: its end is seen by the first piece.
  std::size_t next =
      size_bytes_ != 0 ? static_cast<std::size_t>(size_bytes_) + 1 : kPieceBytes / 16;
  for (;;) {
    std::vector<std::byte>& piece = pieces.emplace_back(next);
    TRANSPIRE_TRY(const std::size_t count, read(piece, limit.time));
    piece.resize(count);
    size += count;
    if (size > limit.max_bytes) return too_large(limit.max_bytes);
    if (count < next) break;
    next = kPieceBytes;
  }
  return joined(std::move(pieces), size);
}

Result<std::vector<std::byte>> read_whole_file(const std::string& path, const ReadLimit& limit) {
  TRANSPIRE_TRY(InputFile file, InputFile::open(path));
  return file.read_rest(limit);
}

}  // namespace transpire
