// posix_spawn and two pipes. All pipe ends are close-on-exec, so that a sibling never holds one.
// Reading waits with a time limit; writing does not, as a line always fits into the pipe.
#include "bench/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace transpire::bench {
Child::Child(std::vector<std::string> arguments) {
  int to_child[2];
  int from_child[2];
  if (pipe2(to_child, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  if (pipe2(from_child, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const int code = posix_spawnp(&pid_, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to_child[0]);
  close(from_child[1]);
  input_ = to_child[1];
  output_ = from_child[0];
  if (code == 0) return;
  close(input_);
  close(output_);
  throw std::runtime_error("cannot start '" + arguments[0] + "': " + std::strerror(code));
}

Child::~Child() {
  close(input_);
  if (given_up_) kill(pid_, SIGKILL);
  close(output_);
  waitpid(pid_, nullptr, 0);
}

bool Child::WriteLine(const std::string& line) {
  const std::string text = line + "\n";
  return write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<std::string> Child::ReadLine(int timeout_seconds) {
  for (;;) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    pollfd waiting{output_, POLLIN, 0};
    given_up_ = poll(&waiting, 1, timeout_seconds * 1000) == 0;
    if (given_up_) return std::nullopt;
    char chunk[4096];
    const ssize_t count = read(output_, chunk, sizeof(chunk));
    if (count <= 0) return std::nullopt;
    pending_.append(chunk, static_cast<std::size_t>(count));
  }
}

}  // namespace transpire::bench
