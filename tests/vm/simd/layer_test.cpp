// The vector layer of each instruction set does what plain code does (layer/check.cpp).
#include <doctest/doctest.h>

#include <string>

#include "tests/vm/simd/layer/check.h"
#include "vm/exec/engine.h"

namespace transpire::vm {

#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) \
  namespace isa_##name {                            \
    std::uint64_t check_layer(test::Report report); \
  }
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET

}  // namespace transpire::vm

namespace transpire::test {
namespace {

using CheckLayer = std::uint64_t (*)(vm::test::Report);
constexpr CheckLayer kChecks[] = {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) vm::isa_##name::check_layer,
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
};

void fail(const char* what, std::uint32_t bytes, std::uint32_t lane) {
  FAIL_CHECK(std::string(what), " of ", bytes, " bytes, lane ", lane);
}

}  // namespace

TEST_CASE("vectors do what lanes do") {
  for (const vm::Isa isa : vm::kIsas) {
    if (!vm::exec::supported(isa)) continue;
    INFO(vm::isa_name(isa));
    CHECK(kChecks[static_cast<std::size_t>(isa)](fail) > 1000000);
  }
}

}  // namespace transpire::test
