// track_undefined: which bits of a result are undefined, compared with what the result is for every value that the
// undefined bits of its operands may have.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <sstream>

#include "decoder/module.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

/// The bytes that a lane stored, in order.
std::vector<unsigned> bytes_of(const MachineResult& result, std::size_t lane) {
  std::vector<unsigned> bytes;
  std::istringstream trace(result.traces.at(lane));
  for (std::string each; std::getline(trace, each, ';');)
    bytes.push_back(static_cast<unsigned>(std::stoul(each.substr(each.find('=') + 1))));
  return bytes;
}

/// What the tracked function finds undefined of what it stores: its checks become stores, and those of shadows in memory go.
Function with_shadows(const std::string& text) {
  static const decoder::Module module;
  Function f = parse_lir(text);
  f.module = &module;
  REQUIRE(verify(f) == "");
  track_undefined(f);
  find_undefined_sources(f);
  for (Block& block : f.blocks) {
    std::erase_if(block.instructions, [&](ValueId id) {
      const Value& value = f.values[id];
      return value.op == Op::kStore && f.mem[value.imm].space == Space::kShadowGlobal;
    });
    for (const ValueId id : block.instructions) {
      Value& value = f.values[id];
      if (value.op != Op::kCheckStored) continue;
      MemAccess access;
      access.kind = f.values[value.args[1]].kind;
      access.space = Space::kGlobal;
      f.mem.push_back(access);
      value.op = Op::kStore;
      value.from = access.kind;
      value.imm = f.mem.size() - 1;
    }
  }
  REQUIRE(verify(f) == "");
  return f;
}

/// An operand of 8 bits, some of which are undefined.
struct Operand {
  unsigned bits, mask;
};

unsigned any_byte(std::mt19937& random) { return static_cast<unsigned>(random() & 0xff); }

/// Some 3 bits at most: so few that all their values can be tried.
unsigned few_bits(std::mt19937& random) {
  unsigned mask = 0;
  for (unsigned i = random() % 4; i > 0; --i) mask |= 1u << random() % 8;
  return mask;
}

/// An operation on %a and %b. `undefined`: what stands for an undefined operand, Undefined or a value.
std::string function_of(const std::string& operation, const std::string& kind,
                        const std::array<Operand, 2>& operands,
                        const std::array<std::string, 2>& undefined) {
  std::string text = "arguments: %p pointer\nb0:\n";
  for (std::size_t i = 0; i < 2; ++i) {
    const char name = i == 0 ? 'a' : 'b';
    if (undefined[i] == "Undefined") text += fmt::format("%u{} i8 = Undefined\n", name);
    const std::string of =
        undefined[i] == "Undefined" ? fmt::format("%u{}", name) : "i8:" + undefined[i];
    text += fmt::format("%m{0} i8 = BitwiseAnd {1}, i8:{2}\n%{0} i8 = BitwiseOr %m{0}, i8:{3}\n",
                        name, of, operands[i].mask, operands[i].bits & ~operands[i].mask);
  }
  return text +
         fmt::format("%r {0} = {1}\nStore %p, %r (global {0}, align 1)\nReturn\n", kind, operation);
}

unsigned result_of(const std::string& text, std::size_t bytes, std::size_t first) {
  const Function f = text.find("Undefined") == text.npos ? parse_lir(text) : with_shadows(text);
  const std::vector<unsigned> stored = bytes_of(run_machine(f, {}), 0);
  if (stored.size() < first + bytes) return 0;  // it finds all of it defined
  unsigned result = 0;
  for (std::size_t i = 0; i < bytes; ++i) result |= stored[first + i] << 8 * i;
  return result;
}

/// Bits of the result that depend on the undefined bits.
unsigned varying(const std::string& operation, const std::string& kind, std::size_t bytes,
                 const std::array<Operand, 2>& operands) {
  unsigned first = 0, changed = 0;
  bool is_first = true;
  // Counts through the subsets of both masks.
  const unsigned a_mask = operands[0].mask, b_mask = operands[1].mask;
  for (unsigned a = a_mask;; a = (a - 1) & a_mask) {
    for (unsigned b = b_mask;; b = (b - 1) & b_mask) {
      const unsigned result = result_of(
          function_of(operation, kind, operands, {std::to_string(a), std::to_string(b)}), bytes, 0);
      if (is_first) first = result;
      is_first = false;
      changed |= first ^ result;
      if (b == 0) break;
    }
    if (a == 0) break;
  }
  return changed;
}

struct Operation {
  const char* text;
  const char* kind = "i8";
  std::size_t bytes = 1;
};

template <class Check>
void with_random_operands(const std::vector<Operation>& operations, const Check& check) {
  std::mt19937 random(5);
  for (const Operation& operation : operations) {
    CAPTURE(operation.text);
    for (int i = 0; i < 12; ++i) {
      const std::array<Operand, 2> operands{Operand{any_byte(random), few_bits(random)},
                                            Operand{any_byte(random), few_bits(random)}};
      CAPTURE(operands[0].bits);
      CAPTURE(operands[0].mask);
      CAPTURE(operands[1].bits);
      CAPTURE(operands[1].mask);
      const unsigned shadow = result_of(
          function_of(operation.text, operation.kind, operands, {"Undefined", "Undefined"}),
          operation.bytes, operation.bytes);
      check(operation, operands, shadow);
    }
  }
}

