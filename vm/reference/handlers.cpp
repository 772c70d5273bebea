#include "vm/reference/handlers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "extinst/reference/common.h"
#include "extinst/reference/geometric.h"
#include "transpire/half.hpp"
#include "vm/ops/math_functions.h"
#include "vm/program/immediates.h"

namespace transpire::vm::exec {
namespace {

namespace reference = extinst::reference;
using reference::Bits;
using reference::Function;
using reference::load_bits;
using reference::store_bits;

constexpr std::uint32_t kRowBytes = kMaxLanes * 8;

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

bool takes_integer(const Function& function, std::size_t operand) {
  return operand == 1 && function.takes_integer;
}
std::size_t arity(const Function& function) {
  return function.floats + (function.takes_integer ? 1 : 0);
}

/// The bits of a half or float.
template <Kind kKind>
using Number = std::conditional_t<kKind == Kind::kF16, std::uint16_t, std::uint32_t>;

/// A register block of its own for one call of a fast handler on doubles: result, a, b.
struct Doubles {
  alignas(64) std::byte rows[3 * kRowBytes];

  double result(std::uint32_t lane) const { return results()[lane]; }
  const double* results() const { return reinterpret_cast<const double*>(rows); }

  /// The operands of `count` lanes, widened.
  template <Kind kKind>
  void fill(const Function& function, const Inst* ip, const std::byte* r, std::uint32_t count) {
    const std::uint32_t offsets[2] = {ip->a, ip->b};
    for (std::size_t i = 0; i < arity(function); ++i) {
      std::byte* const to = rows + (i + 1) * kRowBytes;
      const std::byte* const from = r + offsets[i];
      if (takes_integer(function, i)) {
        std::memcpy(to, from, count * 4);
      } else if constexpr (kKind == Kind::kF64) {
        std::memcpy(to, from, count * 8);
      } else {
        for (std::uint32_t lane = 0; lane < count; ++lane) {
          Number<kKind> bits = 0;
          std::memcpy(&bits, from + lane * sizeof bits, sizeof bits);
          const double value = reference::to_double(kKind, bits);
          std::memcpy(to + lane * 8, &value, 8);
        }
      }
    }
  }

  void call(const HandlerTable& fast, Op op, Form form, Batch* batch) {
    const Handler run =
        fast.simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(Kind::kF64)][form];
    const Inst code[2] = {{run, 0, kRowBytes, 2 * kRowBytes, 0, {0}}, {&leave, 0, 0, 0, 0, {0}}};
    for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, rows, batch);
  }
};

/// One lane's result, from its operands.
Bits lane_result(const Function& function, Kind kind, const Inst* ip, const std::byte* r,
                 std::uint32_t lane, double wide) {
  const std::uint32_t bytes = lane_bytes(kind);
  Bits operands[2] = {load_bits(r + ip->a + lane * bytes, bytes), 0};
  if (arity(function) == 2) {
    const std::uint32_t second = takes_integer(function, 1) ? 4 : bytes;
    operands[1] = load_bits(r + ip->b + lane * second, second);
  }
  return reference::round_correctly(function, kind, rounding_of(ip->imm), operands, wide);
}

/// The results that a row of doubles decides when rounding to nearest: those whose whole error
/// interval rounds to one number. round_correctly() would give the same, lane by lane.
template <Kind kKind>
struct Settled {
  Number<kKind> numbers[kMaxLanes];
  bool decided[kMaxLanes];

  void fill(const Function& function, const double* wide, std::uint32_t count) {
    const reference::Enclosure above = reference::enclosure_of(function, 1);
    const reference::Enclosure below = reference::enclosure_of(function, -1);
    const double relative = std::max(above.relative, below.relative);
    const double absolute = std::max(above.absolute, below.absolute);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const double magnitude = std::fabs(wide[lane]);
      const double error = relative * magnitude + absolute;
      const Number<kKind> low = nearest(wide[lane] - error);
      numbers[lane] = low;
      decided[lane] = (low == nearest(wide[lane] + error)) & (magnitude > 0) &
                      (magnitude < HUGE_VAL);  // false for a NaN
    }
  }
  static Number<kKind> nearest(double value) {
    if constexpr (kKind == Kind::kF16)
      return half_from_double(value);
    else
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
};

