// Where in the text of a JSON document its values stand, by their JSON pointers (RFC 6901).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::launch {

/// Behind the value that begins at `start`, or the end of the text, where it goes on in another line.
std::size_t end_of_json_value(std::string_view text, std::size_t start);

class JsonPlaces {
 public:
  /// `text` is a document that a parser took.
  JsonPlaces(std::string_view text, std::string file);

  /// Of the value, or of the nearest one that it is within: single numbers of arrays are not remembered.
  SourceLine of(std::string pointer) const;
  /// Where the value begins in the text; nothing for one that is not remembered.
  std::optional<std::size_t> offset_of(const std::string& pointer) const;

 private:
  void read(std::string_view text);
  SourceLine at(std::size_t offset) const;

  std::string file_;
  std::vector<std::size_t> lines_;  ///< offsets at which they begin
  std::unordered_map<std::string, std::size_t> offsets_;
};

}  // namespace transpire::launch
