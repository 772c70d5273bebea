// FolderRemoval: removes a temporary folder when a signal ends the process while the folder is
// there.
//
// If the program handles the signal and lives on, the folder stays: the program's handler runs
// first, and only a signal that ends the process removes anything. Child processes that still run
// can no longer write into the removed folder.
#pragma once

namespace transpire::compiler {

class FolderRemoval {
 public:
  /// `path` must outlive it. Only 64 folders at once are removed.
  explicit FolderRemoval(const char* path);
  ~FolderRemoval();
  FolderRemoval(const FolderRemoval&) = delete;
  FolderRemoval& operator=(const FolderRemoval&) = delete;

 private:
  const char* path_;
};

}  // namespace transpire::compiler
