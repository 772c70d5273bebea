// Writes small hostile modules to a folder, as seeds of lower_fuzz.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/hostile_modules.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: write_hostile FOLDER\n");
    return 2;
  }
  namespace fuzz = transpire::fuzz;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  int written = 0;
  const auto write = [&](const std::vector<std::uint32_t>& words) {
    std::ofstream file(folder / ("hostile_" + std::to_string(written++) + ".spv"),
                       std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
    return file.good();
  };
  for (const std::uint32_t n : {1u, 2u, 5u}) {
    for (const fuzz::HostileFamily& family : fuzz::hostile_families())
      if (!write(family.make(n))) return 1;
    if (!write(fuzz::branching_call_tree(n)) || !write(fuzz::nested_loops(n)) ||
        !write(fuzz::rotating_arrays(n, 2000)) || !write(fuzz::rotating_arrays(n, 3)))
      return 1;
  }
  return 0;
}
