// Constant tables: variables of functions that hold one constant for ever, which is how glslang passes on a constant array
// that is indexed. Work-items can share one copy of such a table.
#pragma once

#include <unordered_map>

#include "decoder/module.h"

namespace transpire::decoder {

/// The tables of a function's variables, by the variable's id. Such a variable has the decoration NonWritable, is only loaded
/// from, and its initializer and all stores to it are one constant composite. The table's id is the constant's, so that equal
/// tables are one.
std::unordered_map<Id, Variable> constant_tables(const Module& module, const Function& function);

}  // namespace transpire::decoder
