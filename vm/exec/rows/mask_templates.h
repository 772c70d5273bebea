// Handlers with boolean results or conditions: comparisons, tests, logic on masks, select.
//
//   kCompare  struct IEqual { static constexpr Predicate kPredicate = Predicate::kEqual; };
//   kTest     a comparison of integers made of the bits of a float:
//             struct IsInf { static constexpr Predicate kPredicate = ...;
//                            left(U bits), right<U>() };  U an unsigned integer or a vector of them
//   kMask     lane(std::uint64_t a, std::uint64_t b) on words of 64 lanes; kMaskUnary: with a alone
//   kSelect   one for all: struct Select {};
#pragma once

#include "vm/exec/rows/row_templates.h"
#include "vm/simd/mask.h"

namespace transpire::vm::TRANSPIRE_ISA {

template <Predicate kPredicate, class T, bool kScalarA, bool kScalarB>
TRANSPIRE_INLINE void compare_rows(std::uint64_t* d, Operand<T, kScalarA> a,
                                   Operand<T, kScalarB> b) {
  for (std::uint32_t word = 0; word < kMaskWords; ++word)
    d[word] = mask_word<T>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
      return compare_vectors<kPredicate, T>(a.vector(word * 64 + lane), b.vector(word * 64 + lane));
    });
}

/// Out of line as map_halves is.
template <Predicate kPredicate>
__attribute__((noinline)) void compare_halves(std::uint64_t* d, const Half* a, const Half* b) {
  alignas(64) float left[kLanes], right[kLanes];
  widen_row(left, a);
  widen_row(right, b);
  compare_rows<kPredicate, float>(d, Operand<float, false>{left}, Operand<float, false>{right});
}

