// Rendering of reports: see the header.
#include "validator/render.h"

#include <fmt/format.h>

namespace transpire::validator {

Diagnostic render(const Report& report, const PlaceRenderer& places) {
  Diagnostic diagnostic;
  diagnostic.rule = fmt::format("TSP-{}", report.rule->id);
  diagnostic.severity = report.severity;
  diagnostic.message = report.message;
  diagnostic.clause = report.rule->clause;
  diagnostic.input = places.input_name();
  diagnostic.help = report.hint.empty() ? std::string(report.rule->hint) : report.hint;
  places.show(report.place, diagnostic);
  for (const Note& note : report.notes)
    diagnostic.notes.push_back(
        note.instruction == kNone
            ? note.text
            : fmt::format("{}: {}", note.text, places.spell_place(note.instruction)));
  if (report.count > 1) diagnostic.notes.push_back(fmt::format("{} times in all", report.count));
  return diagnostic;
}

}  // namespace transpire::validator
