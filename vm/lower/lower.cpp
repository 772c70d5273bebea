#include "vm/lower/lower.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/rule.h"
#include "vm/build/build.h"
#include "vm/emit/emit.h"
#include "vm/passes/passes.h"

namespace transpire::vm {
namespace {

Diagnostic about_kernel(Diagnostic error, const decoder::Module& module,
                        const decoder::EntryPoint& entry) {
  error.input = module.input_name;
  error.notes.push_back(fmt::format("kernel '{}'", entry.name));
  return error;
}

}  // namespace

Result<std::unique_ptr<Program>> lower(const decoder::Module& module,
                                       const decoder::EntryPoint& entry,
                                       const LowerOptions& options, const HandlerTable& handlers) {
  try {
    TRANSPIRE_TRY(lir::Function function, build(module, entry, options));
    function.scalar_handlers = &handlers;
    run_passes(function, options);
    return emit(function, options, handlers);
  } catch (BudgetSpent& spent) {
    return about_kernel(std::move(spent.why), module, entry);
  } catch (const TooWide& number) {
    return about_kernel(too_wide(number), module, entry);
  } catch (const std::bad_alloc&) {
    return about_kernel(
        make_diagnostic(Rule::kL0003, "there is no memory left to lower the kernel"), module,
        entry);
  }
}

}  // namespace transpire::vm
