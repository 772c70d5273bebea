// SPIRV-Tools' opinion: asked for the module's own version, and told with the names that the user gave.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "decoder/view/assemble_text.h"
#include "decoder/view/viewed_module.h"
#include "tests/shorthand/shorthand.h"
#include "validator/validate.h"

namespace transpire::test {
namespace {

using namespace validator;

/// The second opinion on a text, a line for each message and note. Without `keeps_names` the words alone are known.
std::string opinion(std::string_view text, std::string_view environment, bool keeps_names = true) {
  const std::string whole = shorthand::declare(text);
  const auto assembled = assemble_text(whole, "opinion");
  if (!assembled) return assembled.errors()[0].message;
  const ViewedModule module =
      view_module(assembled->words, keeps_names ? std::string_view(whole) : std::string_view());
  std::string said;
  for (const Diagnostic& diagnostic : second_opinion(module.view, environment, "opinion")) {
    said += (said.empty() ? "" : "\n") + diagnostic.message;
    for (const std::string& note : diagnostic.notes) said += "\n" + note;
  }
  return said;
}

std::string module_text(std::string_view version, std::string_view names, std::string_view body) {
  return fmt::format(
      "; Version: {}\nOpCapability Linkage\nOpEntryPoint Kernel %test \"test\"\n{}"
      "%type = OpTypeFunction %void\n%number = OpTypeInt 32 0\n"
      "%place = OpTypePointer CrossWorkgroup %number\n%seven = OpConstant %number 7\n{}",
      version, names, body);
}

constexpr std::string_view kBody =
    "%test = OpFunction %void None %type\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
constexpr std::string_view kStores =
    "%test = OpFunction %void None %type\n%entry = OpLabel\nOpStore %seven %seven\nOpReturn\n"
    "OpFunctionEnd\n";

struct NameCase {
  std::string_view what, names;
  std::string body;
  bool keeps_names;
  std::string_view said;
};

TEST_CASE("SPIRV-Tools' opinion is asked for the version of the module") {
  for (const std::string_view environment :
       {"opencl1.2", "opencl2.0", "opencl2.1", "opencl2.2", "opencl2.2embedded", "opencl3.0"})
    for (const std::string_view version : {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"}) {
      INFO("SPIR-V ", version, " for ", environment);
      CHECK(opinion(module_text(version, "", kBody), environment) == "");
    }
}

TEST_CASE("SPIRV-Tools' opinion does not depend on the language of the source") {
  for (const std::string_view language : {"GLSL 450", "OpenCL_C 102000", "Slang 1", "Rust 1"}) {
    INFO(language);
    CHECK(opinion(module_text("1.0", fmt::format("OpSource {}\n", language), kBody), "opencl1.2") ==
          "");
  }
}

TEST_CASE("SPIRV-Tools' opinion is told with the names that the user gave") {
  const NameCase cases[] = {
      {"a name of the text", "", std::string(kStores), true,
       "OpStore type for pointer <id> '%seven' is not a pointer type\nOpStore %seven %seven"},
      {"a name of OpName", "OpName %seven \"days\"\n", std::string(kStores), false,
       "OpStore type for pointer <id> '%days' is not a pointer type\nOpStore %days %days"},
      {"the text's name comes first", "OpName %seven \"days\"\n", std::string(kStores), true,
       "OpStore type for pointer <id> '%seven' is not a pointer type\nOpStore %seven %seven"},
      {"a number in brackets", "",
       fmt::format("%helper = OpFunction %void None %type\nOpFunctionEnd\n{}", kBody), true,
       "Function declaration (id %helper) must have a LinkageAttributes decoration with the Import "
       "Linkage type\n%helper = OpFunction %void None %type"},
      {"a number behind a word", "",
       fmt::format("{}%helper = OpFunction %void None %type\n%start = OpLabel\n"
                   "%nothing = OpFunctionCall %void %test\nOpReturn\nOpFunctionEnd\n",
                   kBody),
       true,
       "A function (%test) may not be targeted by both an OpEntryPoint instruction and an "
       "OpFunctionCall instruction\n%test = OpFunction %void None %type"},
      {"words of the user", "OpName %seven \"id 5 [%5]\"\n", std::string(kStores), false,
       "OpStore type for pointer <id> '%id_5___5_' is not a pointer type\nOpStore %id_5___5_ "
       "%id_5___5_"},
  };
  for (const NameCase& test : cases) {
    CAPTURE(test.what);
    CHECK(opinion(module_text("1.2", test.names, test.body), "opencl2.2", test.keeps_names) ==
          fmt::format("SPIRV-Tools' validator says: {}", test.said));
  }
}

constexpr std::string_view kShader =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
    "%file = OpString \"a.comp\"\n%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
    "%main = OpFunction %void None %type\n%entry = OpLabel\nOpLine %file 3 1\nOpReturn\n"
    "OpFunctionEnd\n";

/// The environment, and the rule of each diagnostic of the shader, with one line of it replaced.
std::string judgement(std::string_view line, std::string_view by, std::string_view environment) {
  std::string text(kShader);
  text.replace(text.find(line), line.size(), by);
  ValidateOptions options;
  options.environment = environment;
  const auto words = assemble_text(text, "shader");
  if (!words) return words.errors()[0].message;
  const auto judged = validate_words(words->words, options);
  if (!judged) return judged.errors()[0].message;
  std::string said = judged->environment;
  for (const Diagnostic& diagnostic : judged->diagnostics) said += " " + diagnostic.rule;
  return said;
}

TEST_CASE("SPIRV-Tools judges modules for Vulkan, and its mistakes are errors") {
  CHECK(judgement("OpLine", "OpLine", "") == "vulkan1.4");
  CHECK(judgement("OpLine", "OpLine", "vulkan1.0") == "vulkan1.0");
  CHECK(judgement("OpLine", "OpLine", "universal1.3") == "universal1.3");
  CHECK(judgement("OpExecutionMode %main LocalSize 1 1 1\n", "", "vulkan1.2") ==
        "vulkan1.2 TSP-V0050");
  CHECK(judgement("OpLine", "OpLine", "opencl3.0").find("TSP-ENV-2.1-01") != std::string::npos);
}

}  // namespace
}  // namespace transpire::test
