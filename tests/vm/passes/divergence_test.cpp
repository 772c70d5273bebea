// analyse_divergence: spreads of values, joins of divergent branches, exits of divergent loops.
#include <doctest/doctest.h>

#include <memory>
#include <sstream>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"
#include "vm/passes/divergence_joins.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

LowerOptions in_line() {
  LowerOptions options;
  options.linear_x = true;
  return options;
}

/// The comment behind a value is what its spread must be, by each of `all`: u(niform), v(arying) or a stride.
void check_spreads(const std::string& body, const std::vector<LowerOptions>& all = {in_line()}) {
  const std::string text = "arguments: %n i32, %p pointer\nb0:\n" + body;
  for (std::size_t column = 0; column < all.size(); ++column) {
    CAPTURE(column);
    std::string expected, found;
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line.substr(std::min(line.find(';') + 1, line.size())));
      std::string name, spread;
      std::istringstream(line) >> name;
      for (std::size_t i = 0; i <= column; ++i) words >> spread;
      if (name.starts_with('%')) expected += name + ' ' + spread + '\n';
    }
    LirNames names;
    Function f = parse_lir(text, names);
    REQUIRE(verify(f) == "");
    canonicalise_loops(f);
    order_blocks(f);
    analyse_divergence(f, all[column]);
    for (const auto& [id, name] : names) {
      const Value& value = f.values[id];
      if (value.op == Op::kArgument) continue;
      found += '%' + name + ' ' +
               (value.spread == Spread::kVarying   ? "v"
                : value.spread == Spread::kUniform ? "u"
                                                   : std::to_string(value.stride)) +
               '\n';
    }
    CHECK(found == expected);
  }
}

TEST_CASE("built-ins follow the shape of the launch") {
  LowerOptions packed, packed_in_line = in_line(), reference;
  packed.packed = packed_in_line.packed = reference.reference = true;
  check_spreads(R"(
      %a i64 = GlobalId [0]   ; v 1 v 1 v
      %b i64 = GlobalId [1]   ; v u v u v
      %c i64 = LocalId [0]    ; v 1 v v v
      %d i64 = LocalLinearId  ; 1 1 v v v
      %e i64 = GlobalLinearId ; v 1 v 1 v
      %f i64 = GroupId [0]    ; u u v v v
      %g i64 = LocalSize [0]  ; u u u u v
      %h i64 = GlobalSize [2] ; u u u u v
      %i i64 = WorkDim        ; u u u u v
  )",
                {{}, in_line(), packed, packed_in_line, reference});
}

TEST_CASE("strides go through sums, constant products and exact extensions") {
  check_spreads(R"(
      %g i64 = GlobalId [0]               ; 1
      %a i64 = IAdd %g, i64:5             ; 1
      %b i64 = ISub i64:5, %g             ; -1
      %c i64 = IMul %b, i64:12            ; -12
      %d i32 = Truncate %c                ; -12
      %e i32 = ShiftLeftLogical %d, i32:3 ; -96
      %f i64 = SignExtend %e              ; v
      %h i32 = Truncate %g                ; 1
      %i i64 = SignExtend %h              ; 1
      %j i64 = Address %p + s32 %h * 4    ; 4
      %k i64 = Address %j + %g * 4        ; 8
      %l i64 = Address %p + s32 %e * 4    ; v
      %m i64 = ISub %a, %g                ; u
      %o i64 = IMul %g, %g                ; v
      %q bool = ULessThan %a, i64:5       ; v
  )");
}

TEST_CASE("loads are uniform where address and memory are") {
  LowerOptions packed;
  packed.packed = true;
  check_spreads(R"(
      %x i64 = Address %p + s32 %n * 4                 ; u u
      %a i32 = Load %x (global i32x2, align 4)         ; u u
      %a1 i32 = Result %a [1]                          ; u u
      %b i32 = Load %x (workgroup i32, align 4)        ; u v
      %c i32 = Load %x (constant i32, align 4)         ; u u
      %d i32 = Load %x (private i32, align 4)          ; v v
      %e i32 = Load %x (generic i32, align 4)          ; v v
      %f i32 = Load %x (global i32, align 4, volatile) ; v v
      %g i64 = GlobalId [0]                            ; 1 v
      %h i32 = Load %p + %g * 4 (global i32, align 4)  ; v v
      %i i32 = AtomicIAdd %p, %n (global i32, align 4) ; v v
  )",
                {in_line(), packed});
}

