// The folders come from the build.
// They are the build tree's; the benchmark is not installed.
#include "bench/kernel_files.h"

namespace transpire::bench {

std::string SourcePath(const std::string& kernel_file) {
  return std::string(TRANSPIRE_BENCH_SOURCE_DIR) + "/" + kernel_file + ".cl";
}

std::string ModulePath(const std::string& kernel_file) {
  return std::string(TRANSPIRE_BENCH_MODULE_DIR) + "/" + kernel_file + ".spv";
}

}  // namespace transpire::bench
