// The folders come from the build.
// They are the build tree's; the benchmark is not installed.
#include "bench/kernel_files.h"

namespace transpire::bench {

std::string SourcePath(const std::string& kernel_file) {
  return std::string(TRANSPIRE_BENCH_SOURCE_DIR) + "/" + kernel_file + ".cl";
}

std::string ModulePath(const BenchCase& bench, OptimisationLevel level) {
  const char* suffix = level == OptimisationLevel::kO0 ? "-O0.spv" : ".spv";
  return std::string(TRANSPIRE_BENCH_MODULE_DIR) + "/" + bench.kernel_file + bench.build_options +
         suffix;
}

}  // namespace transpire::bench
