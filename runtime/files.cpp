#include "runtime/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

extern char** environ;

namespace transpire::runtime {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

Diagnostic cannot_read(const std::string& path, int error) {
  Diagnostic diagnostic = make_diagnostic(
      Rule::kC0001, fmt::format("cannot read '{}': {}", path, std::strerror(error)));
  diagnostic.input = path;
  return diagnostic;
}

std::string read_all(int descriptor) {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t size = read(descriptor, block, sizeof block);
    if (size > 0)
      text.append(block, static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
      return text;
  }
}

/// Standard input from nowhere, both outputs into the pipe.
int spawn(pid_t& child, const std::string& program, char* const* arguments,
          const int pipe_ends[2]) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, Close> file(path == "-" ? stdin
                                                           : std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return cannot_read(path, errno);
  std::vector<std::byte> bytes;
  std::byte block[16384];
  while (const std::size_t size = std::fread(block, 1, sizeof block, file.get()))
    bytes.insert(bytes.end(), block, block + size);
  if (std::ferror(file.get()) != 0) return cannot_read(path, errno);
  return bytes;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = std::filesystem::temp_directory_path(error).string();
  if (error) pattern = "/tmp";
  pattern += "/transpire-XXXXXX";
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (ok()) std::filesystem::remove_all(path_, ignored);
}

ProcessEnd run_process(const std::string& program, const std::vector<std::string>& arguments) {
  ProcessEnd end;
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return end;
  pid_t child = 0;
  const int error = spawn(child, program, pointers.data(), pipe_ends);
  close(pipe_ends[1]);
  end.started = error == 0;
  if (end.started) {
    end.output = read_all(pipe_ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  close(pipe_ends[0]);
  return end;
}

std::string program_identity(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = std::min(folders.find(':'), folders.size());
    const std::filesystem::path file = std::filesystem::path(folders.substr(0, colon)) / program;
    folders.remove_prefix(std::min(colon + 1, folders.size()));
    struct stat found {};
    if (access(file.c_str(), X_OK) != 0 || stat(file.c_str(), &found) != 0 ||
        !S_ISREG(found.st_mode))
      continue;
    return fmt::format("{} {} {}", file.string(), found.st_size, found.st_mtim.tv_sec);
  }
  return {};
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbxe"));
  if (file == nullptr) return false;
  return std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
         std::fflush(file.get()) == 0;
}

}  // namespace transpire::runtime
