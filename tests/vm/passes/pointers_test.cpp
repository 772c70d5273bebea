// untag_addresses, and where private variables live.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/vm/lir/lir_text.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/lifetime_walk.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

constexpr const char* kHead = "arguments: %p pointer, %a private 64\n";

std::string with_head(std::string_view body) { return kHead + std::string(body); }

void untag(Function& f) {
  untag_addresses(f);
  eliminate_dead_values(f);
}

const PassCase kUntagged[] = {
    {"accesses take no tags that the work-item itself has made", R"(
      %t i64 = TagPointer %a                  | %0 i64 = Address %a + 8
      %n i64 = Address %t + 8                 |
      %x i32 = Load %n (private i32, align 4) | %x i32 = Load %0 (private i32, align 4)
      Store %t, %x (private i32, align 4)     | Store %a, %x (private i32, align 4)
  )"},
    {"a pointer that walks through a loop has none on its way", R"(
      %t i64 = TagPointer %a                  |
      Branch b1
    b1: from b0 b1
      %q i64 = Phi %t, %s                     | %0 i64 = Phi %a, %1
      %x i32 = Load %q (private i32, align 4) | %x i32 = Load %0 (private i32, align 4)
      %n i64 = Address %q + 4                 | %1 i64 = Address %0 + 4
      %s i64 = TagPointer %n                  |
      %c bool = IEqual %x, i32:0
      BranchConditional %c, b1, b2
    b2: from b1
  )"},
    {"what is stored or compared keeps its tag, and so does what was loaded", R"(
      %t i64 = TagPointer %a
      Store %p, %t (global i64, align 8)
      %l i64 = Load %p (global i64, align 8)
      %x i32 = Load %l (private i32, align 4)
      %c bool = IEqual %l, %t
      %s i32 = Select %c, %x, i32:0
      Store %p, %s (global i32, align 4)
  )"},
};

TEST_CASE("tags go where nothing looks at them") {
  for (const PassCase& c : kUntagged)
    check_pass({c.name, with_head(c.text)}, untag, do_not_compare);
}

/// The program behind count_lives(), with what it thereby adds or changes.
std::string counted(std::string_view body) {
  Function f = parse_lir(with_head(body));
  CHECK(verify(f) == "");
  count_lives(f, {});
  CHECK(verify(f) == "");
  return lir_text(f);
}

bool counts(const std::string& text) { return text.find("CountLife") != std::string::npos; }

/// A loop in whose body `a` begins to live; `body` stands behind that.
std::string loop_with(std::string_view body) {
  return fmt::format(R"(
      Branch b1
    b1: from b0 b1
      %q i64 = Phi i64:0, %n
      LifetimeStart [0]
      %n i64 = Address %a + 8
      {}
      %c bool = INotEqual %x, i32:0
      BranchConditional %c b1 b2
    b2: from b1
  )",
                     body);
}

TEST_CASE("lives are counted where an address outlives its round, and nowhere else") {
  const std::string handed_on = counted(loop_with("%x i32 = Load %q (private i32, align 4)"));
  CHECK(counts(handed_on));
  CHECK(handed_on.find("TagLife") != std::string::npos);
  const std::string kept =
      counted(loop_with("%t i64 = TagPointer %n\n%x i32 = Load %n (private i32, align 4)\n"
                        "Store %p, %t (global i64, align 8)\nStore %p, %q (global i64, align 8)"));
  CHECK(counts(kept));
  CHECK(kept.find("TagPointer") == std::string::npos);
  const std::string_view unused =
      "b0:\nBranch b1\nb1: from b0 b1\nLifetimeStart [0]\n%t i64 = TagPointer %a\n"
      "%x i32 = Load %a (private i32, align 4)\n%c bool = INotEqual %x, i32:0\n"
      "BranchConditional %c b1 b2\nb2: from b1\nReturn\n";
  CHECK_FALSE(counts(counted(unused)));
  const std::string_view once =
      "b0:\nLifetimeStart [0]\n%t i64 = TagPointer %a\nStore %p, %t (global i64, align "
      "8)\nReturn\n";
  CHECK_FALSE(counts(counted(once)));
  const std::string_view around =
      "b0:\nLifetimeStart [0]\n%t i64 = TagPointer %a\nBranch b1\nb1: from b0 b1\n"
      "Store %p, %t (global i64, align 8)\n%x i32 = Load %p (global i32, align 4)\n"
      "%c bool = INotEqual %x, i32:0\nBranchConditional %c b1 b2\nb2: from b1\nReturn\n";
  CHECK_FALSE(counts(counted(around)));
}

/// Whether an access of variable 0 may find it dead.
bool may_be_dead(std::string_view body, bool begins_dead = false) {
  Function f = parse_lir(with_head(body));
  CHECK(verify(f) == "");
  f.private_variables[0].begins_dead = begins_dead;
  LifetimeWalk walk(f);
  for (const Block& block : f.blocks)
    for (const ValueId id : block.instructions)
      if (f.values[id].op == Op::kLoad) walk.add_access(id, 0);
  return !walk.reached_dead().empty();
}

TEST_CASE("a variable is dead from a LifetimeStop to the next LifetimeStart, on every way") {
  constexpr const char* kLoad = "%x i32 = Load %a (private i32, align 4)\n";
  const auto straight = [&](const char* before, const char* after) {
    return fmt::format("b0:\n{}{}{}Return\n", before, kLoad, after);
  };
  CHECK_FALSE(may_be_dead(straight("", "LifetimeStop [0]\n")));
  CHECK(may_be_dead(straight("LifetimeStop [0]\n", "")));
  CHECK_FALSE(may_be_dead(straight("LifetimeStop [0]\nLifetimeStart [0]\n", "")));
  CHECK(may_be_dead(straight("", "LifetimeStart [0]\n"), true));
  CHECK_FALSE(may_be_dead(straight("LifetimeStart [0]\n", ""), true));
  // Round a loop: alive at first, dead when it comes again.
  const auto loop = [&](const char* head) {
    return fmt::format(
        "b0:\nBranch b1\nb1: from b0 b1\n{}{}LifetimeStop [0]\n%c bool = IEqual %x, i32:0\n"
        "BranchConditional %c b1 b2\nb2: from b1\nReturn\n",
        head, kLoad);
  };
  CHECK(may_be_dead(loop("")));
  CHECK_FALSE(may_be_dead(loop("LifetimeStart [0]\n"), true));
}

}  // namespace
}  // namespace transpire::test
