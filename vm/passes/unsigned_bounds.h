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
      : function_(function), ids_fit_(options.ids_fit_31_bits) {}

  /// Computes and keeps the bound of a value. Call it for operands first; values without a call are unbounded.
  void update(ValueId id);

  /// The largest value; all bits of the kind when nothing is known.
  std::uint64_t operator[](ValueId id) const;

 private:
  std::uint64_t compute(const Value& value) const;
  std::uint64_t arithmetic(const Value& value, std::uint64_t a, std::uint64_t b) const;
  std::uint64_t builtin(const Value& value) const;

  const Function& function_;
  bool ids_fit_;
  std::vector<std::uint64_t>
      slack_;  // by value: all bits of its kind minus its bound; 0 is unknown
};

}  // namespace transpire::vm::lir
