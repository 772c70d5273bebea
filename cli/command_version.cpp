// `transpire version`.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/report/diagnose.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

std::string version_text() {
  return fmt::format("transpire {}\ninstruction sets of this machine: {}\n", version(),
                     fmt::join(supported_isas(), " "));
}

int command_version(const VersionOptions& options) {
  print(options.json() ? json_of_version() : version_text());
  return kSuccess;
}

}  // namespace transpire::cli
