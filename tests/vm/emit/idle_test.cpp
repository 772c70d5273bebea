// Registers that do not decide how a waiting loop goes on lie behind all others.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/program/program.h"

namespace transpire::test {
namespace {

/// A loop that waits for what `load` loads to be more than `bound`, and counts its rounds in %n; `inside` stands in it.
std::string waiting_loop(const std::string& load, const std::string& inside,
                         const std::string& bound) {
  return R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %s i32 = Truncate %g
    b1: from b0 b1
      %n i32 = Phi %s, %m
      %m i32 = IAdd %n, %s
      )" +
         load + "\n      " + inside + "\n      %c bool = ULessThan %f, " + bound + R"(
      BranchConditional %c, b1, b2
    b2: from b1
      Store %own + %g * 4, %m (global i32, align 4)
  )";
}

std::uint32_t idle_bytes(const std::string& text) {
  const HandlerTable& table = *engine_tables().front();
  const auto program = emitted(analysed(parse_lir(text), table), table);
  CHECK(program->idle_bytes <= program->register_bytes);
  return program->idle_bytes / table.lanes;
}

constexpr const char* kAtomic = "%f i32 = AtomicLoad %own (global i32, align 4)";
constexpr const char* kVolatile = "%f i32 = Load %own (global i32, align 4, volatile)";
constexpr const char* kPlain = "%f i32 = Load %own (global i32, align 4)";

TEST_CASE("idle registers: what a loop counts and uses behind it decides nothing in the loop") {
  CHECK(idle_bytes(waiting_loop(kAtomic, "", "i32:7")) >= 4);
  CHECK(idle_bytes(waiting_loop(kVolatile, "", "i32:7")) >= 4);
}

TEST_CASE("idle registers: what leads to a branch, an address or a store decides") {
  CHECK(idle_bytes(waiting_loop(kAtomic, "", "%n")) == 0);
  CHECK(idle_bytes(waiting_loop(kAtomic, "%x i32 = IMul %m, i32:3", "%x")) == 0);
  CHECK(idle_bytes(waiting_loop(kAtomic, "Store %own + 64, %n (global i32, align 4)", "i32:7")) ==
        0);
  CHECK(idle_bytes(waiting_loop(
            kAtomic,
            "%w i64 = ZeroExtend %n\n      %y i32 = Load %own + %w * 4 (global i32, align 4)",
            "i32:7")) == 4);  // what is loaded there, and no more
}

TEST_CASE("idle registers: a loop that reads nothing which others may change has none") {
  CHECK(idle_bytes(waiting_loop(kPlain, "", "i32:7")) == 0);
}

}  // namespace
}  // namespace transpire::test
