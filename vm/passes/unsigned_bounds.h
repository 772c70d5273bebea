// UnsignedBounds: how large an integer value can be, read as unsigned, in any work-item. Follows
// pure arithmetic from the built-in ids and from narrow values; phis and loads may hold anything.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/lir.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm::lir {

class UnsignedBounds {
 public:
  UnsignedBounds(const Function& function, const LowerOptions& options)
      : function_(function), id_max_(~std::uint64_t{0} >> (64 - options.id_bits)) {}

  /// Computes and keeps the bound of a value. Call it for operands first; values without a call are unbounded.
  void update(ValueId id);

  /// The largest value; all bits of the kind when nothing is known.
  std::uint64_t operator[](ValueId id) const;

 private:
  std::uint64_t compute(const Value& value) const;
  std::uint64_t arithmetic(const Value& value, std::uint64_t a, std::uint64_t b) const;
  std::uint64_t builtin(const Value& value) const;

  const Function& function_;
  std::uint64_t id_max_;
  std::vector<std::uint64_t>
      slack_;  // by value: all bits of its kind minus its bound; 0 is unknown
};

}  // namespace transpire::vm::lir
