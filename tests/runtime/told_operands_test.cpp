// Findings of --check=ub show the operands that the first work-item had: wherever they are, on every instruction set,
// by the reference mode and observed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::uint64_t kItems = 100, kFaulty = 70;

/// How a kernel comes by an operand: what each lane loads, a parameter, one that falls with the global id, a constant.
enum class Form { kLoaded, kUniform, kFalling, kConstant };

struct Case {
  const char* opcode;
  unsigned bits;
  Form x, y;
  bool is_vector;
};

bool is_shift(const Case& c) { return std::string_view(c.opcode).substr(0, 7) == "OpShift"; }
bool is_signed(const Case& c) {
  return std::string_view(c.opcode).substr(0, 3) == "OpS" && (!is_shift(c) || c.opcode[12] == 'A');
}

std::uint64_t mask_of(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

/// The parameters that operands are made of.
std::uint64_t first_x(const Case& c) { return (mask_of(c.bits) - 55) & mask_of(c.bits); }
std::uint64_t first_y(const Case& c) {
  if (c.y == Form::kFalling) return kFaulty;
  return is_shift(c) ? c.bits : 0;
}

std::uint64_t operand(const Case& c, Form form, std::uint64_t first, std::uint64_t item) {
  switch (form) {
    case Form::kLoaded:
      return item < kFaulty ? 1 : first;
    case Form::kFalling:
      return (first - item) & mask_of(c.bits);
    default:
      return first;
  }
}

bool is_faulty(const Case& c, std::uint64_t y) { return is_shift(c) ? y >= c.bits : y == 0; }

std::string spell(std::uint64_t value, unsigned bits, bool is_signed) {
  const unsigned unused = 64 - bits;
  if (!is_signed) return fmt::to_string(value);
  return fmt::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

std::string type_of(const Case& c) { return c.bits == 64 ? "%ulong" : "%narrow"; }

/// Makes %x or %y.
std::string definition(const Case& c, char name, Form form) {
  const std::string type = type_of(c);
  switch (form) {
    case Form::kLoaded:
      return fmt::format(
          "%{0}_at = OpInBoundsPtrAccessChain %p_int %in_{0} %i\n"
          "%{0} = OpLoad {1} %{0}_at Aligned {2}\n",
          name, type, c.bits / 8);
    case Form::kUniform:
      return fmt::format("%{0} = OpCopyObject {1} %first_{0}\n", name, type);
    case Form::kFalling:
      return fmt::format("%{0} = OpISub {1} %first_{0} %n\n", name, type);
    default:
      return fmt::format("%{0} = OpCopyObject {1} %constant_{0}\n", name, type);
  }
}

/// What the operation is of, and the value to store: of vectors the second component is the one at fault.
std::string operation(const Case& c) {
  if (!c.is_vector) return fmt::format("%r = {} {} %x %y\n", c.opcode, type_of(c));
  return fmt::format(
      "%xs = OpCompositeConstruct %pair %constant_7 %x\n"
      "%ys = OpCompositeConstruct %pair %constant_7 %y\n"
      "%rs = {} %pair %xs %ys\n"
      "%r = OpCompositeExtract {} %rs 1\n",
      c.opcode, type_of(c));
}

std::string kernel(const Case& c) {
  return fmt::format(
      R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%ulong = OpTypeInt 64 0
{declaration}
%pair = OpTypeVector {type} 2
%constant_7 = OpConstant {type} 7
%constant_x = OpConstant {type} {x}
%constant_y = OpConstant {type} {y}
%p_int = OpTypePointer CrossWorkgroup {type}
%v3 = OpTypeVector %ulong 3
%p_v3 = OpTypePointer Input %v3
%id = OpVariable %p_v3 Input
%type = OpTypeFunction %void %p_int %p_int %p_int {type} {type}
%test = OpFunction %void None %type
%out = OpFunctionParameter %p_int
%in_x = OpFunctionParameter %p_int
%in_y = OpFunctionParameter %p_int
%first_x = OpFunctionParameter {type}
%first_y = OpFunctionParameter {type}
%entry = OpLabel
%ids = OpLoad %v3 %id Aligned 32
%i = OpCompositeExtract %ulong %ids 0
%n = {narrow} %i
{operands}{operation}%at = OpInBoundsPtrAccessChain %p_int %out %i
OpStore %at %r Aligned {bytes}
OpReturn
OpFunctionEnd
)",
      fmt::arg("declaration", c.bits == 64 ? "" : fmt::format("%narrow = OpTypeInt {} 0", c.bits)),
      fmt::arg("type", type_of(c)), fmt::arg("x", first_x(c)), fmt::arg("y", first_y(c)),
      fmt::arg("narrow", c.bits == 64 ? "OpCopyObject %ulong" : "OpUConvert %narrow"),
      fmt::arg("operands", definition(c, 'x', c.x) + definition(c, 'y', c.y)),
      fmt::arg("operation", operation(c)), fmt::arg("bytes", c.bits / 8));
}

Argument number(std::uint64_t value, unsigned bits) {
  return Argument::raw(std::as_bytes(std::span(&value, 1)).first(bits / 8));
}

Launch launch_of(const Case& c) {
  Buffer x = make_buffer(kItems * c.bits / 8), y = make_buffer(kItems * c.bits / 8);
  for (std::uint64_t i = 0; i < kItems; ++i) {
    const std::uint64_t values[] = {operand(c, c.x, first_x(c), i), operand(c, c.y, first_y(c), i)};
    std::memcpy(x.bytes().data() + i * c.bits / 8, &values[0], c.bits / 8);
    std::memcpy(y.bytes().data() + i * c.bits / 8, &values[1], c.bits / 8);
  }
  Launch launch =
      make_launch(load(kernel(c)), "test", kItems, 0,
                  {Argument::buffer(make_buffer(kItems * c.bits / 8)), Argument::buffer(x),
                   Argument::buffer(y), number(first_x(c), c.bits), number(first_y(c), c.bits)});
  launch.check_ub = true;
  return launch;
}

std::string expected(const Case& c) {
  std::uint64_t item = 0;
  while (item < kItems && !is_faulty(c, operand(c, c.y, first_y(c), item))) ++item;
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

}  // namespace

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
        const Case c{opcode, bits, x, y, y == Form::kUniform};
        INFO(opcode, " of ", bits, " bits");
        INFO(kernel(c));
        check_everywhere(launch_of(c), [&](const LaunchResult& result) {
          REQUIRE(result.findings.size() == 1);
          INFO(format(result.findings[0].diagnostic));
          CHECK(tells(result.findings[0], expected(c)));
        });
      }
    }
  }
}

}  // namespace transpire::test
