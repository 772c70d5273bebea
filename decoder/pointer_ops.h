// Instructions that make a pointer of the pointer in their operand 0.
#pragma once

#include <spirv/unified1/spirv.hpp11>

namespace transpire::decoder {

/// True for access chains whose first index counts elements beside the base (OpPtrAccessChain).
constexpr bool has_element_operand(spv::Op op) {
  return op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain;
}

/// True for all access chains.
constexpr bool is_access_chain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain ||
         has_element_operand(op);
}

/// True for casts and copies: the result points to the same byte.
constexpr bool keeps_address(spv::Op op) {
  return op == spv::Op::OpBitcast || op == spv::Op::OpCopyObject ||
         op == spv::Op::OpPtrCastToGeneric || op == spv::Op::OpGenericCastToPtr ||
         op == spv::Op::OpGenericCastToPtrExplicit;
}

/// True if the result points into the object that operand 0 points into.
constexpr bool moves_pointer(spv::Op op) { return is_access_chain(op) || keeps_address(op); }

}  // namespace transpire::decoder
