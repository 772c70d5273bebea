// Finds places in JSON: see the header. A list holds the nesting, not the stack, because documents may nest deeply.
#include "launch/report/json_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json.h"

namespace transpire::launch {
namespace {

/// Deepest nesting of a launch description.
constexpr std::size_t kDeepest = 100;

struct OpenValue {
  bool array = false;
  std::string pointer;
  std::size_t index = 0;
  bool at_key = true;  ///< objects: a key comes next, not a value
  std::string key;
};

/// Offset behind the string that begins at `start`.
std::size_t end_of_string(std::string_view text, std::size_t start) {
  std::size_t at = start + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::string unescaped(std::string_view token) {
  const auto value = Json::try_parse(token);
  return value && value->is_string() ? value->string() : std::string();
}

}  // namespace

std::size_t end_of_json_value(std::string_view text, std::size_t start) {
  std::size_t depth = 0;
  for (std::size_t at = start; at < text.size();) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    at = c == '"' ? end_of_string(text, at) : at + 1;
  }
  return text.size();
}

JsonPlaces::JsonPlaces(std::string_view text, std::string file)
    : file_(std::move(file)), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(i + 1);
  read(text);
}

void JsonPlaces::read(std::string_view text) {
  std::vector<OpenValue> frames;
  const auto pointer_here = [&frames]() -> std::string {
    if (frames.empty()) return {};
    const OpenValue& frame = frames.back();
    return json_pointer(frame.pointer, frame.array ? fmt::to_string(frame.index) : frame.key);
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t end = c == '"' ? end_of_string(text, at) : at + 1;
    if (c == '{' || c == '[') {
      if (frames.size() == kDeepest) return;
      std::string pointer = pointer_here();
      offsets_.emplace(pointer, at);
      frames.push_back({.array = c == '[', .pointer = std::move(pointer), .key = {}});
    } else if ((c == '}' || c == ']') && !frames.empty()) {
      frames.pop_back();
    } else if (c == ',' && !frames.empty()) {
      ++frames.back().index;
      frames.back().at_key = true;
    } else if (c == ':' && !frames.empty()) {
      frames.back().at_key = false;
      const std::size_t value = text.find_first_not_of(" \t\r\n", end);
      offsets_[pointer_here()] = std::min(value, text.size());
    } else if (c == '"' && !frames.empty() && !frames.back().array && frames.back().at_key) {
      frames.back().key = unescaped(text.substr(at, end - at));
    } else if (c == '"') {
      offsets_.emplace(pointer_here(), at);
    }
    at = end;
  }
}

SourceLine JsonPlaces::at(std::size_t offset) const {
  const auto line = std::ranges::upper_bound(lines_, offset) - lines_.begin();
  return {file_, static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(offset - lines_[static_cast<std::size_t>(line) - 1] + 1)};
}

SourceLine JsonPlaces::of(std::string pointer) const {
  for (;;) {
    if (const auto found = offsets_.find(pointer); found != offsets_.end())
      return at(found->second);
    if (pointer.empty()) return {file_, 1, 1};
    pointer.resize(pointer.rfind('/'));
  }
}

std::optional<std::size_t> JsonPlaces::offset_of(const std::string& pointer) const {
  const auto found = offsets_.find(pointer);
  return found == offsets_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace transpire::launch
