// Chooses a runner by name, and says clearly when one was not built in.
// Runners that need something from outside are compiled in only where CMake found it.
#include "bench/runner.h"

#include <stdexcept>

#include "bench/kernel_files.h"

namespace transpire::bench {

#if !TRANSPIRE_BENCH_HAS_OPENCL
std::unique_ptr<Runner> MakeOpenClRunner(const BenchCase&, const std::string& platform, unsigned) {
  throw NotAvailable("cannot run through '" + platform +
                     "': built without the OpenCL development files");
}
#endif

#if !TRANSPIRE_BENCH_HAS_VULKAN
std::unique_ptr<Runner> MakeVulkanRunner(const BenchCase&, unsigned) {
  throw NotAvailable("cannot run through 'lavapipe': built without Vulkan's development files");
}
#endif

#if !TRANSPIRE_BENCH_HAS_TRANSPIRE
std::vector<std::string> TranspireIsas() { return {}; }

std::unique_ptr<Runner> MakeTranspireRunner(const BenchCase&, const RunnerOptions&) {
  throw NotAvailable("cannot run through 'transpire': built without the runtime");
}
#endif

bool HasOpenCl() { return TRANSPIRE_BENCH_HAS_OPENCL; }

bool HasVulkan() { return TRANSPIRE_BENCH_HAS_VULKAN; }

std::unique_ptr<Runner> MakeRunner(const BenchCase& bench, const RunnerOptions& options) {
  if (options.via == "native") return MakeNativeRunner(bench);
  if (options.via == "pocl")
    return MakeOpenClRunner(bench, "Portable Computing Language", options.threads);
  if (options.via == "oclgrind") return MakeOpenClRunner(bench, "Oclgrind", options.threads);
  if (options.via == "transpire") return MakeTranspireRunner(bench, options);
  if (options.via == "glsl" || options.via == "lavapipe") {
    if (!HasShaders(bench))
      throw NotAvailable("there is no GLSL form of " + bench.name + ", or it was not compiled");
    if (options.via == "glsl") return MakeTranspireRunner(bench, options);
    return MakeVulkanRunner(bench, options.threads);
  }
  throw std::runtime_error(
      "expected native, pocl, oclgrind, transpire, glsl or lavapipe after --via, found '" +
      options.via + "'");
}

}  // namespace transpire::bench
