// Diagnostics, findings and unmet expectations as JSON: one writing of them, for the command line's documents, the OpenCL
// driver's report and the reports of suites, and one reading.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "launch/compare.h"
#include "launch/suppressions.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

const char* name_of(Severity severity);

/// docs/output.schema.json, "place".
nlohmann::ordered_json place_json(const SourceLine& where);

/// docs/output.schema.json, "diagnostic": what is empty or not known is left out.
nlohmann::ordered_json json_of(const Diagnostic& diagnostic);
/// The diagnostic, and with it who did it where. Work-items' ids are arrays of three.
nlohmann::ordered_json json_of(const Finding& finding);
/// What suppresses: "entry", and "file" and "line" of an entry of a file.
nlohmann::ordered_json json_of(const Suppression& entry);
/// docs/output.schema.json, "unmet": a diagnostic with the first of the numbers that differ, and how many there are.
nlohmann::ordered_json json_of(const Diagnostic& diagnostic,
                               const std::vector<Mismatch>& mismatches, std::uint64_t different);

// The other way round. What is left out is as in a value of its own; what has another type than the schema says throws
// nlohmann's exceptions.
Diagnostic diagnostic_in(const nlohmann::json& json);
std::vector<Mismatch> mismatches_in(const nlohmann::json& json);
/// Its text and place alone, and how often it was used.
Suppression suppression_in(const nlohmann::json& json);

}  // namespace transpire::launch
