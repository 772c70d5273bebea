// The folders come from the build.
// They are the build tree's; the benchmark is not installed.
#include "bench/kernel_files.h"

#include <algorithm>
#include <filesystem>

namespace transpire::bench {
namespace {

std::string InModules(const std::string& stem, OptimisationLevel level) {
  const char* suffix = level == OptimisationLevel::kO0 ? "-O0.spv" : ".spv";
  return std::string(TRANSPIRE_BENCH_MODULE_DIR) + "/" + stem + suffix;
}

}  // namespace

std::string SourcePath(const std::string& kernel_file) {
  return std::string(TRANSPIRE_BENCH_SOURCE_DIR) + "/" + kernel_file + ".cl";
}

std::string ModulePath(const BenchCase& bench, OptimisationLevel level) {
  return InModules(bench.kernel_file + bench.build_options, level);
}

std::string ShaderPath(const BenchCase& bench, const std::string& kernel, OptimisationLevel level) {
  return InModules(kernel + ".comp" + bench.build_options, level);
}

bool HasShaders(const BenchCase& bench) {
  return std::all_of(bench.launches.begin(), bench.launches.end(), [&](const Launch& launch) {
    return std::filesystem::exists(ShaderPath(bench, launch.kernel, OptimisationLevel::kO2));
  });
}

}  // namespace transpire::bench
