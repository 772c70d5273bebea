// PartialStores: `v.x = 1` on a vector in memory. Clang says it as a load of the whole vector, an insertion and
// a store of the whole, unless its optimiser sees to it. Taken literally a work-item would read what
// it only writes, and write back components that another work-item may be writing. So components
// that are stored as they were loaded from there just before are left alone, and a load that was
// for nothing else is dropped.
#pragma once

#include <vector>

#include "vm/build/accesses.h"

namespace transpire::vm::builder {

class PartialStores {
 public:
  PartialStores(Core& core, Pointers& pointers, Accesses& accesses)
      : writer_(core.writer),
        function_(core.writer.function()),
        pointers_(pointers),
        accesses_(accesses) {}

  /// As Accesses::store(), but components that were only loaded from there are left alone.
  void store(const lir::MemAccess& access, ValueId pointer, Values values);
  /// Once the function is complete.
  void drop_needless_loads();

 private:
  ValueId reloaded_from(const lir::MemAccess& access, ValueId pointer, ValueId value,
                        std::uint64_t component) const;
  ValueId load_before(const lir::MemAccess& access, ValueId pointer) const;
  bool stands_since(ValueId load) const;
  void store_runs(const lir::MemAccess& access, ValueId pointer, Values values,
                  const std::vector<bool>& changed);

  const Writer& writer_;
  lir::Function& function_;
  Pointers& pointers_;
  Accesses& accesses_;
  std::vector<ValueId> reloads_;  ///< loads of vectors of which a part was stored back
};

}  // namespace transpire::vm::builder
