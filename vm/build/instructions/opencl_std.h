// The rows of OpenCL.std, by the files that build them.
#pragma once

#include <spirv/unified1/OpenCL.std.h>

#include "vm/build/instructions/extinst.h"

namespace transpire::vm::builder {

std::span<const ExtendedRow> componentwise_rows();  ///< extinst_simple.cpp
std::span<const ExtendedRow> expanded_rows();       ///< extinst_expanded.cpp
std::span<const ExtendedRow> geometric_rows();      ///< extinst_geometric.cpp
std::span<const ExtendedRow> data_rows();           ///< extinst_data.cpp
std::span<const ExtendedRow> printf_rows();         ///< printf.cpp

/// The kind of the elements that a vector load or store accesses through the pointer in an operand of OpExtInst.
Kind element_kind(Builder& b, const Instruction& i, std::size_t pointer_at);

}  // namespace transpire::vm::builder
