// InputFile: reads files, FIFOs, devices and standard input within a limit of time.
//
// Opening never blocks. Reading may wait for the writer of a FIFO, but only until the time limit. The caller's limit of
// bytes ends the reading of endless devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"

namespace transpire {

/// Limits of a read: bytes and time.
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

  /// Size of a regular file in bytes; 0 for other files, whose size is not known before they are read.
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Reads until `to` is full or the file ends, and returns the number of bytes. Fails with C0001, and with L0002 (time) or
  /// L0008 (cancelled) at the limit.
  Result<std::size_t> read(std::span<std::byte> to, const WorkLimit& limit);
  /// Reads to the end of the file. Fails as read() does, and with L0004 beyond the limit of bytes.
  Result<std::vector<std::byte>> read_rest(const ReadLimit& limit);
  /// The diagnostic L0004: the file has more bytes than the limit.
  Diagnostic too_large(std::uint64_t max_bytes) const;

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Diagnostic unreadable(int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

/// True for standard input ("-"), FIFOs and devices: who needs the bytes again has to keep them.
bool is_read_once(const std::string& path);

/// The diagnostic L0004: the file has more bytes than the limit.
Diagnostic file_too_large(const std::string& path, std::uint64_t max_bytes);

/// Reads a whole file. Fails as open() and read_rest() do.
Result<std::vector<std::byte>> read_whole_file(const std::string& path, const ReadLimit& limit);

/// The diagnostic for work that a limit ended: L0002 (time) or L0008 (cancelled). `doing` completes "while": "'x.cl' was
/// read".
Diagnostic limit_reached(WorkLimit::End why, std::string_view doing);

}  // namespace transpire
