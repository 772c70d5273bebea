// verify() finds each way to break LIR.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/vm/build/support.h"
#include "vm/program/immediates.h"

namespace transpire::test {
namespace {

using namespace lir;

/// b0 branches on n == 0 to b1 or b2; b1 adds and goes to b2, which has a phi.
Function diamond() {
  return built(R"(
kernel %g_int %p, %int %n
%c = OpIEqual %bool %n %int_0
OpBranchConditional %c %a %b
%a = OpLabel
%x = OpIAdd %int %n %n
OpBranch %b
%b = OpLabel
%y = OpPhi %int %n %entry %x %a
OpStore %p %y)");
}

ValueId find(const Function& f, Op op) {
  for (ValueId id = 0; id < f.values.size(); ++id)
    if (f.values[id].op == op) return id;
  return lir::kNoValue;
}

/// With one more instruction, the first one of b1.
Function with(Function f, lir::Value value) {
  value.block = 1;
  std::vector<ValueId>& instructions = f.blocks[1].instructions;
  instructions.insert(instructions.begin(), f.add(std::move(value)));
  return f;
}

bool says(const Function& f, std::string_view what) {
  const std::string found = lir::verify(f);
  CAPTURE(found);
  const bool said = found.find(what) != std::string::npos;
  CHECK(said);
  return said;
}

TEST_CASE("verify accepts what build makes") { CHECK(lir::verify(diamond()) == ""); }

TEST_CASE("verify checks operands against the op table") {
  Function f = diamond();
  const ValueId add = find(f, Op::kIAdd);
  f.values[add].args.pop_back();
  says(f, "IAdd has 1 operands, expected 2");
  f = diamond();
  f.values[add].kind = f.values[add].from = Kind::kF32;
  says(f, "IAdd has no result of kind f32");
  f = diamond();
  f.values[add].args[1] = find(f, Op::kIEqual);
  says(f, "operand 1 of IAdd is bool, expected i32");
  f = diamond();
  f.values[add].args[1] = 1000;
  says(f, "IAdd has an operand that does not exist");
  f = diamond();
  f.values[find(f, Op::kStore)].imm = 7;
  says(f, "Store names no access");
}

TEST_CASE("verify refuses what only emission makes") {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const OpInfo& facts = info(static_cast<Op>(i));
    if (facts.shape != Shape::kEngine) continue;
    CAPTURE(facts.name);
    Function f = diamond();
    lir::Value& value = f.values[find(f, Op::kIAdd)];
    value.op = static_cast<Op>(i);
    value.args.clear();
    says(f, fmt::format("{} is none of a function's: emission makes it", facts.name));
  }
}

TEST_CASE("verify checks a printf against its format") {
  Function f = diamond();
  const ValueId one = f.constant(Kind::kI32, 1), real = f.constant(Kind::kF32, 1);
  const auto print = [&](lir::ValueList args) {
    return with(f, {.op = Op::kPrintf, .kind = Kind::kI32, .args = std::move(args)});
  };
  says(print({}), "Printf names no format");
  f.printfs.resize(1);
  std::vector<PrintfInfo::Argument>& arguments = f.printfs[0].arguments;
  arguments.resize(2);
  arguments[0].kind = Kind::kI32;
  arguments[0].components = 2;
  arguments[1].is_string = true;  // no operand
  CHECK(lir::verify(print({one, one})) == "");
  says(print({one}), "Printf has 1 operands, expected 2");
  says(print({one, one, one}), "Printf has 3 operands, expected 2");
  says(print({one, real}), "operand 1 of Printf is f32, expected i32");
}

TEST_CASE("verify checks what is enqueued against its ND-range and local sizes") {
  Function f = diamond();
  const ValueId number = f.constant(Kind::kI32, 1), address = f.constant(Kind::kI64, 1);
  lir::ValueList all{address, number, number, address, address, address, number, number};
  all.resize(EnqueueInfo::kLocalSizes + 2, address);
  const auto enqueue = [&](lir::ValueList args) {
    return with(f, {.op = Op::kEnqueueKernel, .kind = Kind::kI32, .args = std::move(args)});
  };
  says(enqueue(all), "EnqueueKernel names nothing that is enqueued");
  f.enqueues.resize(1);
  f.enqueues[0].local_sizes = 2;
  CHECK(lir::verify(enqueue(all)) == "");
  for (const std::uint32_t at :
       {EnqueueInfo::kBlock, EnqueueInfo::kGlobal, EnqueueInfo::kLocalSizes}) {
    lir::ValueList wrong = all;
    wrong[at] = number;
    says(enqueue(wrong), fmt::format("operand {} of EnqueueKernel is i32, expected i64", at));
  }
  lir::ValueList wrong = all;
  wrong[EnqueueInfo::kDimensions] = address;
  says(enqueue(wrong), "operand 7 of EnqueueKernel is i64, expected i32");
  all.pop_back();
  says(enqueue(all), "EnqueueKernel has 18 operands, expected 19");
  const lir::Value marker{.op = Op::kEnqueueMarker,
                          .kind = Kind::kI32,
                          .imm = 1,
                          .args = {address, number, address, address}};
  says(with(f, marker), "EnqueueMarker names nothing that is enqueued");
  const lir::Value capture{
      .op = Op::kCaptureProfiling, .imm = 1, .args = {address, number, address}};
  says(with(f, capture), "CaptureProfiling names nothing that is enqueued");
  f.enqueues.resize(2);
  CHECK(lir::verify(with(f, marker)) == "");
  CHECK(lir::verify(with(f, capture)) == "");
}

TEST_CASE("verify checks that there is what an immediate names") {
  Function f = diamond();
  const ValueId one = f.constant(Kind::kI32, 1), no = f.constant(Kind::kBool, 0);
  const ValueId address = f.constant(Kind::kI64, 1);
  const lir::Value record{.op = Op::kRecordResult, .from = Kind::kI32, .args = {address, one, one}};
  says(with(f, record), "RecordResult names no site");
  f.result_sites.resize(1);
  CHECK(lir::verify(with(f, record)) == "");

  const lir::Value check{.op = Op::kCheckNot, .imm = RuleCheck{0, 1}.encode(), .args = {no}};
  says(with(f, check), "CheckNot names no remark");
  f.remarks = {"why"};
  CHECK(lir::verify(with(f, check)) == "");

  lir::Value wait{.op = Op::kWaitEvents, .imm = 16, .args = {one, address}};
  says(with(f, wait), "WaitEvents has events of 16 bytes, expected 4 or 8");
  wait.imm = 4;
  CHECK(lir::verify(with(f, wait)) == "");
}

TEST_CASE("verify limits the operands of exact functions to what their handlers have room for") {
  Function f = diamond();
  lir::Value dot{.op = Op::kExactDot,
                 .kind = Kind::kF32,
                 .args = lir::ValueList(kMostExactOperands, f.constant(Kind::kF32, 1))};
  CHECK(lir::verify(with(f, dot)) == "");
  dot.args.push_back(dot.args[0]);
  says(with(f, dot), fmt::format("ExactDot has {} operands, expected at most {}",
                                 kMostExactOperands + 1, kMostExactOperands));
}

TEST_CASE("verify checks blocks and edges") {
  Function f = diamond();
  f.blocks[2].preds.pop_back();
  says(f, "phi");
  f = diamond();
  std::swap(f.blocks[2].preds[0], f.blocks[2].preds[1]);
  says(f, "does not dominate");
  f = diamond();
  f.blocks[1].preds.clear();
  says(f, "the predecessors of b1 do not match the targets");
  f = diamond();
  f.blocks[1].targets.push_back(2);
  says(f, "Branch of b1 has 2 targets");
  f = diamond();
  f.blocks[1].targets[0] = 9;
  says(f, "b1 has a target that does not exist");
  f = diamond();
  f.blocks[1].terminator = lir::kNoValue;
  says(f, "b1 has no terminator");
  f = diamond();
  f.blocks[2].instructions.push_back(find(f, Op::kIAdd));
  says(f, "stands in b2 but says b1");
  f = diamond();
  f.order = {0, 1};
  says(f, "the block order leaves blocks out");
}

TEST_CASE("verify checks dominance") {
  Function f = diamond();
  f.values[find(f, Op::kStore)].args[1] = find(f, Op::kIAdd);
  says(f, "in b1 does not dominate its use by");
  f = diamond();
  const ValueId add = find(f, Op::kIAdd);
  f.values[add].args[0] = add;
  says(f, "does not dominate its use by");
}

}  // namespace
}  // namespace transpire::test
