// Writes the module of every golden program as words: seeds for load_fuzz.
//
//   write_seeds FOLDER_OF_PROGRAMS FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "runtime/state.h"

namespace {

bool write_seed(const std::filesystem::path& program, const std::filesystem::path& folder) {
  const auto module = transpire::Module::load_file(program.string());
  if (!module.ok()) return false;
  const std::vector<std::uint32_t>& words = module->state()->module.words;
  std::ofstream file(
      folder / (program.parent_path().filename().string() + "-" + program.stem().string() + ".spv"),
      std::ios::binary);
  file.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::filesystem::create_directories(argv[2]);
  int written = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    const std::string ending = entry.path().extension();
    if (ending == ".cl" || ending == ".spvasm") written += write_seed(entry.path(), argv[2]);
  }
  std::printf("%d seeds\n", written);
  return written == 0;
}
