// `transpire dis`: a module as assembly text.
#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/report/diagnose.h"
#include "launch/runner/run_plan.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

int command_dis(const DisOptions& options) {
  auto words = words_of(options.build_options);
  if (!words) return fail("dis", options, words.errors());
  LoadOptions load;
  load.build_options = std::move(words).value();
  const auto module = load_module_file(options.file, load);
  if (!module) return fail("dis", options, module.errors());
  const auto text = within_memory("the assembly text", [&]() -> Result<std::string> {
    auto made = module->disassemble(options.offsets);
    if (made && options.json()) return json_of_disassembly(options.file, *made);
    return made;
  });
  if (!text) return fail("dis", options, text.errors());
  print(*text);
  return kSuccess;
}

}  // namespace transpire::cli
