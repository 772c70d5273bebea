// Reads names of structs' members, and the signs of their integers, from debug information: OpenCL.DebugInfo.100 with types
// of the source (clang -g). Members of a SPIR-V struct that the source does not have are marked as padding.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::reflect {

class DebugTypes {
 public:
  explicit DebugTypes(const decoder::Module& module);

  /// Debug types of a function's parameters; empty if not known.
  std::span<const std::uint32_t> parameters_of(decoder::Id function) const;
  /// Debug type of a program-scope variable; 0 if not known.
  decoder::Id variable_type(decoder::Id variable) const;
  /// Adds names and signs of the debug type `id` to a SPIR-V type. A debug type that does not match changes nothing.
  void follow(decoder::Id id, TypeInfo& type) const;

 private:
  struct Field {
    std::string_view name;
    decoder::Id type = 0;
    std::uint64_t offset_bytes = 0, size_bytes = 0;
  };

  /// The operands of debug instruction `id`, if it has this number in the set and at least `least` operands; else empty.
  std::span<const std::uint32_t> operands(decoder::Id id, std::uint32_t number,
                                          std::size_t least) const;
  /// The type behind typedefs and qualifiers.
  decoder::Id plain(decoder::Id id) const;
  std::vector<Field> fields_of(std::span<const std::uint32_t> composite) const;
  /// True if the debug type `id` is of the same kind as the SPIR-V type.
  bool is_like(decoder::Id id, const TypeInfo& type) const;
  void follow_union(const std::vector<Field>& fields, TypeInfo& type) const;
  void follow_struct(decoder::Id id, TypeInfo& type) const;
  void follow_number(decoder::Id id, TypeInfo& type) const;

  const decoder::Module& module_;
  std::unordered_map<decoder::Id, std::span<const std::uint32_t>> instructions_;
  std::unordered_map<decoder::Id, decoder::Id> types_;  ///< types of functions and variables
};

}  // namespace transpire::reflect
