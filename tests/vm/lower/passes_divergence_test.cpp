// analyse_divergence: spreads of values, joins of divergent branches, exits of divergent loops.
#include <doctest/doctest.h>

#include "tests/vm/lower/lir_machine.h"
#include "tests/vm/lower/lir_text.h"
#include "tests/vm/lower/random_lir.h"
#include "vm/lower/passes.h"

namespace transpire::tests {
namespace {

using namespace vm;
using namespace vm::lir;

TEST_CASE("what analysis calls uniform or affine is so in every run") {
  LowerOptions options;
  options.linear_x = true;
  std::size_t scalars = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    RandomLirOptions form;
    form.structured = seed % 2 == 0;
    const Function before = random_lir(seed, form);
    Function f = before;
    canonicalise_loops(f);
    order_blocks(f);
    analyse_divergence(f, options);
    for (const Value& value : f.values) {
      scalars += value.block != kNoBlock && value.spread != Spread::kVarying ? 1 : 0;
    }
    CHECK(compare_functions(before, f, 16) == "");
  }
  CHECK(scalars > 2000);
}

}  // namespace
}  // namespace transpire::tests
