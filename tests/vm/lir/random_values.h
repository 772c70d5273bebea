// The values of random_lir.h: one at a time at the end of a block, of operands that can be used there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::test {

class RandomValues {
 protected:
  explicit RandomValues(std::uint32_t seed) : random_(seed) {}

  std::uint32_t pick(std::size_t n);
  vm::lir::ValueId argument(vm::Kind kind, std::uint64_t slot);
  vm::lir::ValueId place(vm::lir::BlockId block, vm::lir::Value value);
  /// One that other instructions do not pick: private addresses escape only where that is meant.
  vm::lir::ValueId place_hidden(vm::lir::BlockId block, vm::lir::Value value);
  /// A value whose operands are of its kind.
  static vm::lir::Value of_kind(vm::Op op, vm::Kind kind, vm::lir::ValueList args) {
    return {.op = op, .kind = kind, .from = kind, .args = std::move(args)};
  }
  /// A value of the kind that can be used at the end of `block` as it stands.
  vm::lir::ValueId operand(vm::lir::BlockId block, vm::Kind kind);
  void arithmetic(vm::lir::BlockId block);
  void compare(vm::lir::BlockId block);
  void convert(vm::lir::BlockId block);
  void choose(vm::lir::BlockId block);
  vm::lir::ValueId binary(vm::lir::BlockId block, vm::Op op, vm::lir::ValueId a,
                          vm::lir::ValueId b);
  vm::lir::ValueId convert_to(vm::lir::BlockId block, vm::Op op, vm::Kind to,
                              vm::lir::ValueId from);
  vm::lir::ValueId wide(vm::lir::BlockId block, vm::Op op, vm::lir::ValueId a, std::uint64_t b);
  vm::lir::ValueId place_compare(vm::lir::BlockId block, vm::Op op, vm::lir::ValueId a,
                                 vm::lir::ValueId b);
  vm::lir::ValueId some_float(vm::lir::BlockId block, vm::Kind kind);
  /// Products, sums and differences, and their bits for others to use.
  void floats(vm::lir::BlockId block);
  /// Groups of values that compilers write and simplify() has rules for.
  void idiom(vm::lir::BlockId block);

  std::mt19937 random_;
  vm::lir::Function f_;
  vm::lir::ValueId argument_ = vm::lir::kNoValue;
  vm::lir::ValueId pointer_ = vm::lir::kNoValue;
  std::vector<std::vector<vm::lir::ValueId>> available_;  ///< by block: what can be used at its end
};

}  // namespace transpire::test
