// The little JSON that a benchmark writes, one object a line, and reads back from its own workers.
// Flat: members are texts and numbers. Not a general parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace transpire::bench {

/// Builds one flat object.
class JsonObject {
 public:
  JsonObject& Add(std::string_view key, std::string_view text);
  JsonObject& Add(std::string_view key, double number);
  JsonObject& Add(std::string_view key, std::uint64_t number);
  std::string str() const { return "{" + members_ + "}"; }

 private:
  void AddRaw(std::string_view key, std::string_view value);

  std::string members_;
};

/// The value of a member of a flat object that JsonObject wrote.
std::optional<double> FindNumber(std::string_view object, std::string_view key);
std::optional<std::string> FindText(std::string_view object, std::string_view key);

}  // namespace transpire::bench
