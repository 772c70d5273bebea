// A child process that is talked to by lines: we write to its standard input and read its standard
// output; its standard error is ours.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace transpire::bench {

class Child {
 public:
  /// Starts `arguments`, the first of which is searched on the path. Throws std::runtime_error when
  /// it cannot be started.
  explicit Child(std::vector<std::string> arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Closes its input, which ends a worker, and waits; kills it if it was given up.
  ~Child();

  /// False when the child no longer listens.
  bool WriteLine(const std::string& line);

  /// The next line without its end, or nothing when the child has ended, or has been silent for
  /// `timeout_seconds`, after which it counts as given up.
  std::optional<std::string> ReadLine(int timeout_seconds);

 private:
  pid_t pid_ = -1;
  int input_ = -1;   // we write
  int output_ = -1;  // we read
  bool given_up_ = false;
  std::string pending_;
};

}  // namespace transpire::bench
