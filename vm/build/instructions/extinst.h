// OpExtInst: the functions of the extended instruction sets that compute, and what the files that build them share.
// Operands 0 and 1 of OpExtInst are the import and the number; a function's own operands follow.
#pragma once

#include <cstdint>
#include <span>

#include "extinst/table.h"
#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;
struct ExtendedRow;
using ExtendedHandler = void (*)(Builder&, const Instruction&, const ExtendedRow&);

/// Facts about a function. Without them it computes: where a kernel asks for it, denormals count as zeros. It writes what
/// its pointer operands point to.
enum FunctionFlags : std::uint8_t {
  kNoFlags = 0,
  kMovesBits = 1,      ///< denormals stay as they are
  kNoAccess = 2,       ///< accesses nothing through its pointers
  kReads = 4,          ///< reads through its pointer, and does not write
  kNamesVector = 8,    ///< the operand in front of the pointer counts vectors from there
  kAlignsVector = 16,  ///< and a vector of 3 takes the room of 4
  kOfHalves =
      32,  ///< an untyped pointer leads to halves, not to components of the operand or result
};

/// One function of a set. Functions without a row are refused by name.
struct ExtendedRow {
  std::uint32_t number;
  ExtendedHandler handler;
  int flags = kNoFlags;    ///< FunctionFlags
  Op op = Op::kConst;      ///< op that the handler emits
  Op second = Op::kConst;  ///< for the result that is stored through a pointer

  constexpr ExtendedRow(std::uint32_t n, ExtendedHandler h, Op o, Op s = Op::kConst)
      : number(n), handler(h), op(o), second(s) {}
  constexpr ExtendedRow(std::uint32_t n, ExtendedHandler h, int f = kNoFlags, Op o = Op::kConst)
      : number(n), handler(h), flags(f), op(o) {}
};

/// How the builder builds a set. TRANSPIRE_COMPUTING_SET(name, ...) of decoder/extended_sets.def has k<name>Functions.
struct ExtendedFunctions {
  using Rows = std::span<const ExtendedRow> (*)();
  std::span<const Rows> rows;
  /// The function's accuracy, as the one of OpenCL.std with the same meaning; null where none has. A set that has no such
  /// functions leaves it out.
  const extinst::Function* (*accuracy)(std::uint32_t number) = nullptr;
  /// For --check=ub, checks that the function is defined for its operands. May be left out.
  void (*check)(Builder&, const Instruction&) = nullptr;
};
#define TRANSPIRE_COMPUTING_SET(name, import_name, grammar) \
  extern const ExtendedFunctions k##name##Functions;
#include "decoder/extended_sets.def"

inline constexpr std::size_t kFirstOperand = 2;

/// The row of an OpExtInst's function; null for a function that has none, and for other instructions.
const ExtendedRow* find_extended(const Instruction& i);
/// ExtendedFunctions::accuracy of an OpExtInst's function; null for other instructions.
const extinst::Function* find_accuracy(const Instruction& i);

/// The function's operand `n`, a lone scalar repeated for every component of the result.
ValueList function_operand(Builder& b, const Instruction& i, std::size_t n);
ValueId scalar_function_operand(Builder& b, const Instruction& i, std::size_t n);

/// Handlers of functions that are the row's op for each component.
namespace each_component {
void unary(Builder& b, const Instruction& i, const ExtendedRow& row);
void binary(Builder& b, const Instruction& i, const ExtendedRow& row);
void ternary(Builder& b, const Instruction& i, const ExtendedRow& row);
}  // namespace each_component

/// OpExtInst.
void extended(Builder& b, const Instruction& i, Op op);

}  // namespace transpire::vm::builder
