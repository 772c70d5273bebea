// Files that the launch language reads and writes: see value_maker.cpp, load_plan.cpp and output_files.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "launch/report/step_limit.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// Largest text file in bytes: launch files, suppressions. Their lines stay in memory.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 30;

/// Limits for text files that a command reads before it has its settings. They come from --timeout and --max-memory.
inline ReadLimit text_limit(const WorkLimit& time = {}, std::uint64_t max_bytes = kMostTextBytes) {
  return {time, max_bytes < kMostTextBytes ? max_bytes : kMostTextBytes};
}

/// Reads a file. The bytes of one that can be read once (is_read_once()) are kept, so that it may be read again. Fails with C0001, L0002, and L0004
/// beyond the limit of bytes.
Result<std::vector<std::byte>> read_file(const std::string& path,
                                         const ReadLimit& limit = {{}, Limits{}.max_memory_bytes});
/// A file that a command line names. It is read once, when its bytes are first asked for.
class Input {
 public:
  explicit Input(std::string path, const ReadLimit& limit = text_limit())
      : path_(std::move(path)), limit_(limit) {}
  const std::string& path() const { return path_; }
  const Result<std::vector<std::byte>>& bytes() {
    if (!bytes_) bytes_.emplace(read_file(path_, limit_));
    return *bytes_;
  }

 private:
  std::string path_;
  ReadLimit limit_;
  std::optional<Result<std::vector<std::byte>>> bytes_;
};

/// Reads a file that is a text.
inline Result<std::vector<std::byte>> read_text_file(const std::string& path,
                                                     const ReadLimit& limit = text_limit()) {
  return read_file(path, limit);
}

/// Writes `bytes` and then `behind` to a file. Waits until a FIFO has a reader. Fails with C0024, L0002 and L0008.
Status write_file(const std::string& path, std::span<const std::byte> bytes,
                  const StepLimit& limit = {}, std::span<const std::byte> behind = {});

}  // namespace transpire::launch
