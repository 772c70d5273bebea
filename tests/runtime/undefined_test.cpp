// --check=ub of conversions: what is found, and what the result is, at every limit of every type.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

struct FloatKind {
  const char* name;
  unsigned bits;
  int precision, most_exponent;
};
constexpr FloatKind kFloats[] = {
    {"half", 16, 11, 15}, {"float", 32, 24, 127}, {"double", 64, 53, 1023}};

/// A kernel that converts in[i] to an integer out[i].
std::string kernel(const FloatKind& from, unsigned bits, bool to_signed, bool saturated) {
  return fmt::format(
      R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %convert "convert" %id
OpDecorate %id BuiltIn GlobalInvocationId
{}
%void = OpTypeVoid
%ulong = OpTypeInt 64 0
{}
%real = OpTypeFloat {}
%p_to = OpTypePointer CrossWorkgroup %to
%p_real = OpTypePointer CrossWorkgroup %real
%v3 = OpTypeVector %ulong 3
%p_v3 = OpTypePointer Input %v3
%id = OpVariable %p_v3 Input
%type = OpTypeFunction %void %p_to %p_real
%convert = OpFunction %void None %type
%out = OpFunctionParameter %p_to
%in = OpFunctionParameter %p_real
%entry = OpLabel
%ids = OpLoad %v3 %id Aligned 32
%i = OpCompositeExtract %ulong %ids 0
%from = OpInBoundsPtrAccessChain %p_real %in %i
%x = OpLoad %real %from Aligned {}
%y = {} %to %x
%at = OpInBoundsPtrAccessChain %p_to %out %i
OpStore %at %y Aligned {}
OpReturn
OpFunctionEnd
)",
      saturated ? "OpDecorate %y SaturatedConversion" : "",
      bits == 64 ? "" : fmt::format("%to = OpTypeInt {} 0", bits), from.bits, from.bits / 8,
      to_signed ? "OpConvertFToS" : "OpConvertFToU", bits / 8);
}

std::string with_64(std::string text, unsigned bits) {
  if (bits != 64) return text;
  for (std::size_t at = text.find("%to "); at != text.npos; at = text.find("%to ", at))
    text.replace(at, 4, "%ulong ");
  for (std::size_t at = text.find("%to\n"); at != text.npos; at = text.find("%to\n", at))
    text.replace(at, 4, "%ulong\n");
  return text;
}

/// Powers of two, their neighbours in the type, and what lies half-way to the next integer.
std::vector<double> inputs(const FloatKind& kind) {
  std::set<double> numbers{0.0, 0.5, 0.999, 1.5};
  for (int exponent = 0; exponent <= std::min(kind.most_exponent, 70); ++exponent) {
    const double power = std::ldexp(1.0, exponent), unit = std::ldexp(power, 1 - kind.precision);
    for (const double x :
         {power, power + unit, power - unit / 2, power + 0.5, power - 0.5, power - 1, power + 1})
      numbers.insert(x);
  }
  std::vector<double> all;
  for (const double x : numbers) {
    // Only what the type has.
    if (x != 0) {
      const double unit = std::ldexp(1.0, std::ilogb(x) + 1 - kind.precision);
      if (std::fmod(x, unit) != 0 || std::ilogb(x) > kind.most_exponent) continue;
    }
    all.push_back(x);
    all.push_back(-x);
  }
  all.push_back(std::numeric_limits<double>::infinity());
  all.push_back(-std::numeric_limits<double>::infinity());
  all.push_back(std::numeric_limits<double>::quiet_NaN());
  return all;
}

std::uint64_t bits_of(double x, const FloatKind& kind) {
  if (kind.bits == 64) return std::bit_cast<std::uint64_t>(x);
  if (kind.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (std::isnan(x)) return 0x7e00;
  const std::uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x)) return sign | 0x7c00;
  if (x == 0) return sign;
  const int exponent = std::ilogb(x);
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(std::abs(x), 10 - exponent));
  return sign | static_cast<std::uint64_t>(exponent + 15) << 10 | (fraction & 0x3ff);
}

/// The integer's bits, and whether the number fits: x87 holds every limit and every truncated
/// double.
struct Expected {
  std::uint64_t bits;
  bool fits;
};
Expected expected(double x, unsigned bits, bool to_signed) {
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (std::isnan(x)) return {0, false};
  const long double whole = std::trunc(static_cast<long double>(x));
  const long double most = std::ldexp(1.0L, static_cast<int>(bits) - (to_signed ? 1 : 0)) - 1;
  const long double least = to_signed ? -most - 1 : 0;
  const bool fits = whole >= least && whole <= most;
  const long double clamped = std::min(std::max(whole, least), most);
  const auto number = clamped < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(clamped))
                                  : static_cast<std::uint64_t>(clamped);
  return {number & mask, fits};
}

LaunchResult run(const std::string& text, const std::vector<double>& numbers, const FloatKind& kind,
                 unsigned bits, std::vector<std::uint64_t>& results) {
  Launch launch(load(text), "convert");
  launch.geometry.global_size = {numbers.size(), 1, 1};
  launch.check_ub = true;
  const Buffer out = make_buffer(numbers.size() * bits / 8),
               in = make_buffer(numbers.size() * kind.bits / 8);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t word = bits_of(numbers[i], kind);
    std::memcpy(in.bytes().data() + i * kind.bits / 8, &word, kind.bits / 8);
  }
  launch.arguments = {Argument::buffer(out), Argument::buffer(in)};
  Result<LaunchResult> result = make_device().run(launch);
  REQUIRE(result.ok());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, out.bytes().data() + i * bits / 8, bits / 8);
    results.push_back(word);
  }
  return std::move(*result);
}

}  // namespace

TEST_CASE("floats that do not fit their integer are found, and give its nearest limit") {
  for (const FloatKind& kind : kFloats) {
    const std::vector<double> numbers = inputs(kind);
    for (const unsigned bits : {8u, 16u, 32u, 64u}) {
      for (const bool to_signed : {true, false}) {
        INFO(kind.name, " to ", bits, to_signed ? " signed" : " unsigned");
        std::vector<std::uint64_t> results;
        const LaunchResult found =
            run(with_64(kernel(kind, bits, to_signed, false), bits), numbers, kind, bits, results);
        std::uint64_t misfits = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const Expected wanted = expected(numbers[i], bits, to_signed);
          INFO("of ", numbers[i]);
          CHECK(results[i] == wanted.bits);
          misfits += wanted.fits ? 0 : 1;
        }
        REQUIRE(found.findings.size() == 1);
        CHECK(found.findings[0].diagnostic.rule == "TSP-R0064");
        CHECK(found.findings[0].count == misfits);
        std::vector<std::uint64_t> saturated;
        const LaunchResult silent =
            run(with_64(kernel(kind, bits, to_signed, true), bits), numbers, kind, bits, saturated);
        CHECK(silent.findings.empty());
        CHECK(saturated == results);
      }
    }
  }
}

}  // namespace transpire::test
