// split_indexes: what it takes apart, what it leaves alone, and that functions keep their meaning.
#include <doctest/doctest.h>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/narrow_indexes.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

const MachineGroups kTiles{{4, 3, 2}, {3, 2, 2}, {5, 7, 11}};

bool has_shared_part(const Function& f, const Value& v) {
  if (v.op == Op::kLoad) return v.args.size() > 2;
  return v.op == Op::kStore && v.args.size() > 2 + f.mem[v.imm].components;
}

/// Accesses with a shared part; checks that its rows are the same in every group and stand first,
/// so that emission can move them into the prologue.
std::size_t count_split(const Function& f) {
  std::size_t count = 0;
  for (const Block& block : f.blocks) {
    for (const ValueId id : block.instructions) {
      if (!has_shared_part(f, f.values[id])) continue;
      ++count;
      std::vector<ValueId> work{f.values[id].args[1]};
      while (!work.empty()) {
        const Value& v = f.values[work.back()];
        work.pop_back();
        work.insert(work.end(), v.args.begin(), v.args.end());
        const bool by_group = v.op == Op::kGroupId || v.op == Op::kGlobalId ||
                              v.op == Op::kGlobalLinearId || v.op == Op::kPhi || v.op == Op::kLoad;
        CHECK_FALSE(by_group);
        CHECK((v.block == 0 || v.block == kNoBlock));
      }
    }
  }
  return count;
}

void split(Function& f, const LowerOptions& options) {
  order_blocks(f);
  analyse_divergence(f, options);
  split_indexes(f, options);
  CHECK(verify(f) == "");
  eliminate_dead_values(f);
  CHECK(verify(f) == "");
}

/// Functions after the pass, without spreads; they do the same for all groups of a launch.
void check(const PassCase& c, const LowerOptions& options = {}) {
  check_pass(
      c,
      [&](Function& f) {
        split(f, options);
        for (Value& value : f.values) value.spread = Spread::kVarying;
      },
      [&](const Function& before, const Function& after) {
        return compare_launches(before, after, options.packed ? 72 : 16, kTiles, options.packed);
      });
}

std::string kernel(const std::string& body) {
  return "arguments: %p pointer, %w i32\nb0:\n" + body + "Return\n";
}

