// Runs single handlers of every instruction set of this machine on rows of bits, and compares them
// with a scalar oracle. Values are bit patterns, zero-extended to 64 bits; bools are 0 and 1.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vm/exec/engine.h"

namespace transpire::test {

using namespace vm;
using Bits = std::uint64_t;
using Values = std::vector<Bits>;

/// The tables of the instruction sets that this machine supports.
std::vector<const vm::HandlerTable*> tables();

struct Operand {
  vm::Kind kind = vm::Kind::kVoid;
  Values values;  ///< up to `lanes` values of a row, or one scalar
  bool is_scalar = false;
};

struct RunOptions {
  vm::Kind result = vm::Kind::kVoid;
  bool scalar_result = false;
  std::uint64_t imm = 0;
  int in_place = -1;       ///< the operand whose row is the destination too
  Values initial;          ///< of the destination row, for masked handlers
  std::vector<bool> mask;  ///< running lanes; all when empty
};

/// The result row (or scalar) of one handler. Throws when it wrote beside its row.
Values run(const vm::HandlerTable& table, vm::Handler handler, const std::vector<Operand>& operands,
           const RunOptions& options);

using Oracle = std::function<Bits(const Values& operands)>;

/// One op on operands of some kinds.
struct OpCase {
  vm::Op op;
  std::vector<vm::Kind> operands;
  vm::Kind result;
  std::vector<Values> values;  ///< of each operand; every combination is tried
  Oracle oracle;
  std::uint64_t imm = 0;
};

/// Every form of the case in every table, and in place. Empty, or the first difference.
std::string check_op(const OpCase& c, vm::Kind table_kind);

/// The rows and (for a selection) the uniform form of a conversion, with an imm. Empty, or the
/// first difference.
std::string check_convert(vm::Op op, vm::Kind from, vm::Kind to, std::uint64_t imm,
                          const Values& values, const Oracle& oracle);

/// What may go wrong first: limits, powers of two and neighbours, halves' ties, NaNs; and random
/// bits.
Values edge_values(vm::Kind kind, std::size_t random_count);
/// Every value of an 8- or 16-bit kind.
Values all_values(vm::Kind kind);

std::uint64_t next_random(std::uint64_t& state);

inline constexpr vm::Kind kInts[] = {vm::Kind::kI8, vm::Kind::kI16, vm::Kind::kI32, vm::Kind::kI64};
inline constexpr vm::Kind kFloats[] = {vm::Kind::kF16, vm::Kind::kF32, vm::Kind::kF64};

__extension__ using Wide = __int128;
/// The lowest bits of a number, as many as the kind has.
Bits cut(vm::Kind kind, Wide value);

}  // namespace transpire::test
