// Source texts inside modules.
#include "compiler/embedded_sources.h"

#include <cstring>

#include "compiler/module_words.h"
#include "tests/runtime/support.h"
#include "tests/shorthand/shorthand.h"
#include "transpire/validate.hpp"

namespace transpire::test {
namespace {

using namespace compiler;

const std::string kModule = shorthand::declare(R"(
%file = OpString "./k.cl"
%header = OpString "put.h"
OpSource OpenCL_C 102000
OpName %k "k"
kernel k(%_ptr_CrossWorkgroup_uint out)
OpLine %file 2 10
%at = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %out %ulong_4
OpStore %at %uint_1 Aligned 4
OpNoLine
)");

std::vector<std::byte> module_bytes() {
  const Result<Module> module = Module::load(std::as_bytes(std::span(kModule)));
  REQUIRE(module.ok());
  const auto bytes = std::as_bytes(module->words());
  return {bytes.begin(), bytes.end()};
}

std::vector<SourceText> after_embedding(const std::vector<SourceText>& sources) {
  return embedded_sources(words_of(with_sources(module_bytes(), sources)));
}

TEST_CASE("texts of a module's files come back, others are left out") {
  const std::string text = "kernel void k() {\n}\n", put = "void put();\n";
  const std::vector<SourceText> found =
      after_embedding({{"k.cl", text}, {"other.cl", text}, {"put.h", put}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "k.cl");
  CHECK(found[0].text == text);
  CHECK(found[1].name == "put.h");
  CHECK(found[1].text == put);
  CHECK(after_embedding({{"k.cl", std::string("a\0b", 3)}}).empty());
  CHECK(after_embedding({{"k.cl", std::string(compiler::kMostEmbeddedBytes + 1, 'a')}}).empty());
  CHECK(embedded_sources(words_of(module_bytes())).empty());
}

TEST_CASE("long texts are cut into strings that the specification allows") {
  for (const std::size_t before : {65'532u, 65'533u, 65'534u, 65'535u, 65'536u, 200'000u}) {
    // A character of three bytes lies across the first cut.
    const std::string text = std::string(before, 'x') + "\xe2\x82\xac" + std::string(70'000, 'y');
    const std::vector<std::byte> module =
        with_sources(module_bytes(), std::vector<SourceText>{{"k.cl", text}});
    const std::vector<SourceText> found = embedded_sources(words_of(module));
    REQUIRE(found.size() == 1);
    CHECK(found[0].text == text);
    ValidateOptions strict;
    strict.strictness = Strictness::kStrict;
    const auto judged = validate(module, strict);
    REQUIRE(judged.ok());
    for (const Diagnostic& diagnostic : judged->diagnostics)
      CHECK_FALSE(diagnostic.rule.starts_with("TSP-LIM"));
  }
  // No character ends anywhere near the cut.
  const std::string text(150'000, '\x80');
  const std::vector<SourceText> found = after_embedding({{"k.cl", text}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == text);
}

TEST_CASE("findings show lines of a text that the module has") {
  const std::vector<SourceText> sources{
      {"k.cl", "kernel void k(global uint* out) {\n  out[4] = 1;\n}\n"}};
  for (const bool has_text : {false, true}) {
    const std::vector<std::byte> bytes =
        has_text ? with_sources(module_bytes(), sources) : module_bytes();
    const Result<Module> module = Module::load(bytes);
    REQUIRE(module.ok());
    const Result<Buffer> buffer = Buffer::create(4, "out");
    REQUIRE(buffer.ok());
    const Launch launch = make_launch(*module, "k", 1, 0, {Argument::buffer(*buffer)});
    const LaunchResult result = run(make_device(), launch);
    REQUIRE(result.findings.size() == 1);
    const Diagnostic& finding = result.findings[0].diagnostic;
    CHECK(finding.source.file == "k.cl");
    CHECK(finding.source.line == 2);
    CHECK(finding.excerpt == (has_text ? "  out[4] = 1;\n         ^\n" : ""));
  }
}

}  // namespace
}  // namespace transpire::test
