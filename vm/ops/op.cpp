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

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

}  // namespace transpire::vm
