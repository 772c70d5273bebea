// The op table, made from the .def files.
#include "vm/ops/op.h"

#include <array>

namespace transpire::vm {
namespace {

constexpr std::array<OpInfo, kOpCount> kOps = {{
#define TRANSPIRE_OP(name, shape, kinds, flags, meaning) \
  {#name, Shape::shape, static_cast<KindSet>(kinds), flags, meaning},
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
}};

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

}  // namespace transpire::vm
