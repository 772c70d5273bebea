// `transpire dis`: a module as assembly text.
#include "cli/commands.h"
#include "cli/diagnose.h"
#include "cli/json_output.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

int command_dis(const DisOptions& options) {
  LoadOptions load;
  load.build_options = words_of(options.build_options);
  const auto module = Module::load_file(options.file, load);
  if (!module) return fail("dis", options, module.errors());
  const auto text = module->disassemble(options.offsets);
  if (!text) return fail("dis", options, text.errors());
  print(options.json() ? json_of_disassembly(options.file, *text) : *text);
  return kSuccess;
}

}  // namespace transpire::cli