template <class Fn, Form kForm, class T>
const Inst* compare_handler(const Inst* ip, std::byte* r, Batch* batch) {
  constexpr Predicate kPredicate = Fn::kPredicate;
  if constexpr (kForm == kUniform && kIsHalf<T>)
    store_scalar<std::uint64_t>(
        r, ip->d,
        compare<kPredicate>(to_float(scalar<T>(r, ip->a)), to_float(scalar<T>(r, ip->b))));
  else if constexpr (kForm == kUniform)
    store_scalar<std::uint64_t>(r, ip->d,
                                compare<kPredicate>(scalar<T>(r, ip->a), scalar<T>(r, ip->b)));
  else if constexpr (kIsHalf<T>)
    compare_halves<kPredicate>(mask_row(r, ip->d), row<T>(r, ip->a), row<T>(r, ip->b));
  else
    compare_rows<kPredicate, T>(mask_row(r, ip->d), operand<T, (kForm & 1) != 0>(r, ip->a),
                                operand<T, (kForm & 2) != 0>(r, ip->b));
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// U is the unsigned integer as wide as the float tested.
template <class Fn, Form kForm, class U>
const Inst* test_handler(const Inst* ip, std::byte* r, Batch* batch) {
  if constexpr (kForm == kUniform) {
    const bool d =
        compare<Fn::kPredicate>(Fn::template left<U>(scalar<U>(r, ip->a)), Fn::template right<U>());
    store_scalar<std::uint64_t>(r, ip->d, d);
  } else {
    std::uint64_t* d = mask_row(r, ip->d);
    const Operand<U, false> a = operand<U, false>(r, ip->a);
    const Vector<U> right = splat(Fn::template right<U>());
    for (std::uint32_t word = 0; word < kMaskWords; ++word)
      d[word] = mask_word<U>([&](std::uint32_t lane) TRANSPIRE_INLINE_LAMBDA {
        return compare_vectors<Fn::kPredicate, U>(Fn::template left<U>(a.vector(word * 64 + lane)),
                                                  right);
      });
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// Word `index` of a mask operand.
template <bool kScalar>
TRANSPIRE_INLINE std::uint64_t mask_operand(std::byte* r, std::uint32_t offset,
                                            std::uint32_t index) {
  if constexpr (kScalar)
    return scalar_word(r, offset);
  else
    return mask_row(r, offset)[index];
}

/// d = fn(words...) for mask operands; a scalar result is 0 or 1.
template <Form kForm, class Fn, class... Offset>
TRANSPIRE_INLINE void map_masks(std::byte* r, std::uint32_t d, Fn fn, Offset... offset) {
  const auto apply = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>)
      TRANSPIRE_INLINE_LAMBDA {
    if constexpr (kForm == kUniform)
      scalar<std::uint64_t>(r, d) = fn(scalar_word(r, offset)...) & 1;
    else
      for (std::uint32_t i = 0; i < kMaskWords; ++i)
        mask_row(r, d)[i] = fn(mask_operand<(kForm >> kIndex & 1) != 0>(r, offset, i)...);
  };
  apply(std::index_sequence_for<Offset...>{});
}

template <class Fn, Form kForm, std::size_t kArity>
const Inst* mask_handler(const Inst* ip, std::byte* r, Batch* batch) {
  constexpr auto lane = [](auto... words) TRANSPIRE_INLINE_LAMBDA { return Fn::lane(words...); };
  if constexpr (kArity == 1)
    map_masks<kForm>(r, ip->d, lane, ip->a);
  else
    map_masks<kForm>(r, ip->d, lane, ip->a, ip->b);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Form kForm>
const Inst* select_mask_handler(const Inst* ip, std::byte* r, Batch* batch) {
  constexpr auto lane = [](std::uint64_t a, std::uint64_t b, std::uint64_t c)
                            TRANSPIRE_INLINE_LAMBDA { return (a & b) | (~a & c); };
  map_masks<kForm>(r, ip->d, lane, ip->a, ip->b, ip->c);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// U stands for every kind of its width: select moves bits.
template <Form kForm, class U>
const Inst* select_handler(const Inst* ip, std::byte* r, Batch* batch) {
  if constexpr (kForm == kUniform) {
    store_scalar(r, ip->d,
                 scalar<U>(r, (scalar<std::uint64_t>(r, ip->a) & 1) != 0 ? ip->b : ip->c));
    TRANSPIRE_TAIL return next(ip, r, batch);
  }
  U* d = row<U>(r, ip->d);
  const auto yes = operand<U, (kForm & 2) != 0>(r, ip->b);
  const auto no = operand<U, (kForm & 4) != 0>(r, ip->c);
  for (std::uint32_t word = 0; word < kMaskWords; ++word) {
    const std::uint64_t bits = mask_operand<(kForm & 1) != 0>(r, ip->a, word);
    for (std::uint32_t lane = 0; lane < 64; lane += kVectorLanes<U>) {
      const std::uint32_t i = word * 64 + lane;
      store(d + i, blend(lane_mask<U>(bits, lane), yes.vector(i), no.vector(i)));
    }
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <>
struct FillKind<Shape::kCompare> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    using T = Lane<kKind>;
    fill_forms<forms<Fn, T>(2)>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)],
        []<Form kForm>() -> Handler { return &compare_handler<Fn, kForm, T>; });
  }
};
template <>
struct FillKind<Shape::kTest> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    fill_forms<forms<Fn, Lane<kKind>>(1)>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)],
        []<Form kForm>() -> Handler { return &test_handler<Fn, kForm, BitsOf<kKind>>; });
  }
};
template <std::size_t kArity>
struct FillMasks {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    fill_forms<forms<Fn, std::uint64_t>(kArity)>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)],
        []<Form kForm>() -> Handler { return &mask_handler<Fn, kForm, kArity>; });
  }
};
template <>
struct FillKind<Shape::kMask> : FillMasks<2> {};
template <>
struct FillKind<Shape::kMaskUnary> : FillMasks<1> {};
template <>
struct FillKind<Shape::kSelect> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    fill_forms<forms<Fn, std::uint64_t>(3)>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)],
        []<Form kForm>() -> Handler {
          if constexpr (kKind == Kind::kBool)
            return &select_mask_handler<kForm>;
          else
            return &select_handler<kForm, BitsOf<kKind>>;
        });
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
