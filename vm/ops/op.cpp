// The op table, made from the .def files.
#include "vm/ops/op.h"

#include <array>

namespace transpire::vm {
namespace {

constexpr Signature signature_of(Shape shape) {
  switch (shape) {
    case Shape::kUnary:
      return takes(Takes::kSame);
    case Shape::kBinary:
      return takes(Takes::kSame, Takes::kSame);
    case Shape::kTernary:
      return takes(Takes::kSame, Takes::kSame, Takes::kSame);
    case Shape::kCompare:
      return takes(Takes::kFrom, Takes::kFrom);
    case Shape::kMask:
      return takes(Takes::kBool, Takes::kBool);
    case Shape::kMaskUnary:
      return takes(Takes::kBool);
    case Shape::kSelect:
      return takes(Takes::kBool, Takes::kSame, Takes::kSame);
    case Shape::kIntFloat:
      return takes(Takes::kSame, Takes::kI32);
    default:  // kTest, kConvert, kFloatInt
      return takes(Takes::kFrom);
  }
}

using enum Takes;
using Rest = Signature::Rest;

constexpr std::array<OpInfo, kOpCount> kOps = {{
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) \
  {#name,                                                       \
   Shape::shape,                                                \
   signature_of(Shape::shape),                                  \
   ((flags)&kRounds) != 0 ? Imm::kRounding : Imm::kNone,        \
   static_cast<KindSet>(kinds),                                 \
   static_cast<KindSet>(cheap),                                 \
   flags,                                                       \
   meaning},
#define TRANSPIRE_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning) \
  {#name,                                                                            \
   Shape::shape,                                                                     \
   signature,                                                                        \
   Imm::imm,                                                                         \
   static_cast<KindSet>(kinds),                                                      \
   static_cast<KindSet>(cheap),                                                      \
   flags,                                                                            \
   meaning},
#include "vm/ops/all.def"
#undef TRANSPIRE_SPECIAL
#undef TRANSPIRE_OP
}};

/// Where an op's row stands: its file, and which family of all.def that is by the order.
struct Place {
  std::string_view file;
  int family = 0;
};

constexpr std::array<Place, kOpCount> places() {
  std::array<Place, kOpCount> all;
  std::size_t op = 0;
  int family = 0;
#define TRANSPIRE_FAMILY(name) ++family;
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) all[op++] = {__FILE__, family};
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
#undef TRANSPIRE_FAMILY
  return all;
}

constexpr bool each_file_is_a_family() {
  const std::array<Place, kOpCount> all = places();
  for (std::size_t op = 1; op < kOpCount; ++op)
    if ((all[op].file == all[op - 1].file) != (all[op].family == all[op - 1].family)) return false;
  return all[0].family == 1;
}
static_assert(each_file_is_a_family(), "a file of all.def is no family: nobody makes its handlers");

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

}  // namespace transpire::vm
