// The op table, made from the .def files, and the names of kinds.
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

constexpr std::array<const char*, kKindCount> kKindNames = {"void", "bool", "i8",  "i16", "i32",
                                                            "i64",  "f16",  "f32", "f64"};

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

const char* kind_name(Kind k) { return kKindNames[static_cast<std::size_t>(k)]; }

}  // namespace transpire::vm
