// verify() finds each way to break LIR.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;
using lir::Function;
using lir::ValueId;

namespace {

/// b0 branches on n == 0 to b1 or b2; b1 adds and goes to b2, which has a phi.
Function diamond() {
  return built(KernelText{.parameters = "%g_int %p, %int %n", .body = R"(
%c = OpIEqual %bool %n %int_0
OpBranchConditional %c %a %b
%a = OpLabel
%x = OpIAdd %int %n %n
OpBranch %b
%b = OpLabel
%y = OpPhi %int %n %entry %x %a
OpStore %p %y
OpReturn)"});
}

ValueId find(const Function& f, Op op) {
  for (ValueId id = 0; id < f.values.size(); ++id)
    if (f.values[id].op == op) return id;
  return lir::kNoValue;
}

bool says(const Function& f, std::string_view what) {
  const std::string found = lir::verify(f);
  CAPTURE(found);
  const bool said = found.find(what) != std::string::npos;
  CHECK(said);
  return said;
}

}  // namespace

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

}  // namespace transpire::test
