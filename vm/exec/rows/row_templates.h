// Handlers made from lane functions. A .def row `TRANSPIRE_OP(IAdd, kBinary, ...)` needs a lane
// struct:
//
//   struct IAdd {
//     template <class T>
//     static TRANSPIRE_INLINE T lane(T a, T b) { return a + b; }
//   };
//
// T is std::uint8_t to std::uint64_t for the integer kinds (cast inside for signed meaning), float
// or double. kIntFloat is lane(T, std::uint32_t), kFloatInt is std::uint32_t lane(T). Optional
// members:
//
//   static constexpr bool kRare = true;  // only kRows and kUniform: not worth the compile time
//   static constexpr bool kTakesHalf = true;  // lane() also takes and returns Half itself
//   using HalfAs = double;  // halves are computed in double instead of float
//   // Used for rows instead of lane(), where the loop over lane() does not become vector code:
//   static Vector<float> vector(Vector<float> a, ...);
//   static constexpr bool kRounds = true;     // imm is a Rounding, which the machine is set to
//   static T excess(T...); static T narrow_lane(T...);  // see map_rows
//   static LaneMask<T> is_narrow_vector(Vector<T>...); static Vector<T> narrow_vector(Vector<T>...);
//
// Halves: every operand is widened exactly, lane() runs on float or double, the result is rounded
// once to nearest even. Float has 24 >= 2 * 11 + 2 bits, so + - * / and sqrt through float are
// correctly rounded; a fused multiply-add is through double, where a sum that is not exact lies far
// from any tie.
//
// A destination row may be the row of an operand but never overlaps one partly: hence ivdep.
#pragma once

#include <utility>

#include "vm/exec/handlers.h"
#include "vm/program/immediates.h"
#include "vm/simd/float_mode.h"
#include "vm/simd/half.h"
#include "vm/simd/lane.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// The byte offset of operand `kIndex`.
template <std::size_t kIndex>
TRANSPIRE_INLINE std::uint32_t offset_of(const Inst* ip) {
  static_assert(kIndex < 3);
  if constexpr (kIndex == 0)
    return ip->a;
  else if constexpr (kIndex == 1)
    return ip->b;
  else
    return ip->c;
}

template <class Fn>
consteval bool is_rare() {
  if constexpr (requires { Fn::kRare; })
    return Fn::kRare;
  else
    return false;
}
template <class Fn>
consteval bool takes_half() {
  if constexpr (requires { Fn::kTakesHalf; })
    return Fn::kTakesHalf;
  else
    return false;
}

template <class Fn>
struct HalfAsOf {
  using type = float;
};
template <class Fn>
  requires requires { typename Fn::HalfAs; }
struct HalfAsOf<Fn> {
  using type = typename Fn::HalfAs;
};
/// The type that Fn computes a T in: T itself, or what halves are widened to.
template <class Fn, class T>
using Wide = typename std::conditional_t<kIsHalf<T> && !takes_half<Fn>(), HalfAsOf<Fn>,
                                         std::type_identity<T>>::type;

template <class Fn, class... T>
consteval bool has_vector() {
  if constexpr ((kIsHalf<T> || ...))
    return false;
  else
    return requires { Fn::vector(Vector<T>{}...); };
}

template <class Fn, class... T>
consteval bool has_narrow_vector() {
  if constexpr ((kIsHalf<T> || ...))
    return false;
  else
    return requires { Fn::is_narrow_vector(Vector<T>{}...); };
}

/// The loop of every lane-wise handler.
template <class Fn, class D, class... T, bool... kScalar>
TRANSPIRE_INLINE void map_lanes(D* d, Operand<T, kScalar>... in) {
  if constexpr (has_vector<Fn, T...>()) {
    for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<D>)
      store<D>(d + i, Fn::vector(in.vector(i)...));
  } else {
    TRANSPIRE_IVDEP
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = Fn::lane(in[i]...);
  }
}

template <class Fn>
struct NarrowLane {
  template <class... T>
  static TRANSPIRE_INLINE auto lane(T... in) {
    return Fn::narrow_lane(in...);
  }
  template <class... V>
    requires requires(V... in) { Fn::narrow_vector(in...); }
  static TRANSPIRE_INLINE auto vector(V... in) {
    return Fn::narrow_vector(in...);
  }
};

/// Out of line: this rare path needs registers and a stack frame, which would slow down the other.
template <class Fn, class D, class... T, bool... kScalar>
__attribute__((noinline)) void map_far_lanes(D* d, Operand<T, kScalar>... in) {
  map_lanes<Fn>(d, in...);
}

