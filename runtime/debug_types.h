// Names of structs' members, and the signs of their integers, as debug information has them: OpenCL.DebugInfo.100, where a
// module has types of the source (clang -g). A struct of SPIR-V has members besides: what fills it up to its size and
// alignment, which is marked.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "decoder/module.h"
#include "transpire/transpire.hpp"

namespace transpire::runtime {

class DebugTypes {
 public:
  explicit DebugTypes(const decoder::Module& module);

  /// The types of a function's parameters in the source; empty: not known.
  std::span<const std::uint32_t> parameters_of(decoder::Id function) const;
  /// The type of a program-scope variable in the source; 0: not known.
  decoder::Id variable_type(decoder::Id variable) const;
  /// Gives a type of SPIR-V what the debug type `id` says of it. A type that does not fit changes nothing.
  void follow(decoder::Id id, TypeInfo& type) const;

 private:
  struct Field {
    std::string_view name;
    decoder::Id type = 0;
    std::uint64_t offset_bytes = 0, size_bytes = 0;
  };

  /// Number and operands, if it is that instruction with so many operands at least.
  std::span<const std::uint32_t> operands(decoder::Id id, std::uint32_t number,
                                          std::size_t least) const;
  /// Through typedefs and qualifiers.
  decoder::Id plain(decoder::Id id) const;
  std::vector<Field> fields_of(std::span<const std::uint32_t> composite) const;
  /// Whether the debug type `id` may be a type of SPIR-V, by its kind.
  bool is_like(decoder::Id id, const TypeInfo& type) const;
  void follow_union(const std::vector<Field>& fields, TypeInfo& type) const;
  void follow_struct(decoder::Id id, TypeInfo& type) const;
  void follow_number(decoder::Id id, TypeInfo& type) const;

  const decoder::Module& module_;
  std::unordered_map<decoder::Id, std::span<const std::uint32_t>> instructions_;
  std::unordered_map<decoder::Id, decoder::Id> types_;  ///< of functions and variables
};

}  // namespace transpire::runtime
