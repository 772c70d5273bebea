// What a program says of where values are is bounded by the module's size, and counted.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/vm/build/support.h"
#include "tests/vm/lir/lir_engine.h"
#include "vm/emit/emit.h"
#include "vm/lir/budget.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

LowerOptions keeping(const HandlerTable& table) {
  LowerOptions options = engine_options(table);
  options.observed = options.debug_info = true;
  return options;
}

/// A loop with so many ways out. At each, a value of the loop is used that has so many names.
std::string many_exits(std::uint32_t exits, std::uint32_t names) {
  std::string body = "OpBranch %loop\n%loop = OpLabel\n%v = OpLoad %int %p Volatile|Aligned 4\n";
  for (std::uint32_t n = 0; n < names; ++n) body += fmt::format("%n{} = OpCopyObject %int %v\n", n);
  std::string outside;
  for (std::uint32_t e = 0; e < exits; ++e) {
    body += fmt::format(
        "%w{0} = OpLoad %int %p Volatile|Aligned 4\n%c{0} = OpIEqual %bool %w{0} %int_0\n"
        "OpBranchConditional %c{0} %out{0} %next{0}\n%next{0} = OpLabel\n",
        e);
    outside += fmt::format("%out{} = OpLabel\nOpStore %p %v Volatile|Aligned 4\nOpReturn\n", e);
  }
  body += "OpBranch %loop\n" + outside;
  return "kernel %g_int %p\n" + body;
}

std::unique_ptr<Program> kept(const lir::Function& f, const HandlerTable& table) {
  auto program = emit(f, keeping(table), table);
  REQUIRE(program.ok());
  return std::move(program).value();
}

lir::Function passed(const std::string& kernel, const HandlerTable& table) {
  lir::Function f = built(kernel, keeping(table));
  f.scalar_handlers = &table;
  run_passes(f, keeping(table));
  return f;
}

TEST_CASE("a value is looked for in so many places at most, whatever leaves its loop") {
  const HandlerTable& table = *engine_tables().front();
  for (const std::uint32_t exits : {3u, 200u}) {
    CAPTURE(exits);
    const auto program = kept(passed(many_exits(exits, 100), table), table);
    std::size_t most = 0, with_many = 0;
    for (const NamedValue& value : program->debug.values) {
      most = std::max<std::size_t>(most, value.home_count);
      with_many += value.home_count > 1 ? 1 : 0;
    }
    CHECK(with_many == 101);  // %v and its names
    CHECK(most == std::min(exits + 1, 16u));
  }
}

TEST_CASE("what a program says of the module counts as memory that it takes") {
  const HandlerTable& table = *engine_tables().front();
  const std::string name(20'000, 'n');
  const lir::Function f =
      passed(fmt::format("OpName %x \"{}\"\nkernel %g_int %p\n%x = OpVariable %f_int Function\n"
                         "OpStore %x %int_1",
                         name),
             table);
  const std::uint64_t before = f.budget->bytes_taken();
  const auto program = kept(f, table);
  REQUIRE(program->debug.variables.size() == 1);
  CHECK(program->debug.variables[0].name == name);
  CHECK(f.budget->bytes_taken() - before >= name.size());
}

}  // namespace
}  // namespace transpire::test
