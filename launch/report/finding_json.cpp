#include "launch/report/finding_json.h"

namespace transpire::launch {
namespace {

Json json_of(const std::vector<Frame>& frames) {
  Json json = Json::array();
  for (const Frame& frame : frames) {
    Json one{{"function", frame.function}};
    if (frame.where.known()) one["source"] = place_json(frame.where);
    if (frame.word_offset) one["word_offset"] = *frame.word_offset;
    json.push_back(std::move(one));
  }
  return json;
}

Json json_of(const Cause& cause) {
  Json json{{"rule", cause.rule}};
  if (cause.source.known()) json["source"] = place_json(cause.source);
  if (cause.word_offset) json["word_offset"] = *cause.word_offset;
  return json;
}

Json json_of(const Mismatch& mismatch) {
  Json json{{"buffer", mismatch.buffer}, {"element", mismatch.element}};
  if (mismatch.leaf) json["component"] = *mismatch.leaf;
  if (mismatch.texel) {
    const TexelPlace& texel = *mismatch.texel;
    json["texel"] = Json::array();
    for (unsigned i = 0; i < texel.coordinates; ++i) json["texel"].push_back(texel.at[i]);
    if (texel.level) json["level"] = *texel.level;
    if (texel.sample) json["sample"] = *texel.sample;
  }
  if (!mismatch.channel.empty()) json["channel"] = mismatch.channel;
  json["expected"] = mismatch.expected;
  json["found"] = mismatch.found;
  if (mismatch.ulp) json["ulp"] = *mismatch.ulp;
  return json;
}

}  // namespace

Json place_json(const SourceLine& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

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

Json json_of(const Diagnostic& diagnostic) {
  Json json{{"rule", diagnostic.rule},
            {"severity", name_of(diagnostic.severity)},
            {"message", diagnostic.message}};
  if (!diagnostic.input.empty()) json["input"] = diagnostic.input;
  if (diagnostic.word_offset) json["word_offset"] = *diagnostic.word_offset;
  if (!diagnostic.instruction.empty()) json["instruction"] = diagnostic.instruction;
  if (diagnostic.source.known()) json["source"] = place_json(diagnostic.source);
  if (!diagnostic.notes.empty()) json["notes"] = diagnostic.notes;
  if (!diagnostic.help.empty()) json["help"] = diagnostic.help;
  if (!diagnostic.clause.empty()) json["clause"] = diagnostic.clause;
  if (!diagnostic.excerpt.empty()) json["excerpt"] = diagnostic.excerpt;
  if (!diagnostic.assembly.empty()) json["assembly"] = diagnostic.assembly;
  if (!diagnostic.frames.empty()) json["frames"] = json_of(diagnostic.frames);
  return json;
}

Json json_of(const Finding& finding) {
  Json json = json_of(finding.diagnostic);
  json["count"] = finding.count;
  json["global_id"] = finding.global_id;
  json["group_id"] = finding.group_id;
  json["local_id"] = finding.local_id;
  if (!finding.allocation.empty()) json["allocation"] = finding.allocation;
  if (finding.offset_bytes) json["offset_bytes"] = *finding.offset_bytes;
  if (finding.access_bytes != 0) json["access_bytes"] = finding.access_bytes;
  if (finding.follows_from) json["follows_from"] = json_of(*finding.follows_from);
  if (finding.consequences != 0) json["consequences"] = finding.consequences;
  if (finding.is_first_cause()) json["first_cause"] = true;
  return json;
}

Json json_of(const Suppression& entry) {
  Json json{{"entry", entry.text}};
  if (entry.where.known()) {
    json["file"] = entry.where.file;
    json["line"] = entry.where.line;
  }
  if (!entry.reason.empty()) json["reason"] = entry.reason;
  return json;
}

Json json_of(const Diagnostic& diagnostic, const std::vector<Mismatch>& mismatches,
             std::uint64_t different) {
  Json json = json_of(diagnostic);
  if (different == 0) return json;
  json["different"] = different;
  json["mismatches"] = Json::array();
  for (const Mismatch& mismatch : mismatches) json["mismatches"].push_back(json_of(mismatch));
  return json;
}

namespace {

SourceLine place_in(const Json& json) {
  return {json.value("file", ""), json.value("line", 0U), json.value("column", 0U)};
}

std::optional<std::uint64_t> number_in(const Json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return json[name].get<std::uint64_t>();
}

std::vector<Frame> frames_in(const Json& json) {
  std::vector<Frame> frames;
  for (const Json& each : json) {
    Frame frame;
    frame.function = each.value("function", "");
    if (each.contains("source")) frame.where = place_in(each["source"]);
    frame.word_offset = number_in(each, "word_offset");
    frames.push_back(std::move(frame));
  }
  return frames;
}

TexelPlace texel_in(const Json& json) {
  TexelPlace texel;
  texel.coordinates = 0;
  for (const Json& each : json["texel"])
    if (texel.coordinates < texel.at.size())
      texel.at[texel.coordinates++] = each.get<std::uint64_t>();
  if (json.contains("level")) texel.level = json["level"].get<std::uint32_t>();
  if (json.contains("sample")) texel.sample = json["sample"].get<std::uint32_t>();
  return texel;
}

Mismatch mismatch_in(const Json& json) {
  Mismatch mismatch;
  mismatch.buffer = json.at("buffer").string();
  mismatch.element = json.at("element").get<std::uint64_t>();
  if (const auto component = number_in(json, "component")) mismatch.leaf = *component;
  if (json.contains("texel")) mismatch.texel = texel_in(json);
  mismatch.channel = json.value("channel", "");
  mismatch.expected = json.at("expected").string();
  mismatch.found = json.at("found").string();
  mismatch.ulp = number_in(json, "ulp");
  return mismatch;
}

}  // namespace

Diagnostic diagnostic_in(const Json& json) {
  Diagnostic diagnostic;
  diagnostic.rule = json.value("rule", "");
  const std::string severity = json.value("severity", "error");
  if (severity == "warning") diagnostic.severity = Severity::kWarning;
  if (severity == "note") diagnostic.severity = Severity::kNote;
  diagnostic.message = json.value("message", "");
  diagnostic.input = json.value("input", "");
  diagnostic.word_offset = number_in(json, "word_offset");
  diagnostic.instruction = json.value("instruction", "");
  if (json.contains("source")) diagnostic.source = place_in(json["source"]);
  diagnostic.notes = json.value("notes", std::vector<std::string>());
  diagnostic.help = json.value("help", "");
  diagnostic.clause = json.value("clause", "");
  diagnostic.excerpt = json.value("excerpt", "");
  diagnostic.assembly = json.value("assembly", "");
  if (json.contains("frames")) diagnostic.frames = frames_in(json["frames"]);
  return diagnostic;
}

Suppression suppression_in(const Json& json) {
  Suppression entry;
  entry.text = json.at("entry").string();
  entry.where.file = json.value("file", "");
  entry.where.line = json.value("line", 0U);
  entry.matched = json.value("matched", std::uint64_t{0});
  entry.used = json.value("count", std::uint64_t{0});
  return entry;
}

std::vector<Mismatch> mismatches_in(const Json& json) {
  std::vector<Mismatch> mismatches;
  for (const Json& each : json.elements_of("mismatches")) mismatches.push_back(mismatch_in(each));
  return mismatches;
}

}  // namespace transpire::launch
