// Every D rule fires with its id, its word offset and the instruction's name. A case is a module,
// a change to its words where assembly text cannot say what is wrong, and where the error must be.
#include <doctest/doctest.h>

#include <functional>
#include <optional>

#include "tests/decoder/support.h"

namespace transpire::test {

using namespace decoder;

namespace {

const std::string kTypes =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%char = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n"
    "%float = OpTypeFloat 32\n%fn = OpTypeFunction %void\n%fni = OpTypeFunction %int %int\n"
    "%one = OpConstant %int 1\n";

std::string body(const std::string& instructions) {
  return kTypes + "%f = OpFunction %void None %fn\n%entry = OpLabel\n" + instructions +
         "OpReturn\nOpFunctionEnd\n";
}

/// Patches of words by hand: the module's words and the offset of the instruction under test.
using Patch = std::function<void(Words&, std::uint32_t)>;

struct Case {
  const char* rule;
  std::string text;  // after the kernel header
  spv::Op op;        // the instruction at fault
  std::size_t nth = 0;
  Patch patch = {};
  const char* expected = "";  // part of the message
};

void check(const Case& row) {
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

void check_all(std::initializer_list<Case> rows) {
  for (const Case& row : rows) check(row);
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

void check_header(const char* rule, std::uint64_t offset, const Words& words,
                  DecodeOptions options = {}) {
  const Result<Module> module = decoded(words, options);
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == std::string("TSP-") + rule);
  CHECK(module.errors()[0].word_offset == offset);
}

}  // namespace

TEST_CASE("D0001 to D0006: the header") {
  const Words good = assembled(kKernelHeader + kTypes);
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
  REQUIRE(!odd.ok());
  CHECK(odd.errors()[0].rule == "TSP-D0001");
}

TEST_CASE("D0001, D0007 to D0012: frames and literals") {
  check_all({
      {"D0001", kTypes, spv::Op::OpConstant, 0,
       [](Words& w, std::uint32_t at) { w[at] += 1u << 16; }},
      {"D0007", kTypes, spv::Op::OpConstant, 0,
       [](Words& w, std::uint32_t at) { w[at] &= 0xffff; }},
      {"D0009", kTypes, spv::Op::OpTypeInt, 0, resized(-1), "LiteralInteger"},
      {"D0009", kTypes, spv::Op::OpTypeInt, 0, resized(-3), "at least 2 words"},
      {"D0009", body("%v = OpVariable %int Function\n"), spv::Op::OpVariable, 0, resized(-1)},
      {"D0009", body("OpSwitch %one %entry 4 %entry\n%dead = OpLabel\n"), spv::Op::OpSwitch, 0,
       resized(-1)},
      {"D0010", kTypes, spv::Op::OpTypeInt, 0, resized(1), "expected 4 words, found 5"},
      {"D0010", body("%r = OpExtInst %float %ocl fabs %zero\n"), spv::Op::OpTypeFloat, 0,
       resized(2)},
      {"D0011", "OpName %int \"abc\"\n" + kTypes, spv::Op::OpName, 0, set_word(2, 0x61616161)},
      {"D0012", "OpDecorate %f LinkageAttributes \"abc\" Export\n" + body(""), spv::Op::OpDecorate,
       0, set_word(3, 0x00ff6161)},
  });
  Words words = assembled(kKernelHeader + kTypes);
  const std::uint32_t at = offset_of(words, spv::Op::OpConstant);
  words[at] |= 0xffff;
  const Result<Module> module = decoded(words);
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == "TSP-D0008");
  CHECK(module.errors()[0].word_offset == at);
}

TEST_CASE("D0013 to D0019: ids and enumerants") {
  check_all({
      {"D0013", kTypes, spv::Op::OpConstant, 0, set_word(2, 0), "found 0"},
      {"D0013", kTypes, spv::Op::OpTypeFunction, 0, set_word(2, 5000), "5000"},
      {"D0014", kTypes, spv::Op::OpTypeFloat, 0,
       [](Words& w, std::uint32_t at) { w[at + 1] = w[at - 3]; }, "already defined"},
      {"D0015",
       body("%s = OpIAdd %int %one %nothing\n"),
       spv::Op::OpIAdd,
       0,
       {},
       "nothing defines"},
      {"D0016", kTypes + "%p = OpTypePointer Function %int\n", spv::Op::OpTypePointer, 0,
       set_word(2, 77), "StorageClass has no value 77"},
      {"D0016",
       kTypes +
           "%p = OpTypePointer Function %int\n%f = OpFunction %void None %fn\n%l = OpLabel\n"
           "%v = OpVariable %p Function\n%x = OpLoad %int %v Aligned 4\nOpReturn\nOpFunctionEnd\n",
       spv::Op::OpLoad, 0, set_word(5, 0), "at least 1"},
      {"D0016",
       kTypes +
           "%p = OpTypePointer Function %int\n%f = OpFunction %void None %fn\n%l = OpLabel\n"
           "%v = OpVariable %p Function\n%x = OpLoad %int %v Volatile\nOpReturn\nOpFunctionEnd\n",
       spv::Op::OpLoad, 0, set_word(4, 0x1000), "MemoryAccess has no bits 0x1000"},
      {"D0016", kTypes, spv::Op::OpTypeInt, 0, set_word(3, 2), "signedness"},
      {"D0016", "OpDecorate %int Alignment 4\n" + kTypes, spv::Op::OpDecorate, 0, set_word(3, 0),
       "found 0"},
      {"D0017", body("%s = OpIAdd %one %one %one\n"), spv::Op::OpIAdd, 0, {}, "names a constant"},
      {"D0017", kTypes + "%v = OpTypeVector %later 4\n%later = OpTypeFloat 64\n",
       spv::Op::OpTypeVector},
      {"D0018", body("%s = OpIAdd %int %int %one\n"), spv::Op::OpIAdd, 0, {}, "expected a value"},
      {"D0018",
       body("%c = OpFunctionCall %void %one\n"),
       spv::Op::OpFunctionCall,
       0,
       {},
       "expected a function"},
      {"D0018",
       body("%c = OpFunctionCall %void %f\n%s = OpIAdd %int %c %one\n"),
       spv::Op::OpIAdd,
       0,
       {},
       "without a value"},
      {"D0018", body("%r = OpExtInst %float %ocl fabs %one\n"), spv::Op::OpExtInst, 0,
       set_word(3, 3), "instruction set"},
      {"D0019",
       kTypes + "%f = OpFunction %int None %fni\n%a = OpFunctionParameter %int\n%l = OpLabel\n"
                "OpReturnValue %a\nOpFunctionEnd\n%g = OpFunction %int None %fni\n"
                "%b = OpFunctionParameter %int\n%m = OpLabel\nOpReturnValue %a\nOpFunctionEnd\n",
       spv::Op::OpReturnValue, 1},
  });
}

TEST_CASE("D0020 and D0021: the module's sections") {
  check_all({
      {"D0020",
       kTypes + "OpName %int \"late\"\n",
       spv::Op::OpName,
       0,
       {},
       "debug names, found it after declarations"},
      {"D0020", kTypes + "OpCapability Int64\n", spv::Op::OpCapability, 7},
      {"D0020",
       kTypes + "%s = OpIAdd %int %one %one\n",
       spv::Op::OpIAdd,
       0,
       {},
       "only in a function"},
      {"D0020",
       body("%late = OpTypeInt 64 0\n"),
       spv::Op::OpTypeInt,
       2,
       {},
       "cannot stand in a function"},
      {"D0020",
       body("%domain = OpAliasDomainDeclINTEL\n"),
       spv::Op::OpAliasDomainDeclINTEL,
       0,
       {},
       "cannot stand in a function"},
      {"D0021", "OpMemoryModel Physical64 OpenCL\n", spv::Op::OpMemoryModel, 1, {}, "a second"},
  });
  const Words none = assembled("OpCapability Kernel\n%v = OpTypeVoid\n");
  check_header("D0021", offset_of(none, spv::Op::OpTypeVoid), none);
  const Words empty = assembled("OpCapability Kernel\n");
  check_header("D0021", empty.size(), empty);
}

TEST_CASE("D0022 to D0026: types") {
  std::string deep = kTypes + "%s0 = OpTypeStruct %int\n";
  for (int i = 1; i < 1100; ++i)
    deep += "%s" + std::to_string(i) + " = OpTypeStruct %s" + std::to_string(i - 1) + "\n";
  std::string arrays = kTypes + "%a0 = OpTypeArray %int %one\n";
  for (int i = 1; i < 300; ++i)
    arrays += "%a" + std::to_string(i) + " = OpTypeArray %a" + std::to_string(i - 1) + " %one\n";
  check_all({
      {"D0022", kTypes + "%v = OpTypeVector %void 2\n", spv::Op::OpTypeVector, 0, {}, "scalar"},
      {"D0022", kTypes + "%v = OpTypeVector %int 5\n", spv::Op::OpTypeVector, 0, {}, "found 5"},
      {"D0022", kTypes + "%a = OpTypeArray %void %one\n", spv::Op::OpTypeArray},
      {"D0022", kTypes + "%s = OpTypeStruct %int %fn\n", spv::Op::OpTypeStruct, 0, {}, "member 1"},
      {"D0022", kTypes + "%g = OpTypeFunction %int %void\n", spv::Op::OpTypeFunction, 2},
      {"D0022", kTypes + "%s = OpTypeSampledImage %int\n", spv::Op::OpTypeSampledImage},
      {"D0022", kTypes + "%v = OpVariable %int CrossWorkgroup\n", spv::Op::OpVariable},
      {"D0023", "OpTypeForwardPointer %p Function\n" + kTypes, spv::Op::OpTypeForwardPointer},
      {"D0023",
       "OpTypeForwardPointer %p Function\n" + kTypes +
           "%s = OpTypeStruct %p\n"
           "%p = OpTypePointer Workgroup %s\n",
       spv::Op::OpTypePointer,
       0,
       {},
       "Function as announced"},
      {"D0023", "OpTypeForwardPointer %p Function\n" + kTypes + "%p = OpTypeStruct %int\n",
       spv::Op::OpTypeStruct},
      {"D0024", deep, spv::Op::OpTypeStruct, 1022},
      {"D0024", arrays, spv::Op::OpTypeArray, 259},
      {"D0024", "OpTypeForwardPointer %p Function\n%p = OpTypePointer Function %p\n",
       spv::Op::OpTypeForwardPointer},
      {"D0025",
       kTypes + "%long = OpTypeInt 64 0\n%n = OpConstant %long 0x7fffffffffffffff\n"
                "%a = OpTypeArray %int %n\n",
       spv::Op::OpTypeArray},
      {"D0025",
       kTypes + "%long = OpTypeInt 64 0\n%n = OpConstant %long 0x1000000000000\n"
                "%a = OpTypeArray %char %n\n%s = OpTypeStruct %a %a\n",
       spv::Op::OpTypeStruct},
      {"D0026", kTypes + "%h = OpConstant %float 2\n%a = OpTypeArray %int %h\n",
       spv::Op::OpTypeArray},
      {"D0026", kTypes + "%a = OpTypeArray %int %n\n%n = OpConstant %int 2\n",
       spv::Op::OpTypeArray},
  });
}

TEST_CASE("D0027 to D0030: constants") {
  std::string deep =
      kTypes + "%f1 = OpConstant %float 1\n%c0 = OpSpecConstantOp %float FNegate %f1\n";
  for (int i = 1; i < 1100; ++i)
    deep += "%c" + std::to_string(i) + " = OpSpecConstantOp %float FNegate %c" +
            std::to_string(i - 1) + "\n";
  const std::string vector = kTypes + "%v2 = OpTypeVector %int 2\n";
  check_all({
      {"D0027", kTypes, spv::Op::OpConstant, 0,
       [](Words& w, std::uint32_t at) { w[at + 1] = w[offset_of(w, spv::Op::OpTypeBool) + 1]; },
       "integer or float"},
      {"D0027", kTypes + "%t = OpConstantTrue %int\n", spv::Op::OpConstantTrue, 0, {}, "type bool"},
      {"D0027",
       vector + "%c = OpConstantComposite %v2 %one\n",
       spv::Op::OpConstantComposite,
       0,
       {},
       "2 constituents"},
      {"D0027",
       vector + "%h = OpConstant %float 1\n%c = OpConstantComposite %v2 %one %h\n",
       spv::Op::OpConstantComposite,
       0,
       {},
       "constituent 1"},
      {"D0027", vector + "%c = OpConstantComposite %int %one\n", spv::Op::OpConstantComposite},
      {"D0027", kTypes + "%n = OpConstantNull %void\n", spv::Op::OpConstantNull},
      {"D0028", vector + "%c = OpConstantComposite %v2 %one %later\n%later = OpConstant %int 2\n",
       spv::Op::OpConstantComposite},
      {"D0028", kTypes + "%c = OpSpecConstantOp %int IAdd %one %int\n", spv::Op::OpSpecConstantOp},
      {"D0028",
       kTypes + "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup %int\n",
       spv::Op::OpVariable,
       0,
       {},
       "initializer"},
      {"D0029", kTypes + "%c = OpSpecConstantOp %int IAdd %one %one\n", spv::Op::OpSpecConstantOp,
       0, set_word(3, static_cast<std::uint32_t>(spv::Op::OpAtomicISub))},
      {"D0029", kTypes + "%c = OpSpecConstantOp %int IAdd %one %one\n", spv::Op::OpSpecConstantOp,
       0, set_word(3, static_cast<std::uint32_t>(spv::Op::OpReturn)), "OpReturn"},
      {"D0030", deep, spv::Op::OpSpecConstantOp, 1023},
  });
}

TEST_CASE("D0031, D0032: functions") {
  const std::string label = "%f = OpFunction %void None %fn\n%entry = OpLabel\n";
  check_all({
      {"D0031", kTypes + label + "OpReturn\n", spv::Op::OpFunction, 0, {}, "end of the module"},
      {"D0031", kTypes + label + "OpReturn\n%g = OpFunction %void None %fn\nOpFunctionEnd\n",
       spv::Op::OpFunction, 1},
      {"D0031", kTypes + label + "OpReturn\n%p = OpFunctionParameter %int\nOpFunctionEnd\n",
       spv::Op::OpFunctionParameter},
      {"D0032", kTypes + "%f = OpFunction %void None %int\nOpFunctionEnd\n", spv::Op::OpFunction},
      {"D0032",
       kTypes + "%f = OpFunction %int None %fn\nOpFunctionEnd\n",
       spv::Op::OpFunction,
       0,
       {},
       "result type void"},
      {"D0032",
       kTypes + "%f = OpFunction %int None %fni\n%l = OpLabel\nOpUnreachable\nOpFunctionEnd\n",
       spv::Op::OpLabel,
       0,
       {},
       "expected 1 parameters"},
      {"D0032", kTypes + "%f = OpFunction %int None %fni\nOpFunctionEnd\n", spv::Op::OpFunctionEnd},
      {"D0032",
       kTypes + "%f = OpFunction %int None %fni\n%p = OpFunctionParameter %float\nOpFunctionEnd\n",
       spv::Op::OpFunctionParameter,
       0,
       {},
       "expected type uint for parameter 0, found float"},
      {"D0032",
       kTypes + "%f = OpFunction %void None %fn\n%p = OpFunctionParameter %int\nOpFunctionEnd\n",
       spv::Op::OpFunctionParameter},
  });
}

TEST_CASE("D0033 to D0035, D0039: blocks and calls") {
  const std::string label = "%f = OpFunction %void None %fn\n%entry = OpLabel\n";
  check_all({
      {"D0033", kTypes + label + "OpFunctionEnd\n", spv::Op::OpFunctionEnd},
      {"D0033",
       kTypes + label + "%two = OpLabel\nOpReturn\nOpFunctionEnd\n",
       spv::Op::OpLabel,
       1,
       {},
       "to end with a branch"},
      {"D0033", kTypes + label + "OpReturn\nOpReturn\nOpFunctionEnd\n", spv::Op::OpReturn, 1},
      {"D0034",
       kTypes + label + "OpBranch %one\nOpFunctionEnd\n",
       spv::Op::OpBranch,
       0,
       {},
       "names a constant"},
      {"D0034",
       kTypes + label +
           "OpReturn\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%l = OpLabel\n"
           "OpBranch %entry\nOpFunctionEnd\n",
       spv::Op::OpBranch,
       0,
       {},
       "belongs to another"},
      {"D0034", body("%p = OpPhi %int %one %f\n"), spv::Op::OpPhi},
      {"D0035",
       body("%c = OpFunctionCall %void %f %one\n"),
       spv::Op::OpFunctionCall,
       0,
       {},
       "0 arguments"},
      {"D0035",
       body("%c = OpFunctionCall %int %f\n"),
       spv::Op::OpFunctionCall,
       0,
       {},
       "result type void"},
      {"D0039", kTypes + "%f = OpFunction %void None %fn\nOpFunctionEnd\n", spv::Op::OpFunction},
  });
}

TEST_CASE("D0036 to D0038: entry points, decorations, extended instructions") {
  check_all({
      {"D0036",
       "OpEntryPoint Kernel %int \"f\"\n" + body(""),
       spv::Op::OpEntryPoint,
       0,
       {},
       "a function"},
      {"D0036",
       "OpEntryPoint Kernel %f \"f\" %one\n" + body(""),
       spv::Op::OpEntryPoint,
       0,
       {},
       "interface"},
      {"D0036", "OpEntryPoint Kernel %f \"f\"\nOpEntryPoint Kernel %f \"f\"\n" + body(""),
       spv::Op::OpEntryPoint, 1},
      {"D0036", "OpExecutionMode %f ContractionOff\n" + body(""), spv::Op::OpExecutionMode},
      {"D0036",
       "OpEntryPoint Kernel %f \"f\"\nOpExecutionModeId %f LocalSizeId %one %one %fn\n" + body(""),
       spv::Op::OpExecutionModeId,
       0,
       {},
       "LocalSizeId"},
      {"D0037", "OpGroupDecorate %int %one\n" + kTypes, spv::Op::OpGroupDecorate},
      {"D0037",
       "OpMemberDecorate %s 2 Offset 4\n" + kTypes + "%s = OpTypeStruct %int %int\n",
       spv::Op::OpMemberDecorate,
       0,
       {},
       "member 2 of struct %"},
      {"D0037",
       "OpMemberDecorate %int 0 Offset 4\n" + kTypes,
       spv::Op::OpMemberDecorate,
       0,
       {},
       "found uint"},
      {"D0038", body("%r = OpExtInst %float %ocl fabs %one\n"), spv::Op::OpExtInst, 0,
       set_word(4, 5000), "5000"},
  });
}

TEST_CASE("what no kernel has is refused by name") {
  check_all({
      {"U0003",
       kTypes + "%m = OpTypeRuntimeArray %int\n",
       spv::Op::OpTypeRuntimeArray,
       0,
       {},
       "OpTypeRuntimeArray"},
      {"U0003", kTypes, spv::Op::OpTypeInt, 0, set_word(2, 24), "24 bits"},
      {"U0003",
       kTypes + "%o = OpTypeOpaque \"o\"\n%s = OpTypeStruct %int %o\n",
       spv::Op::OpTypeStruct,
       0,
       {},
       "OpTypeStruct of opaque o is not supported"},
      {"U0003",
       kTypes + "%p = OpTypePointer CrossWorkgroup %int\n%v = OpVariable %p CrossWorkgroup\n"
                "%n = OpSpecConstantOp %int ConvertPtrToU %v\n%a = OpTypeArray %int %n\n",
       spv::Op::OpTypeArray,
       0,
       {},
       "an array length that OpConvertPtrToU gives here"},
      {"U0003",
       kTypes + "%n = OpSpecConstant %int 2\n%a = OpTypeArray %int %n\n%c = OpConstantComposite %a "
                "%one\n",
       spv::Op::OpConstantComposite,
       0,
       {},
       "its length, which specialization constants give, is another one"},
      {"U0003", kTypes, spv::Op::OpTypeFloat, 0, set_word(2, 8), "8 bits"},
  });
}

TEST_CASE("entry points that share a function cannot multiply its modes without end") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "OpEntryPoint Kernel %f \"k" + std::to_string(i) + "\"\n";
  for (int i = 0; i < 400; ++i) text += "OpExecutionMode %f ContractionOff\n";
  const Result<Module> module = decoded(assembled(kKernelHeader + text + body("")));
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == "TSP-D0036");
}

TEST_CASE("groups cannot multiply decorations without end") {
  std::string text = kKernelHeader;
  for (int i = 0; i < 2000; ++i) text += "OpDecorate %g Aliased\n";
  text += "%g = OpDecorationGroup\n";
  for (int i = 0; i < 100; ++i) text += "OpGroupDecorate %g %int\n";
  const Words words = assembled(text + kTypes);
  const Result<Module> module = decoded(words);
  REQUIRE(!module.ok());
  CHECK(module.errors()[0].rule == "TSP-D0037");
  CHECK(module.errors()[0].instruction == "OpGroupDecorate");
}

}  // namespace transpire::test
