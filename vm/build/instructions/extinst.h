// OpenCL.std: the table from its instructions to handlers, and what the files that fill it share.
// Operands 0 and 1 of OpExtInst are the set and the number; a function's own operands follow.
#pragma once

#include <spirv/unified1/OpenCL.std.h>

#include <span>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;
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
ValueId scalar_function_operand(Builder& b, const Instruction& i, std::size_t n);

/// OpExtInst.
void extended(Builder& b, const Instruction& i, Op op);

}  // namespace transpire::vm::builder
