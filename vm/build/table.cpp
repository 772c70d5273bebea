// Finds the row of an instruction: the classes' tables, indexed by opcode.
#include <unordered_map>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

std::unordered_map<spv::Op, const Row*> index_rows() {
  std::unordered_map<spv::Op, const Row*> index;
  for (const auto rows :
       {arithmetic_rows(), atomic_rows(), bit_rows(), composite_rows(), control_flow_rows(),
        conversion_rows(), extended_rows(), group_rows(), memory_rows(), pointer_rows(),
        promise_rows(), relational_rows(), subgroup_rows()})
    for (const Row& row : rows) index.emplace(row.opcode, &row);
  return index;
}

}  // namespace

const Row* find_row(spv::Op opcode) {
  // Never destroyed, like all such tables: a program may launch kernels while its process exits.
  static const auto& index = *new std::unordered_map<spv::Op, const Row*>(index_rows());
  const auto found = index.find(opcode);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace transpire::vm::builder
