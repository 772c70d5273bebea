// Functions: block order, calls ahead, lines, names, imports, entry points and their modes, and
// debug information, which may do as it likes.
#include <doctest/doctest.h>

#include "tests/decoder/support.h"

namespace transpire::test {
namespace {

const std::string kFunctionTypes =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n"
    "%fni = OpTypeFunction %int %int\n%one = OpConstant %int 1\n%two = OpConstant %int 2\n"
    "%true = OpConstantTrue %bool\n";

const Instruction& instruction_at(const Module& module, std::size_t block, std::size_t index) {
  return module.functions.at(0).blocks.at(block).instructions.at(index);
}

TEST_CASE("blocks may stand in any order and use values that come later") {
  const Module module =
      module_of(kKernelHeader + "OpName %f \"f\"\nOpName %last \"last\"\n" + kFunctionTypes +
                "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpBranch %first\n"
                "%last = OpLabel\n%sum = OpIAdd %int %x %one\nOpReturn\n"
                "%first = OpLabel\n%phi = OpPhi %int %one %entry\n%x = OpIMul %int %phi %two\n"
                "OpBranchConditional %true %last %other\n"
                "%other = OpLabel\nOpSwitch %x %last 1 %last 2 %last\nOpFunctionEnd\n");
  const Function& function = module.functions[0];
  CHECK(function.blocks.size() == 4);
  CHECK(function.block_index(id_of(module, "last")) == 1);
  CHECK(function.block_index(12345) == -1);
  CHECK(function.blocks[1].instructions[0].op == spv::Op::OpIAdd);
  CHECK(spell(*module.type_of(function.blocks[1].instructions[0].result_id)) == "uint");
}

TEST_CASE("a 64-bit selector has 64-bit cases") {
  const Module module = module_of(
      kKernelHeader + "%long = OpTypeInt 64 0\n%c = OpConstant %long 3\n" + kFunctionTypes +
      "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpSwitch %c %a 0x100000000 %b\n"
      "%a = OpLabel\nOpReturn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n");
  CHECK(instruction_at(module, 0, 0).operands.size() == 5);
}

TEST_CASE("a function may be called before it stands in the module") {
  const Module module = module_of(kKernelHeader + "OpName %g \"callee\"\n" + kFunctionTypes +
                                  "%f = OpFunction %void None %fn\n%entry = OpLabel\n%r = "
                                  "OpFunctionCall %int %g %two\nOpReturn\n"
                                  "OpFunctionEnd\n%g = OpFunction %int Inline %fni\n%a = "
                                  "OpFunctionParameter %int\n%l = OpLabel\n"
                                  "OpReturnValue %a\nOpFunctionEnd\n");
  const Function* callee = module.function(instruction_at(module, 0, 0).operands[0]);
  REQUIRE(callee != nullptr);
  CHECK(callee->name == "callee");
  CHECK(callee->control == spv::FunctionControlMask::Inline);
  CHECK(callee->parameters.size() == 1);
  CHECK(module.kind_of(callee->parameters[0].id) == IdKind::kParameter);
}

TEST_CASE("functions are named by OpName, entry point, linkage or id") {
  const Module module = module_of(
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "OpMemoryModel Physical32 OpenCL\nOpEntryPoint Kernel %k \"kernel\"\nOpName %n \"named\"\n"
      "OpDecorate %n LinkageAttributes \"symbol\" Export\nOpDecorate %i LinkageAttributes "
      "\"imported\" Import\n" +
      kFunctionTypes +
      "%i = OpFunction %void None %fn\nOpFunctionEnd\n"
      "%k = OpFunction %void None %fn\n%k0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%n = OpFunction %void None %fn\n%n0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%x = OpFunction %void None %fn\n%x0 = OpLabel\nOpReturn\nOpFunctionEnd\n");
  CHECK(module.functions[0].name == "imported");
  CHECK(module.functions[0].is_import());
  CHECK(module.functions[1].name == "kernel");
  CHECK(module.functions[2].name == "named");
  CHECK(module.functions[3].name == "%" + std::to_string(module.functions[3].id));
  CHECK(module.pointer_bytes() == 4);
}

TEST_CASE("execution modes reach their entry point, ids resolved") {
  const Module module = module_of(
      kKernelHeader +
          "OpEntryPoint Kernel %f \"a\"\nOpEntryPoint Kernel %f \"b\"\n"
          "OpExecutionMode %f VecTypeHint 4\nOpExecutionModeId %f LocalSizeId %two %one %null\n"
          "OpDecorate %two SpecId 3\n%int = OpTypeInt 32 0\n%void = OpTypeVoid\n%fn = "
          "OpTypeFunction %void\n"
          "%one = OpConstant %int 1\n%two = OpSpecConstant %int 2\n%null = OpConstantNull %int\n"
          "%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
      {.specialisation = {{3, 8}}});
  for (const char* name : {"a", "b"}) {
    const EntryPoint* entry = module.entry_point(name);
    REQUIRE(entry != nullptr);
    CHECK(entry->modes.size() == 2);
    const ExecutionMode* size = entry->mode(spv::ExecutionMode::LocalSizeId);
    REQUIRE(size != nullptr);
    CHECK(size->operands == std::vector<std::uint32_t>{8, 1, 0});
    CHECK(entry->mode(spv::ExecutionMode::LocalSize) == nullptr);
  }
  CHECK(module.entry_point("c") == nullptr);
}

TEST_CASE("OpLine holds to the end of the block or OpNoLine") {
  const Module module = module_of(
      kKernelHeader + "%file = OpString \"a.cl\"\n" + kFunctionTypes +
      "OpLine %file 1 1\n%f = OpFunction %void None %fn\nOpLine %file 2 1\n%entry = OpLabel\n"
      "%a = OpIAdd %int %one %one\nOpLine %file 7 3\n%b = OpIAdd %int %one %one\nOpNoLine\n"
      "%c = OpIAdd %int %one %one\nOpLine %file 9 1\nOpBranch %next\n%next = OpLabel\nOpReturn\n"
      "OpFunctionEnd\n");
  CHECK_FALSE(module.source_line(instruction_at(module, 0, 0).line).known());
  const SourceLine line = module.source_line(instruction_at(module, 0, 1).line);
  CHECK(line.file == "a.cl");
  CHECK(line.line == 7);
  CHECK(line.column == 3);
  CHECK_FALSE(module.source_line(instruction_at(module, 0, 2).line).known());
  CHECK(module.source_line(instruction_at(module, 0, 3).line).line == 9);
  CHECK_FALSE(module.source_line(instruction_at(module, 1, 0).line).known());
}

TEST_CASE("what an optimiser left without a line has the nearest one") {
  const Module module = module_of(
      kKernelHeader + "%file = OpString \"a.cl\"\n" + kFunctionTypes +
      "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpLine %file 4 1\n"
      "%a = OpIAdd %int %one %one\nOpBranch %next\n"
      "%next = OpLabel\nOpLine %file 0 0\n%b = OpIAdd %int %one %one\n"
      "OpMemoryBarrier %one %one\nOpLine %file 9 2\n%c = OpIAdd %int %one %one\n"
      "OpBranch %last\n%last = OpLabel\nOpMemoryBarrier %one %one\n%d = OpIAdd %int %one %one\n"
      "OpReturn\nOpFunctionEnd\n");
  const auto line = [&](std::size_t block, std::size_t index) {
    return module.source_line(instruction_at(module, block, index).line).line;
  };
  CHECK(line(1, 0) == 9);  // its block's, though the one before is as near
  CHECK(line(1, 1) == 9);
  CHECK(line(2, 0) == 9);  // told of none: a barrier
  CHECK(line(2, 1) == 0);
}

TEST_CASE("a diagnostic inside a function carries its source line") {
  const Words words = assembled(kKernelHeader + "%file = OpString \"a.cl\"\n" + kFunctionTypes +
                                "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpLine %file 7 "
                                "3\n%b = OpIAdd %int %one %int\n"
                                "OpReturn\nOpFunctionEnd\n");
  const Result<Module> module = decoded(words, {.input_name = "a.spv"});
  REQUIRE(!module.ok());
  CHECK(format(module.errors()[0]) ==
        "error[TSP-D0018]: expected a value, found %" +
            std::to_string(words[offset_of(words, spv::Op::OpTypeInt) + 1]) +
            ", which names a type\n  --> a.spv: word " +
            std::to_string(offset_of(words, spv::Op::OpIAdd)) + ", OpIAdd (a.cl:7:3)\n");
}

TEST_CASE("debug instructions may stand anywhere and name anything") {
  Words words = assembled(
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "OpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%dbg = OpExtInstImport \"OpenCL.DebugInfo.100\"\n%ns = OpExtInstImport "
      "\"NonSemantic.Something\"\n"
      "OpMemoryModel Physical64 OpenCL\nOpName %unused \"dangling\"\n" +
      kFunctionTypes +
      "%a = OpExtInst %void %ns 1 %later %f\n%t = OpExtInst %void %dbg DebugTypePointer %x "
      "CrossWorkgroup FlagIsPublic\n"
      "%x = OpExtInst %void %dbg DebugInfoNone\n"
      "%f = OpFunction %void None %fn\n%b = OpExtInst %void %ns 2 %one\n%entry = OpLabel\n"
      "%later = OpExtInst %void %ns 3 %undefined\n%s = OpExtInst %void %dbg DebugScope %x\n"
      "OpReturn\n%c = OpExtInst %void %ns 4\nOpFunctionEnd\n%d = OpExtInst %void %ns 5\n");
  // Translators write a storage class of -1 here.
  words[offset_of(words, spv::Op::OpExtInst, 1) + 6] = 0xffffffff;
  const Module module = whole(words);
  CHECK(module.functions[0].blocks[0].instructions.size() == 3);
  CHECK(module.ext_inst_imports[0].set == ExtendedSet::kOpenCLDebugInfo);
  CHECK(module.ext_inst_imports[1].set == ExtendedSet::kNonSemantic);
  const Result<std::string> text = disassemble(words, false);
  REQUIRE_MESSAGE(text.ok(), format(text.errors()[0]));
  CHECK(text->starts_with("; 1 instructions that SPIRV-Tools cannot read stand as OpNop\n"));
  const Result<Words> linked = link({words}, true);
  CHECK_MESSAGE(linked.ok(), format(linked.errors()[0]));
}

TEST_CASE("DebugLine of the non-semantic set gives lines as OpLine does") {
  const Module module = module_of(
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "OpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Physical64 "
      "OpenCL\n"
      "%name = OpString \"b.cl\"\n" +
      kFunctionTypes +
      "%n42 = OpConstant %int 42\n"
      "%src = OpExtInst %void %dbg DebugSource %name\n"
      "%f = OpFunction %void None %fn\n%entry = OpLabel\n"
      "%l = OpExtInst %void %dbg DebugLine %src %n42 %n42 %two %two\n%a = OpIAdd %int %one %one\n"
      "%m = OpExtInst %void %dbg DebugNoLine\nOpReturn\nOpFunctionEnd\n");
  const SourceLine line = module.source_line(instruction_at(module, 0, 1).line);
  CHECK(line.file == "b.cl");
  CHECK(line.line == 42);
  CHECK(line.column == 2);
  CHECK_FALSE(module.source_line(instruction_at(module, 0, 3).line).known());
}

TEST_CASE("names that are no UTF-8 are repaired, not refused") {
  Words words = assembled(kKernelHeader + "OpName %int \"abc\"\n" + kFunctionTypes);
  words[offset_of(words, spv::Op::OpName) + 2] = 0x0062ff61;
  const Module module = whole(words);
  CHECK(id_of(module,
              "a\xef\xbf\xbd"
              "b") != 0);
}

TEST_CASE("a module from clang with debug information decodes with its lines") {
  const Module module = module_of(data_file("flow_debug_info.spvasm"));
  CHECK(module.source_language == spv::SourceLanguage::OpenCL_C);
  CHECK(module.source_version == 200000);
  const Function* kernel = module.function(module.entry_point("flow")->function);
  REQUIRE(kernel != nullptr);
  bool found = false;
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const Instruction& instruction : block.instructions)
        found = found || module.source_line(instruction.line).file.ends_with("flow.cl");
  CHECK(found);
}

}  // namespace
}  // namespace transpire::test
