// Findings of checks, their numbers and their texts: with any other checks beside them, on every instruction set, by the
// reference mode and observed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "tests/runtime/support.h"
#include "transpire/half.hpp"
#include "transpire/setting_table.hpp"

namespace transpire::test {
namespace {

// ---- Which findings there are, whatever else is looked for

/// 39 of 40 work-items want the value of another work-item than the first one does. All behind the 15th ask for that of a
/// work-item that no sub-group of 16 has.
constexpr std::string_view kGroupOperands = R"(
OpCapability Groups SubgroupDispatch GroupNonUniform GroupNonUniformShuffle
OpExecutionMode %test SubgroupSize 16
kernel test(%_ptr_CrossWorkgroup_uint out)
%n = OpUConvert %uint %lid
%from_group = OpGroupBroadcast %uint %uint_2 %n %n
%next = OpIAdd %uint %n %uint_1
%from_next = OpGroupNonUniformShuffle %uint %uint_3 %n %next
%sum = OpIAdd %uint %from_group %from_next
store %out[%lid] %sum
)";

using FindingCounts = std::map<std::string, std::uint64_t, std::less<>>;

FindingCounts finding_counts(const Module& module, const std::vector<const Setting*>& checks) {
  Launch launch = make_launch(module, "test", 40, 40, make_buffer(160));
  for (const Setting* check : checks) check->set(launch, 1);
  FindingCounts found;
  for (const Finding& finding : run(make_device(), launch).findings)
    found[finding.diagnostic.rule] += finding.count;
  return found;
}

// ---- Misaligned accesses

/// All a byte behind what is aligned.
constexpr std::string_view kMisaligned = R"(
OpCapability Groups
OpName %list "list"
%bytes = OpTypeArray %uchar %uint_16
%event = OpTypeEvent
%zero = OpConstantNull %bytes
kernel k(%_ptr_CrossWorkgroup_uint a)
%list = OpVariable %_ptr_Function_bytes Function %zero
%a_byte = OpBitcast %_ptr_CrossWorkgroup_uchar %a
%next = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %a_byte %ulong_1
%at = OpBitcast %_ptr_CrossWorkgroup_uint %next
%v = load %at
%r = OpAtomicIAdd %uint %at %uint_1 %uint_0 %uint_1
%in_list = OpInBoundsAccessChain %_ptr_Function_uchar %list %uint_1
%events = OpBitcast %_ptr_Function_event %in_list
OpGroupWaitEvents %uint_2 %uint_1 %events
)";

/// Adds 1 to what the argument points to, then exchanges 7 for itself in the next one.
constexpr std::string_view kUnalignedAtomics = R"(
kernel k(%_ptr_CrossWorkgroup_uint a)
%r = OpAtomicIAdd %uint %a %uint_1 %uint_0 %uint_1
%next = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %uint_1
%x = OpAtomicExchange %uint %next %uint_1 %uint_0 %r
%l = OpAtomicLoad %uint %a %uint_1 %uint_0
)";

TEST_CASE("findings of group operands are counted once, whatever else is looked for") {
  const Module module = load(kGroupOperands);
  std::vector<const Setting*> checks;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck) checks.push_back(&setting);
  for (std::size_t which = 0; which < std::size_t{1} << checks.size(); ++which) {
    std::vector<const Setting*> chosen;
    std::string names;
    for (std::size_t i = 0; i < checks.size(); ++i) {
      if ((which >> i & 1) == 0) continue;
      chosen.push_back(checks[i]);
      names += fmt::format("{},", checks[i]->word);
    }
    INFO("--check=", names);
    const bool is_looked_for = names.find("sync,") != names.npos;
    CHECK(finding_counts(module, chosen) ==
          (is_looked_for ? FindingCounts{{"TSP-R0045", 39}, {"TSP-R0047", 25}} : FindingCounts{}));
  }
}

TEST_CASE("atomics on memory that the host has not aligned") {
  const Module module = load(kUnalignedAtomics);
  constexpr std::uint32_t kOperandItems = 4096;
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer whole = make_buffer(64, "whole");
    Launch launch = make_launch(module, "k", kOperandItems, 64, whole.slice(2, 32, "part").value());
    launch.reference = reference;
    CHECK(run(make_device(3, isa), launch).findings.empty());
    std::uint32_t count = 0, last = 0;
    std::memcpy(&count, whole.as<std::byte>().data() + 2, 4);
    std::memcpy(&last, whole.as<std::byte>().data() + 6, 4);
    CHECK(count == kOperandItems);
    CHECK(last < kOperandItems);
  });
}

