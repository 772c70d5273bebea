// promote_private: what becomes values, and what stays in memory.
#include <doctest/doctest.h>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

std::size_t memory_accesses(const Function& f, Space space) {
  std::size_t count = 0;
  for (const Value& value : f.values) {
    if (value.block == kNoBlock || (value.op != Op::kLoad && value.op != Op::kStore)) continue;
    count += f.mem[value.imm].space == space ? 1 : 0;
  }
  return count;
}

const PassCase kPromoted[] = {
    {"a loop counter in memory becomes a phi", R"(
    arguments: %p pointer, %i private 4
      Store %i, i32:0 (private i32, align 4)  |
      Branch b1
    b1: from b0 b2
      %a i32 = Load %i (private i32, align 4) | %0 i32 = Phi i32:0, %c
      %more bool = ULessThan %a, i32:10       | %more bool = ULessThan %0, i32:10
      BranchConditional %more, b2, b3
    b2: from b1
      %b i32 = Load %i (private i32, align 4) |
      %c i32 = IAdd %b, i32:1                 | %c i32 = IAdd %0, i32:1
      Store %i, %c (private i32, align 4)     |
      Branch b1
    b3: from b1
      %d i32 = Load %i (private i32, align 4) |
      Store %p, %d (global i32, align 4)      | Store %p, %0 (global i32, align 4)
  )"},
    {"reading before any write gives zero", R"(
    arguments: %p pointer, %x private 8
      LifetimeStart [0]                           |
      %a f32 = Load %x + 4 (private f32, align 4) |
      Store %p, %a (global f32, align 4)          | Store %p, f32:0 (global f32, align 4)
      LifetimeStop [0]                            |
  )"},
    {"components of a vector are read one by one, as another kind too", R"(
    arguments: %p pointer, %v private 16
      %in f32 = Load %p (global f32x4, align 16)
      %in1 f32 = Result %in [1]
      %in2 f32 = Result %in [2]                                 |
      %in3 f32 = Result %in [3]
      Store %v, %in, %in1, %in2, %in3 (private f32x4, align 16) | %0 i32 = Bitcast %in3
      %second i64 = Address %v + 4                              |
      %a f32 = Load %second (private f32, align 4)              |
      %last i64 = Address %second + s32 i32:2 * 4               |
      %b i32 = Load %last (private i32, align 4)                |
      Store %p + 16, %a (global f32, align 4)                   | Store %p + 16, %in1 (global f32, align 4)
      Store %p + 20, %b (global i32, align 4)                   | Store %p + 20, %0 (global i32, align 4)
  )"},
    {"a long read as two ints is taken apart, and put together again", R"(
    arguments: %p pointer, %x private 8
      %in i64 = Load %p (global i64, align 8)
                                                | %0 i64 = ShiftRightLogical %in, i64:32
                                                | %1 i32 = Truncate %0
                                                | %2 i64 = ZeroExtend i32:5
                                                | %3 i64 = ZeroExtend %1
                                                | %4 i64 = ShiftLeftLogical %3, i64:32
                                                | %5 i64 = BitwiseOr %2, %4
                                                | %6 f64 = Bitcast %5
      Store %x, %in (private i64, align 8)      | Store %p, %6 (global f64, align 8)
      Store %x, i32:5 (private i32, align 4)    |
      %out f64 = Load %x (private f64, align 8) |
      Store %p, %out (global f64, align 8)      |
  )"},
    {"copies between variables move values, copies from memory load them", R"(
    arguments: %p pointer, %a private 12, %b private 12
      CopyMemory %a, %p, i64:12 (private i8, align 4) | %0 i32 = Load %p (generic i32, align 4)
      CopyMemory %b, %a, i64:12 (private i8, align 4) | %1 i32 = Load %p + 4 (generic i32, align 4)
      %x f32 = Load %b + 4 (private f32, align 4)     | %2 i32 = Load %p + 8 (generic i32, align 4)
                                                      | %3 f32 = Bitcast %1
      Store %p, %x (global f32, align 4)              | Store %p, %3 (global f32, align 4)
  )"},
    {"a by-value parameter is read once, at the start", R"(
    arguments: %p pointer, %s by-value 8
                                                  | %0 i32 = Load %s + 4 (private i32, align 1)
      Branch b1
    b1: from b0
      %x i32 = Load %s + 4 (private i32, align 4) |
      Store %s + 4, i32:1 (private i32, align 4)  | Store %p, %0, i32:1 (global i32x2, align 8)
      %y i32 = Load %s + 4 (private i32, align 4) |
      Store %p, %x, %y (global i32x2, align 8)    |
  )"},
};

TEST_CASE("variables become values") {
  for (const PassCase& c : kPromoted)
    check_pass(c, [](Function& f) {
      for (PrivateVariable& variable : f.private_variables) variable.align_bytes = 16;
      promote_private(f);
      eliminate_dead_values(f);
    });
}

TEST_CASE("what must stay in memory stays") {
  const char* bodies[] = {
      "Store %p, %x (global i64, align 8)",  // the address escapes
      ("%o i64 = Load %p (global i64, align 8)\n%d i64 = Address %x + %o * 4\n"
       "%e i32 = Load %d (private i32, align 4)"),  // dynamic index
      "%e i32 = Load %x (private i32, align 4, volatile)",
      "%e i32 = Load %x + 8 (private i32, align 4)",  // outside: a finding
      "%e i32 = Load %x + 2 (private i32, align 4)",  // misaligned: a finding
      "Store %x + 1, i32:5 (private i32, align 1)",   // overlaps in odd parts
      "%s i64 = GenericToSpace %x [2]",
      "%e i32 = Load %x (global i32, align 4)",  // another storage class: a finding
      "LifetimeStop [0]\n%e i32 = Load %x (private i32, align 4)",  // dead: a finding
      "%t i64 = TagPointer %x\nStore %p, %t (global i64, align 8)",
      "%e i64 = Load %p (global i64, align 8)\nCopyMemory %x, %p, %e (private i8, align 1)",
  };
  for (const char* body : bodies) {
    CAPTURE(std::string(body));
    Function f = parse_lir(std::string(R"(
      arguments: %p pointer, %x private 8
        Store %x, i32:3 (private i32, align 4)
        )") + body + R"(
        %a i32 = Load %x (private i32, align 4)
        Store %p, %a (global i32, align 4)
    )");
    f.private_variables[0].align_bytes = 8;
    const std::size_t count = memory_accesses(f, Space::kPrivate);
    promote_private(f);
    CHECK(verify(f) == "");
    CHECK(memory_accesses(f, Space::kPrivate) == count);
  }
}

TEST_CASE("promotion keeps what random functions do") {
  std::size_t before_count = 0;
  std::size_t after_count = 0;
  for (std::uint32_t seed = 0; seed < random_cases(250); ++seed) {
    CAPTURE(seed);
    RandomLirOptions options;
    options.structured = seed % 2 == 0;
    options.private_variables = 1 + seed % 5;
    const Function before = random_lir(seed, options);
    REQUIRE(verify(before) == "");
    Function f = before;
    promote_private(f);
    REQUIRE(verify(f) == "");
    before_count += memory_accesses(before, Space::kPrivate);
    after_count += memory_accesses(f, Space::kPrivate);
    CHECK(compare_functions(before, f, 1) == "");
    canonicalise_loops(f);
    order_blocks(f);
    CHECK(compare_functions(before, f, 8) == "");
  }
  CHECK(after_count < before_count / 2);
}

}  // namespace
}  // namespace transpire::test