/// d = result_of(lane), in the running lanes of a row, whose operand may be d itself; or in a
/// scalar, whose slot of 8 bytes is written as a whole.
template <Kind kKind, bool kScalar, class ResultOf>
void store_results(const Inst* ip, std::byte* r, const Batch* batch, std::uint32_t lanes,
                   ResultOf result_of) {
  constexpr std::uint32_t kBytes = lane_bytes(kKind);
  if constexpr (kScalar) {
    store_bits(r + ip->d, 8, result_of(0));
    return;
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    if ((batch->mask[lane / 64] >> lane % 64 & 1) != 0)
      store_bits(r + ip->d + lane * kBytes, kBytes, result_of(lane));
}

/// The common part of all functions' handlers. Not compiled into each of them: there are hundreds.
template <Kind kKind, bool kScalar>
[[gnu::noinline]] void call_math(Op op, const Function& function, const HandlerTable& fast,
                                 const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint32_t count = kScalar ? 1 : fast.lanes;
  Doubles doubles;
  doubles.fill<kKind>(function, ip, r, count);
  doubles.call(fast, op, kScalar ? kUniform : kRows, batch);
  const auto one = [&](std::uint32_t lane) {
    return lane_result(function, kKind, ip, r, lane, doubles.result(lane));
  };
  if constexpr (kKind != Kind::kF64) {
    if (rounding_of(ip->imm) == Rounding::kRte) {
      Settled<kKind> row;
      row.fill(function, doubles.results(), count);
      store_results<kKind, kScalar>(ip, r, batch, count, [&](std::uint32_t lane) -> Bits {
        return row.decided[lane] ? row.numbers[lane] : one(lane);
      });
      return;
    }
  }
  store_results<kKind, kScalar>(ip, r, batch, count, one);
}

template <std::size_t kFunction, Isa kIsa, Kind kKind, bool kScalar>
const Inst* math(const Inst* ip, std::byte* r, Batch* batch) {
  call_math<kKind, kScalar>(op_of_reference_function(kFunction), reference::functions()[kFunction],
                            handlers(kIsa), ip, r, batch);
  return ip + 1;
}

using Exact = Bits (*)(Kind, Rounding, std::span<const Bits>);

/// Operands in a list.
template <Kind kKind, bool kScalar>
[[gnu::noinline]] void call_exact(Exact function, std::uint32_t lanes, const Inst* ip, std::byte* r,
                                  Batch* batch) {
  const OperandList& list = *ip->list;
  constexpr std::uint32_t kBytes = lane_bytes(kKind);
  const auto one = [&](std::uint32_t lane) {
    Bits operands[kMostExactOperands];
    for (std::uint32_t i = 0; i < list.count; ++i)
      operands[i] = load_bits(r + list.offsets[i] + lane * kBytes, kBytes);
    return function(kKind, rounding_of(list.imm), {operands, list.count});
  };
  store_results<kKind, kScalar>(ip, r, batch, lanes, one);
}

template <Exact kFunction, Isa kIsa, Kind kKind, bool kScalar>
const Inst* exact(const Inst* ip, std::byte* r, Batch* batch) {
  call_exact<kKind, kScalar>(kFunction, handlers(kIsa).lanes, ip, r, batch);
  return ip + 1;
}

constexpr std::size_t at(Op op) { return static_cast<std::size_t>(op); }
constexpr std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

template <Isa kIsa, Kind kKind, std::size_t... kFunction>
void fill_math(HandlerTable& table, std::index_sequence<kFunction...>) {
  const auto fill = [&](Op op, Handler rows, Handler uniform) {
    Handler(&forms)[kFormCount] = table.simple[at(op)][at(kKind)];
    for (Handler& form : forms) form = nullptr;
    forms[kRows] = rows;
    forms[kUniform] = uniform;
  };
  (fill(op_of_reference_function(kFunction), &math<kFunction, kIsa, kKind, false>,
        &math<kFunction, kIsa, kKind, true>),
   ...);
}

/// The functions of the rows of extinst/exact.def: each has one, or does not compile.
template <Op>
struct ExactFunction;
template <>
struct ExactFunction<Op::kExactDot> {
  static constexpr Exact kCall = &reference::dot;
};
template <>
struct ExactFunction<Op::kExactLength> {
  static constexpr Exact kCall = &reference::length;
};
template <>
struct ExactFunction<Op::kExactDistance> {
  static constexpr Exact kCall = &reference::distance;
};
template <>
struct ExactFunction<Op::kExactNormalize> {
  static constexpr Exact kCall = &reference::normalize;
};
template <>
struct ExactFunction<Op::kExactDegrees> {
  static constexpr Exact kCall = &reference::degrees;
};
template <>
struct ExactFunction<Op::kExactRadians> {
  static constexpr Exact kCall = &reference::radians;
};
template <>
struct ExactFunction<Op::kExactMix> {
  static constexpr Exact kCall = &reference::mix;
};
template <>
struct ExactFunction<Op::kExactSmoothstep> {
  static constexpr Exact kCall = &reference::smoothstep;
};

template <Op kOp, Isa kIsa, Kind kKind>
void fill_exact(HandlerTable& table) {
  Handler(&forms)[2] = table.special[at(kOp)][at(kKind)];
  forms[0] = &exact<ExactFunction<kOp>::kCall, kIsa, kKind, false>;
  forms[1] = &exact<ExactFunction<kOp>::kCall, kIsa, kKind, true>;
}

template <Isa kIsa, Kind kKind>
void fill_kind(HandlerTable& table) {
  constexpr std::size_t kCount = 0
#define TRANSPIRE_REFERENCE(op, name, form, mpfr) +1
#include "extinst/reference/functions.def"
#undef TRANSPIRE_REFERENCE
      ;
  fill_math<kIsa, kKind>(table, std::make_index_sequence<kCount>{});
#define TRANSPIRE_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning) \
  fill_exact<Op::k##name, kIsa, kKind>(table);
#include "extinst/exact.def"
#undef TRANSPIRE_SPECIAL
  for (std::size_t form = 0; form < kFormCount; ++form)  // mad rounds once as well
    table.simple[at(Op::kMad)][at(kKind)][form] = table.simple[at(Op::kFma)][at(kKind)][form];
}

template <Isa kIsa>
std::unique_ptr<HandlerTable> make_table() {
  auto table = std::make_unique<HandlerTable>(handlers(kIsa));
  table->is_reference = true;
  fill_kind<kIsa, Kind::kF16>(*table);
  fill_kind<kIsa, Kind::kF32>(*table);
  fill_kind<kIsa, Kind::kF64>(*table);
  return table;
}

template <Isa kIsa>
const HandlerTable& table_of() {
  static const std::unique_ptr<const HandlerTable> table = make_table<kIsa>();
  return *table;
}

}  // namespace

const HandlerTable& reference_handlers(const HandlerTable& fast) {
  // The table of a set that this machine lacks is not requested: code of that set would fill it.
  switch (fast.isa) {
#define TRANSPIRE_INSTRUCTION_SET(enumerator, name) \
  case Isa::k##enumerator:                          \
    return table_of<Isa::k##enumerator>();
#include "vm/simd/instruction_sets.def"
#undef TRANSPIRE_INSTRUCTION_SET
    default:
      std::abort();  // not of this build
  }
}

Bits evaluate_correctly(Op op, Kind kind, Rounding rounding, const Bits* operands) {
  const Function& function = *reference_function(op);
  Doubles doubles;
  for (std::size_t i = 0; i < arity(function); ++i) {
    std::byte* const to = doubles.rows + (i + 1) * kRowBytes;
    const double value = reference::to_double(kind, operands[i]);
    if (takes_integer(function, i))
      std::memcpy(to, &operands[i], 4);
    else
      std::memcpy(to, &value, 8);
  }
  Batch batch{};
  doubles.call(handlers(built_isas()[0]), op, kUniform, &batch);
  return reference::round_correctly(function, kind, rounding, operands, doubles.result(0));
}

}  // namespace transpire::vm::exec