TEST_CASE("misaligned accesses say which alignment was expected") {
  const Module module = load(kMisaligned);
  on_each_path([&](const std::string& isa, bool reference) {
    Launch launch = make_launch(module, "k", 1, 1, make_buffer(16, "a"));
    launch.reference = reference;
    std::vector<std::string> messages;
    for (const Finding& finding : run(make_device(1, isa), launch).findings)
      if (finding.diagnostic.rule == "TSP-R0023") messages.push_back(finding.diagnostic.message);
    CHECK(messages ==
          std::vector<std::string>{
              "misaligned 4-byte load at offset 1 of buffer 'a': expected a multiple of 4",
              "misaligned 4-byte atomic access at offset 1 of buffer 'a': expected a multiple of 4",
              "misaligned 8-byte access at offset 1 of private variable 'list': expected a "
              "multiple of 8"});
  });
}

// ---- Operands at fault

constexpr std::uint64_t kOperandItems = 100, kFaulty = 70;

/// How a kernel comes by an operand: what each lane loads, a parameter, one that falls with the global id, a constant.
enum class Form { kLoaded, kUniform, kFalling, kConstant };

struct Operation {
  const char* opcode;
  unsigned bits;
  Form x, y;
  bool is_vector;
};

bool is_shift(const Operation& c) { return std::string_view(c.opcode).substr(0, 7) == "OpShift"; }
bool is_signed(const Operation& c) {
  return std::string_view(c.opcode).substr(0, 3) == "OpS" && (!is_shift(c) || c.opcode[12] == 'A');
}

