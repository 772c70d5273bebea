// Assembling, disassembling and linking through SPIRV-Tools.
#include <doctest/doctest.h>

#include <algorithm>

#include "decoder/block_kernels.h"
#include "decoder/newer_opcodes.h"
#include "decoder/readable.h"
#include "tests/decoder/support.h"
#include "tests/errors.h"

namespace transpire::test {
namespace {

const std::string kVoidFunction = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n";

TEST_CASE("the version is the comment's, else the lowest from 1.2 that has all instructions") {
  CHECK(assembled(kKernelHeader)[1] == 0x00010200);
  CHECK(assembled("; SPIR-V\n; Version: 1.0\n" + kKernelHeader)[1] == 0x00010000);
  CHECK(assembled("; Version: 1.6\n" + kKernelHeader)[1] == 0x00010600);
  CHECK(assembled(kKernelHeader +
                  "%int = OpTypeInt 32 0\n%p = OpTypePointer Function %int\n"
                  "%bool = OpTypeBool\n" +
                  kVoidFunction +
                  "%f = OpFunction %void None %fn\n%l = OpLabel\n%v = OpVariable %p Function\n"
                  "%e = OpPtrEqual %bool %v %v\nOpReturn\nOpFunctionEnd\n")[1] == 0x00010400);
}

/// A kernel whose pointers are compared, which SPIR-V 1.4 can.
std::string comparing(const std::string& comment, const std::string& result) {
  return comment + kKernelHeader +
         "%int = OpTypeInt 32 0\n%p = OpTypePointer Function %int\n%bool = OpTypeBool\n" +
         kVoidFunction +
         "%f = OpFunction %void None %fn\n%l = OpLabel\n%v = OpVariable %p Function\n" + result +
         " = OpPtrEqual %bool %v %v\nOpReturn\nOpFunctionEnd\n";
}

TEST_CASE("a version comment that is older than the text is only where the search begins") {
  CHECK(assembled(comparing("; Version: 1.0\n", "%e"))[1] == 0x00010400);
  CHECK(assembled(comparing("; Version: 1.5\n", "%e"))[1] == 0x00010500);
}

TEST_CASE("a text whose ids are numbers that no module has is numbered anew") {
  for (const char* name : {"%0", "%00", "%4194304", "%4294967295", "%99999999999999999999"}) {
    CAPTURE(std::string(name));
    const Words words = assembled(comparing("", name));
    CHECK(words[3] < 20);
    CHECK(decoded(words).ok());
  }
  // In comments, strings and other names, such numbers are none.
  const Words words = assembled(kKernelHeader + "; %0\n%s = OpString \"%0 \\\"%0\"\n" +
                                "%x0 = OpTypeVoid\n%77 = OpTypeInt 32 0\n");
  CHECK(words[offset_of(words, spv::Op::OpTypeInt) + 1] == 77);
}

TEST_CASE("names of hints that the installed assembler may be too old for") {
  const Words words = assembled(
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability RegisterLimitsINTEL\n"
      "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %f \"RegisterLimitsINTEL\"\n"
      "OpExecutionMode %f MaximumRegistersINTEL 128\n"
      "OpExecutionMode %f NamedMaximumRegistersINTEL AutoINTEL\n"
      "OpName %v \"v\"\nOpDecorate %v CacheControlStoreINTEL 0 StreamingINTEL\n"
      "OpDecorate %v HostAccessINTEL ReadINTEL \"host\"\n%int = OpTypeInt 32 0\n"
      "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup\n" +
      kVoidFunction + "%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const Module module = whole(words);
  CHECK(capability_name(module.capabilities[2]) == "RegisterLimitsINTEL");
  CHECK(static_cast<unsigned>(module.entry_points[0].modes[0].kind) == 6461);
  CHECK(module.entry_points[0].modes[0].operands == std::vector<std::uint32_t>{128});
  CHECK(module.entry_points[0].modes[1].operands == std::vector<std::uint32_t>{0});
  const auto decorations = module.decorations(module.variables[0].id);
  REQUIRE(decorations.size() == 2);
  CHECK(decorations[0].operands == std::vector<std::uint32_t>{0, 3});
  CHECK(decorations[1].operands[0] == 1);
  const Result<std::string> text = disassemble(words, true);
  REQUIRE(text.ok());
  CHECK(text->starts_with("; 5 instructions that SPIRV-Tools cannot read stand as OpNop\n"));
  CHECK(text->find(" \"RegisterLimitsINTEL\" ; word") != std::string::npos);
}

TEST_CASE("instructions that the installed assembler may be too old for") {
  const std::string head =
      "OpCapability Shader\nOpCapability CooperativeMatrixKHR\nOpMemoryModel Logical Vulkan\n"
      "%float = OpTypeFloat 32\n%int = OpTypeInt 32 0\n%n = OpConstant %int 4\n"
      "%three = OpConstant %int 3\n%use = OpConstant %int 2\n";
  const Words words =
      assembled(head + "%m = OpTypeCooperativeMatrixKHR %float %three %n %n %use ; a matrix\n" +
                "  %l = OpSpecConstantOp %int CooperativeMatrixLengthKHR %m\n" + kVoidFunction +
                "%f = OpFunction %void None %fn\n%b = OpLabel\n%u = OpUndef %m\n"
                "%d = OpCooperativeMatrixMulAddKHR %m %u %u %u "
                "MatrixASignedComponentsKHR|SaturatingAccumulationKHR\n"
                "OpCooperativeMatrixStoreKHR %u %u %n %n Aligned|NonPrivatePointer 16\nOpReturn\n"
                "OpFunctionEnd\n");
  const std::uint32_t type = offset_of(words, kOpTypeCooperativeMatrixKHR);
  CHECK(words[type] == (7u << 16 | 4456));
  const std::uint32_t m = words[type + 1], n = words[type + 4];
  const std::uint32_t product = offset_of(words, kOpCooperativeMatrixMulAddKHR);
  const std::uint32_t u = words[product + 3];
  CHECK(Words(words.begin() + product, words.begin() + product + 7) ==
        Words{7u << 16 | 4459, m, words[product + 2], u, u, u, 0x11});
  const std::uint32_t store = offset_of(words, kOpCooperativeMatrixStoreKHR);
  CHECK(Words(words.begin() + store, words.begin() + store + 7) ==
        Words{7u << 16 | 4458, u, u, n, n, 0x22, 16});
  const Result<std::string> text = disassemble(words, false);
  REQUIRE(text.ok());
  CHECK(text->starts_with("; 5 instructions that SPIRV-Tools cannot read stand as OpNop\n"));
  const Result<Words> wrong = assemble(head + "%m = OpTypeCooperativeMatrixKHR None\n", "k.spvasm");
  REQUIRE(!wrong.ok());
  CHECK(wrong.errors()[0].source.line == 9);
}

TEST_CASE("numeric ids of the text are kept") {
  const Words words = assembled(kKernelHeader + "%77 = OpTypeVoid\n");
  CHECK(words[offset_of(words, spv::Op::OpTypeVoid) + 1] == 77);
}

TEST_CASE("an assembly error has the line and column of the text") {
  const Result<Words> words = assemble("OpCapability Kernel\n  OpNonsense\n", "k.spvasm");
  REQUIRE(!words.ok());
  const Diagnostic& error = words.errors()[0];
  CHECK(error.rule == "TSP-D0040");
  CHECK(error.source.line == 2);
  CHECK(error.source.column == 3);
  CHECK(format(error) ==
        "error[TSP-D0040]: Invalid Opcode name 'OpNonsense'\n  --> k.spvasm:2:3\n   |   "
        "OpNonsense\n   |   ^~~~~~~~~~\nhelp: did you mean 'OpNoLine'?\n");
}

TEST_CASE("disassembly has one line per instruction and offsets as comments") {
  const Words words =
      assembled(kKernelHeader + "%f = OpString \"a ; 0x00000014\\\"\"\n" + kVoidFunction);
  const Result<std::string> text = disassemble(words, true);
  REQUIRE(text.ok());
  CHECK(text->find("OpCapability Addresses ; word 5\n") != std::string::npos);
  CHECK(text->find("%void = OpTypeVoid ; word " +
                   std::to_string(offset_of(words, spv::Op::OpTypeVoid)) + "\n") !=
        std::string::npos);
  CHECK(text->find("\"a ; 0x00000014\\\"\" ; word") != std::string::npos);
  CHECK(text->find("; 0x0000001c") == std::string::npos);
  const Result<std::string> plain = disassemble(words, false);
  REQUIRE(plain.ok());
  CHECK(plain->find("; word") == std::string::npos);
  CHECK(static_cast<std::size_t>(std::count(plain->begin(), plain->end(), '\n')) == 9 + 3 + 5);
}

TEST_CASE("every module of the data folder survives text and back") {
  for (const std::string& name : data_files()) {
    CAPTURE(name);
    const Words words = assembled(data_file(name));
    const Result<std::string> text = disassemble(words, false);
    REQUIRE(text.ok());
    if (text->find("OpNop") != std::string::npos) continue;  // in place of newer instructions
    const Words again = assembled(*text);
    CHECK(again.size() == words.size());
    CHECK(decoded(again).ok());
  }
}

TEST_CASE("words that are no module cannot be disassembled") {
  Words words = assembled(kKernelHeader + kVoidFunction);
  const std::uint32_t at = offset_of(words, spv::Op::OpTypeVoid);
  words[at] |= 0xfff0;
  const Result<std::string> text = disassemble(words, false);
  REQUIRE(!text.ok());
  CHECK(text.errors()[0].rule == "TSP-D0041");
  CHECK(text.errors()[0].word_offset == at);
}

TEST_CASE("linking resolves imports by name") {
  const std::string exporter =
      kKernelHeader + "OpName %g \"g\"\nOpDecorate %g LinkageAttributes \"shared\" Export\n" +
      kVoidFunction + "%g = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const std::string importer =
      kKernelHeader +
      "OpEntryPoint Kernel %k \"k\"\nOpDecorate %h LinkageAttributes \"shared\" Import\n" +
      kVoidFunction +
      "%h = OpFunction %void None %fn\nOpFunctionEnd\n"
      "%k = OpFunction %void None %fn\n%l = OpLabel\n%c = OpFunctionCall %void "
      "%h\nOpReturn\nOpFunctionEnd\n";
  const Words left = assembled(importer);
  const Words right = assembled(exporter);
  const Result<Words> linked = link({left, right}, false);
  REQUIRE_MESSAGE(linked.ok(), format(linked.errors()[0]));
  const Module module = whole(*linked);
  for (const Function& function : module.functions) CHECK_FALSE(function.is_import());

  const Result<Words> unresolved = link({left}, false);
  CHECK(error_of(unresolved).starts_with("TSP-D0042: "));
  CHECK(link({left}, true).ok());
}

TEST_CASE("linking refuses two definitions of a symbol, also when no module imports it") {
  const Words exporter = assembled(
      kKernelHeader + "OpName %g \"g\"\nOpDecorate %g LinkageAttributes \"shared\" Export\n" +
      kVoidFunction + "%g = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const Result<Words> linked = link({exporter, exporter}, true);
  REQUIRE(!linked.ok());
  REQUIRE(linked.errors().size() == 1);
  CHECK(linked.errors()[0].rule == "TSP-D0042");
  CHECK(linked.errors()[0].message == "expected one definition of 'shared', found several");
}

TEST_CASE("linking keeps the blocks of each module, and drops how a host launches them") {
  const auto module_of = [](const std::string& kernel) {
    return assembled(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability DeviceEnqueue\n"
        "OpCapability GenericPointer\nOpCapability Int8\nOpCapability Linkage\n"
        "OpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %k \"" +
        kernel +
        "\"\nOpEntryPoint Kernel %b \"block\"\n"
        "OpExecutionMode %b ContractionOff\nOpName %f \"block\"\n"
        "OpDecorate %f LinkageAttributes \"block\" Export\n"
        "%void = OpTypeVoid\n%byte = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n"
        "%p = OpTypePointer Generic %byte\n%fn = OpTypeFunction %void\n"
        "%bfn = OpTypeFunction %void %p\n%four = OpConstant %int 4\n%null = OpConstantNull %p\n"
        "%k = OpFunction %void None %fn\n%m = OpLabel\n"
        "%s = OpGetKernelWorkGroupSize %int %f %null %four %four\nOpReturn\nOpFunctionEnd\n"
        "%f = OpFunction %void None %bfn\n%a = OpFunctionParameter %p\n%l = OpLabel\nOpReturn\n"
        "OpFunctionEnd\n"
        "%b = OpFunction %void None %bfn\n%c = OpFunctionParameter %p\n%n = OpLabel\n"
        "%d = OpFunctionCall %void %f %c\nOpReturn\nOpFunctionEnd\n");
  };
  const Words one = module_of("one"), two = module_of("two");
  const Module alone = whole(one);
  CHECK(block_kernels(alone).entries == std::unordered_set<Id>{alone.entry_points[1].function});
  const Result<Words> linked = link({one, two}, false);
  REQUIRE_MESSAGE(linked.ok(), format(linked.errors()[0]));
  const Module module = whole(*linked);
  REQUIRE(module.entry_points.size() == 2);
  CHECK((module.entry_points[0].name == "one" && module.entry_points[1].name == "two"));
  std::unordered_set<Id> invoked;
  each_invoked(module, [&](spv::Op, Id function) { invoked.insert(function); });
  CHECK(invoked.size() == 2);
}

TEST_CASE("linking keeps one of several LinkOnceODR definitions") {
  const auto module_of = [](const std::string& kernel, const std::string& value, bool exports) {
    return assembled(
        kKernelHeader + "OpEntryPoint Kernel %k \"" + kernel +
        "\"\nOpDecorate %g LinkageAttributes \"shared\" " + (exports ? "Export" : "LinkOnceODR") +
        "\nOpDecorate %v LinkageAttributes \"state\" LinkOnceODR\n" + kVoidFunction +
        "%int = OpTypeInt 32 0\n%p = OpTypePointer CrossWorkgroup %int\n%c = OpConstant %int " +
        value +
        "\n%v = OpVariable %p CrossWorkgroup %c\n"
        "%g = OpFunction %void None %fn\n%l = OpLabel\nOpStore %v %c\nOpReturn\nOpFunctionEnd\n"
        "%k = OpFunction %void None %fn\n%m = OpLabel\n%d = OpFunctionCall %void %g\nOpReturn\n"
        "OpFunctionEnd\n");
  };
  for (const bool exports : {false, true}) {
    const Result<Words> linked =
        link({module_of("a", "5", false), module_of("b", "5", exports), module_of("c", "5", false)},
             false);
    REQUIRE_MESSAGE(linked.ok(), format(linked.errors()[0]));
    const Module module = whole(*linked);
    CHECK(module.entry_points.size() == 3);
    CHECK(module.variables.size() == 1);
    for (const Function& function : module.functions) CHECK_FALSE(function.is_import());
    // What was linked can be linked again, with one more.
    CHECK(link({*linked, module_of("d", "5", false)}, false).ok());
  }
}

TEST_CASE("linking refuses words that do not decode") {
  const Result<Words> linked = link({Words{1, 2, 3}}, false);
  REQUIRE(!linked.ok());
  CHECK(linked.errors()[0].rule == "TSP-D0002");
  CHECK(linked.errors()[0].input == "module 1 of 1");
}

TEST_CASE("the name that early translators gave debug information does not stop anything") {
  Words words = assembled(
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "%dbg = OpExtInstImport \"DebugInfo\"\nOpMemoryModel Physical64 OpenCL\n" +
      kVoidFunction + "%n = OpExtInst %void %dbg DebugInfoNone\n");
  const std::uint32_t at = offset_of(words, spv::Op::OpExtInstImport);
  words[at + 2] = 0x52495053;  // "SPIR"
  words[at + 3] = 0x65642e56;  // "V.de"
  words[at + 4] = 0x00677562;  // "bug"
  const Module module = whole(words);
  CHECK(module.ext_inst_imports[0].name == "SPIRV.debug");
  CHECK(module.ext_inst_imports[0].set == ExtendedSet::kEarlyDebugInfo);
  CHECK(disassemble(words, true).ok());
  CHECK(without_unreadable_debug(words).size() == words.size());
  CHECK(link({words}, true).ok());
}

}  // namespace
}  // namespace transpire::test