TEST_CASE("operations on bits, shifts and conversions know each bit by itself") {
  with_random_operands({{"BitwiseAnd %a, %b"},
                        {"BitwiseOr %a, %b"},
                        {"BitwiseXor %a, %b"},
                        {"Not %a"},
                        {"ShiftLeftLogical %a, i8:3"},
                        {"ShiftRightLogical %b, i8:2"},
                        {"ShiftRightArithmetic %a, i8:5"},
                        {"ZeroExtend %a", "i16", 2},
                        {"SignExtend %b", "i32", 4}},
                       [](const Operation& of, const auto& operands, unsigned shadow) {
                         CHECK(shadow == varying(of.text, of.kind, of.bytes, operands));
                       });
}

TEST_CASE("equality is defined where bits that are defined differ") {
  with_random_operands({{"IEqual %a, %b", "bool"}, {"INotEqual %a, %b", "bool"}},
                       [](const Operation& of, const auto& operands, unsigned shadow) {
                         CHECK((shadow & 1) == varying(of.text, of.kind, of.bytes, operands));
                       });
}

TEST_CASE("whatever depends on an undefined bit is undefined") {
  with_random_operands({{"ULessThan %a, %b", "bool"},
                        {"SLessThanEqual %a, %b", "bool"},
                        {"UMin %a, %b"},
                        {"SMax %a, %b"},
                        {"ShiftLeftLogical %a, %b"}},
                       [](const Operation& of, const auto& operands, unsigned shadow) {
                         const unsigned must = varying(of.text, of.kind, of.bytes, operands);
                         CHECK((shadow & must) == must);
                       });
}

TEST_CASE("sums and products take the bits of their operands") {
  with_random_operands({{"IAdd %a, %b"}, {"ISub %a, %b"}, {"IMul %a, %b"}},
                       [](const Operation&, const auto& operands, unsigned shadow) {
                         CHECK(shadow == (operands[0].mask | operands[1].mask));
                       });
}

TEST_CASE("what is selected by an undefined condition is defined where both are the same") {
  const auto shadow = [](const char* condition, const char* first, const char* second) {
    const std::string text = fmt::format(R"(arguments: %p pointer
%u i8 = Undefined
%m i8 = BitwiseAnd %u, i8:240
%c bool = {}
%r i8 = Select %c, {}, {}
Store %p, %r (global i8, align 1)
)",
                                         condition, first, second);
    return result_of(text, 1, 1);
  };
  const char* const undefined = "IEqual %u, i8:7";
  CHECK(shadow(undefined, "i8:5", "i8:5") == 0);
  CHECK(shadow(undefined, "i8:5", "i8:6") == 3);
  CHECK(shadow("IEqual i8:7, i8:7", "i8:5", "%m") == 0);
  CHECK(shadow("IEqual i8:7, i8:8", "i8:5", "%m") == 240);
  CHECK(shadow(undefined, "i8:0", "%m") == 240);
}

TEST_CASE("a phi is undefined where the value is that came") {
  const Function f = with_shadows(R"(arguments: %p pointer
%i i64 = GlobalId [0]
%u i8 = Undefined
%c bool = ULessThan %i, i64:2
BranchConditional %c, b1, b2
b1: from b0
Branch b3
b2: from b0
b3: from b1 b2
%x i8 = Phi %u, i8:9
%r i8 = BitwiseAnd %x, i8:15
Store %p, %r (global i8, align 1)
)");
  const MachineResult result = run_machine(f, {.lanes = 4});
  for (std::size_t lane = 0; lane < 4; ++lane)
    CHECK(bytes_of(result, lane).at(1) == (lane < 2 ? 15 : 0));
}

// The pass adds values while it looks at one: with some number of values before it, their memory moves just then.
TEST_CASE("a function of any number of values is tracked") {
  for (int more = 0; more < 140; ++more) {
    std::string text = "arguments: %p pointer\nb0:\n%i i64 = GlobalId [0]\n";
    for (int i = 0; i < more; ++i) text += fmt::format("%n{} i64 = IAdd %i, i64:{}\n", i, i);
    text += R"(%c bool = ULessThan %i, i64:2
%u i8 = Undefined
%v i8 = Load %p (global i8, align 1)
%s i8 = IAdd %v, %u
%t i16 = ZeroExtend %s
%f f32 = Load %p (global f32x2, align 4)
%g f32 = Result %f [1]
BranchConditional %c, b1, b2
b1: from b0
Branch b3
b2: from b0
b3: from b1 b2
%x i16 = Phi %t, i16:9
%y f32 = Phi f32:9, %g
%r i8 = Truncate %x
Store %p, %r (global i8, align 1)
)";
    CAPTURE(more);
    const MachineResult result = run_machine(with_shadows(text), {.lanes = 4});
    for (std::size_t lane = 0; lane < 4; ++lane)
      CHECK(bytes_of(result, lane).back() == (lane < 2 ? 255 : 0));
  }
}

}  // namespace
}  // namespace transpire::test
