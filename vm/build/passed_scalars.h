// PassedScalars: the scalars of a block that the launch passes by value and nothing writes, such as push constants. They
// stand in argument slots too: a load from a known place there needs no memory.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "vm/build/pointers.h"
#include "vm/build/types.h"

namespace transpire::vm::builder {

class PassedScalars {
 public:
  PassedScalars(Core& core, Pointers& pointers)
      : function_(core.writer.function()), pointers_(pointers) {}

  /// Gives slots from Parameter::first_slot on to the scalars of the block at `address`, unless they are too many.
  void add(Parameter& parameter, const Layout& layout, ValueId address);
  /// The values that the access gives, if each is such a scalar.
  std::optional<ValueList> load(const lir::MemAccess& access, ValueId pointer) const;

 private:
  lir::Function& function_;
  Pointers& pointers_;
  /// By the block's address, the offset in it, and the scalar's kind.
  std::map<std::tuple<ValueId, std::uint64_t, Kind>, ValueId> values_;
};

}  // namespace transpire::vm::builder
