// What SPIR-V's exactly defined instructions give for one component, in plain integers and doubles,
// by the specification and docs/numerics.md.
#pragma once

#include <cstdint>
#include <span>

namespace transpire::oracle {

enum class Kind : std::uint8_t { kBool, kInt, kFloat };

struct Scalar {
  Kind kind = Kind::kInt;
  unsigned width = 32;  ///< bits; 1 for a bool
  bool operator==(const Scalar&) const = default;
};

/// How an instruction's types hang together. T is any vector or scalar of the kind that its table
/// says.
enum class Form : std::uint8_t {
  kSame,         ///< T = op T...
  kTest,         ///< bool = op T...
  kSelect,       ///< T = op bool T T, T of any kind
  kMixedShift,   ///< T = op T U, both integers
  kFloatInt,     ///< T = op T i32 (ldexp)
  kToInt,        ///< i32 = op T (ilogb)
  kFromPayload,  ///< T = op integer of T's width (nan)
  kTwice,        ///< integer of twice the width = op T T (upsample)
  kPick,         ///< T = op T T integer of T's width (select of OpenCL.std)
  kConvert,      ///< by `convert`
  kReduce,       ///< bool = op boolean vector
  kStructure,    ///< member `literals[0]` of a struct of two T = op T T
  kPointer,      ///< T, or what is stored through the last operand (literals[0] is 1) = op T
  kField,        ///< bit field instructions
  kTimesScalar,
  kDot,
  kConstruct,
  kExtract,
  kInsert,
  kExtractDynamic,
  kInsertDynamic,
  kShuffle,
  kBitcast,
};

/// `x` are the operands' bits; of `kSame`, `scalar` is the type of all, else that of the first
/// operand. The result is cut to its width by the caller.
using Compute = std::uint64_t (*)(const Scalar& scalar, const std::uint64_t* x);
using Convert = std::uint64_t (*)(const Scalar& from, const Scalar& to, std::uint64_t x,
                                  int rounding, bool saturated);

struct Instruction {
  const char* name;  ///< OpName, or a function of OpenCL.std
  Form form;
  Kind kind = Kind::kInt;  ///< of T; of a conversion's operand
  unsigned operands = 0;
  Compute compute = nullptr;
  Compute second = nullptr;  ///< the other member or what is stored
  unsigned only_width = 0;   ///< not 0: of T
  Convert convert = nullptr;
  Kind to = Kind::kInt;  ///< kConvert: of the result
};

std::span<const Instruction> integer_instructions();
std::span<const Instruction> float_instructions();
std::span<const Instruction> conversion_instructions();
std::span<const Instruction> composite_instructions();

// ---- Numbers ------------------------------------------------------------------------------------

inline constexpr std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
inline constexpr std::int64_t signed_of(unsigned width, std::uint64_t bits) {
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

enum Rounding : int { kNearestEven = 0, kTowardsZero = 1, kUp = 2, kDown = 3 };

/// How half and float are computed; double is always rounded to nearest and keeps denormals.
struct FloatModes {
  bool towards_zero = false;
  bool flush_denorms = false;
};
/// Gives a result in a rounding mode, which from_double() and the processor follow meanwhile.
std::uint64_t computed(Compute compute, const Scalar& scalar, const std::uint64_t* x, int rounding);
bool obeys_rounding(const Instruction& instruction);
/// Moves or looks at bits, denormal or not.
bool moves_bits(const Instruction& instruction);

/// A float format: half, float or double.
struct Format {
  unsigned width, fraction;  ///< bits
  int bias;
  std::uint64_t quiet() const { return std::uint64_t{1} << (fraction - 1); }
  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  std::uint64_t infinity() const { return low_bits(width - 1) & ~low_bits(fraction); }
  std::uint64_t nan() const { return infinity() | quiet(); }
  std::uint64_t magnitude(std::uint64_t x) const { return x & low_bits(width - 1); }
  bool is_nan(std::uint64_t x) const { return magnitude(x) > infinity(); }
  bool is_infinite(std::uint64_t x) const { return magnitude(x) == infinity(); }
  bool is_negative(std::uint64_t x) const { return (x & sign()) != 0; }
};
Format format_of(unsigned width);

using Wide = unsigned __int128;
/// (-1)^negative * magnitude * 2^exponent, rounded once. Zero gives a zero of that sign.
std::uint64_t rounded(const Format& format, bool negative, Wide magnitude, int exponent,
                      int rounding);
/// A finite float taken apart, exactly.
struct Parts {
  bool negative;
  std::uint64_t magnitude;
  int exponent;
};
Parts parts_of(const Format& format, std::uint64_t bits);
double to_double(const Format& format, std::uint64_t bits);
std::uint64_t from_double(const Format& format, double value);

}  // namespace transpire::oracle
