// Files: reading whole ones, temporary ones, and the identity of a program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"

namespace transpire::compiler {

/// The bytes of a file, a FIFO or a device; "-" is standard input. Errors: C0001, L0002, and L0004 for more than
/// `max_bytes`.
Result<std::vector<std::byte>> read_file(const std::string& path, const WorkLimit& limit = {},
                                         std::uint64_t max_bytes = ~std::uint64_t{0});

class FolderRemoval;

/// A new folder under TMPDIR, removed with its content at the end, also if a signal ends the
/// process.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  bool ok() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  std::unique_ptr<FolderRemoval> removal_;
};

/// L0002: "the time limit was reached while ..."
Diagnostic time_is_over(std::string_view doing);

/// The place of the program (found in PATH if its name is no path), its size and its time: differs
/// when it was replaced. Empty if there is no such program.
std::string program_identity(const std::string& program);

/// Writes a new file, and makes missing folders of its path. Returns true on success.
bool write_file(const std::string& path, std::string_view bytes);

}  // namespace transpire::compiler
