// SPIRV-Tools' opinion: asked for the module's own version, and told with the names that the user gave.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "validator/assemble_text.h"
#include "validator/text_positions.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

std::size_t wrong = 0;

void expect(std::string_view what, std::string_view found, std::string_view expected) {
  if (found == expected) return;
  ++wrong;
  fmt::print("{}:\n  expected: {}\n  found:    {}\n", what, expected, found);
}

/// The second opinion on a text, a line for each message and note. Without `keeps_names` the words alone are known.
std::string opinion(std::string_view text, std::string_view environment, bool keeps_names = true) {
  const auto words = assemble_text(text, "opinion");
  if (!words) return words.errors()[0].message;
  ModuleView view(*words);
  if (keeps_names) view.call_ids(names_in_text(text, view));
  std::string said;
  for (const Diagnostic& diagnostic : second_opinion(view, environment, "opinion")) {
    said += (said.empty() ? "" : "\n") + diagnostic.message;
    for (const std::string& note : diagnostic.notes) said += "\n" + note;
  }
  return said;
}

constexpr std::string_view kSays = "SPIRV-Tools' validator says: ";

std::string module_text(std::string_view version, std::string_view names, std::string_view body) {
  return fmt::format(
      "; Version: {}\nOpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %test \"test\"\n{}"
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%number = OpTypeInt 32 0\n"
      "%place = OpTypePointer CrossWorkgroup %number\n%seven = OpConstant %number 7\n{}",
      version, names, body);
}

constexpr std::string_view kBody =
    "%test = OpFunction %void None %type\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

void check_versions() {
  for (const std::string_view environment :
       {"opencl1.2", "opencl2.0", "opencl2.1", "opencl2.2", "opencl2.2embedded", "opencl3.0"})
    for (const std::string_view version : {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"})
      expect(fmt::format("SPIR-V {} for {}", version, environment),
             opinion(module_text(version, "", kBody), environment), "");
}

void check_names() {
  const std::string stores =
      "%test = OpFunction %void None %type\n%entry = OpLabel\nOpStore %seven "
      "%seven\nOpReturn\nOpFunctionEnd\n";
  expect(
      "a name of the text", opinion(module_text("1.2", "", stores), "opencl2.2"),
      fmt::format(
          "{}OpStore type for pointer <id> '%seven' is not a pointer type\nOpStore %seven %seven",
          kSays));
  expect("a name of OpName",
         opinion(module_text("1.2", "OpName %seven \"days\"\n", stores), "opencl2.2", false),
         fmt::format(
             "{}OpStore type for pointer <id> '%days' is not a pointer type\nOpStore %days %days",
             kSays));
  expect(
      "the text's name comes first",
      opinion(module_text("1.2", "OpName %seven \"days\"\n", stores), "opencl2.2"),
      fmt::format(
          "{}OpStore type for pointer <id> '%seven' is not a pointer type\nOpStore %seven %seven",
          kSays));
  const std::string imports =
      fmt::format("%helper = OpFunction %void None %type\nOpFunctionEnd\n{}", kBody);
  expect("a number in brackets", opinion(module_text("1.2", "", imports), "opencl2.2"),
         fmt::format("{}Function declaration (id %helper) must have a LinkageAttributes decoration "
                     "with the Import "
                     "Linkage type\n%helper = OpFunction %void None %type",
                     kSays));
  const std::string later = fmt::format(
      "{}%helper = OpFunction %void None %type\n%start = OpLabel\n"
      "%nothing = OpFunctionCall %void %test\nOpReturn\nOpFunctionEnd\n",
      kBody);
  expect("a number behind a word", opinion(module_text("1.2", "", later), "opencl2.2"),
         fmt::format(
             "{}A function (%test) may not be targeted by both an OpEntryPoint instruction and an "
             "OpFunctionCall instruction\n%test = OpFunction %void None %type",
             kSays));
  expect("words of the user",
         opinion(module_text("1.2", "OpName %seven \"id 5 [%5]\"\n", stores), "opencl2.2", false),
         fmt::format("{}OpStore type for pointer <id> '%id_5___5_' is not a pointer type\nOpStore "
                     "%id_5___5_ %id_5___5_",
                     kSays));
}

}  // namespace
}  // namespace transpire::validator

int main() {
  transpire::validator::check_versions();
  transpire::validator::check_names();
  fmt::print("{} wrong\n", transpire::validator::wrong);
  return transpire::validator::wrong != 0;
}