/// A lane function may have a cheaper equivalent for operands in a narrow range (`narrow_lane`,
/// right when `excess` of them is 0); it is taken if every lane of the row is in the range. For
/// `vector`, the equivalent is `narrow_vector`, right where `is_narrow_vector`.
template <class Fn, class D, class... T, bool... kScalar>
TRANSPIRE_INLINE void map_rows(D* d, Operand<T, kScalar>... in) {
  if constexpr (requires { Fn::excess(T{}...); }) {
    decltype(Fn::excess(T{}...)) excess = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) excess |= Fn::excess(in[i]...);
    if (excess == 0) return map_lanes<NarrowLane<Fn>>(d, in...);
  }
  if constexpr (has_narrow_vector<Fn, T...>()) {
    LaneMask<D> narrow(true);
    for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<D>)
      narrow = narrow & Fn::is_narrow_vector(in.vector(i)...);
    if (simd::all(narrow))
      map_lanes<NarrowLane<Fn>>(d, in...);
    else
      map_far_lanes<Fn>(d, in...);
    return;
  }
  map_lanes<Fn>(d, in...);
}

/// An operand in the type that Fn computes in: halves are widened to a buffer.
template <class Fn, class T, bool kScalar>
struct WideOperand {
  Operand<T, kScalar> in;
  TRANSPIRE_INLINE explicit WideOperand(Operand<T, kScalar> from) : in(from) {}
  TRANSPIRE_INLINE Operand<T, kScalar> get() const { return in; }
};
template <class Fn>
struct WideOperand<Fn, Half, false> {
  alignas(64) Wide<Fn, Half> buffer[kLanes];
  TRANSPIRE_INLINE explicit WideOperand(Operand<Half, false> from) { widen_row(buffer, from.row); }
  TRANSPIRE_INLINE Operand<Wide<Fn, Half>, false> get() const { return {buffer}; }
};
template <class Fn>
struct WideOperand<Fn, Half, true> {
  Wide<Fn, Half> value;
  TRANSPIRE_INLINE explicit WideOperand(Operand<Half, true> from) : value(to_float(from.value)) {}
  TRANSPIRE_INLINE Operand<Wide<Fn, Half>, true> get() const { return {value}; }
};

/// Out of line, because a handler with buffers on its stack could not tail-call the next.
template <class Fn, class D, class... T, bool... kScalar>
__attribute__((noinline)) void map_halves(D* d, Operand<T, kScalar>... in) {
  if constexpr (kIsHalf<D>) {
    alignas(64) Wide<Fn, Half> result[kLanes];
    map_rows<Fn>(result, WideOperand<Fn, T, kScalar>(in).get()...);
    narrow_row(d, result);
  } else {
    map_rows<Fn>(d, WideOperand<Fn, T, kScalar>(in).get()...);
  }
}

/// True if some of the types are halves that Fn does not take as they are.
template <class Fn, class... T>
inline constexpr bool kWidens = (kIsHalf<T> || ...) && !takes_half<Fn>();

/// One lane, halves included.
template <class Fn, class D, class... T>
TRANSPIRE_INLINE D map_scalar(T... in) {
  constexpr auto widen = []<class U>(U value) TRANSPIRE_INLINE_LAMBDA -> Wide<Fn, U> {
    if constexpr (kWidens<Fn, U>)
      return to_float(value);
    else
      return value;
  };
  if constexpr (kWidens<Fn, D>)
    return to_half(Fn::lane(widen(in)...));
  else
    return Fn::lane(widen(in)...);
}

template <class Fn, Form kForm, class D, class... T, std::size_t... kIndex>
TRANSPIRE_INLINE void map(const Inst* ip, std::byte* r, std::index_sequence<kIndex...>) {
  if constexpr (kForm == kUniform)
    store_scalar(r, ip->d, map_scalar<Fn, D>(scalar<T>(r, offset_of<kIndex>(ip))...));
  else if constexpr (kWidens<Fn, D, T...>)
    map_halves<Fn>(row<D>(r, ip->d),
                   operand<T, (kForm >> kIndex & 1) != 0>(r, offset_of<kIndex>(ip))...);
  else
    map_rows<Fn>(row<D>(r, ip->d),
                 operand<T, (kForm >> kIndex & 1) != 0>(r, offset_of<kIndex>(ip))...);
}

