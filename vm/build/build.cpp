#include "vm/build/build.h"

#include "vm/build/builder.h"

namespace transpire::vm {

Result<lir::Function> build(const decoder::Module& module, const decoder::EntryPoint& entry,
                            const LowerOptions& options) {
  return builder::Builder({module, entry, options}).run();
}

}  // namespace transpire::vm