TEST_CASE("a by-value parameter that is only read is the same in all lanes") {
  const auto spread_of_loads = [](const char* write) {
    Function f = parse_lir(std::string(R"(
      arguments: %s by-value 64, %x private 64
        %g i64 = GlobalId [0]
        %a i32 = Load %s + 4 (private i32, align 4)
        %e i64 = Address %s + s32 %a * 4
        %b i32 = Load %e (generic i32, align 4)
        %c i32 = Load %s + %g * 4 (private i32, align 4)
        %d i32 = Load %x (private i32, align 4)
        )") + write + R"(
    )");
    REQUIRE(verify(f) == "");
    analyse_divergence(f, in_line());
    std::string result;
    for (const Value& value : f.values) {
      if (value.op == Op::kLoad) result += value.spread == Spread::kUniform ? 'u' : 'v';
    }
    return result;
  };
  CHECK(spread_of_loads("Store %x, %a (private i32, align 4)") == "uuvv");
  CHECK(spread_of_loads("CopyMemory %x, %e, i64:8 (private i8, align 4)") == "uuvv");
  CHECK(spread_of_loads("Store %e, %a (private i32, align 4)") == "vvvv");
  CHECK(spread_of_loads("Store %x, %e (private i64, align 4)") == "vvvv");
}

TEST_CASE("phis vary where lanes that parted meet, and only there") {
  check_spreads(R"(
      %g i64 = GlobalId [0]         ; 1
      %c bool = ULessThan %g, i64:5 ; v
      BranchConditional %c, b1, b2
    b1: from b0
      %u bool = ULessThan %n, i32:5 ; u
      BranchConditional %u, b3, b4
    b2: from b0
      Branch b6
    b3: from b1
      Branch b5
    b4: from b1
    b5: from b3 b4
      %x i32 = Phi i32:1, i32:2     ; u
    b6: from b2 b5
      %y i32 = Phi i32:1, i32:2     ; v
      %z i32 = Phi %n, %n           ; u
  )");
}

TEST_CASE("lanes that leave a loop in different rounds take different values along") {
  // The bound is an id: i is the same in all lanes that are still inside, but not outside.
  check_spreads(R"(
      %g i64 = GlobalId [0]         ; 1
      %g32 i32 = Truncate %g        ; 1
    b1: from b0 b1
      %i i32 = Phi i32:0, %i2       ; u
      %i2 i32 = IAdd %i, i32:1      ; u
      %c bool = ULessThan %i2, %g32 ; v
      BranchConditional %c, b1, b2
    b2: from b1
      %x i32 = Phi %i2              ; v
      %y i32 = Phi %n               ; u
  )");
  // The bound is an argument.
  check_spreads(R"(
    b1: from b0 b1
      %i i32 = Phi i32:0, %i2     ; u
      %i2 i32 = IAdd %i, i32:1    ; u
      %c bool = ULessThan %i2, %n ; u
      BranchConditional %c, b1, b2
    b2: from b1
      %x i32 = Phi %i2            ; u
  )");
  // The condition of the way out is uniform, but only some lanes come to it.
  check_spreads(R"(
      %g i64 = GlobalId [0]            ; 1
      %d bool = ULessThan %g, i64:7    ; v
    b1: from b0 b4
      %i i32 = Phi i32:0, %i2          ; u
      %i2 i32 = IAdd %i, i32:1         ; u
      BranchConditional %d, b2, b3
    b2: from b1
      %c bool = ULessThan %i2, %n      ; u
      BranchConditional %c, b3, b5
    b3: from b1 b2
      %e bool = ULessThan %i2, i32:100 ; u
      BranchConditional %e, b4, b5
    b4: from b3
      Branch b1
    b5: from b2 b3
      %x i32 = Phi %i2, %i             ; v
  )");
}

TEST_CASE("a way out of the inner loop into the next round of the outer one counts as a way out") {
  check_spreads(R"(
      %g i64 = GlobalId [0]            ; 1
      %d bool = ULessThan %g, i64:7    ; v
    b1: from b0 b6
    b2: from b1 b5
      %i i32 = Phi i32:0, %i2          ; u
      %i2 i32 = IAdd %i, i32:1         ; u
      BranchConditional %d, b3, b4
    b3: from b2
      %c bool = ULessThan %i2, %n      ; u
      BranchConditional %c, b5, b6
    b4: from b2
    b5: from b3 b4
      %e bool = ULessThan %i2, i32:100 ; u
      BranchConditional %e, b2, b7
    b6: from b3
      %x i32 = Phi %i2                 ; v
      Branch b1
    b7: from b5
      %y i32 = Phi %i2                 ; v
  )");
}

TEST_CASE("a divergent loop inside a uniform one leaves the outer one uniform") {
  check_spreads(R"(
      %g i64 = GlobalId [0]         ; 1
      %g32 i32 = Truncate %g        ; 1
    b1: from b0 b3
      %i i32 = Phi i32:0, %i2       ; u
    b2: from b1 b2
      %j i32 = Phi i32:0, %j2       ; u
      %j2 i32 = IAdd %j, i32:1      ; u
      %c bool = ULessThan %j2, %g32 ; v
      BranchConditional %c, b2, b3
    b3: from b2
      %x i32 = Phi %j2              ; v
      %i2 i32 = IAdd %i, i32:1      ; u
      %d bool = ULessThan %i2, %n   ; u
      BranchConditional %d, b1, b4
    b4: from b3
      %y i32 = Phi %i2              ; u
  )");
}

TEST_CASE("what analysis calls uniform or affine is so in every run") {
  std::size_t scalars = 0;
  for (std::uint32_t seed = 0; seed < random_cases(250); ++seed) {
    CAPTURE(seed);
    RandomLirOptions form;
    form.structured = seed % 2 == 0;
    const Function before = random_lir(seed, form);
    Function f = before;
    canonicalise_loops(f);
    order_blocks(f);
    analyse_divergence(f, in_line());
    for (const Value& value : f.values) {
      scalars += value.block != kNoBlock && value.spread != Spread::kVarying ? 1 : 0;
    }
    CHECK(compare_functions(before, f, 16) == "");
  }
  CHECK(scalars > 2000);
}

/// `depth` loops, each the only thing in the one around it, and in the innermost `exits` ways out of all of them.
std::string nest_text(std::uint32_t depth, std::uint32_t exits) {
  const std::uint32_t bodies = depth + 1, latches = bodies + exits, outside = latches + depth,
                      end = outside + exits;
  const auto branch = [](std::uint32_t to) { return "Branch b" + std::to_string(to); };
  const auto choice = [](std::uint32_t to, std::uint32_t otherwise) {
    return "BranchConditional %u, b" + std::to_string(to) + ", b" + std::to_string(otherwise);
  };
  std::vector<std::string> ends(end + 1, branch(end));
  for (std::uint32_t i = 0; i <= depth; ++i) ends[i] = branch(i + 1);
  for (std::uint32_t i = 0; i < exits; ++i) ends[bodies + i] = choice(outside + i, bodies + i + 1);
  for (std::uint32_t i = 0; i < depth; ++i)
    ends[latches + i] = choice(depth - i, i + 1 == depth ? end : latches + i + 1);
  ends[end] = "Return";
  std::string text = "arguments: %n i32\n";
  for (std::uint32_t i = 0; i <= end; ++i) {
    text += "b" + std::to_string(i) + ":\n";
    if (i == 0) text += "%u bool = ULessThan %n, i32:5\n";
    text += ends[i] + "\n";
  }
  return text;
}

TEST_CASE("edges from latches to exits, of which there may be many, come out of the budget") {
  Function f = parse_lir(nest_text(20, 100));
  REQUIRE(verify(f) == "");
  canonicalise_loops(f);
  order_blocks(f);
  const BlockOrder order = reverse_post_order(f);
  const LoopForest forest(f, order, Dominators(f));
  std::size_t exits = 0;
  for (const BlockList& of_loop : loop_exits(f, forest)) exits += of_loop.size();
  REQUIRE(exits >= 20 * 100);
  f.budget = std::make_shared<Budget>(LowerLimits{});
  const std::vector<BlockId> line = linear_order(f, order, forest);
  const DivergenceJoins joins(f, forest, line, [](BlockId) {});
  // An exit stands in its loop's list, and as an edge in the list that the graph is made of, in the graph and in its reverse.
  CHECK(f.budget->bytes_taken() >=
        exits * (sizeof(BlockId) + sizeof(Edges::Edge) + 2 * sizeof(BlockId)));
}

}  // namespace
}  // namespace transpire::test
