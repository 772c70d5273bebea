// Operand types of instructions as data: a row gives the types of the result and the operands of some opcodes, and
// their relations. Code of the families checks what rows cannot state.
//
// A signature is a text of one word for each operand, and one for the result. A word is a class of
// types, which may be followed by relations to the result (r) or to another operand (its number):
//
//   ints#r%r    integers, with as many components as the result, each of the same width
//
//   classes
//     int float bool num scalar        scalars; num: int or float
//     ints floats bools nums scalars   the same, or vectors of them
//     discretes                        integers or Booleans, or vectors of them
//     intv floatv boolv vec            vectors only
//     value                            anything but void
//     void ptr struct event devevent queue reserve pipe storage barrier   by their declarations
//     eventptr                         a pointer to events
//     localid                          an integer, or a vector of two or three
//     pair                             a structure of two members of one type of integers
//     size                             an integer as wide as addresses
//     geometric cross                  a float or a vector of 2 to 4; a vector of 3 or 4
//     ballot                           a vector of four 32-bit integers
//     outptr inptr globalptr textptr   a pointer that can be written through, read through, of
//                                      CrossWorkgroup, to 8-bit integers of UniformConstant
//     fn                               a function itself
//     -                                not looked at: literals, scopes, other rules' matter
//   relations
//     =x the type of x          #x as many components    %x components as wide    !x not as wide
//     .x the component type of x     ^x a vector whose component type is x's type
//     ,x of the same component type  /x components half as wide
//     >x a pointer to x's type  <x the type that x points to    $x a pointer to x's component type
//     ~x a pointer to 32-bit integers, as many as x has components
//     @x the type of x's members     :32 components of 32 bits   &16 a pointer to floats of 16 bits
//   a ? at the end: the operand may be left out
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace transpire::validator {

enum class TypeClass : std::uint8_t {
  kInt,
  kFloat,
  kBool,
  kNum,
  kScalar,
  kInts,
  kFloats,
  kBools,
  kNums,
  kScalars,
  kDiscretes,
  kIntv,
  kFloatv,
  kBoolv,
  kVec,
  kValue,
  kPtr,
  kStruct,
  kEvent,
  kDevevent,
  kQueue,
  kReserve,
  kPipe,
  kStorage,
  kBarrier,
  kEventptr,
  kLocalid,
  kPair,
  kVoid,
  kSize,
  kGeometric,
  kCross,
  kBallot,
  kOutptr,
  kInptr,
  kGlobalptr,
  kTextptr,
  kFn,
  kAny,
};

/// How messages call the class: "an integer scalar".
std::string_view describe(TypeClass type_class);

struct Relation {
  static constexpr int kResult = -1;
  char kind = 0;  ///< one of the signs above; 0: none
  int other = 0;  ///< an operand, kResult, or the width of ':' and '&'
};

struct OperandSignature {
  TypeClass type_class = TypeClass::kAny;
  std::array<Relation, 2> relations{};
  bool optional = false;
};

struct Signature {
  OperandSignature result;
  std::vector<OperandSignature> operands;
};

/// Signatures by opcode, or by the number of an extended instruction, whose operands count from the first one behind the
/// number.
class SignatureTable {
 public:
  /// Adds a row: one signature of some opcodes or numbers.
  void add(std::string_view result, std::string_view operands, auto... numbers) {
    add_row(result, operands, {static_cast<std::uint32_t>(numbers)...});
  }
  /// Null where no row has the number.
  const Signature* find(std::uint32_t number) const;

 private:
  void add_row(std::string_view result, std::string_view operands,
               std::initializer_list<std::uint32_t> numbers);
  std::unordered_map<std::uint32_t, Signature> rows_;
};

/// Null for opcodes without a row.
const Signature* find_signature(spv::Op op);

}  // namespace transpire::validator
