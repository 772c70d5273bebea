// Handlers of conversions, one per pair of kinds. A conversion is
//
//   struct ConvertSToF {
//     static consteval bool exists(Kind from, Kind to);
//     template <class To, class From> static To lane(From a);  // rounds to nearest even
//     // Where the result may be inexact:
//     template <class To, class From> static To lane(From a, Rounding);
//     // Where the result may be a half:
//     template <class From> static float before_half(From a);
//   };
//
// or, where the bits stay as they are, has `kKeepsBits` instead of lanes.
//
// Half operands are widened to float first. For half results, before_half gives a float that rounds
// to half as the operand itself would. The mode is Inst::imm; only RTE is fast.
#pragma once

#include "vm/exec/rows/move.h"
#include "vm/exec/rows/row_templates.h"
#include "vm/program/immediates.h"

namespace transpire::vm::TRANSPIRE_ISA {

template <class Fn, class To>
struct ToLane {
  template <class From>
  static TRANSPIRE_INLINE To lane(From a) {
    if constexpr (kIsHalf<From>)
      return lane(to_float(a));
    else
      return Fn::template lane<To>(a);
  }
};
template <class Fn>
struct ToLane<Fn, Half> {
  template <class From>
  static TRANSPIRE_INLINE float lane(From a) {
    return Fn::before_half(a);
  }
};

template <class Fn, class To, class From>
consteval bool rounds() {
  if constexpr (kIsHalf<To>)
    return true;
  else if constexpr (kIsHalf<From>)
    return false;
  else
    return requires { Fn::template lane<To>(From{}, Rounding::kRtz); };
}

template <class Fn, class To, class From>
TRANSPIRE_INLINE To convert_scalar(From a, Rounding mode) {
  if constexpr (kIsHalf<To>)
    return to_half(ToLane<Fn, Half>::lane(a), mode);
  else if constexpr (rounds<Fn, To, From>())
    return mode == Rounding::kRte ? Fn::template lane<To>(a) : Fn::template lane<To>(a, mode);
  else
    return ToLane<Fn, To>::lane(a);
}

/// Rows with a buffer or a rare rounding mode; out of line as map_halves is.
template <class Fn, class To, class From>
__attribute__((noinline)) void convert_buffered(To* d, const From* a, Rounding mode) {
  if constexpr (kIsHalf<To>) {
    alignas(64) float wide[kLanes];
    map_lanes<ToLane<Fn, Half>>(wide, Operand<From, false>{a});
    narrow_row(d, wide, mode);
  } else if constexpr (kIsHalf<From>) {
    alignas(64) float wide[kLanes];
    widen_row(wide, a);
    map_lanes<ToLane<Fn, To>>(d, Operand<float, false>{wide});
  } else if constexpr (rounds<Fn, To, From>()) {
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = Fn::template lane<To>(a[i], mode);
  }
}

template <class Fn, bool kIsUniform, class To, class From>
const Inst* convert_handler(const Inst* ip, std::byte* r, Batch* batch) {
  const Rounding mode = rounding_of(ip->imm);
  if constexpr (kIsUniform) {
    store_scalar(r, ip->d, convert_scalar<Fn, To>(scalar<From>(r, ip->a), mode));
  } else {
    To* d = row<To>(r, ip->d);
    const From* a = row<From>(r, ip->a);
    constexpr bool kBuffered = kIsHalf<To> || kIsHalf<From>;
    if (kBuffered || (rounds<Fn, To, From>() && mode != Rounding::kRte))
      convert_buffered<Fn>(d, a, mode);
    else if constexpr (!kBuffered)
      map_lanes<ToLane<Fn, To>>(d, Operand<From, false>{a});
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The handlers of one pair of kinds. A conversion that keeps the bits has none of its own.
template <class Fn, Kind kFrom, Kind kTo>
void fill_pair(Handler (&entry)[2]) {
  if constexpr (requires { Fn::kKeepsBits; }) {
    if constexpr (kTo == Kind::kBool)
      entry[0] = &copy_mask<Lanes::kAll>;
    else
      entry[0] = &copy_row<Lanes::kAll, BitsOf<kTo>>;
    entry[1] = &copy_scalar;
  } else {
    entry[0] = &convert_handler<Fn, false, Lane<kTo>, Lane<kFrom>>;
    entry[1] = &convert_handler<Fn, true, Lane<kTo>, Lane<kFrom>>;
  }
}

template <>
struct FillKind<Shape::kConvert> {
  template <class Fn, Op kOp, Kind kTo>
  static void fill(HandlerTable& table) {
    for_kinds<kKindsAll>([&]<Kind kFrom>() {
      if constexpr (Fn::exists(kFrom, kTo))
        fill_pair<Fn, kFrom, kTo>(table.convert[static_cast<std::size_t>(
            kOp)][static_cast<std::size_t>(kFrom)][static_cast<std::size_t>(kTo)]);
    });
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
