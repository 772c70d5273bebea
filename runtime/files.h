// Reading whole files, and running the programs that turn OpenCL C into SPIR-V.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transpire::runtime {

/// The bytes of a file; "-" is standard input. Errors: C0001.
Result<std::vector<std::byte>> read_file(const std::string& path);

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
  bool started = false;  ///< false: there is no such program
  int exit_code = -1;    ///< negative: the signal that killed it
  std::string output;    ///< standard output and standard error together
};

/// Runs a program found by PATH with these arguments, without a shell, and waits for its end.
ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments);

/// Where PATH has the program, its size and its time: differs when it was replaced. Empty when
/// there is no such program.
std::string program_identity(const std::string& program);

/// Writes a new file, and folders that its path lacks. Whether that worked.
bool write_file(const std::string& path, std::string_view bytes);

}  // namespace transpire::runtime
