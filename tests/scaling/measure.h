// How long a stage takes for a module, and how much memory, found out in a process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace transpire::scaling {

enum class Stage { kLoad, kValidate, kLower };

struct Task {
  Stage stage = Stage::kLoad;
  std::string isa;       ///< kLower: of the handlers
  bool optimise = true;  ///< kLower
};

struct Measured {
  double seconds = 0;       ///< of processor time
  std::uint64_t bytes = 0;  ///< the process's largest resident set, the module's words included
  std::string rule;         ///< of the first error that ended the stage; empty: it ended well
  bool died = false;        ///< the process did not answer
};

/// Every stage; lowering for this machine's widest instruction set, or for every one.
std::vector<Task> tasks(bool every_isa);
std::string spell(const Task& task);

/// Runs the stage once. Each process is new, so that small modules meet cold caches and memory that
/// was never touched, as large ones do whose time cannot be repeated.
Measured measure(const Task& task, const std::vector<std::uint32_t>& words);

}  // namespace transpire::scaling
