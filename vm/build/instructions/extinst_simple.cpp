// OpenCL.std functions that are one op for each component, and those with a second result of the
// same shape behind a pointer.
#include <bit>

#include "base/narrow.h"
#include "decoder/untyped.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

using each_component::binary;
using each_component::ternary;
using each_component::unary;

/// Stores the second result through the pointer in the function's operand `n`.
void store_second(Builder& b, const Instruction& i, std::size_t n, const ValueList& values) {
  const Type* pointer = b.ids.operand_type(i, kFirstOperand + n);
  const ValueId address = scalar_function_operand(b, i, n);
  if (b.failed() || !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr,
                              "the operand is no pointer"))
    return;
  if (!decoder::is_untyped(*pointer))
    return b.memory.store(*pointer->element, address, values, b.types.space_of(*pointer),
                          {.is_robust = b.types.is_robust(*pointer)});
  lir::MemAccess access;
  access.kind = b.ops.kind_of(values[0]);
  access.components = narrow<std::uint32_t>(values.size());
  access.align_bytes = lane_bytes(access.kind) * std::bit_ceil(access.components);
  access.space = b.types.space_of(*pointer);
  b.pointers.check_indexes(address);
  b.accesses.store(access, address, values);
}

void unary_pair(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0);
  b.ids.define(i, b.ops.each(row.op, x));
  store_second(b, i, 1, b.ops.each(row.second, x));
}

/// The quotient's op gives a float of at most 7 bits.
void remquo(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0);
  const ValueList y = function_operand(b, i, 1);
  b.ids.define(i, b.ops.each(row.op, x, y));
  ValueList quotient = b.ops.each(row.second, x, y);
  for (ValueId& value : quotient) value = b.ops.convert(Op::kConvertFToS, Kind::kI32, value);
  store_second(b, i, 2, quotient);
}

void reciprocal(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0))
    result.push_back(b.ops.emit(Op::kFDiv, {b.ops.float_constant(b.ops.kind_of(x), kOne), x}));
  b.ids.define(i, std::move(result));
}

/// The op works on the payload's integers; the result is those bits as floats.
void nan(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no components")) return;
  ValueList result = b.ops.each(row.op, function_operand(b, i, 0));
  for (ValueId& value : result) value = b.ops.bitcast(value, kinds[0]);
  b.ids.define(i, std::move(result));
}

