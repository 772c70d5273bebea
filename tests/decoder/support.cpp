// See support.h.
#include "tests/decoder/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace transpire::test {
namespace {

std::filesystem::path data_folder() {
  return std::filesystem::path(TRANSPIRE_TESTS_FOLDER) / "decoder" / "data";
}

}  // namespace

Words assembled(std::string_view text) {
  Result<Words> words = assemble(text, "test.spvasm");
  if (!words) FAIL(format(words.errors()[0]));
  return std::move(words).value();
}

Result<Module> decoded(const Words& words, const DecodeOptions& options) {
  return decode(std::as_bytes(std::span(words)), options);
}

Module whole(const Words& words, const DecodeOptions& options) {
  Result<Module> module = decoded(words, options);
  if (!module) FAIL(format(module.errors()[0]));
  return std::move(module).value();
}

Module module_of(std::string_view text, const DecodeOptions& options) {
  return whole(assembled(text), options);
}

std::uint32_t offset_of(const Words& words, spv::Op op, std::size_t n) {
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == static_cast<std::uint32_t>(op) && n-- == 0)
      return static_cast<std::uint32_t>(at);
  FAIL("no such instruction: " << std::string(opcode_name(op)));
  return 0;
}

Id id_of(const Module& module, std::string_view name) {
  for (const auto& [id, text] : module.names)
    if (text == name) return id;
  return 0;
}

const Type& type_of(const Module& module, std::string_view name) {
  const Type* type = module.type(id_of(module, name));
  REQUIRE(type != nullptr);
  return *type;
}

const Constant& constant_of(const Module& module, std::string_view name) {
  const Constant* constant = module.constant(id_of(module, name));
  REQUIRE(constant != nullptr);
  return *constant;
}

std::string data_file(const std::string& name) {
  std::ifstream file(data_folder() / name, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> data_files() {
  std::vector<std::string> paths;
  for (const std::filesystem::path& folder :
       {data_folder(), std::filesystem::path(TRANSPIRE_PROGRAMS) / "memory"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".spvasm") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace transpire::test
