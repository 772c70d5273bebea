// What a file is that is no module, by what it holds.
#include "base/content.h"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>

namespace transpire::test {
namespace {

/// "" where the text may be assembly.
std::string what_is(std::string_view text) {
  const auto foreign = foreign_content(std::as_bytes(std::span(text)), "k");
  return foreign ? foreign->message : "";
}

TEST_CASE("other languages are called by their names") {
  CHECK(what_is("") == "this is no SPIR-V module: it is empty");
  CHECK(what_is("// a\n#version 450\n") == "this is no SPIR-V module: it is GLSL");
  CHECK(what_is("; ModuleID = 'k'\n%s = type { i32 }\n") ==
        "this is no SPIR-V module: it is LLVM's assembly text");
  CHECK(what_is("; a comment\ntarget triple = \"spir64\"\n") ==
        "this is no SPIR-V module: it is LLVM's assembly text");
}

TEST_CASE("assembly may speak of other languages") {
  CHECK(what_is("; does what gl_GlobalInvocationID does\n\nOpCapability Kernel\n") == "");
  CHECK(what_is(" ; SPIR-V\n;\n%1 = OpString \"__global__ void k\"\n") == "");
  CHECK(what_is("OpSource GLSL 450\n; #version 450\n") == "");
  CHECK(what_is("; only @compute") == "this is no SPIR-V module: it is WGSL");
  CHECK(what_is(" \n;") == "");
}

}  // namespace
}  // namespace transpire::test
