// Every D rule fires with its id, its word offset and the instruction's name. A case is a module,
// a change to its words where assembly text cannot say what is wrong, and where the error must be.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "tests/decoder/support.h"
#include "tests/errors.h"

namespace transpire::test {
namespace {

using spv::Op;

const std::string kRuleTypes =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%char = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n"
    "%float = OpTypeFloat 32\n%fn = OpTypeFunction %void\n%fni = OpTypeFunction %int %int\n"
    "%one = OpConstant %int 1\n";

std::string body(const std::string& instructions) {
  return kRuleTypes + "%f = OpFunction %void None %fn\n%entry = OpLabel\n" + instructions +
         "OpReturn\nOpFunctionEnd\n";
}

/// Patches of words by hand: the module's words and the offset of the instruction under test.
using Patch = std::function<void(Words&, std::uint32_t)>;

struct RuleCase {
  const char* rule;
  std::string text;           // after the kernel header
  spv::Op op;                 // the instruction at fault
  const char* expected = "";  // part of the message
  std::size_t nth = 0;
  Patch patch = {};
};

void check(const RuleCase& row) {
  Words words = assembled(kKernelHeader + row.text);
  const std::uint32_t offset = offset_of(words, row.op, row.nth);
  if (row.patch) row.patch(words, offset);
  const Result<Module> module = decoded(words);
  REQUIRE_MESSAGE(!module.ok(), std::string(row.rule) << " did not fire: " << row.expected);
  const Diagnostic& found = module.errors()[0];
  CHECK_MESSAGE(found.rule == std::string("TSP-") + row.rule, format(found));
  CHECK_MESSAGE(found.word_offset == offset, format(found));
  CHECK_MESSAGE(found.instruction == opcode_name(row.op), format(found));
  CHECK_MESSAGE(found.message.find(row.expected) != std::string::npos, format(found));
  CHECK(found.input == "<module>");
}

void check_all(std::initializer_list<RuleCase> rows) {
  for (const RuleCase& row : rows) check(row);
}

Patch set_word(std::size_t index, std::uint32_t value) {
  return [=](Words& words, std::uint32_t at) { words[at + index] = value; };
}

/// Changes the word count by `by` and inserts or removes words at the instruction's end.
Patch resized(int by) {
  return [=](Words& words, std::uint32_t at) {
    const auto end = words.begin() + at + (words[at] >> 16);
    words[at] += static_cast<std::uint32_t>(by) << 16;
    if (by > 0) words.insert(end, static_cast<std::size_t>(by), 0x61616161);
    if (by < 0) words.erase(end + by, end);
  };
}

/// Lines from 1 on: {0} is the line's number, {1} that of the line before.
std::string chain(int end, std::string_view line) {
  std::string text;
  for (int i = 1; i < end; ++i) text += fmt::format(fmt::runtime(line), i, i - 1);
  return text;
}

void check_header(const char* rule, std::uint64_t offset, const Words& words,
                  DecodeOptions options = {}) {
  const Result<Module> module = decoded(words, options);
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == std::string("TSP-") + rule);
  CHECK(module.errors()[0].word_offset == offset);
}

TEST_CASE("D0001 to D0006: the header") {
  const Words good = assembled(kKernelHeader + kRuleTypes);
  const auto with = [&](std::size_t index, std::uint32_t value) {
    Words words = good;
    words[index] = value;
    return words;
  };
  check_header("D0001", 4, Words(good.begin(), good.begin() + 4));
  check_header("D0002", 0, with(0, 0x07230204));
  check_header("D0003", 1, with(1, 0x00010700));
  check_header("D0003", 1, with(1, 0x00020000));
  check_header("D0003", 1, with(1, 0x00010001));
  check_header("D0004", 3, with(3, 0));
  check_header("D0004", 3, with(3, 0xffffffff));
  check_header("D0004", 3, with(3, 4194304));
  check_header("D0005", 4, with(4, 1));
  DecodeOptions options;
  options.max_module_words = 10;
  check_header("D0006", 0, good, options);
  const Result<Module> odd = decode(std::as_bytes(std::span(good)).first(good.size() * 4 - 1), {});
  CHECK(error_of(odd).starts_with("TSP-D0001: "));
}

TEST_CASE("D0001, D0007 to D0012: frames and literals") {
  check_all({
      {"D0001", kRuleTypes, Op::OpConstant, "", 0,
       [](Words& w, std::uint32_t at) { w[at] += 1u << 16; }},
      {"D0007", kRuleTypes, Op::OpConstant, "", 0,
       [](Words& w, std::uint32_t at) { w[at] &= 0xffff; }},
      {"D0009", kRuleTypes, Op::OpTypeInt, "LiteralInteger", 0, resized(-1)},
      {"D0009", kRuleTypes, Op::OpTypeInt, "at least 2 words", 0, resized(-3)},
      {"D0009", body("%v = OpVariable %int Function\n"), Op::OpVariable, "", 0, resized(-1)},
      {"D0009", body("OpSwitch %one %entry 4 %entry\n%dead = OpLabel\n"), Op::OpSwitch, "", 0,
       resized(-1)},
      {"D0010", kRuleTypes, Op::OpTypeInt, "expected 4 words, found 5", 0, resized(1)},
      {"D0010", body("%r = OpExtInst %float %ocl fabs %zero\n"), Op::OpTypeFloat, "", 0,
       resized(2)},
      {"D0011", "OpName %int \"abc\"\n" + kRuleTypes, Op::OpName, "", 0, set_word(2, 0x61616161)},
      {"D0012", "OpDecorate %f LinkageAttributes \"abc\" Export\n" + body(""), Op::OpDecorate, "",
       0, set_word(3, 0x00ff6161)},
  });
  Words words = assembled(kKernelHeader + kRuleTypes);
  const std::uint32_t at = offset_of(words, Op::OpConstant);
  words[at] |= 0xffff;
  check_header("D0008", at, words);
  words[at] = (words[at] & ~0xffffu) | 5121;
  CHECK(error_of(decode(std::as_bytes(std::span(words)), {})) ==
        "TSP-U0001: OpAbortKHR is not supported");
}

TEST_CASE("D0013 to D0019: ids and enumerants") {
  check_all({
      {"D0013", kRuleTypes, Op::OpConstant, "found 0", 0, set_word(2, 0)},
      {"D0013", kRuleTypes, Op::OpTypeFunction, "5000", 0, set_word(2, 5000)},
      {"D0014", kRuleTypes, Op::OpTypeFloat, "already defined", 0,
       [](Words& w, std::uint32_t at) { w[at + 1] = w[at - 3]; }},
      {"D0015", body("%s = OpIAdd %int %one %nothing\n"), Op::OpIAdd, "nothing defines"},
      {"D0016", kRuleTypes + "%p = OpTypePointer Function %int\n", Op::OpTypePointer,
       "StorageClass has no value 77", 0, set_word(2, 77)},
      {"D0016",
       kRuleTypes +
           "%p = OpTypePointer Function %int\n%f = OpFunction %void None %fn\n%l = OpLabel\n"
           "%v = OpVariable %p Function\n%x = OpLoad %int %v Aligned 4\nOpReturn\nOpFunctionEnd\n",
       Op::OpLoad, "at least 1", 0, set_word(5, 0)},
      {"D0016",
       kRuleTypes +
           "%p = OpTypePointer Function %int\n%f = OpFunction %void None %fn\n%l = OpLabel\n"
           "%v = OpVariable %p Function\n%x = OpLoad %int %v Volatile\nOpReturn\nOpFunctionEnd\n",
       Op::OpLoad, "MemoryAccess has no bits 0x1000", 0, set_word(4, 0x1000)},
      {"D0016", kRuleTypes, Op::OpTypeInt, "signedness", 0, set_word(3, 2)},
      {"D0016", "OpDecorate %int Alignment 4\n" + kRuleTypes, Op::OpDecorate, "found 0", 0,
       set_word(3, 0)},
      {"D0017", body("%s = OpIAdd %one %one %one\n"), Op::OpIAdd, "names a constant"},
      {"D0017", kRuleTypes + "%v = OpTypeVector %later 4\n%later = OpTypeFloat 64\n",
       Op::OpTypeVector},
      {"D0018", body("%s = OpIAdd %int %int %one\n"), Op::OpIAdd, "expected a value"},
      {"D0018", body("%c = OpFunctionCall %void %one\n"), Op::OpFunctionCall,
       "expected a function"},
      {"D0018", body("%c = OpFunctionCall %void %f\n%s = OpIAdd %int %c %one\n"), Op::OpIAdd,
       "without a value"},
      {"D0018", body("%r = OpExtInst %float %ocl fabs %one\n"), Op::OpExtInst, "instruction set", 0,
       set_word(3, 3)},
      {"D0019",
       kRuleTypes +
           "%f = OpFunction %int None %fni\n%a = OpFunctionParameter %int\n%l = OpLabel\n"
           "OpReturnValue %a\nOpFunctionEnd\n%g = OpFunction %int None %fni\n"
           "%b = OpFunctionParameter %int\n%m = OpLabel\nOpReturnValue %a\nOpFunctionEnd\n",
       Op::OpReturnValue, "", 1},
  });
}

TEST_CASE("D0020 and D0021: the module's sections") {
  check_all({
      {"D0020", kRuleTypes + "OpName %int \"late\"\n", Op::OpName,
       "debug names, found it after declarations"},
      {"D0020", kRuleTypes + "OpCapability Int64\n", Op::OpCapability, "", 7},
      {"D0020", kRuleTypes + "%s = OpIAdd %int %one %one\n", Op::OpIAdd, "only in a function"},
      {"D0020", body("%late = OpTypeInt 64 0\n"), Op::OpTypeInt, "cannot stand in a function", 2},
      {"D0020", body("%domain = OpAliasDomainDeclINTEL\n"), Op::OpAliasDomainDeclINTEL,
       "cannot stand in a function"},
      {"D0021", "OpMemoryModel Physical64 OpenCL\n", Op::OpMemoryModel, "a second", 1},
  });
  const Words none = assembled("OpCapability Kernel\n%v = OpTypeVoid\n");
  check_header("D0021", offset_of(none, Op::OpTypeVoid), none);
  const Words empty = assembled("OpCapability Kernel\n");
  check_header("D0021", empty.size(), empty);
}

TEST_CASE("D0022 to D0026: types") {
  const std::string deep =
      kRuleTypes + "%s0 = OpTypeStruct %int\n" + chain(1100, "%s{0} = OpTypeStruct %s{1}\n");
  const std::string arrays =
      kRuleTypes + "%a0 = OpTypeArray %int %one\n" + chain(300, "%a{0} = OpTypeArray %a{1} %one\n");
  check_all({
      {"D0022", kRuleTypes + "%v = OpTypeVector %void 2\n", Op::OpTypeVector, "scalar"},
      {"D0022", kRuleTypes + "%v = OpTypeVector %int 5\n", Op::OpTypeVector, "found 5"},
      {"D0022", kRuleTypes + "%a = OpTypeArray %void %one\n", Op::OpTypeArray},
      {"D0022", kRuleTypes + "%s = OpTypeStruct %int %fn\n", Op::OpTypeStruct, "member 1"},
      {"D0022", kRuleTypes + "%g = OpTypeFunction %int %void\n", Op::OpTypeFunction, "", 2},
      {"D0022", kRuleTypes + "%s = OpTypeSampledImage %int\n", Op::OpTypeSampledImage},
      {"D0022", kRuleTypes + "%v = OpVariable %int CrossWorkgroup\n", Op::OpVariable},
      {"D0023", "OpTypeForwardPointer %p Function\n" + kRuleTypes, Op::OpTypeForwardPointer},
      {"D0023",
       "OpTypeForwardPointer %p Function\n" + kRuleTypes +
           "%s = OpTypeStruct %p\n"
           "%p = OpTypePointer Workgroup %s\n",
       Op::OpTypePointer, "Function as announced"},
      {"D0023", "OpTypeForwardPointer %p Function\n" + kRuleTypes + "%p = OpTypeStruct %int\n",
       Op::OpTypeStruct},
      {"D0024", deep, Op::OpTypeStruct, "", 1022},
      {"D0024", arrays, Op::OpTypeArray, "", 259},
      {"D0024", "OpTypeForwardPointer %p Function\n%p = OpTypePointer Function %p\n",
       Op::OpTypeForwardPointer},
      {"D0025",
       kRuleTypes + "%long = OpTypeInt 64 0\n%n = OpConstant %long 0x7fffffffffffffff\n"
                    "%a = OpTypeArray %int %n\n",
       Op::OpTypeArray},
      {"D0025",
       kRuleTypes + "%long = OpTypeInt 64 0\n%n = OpConstant %long 0x1000000000000\n"
                    "%a = OpTypeArray %char %n\n%s = OpTypeStruct %a %a\n",
       Op::OpTypeStruct},
      {"D0026", kRuleTypes + "%h = OpConstant %float 2\n%a = OpTypeArray %int %h\n",
       Op::OpTypeArray},
      {"D0026", kRuleTypes + "%a = OpTypeArray %int %n\n%n = OpConstant %int 2\n", Op::OpTypeArray},
  });
}

TEST_CASE("D0027 to D0030: constants") {
  const std::string deep =
      kRuleTypes + "%f1 = OpConstant %float 1\n%c0 = OpSpecConstantOp %float FNegate %f1\n" +
      chain(1100, "%c{0} = OpSpecConstantOp %float FNegate %c{1}\n");
  const std::string vector = kRuleTypes + "%v2 = OpTypeVector %int 2\n";
  check_all({
      {"D0027", kRuleTypes, Op::OpConstant, "integer or float", 0,
       [](Words& w, std::uint32_t at) { w[at + 1] = w[offset_of(w, Op::OpTypeBool) + 1]; }},
      {"D0027", kRuleTypes + "%t = OpConstantTrue %int\n", Op::OpConstantTrue, "type bool"},
      {"D0027", vector + "%c = OpConstantComposite %v2 %one\n", Op::OpConstantComposite,
       "2 constituents"},
      {"D0027", vector + "%h = OpConstant %float 1\n%c = OpConstantComposite %v2 %one %h\n",
       Op::OpConstantComposite, "constituent 1"},
      {"D0027", vector + "%c = OpConstantComposite %int %one\n", Op::OpConstantComposite},
      {"D0027", kRuleTypes + "%n = OpConstantNull %void\n", Op::OpConstantNull},
      {"D0028", vector + "%c = OpConstantComposite %v2 %one %later\n%later = OpConstant %int 2\n",
       Op::OpConstantComposite},
      {"D0028", kRuleTypes + "%c = OpSpecConstantOp %int IAdd %one %int\n", Op::OpSpecConstantOp},
      {"D0028",
       kRuleTypes +
           "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup %int\n",
       Op::OpVariable, "initializer"},
      {"D0029", kRuleTypes + "%c = OpSpecConstantOp %int IAdd %one %one\n", Op::OpSpecConstantOp,
       "", 0, set_word(3, static_cast<std::uint32_t>(Op::OpAtomicISub))},
      {"D0029", kRuleTypes + "%c = OpSpecConstantOp %int IAdd %one %one\n", Op::OpSpecConstantOp,
       "OpReturn", 0, set_word(3, static_cast<std::uint32_t>(Op::OpReturn))},
      {"D0030", deep, Op::OpSpecConstantOp, "", 1023},
  });
}

TEST_CASE("D0031, D0032: functions") {
  const std::string label = "%f = OpFunction %void None %fn\n%entry = OpLabel\n";
  check_all({
      {"D0031", kRuleTypes + label + "OpReturn\n", Op::OpFunction, "end of the module"},
      {"D0031", kRuleTypes + label + "OpReturn\n%g = OpFunction %void None %fn\nOpFunctionEnd\n",
       Op::OpFunction, "", 1},
      {"D0031", kRuleTypes + label + "OpReturn\n%p = OpFunctionParameter %int\nOpFunctionEnd\n",
       Op::OpFunctionParameter},
      {"D0032", kRuleTypes + "%f = OpFunction %void None %int\nOpFunctionEnd\n", Op::OpFunction},
      {"D0032", kRuleTypes + "%f = OpFunction %int None %fn\nOpFunctionEnd\n", Op::OpFunction,
       "result type void"},
      {"D0032",
       kRuleTypes + "%f = OpFunction %int None %fni\n%l = OpLabel\nOpUnreachable\nOpFunctionEnd\n",
       Op::OpLabel, "expected 1 parameter as in"},
      {"D0032", kRuleTypes + "%f = OpFunction %int None %fni\nOpFunctionEnd\n", Op::OpFunctionEnd},
      {"D0032",
       kRuleTypes +
           "%f = OpFunction %int None %fni\n%p = OpFunctionParameter %float\nOpFunctionEnd\n",
       Op::OpFunctionParameter, "expected type uint for parameter 0, found float"},
      {"D0032",
       kRuleTypes +
           "%f = OpFunction %void None %fn\n%p = OpFunctionParameter %int\nOpFunctionEnd\n",
       Op::OpFunctionParameter},
  });
}

TEST_CASE("D0033 to D0035, D0039: blocks and calls") {
  const std::string label = "%f = OpFunction %void None %fn\n%entry = OpLabel\n";
  check_all({
      {"D0033", kRuleTypes + label + "OpFunctionEnd\n", Op::OpFunctionEnd},
      {"D0033", kRuleTypes + label + "%two = OpLabel\nOpReturn\nOpFunctionEnd\n", Op::OpLabel,
       "to end with a branch", 1},
      {"D0033", kRuleTypes + label + "OpReturn\nOpReturn\nOpFunctionEnd\n", Op::OpReturn, "", 1},
      {"D0034", kRuleTypes + label + "OpBranch %one\nOpFunctionEnd\n", Op::OpBranch,
       "names a constant"},
      {"D0034",
       kRuleTypes + label +
           "OpReturn\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%l = OpLabel\n"
           "OpBranch %entry\nOpFunctionEnd\n",
       Op::OpBranch, "belongs to another"},
      {"D0034", body("%p = OpPhi %int %one %f\n"), Op::OpPhi},
      {"D0035", body("%c = OpFunctionCall %void %f %one\n"), Op::OpFunctionCall, "0 arguments"},
      {"D0035", body("%c = OpFunctionCall %int %f\n"), Op::OpFunctionCall, "result type void"},
      {"D0039", kRuleTypes + "%f = OpFunction %void None %fn\nOpFunctionEnd\n", Op::OpFunction},
  });
}

TEST_CASE("D0036 to D0038: entry points, decorations, extended instructions") {
  check_all({
      {"D0036", "OpEntryPoint Kernel %int \"f\"\n" + body(""), Op::OpEntryPoint, "a function"},
      {"D0036", "OpEntryPoint Kernel %f \"f\" %one\n" + body(""), Op::OpEntryPoint, "interface"},
      {"D0036", "OpEntryPoint Kernel %f \"f\"\nOpEntryPoint Kernel %f \"f\"\n" + body(""),
       Op::OpEntryPoint, "", 1},
      {"D0036", "OpExecutionMode %f ContractionOff\n" + body(""), Op::OpExecutionMode},
      {"D0036",
       "OpEntryPoint Kernel %f \"f\"\nOpExecutionModeId %f LocalSizeId %one %one %fn\n" + body(""),
       Op::OpExecutionModeId, "LocalSizeId"},
      {"D0037", "OpGroupDecorate %int %one\n" + kRuleTypes, Op::OpGroupDecorate},
      {"D0037", "OpMemberDecorate %s 2 Offset 4\n" + kRuleTypes + "%s = OpTypeStruct %int %int\n",
       Op::OpMemberDecorate, "member 2 of struct %"},
      {"D0037", "OpMemberDecorate %int 0 Offset 4\n" + kRuleTypes, Op::OpMemberDecorate,
       "found uint"},
      {"D0038", body("%r = OpExtInst %float %ocl fabs %one\n"), Op::OpExtInst, "5000", 0,
       set_word(4, 5000)},
  });
}

TEST_CASE("what no kernel has is refused by name") {
  check_all({
      {"U0003", kRuleTypes + "%m = OpTypeAccelerationStructureKHR\n",
       Op::OpTypeAccelerationStructureKHR, "OpTypeAccelerationStructure"},
      {"D0022", kRuleTypes + "%v = OpTypeVector %int 2\n%m = OpTypeMatrix %v 2\n", Op::OpTypeMatrix,
       "expected 2 to 4 columns of 2 to 4 floats, found 2 of uint2"},
      {"U0003", kRuleTypes, Op::OpTypeInt, "24 bits", 0, set_word(2, 24)},
      {"U0003", kRuleTypes + "%o = OpTypeOpaque \"o\"\n%s = OpTypeStruct %int %o\n",
       Op::OpTypeStruct, "OpTypeStruct of opaque o is not supported"},
      {"U0003",
       kRuleTypes + "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup\n"
                    "%n = OpSpecConstantOp %int ConvertPtrToU %v\n%a = OpTypeArray %int %n\n",
       Op::OpTypeArray, "an array length that OpConvertPtrToU gives here"},
      {"U0003",
       kRuleTypes +
           "%n = OpSpecConstant %int 2\n%a = OpTypeArray %int %n\n%c = OpConstantComposite %a "
           "%one\n",
       Op::OpConstantComposite, "its length, which specialization constants give, is another one"},
      {"U0003", kRuleTypes, Op::OpTypeFloat, "8 bits", 0, set_word(2, 8)},
  });
}

TEST_CASE("entry points that share a function cannot multiply its modes without end") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "OpEntryPoint Kernel %f \"k" + std::to_string(i) + "\"\n";
  for (int i = 0; i < 400; ++i) text += "OpExecutionMode %f ContractionOff\n";
  const Result<Module> module = decoded(assembled(kKernelHeader + text + body("")));
  CHECK(error_of(module).starts_with("TSP-D0036: "));
}

TEST_CASE("groups cannot multiply decorations without end") {
  std::string text = kKernelHeader;
  for (int i = 0; i < 2000; ++i) text += "OpDecorate %g Aliased\n";
  text += "%g = OpDecorationGroup\n";
  for (int i = 0; i < 100; ++i) text += "OpGroupDecorate %g %int\n";
  const Words words = assembled(text + kRuleTypes);
  const Result<Module> module = decoded(words);
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == "TSP-D0037");
  CHECK(module.errors()[0].instruction == "OpGroupDecorate");
}

}  // namespace
}  // namespace transpire::test
