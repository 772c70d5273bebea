// The private memory of a work-item: bytes for variables that have an address, and a limit.
#include "vm/emit/private_memory.h"

#include <doctest/doctest.h>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"

namespace transpire::test {
namespace {

Result<vm::emission::PrivateMemory> laid_out(const std::string& arguments) {
  return vm::emission::lay_out_private_memory(analysed(parse_lir("arguments: " + arguments + R"(
      Store %a, i16:1 (private i16, align 2)
      Store %c, i32:2 (private i32, align 4))"),
                                                       *engine_tables().front()));
}

TEST_CASE("private memory: a variable whose address no instruction names has no bytes") {
  const auto memory = laid_out("%a private 6, %b private 100, %c private 4").value();
  REQUIRE(memory.variables.size() == 3);
  CHECK(memory.variables[1].size_bytes == 0);
  CHECK(memory.offsets[0] == 0);
  CHECK(memory.offsets[2] == 8);
  CHECK(memory.bytes == 16);
}

TEST_CASE("private memory: a work-item may have 1 GiB") {
  CHECK(laid_out("%a private 1000000000, %b private 1000000000, %c private 4").ok());
  const auto refused = laid_out("%a private 1000000000, %c private 1000000000");
  REQUIRE(!refused.ok());
  CHECK(refused.errors()[0].rule == "TSP-L0004");
}

}  // namespace
}  // namespace transpire::test
