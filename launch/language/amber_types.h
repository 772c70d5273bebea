// Data types of Amber scripts: where the numbers of a buffer's elements lie, and buffers made of numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/value_spec.h"
#include "transpire/result.hpp"

namespace transpire::launch {

struct AmberMember {
  std::string type;  ///< "vec4<float>", "float[3]"
  std::optional<std::uint64_t> offset_bytes{}, array_stride{};
};

struct AmberStruct {
  std::vector<AmberMember> members;
  std::optional<std::uint64_t> stride_bytes{};
};

using AmberStructs = std::map<std::string, AmberStruct, std::less<>>;

/// An element of a buffer.
struct AmberType {
  struct Slot {
    ScalarType type = ScalarType::kUint;
    std::uint64_t offset_bytes = 0;
  };
  std::vector<Slot> slots{};  ///< its numbers, in the order in which scripts give them
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;
  unsigned components = 1;  ///< numbers in a vector

  /// Type of all numbers, if the numbers, or vectors of three, are all that the element has.
  std::optional<TypeWord> word() const;
  /// Place of a buffer's number, counted from 0.
  Slot slot(std::uint64_t index) const;
};

/// The type of that name: `vec3<float>`, `mat2x4<float>`, `uint16[]`, `R32G32_SFLOAT`, or one of `structs`. Fails with C0021.
Result<AmberType> amber_type(std::string_view name, bool is_std140, const AmberStructs& structs);

/// A number of a script in the words of the launch language: integers wrap. Fails with C0022.
Result<std::string> amber_number(std::string_view word, ScalarType type);

/// A buffer of these numbers; if `count` is given, the one number fills as many elements. Fails with C0021 and C0022.
Result<ValueSpec> amber_value(const AmberType& type, const std::vector<std::string>& numbers,
                              std::optional<std::uint64_t> count);

}  // namespace transpire::launch
