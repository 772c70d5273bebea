#include "vm/ops/math_functions.h"

#include <algorithm>
#include <iterator>

namespace transpire::vm {
namespace {

constexpr Op kOps[] = {
#define TRANSPIRE_REFERENCE(op, name, form, mpfr) Op::k##op,
#include "extinst/reference/functions.def"
#undef TRANSPIRE_REFERENCE
};

}  // namespace

const extinst::reference::Function* reference_function(Op op) {
  const auto* const found = std::find(std::begin(kOps), std::end(kOps), op);
  return found == std::end(kOps)
             ? nullptr
             : &extinst::reference::functions()[static_cast<std::size_t>(found - kOps)];
}

Op op_of_reference_function(std::size_t index) { return kOps[index]; }

}  // namespace transpire::vm
