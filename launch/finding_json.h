// Diagnostics and findings as JSON: one writing of them for the command line's documents and the OpenCL driver's report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "launch/compare.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

const char* name_of(Severity severity);

/// docs/output.schema.json, "diagnostic": what is empty or not known is left out.
nlohmann::ordered_json json_of(const Diagnostic& diagnostic);
/// The diagnostic, and with it who did it where. Work-items' ids are arrays of three.
nlohmann::ordered_json json_of(const Finding& finding);
nlohmann::ordered_json json_of(const Mismatch& mismatch);

}  // namespace transpire::launch
