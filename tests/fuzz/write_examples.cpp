// Writes the modules of the examples of the validator's rules as words: seeds for validate_fuzz.
//
//   write_examples FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "validator/example.h"

using namespace transpire;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr std::size_t kMostWords =
      2000;  // examples of limits are large, and slow everything down
  std::filesystem::create_directories(argv[1]);
  int written = 0;
  for (const validator::Example& example : validator::examples()) {
    const auto prepared = validator::prepare_example(example);
    if (!prepared || prepared->words.size() > kMostWords) continue;
    const std::string name = std::string(example.id) + "." + std::string(example.kind) + ".spv";
    std::ofstream file(std::filesystem::path(argv[1]) / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(prepared->words.data()),
               static_cast<std::streamsize>(prepared->words.size() * 4));
    written += file.good();
  }
  std::printf("%d seeds\n", written);
  return written == 0;
}
