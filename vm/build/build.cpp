#include "vm/build/build.h"

#include "vm/build/builder.h"

namespace transpire::vm {

Result<lir::Function> build(const decoder::Module& module, const decoder::EntryPoint& entry,
                            const LowerOptions& options) {
  const std::uint32_t items = builder::subgroup_items(entry, options);
  if (!module.has_cooperative_matrices || module.subgroup_size == items || items == 0)
    return builder::Builder({module, entry, options}).run();
  TRANSPIRE_TRY(const decoder::Module spread,
                decoder::for_subgroups(module, items, options.limits.time));
  TRANSPIRE_TRY(lir::Function function, builder::Builder({spread, entry, options}).run());
  function.module = &module;
  return function;
}

}  // namespace transpire::vm