constexpr ExtendedRow kSimpleRows[] = {
    {OpenCLLIB::Acos, unary, Op::kAcos},
    {OpenCLLIB::Acosh, unary, Op::kAcosh},
    {OpenCLLIB::Acospi, unary, Op::kAcospi},
    {OpenCLLIB::Asin, unary, Op::kAsin},
    {OpenCLLIB::Asinh, unary, Op::kAsinh},
    {OpenCLLIB::Asinpi, unary, Op::kAsinpi},
    {OpenCLLIB::Atan, unary, Op::kAtan},
    {OpenCLLIB::Atan2, binary, Op::kAtan2},
    {OpenCLLIB::Atanh, unary, Op::kAtanh},
    {OpenCLLIB::Atanpi, unary, Op::kAtanpi},
    {OpenCLLIB::Atan2pi, binary, Op::kAtan2pi},
    {OpenCLLIB::Cbrt, unary, Op::kCbrt},
    {OpenCLLIB::Ceil, unary, Op::kCeil},
    {OpenCLLIB::Copysign, binary, kMovesBits, Op::kCopysign},
    {OpenCLLIB::Cos, unary, Op::kCos},
    {OpenCLLIB::Cosh, unary, Op::kCosh},
    {OpenCLLIB::Cospi, unary, Op::kCospi},
    {OpenCLLIB::Erfc, unary, Op::kErfc},
    {OpenCLLIB::Erf, unary, Op::kErf},
    {OpenCLLIB::Exp, unary, Op::kExp},
    {OpenCLLIB::Exp2, unary, Op::kExp2},
    {OpenCLLIB::Exp10, unary, Op::kExp10},
    {OpenCLLIB::Expm1, unary, Op::kExpm1},
    {OpenCLLIB::Fabs, unary, kMovesBits, Op::kFAbs},
    {OpenCLLIB::Fdim, binary, Op::kFDim},
    {OpenCLLIB::Floor, unary, Op::kFloor},
    {OpenCLLIB::Fma, ternary, Op::kFma},
    {OpenCLLIB::Fmax, binary, Op::kFMax},
    {OpenCLLIB::Fmin, binary, Op::kFMin},
    {OpenCLLIB::Fmod, binary, Op::kFRem},
    {OpenCLLIB::Fract, unary_pair, Op::kFract, Op::kFloor},
    {OpenCLLIB::Frexp, unary_pair, Op::kFrexp, Op::kFrexpExponent},
    {OpenCLLIB::Hypot, binary, Op::kHypot},
    {OpenCLLIB::Ilogb, unary, Op::kIlogb},
    {OpenCLLIB::Ldexp, binary, Op::kLdexp},
    {OpenCLLIB::Lgamma, unary, Op::kLgamma},
    {OpenCLLIB::Lgamma_r, unary_pair, Op::kLgamma, Op::kLgammaSign},
    {OpenCLLIB::Log, unary, Op::kLog},
    {OpenCLLIB::Log2, unary, Op::kLog2},
    {OpenCLLIB::Log10, unary, Op::kLog10},
    {OpenCLLIB::Log1p, unary, Op::kLog1p},
    {OpenCLLIB::Logb, unary, Op::kLogb},
    {OpenCLLIB::Mad, ternary, Op::kMad},
    {OpenCLLIB::Maxmag, binary, Op::kMaxmag},
    {OpenCLLIB::Minmag, binary, Op::kMinmag},
    {OpenCLLIB::Modf, unary_pair, Op::kModf, Op::kTrunc},
    {OpenCLLIB::Nan, nan, kMovesBits, Op::kNan},
    {OpenCLLIB::Nextafter, binary, Op::kNextafter},
    {OpenCLLIB::Pow, binary, Op::kPow},
    {OpenCLLIB::Pown, binary, Op::kPown},
    {OpenCLLIB::Powr, binary, Op::kPowr},
    {OpenCLLIB::Remainder, binary, Op::kRemainder},
    {OpenCLLIB::Remquo, remquo, Op::kRemainder, Op::kRemquoQuotient},
    {OpenCLLIB::Rint, unary, Op::kRint},
    {OpenCLLIB::Rootn, binary, Op::kRootn},
    {OpenCLLIB::Round, unary, Op::kRound},
    {OpenCLLIB::Rsqrt, unary, Op::kRsqrt},
    {OpenCLLIB::Sin, unary, Op::kSin},
    {OpenCLLIB::Sincos, unary_pair, Op::kSin, Op::kCos},
    {OpenCLLIB::Sinh, unary, Op::kSinh},
    {OpenCLLIB::Sinpi, unary, Op::kSinpi},
    {OpenCLLIB::Sqrt, unary, Op::kSqrt},
    {OpenCLLIB::Tan, unary, Op::kTan},
    {OpenCLLIB::Tanh, unary, Op::kTanh},
    {OpenCLLIB::Tanpi, unary, Op::kTanpi},
    {OpenCLLIB::Tgamma, unary, Op::kTgamma},
    {OpenCLLIB::Trunc, unary, Op::kTrunc},
    // half_ and native_ functions are as exact as the full ones.
    {OpenCLLIB::Half_cos, unary, Op::kCos},
    {OpenCLLIB::Half_divide, binary, Op::kFDiv},
    {OpenCLLIB::Half_exp, unary, Op::kExp},
    {OpenCLLIB::Half_exp2, unary, Op::kExp2},
    {OpenCLLIB::Half_exp10, unary, Op::kExp10},
    {OpenCLLIB::Half_log, unary, Op::kLog},
    {OpenCLLIB::Half_log2, unary, Op::kLog2},
    {OpenCLLIB::Half_log10, unary, Op::kLog10},
    {OpenCLLIB::Half_powr, binary, Op::kPowr},
    {OpenCLLIB::Half_recip, reciprocal},
    {OpenCLLIB::Half_rsqrt, unary, Op::kRsqrt},
    {OpenCLLIB::Half_sin, unary, Op::kSin},
    {OpenCLLIB::Half_sqrt, unary, Op::kSqrt},
    {OpenCLLIB::Half_tan, unary, Op::kTan},
    {OpenCLLIB::Native_cos, unary, Op::kCos},
    {OpenCLLIB::Native_divide, binary, Op::kFDiv},
    {OpenCLLIB::Native_exp, unary, Op::kExp},
    {OpenCLLIB::Native_exp2, unary, Op::kExp2},
    {OpenCLLIB::Native_exp10, unary, Op::kExp10},
    {OpenCLLIB::Native_log, unary, Op::kLog},
    {OpenCLLIB::Native_log2, unary, Op::kLog2},
    {OpenCLLIB::Native_log10, unary, Op::kLog10},
    {OpenCLLIB::Native_powr, binary, Op::kPowr},
    {OpenCLLIB::Native_recip, reciprocal},
    {OpenCLLIB::Native_rsqrt, unary, Op::kRsqrt},
    {OpenCLLIB::Native_sin, unary, Op::kSin},
    {OpenCLLIB::Native_sqrt, unary, Op::kSqrt},
    {OpenCLLIB::Native_tan, unary, Op::kTan},
    {OpenCLLIB::FClamp, ternary, Op::kFClamp},
    {OpenCLLIB::Step, binary, Op::kStep},
    {OpenCLLIB::Sign, unary, Op::kSign},
    {OpenCLLIB::SAbs, unary, Op::kSAbs},
    {OpenCLLIB::SAbs_diff, binary, Op::kSAbsDiff},
    {OpenCLLIB::SAdd_sat, binary, Op::kSAddSat},
    {OpenCLLIB::UAdd_sat, binary, Op::kUAddSat},
    {OpenCLLIB::SHadd, binary, Op::kSHadd},
    {OpenCLLIB::UHadd, binary, Op::kUHadd},
    {OpenCLLIB::SRhadd, binary, Op::kSRhadd},
    {OpenCLLIB::URhadd, binary, Op::kURhadd},
    {OpenCLLIB::SClamp, ternary, Op::kSClamp},
    {OpenCLLIB::UClamp, ternary, Op::kUClamp},
    {OpenCLLIB::Clz, unary, Op::kClz},
    {OpenCLLIB::Ctz, unary, Op::kCtz},
    {OpenCLLIB::SMad_hi, ternary, Op::kSMadHi},
    {OpenCLLIB::UMad_sat, ternary, Op::kUMadSat},
    {OpenCLLIB::SMad_sat, ternary, Op::kSMadSat},
    {OpenCLLIB::SMax, binary, Op::kSMax},
    {OpenCLLIB::UMax, binary, Op::kUMax},
    {OpenCLLIB::SMin, binary, Op::kSMin},
    {OpenCLLIB::UMin, binary, Op::kUMin},
    {OpenCLLIB::SMul_hi, binary, Op::kSMulHigh},
    {OpenCLLIB::Rotate, binary, Op::kRotate},
    {OpenCLLIB::SSub_sat, binary, Op::kSSubSat},
    {OpenCLLIB::USub_sat, binary, Op::kUSubSat},
    {OpenCLLIB::Popcount, unary, Op::kBitCount},
    {OpenCLLIB::SMad24, ternary, Op::kSMad24},
    {OpenCLLIB::UMad24, ternary, Op::kUMad24},
    {OpenCLLIB::SMul24, binary, Op::kSMul24},
    {OpenCLLIB::UMul24, binary, Op::kUMul24},
    {OpenCLLIB::UAbs, unary, Op::kUAbs},
    {OpenCLLIB::UAbs_diff, binary, Op::kUAbsDiff},
    {OpenCLLIB::UMul_hi, binary, Op::kUMulHigh},
    {OpenCLLIB::UMad_hi, ternary, Op::kUMadHi},
};

}  // namespace

std::span<const ExtendedRow> componentwise_rows() { return kSimpleRows; }

}  // namespace transpire::vm::builder
