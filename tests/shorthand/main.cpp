// Writes the golden programs whole: expand_programs FROM TO
//
// Files of short form (*.in) are expanded, others are linked to. What stands in TO and comes from no file goes.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/shorthand/lines.h"
#include "tests/shorthand/shorthand.h"

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The file's text, with the lines of parts/NAME for each line `;! include NAME`.
std::string text_of(const fs::path& path, const fs::path& parts) {
  constexpr std::string_view kInclude = ";! include ";
  const std::string content = content_of(path);
  std::string text;
  for (const std::string_view line : transpire::shorthand::split_lines(content)) {
    if (!line.starts_with(kInclude)) {
      (text += line) += '\n';
      continue;
    }
    const std::string part = content_of(parts / line.substr(kInclude.size()));
    if (part.empty()) throw transpire::shorthand::Mistake(fmt::format("no part for '{}'", line));
    text += part;
  }
  return text;
}

/// Only what changes is written anew.
void write(const fs::path& path, const std::string& text) {
  if (fs::is_symlink(path)) fs::remove(path);
  if (fs::exists(path) && content_of(path) == text) return;
  std::ofstream(path, std::ios::binary) << text;
}

void link(const fs::path& from, const fs::path& path) {
  if (fs::is_symlink(path) && fs::read_symlink(path) == from) return;
  fs::remove(path);
  fs::create_symlink(from, path);
}

void expand_file(const fs::path& from, const fs::path& folder, const fs::path& parts,
                 std::set<fs::path>& made) {
  const std::string name = from.stem().string();
  for (transpire::shorthand::Program& program :
       transpire::shorthand::expand(name, text_of(from, parts))) {
    const fs::path path = folder / program.name;
    if (path.extension() == ".spvasm") program.text = transpire::shorthand::declare(program.text);
    if (!made.insert(path).second)
      throw transpire::shorthand::Mistake("another file gives " + program.name);
    write(path, program.text);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print(stderr, "usage: expand_programs FROM TO\n");
    return 2;
  }
  const fs::path from = fs::absolute(arguments[1]), to = fs::absolute(arguments[2]);
  std::set<fs::path> made;
  int result = 0;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file() || entry.path().parent_path() == from / "parts") continue;
    const fs::path folder =
        (to / fs::relative(entry.path().parent_path(), from)).lexically_normal();
    fs::create_directories(folder);
    if (entry.path().extension() != ".in") {
      made.insert(folder / entry.path().filename());
      link(entry.path(), folder / entry.path().filename());
      continue;
    }
    try {
      expand_file(entry.path(), folder, from / "parts", made);
    } catch (const transpire::shorthand::Mistake& mistake) {
      fmt::print(stderr, "{}: {}\n", entry.path().string(), mistake.what());
      result = 1;
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(to))
    if (!entry.is_directory() && !made.contains(entry.path())) fs::remove(entry.path());
  return result;
}
