// `transpire version`.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/diagnose.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

int command_version(const VersionOptions& options) {
  if (options.json()) {
    print(json_of_version());
    return kSuccess;
  }
  std::string isas;
  for (const std::string& isa : supported_isas()) isas += " " + isa;
  print(fmt::format("transpire {}\ninstruction sets of this machine:{}\n", version(), isas));
  return kSuccess;
}

}  // namespace transpire::cli
