// Writes seeds of the fuzzers, modules as words: every golden program (load_seeds), small hostile modules (lower_seeds) and the
// examples of the validator's rules (validate_seeds).
//
//   write_seeds FOLDER_OF_PROGRAMS FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "runtime/state.h"
#include "tests/fuzz/hostile_modules.h"
#include "validator/example.h"

namespace transpire::fuzz {
namespace {

namespace fs = std::filesystem;

/// The seeds of one fuzzer.
struct Folder {
  explicit Folder(const fs::path& where) : path(where) { fs::create_directories(path); }
  ~Folder() { std::printf("%d in %s\n", written, path.c_str()); }

  void write(const std::string& name, const Words& words) {
    std::ofstream file(path / (name + ".spv"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
    written += file.good();
  }

  fs::path path;
  int written = 0;
};

const std::set<std::string> kEndings = {".cl", ".comp", ".hlsl", ".spvasm"};

void write_programs(const fs::path& programs, Folder folder) {
  for (const auto& entry : fs::recursive_directory_iterator(programs)) {
    const fs::path& path = entry.path();
    if (!kEndings.contains(path.extension().string())) continue;
    if (const auto module = Module::load_file(path.string()); module.ok())
      folder.write(path.parent_path().filename().string() + "-" + path.stem().string(),
                   module->state()->module.words);
  }
}

void write_hostile(Folder folder) {
  for (const std::uint32_t n : {1u, 2u, 5u}) {
    const auto write = [&](std::string_view name, const Words& words) {
      folder.write(std::string(name) + "_" + std::to_string(n), words);
    };
    for (const HostileFamily& family : hostile_families()) write(family.name, family.make(n));
    write("branching", branching_call_tree(n));
    write("loops", nested_loops(n));
    write("large arrays", rotating_arrays(n, 2000));
    write("small arrays", rotating_arrays(n, 3));
  }
}

/// Examples of limits are large, and slow everything down.
constexpr std::size_t kMostWords = 2000;

void write_examples(Folder folder) {
  for (const validator::Example& example : validator::examples()) {
    const auto prepared = validator::prepare_example(example);
    if (prepared && prepared->words.size() <= kMostWords)
      folder.write(std::string(example.id) + "." + std::string(example.kind), prepared->words);
  }
}

}  // namespace
}  // namespace transpire::fuzz

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  using namespace transpire::fuzz;
  const std::filesystem::path folder = argv[2];
  write_programs(argv[1], Folder(folder / "load_seeds"));
  write_hostile(Folder(folder / "lower_seeds"));
  write_examples(Folder(folder / "validate_seeds"));
  return 0;
}
