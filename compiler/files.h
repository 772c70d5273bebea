// Reading whole files, and running the programs that turn OpenCL C into SPIR-V.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/work_limit.h"

namespace transpire::compiler {

/// The bytes of a file; "-" is standard input. Errors: C0001, L0002, and L0004 for more than
/// `max_bytes`.
Result<std::vector<std::byte>> read_file(const std::string& path, const WorkLimit& limit = {},
                                         std::uint64_t max_bytes = ~std::uint64_t{0});

/// A folder of its own under TMPDIR, removed with all that is in it.
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
};

/// How a program that was run ended.
struct ProcessEnd {
  bool started = false;      ///< false: there is no such program
  int exit_code = -1;        ///< negative: the signal that killed it
  bool out_of_time = false;  ///< the limit was reached: the program was killed
  std::string output;        ///< standard output and standard error together
};

/// Runs a program found by PATH with these arguments, without a shell, and waits for its end. Beyond
/// the limit it is killed.
ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments,
                       const WorkLimit& limit = {});

/// L0002: "the time limit was reached while ..."
Diagnostic time_is_over(std::string_view doing);

/// Where PATH has the program, its size and its time: differs when it was replaced. Empty when
/// there is no such program.
std::string program_identity(const std::string& program);

/// Writes a new file, and folders that its path lacks. Whether that worked.
bool write_file(const std::string& path, std::string_view bytes);

}  // namespace transpire::compiler
