#include "compiler/folder_removal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <mutex>

namespace transpire::compiler {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/// A program that still runs may write a file into a folder that is being removed.
constexpr int kAttempts = 4;
/// Depth of nested folders.
constexpr int kDeepest = 4;

// A signal handler can use only these. Slots hold the existing folders.
std::atomic<const char*> folders[64];
struct sigaction before[std::size(kSignals)];
std::mutex mutex;
std::size_t count = 0;  ///< number of folders; the mutex guards it

/// A folder's entry as the operating system's kernel gives it (getdents64).
struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[1];
};

/// Removes the content of a folder by system calls alone, because a handler may call nothing else.
void remove_files(int folder, int depth) {
  alignas(Entry) char buffer[4096];
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      std::uint16_t bytes = 0;
      std::memcpy(&bytes, buffer + at + offsetof(Entry, bytes), sizeof bytes);
      const char* const name = buffer + at + offsetof(Entry, name);
      at += bytes;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      if (unlinkat(folder, name, 0) == 0 || depth == 0) continue;
      const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      remove_files(inner, depth - 1);
      close(inner);
      unlinkat(folder, name, AT_REMOVEDIR);
    }
  }
}

void remove_folder(const char* path) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    remove_files(folder, kDeepest);
    close(folder);
    if (rmdir(path) == 0) return;
  }
}

bool is_pending(int number) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

extern "C" void remove_and_end(int number) {
  const auto* const known = std::find(std::begin(kSignals), std::end(kSignals), number);
  const auto handler = before[known - std::begin(kSignals)].sa_handler;
  if (handler != SIG_DFL) {
    handler(number);
    // It raised the signal anew, so the process ends as soon as this one returns.
    if (!is_pending(number)) return;
  }
  for (const auto& folder : folders)
    if (const char* const path = folder.load()) remove_folder(path);
  if (handler != SIG_DFL) return;
  std::signal(number, SIG_DFL);
  std::raise(number);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == remove_and_end;
}

void handle_signals() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    if (sigaction(kSignals[i], nullptr, &before[i]) != 0 || is_ours(before[i])) continue;
    if ((before[i].sa_flags & SA_SIGINFO) != 0 || before[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = before[i];
    action.sa_handler = remove_and_end;
    sigaction(kSignals[i], &action, nullptr);
  }
}

/// A handler that was installed meanwhile stays.
void leave_signals() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    struct sigaction now {};
    if (sigaction(kSignals[i], nullptr, &now) == 0 && is_ours(now))
      sigaction(kSignals[i], &before[i], nullptr);
  }
}

}  // namespace

FolderRemoval::FolderRemoval(const char* path) : path_(path) {
  const std::lock_guard lock(mutex);
  for (auto& folder : folders) {
    const char* none = nullptr;
    if (folder.compare_exchange_strong(none, path)) break;
  }
  if (count++ == 0) handle_signals();
}

FolderRemoval::~FolderRemoval() {
  const std::lock_guard lock(mutex);
  for (auto& folder : folders) {
    const char* mine = path_;
    if (folder.compare_exchange_strong(mine, nullptr)) break;
  }
  if (--count == 0) leave_signals();
}

}  // namespace transpire::compiler
