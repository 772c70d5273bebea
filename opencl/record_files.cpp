#include "opencl/record_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace transpire::opencl {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path) {
  throw std::runtime_error(fmt::format("cannot {} '{}': {}", what, path.string(), strerror(errno)));
}

class File {
 public:
  File(const fs::path& path, int flags)
      : path_(path), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("open", path);
  }
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Holds the lock until the file is closed.
  void lock() const {
    while (flock(descriptor_, LOCK_EX) != 0)
      if (errno != EINTR) fail("lock", path_);
  }

  std::string read_start() const {
    char text[32] = {};
    const ssize_t size = pread(descriptor_, text, sizeof text - 1, 0);
    if (size < 0) fail("read", path_);
    return {text, static_cast<std::size_t>(size)};
  }

  void write(std::span<const std::byte> bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t size =
          pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) fail("write", path_);
      done += static_cast<std::size_t>(size);
    }
  }

 private:
  const fs::path path_;
  const int descriptor_;
};

/// Every step is a bijection of the state, so the hashes of bytes that differ in one word differ.
std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t state, std::uint64_t factor) {
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    state = std::rotl(state ^ word, 29) * factor;
    bytes = bytes.subspan(size);
  }
  return state ^ state >> 32;
}

}  // namespace

unsigned long claim_number(const fs::path& folder) {
  const File counter(folder / ".next", O_RDWR | O_CREAT);
  counter.lock();
  const unsigned long number =
      std::max(1ul, std::strtoul(counter.read_start().c_str(), nullptr, 10));
  const std::string next = fmt::format("{:020}\n", number + 1);  // constant length
  counter.write(std::as_bytes(std::span(next)));
  return number;
}

std::string file_word(const std::string& name) {
  constexpr std::size_t kLongest = 64;
  std::string word = name.substr(0, kLongest);
  for (char& c : word) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-') c = '_';
  }
  return word.empty() ? "kernel" : word;
}

void write_bytes(const fs::path& path, std::span<const std::byte> bytes) {
  File(path, O_WRONLY | O_CREAT | O_TRUNC).write(bytes);
}

void write_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  static std::atomic<unsigned> serial{0};  // distinguishes threads of a process
  const fs::path beside = path.parent_path() / fmt::format(".{}.{}", getpid(), ++serial);
  write_bytes(beside, bytes);
  std::error_code error;
  fs::rename(beside, path, error);
  errno = error.value();
  if (error) fail("write", path);
}

std::string content_hash(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}{:016x}", hash(bytes, bytes.size(), 0x9e3779b97f4a7c15),
                     hash(bytes, ~bytes.size(), 0xbf58476d1ce4e5b9));
}

}  // namespace transpire::opencl
