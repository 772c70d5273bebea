// Writes diagnostics, findings and unmet expectations as JSON, and reads them back. The command line's documents, the OpenCL
// driver's report and the reports of suites have the same form.
#pragma once

#include "base/json.h"
#include "launch/report/mismatch.h"
#include "launch/report/suppressions.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

const char* name_of(Severity severity);

/// A "place" of docs/output.schema.json.
Json place_json(const SourceLine& where);

/// A "diagnostic" of docs/output.schema.json. Members that are empty or not known are left out.
Json json_of(const Diagnostic& diagnostic);
/// The finding's diagnostic with its work-item, allocation and count. Ids of work-items are arrays of three.
Json json_of(const Finding& finding);
/// A suppression: "entry", and for an entry of a file its "file" and "line".
Json json_of(const Suppression& entry);
/// An "unmet" of docs/output.schema.json: a diagnostic, the first mismatches, and the number of all mismatches.
Json json_of(const Diagnostic& diagnostic, const std::vector<Mismatch>& mismatches,
             std::uint64_t different);

// Readers. Missing members keep their default values. A member of a wrong type throws JsonError.
Diagnostic diagnostic_in(const Json& json);
std::vector<Mismatch> mismatches_in(const Json& json);
/// Reads the entry's text and place, and how many findings it suppressed; the other members stay empty.
Suppression suppression_in(const Json& json);

}  // namespace transpire::launch