std::uint64_t mask_of(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

/// The parameters that operands are made of.
std::uint64_t first_x(const Operation& c) { return (mask_of(c.bits) - 55) & mask_of(c.bits); }
std::uint64_t first_y(const Operation& c) {
  if (c.y == Form::kFalling) return kFaulty;
  return is_shift(c) ? c.bits : 0;
}

std::uint64_t operand(const Operation& c, Form form, std::uint64_t first, std::uint64_t item) {
  switch (form) {
    case Form::kLoaded:
      return item < kFaulty ? 1 : first;
    case Form::kFalling:
      return (first - item) & mask_of(c.bits);
    default:
      return first;
  }
}

bool is_faulty(const Operation& c, std::uint64_t y) { return is_shift(c) ? y >= c.bits : y == 0; }

std::string spell(std::uint64_t value, unsigned bits, bool is_signed) {
  const unsigned unused = 64 - bits;
  if (!is_signed) return fmt::to_string(value);
  return fmt::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

std::string_view integer_name(unsigned bits) {
  return bits == 8 ? "uchar" : bits == 16 ? "ushort" : bits == 32 ? "uint" : "ulong";
}

/// Makes %x or %y, whose first or constant value is `value`. {type} is the type of integers.
std::string definition(char name, Form form, std::uint64_t value) {
  switch (form) {
    case Form::kLoaded:
      return fmt::format("%{0} = load %in_{0}[%gid]\n", name);
    case Form::kUniform:
      return fmt::format("%{0} = OpCopyObject %{{type}} %first_{0}\n", name);
    case Form::kFalling:
      return fmt::format("%{0} = OpISub %{{type}} %first_{0} %n\n", name);
    default:
      return fmt::format("%{0} = OpCopyObject %{{type}} %{{type}}_{1}\n", name, value);
  }
}

/// The value to store is %r: of vectors the second component is the one at fault.
std::string kernel_of(const Operation& c) {
  const char* operation = c.is_vector ? R"(
%xs = OpCompositeConstruct %v2{type} %{type}_7 %x
%ys = OpCompositeConstruct %v2{type} %{type}_7 %y
%rs = {opcode} %v2{type} %xs %ys
%r = OpCompositeExtract %{type} %rs 1
)"
                                      : "%r = {opcode} %{type} %x %y\n";
  const std::string text =
      "kernel test(%_ptr_CrossWorkgroup_{type} out in_x in_y, %{type} first_x first_y)\n"
      "%n = {narrow} %{type} %gid\n" +
      definition('x', c.x, first_x(c)) + definition('y', c.y, first_y(c)) + operation +
      "store %out[%gid] %r\nOpReturn\nOpFunctionEnd\n";
  return fmt::format(fmt::runtime(text), fmt::arg("type", integer_name(c.bits)),
                     fmt::arg("opcode", c.opcode),
                     fmt::arg("narrow", c.bits == 64 ? "OpCopyObject" : "OpUConvert"));
}

Argument number(std::uint64_t value, unsigned bits) {
  return Argument::raw(std::as_bytes(std::span(&value, 1)).first(bits / 8));
}

Launch launch_of(const Operation& c) {
  Buffer x = make_buffer(kOperandItems * c.bits / 8), y = make_buffer(kOperandItems * c.bits / 8);
  for (std::uint64_t i = 0; i < kOperandItems; ++i) {
    const std::uint64_t values[] = {operand(c, c.x, first_x(c), i), operand(c, c.y, first_y(c), i)};
    std::memcpy(x.bytes().data() + i * c.bits / 8, &values[0], c.bits / 8);
    std::memcpy(y.bytes().data() + i * c.bits / 8, &values[1], c.bits / 8);
  }
  Launch launch = make_launch(load(kernel_of(c)), "test", kOperandItems, 0,
                              make_buffer(kOperandItems * c.bits / 8), x, y,
                              number(first_x(c), c.bits), number(first_y(c), c.bits));
  launch.check_ub = true;
  return launch;
}

std::string operands_note(const Operation& c) {
  std::uint64_t item = 0;
  while (item < kOperandItems && !is_faulty(c, operand(c, c.y, first_y(c), item))) ++item;
  return "operands: " + spell(operand(c, c.x, first_x(c), item), c.bits, is_signed(c)) + ", " +
         spell(operand(c, c.y, first_y(c), item), c.bits, is_signed(c) && !is_shift(c));
}

bool tells(const Finding& finding, const std::string& note) {
  const std::vector<std::string>& notes = finding.diagnostic.notes;
  return std::count(notes.begin(), notes.end(), note) == 1;
}

/// Runs it in every way that there is.
void check_everywhere(Launch launch, const std::function<void(const LaunchResult&)>& check) {
  for (const std::string& isa : supported_isas()) {
    for (const int way : {0, 1, 2, 3}) {
      launch.reference = way == 1;
      launch.observed = way >= 2;
      launch.debug_info = way == 3;
      CAPTURE(isa);
      CAPTURE(way);
      check(run(make_device(1, isa), launch));
    }
  }
}

TEST_CASE("the operands at fault are shown, whatever their width and wherever they are") {
  constexpr std::pair<Form, Form> kForms[] = {
      {Form::kLoaded, Form::kLoaded},    {Form::kUniform, Form::kUniform},
      {Form::kFalling, Form::kFalling},  {Form::kLoaded, Form::kUniform},
      {Form::kUniform, Form::kLoaded},   {Form::kFalling, Form::kConstant},
      {Form::kConstant, Form::kFalling}, {Form::kConstant, Form::kConstant}};
  for (const char* opcode : {"OpUDiv", "OpSDiv", "OpSMod", "OpShiftLeftLogical",
                             "OpShiftRightLogical", "OpShiftRightArithmetic"}) {
    for (const unsigned bits : {8u, 16u, 32u, 64u}) {
      for (const auto& [x, y] : kForms) {
        const Operation c{opcode, bits, x, y, y == Form::kUniform};
        INFO(std::string(opcode), " of ", bits, " bits");
        INFO(kernel_of(c));
        check_everywhere(launch_of(c), [&](const LaunchResult& result) {
          REQUIRE(result.findings.size() == 1);
          INFO(format(result.findings[0].diagnostic));
          CHECK(tells(result.findings[0], operands_note(c)));
        });
      }
    }
  }
}

// ---- Conversions of floats that do not fit their integer

struct FloatKind {
  const char* name;
  unsigned bits;
  int precision;
};
constexpr FloatKind kFloats[] = {{"half", 16, 11}, {"float", 32, 24}, {"double", 64, 53}};

std::uint64_t bits_of(double x, const FloatKind& kind) {
  if (kind.bits == 64) return std::bit_cast<std::uint64_t>(x);
  if (kind.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return half_from_double(x);
}

bool is_number_of(double x, const FloatKind& kind) {
  if (kind.bits == 64) return true;
  if (kind.bits == 32) return static_cast<float>(x) == x;
  return half_to_float(half_from_double(x)) == x;
}

/// A kernel that converts in[i] to an integer out[i].
std::string conversion(const FloatKind& from, unsigned bits, bool to_signed, bool saturated) {
  return fmt::format(R"(
{3}
kernel convert(%_ptr_CrossWorkgroup_{1} out, %_ptr_CrossWorkgroup_{0} in)
%x = load %in[%gid]
%y = OpConvertFTo{2} %{1} %x
store %out[%gid] %y
)",
                     from.name, integer_name(bits), to_signed ? 'S' : 'U',
                     saturated ? "OpDecorate %y SaturatedConversion" : "");
}

/// Powers of two, their neighbours in the type, and what lies half-way to the next integer.
std::vector<double> inputs(const FloatKind& kind) {
  std::set<double> numbers{0.0, 0.5, 0.999, 1.5};
  for (int exponent = 0; exponent <= 70; ++exponent) {
    const double power = std::ldexp(1.0, exponent), unit = std::ldexp(power, 1 - kind.precision);
    for (const double x :
         {power, power + unit, power - unit / 2, power + 0.5, power - 0.5, power - 1, power + 1})
      numbers.insert(x);
  }
  constexpr double most = std::numeric_limits<double>::infinity();
  std::vector<double> all{most, -most, std::numeric_limits<double>::quiet_NaN()};
  for (const double x : numbers)
    if (is_number_of(x, kind)) all.insert(all.end(), {x, -x});
  return all;
}

/// The integer's bits, and whether the number fits: x87 holds every limit and every truncated
/// double.
struct Converted {
  std::uint64_t bits;
  bool fits;
};
Converted converted(double x, unsigned bits, bool to_signed) {
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

LaunchResult run_conversion(const std::string& text, const std::vector<double>& numbers,
                            const FloatKind& kind, unsigned bits,
                            std::vector<std::uint64_t>& results) {
  const Buffer out = make_buffer(numbers.size() * bits / 8),
               in = make_buffer(numbers.size() * kind.bits / 8);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t word = bits_of(numbers[i], kind);
    std::memcpy(in.bytes().data() + i * kind.bits / 8, &word, kind.bits / 8);
  }
  Launch launch = make_launch(load(text), "convert", numbers.size(), 0, out, in);
  launch.check_ub = true;
  const LaunchResult result = run(make_device(), launch);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, out.bytes().data() + i * bits / 8, bits / 8);
    results.push_back(word);
  }
  return result;
}

TEST_CASE("floats that do not fit their integer are found, and give its nearest limit") {
  for (const FloatKind& kind : kFloats) {
    const std::vector<double> numbers = inputs(kind);
    for (const unsigned bits : {8u, 16u, 32u, 64u}) {
      for (const bool to_signed : {true, false}) {
        INFO(std::string(kind.name), " to ", bits,
             std::string(to_signed ? " signed" : " unsigned"));
        std::vector<std::uint64_t> results;
        const LaunchResult found =
            run_conversion(conversion(kind, bits, to_signed, false), numbers, kind, bits, results);
        std::uint64_t misfits = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const Converted wanted = converted(numbers[i], bits, to_signed);
          INFO("of ", numbers[i]);
          CHECK(results[i] == wanted.bits);
          misfits += wanted.fits ? 0 : 1;
        }
        REQUIRE(rules_of(found) == Rules{"TSP-R0064"});
        CHECK(found.findings[0].count == misfits);
        std::vector<std::uint64_t> saturated;
        const LaunchResult silent =
            run_conversion(conversion(kind, bits, to_signed, true), numbers, kind, bits, saturated);
        CHECK(silent.findings.empty());
        CHECK(saturated == results);
      }
    }
  }
}

}  // namespace
}  // namespace transpire::test
