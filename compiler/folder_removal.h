// FolderRemoval: removes a temporary folder when a signal ends the process while the folder is there.
//
// A program that handles the signal and lives on keeps the folder: its handler is called first, and only a signal that it lets
// end the process removes anything. What is written there by programs that were started stays out: the folder is gone.
#pragma once

namespace transpire::compiler {

class FolderRemoval {
 public:
  /// `path` outlives it. Beyond 64 folders at once, nothing is done for the others.
  explicit FolderRemoval(const char* path);
  ~FolderRemoval();
  FolderRemoval(const FolderRemoval&) = delete;
  FolderRemoval& operator=(const FolderRemoval&) = delete;

 private:
  const char* path_;
};

}  // namespace transpire::compiler