/// With `kRounds` in Fn: the same in the rounding mode that imm names. The memory barriers keep the
/// loads, and so what is computed of them, behind the change of mode, and the stores before the
/// way back.
template <class Fn, Form kForm, class D, class... T>
__attribute__((noinline)) void map_in_mode(const Inst* ip, std::byte* r) {
  const FloatControl::Word usual = FloatControl::read();
  FloatControl::write(FloatControl::with_rounding(usual, rounding_of(ip->imm)));
  __asm__ volatile("" ::: "memory");
  map<Fn, kForm, D, T...>(ip, r, std::index_sequence_for<T...>{});
  __asm__ volatile("" ::: "memory");
  FloatControl::write(usual);
}

/// d = Fn::lane(a, ...) for operands of types T.
template <class Fn, Form kForm, class D, class... T>
const Inst* map_handler(const Inst* ip, std::byte* r, Batch* batch) {
  if constexpr (requires { Fn::kRounds; })
    map_in_mode<Fn, kForm, D, T...>(ip, r);
  else
    map<Fn, kForm, D, T...>(ip, r, std::index_sequence_for<T...>{});
  TRANSPIRE_TAIL return next(ip, r, batch);
}

using FormSet = std::uint32_t;

/// The forms that are made of a lane function for operands of type T: every mix of rows and scalars
/// for the 32- and 64-bit kinds, a scalar second operand for i8 and i16, only rows where it is
/// rare.
template <class Fn, class T>
consteval FormSet forms(std::size_t arity) {
  constexpr FormSet kFewest = 1u << kRows | 1u << kUniform;
  if (is_rare<Fn>() || kIsHalf<T> || arity == 1) return kFewest;
  if (sizeof(T) < 4) return kFewest | 1u << 2;
  return kFewest | ((1u << ((1u << arity) - 1)) - 1);
}

/// Calls make.operator()<form>() for each form of the set and stores the handlers.
template <FormSet kForms, class Make>
void fill_forms(Handler (&entry)[kFormCount], Make make) {
  const auto fill_one = [&]<std::size_t kForm>() {
    if constexpr ((kForms >> kForm & 1) != 0)
      entry[kForm] = make.template operator()<static_cast<Form>(kForm)>();
  };
  const auto fill_all = [&]<std::size_t... kForm>(std::index_sequence<kForm...>) {
    (fill_one.template operator()<kForm>(), ...);
  };
  fill_all(std::make_index_sequence<kFormCount>{});
}

/// Lane-wise handlers of one kind: operands T..., the first gives the forms.
template <class Fn, class D, class First, class... T>
void fill_map(Handler (&entry)[kFormCount]) {
  fill_forms<forms<Fn, First>(1 + sizeof...(T))>(
      entry, []<Form kForm>() -> Handler { return &map_handler<Fn, kForm, D, First, T...>; });
}

/// Fills the table with the handlers of one op and one kind. Specialised by shape: here the
/// lane-wise ones; in mask_templates.h those with masks; in convert_templates.h the conversions.
template <Shape kShape>
struct FillKind;

template <>
struct FillKind<Shape::kUnary> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    using T = Lane<kKind>;
    fill_map<Fn, T, T>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)]);
  }
};
template <>
struct FillKind<Shape::kBinary> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    using T = Lane<kKind>;
    fill_map<Fn, T, T, T>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)]);
  }
};
template <>
struct FillKind<Shape::kTernary> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    using T = Lane<kKind>;
    fill_map<Fn, T, T, T, T>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)]);
  }
};
template <>
struct FillKind<Shape::kIntFloat> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    using T = Lane<kKind>;
    fill_map<Fn, T, T, std::uint32_t>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)]);
  }
};
template <>
struct FillKind<Shape::kFloatInt> {
  template <class Fn, Op kOp, Kind kKind>
  static void fill(HandlerTable& table) {
    fill_map<Fn, std::uint32_t, Lane<kKind>>(
        table.simple[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)]);
  }
};

/// Fills the table with every kind of one op.
template <class Fn, Op kOp, Shape kShape, KindSet kKinds>
void fill_op(HandlerTable& table) {
  for_kinds<kKinds>([&]<Kind kKind>() { FillKind<kShape>::template fill<Fn, kOp, kKind>(table); });
}

}  // namespace transpire::vm::TRANSPIRE_ISA

/// For `#define TRANSPIRE_OP TRANSPIRE_FILL_OP` before including a .def file inside a fill function
/// whose HandlerTable is called `table`. A row without a lane struct does not compile.
#define TRANSPIRE_FILL_OP(name, shape, kinds, cheap, flags, meaning) \
  fill_op<name, Op::k##name, Shape::shape, (kinds)>(table);
