// Scopes of debug information: which functions a compiler expanded into one, and hostile ones.
#include <doctest/doctest.h>

#include <cstring>

#include "decoder/debug_words.h"
#include "tests/decoder/support.h"

namespace transpire::test {
namespace {

/// `put` of b.h, expanded on line 7 of what `parent` is in, with `at` for what %at is.
std::string module_text(const std::string& name, const std::string& parent, const std::string& at) {
  return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
         "%dbg = OpExtInstImport \"OpenCL.DebugInfo.100\"\nOpMemoryModel Physical64 OpenCL\n"
         "%file = OpString \"./a.cl\"\n%inc = OpString \"././b.h\"\n%put_name = OpString \"" +
         name +
         "\"\n%step_name = OpString \"step\"\nOpName %step_info \"step_info\"\n"
         "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n"
         "%one = OpConstant %int 1\n"
         "%none = OpExtInst %void %dbg DebugInfoNone\n"
         "%src = OpExtInst %void %dbg DebugSource %file\n"
         "%src_inc = OpExtInst %void %dbg DebugSource %inc\n"
         "%unit = OpExtInst %void %dbg DebugCompilationUnit 65536 5 %src OpenCL_C\n"
         "%type = OpExtInst %void %dbg DebugTypeFunction FlagIsPublic %void\n"
         "%put_info = OpExtInst %void %dbg DebugFunction %put_name %type %src_inc 1 1 %unit "
         "%put_name FlagIsPublic 1 %none\n"
         "%step_info = OpExtInst %void %dbg DebugFunction %step_name %type %src 5 1 %unit "
         "%step_name FlagIsPublic 5 %none\n"
         "%block = OpExtInst %void %dbg DebugLexicalBlockDiscriminator %src_inc 0 %step_info\n"
         "%at = OpExtInst %void %dbg DebugInlinedAt 7 " +
         parent + " " + at +
         "\n%f = OpFunction %void None %fn\n%entry = OpLabel\n"
         "%scope = OpExtInst %void %dbg DebugScope %put_info %at\nOpLine %inc 3 9\n"
         "%x = OpIAdd %int %one %one\nOpReturn\nOpFunctionEnd\n";
}

std::vector<SourceCall> calls_of(const Module& module) {
  for (const Instruction& instruction : module.functions.at(0).blocks.at(0).instructions)
    if (instruction.op == spv::Op::OpIAdd) return module.source_calls(instruction.line);
  return {};
}

TEST_CASE("an expanded call is told with its function and the file that it stands in") {
  for (const auto& [parent, file] : {std::pair{"%step_info", "a.cl"}, std::pair{"%block", "b.h"}}) {
    const std::vector<SourceCall> calls = calls_of(module_of(module_text("put", parent, "")));
    REQUIRE(calls.size() == 2);
    CHECK(calls[0].function == "put");
    CHECK(calls[0].where.file == "b.h");
    CHECK(calls[0].where.line == 3);
    CHECK(calls[0].where.column == 9);
    CHECK(calls[1].function == "step");
    CHECK(calls[1].where.file == file);
    CHECK(calls[1].where.line == 7);
  }
}

TEST_CASE("scopes that go round in circles, and names without an end, come to one") {
  const std::string name(60'000, 'n');
  const std::vector<SourceCall> calls = calls_of(module_of(module_text(name, "%step_info", "%at")));
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].function == name.substr(0, 256));
  const Module strange = module_of(module_text("a\x1b[31m", "%at", "%put_info"));
  CHECK(calls_of(strange).at(0).function == "a?[31m");
}

void check_without_debug_info(const Words& words) {
  const Words without = without_debug_info(words);
  const Module module = whole(without);
  CHECK(module.ext_inst_imports.empty());
  for (const Instruction& instruction : module.functions[0].blocks[0].instructions)
    CHECK(instruction.op != spv::Op::OpExtInst);
  CHECK(module.source_line(module.functions[0].blocks[0].instructions[0].line).line == 3);
  CHECK(without_debug_info(without) == without);
  // The fourth instruction that is left is the memory model, behind the import that is not.
  CHECK(offset_with_debug_info(words, 4) == offset_of(words, spv::Op::OpMemoryModel));
}

TEST_CASE("without debug information nothing speaks of it, and offsets are found again") {
  Words words = assembled(module_text("put", "%step_info", ""));
  check_without_debug_info(words);
  // An older set, by its shorter name in the same words.
  const char name[24] = "DebugInfo";
  std::memcpy(&words[offset_of(words, spv::Op::OpExtInstImport) + 2], name, sizeof name);
  check_without_debug_info(words);
}

}  // namespace
}  // namespace transpire::test
