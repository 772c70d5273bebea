// InputFile: reads files, FIFOs, devices and standard input within a limit of time.
//
// Opening never waits: a FIFO that nobody writes is waited for in read(), where the limit counts. What has no end ends at the
// caller's limit of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"

namespace transpire {

/// How much may be read, and until when.
struct ReadLimit {
  WorkLimit time{};
  std::uint64_t max_bytes = ~std::uint64_t{0};
};

class InputFile {
 public:
  /// "-" is standard input. Fails with C0001.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  InputFile(const InputFile&) = delete;
  ~InputFile();

  /// Bytes of a regular file; 0 where nobody knows before it was read.
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Reads until `to` is full or the file ends, and gives the number of bytes. Fails with C0001, and with L0002 or L0008 at the
  /// limit.
  Result<std::size_t> read(std::span<std::byte> to, const WorkLimit& limit);
  /// All that is left. Fails with L0004 beyond the limit of bytes, as well.
  Result<std::vector<std::byte>> read_rest(const ReadLimit& limit);
  /// L0004: the file has more bytes than the limit.
  Diagnostic too_large(std::uint64_t max_bytes) const;

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Diagnostic unreadable(int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

/// The bytes of a file. Errors as those of read_rest().
Result<std::vector<std::byte>> read_whole_file(const std::string& path, const ReadLimit& limit);

/// Why work of this name ended: L0002, or L0008 where somebody wanted it. "'x.cl' was read"
Diagnostic limit_reached(WorkLimit::End why, std::string_view doing);

}  // namespace transpire
