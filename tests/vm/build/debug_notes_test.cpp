// What the builder notes of DebugDeclare and DebugValue, and what reading their expressions costs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/vm/build/support.h"
#include "vm/lir/budget.h"

namespace transpire::test {
namespace {

/// A kernel whose local 'n' is told of by `notes`; %with names a space, %other does more, %lengthy so often.
lir::Function noted(const std::string& notes, std::uint32_t operations = 1) {
  std::string list;
  for (std::uint32_t i = 0; i < operations; ++i) list += " %xderef";
  LowerOptions options;
  options.observed = options.debug_info = true;
  return built(std::string(R"(
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
%file = OpString "kernel.cl"
%n_str = OpString "n"
%int_32 = OpConstant %int 32
%none = OpExtInst %void %debug DebugInfoNone
%source = OpExtInst %void %debug DebugSource %file
%unit = OpExtInst %void %debug DebugCompilationUnit 1 4 %source OpenCL_C
%basic = OpExtInst %void %debug DebugTypeBasic %file %int_32 Unsigned
%n_loc = OpExtInst %void %debug DebugLocalVariable %n_str %basic %source 1 1 %unit FlagIsLocal
%xderef = OpExtInst %void %debug DebugOperation Xderef
%deref = OpExtInst %void %debug DebugOperation Deref
%plain = OpExtInst %void %debug DebugExpression
%space = OpExtInst %void %debug DebugExpression %xderef
%other = OpExtInst %void %debug DebugExpression %xderef %deref
%lengthy = OpExtInst %void %debug DebugExpression
)") + list + R"(

kernel %g_int %p
%x = OpVariable %f_int Function
%v = OpLoad %int %p
)" + notes + "\n",
               options);
}

std::string note(const char* what, const char* of, const char* expression) {
  return fmt::format("%note_{0}_{2} = OpExtInst %void %debug Debug{0} %n_loc {1} %{2}\n", what, of,
                     expression);
}

TEST_CASE("a local is a variable or a value where its expression does nothing else") {
  std::string notes;
  for (const char* expression : {"plain", "space", "other"})
    notes += note("Declare", "%x", expression) + note("Value", "%v", expression);
  const lir::Function f = noted(notes);
  REQUIRE(f.debug.locals.size() == 6);
  std::string told;
  for (const NamedLocal& local : f.debug.locals) {
    CHECK(local.name == "n");
    told += local.id == 0 ? "nothing " : local.is_variable ? "variable " : "value ";
  }
  CHECK(told == "variable value variable nothing nothing nothing ");
}

TEST_CASE("an expression is read once, and reading it counts") {
  constexpr std::uint32_t kOperations = 10'000;
  const auto steps = [](const std::string& notes, std::uint32_t operations) {
    return noted(notes, operations).budget->steps_done();
  };
  const std::string one = note("Declare", "%x", "lengthy"),
                    two = one + note("Value", "%v", "lengthy");
  const std::uint64_t of_one = steps(one, kOperations);
  CHECK(of_one >= steps(one, 1) + kOperations - 1);
  CHECK(steps(two, kOperations) < of_one + 1000);
}

TEST_CASE("finding out which blocks dominate which counts") {
  constexpr std::uint32_t kBlocks = 1000;
  std::string body;
  for (std::uint32_t b = 0; b < kBlocks; ++b)
    body += fmt::format("OpBranch %b{0}\n%b{0} = OpLabel\n", b);
  const std::string kernel = std::string("kernel\n") + body + "\n";
  LowerOptions options;
  const std::uint64_t without = built(kernel, options).budget->steps_done();
  options.observed = options.debug_info = true;
  const lir::Function f = built(kernel, options);
  CHECK(f.debug.source_blocks.size() == kBlocks + 1);
  // Two steps find a block's target, two its dominators.
  CHECK(f.budget->steps_done() - without >= 4 * kBlocks);
}

}  // namespace
}  // namespace transpire::test
