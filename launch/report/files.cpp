#include "launch/report/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

constexpr int kWaitMilliseconds = 5;
constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 20;

/// A file for writing. The destructor closes it.
class OutputFile {
 public:
  OutputFile(const std::string& path, const StepLimit& limit) : path_(path), limit_(limit) {}
  OutputFile(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// Opens the file. Waits until a FIFO has a reader.
  Status open() {
    for (;;) {
      descriptor_ =
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return Unit{};
      if (errno != EINTR && (errno != ENXIO || !is_fifo())) return unwritable();
      if (const Status may = wait(nullptr, 0); !may) return may;
    }
  }

  Status write(std::span<const std::byte> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      if (const WorkLimit::End why = limit_.end(); why != WorkLimit::End::kNone) return ended(why);
      const ssize_t size =
          ::write(descriptor_, bytes.data() + done, std::min(bytes.size() - done, kWrittenAtOnce));
      if (size >= 0) {
        done += static_cast<std::size_t>(size);
        continue;
      }
      if (errno != EAGAIN && errno != EINTR) return unwritable();
      pollfd wanted{descriptor_, POLLOUT, 0};
      if (const Status may = wait(&wanted, 1); !may) return may;
    }
    return Unit{};
  }

  /// Closes the file and reports errors of earlier writes.
  Status finish() {
    const int closed = ::close(std::exchange(descriptor_, -1));
    return closed == 0 ? Status(Unit{}) : unwritable();
  }

 private:
  bool is_fifo() const {
    struct stat found {};
    const int error = errno;
    const bool is_one = stat(path_.c_str(), &found) == 0 && S_ISFIFO(found.st_mode);
    errno = error;
    return is_one;
  }
  Status wait(pollfd* wanted, nfds_t count) {
    poll(wanted, count, kWaitMilliseconds);
    if (const WorkLimit::End why = limit_.end(); why != WorkLimit::End::kNone) return ended(why);
    return Unit{};
  }
  Status ended(WorkLimit::End why) const {
    return limit_reached(why, fmt::format("'{}' was written", path_));
  }
  Status unwritable() const {
    return command_error(kFileUnwritable,
                         fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  }

  const std::string& path_;
  const StepLimit& limit_;
  int descriptor_ = -1;
};

}  // namespace

Result<std::vector<std::byte>> read_file(const std::string& path, const ReadLimit& limit) {
  if (!is_read_once(path)) return read_whole_file(path, limit);
  // The module and its launch lines are read one after the other, from the same path.
  static std::mutex mutex;
  static std::map<std::string, Result<std::vector<std::byte>>> kept;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(path); found != kept.end()) {
    const Result<std::vector<std::byte>>& bytes = found->second;
    if (!bytes || bytes->size() <= limit.max_bytes) return bytes;
    return file_too_large(path, limit.max_bytes);
  }
  return kept.emplace(path, read_whole_file(path, limit)).first->second;
}

Status write_file(const std::string& path, std::span<const std::byte> bytes, const StepLimit& limit,
                  std::span<const std::byte> behind) {
  OutputFile file(path, limit);
  if (const Status opened = file.open(); !opened) return opened;
  for (const std::span<const std::byte> part : {bytes, behind})
    if (const Status written = file.write(part); !written) return written;
  return file.finish();
}

}  // namespace transpire::launch
