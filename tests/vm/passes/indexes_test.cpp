// split_indexes: what it takes apart, what it leaves alone, and that functions keep their meaning.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/passes/narrow_indexes.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

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

/// The function after the pass, without spreads; checked to do the same for all groups of a launch.
std::string after(std::string_view text, const LowerOptions& options = {}) {
  Function f = parse_lir(text);
  CHECK(verify(f) == "");
  const Function before = f;
  split(f, options);
  const std::uint32_t lanes = options.packed ? 72 : 16;
  CHECK(compare_launches(before, f, lanes, kTiles, options.packed) == "");
  for (Value& value : f.values) value.spread = Spread::kVarying;
  return lir_text(f);
}

/// Whether the pass leaves the function as it is.
bool is_left_alone(std::string_view text, const LowerOptions& options = {}) {
  return after(text, options) == lir_text(parse_lir(text));
}

const char* const kHeader = R"(
    parameter p: pointer, slots 0+1
    parameter w: value, slots 1+1
    %p i64 = Argument [0]
    %w i32 = Argument [1]
    b0:
)";

std::string kernel(std::string_view body) {
  return std::string(kHeader) + std::string(body) + "Return\n";
}

TEST_CASE("a tile's index is a row that all groups share and what a group adds") {
  CHECK(after(kernel(R"(
      %x64 i64 = GlobalId [0]
      %y64 i64 = GlobalId [1]
      %x i32 = Truncate %x64
      %y i32 = Truncate %y64
      %line i32 = IMul %y, %w
      %i i32 = IAdd %line, %x
      %v i32 = Load %p + u32 %i * 4 (global i32, align 4)
      Store %p + u32 %i * 4 + 64, %v (global i32, align 4)
  )")) == dedent(R"(
    b0:
      %0 i64 = LocalId [1]
      %1 i32 = Truncate %0
      %2 i32 = IMul %1, %3
      %4 i64 = LocalId [0]
      %5 i32 = Truncate %4
      %6 i32 = IAdd %2, %5
      %7 i64 = GroupId [0]
      %8 i64 = EnqueuedLocalSize [0]
      %9 i64 = IMul %7, %8
      %10 i64 = GlobalOffset [0]
      %11 i64 = IAdd %9, %10
      %12 i64 = GroupId [1]
      %13 i64 = EnqueuedLocalSize [1]
      %14 i64 = IMul %12, %13
      %15 i64 = GlobalOffset [1]
      %16 i64 = IAdd %14, %15
      %17 i32 = Truncate %11
      %18 i32 = Truncate %16
      %19 i32 = IMul %18, %3
      %20 i32 = IAdd %19, %17
      %21 i32 = Load %22 + u32 (%6 + %20) * 4 (global i32, align 4)
      Store %22 + u32 (%6 + %20) * 4 + 64, %21 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("an address of 64 bits") {
  CHECK(after(kernel(R"(
      %l i64 = LocalId [1]
      %g i64 = GroupId [0]
      %s i64 = ShiftLeftLogical %l, i64:3
      %d i64 = ISub %g, %s
      %a i64 = Address %p + %d * 12 + 4
      %b i64 = Address %a + 8
      %v i32 = Load %b (global i32, align 4)
      Store %a + 4, %v, %v (global i32x2, align 4)
  )")) == dedent(R"(
    b0:
      %0 i64 = LocalId [1]
      %1 i64 = ShiftLeftLogical %0, i64:3
      %2 i64 = ISub i64:0, %1
      %3 i64 = Address i64:0 + %2 * 12
      %4 i64 = GroupId [0]
      %5 i64 = Address %6 + %4 * 12 + 4
      %7 i64 = Address %5 + 8
      %8 i32 = Load %7 + %3 * 1 (global i32, align 4)
      Store %5 + %3 * 1 + 4, %8, %8 (global i32x2, align 4)
      Return
  )"));
}

TEST_CASE("what is widened on the way to an index may be a row or shared, not both") {
  CHECK(after(kernel(R"(
      %l i64 = LocalId [1]
      %g i64 = GroupId [0]
      %z i32 = Truncate %l
      %i i32 = IAdd %z, %w
      %wide i64 = SignExtend %i
      %v i32 = Load %p + %wide * 4 (global i32, align 4)
      %n i64 = SignExtend %z
      %m i64 = IAdd %n, %g
      Store %p + %m * 4, %v (global i32, align 4)
      %h i32 = Truncate %g
      %a i64 = Address %p + u32 %z * 4
      %b i64 = Address %a + s32 %h * 8
      Store %b, %v (global i32, align 4)
  )")) == dedent(R"(
    b0:
      %0 i64 = LocalId [1]
      %1 i32 = Truncate %0
      %2 i32 = IAdd %1, %3
      %4 i64 = SignExtend %2
      %5 i64 = SignExtend %1
      %6 i64 = Address i64:0 + u32 %1 * 4
      %7 i64 = GroupId [0]
      %8 i32 = Load %9 + %4 * 4 (global i32, align 4)
      Store %9 + (%5 + %7) * 4, %8 (global i32, align 4)
      %10 i32 = Truncate %7
      %11 i64 = Address %9
      %12 i64 = Address %11 + s32 %10 * 8
      Store %12 + %6 * 1, %8 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("an index whose parts would have to be widened apart stays whole") {
  CHECK(is_left_alone(kernel(R"(
      %x i64 = GlobalId [0]
      %i i32 = Truncate %x
      %wide i64 = SignExtend %i
      %v i32 = Load %p + %wide * 4 (global i32, align 4)
      %u i64 = ZeroExtend %i
      %a i64 = Address %p + %u * 4
      Store %a, %v (global i32, align 4)
      %b i64 = Address %p + u32 %i * 4
      Store %b + 4, %v (global i32, align 4)
  )")));
}

TEST_CASE("memory that differs by lane, and booleans") {
  CHECK(is_left_alone(kernel(R"(
      %l i64 = LocalId [1]
      %g i64 = GroupId [0]
      %i i64 = IAdd %l, %g
      %v i32 = Load %p + %i * 4 (private i32, align 4)
      Store %p + %i * 4, %v (generic i32, align 4)
      %c bool = Load %p + %i * 1 (global bool, align 1)
      Store %p + %i * 1 + 64, %c (global bool, align 1)
  )")));
}

TEST_CASE("packed groups: global ids vary with the group, and so does workgroup memory") {
  LowerOptions packed;
  packed.packed = true;
  CHECK(is_left_alone(kernel(R"(
      %x i64 = GlobalId [0]
      %l i64 = LocalId [1]
      %v i32 = Load %p + %x * 4 (global i32, align 4)
      %g i64 = GroupId [1]
      %i i64 = IAdd %l, %g
      Store %p + %i * 4, %v (global i32, align 4)
      %j i64 = IAdd %l, i64:3
      Store %p + %j * 4, %v (workgroup i32, align 4)
  )"),
                      packed));
  CHECK(after(kernel(R"(
      %l i64 = LocalId [1]
      %w64 i64 = ZeroExtend %w
      %i i64 = IAdd %l, %w64
      Store %p + %i * 4, %w (global i32, align 4)
  )"),
              packed) == dedent(R"(
    b0:
      %0 i64 = LocalId [1]
      %1 i64 = ZeroExtend %2
      Store %3 + (%0 + %1) * 4, %2 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("what depends on control flow or memory is no row of the prologue") {
  CHECK(is_left_alone(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    b0:
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
      Return
  )"));
}

TEST_CASE("in a loop, what changes from round to round is shared by all lanes") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter w: value, slots 1+1
    %p i64 = Argument [0]
    %w i64 = Argument [1]
    b0:
      %x i64 = GlobalId [0]
      %line i64 = IMul %x, %w
      Branch b1
    b1: from b0 b2
      %k i64 = Phi i64:0, %next
      %i i64 = IAdd %line, %k
      %t i64 = ShiftLeftLogical %i, i64:2
      %v i32 = Load %p + %i * 4 (global i32, align 4)
      Store %p + %t * 1 + 64, %v (global i32, align 4)
      %next i64 = IAdd %k, i64:1
      %c bool = ULessThan %next, i64:3
      BranchConditional %c, b2, b3
    b2: from b1
      Branch b1
    b3: from b1
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = LocalId [0]
      %1 i64 = IMul %0, %2
      %3 i64 = ShiftLeftLogical %1, i64:2
      %4 i64 = GroupId [0]
      %5 i64 = EnqueuedLocalSize [0]
      %6 i64 = IMul %4, %5
      %7 i64 = GlobalOffset [0]
      %8 i64 = IAdd %6, %7
      %9 i64 = IMul %8, %2
      Branch b1
    b1: from b0 b2
      %10 i64 = Phi i64:0, %11
      %12 i64 = IAdd %9, %10
      %13 i64 = ShiftLeftLogical %12, i64:2
      %14 i32 = Load %15 + (%1 + %12) * 4 (global i32, align 4)
      Store %15 + (%3 + %13) * 1 + 64, %14 (global i32, align 4)
      %11 i64 = IAdd %10, i64:1
      %16 bool = ULessThan %11, i64:3
      BranchConditional %16, b2, b3
    b2: from b1
      Branch b1
    b3: from b1
      Return
  )"));
}

TEST_CASE("an index that no lane shares anything with, and one that all share") {
  CHECK(after(kernel(R"(
      %l i64 = LocalId [0]
      %n i64 = SNegate %l
      %c bool = ULessThan %l, i64:2
      %s i64 = Select %c, %l, %n
      Store %s + 1152921504606846976, %w (global i32, align 4)
      %g i64 = GroupId [0]
      Store %p + %g * 4, %w (global i32, align 4)
      %z i64 = ISub %g, %l
      Store %p + %z * 4, %w (global i32, align 4)
  )")) == dedent(R"(
    b0:
      %0 i64 = LocalId [0]
      %1 bool = ULessThan %0, i64:2
      %2 i64 = SNegate %0
      %3 i64 = Select %1, %0, %2
      %4 i64 = ISub i64:0, %0
      Store i64:0 + %3 * 1 + 1152921504606846976, %5 (global i32, align 4)
      %6 i64 = GroupId [0]
      Store %7 + %6 * 4, %5 (global i32, align 4)
      Store %7 + (%4 + %6) * 4, %5 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("shifts that depend on the lane, products of two rows, wide amounts") {
  CHECK(after(kernel(R"(
      %l i64 = LocalId [0]
      %m i64 = LocalId [1]
      %g i64 = GroupId [0]
      %x i64 = IAdd %g, %l
      %a i64 = ShiftLeftLogical %g, %l
      %b i64 = IMul %x, %x
      %c i64 = IMul %l, %m
      %d i64 = ShiftLeftLogical %x, i64:67
      %e i64 = IMul %l, %g
      Store %p + %a * 4, %w (global i32, align 4)
      Store %p + %b * 4, %w (global i32, align 4)
      Store %p + %c * 4, %w (global i32, align 4)
      Store %p + %d * 4, %w (global i32, align 4)
      Store %p + %e * 4, %w (global i32, align 4)
  )")) == dedent(R"(
    b0:
      %0 i64 = LocalId [0]
      %1 i64 = ShiftLeftLogical %0, i64:67
      %2 i64 = LocalId [0]
      %3 i64 = LocalId [1]
      %4 i64 = GroupId [0]
      %5 i64 = IAdd %4, %2
      %6 i64 = ShiftLeftLogical %4, %2
      %7 i64 = IMul %5, %5
      %8 i64 = IMul %2, %3
      %9 i64 = ShiftLeftLogical %4, i64:67
      %10 i64 = IMul %2, %4
      Store %11 + %6 * 4, %12 (global i32, align 4)
      Store %11 + %7 * 4, %12 (global i32, align 4)
      Store %11 + %8 * 4, %12 (global i32, align 4)
      Store %11 + (%1 + %9) * 4, %12 (global i32, align 4)
      Store %11 + %10 * 4, %12 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("accesses with one row have it once") {
  const std::string text = after(kernel(R"(
      %x i64 = GlobalId [0]
      %l i64 = LocalId [0]
      %y i64 = IAdd %x, i64:1
      %z i64 = IAdd %l, i64:9
      Store %p + %x * 4, %w (global i32, align 4)
      Store %p + %y * 4, %w (global i32, align 4)
      Store %p + %z * 8, %w (global i32, align 4)
  )"));
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
  std::size_t count = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
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
  CHECK(count > 300);
}

}  // namespace
}  // namespace transpire::test
