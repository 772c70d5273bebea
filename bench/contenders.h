// The contenders of the comparison, and how each is started: as a worker process of its own, on one
// thread or on all.
#pragma once

#include <string>
#include <vector>

#include "bench/case.h"
#include "bench/runner.h"

namespace transpire::bench {

struct Contender {
  std::string label;  // unique; e.g. "pocl" or "pocl/all"; "tsp" is Transpire
  RunnerOptions runner;
  Size size = Size::kFull;
  std::vector<std::string> launcher;  // put before the worker's command

  /// One-thread contenders are compared by CPU time, the others by wall time.
  bool uses_wall_time() const { return runner.threads == 0; }
};

/// Labels that the report refers to.
inline constexpr const char* kNative = "native";
inline constexpr const char* kTranspireAll = "tsp/all";
inline constexpr const char* kTranspireSmall = "tsp/small";
inline constexpr const char* kPocl = "pocl";
inline constexpr const char* kPoclAll = "pocl/all";
inline constexpr const char* kGlsl = "glsl";
inline constexpr const char* kLavapipe = "lavapipe";
inline constexpr const char* kOclgrind = "oclgrind/small";

/// The label of Transpire on one thread, forced to `isa`.
std::string TranspireLabel(const std::string& isa);

/// Everyone that was built in. Oclgrind is a thousand times slower than the others and therefore
/// runs the small size, as does Transpire once more, for that comparison. `size` is the others'.
std::vector<Contender> Contenders(Size size, bool with_oclgrind);

}  // namespace transpire::bench
