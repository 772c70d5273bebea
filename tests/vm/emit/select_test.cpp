// Selection: the form of each instruction, its virtual registers, and the prologue.
#include "vm/emit/select.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/emit/stages.h"

namespace transpire::test {
namespace {

std::vector<SelectedInst> of_op(const std::vector<SelectedInst>& body, Op op) {
  std::vector<SelectedInst> found;
  std::ranges::copy_if(body, std::back_inserter(found),
                       [&](const SelectedInst& inst) { return inst.site.op == op; });
  return found;
}

TEST_CASE("select: an operand that all lanes share stays a scalar where a handler takes one") {
  const Stages stages(R"(
    arguments: %own pointer, %s i32
      %g i64 = GlobalId [0]
      %v i32 = Load %own + %g * 4 (global i32, align 4)
      %p i32 = IMul %v, %s
      Store %own + %g * 4, %p (global i32, align 4))");
  const auto products = of_op(stages.selection.blocks[0].body, Op::kIMul);
  REQUIRE(products.size() == 1);
  constexpr Form kScalarRight = 2;
  const auto& forms =
      stages.table
          .simple[static_cast<std::size_t>(Op::kIMul)][static_cast<std::size_t>(Kind::kI32)];
  const bool takes_scalar = products[0].run == forms[kScalarRight];
  CHECK(takes_scalar);
  CHECK(products[0].a == stages.reg("v"));
  CHECK(products[0].b == stages.reg("s"));
  CHECK(products[0].d == stages.reg("p"));
  CHECK(!stages.selection.registers[products[0].a].is_scalar);
  CHECK(stages.selection.registers[products[0].b].is_scalar);
}

TEST_CASE("select: a scalar value has a row beside it only if an instruction wants the row") {
  const Stages stages(R"(
    arguments: %own pointer, %s i32
      %g i64 = GlobalId [0]
      %l i32 = Load %own (global i32, align 4)
      %a i32 = IAdd %l, %s
      %b i32 = IAdd %a, %s
      Store %own + %g * 4, %b (global i32, align 4))");
  const auto& body = stages.selection.blocks[0].body;
  const auto spreads = of_op(body, Op::kSpread);
  REQUIRE(spreads.size() == 1);
  CHECK(spreads[0].a == stages.reg("b"));
  CHECK(spreads[0].helps);
  CHECK(of_op(body, Op::kStore)[0].values[0] == spreads[0].d);
}

TEST_CASE("select: a site says which registers hold the address that is read") {
  const Stages stages(R"(
    arguments: %own pointer
    b0:
      %g i64 = GlobalId [0]
      %l i64 = Load %own (global i64, align 8)
      %i i64 = Load %own + %g * 8 (global i64, align 8)
      %n i64 = IMul %i, %l
      %x i32 = Load %own + %n * 4 (global i32, align 4)
      Store %own + %g * 4, %x (global i32, align 4)
      Return)");
  const auto& body = stages.selection.blocks[0].body;
  const auto loads = of_op(body, Op::kLoad);
  REQUIRE(loads.size() == 3);
  CHECK(loads[0].site.form == kScalarAddress);
  CHECK(loads[1].site.form == HandlerTable::kAffine64);
  CHECK(loads[2].site.form == HandlerTable::kRow64);
  CHECK(of_op(body, Op::kStore)[0].site.form == kNoAddress);
}

TEST_CASE("select: what every group repeats stands in the prologue") {
  const Stages stages(R"(
    arguments: %own pointer, %s i32
      %l i64 = LocalId [0]
      %n i32 = Truncate %l
      %m i32 = IMul %n, %n
      %g i64 = GlobalId [0]
      %x i32 = Load %own + %g * 4 (global i32, align 4)
      %y i32 = IMul %x, %m
      Store %own + %g * 4, %y (global i32, align 4))");
  CHECK(of_op(stages.selection.prologue, Op::kLocalId).size() == 1);
  CHECK(of_op(stages.selection.prologue, Op::kIMul).size() == 1);
  CHECK(of_op(stages.selection.blocks[0].body, Op::kIMul).size() == 1);
  CHECK(of_op(stages.selection.blocks[0].body, Op::kGlobalId).size() == 1);
}

}  // namespace
}  // namespace transpire::test
