// Finds values in the text of a JSON document by their JSON pointers (RFC 6901).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::launch {

/// Offset behind the value that begins at `start`. If the value continues in another line, the end of the text.
std::size_t end_of_json_value(std::string_view text, std::size_t start);

class JsonPlaces {
 public:
  /// `text` is a valid document.
  JsonPlaces(std::string_view text, std::string file);

  /// Line of the value. For numbers in arrays, which are not recorded, the line of the nearest enclosing value.
  SourceLine of(std::string pointer) const;
  /// Offset of the value in the text; nothing if it is not recorded.
  std::optional<std::size_t> offset_of(const std::string& pointer) const;

 private:
  void read(std::string_view text);
  SourceLine at(std::size_t offset) const;

  std::string file_;
  std::vector<std::size_t> lines_;  ///< offsets at which lines begin
  std::unordered_map<std::string, std::size_t> offsets_;
};

}  // namespace transpire::launch
