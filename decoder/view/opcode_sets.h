// Sets of opcodes, by their names and classes in the grammar.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include "decoder/grammar.h"

namespace transpire::decoder::view {

/// OpType*, without OpTypeForwardPointer, which has no result.
bool is_type_declaration(spv::Op op);
/// Constants, those of specialisation included.
bool is_constant(spv::Op op);
/// OpAtomic*, flags included.
bool is_atomic(spv::Op op);
/// OpLoopMerge and OpSelectionMerge.
bool is_merge(spv::Op op);
/// OpLine and OpNoLine, which may stand between any two instructions.
bool is_line(spv::Op op);
/// Declarations of alias domains, scopes and lists (SPV_INTEL_memory_access_aliasing).
bool is_alias_declaration(spv::Op op);
/// Conversions by their class in the specification.
bool is_conversion(spv::Op op);

/// Group instructions: their class in the specification, of sub-groups and non-uniform ones included.
bool is_group(spv::Op op);

}  // namespace transpire::decoder::view
