// OpenCL.std: the table from its instructions to handlers, and what the files that fill it share.
// Operands 0 and 1 of OpExtInst are the set and the number; a function's own operands follow.
#pragma once

#include <spirv/unified1/OpenCL.std.h>

#include <span>

#include "vm/build/builder.h"

namespace transpire::vm::builder {

struct ExtendedRow;
using ExtendedHandler = void (*)(Builder&, const Instruction&, const ExtendedRow&);

/// One function of OpenCL.std. Functions without a row are refused by name.
struct ExtendedRow {
  OpenCLLIB::Entrypoints number;
  ExtendedHandler handler;
  Op op = Op::kConst;      ///< what the handler is asked to emit
  Op second = Op::kConst;  ///< for the result that is stored through a pointer
};

inline constexpr std::size_t kFirstOperand = 2;

std::span<const ExtendedRow> componentwise_rows();  ///< extinst_simple.cpp
std::span<const ExtendedRow> expanded_rows();       ///< extinst_expanded.cpp
std::span<const ExtendedRow> geometric_rows();      ///< extinst_geometric.cpp
std::span<const ExtendedRow> data_rows();           ///< extinst_data.cpp
std::span<const ExtendedRow> printf_rows();         ///< printf.cpp

/// The row of an OpenCL.std number; null when it has none.
const ExtendedRow* find_extended(std::uint32_t number);

/// The function's operand `n`, a lone scalar repeated for every component of the result.
ValueList function_operand(Builder& b, const Instruction& i, std::size_t n);
inline ValueId scalar_function_operand(Builder& b, const Instruction& i, std::size_t n) {
  return b.scalar_operand(i, kFirstOperand + n);
}

/// A number as bits of each float kind.
struct FloatConstant {
  std::uint64_t half, single, twice;
};
inline constexpr FloatConstant kZero{0, 0, 0};
inline constexpr FloatConstant kOne{0x3c00, 0x3f800000, 0x3ff0000000000000};
inline constexpr FloatConstant kTwo{0x4000, 0x40000000, 0x4000000000000000};
inline constexpr FloatConstant kThree{0x4200, 0x40400000, 0x4008000000000000};
ValueId float_constant(Builder& b, Kind kind, const FloatConstant& number);

/// base + index * stride, the index folded when it is constant.
ValueId element_address(Builder& b, ValueId base, ValueId index, std::uint64_t stride_bytes);

}  // namespace transpire::vm::builder
