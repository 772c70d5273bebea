// Writing and finding members of flat JSON objects.
// Not a parser: it reads only what JsonObject wrote, so keys are found by their spelling.
#include "bench/json.h"

#include <cstdio>
#include <cstdlib>

namespace transpire::bench {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// The text after `"key":`, or nothing.
std::optional<std::string_view> ValueOf(std::string_view object, std::string_view key) {
  const std::string label = Quoted(key) + ":";
  const std::size_t found = object.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  return object.substr(found + label.size());
}

/// The character that the escape at the start of `text` (after its backslash) stands for.
char Unescape(std::string_view text) {
  if (text[0] != 'u') return text[0];
  return static_cast<char>(std::strtoul(std::string(text.substr(1, 4)).c_str(), nullptr, 16));
}

}  // namespace

void JsonObject::AddRaw(std::string_view key, std::string_view value) {
  if (!members_.empty()) members_ += ',';
  members_ += Quoted(key) + ":";
  members_ += value;
}

JsonObject& JsonObject::Add(std::string_view key, std::string_view text) {
  AddRaw(key, Quoted(text));
  return *this;
}

JsonObject& JsonObject::Add(std::string_view key, double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  AddRaw(key, text);
  return *this;
}

JsonObject& JsonObject::Add(std::string_view key, std::uint64_t number) {
  AddRaw(key, std::to_string(number));
  return *this;
}

std::optional<double> FindNumber(std::string_view object, std::string_view key) {
  const auto value = ValueOf(object, key);
  if (!value) return std::nullopt;
  return std::strtod(std::string(value->substr(0, 32)).c_str(), nullptr);
}

std::optional<std::string> FindText(std::string_view object, std::string_view key) {
  const auto value = ValueOf(object, key);
  if (!value || value->empty() || value->front() != '"') return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < value->size() && (*value)[i] != '"'; ++i) {
    if ((*value)[i] != '\\') {
      text += (*value)[i];
      continue;
    }
    const std::string_view escape = value->substr(i + 1);
    if (escape.size() < 5 && (escape.empty() || escape[0] == 'u')) return text;
    text += Unescape(escape);
    i += escape[0] == 'u' ? 5 : 1;
  }
  return text;
}

}  // namespace transpire::bench