const PassCase kSplit[] = {
    {"a tile's index is a row that all groups share and what a group adds", kernel(R"(
      %x64 i64 = GlobalId [0]                              | %0 i64 = LocalId [1]
      %y64 i64 = GlobalId [1]                              | %1 i32 = Truncate %0
      %x i32 = Truncate %x64                               | %2 i32 = IMul %1, %w
      %y i32 = Truncate %y64                               | %3 i64 = LocalId [0]
      %line i32 = IMul %y, %w                              | %4 i32 = Truncate %3
      %i i32 = IAdd %line, %x                              | %5 i32 = IAdd %2, %4
                                                           | %6 i64 = GroupId [0]
                                                           | %7 i64 = EnqueuedLocalSize [0]
                                                           | %8 i64 = IMul %6, %7
                                                           | %9 i64 = GlobalOffset [0]
                                                           | %10 i64 = IAdd %8, %9
                                                           | %11 i64 = GroupId [1]
                                                           | %12 i64 = EnqueuedLocalSize [1]
                                                           | %13 i64 = IMul %11, %12
                                                           | %14 i64 = GlobalOffset [1]
                                                           | %15 i64 = IAdd %13, %14
                                                           | %16 i32 = Truncate %10
                                                           | %17 i32 = Truncate %15
                                                           | %18 i32 = IMul %17, %w
                                                           | %19 i32 = IAdd %18, %16
      %v i32 = Load %p + u32 %i * 4 (global i32, align 4)  | %v i32 = Load %p + u32 (%5 + %19) * 4 (global i32, align 4)
      Store %p + u32 %i * 4 + 64, %v (global i32, align 4) | Store %p + u32 (%5 + %19) * 4 + 64, %v (global i32, align 4)
  )")},
    {"an address of 64 bits", kernel(R"(
      %l i64 = LocalId [1]                         | %0 i64 = LocalId [1]
                                                   | %1 i64 = ShiftLeftLogical %0, i64:3
                                                   | %2 i64 = ISub i64:0, %1
                                                   | %3 i64 = Address i64:0 + %2 * 12
      %g i64 = GroupId [0]
      %s i64 = ShiftLeftLogical %l, i64:3          | %4 i64 = Address %p + %g * 12 + 4
      %d i64 = ISub %g, %s                         | %5 i64 = Address %4 + 8
      %a i64 = Address %p + %d * 12 + 4            |
      %b i64 = Address %a + 8                      |
      %v i32 = Load %b (global i32, align 4)       | %v i32 = Load %5 + %3 * 1 (global i32, align 4)
      Store %a + 4, %v, %v (global i32x2, align 4) | Store %4 + %3 * 1 + 4, %v, %v (global i32x2, align 4)
  )")},
    {"what is widened on the way to an index may be a row or shared, not both", kernel(R"(
      %l i64 = LocalId [1]                               | %0 i64 = LocalId [1]
                                                         | %1 i32 = Truncate %0
                                                         | %2 i32 = IAdd %1, %w
                                                         | %3 i64 = SignExtend %2
                                                         | %4 i64 = SignExtend %1
                                                         | %5 i64 = Address i64:0 + u32 %1 * 4
      %g i64 = GroupId [0]
      %z i32 = Truncate %l                               |
      %i i32 = IAdd %z, %w                               |
      %wide i64 = SignExtend %i                          |
      %v i32 = Load %p + %wide * 4 (global i32, align 4) | %v i32 = Load %p + %3 * 4 (global i32, align 4)
      %n i64 = SignExtend %z                             |
      %m i64 = IAdd %n, %g                               |
      Store %p + %m * 4, %v (global i32, align 4)        | Store %p + (%4 + %g) * 4, %v (global i32, align 4)
      %h i32 = Truncate %g
      %a i64 = Address %p + u32 %z * 4                   | %6 i64 = Address %p
      %b i64 = Address %a + s32 %h * 8                   | %7 i64 = Address %6 + s32 %h * 8
      Store %b, %v (global i32, align 4)                 | Store %7 + %5 * 1, %v (global i32, align 4)
  )")},
    {"an index whose parts would have to be widened apart stays whole", kernel(R"(
      %x i64 = GlobalId [0]
      %i i32 = Truncate %x
      %wide i64 = SignExtend %i
      %v i32 = Load %p + %wide * 4 (global i32, align 4)
      %u i64 = ZeroExtend %i
      %a i64 = Address %p + %u * 4
      Store %a, %v (global i32, align 4)
      %b i64 = Address %p + u32 %i * 4
      Store %b + 4, %v (global i32, align 4)
  )")},
    {"memory that differs by lane, and booleans", kernel(R"(
      %l i64 = LocalId [1]
      %g i64 = GroupId [0]
      %i i64 = IAdd %l, %g
      %v i32 = Load %p + %i * 4 (private i32, align 4)
      Store %p + %i * 4, %v (generic i32, align 4)
      %c bool = Load %p + %i * 1 (global bool, align 1)
      Store %p + %i * 1 + 64, %c (global bool, align 1)
  )")},
    {"what depends on control flow or memory is no row of the prologue", R"(
    arguments: %p pointer
      %l i64 = LocalId [1]
      %c bool = ULessThan %l, i64:2
      BranchConditional %c, b1, b2
    b1: from b0
      Branch b2
    b2: from b0 b1
      %i i64 = Phi %l, i64:7
      %v i64 = Load %p + %i * 8 (global i64, align 8)
      %j i64 = IAdd %v, %l
      %k i64 = IMul %l, %v
      Store %p + %j * 8, %v (global i64, align 8)
      Store %p + %k * 8, %v (global i64, align 8)
  )"},
    {"in a loop, what changes from round to round is shared by all lanes", R"(
    arguments: %p pointer, %w i64
      %x i64 = GlobalId [0]                            | %0 i64 = LocalId [0]
      %line i64 = IMul %x, %w                          | %1 i64 = IMul %0, %w
                                                       | %2 i64 = ShiftLeftLogical %1, i64:2
                                                       | %3 i64 = GroupId [0]
                                                       | %4 i64 = EnqueuedLocalSize [0]
                                                       | %5 i64 = IMul %3, %4
                                                       | %6 i64 = GlobalOffset [0]
                                                       | %7 i64 = IAdd %5, %6
                                                       | %8 i64 = IMul %7, %w
      Branch b1
    b1: from b0 b2
      %k i64 = Phi i64:0, %next
      %i i64 = IAdd %line, %k                          | %9 i64 = IAdd %8, %k
      %t i64 = ShiftLeftLogical %i, i64:2              | %10 i64 = ShiftLeftLogical %9, i64:2
      %v i32 = Load %p + %i * 4 (global i32, align 4)  | %v i32 = Load %p + (%1 + %9) * 4 (global i32, align 4)
      Store %p + %t * 1 + 64, %v (global i32, align 4) | Store %p + (%2 + %10) * 1 + 64, %v (global i32, align 4)
      %next i64 = IAdd %k, i64:1
      %c bool = ULessThan %next, i64:3
      BranchConditional %c, b2, b3
    b2: from b1
      Branch b1
    b3: from b1
  )"},
    {"an index that no lane shares anything with, and one that all share", kernel(R"(
      %l i64 = LocalId [0]                                     | %0 i64 = LocalId [0]
      %n i64 = SNegate %l                                      | %1 bool = ULessThan %0, i64:2
      %c bool = ULessThan %l, i64:2                            | %2 i64 = SNegate %0
      %s i64 = Select %c, %l, %n                               | %3 i64 = Select %1, %0, %2
                                                               | %4 i64 = ISub i64:0, %0
      Store %s + 1152921504606846976, %w (global i32, align 4) | Store i64:0 + %3 * 1 + 1152921504606846976, %w (global i32, align 4)
      %g i64 = GroupId [0]
      Store %p + %g * 4, %w (global i32, align 4)
      %z i64 = ISub %g, %l                                     |
      Store %p + %z * 4, %w (global i32, align 4)              | Store %p + (%4 + %g) * 4, %w (global i32, align 4)
  )")},
    {"shifts that depend on the lane, products of two rows, wide amounts", kernel(R"(
                                                  | %0 i64 = LocalId [0]
                                                  | %1 i64 = ShiftLeftLogical %0, i64:67
      %l i64 = LocalId [0]
      %m i64 = LocalId [1]
      %g i64 = GroupId [0]
      %x i64 = IAdd %g, %l
      %a i64 = ShiftLeftLogical %g, %l
      %b i64 = IMul %x, %x
      %c i64 = IMul %l, %m
      %d i64 = ShiftLeftLogical %x, i64:67        | %2 i64 = ShiftLeftLogical %g, i64:67
      %e i64 = IMul %l, %g
      Store %p + %a * 4, %w (global i32, align 4)
      Store %p + %b * 4, %w (global i32, align 4)
      Store %p + %c * 4, %w (global i32, align 4)
      Store %p + %d * 4, %w (global i32, align 4) | Store %p + (%1 + %2) * 4, %w (global i32, align 4)
      Store %p + %e * 4, %w (global i32, align 4)
  )")},
};

const PassCase kPacked[] = {
    {"global ids vary with the group, and so does workgroup memory", kernel(R"(
      %x i64 = GlobalId [0]
      %l i64 = LocalId [1]
      %v i32 = Load %p + %x * 4 (global i32, align 4)
      %g i64 = GroupId [1]
      %i i64 = IAdd %l, %g
      Store %p + %i * 4, %v (global i32, align 4)
      %j i64 = IAdd %l, i64:3
      Store %p + %j * 4, %v (workgroup i32, align 4)
  )")},
    {"local ids are rows all the same", kernel(R"(
      %l i64 = LocalId [1]                        | %0 i64 = LocalId [1]
      %w64 i64 = ZeroExtend %w
      %i i64 = IAdd %l, %w64                      |
      Store %p + %i * 4, %w (global i32, align 4) | Store %p + (%0 + %w64) * 4, %w (global i32, align 4)
  )")},
};

TEST_CASE("indexes are rows that all groups share and what a group adds") {
  for (const PassCase& c : kSplit) check(c);
}

TEST_CASE("indexes of packed groups") {
  LowerOptions packed;
  packed.packed = true;
  for (const PassCase& c : kPacked) check(c, packed);
}

TEST_CASE("accesses with one row have it once") {
  Function f = parse_lir(kernel(R"(
      %x i64 = GlobalId [0]
      %l i64 = LocalId [0]
      %y i64 = IAdd %x, i64:1
      %z i64 = IAdd %l, i64:9
      Store %p + %x * 4, %w (global i32, align 4)
      Store %p + %y * 4, %w (global i32, align 4)
      Store %p + %z * 8, %w (global i32, align 4)
  )"));
  split(f, {});
  const std::string text = lir_text(f);
  std::size_t rows = 0;
  for (std::size_t at = text.find("LocalId"); at != text.npos; at = text.find("LocalId", at + 1))
    if (text.compare(at - 8, 8, "Enqueued") != 0) ++rows;

  CHECK(rows == 1);
}

TEST_CASE("very deep indexes are left alone") {
  std::string body = "%l i64 = LocalId [1]\n%x0 i64 = GroupId [0]\n";
  constexpr int kDepth = 100'000;
  for (int i = 0; i < kDepth; ++i)
    body += "%x" + std::to_string(i + 1) + " i64 = IAdd %x" + std::to_string(i) + ", %l\n";
  body += "Store %p + %x" + std::to_string(kDepth) + " * 4, %w (global i32, align 4)\n";
  body += "Store %p + %x5 * 4, %w (global i32, align 4)\n";
  Function f = parse_lir(kernel(body));
  split(f, {});
  CHECK(count_split(f) == 1);
}

TEST_CASE("random functions keep what they do when their indexes are split") {
  const std::uint32_t cases = random_cases(130);
  std::size_t count = 0;
  for (std::uint32_t seed = 0; seed < cases; ++seed) {
    CAPTURE(seed);
    RandomLirOptions random;
    random.structured = seed % 4 != 0;
    random.groups = true;
    const Function before = random_lir(seed, random);
    LowerOptions options;
    options.packed = seed % 5 == 0;
    Function f = before;
    canonicalise_loops(f);
    if (seed % 2 == 0) {
      eliminate_common_values(f);
      hoist_invariants(f);
      canonicalise_loops(f);
    }
    order_blocks(f);
    analyse_divergence(f, options);
    fold_addresses(f);
    if (seed % 3 == 0) narrow_indexes(f, options);
    split_indexes(f, options);
    REQUIRE(verify(f) == "");
    eliminate_dead_values(f);
    REQUIRE(verify(f) == "");
    count += count_split(f);
    CHECK(compare_launches(before, f, options.packed ? 48 : 16, {{4, 3, 2}, {2, 2, 1}, {5, 7, 11}},
                           options.packed) == "");
  }
  CHECK(count > cases / 2);
}

}  // namespace
}  // namespace transpire::test
