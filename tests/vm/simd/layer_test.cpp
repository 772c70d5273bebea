// The vector layer of each instruction set does what plain code does (layer/check.cpp).
#include <doctest/doctest.h>

#include <string>

#include "tests/vm/simd/layer/check.h"
#include "vm/exec/engine.h"

namespace transpire::vm {

#define TRANSPIRE_BUILT(name)                       \
  namespace isa_##name {                            \
    std::uint64_t check_layer(test::Report report); \
  }
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT

}  // namespace transpire::vm

namespace transpire::test {
namespace {

struct Check {
  vm::Isa isa;
  std::uint64_t (*check_layer)(vm::test::Report report);
};
constexpr Check kChecks[] = {
#define TRANSPIRE_BUILT(name) {*vm::isa_named(#name), vm::isa_##name::check_layer},
#include "vm/exec/built_isas.def"
#undef TRANSPIRE_BUILT
};

void fail(const char* what, std::uint32_t bytes, std::uint32_t lane) {
  FAIL_CHECK(std::string(what), " of ", bytes, " bytes, lane ", lane);
}

TEST_CASE("vectors do what lanes do") {
  for (const Check& check : kChecks) {
    if (!vm::exec::supported(check.isa)) continue;
    INFO(vm::isa_name(check.isa));
    CHECK(check.check_layer(fail) > 1000000);
  }
}

}  // namespace
}  // namespace transpire::test
