// Formats of printf as clang's backend writes them become pointers to characters; all else stays.
#include "compiler/printf_formats.h"

#include <doctest/doctest.h>

#include <span>

#include "tests/shorthand/shorthand.h"
#include "transpire/transpire.hpp"

namespace transpire::test {
namespace {

/// A kernel that prints a text, of so many characters as it also prints, after more declarations where there are some.
std::string assembly_of(std::string_view declarations = {}) {
  return shorthand::declare(std::string(declarations) + R"(
OpName %format "format"
%text = OpConstantComposite %_arr_uchar_3 %uchar_120 %uchar_120 %uchar_0
%format = OpVariable %_ptr_UniformConstant__arr_uchar_3 UniformConstant %text
kernel main()
%done = OpExtInst %uint %std printf %format
%again = OpExtInst %uint %std printf %format %uint_3
)");
}

std::vector<std::byte> bytes_of(const std::string& assembly) {
  const Result<Module> module = Module::load(std::as_bytes(std::span(assembly)));
  REQUIRE(module.ok());
  const auto bytes = std::as_bytes(module->words());
  return {bytes.begin(), bytes.end()};
}

std::string rewritten(const std::string& assembly) {
  const Result<Module> module = Module::load(compiler::with_printf_formats(bytes_of(assembly)));
  REQUIRE(module.ok());
  for (const Diagnostic& error : module->validate()) FAIL(format(error));
  const Result<std::string> text = module->disassemble();
  REQUIRE(text.ok());
  return *text;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("formats become pointers to their first character") {
  const std::string text = rewritten(assembly_of());
  CHECK(count(text, "OpInBoundsAccessChain %_ptr_UniformConstant_uchar %format %uint_0") == 2);
  CHECK(count(text, "printf %format") == 0);
}

TEST_CASE("the set of debug information is not taken for OpenCL.std") {
  std::string assembly = assembly_of();
  const std::string_view first = "OpMemoryModel";
  assembly.insert(assembly.find(first), "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\n");
  CHECK(count(rewritten(assembly), "OpInBoundsAccessChain") == 2);
}

TEST_CASE("types and constants that are there are used") {
  const std::string text = rewritten(
      assembly_of("%zero = OpConstant %uint 0\n%to_char = OpTypePointer UniformConstant %uchar\n"));
  CHECK(count(text, "OpTypePointer") == 2);
  CHECK(count(text, "= OpConstant %uint") == 2);
}

TEST_CASE("modules without such a format stay as they are") {
  const std::vector<std::byte> good = compiler::with_printf_formats(bytes_of(assembly_of()));
  CHECK(compiler::with_printf_formats(good) == good);
  CHECK(compiler::with_printf_formats({}).empty());
  const std::vector<std::byte> no_module(7, std::byte{1});
  CHECK(compiler::with_printf_formats(no_module) == no_module);
}

}  // namespace
}  // namespace transpire::test
