// Constants: literals, specialisation, and OpSpecConstantOp at its edges.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "decoder/fold.h"
#include "tests/decoder/support.h"

namespace transpire::test {
namespace {

const std::string kConstantTypes =
    "%bool = OpTypeBool\n%char = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"
    "%float = OpTypeFloat 32\n";

std::uint64_t fold32(spv::Op op, std::uint64_t a, std::uint64_t b) {
  const FoldOperand operands[] = {{a, 32}, {b, 32}};
  return fold(op, operands, 32);
}

std::uint64_t fold_one(spv::Op op, std::uint64_t a, std::uint32_t from, std::uint32_t to) {
  const FoldOperand operands[] = {{a, from}};
  return fold(op, operands, to);
}

TEST_CASE("literals are zero-extended, whatever stands in the high bits of their word") {
  const Module module = module_of(
      kKernelHeader + "OpName %c \"c\"\nOpName %l \"l\"\nOpName %f \"f\"\nOpName %t \"t\"\n" +
      kConstantTypes +
      "%s8 = OpTypeInt 8 1\n%c = OpConstant %s8 -1\n%l = OpConstant %long 0x123456789abcdef0\n"
      "%f = OpConstant %float 1.5\n%t = OpConstantTrue %bool\n");
  CHECK(constant_of(module, "c").bits == 0xff);
  CHECK(constant_of(module, "l").bits == 0x123456789abcdef0);
  CHECK(constant_of(module, "f").bits == 0x3fc00000);
  CHECK(constant_of(module, "t").bits == 1);
  CHECK_FALSE(constant_of(module, "c").specialisable);
}

TEST_CASE("specialisation replaces values by SpecId, wrapped to the width") {
  const std::string text =
      kKernelHeader +
      "OpName %c \"c\"\nOpName %b \"b\"\nOpName %u \"u\"\nOpName %sum \"sum\"\nOpName %v \"v\"\n"
      "OpDecorate %c SpecId 1\nOpDecorate %b SpecId 2\n" +
      kConstantTypes +
      "%v2 = OpTypeVector %char 2\n%c = OpSpecConstant %char 5\n%b = OpSpecConstantFalse %bool\n"
      "%u = OpSpecConstant %char 9\n%sum = OpSpecConstantOp %char IAdd %c %u\n"
      "%v = OpSpecConstantComposite %v2 %c %sum\n";
  DecodeOptions options;
  options.specialisation = {{1, 0x1fe}, {2, 0x100}, {99, 1}};
  const Module module = module_of(text, options);
  CHECK(constant_of(module, "c").bits == 0xfe);
  CHECK(constant_of(module, "c").has_spec_id);
  CHECK(constant_of(module, "c").spec_id == 1);
  CHECK(constant_of(module, "b").bits == 1);
  CHECK(constant_of(module, "u").bits == 9);
  CHECK_FALSE(constant_of(module, "u").has_spec_id);
  CHECK(constant_of(module, "sum").kind == Constant::Kind::kScalar);
  CHECK(constant_of(module, "sum").bits == 7);
  CHECK(constant_of(module, "v").elements.size() == 2);
  CHECK(constant_of(module_of(text), "sum").bits == 14);
}

TEST_CASE("operations that give no integer are kept") {
  const Module module = module_of(
      kKernelHeader + "OpName %x \"x\"\nOpName %f \"f\"\nOpName %g \"g\"\nOpName %dep \"dep\"\n" +
      kConstantTypes +
      "%v2 = OpTypeVector %int 2\n%one = OpConstant %int 1\n%v = OpConstantComposite %v2 %one "
      "%one\n"
      "%x = OpSpecConstantOp %int CompositeExtract %v 1\n"
      "%f = OpSpecConstantOp %float ConvertUToF %one\n"
      "%dep = OpSpecConstantOp %int IAdd %x %one\n"
      "%n4 = OpConstant %int 4\n%a = OpTypeArray %int %n4\n%pa = OpTypePointer CrossWorkgroup %a\n"
      "%pi = OpTypePointer CrossWorkgroup %int\n%var = OpVariable %pa CrossWorkgroup\n"
      "%g = OpSpecConstantOp %pi InBoundsPtrAccessChain %var %one %one\n");
  CHECK(constant_of(module, "x").kind == Constant::Kind::kScalar);
  CHECK(constant_of(module, "x").bits == 1);
  CHECK(constant_of(module, "f").kind == Constant::Kind::kOperation);
  CHECK(constant_of(module, "f").elements.size() == 1);
  CHECK(constant_of(module, "dep").bits == 2);
  CHECK(constant_of(module, "g").operation == spv::Op::OpInBoundsPtrAccessChain);
}

TEST_CASE("null, undef and sampler constants keep their kind") {
  const Module module = module_of(
      kKernelHeader + "OpName %n \"n\"\nOpName %u \"u\"\nOpName %s \"s\"\nOpName %sum \"sum\"\n" +
      kConstantTypes +
      "%st = OpTypeSampler\n%n = OpConstantNull %int\n%u = OpUndef %int\n"
      "%s = OpConstantSampler %st Repeat 1 Linear\n%sum = OpSpecConstantOp %int Not %n\n");
  CHECK(constant_of(module, "n").kind == Constant::Kind::kNull);
  CHECK(constant_of(module, "u").kind == Constant::Kind::kUndef);
  CHECK(module.kind_of(id_of(module, "u")) == IdKind::kUndef);
  CHECK(constant_of(module, "s").kind == Constant::Kind::kSampler);
  CHECK(constant_of(module, "s").elements == std::vector<std::uint32_t>{3, 1, 1});
  CHECK(constant_of(module, "sum").bits == 0xffffffff);
}

TEST_CASE("arithmetic wraps and has documented results where none is defined") {
  CHECK(fold32(spv::Op::OpIAdd, 0xffffffff, 2) == 1);
  CHECK(fold32(spv::Op::OpISub, 0, 1) == 0xffffffff);
  CHECK(fold32(spv::Op::OpIMul, 0x80000001, 2) == 2);
  CHECK(fold32(spv::Op::OpUDiv, 7, 0) == 0);
  CHECK(fold32(spv::Op::OpUMod, 7, 0) == 7);
  CHECK(fold32(spv::Op::OpSDiv, 0x80000000, 0xffffffff) == 0x80000000);
  CHECK(fold32(spv::Op::OpSRem, 0x80000000, 0xffffffff) == 0);
  CHECK(fold32(spv::Op::OpSDiv, 0xfffffff9, 2) == 0xfffffffd);  // -7 / 2 = -3
  CHECK(fold32(spv::Op::OpSRem, 0xfffffff9, 2) == 0xffffffff);  // sign of the dividend
  CHECK(fold32(spv::Op::OpSMod, 0xfffffff9, 2) == 1);           // sign of the divisor
  CHECK(fold32(spv::Op::OpSMod, 7, 0xfffffffe) == 0xffffffff);
  CHECK(fold32(spv::Op::OpSMod, 0xfffffff9, 0) == 0xfffffff9);
  const FoldOperand lowest[] = {{0x8000000000000000, 64}, {~std::uint64_t{0}, 64}};
  CHECK(fold(spv::Op::OpSDiv, lowest, 64) == 0x8000000000000000);
  CHECK(fold(spv::Op::OpSRem, lowest, 64) == 0);
}

TEST_CASE("shift amounts count modulo the width of what is shifted") {
  CHECK(fold32(spv::Op::OpShiftLeftLogical, 1, 31) == 0x80000000);
  CHECK(fold32(spv::Op::OpShiftLeftLogical, 1, 32) == 1);
  CHECK(fold32(spv::Op::OpShiftRightLogical, 0x80000000, 33) == 0x40000000);
  CHECK(fold32(spv::Op::OpShiftRightArithmetic, 0x80000000, 31) == 0xffffffff);
  const FoldOperand narrow[] = {{0x80, 8}, {7, 64}};
  CHECK(fold(spv::Op::OpShiftRightArithmetic, narrow, 8) == 0xff);
}

TEST_CASE("conversions extend by the operand's width") {
  CHECK(fold_one(spv::Op::OpSConvert, 0x80, 8, 32) == 0xffffff80);
  CHECK(fold_one(spv::Op::OpUConvert, 0x80, 8, 32) == 0x80);
  CHECK(fold_one(spv::Op::OpUConvert, 0x12345678, 32, 8) == 0x78);
  CHECK(fold_one(spv::Op::OpSNegate, 0x80, 8, 8) == 0x80);
  CHECK(fold_one(spv::Op::OpNot, 0, 16, 16) == 0xffff);
  CHECK(fold_one(spv::Op::OpLogicalNot, 0, 1, 1) == 1);
}

TEST_CASE("comparisons know signed from unsigned") {
  CHECK(fold32(spv::Op::OpSLessThan, 0xffffffff, 0) == 1);
  CHECK(fold32(spv::Op::OpULessThan, 0xffffffff, 0) == 0);
  CHECK(fold32(spv::Op::OpSGreaterThanEqual, 0, 0xffffffff) == 1);
  CHECK(fold32(spv::Op::OpUGreaterThanEqual, 0, 0xffffffff) == 0);
  CHECK(fold32(spv::Op::OpSLessThanEqual, 5, 5) == 1);
  CHECK(fold32(spv::Op::OpSGreaterThan, 0x80000000, 0) == 0);
  CHECK(fold32(spv::Op::OpIEqual, 4, 4) == 1);
  CHECK(fold32(spv::Op::OpINotEqual, 4, 4) == 0);
  const FoldOperand select[] = {{1, 1}, {10, 32}, {20, 32}};
  CHECK(fold(spv::Op::OpSelect, select, 32) == 10);
}

TEST_CASE("operations whose result is not defined are known, and what is made of them") {
  const auto why = [](spv::Op op, std::uint64_t a, std::uint64_t b) {
    const FoldOperand operands[] = {{a, 32}, {b, 32}};
    return undefined_result(op, operands);
  };
  for (const spv::Op op :
       {spv::Op::OpUDiv, spv::Op::OpSDiv, spv::Op::OpUMod, spv::Op::OpSRem, spv::Op::OpSMod}) {
    CAPTURE(static_cast<int>(op));
    CHECK(why(op, 9, 0) == Undefined::kDivisionByZero);
    CHECK(why(op, 9, 3) == Undefined::kNo);
  }
  CHECK(why(spv::Op::OpSDiv, 0x80000000, 0xffffffff) == Undefined::kDivisionOverflow);
  CHECK(why(spv::Op::OpUDiv, 0x80000000, 0xffffffff) == Undefined::kNo);
  CHECK(why(spv::Op::OpShiftLeftLogical, 1, 32) == Undefined::kShift);
  CHECK(why(spv::Op::OpShiftRightArithmetic, 1, 31) == Undefined::kNo);
  CHECK(why(spv::Op::OpIAdd, 0xffffffff, 1) == Undefined::kNo);
  const Module module = module_of(kKernelHeader + kConstantTypes + R"(
%zero = OpSpecConstant %int 0
%one = OpConstant %int 1
%true = OpConstantTrue %bool
%bad = OpSpecConstantOp %int UDiv %one %zero
%sum = OpSpecConstantOp %int IAdd %one %bad
%taken = OpSpecConstantOp %int Select %true %bad %one
%left = OpSpecConstantOp %int Select %true %one %bad
)");
  std::vector<const Constant*> operations;
  for (const Constant& constant : module.constants)
    if (constant.specialisable && !constant.has_spec_id && constant.undefined_by != 0)
      operations.push_back(&constant);
  REQUIRE(operations.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(operations[i]->undefined == Undefined::kDivisionByZero);
    CHECK(operations[i]->undefined_by == operations[0]->id);
  }
  CHECK(operations[3]->undefined == Undefined::kNo);
}

TEST_CASE("what is undefined about a vector's component goes with the component") {
  const Module module = module_of(kKernelHeader + "OpName %good \"good\"\nOpName %bad \"bad\"\n" +
                                  kConstantTypes + R"(
%int2 = OpTypeVector %int 2
%zero = OpSpecConstant %int 0
%six = OpConstant %int 6
%numbers = OpConstantComposite %int2 %six %six
%divisors = OpSpecConstantComposite %int2 %six %zero
%quotients = OpSpecConstantOp %int2 UDiv %numbers %divisors
%good = OpSpecConstantOp %int CompositeExtract %quotients 0
%bad = OpSpecConstantOp %int CompositeExtract %quotients 1
)");
  CHECK(constant_of(module, "good").bits == 1);
  CHECK(constant_of(module, "good").undefined == Undefined::kNo);
  CHECK(constant_of(module, "bad").undefined == Undefined::kDivisionByZero);
  const auto is_vector = [](const Constant& c) { return c.operation == spv::Op::OpUDiv; };
  const auto vector = std::find_if(module.constants.begin(), module.constants.end(), is_vector);
  REQUIRE(vector != module.constants.end());
  CHECK(constant_of(module, "bad").undefined_by == vector->id);
}

TEST_CASE("conversions of floats are known where integers hold them, and wrong words are let be") {
  const auto kind_of = [](const std::string& operation) {
    const Module module = module_of(kKernelHeader + "OpName %x \"x\"\n" + kConstantTypes +
                                    "%int2 = OpTypeVector %int 2\n%double = OpTypeFloat 64\n"
                                    "%one = OpConstant %int 1\n%v = OpConstantNull %int2\n"
                                    "%big = OpConstant %float 4294967296\n"
                                    "%large = OpConstant %float 4294967040\n"
                                    "%less = OpConstant %float -1.5\n"
                                    "%wide = OpSpecConstantOp %double FConvert %less\n" +
                                    operation);
    const Constant& x = constant_of(module, "x");
    return std::pair(x.kind, x.bits);
  };
  using Kind = Constant::Kind;
  CHECK(kind_of("%x = OpSpecConstantOp %int ConvertFToU %large\n") ==
        std::pair(Kind::kScalar, std::uint64_t{4294967040}));
  CHECK(kind_of("%x = OpSpecConstantOp %int ConvertFToS %wide\n") ==
        std::pair(Kind::kScalar, std::uint64_t{0xffffffff}));
  CHECK(kind_of("%x = OpSpecConstantOp %int Bitcast %less\n") ==
        std::pair(Kind::kScalar, std::uint64_t{0xbfc00000}));
  for (const char* unknown :
       {"ConvertFToU %big", "ConvertFToU %less", "ConvertFToS %large", "CompositeExtract %v 2",
        "CompositeExtract %v 0 0", "CompositeExtract %one 0", "CompositeInsert %one %v 0",
        "Select %one %v %v", "IAdd %v %one"}) {
    CAPTURE(std::string(unknown));
    CHECK(kind_of(std::string("%x = OpSpecConstantOp %int ") + unknown + "\n").first ==
          Kind::kOperation);
  }
}

TEST_CASE("operations on operations take no longer than there are of them") {
  std::string text = kKernelHeader + "OpName %x \"x\"\n" + kConstantTypes +
                     "%int16 = OpTypeVector %int 16\n%pair = OpTypeStruct %int16 %int\n"
                     "%one = OpConstant %int 1\n%v0 = OpConstantNull %int16\n"
                     "%s0 = OpConstantNull %pair\n";
  for (int i = 1; i < 1000; ++i) {
    text += fmt::format("%v{} = OpSpecConstantOp %int16 IAdd %v{} %v{}\n", i, i - 1, i - 1);
    text += fmt::format("%s{} = OpSpecConstantOp %pair CompositeInsert %v{} %s{} 0\n", i, i, i - 1);
    text += fmt::format("%e{} = OpSpecConstantOp %int CompositeExtract %s{} 1\n", i, i);
  }
  const Module module = module_of(text + "%x = OpSpecConstantOp %int IAdd %e999 %one\n");
  CHECK(constant_of(module, "x").bits == 1);
}

}  // namespace
}  // namespace transpire::test
