#include "launch/finding_json.h"

#include <nlohmann/json.hpp>

namespace transpire::launch {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const SourceLine& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

OrderedJson json_of(const std::vector<Frame>& frames) {
  OrderedJson json = OrderedJson::array();
  for (const Frame& frame : frames) {
    OrderedJson one{{"function", frame.function}};
    if (frame.where.known()) one["source"] = json_of(frame.where);
    if (frame.word_offset) one["word_offset"] = *frame.word_offset;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

OrderedJson json_of(const Diagnostic& diagnostic) {
  OrderedJson json{{"rule", diagnostic.rule},
                   {"severity", name_of(diagnostic.severity)},
                   {"message", diagnostic.message}};
  if (!diagnostic.input.empty()) json["input"] = diagnostic.input;
  if (diagnostic.word_offset) json["word_offset"] = *diagnostic.word_offset;
  if (!diagnostic.instruction.empty()) json["instruction"] = diagnostic.instruction;
  if (diagnostic.source.known()) json["source"] = json_of(diagnostic.source);
  if (!diagnostic.notes.empty()) json["notes"] = diagnostic.notes;
  if (!diagnostic.help.empty()) json["help"] = diagnostic.help;
  if (!diagnostic.clause.empty()) json["clause"] = diagnostic.clause;
  if (!diagnostic.excerpt.empty()) json["excerpt"] = diagnostic.excerpt;
  if (!diagnostic.assembly.empty()) json["assembly"] = diagnostic.assembly;
  if (!diagnostic.frames.empty()) json["frames"] = json_of(diagnostic.frames);
  return json;
}

OrderedJson json_of(const Finding& finding) {
  OrderedJson json = json_of(finding.diagnostic);
  json["count"] = finding.count;
  json["global_id"] = finding.global_id;
  json["group_id"] = finding.group_id;
  json["local_id"] = finding.local_id;
  if (!finding.allocation.empty()) json["allocation"] = finding.allocation;
  if (finding.offset_bytes) json["offset_bytes"] = *finding.offset_bytes;
  if (finding.access_bytes != 0) json["access_bytes"] = finding.access_bytes;
  return json;
}

OrderedJson json_of(const Mismatch& mismatch) {
  OrderedJson json{{"buffer", mismatch.buffer}, {"element", mismatch.element}};
  if (mismatch.leaf) json["component"] = *mismatch.leaf;
  json["expected"] = mismatch.expected;
  json["found"] = mismatch.found;
  if (mismatch.ulp) json["ulp"] = *mismatch.ulp;
  return json;
}

}  // namespace transpire::launch
