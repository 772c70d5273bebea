// Executes one case by some means: native code, an OpenCL platform, lavapipe, Transpire. A runner is set up
// once (compiled, buffers allocated) and then run many times. Failures are thrown as
// std::runtime_error, NotAvailable among them. Not thread-safe; a runner does not outlive its case.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/case.h"

namespace transpire::bench {

/// The means itself is missing on this machine or in this build, whatever the case.
class NotAvailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Runner {
 public:
  virtual ~Runner() = default;

  /// Gives the written buffers their initial contents. Not timed.
  virtual void Restore() = 0;
  /// Does all launches and waits for them. Timed.
  virtual void Run() = 0;
  /// The bytes of every written buffer, at its index; others may stay empty.
  virtual std::vector<std::vector<std::byte>> Results() = 0;
};

struct RunnerOptions {
  /// "native", "pocl", "oclgrind", "transpire", "glsl" (Transpire with shaders) or "lavapipe"
  std::string via;
  unsigned threads = 1;  ///< 0: all
  std::string isa;       ///< for Transpire: an instruction set's name, "" for the best
  std::string check{};   ///< for Transpire: a check's name in the launch language, "" for none
};

/// The instruction sets Transpire can be forced to here, best last; empty if it is not built in.
std::vector<std::string> TranspireIsas();

/// True if the OpenCL runner is built in.
bool HasOpenCl();

/// True if the Vulkan runner is built in.
bool HasVulkan();

/// Throws if `options.via` is unknown or not built in, or if set-up fails.
std::unique_ptr<Runner> MakeRunner(const BenchCase& bench, const RunnerOptions& options);

std::unique_ptr<Runner> MakeNativeRunner(const BenchCase& bench);
/// `platform` is a part of the platform's name. The number of threads holds for the whole process.
std::unique_ptr<Runner> MakeOpenClRunner(const BenchCase& bench, const std::string& platform,
                                         unsigned threads);
/// The number of threads holds for the whole process. Wants HasShaders(bench), as Transpire does for shaders.
std::unique_ptr<Runner> MakeVulkanRunner(const BenchCase& bench, unsigned threads);
std::unique_ptr<Runner> MakeTranspireRunner(const BenchCase& bench, const RunnerOptions& options);

}  // namespace transpire::bench
