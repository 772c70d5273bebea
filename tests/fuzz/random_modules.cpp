// Golden programs are edited at random, then loaded and launched though nobody has validated them: load_fuzz without libFuzzer.
//   random_modules SEED COUNT LAST FOLDER...
// The folders have programs as the build writes them whole, assembly and sources. Each module is written to the file LAST before it
// is loaded, so that a crash leaves it behind.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "runtime/state.h"
#include "tests/fuzz/any_module.h"
#include "tests/validator/edit_module.h"
#include "transpire/transpire.hpp"

namespace transpire::fuzz {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kMostWords = 3000;  // large modules show nothing that small ones do not

std::vector<Words> read_programs(int count, char** folders) {
  std::set<std::filesystem::path> paths;
  for (int i = 0; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i]))
      paths.insert(entry.path());
  std::vector<Words> programs;
  for (const std::filesystem::path& path : paths) {
    const auto module = Module::load_file(path.string());
    if (module && module->state()->module.words.size() <= kMostWords)
      programs.push_back(module->state()->module.words);
  }
  return programs;
}

void keep(const char* file, const Words& words) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
}

int run(int count, char** arguments) {
  std::mt19937 random(static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10)));
  const unsigned long most = std::strtoul(arguments[2], nullptr, 10);
  const std::vector<Words> programs = read_programs(count - 4, arguments + 4);
  if (programs.empty()) return 2;
  unsigned long loaded = 0;
  for (unsigned long i = 0; i < most; ++i) {
    Words words = programs[random() % programs.size()];
    for (std::uint32_t edits = 1 + random() % 4; edits != 0; --edits)
      if (random() % 3 == 0)
        words[5 + random() % (words.size() - 5)] =
            random() % 2 == 0 ? static_cast<std::uint32_t>(random())
                              : static_cast<std::uint32_t>(random()) % (words[3] + 8);
      else
        validator::edit_module(random, words);
    keep(arguments[3], words);
    loaded += load_any(std::as_bytes(std::span(words)), i);
  }
  std::printf("%zu programs, %lu edited, %lu loaded\n", programs.size(), most, loaded);
  return loaded > most / 20 ? 0 : 1;
}

}  // namespace
}  // namespace transpire::fuzz

int main(int count, char** arguments) {
  return count < 5 ? 2 : transpire::fuzz::run(count, arguments);
}
