#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

namespace transpire {
namespace {

/// Both ends are closed with it.
class Pipe {
 public:
  Pipe() : ok_(pipe2(ends_.data(), O_CLOEXEC) == 0) {}
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return ok_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ok_ && ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
  bool ok_ = false;
};

/// Null-terminated pointers into strings, as exec() wants them.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::string> all;
  for (const auto& [name, value] : set) all.emplace_back(name).append("=").append(value);
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry = *each;
    bool replaced = false;
    for (const auto& [name, value] : set) replaced |= entry.substr(0, entry.find('=')) == name;
    if (!replaced) all.emplace_back(entry);
  }
  return all;
}

/// Standard input is empty. Returns an error number.
int spawn(pid_t& child, std::vector<std::string> words, const ProcessOptions& options,
          const Pipe& output, const Pipe& errors) {
  std::vector<std::string> environment = environment_with(options.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, (options.together ? output : errors).writer(),
                                   STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (options.own_group) {
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  const std::vector<char*> arguments = pointers_to(words);
  const int error = posix_spawnp(&child, words[0].c_str(), &actions, &attributes, arguments.data(),
                                 pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Appends available bytes; returns false at the end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, std::size_t{1} << 16> block;
  const ssize_t size = read(descriptor, block.data(), block.size());
  if (size < 0) return errno == EINTR;
  text.append(block.data(), static_cast<std::size_t>(size));
  return size != 0;
}

/// Collects the output of a program until it closes its pipes.
class Collector {
 public:
  Collector(const Pipe& output, const Pipe& errors, const ProcessOptions& options, ProcessEnd& end)
      : options_(options), end_(end) {
    wanted_[0] = {output.reader(), POLLIN, 0};
    wanted_[1] = {options.together ? -1 : errors.reader(), POLLIN, 0};
  }

  /// Returns true when all writers have closed the pipes; false if the limit is reached before, or
  /// the output is too long.
  bool collect(const WorkLimit& limit) {
    constexpr int kMillisecondsBetweenLooks = 5;
    while (wanted_[0].fd >= 0 || wanted_[1].fd >= 0) {
      if (limit.spent()) return false;
      if (poll(wanted_.data(), wanted_.size(), limit.limited() ? kMillisecondsBetweenLooks : -1) <=
          0)
        continue;
      for (std::size_t i = 0; i < wanted_.size(); ++i)
        if (wanted_[i].fd >= 0 && wanted_[i].revents != 0 &&
            !read_some(wanted_[i].fd, i == 0 ? end_.output : end_.errors))
          wanted_[i].fd = -1;
      end_.too_long = end_.output.size() + end_.errors.size() > options_.max_bytes;
      if (end_.too_long) return false;
    }
    return true;
  }

 private:
  const ProcessOptions& options_;
  ProcessEnd& end_;
  std::array<pollfd, 2> wanted_{};
};

}  // namespace

ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments,
                       const ProcessOptions& options) {
  ProcessEnd end;
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Pipe output;
  Pipe errors;
  if (!output.ok() || !errors.ok()) return end;
  pid_t child = 0;
  end.started = spawn(child, std::move(words), options, output, errors) == 0;
  if (!end.started) return end;
  output.close_writer();
  errors.close_writer();
  Collector collector(output, errors, options, end);
  if (!collector.collect(options.limit)) {
    const pid_t whom = options.own_group ? -child : child;
    if (!end.too_long) end.limit = options.limit.end();
    const bool asked = !end.too_long && options.grace_seconds > 0 && kill(whom, SIGTERM) == 0;
    if (!asked || !collector.collect(WorkLimit::after(options.grace_seconds))) kill(whom, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return end;
}

}  // namespace transpire
