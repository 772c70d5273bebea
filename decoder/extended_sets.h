// The table of extended instruction sets: the name by which a module imports a set, and what kind of instructions it has.
// The rows are in decoder/extended_sets.def, which says how to add one. decoder/grammar.h describes the operands of the
// sets that compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace transpire::decoder {

enum class ExtendedSet : std::uint8_t {
  kUnknown,  ///< imported by a name that has no row
#define TRANSPIRE_EXTENDED_SET(name, import_name, kind) k##name,
#include "decoder/extended_sets.def"
};

enum class SetKind : std::uint8_t {
  kUnknown,      ///< the operands may be anything; a kernel that uses an instruction is refused
  kComputes,     ///< the grammar describes the operands
  kUnsupported,  ///< the operands are ids; a kernel that uses an instruction is refused
  kDebug,        ///< tells debuggers of the source; the operands are checked where they are read
  kNonSemantic,  ///< changes no result; the operands may be anything
};

struct ExtendedSetRow {
  std::string_view import_name;
  SetKind kind;
};

/// In the order of ExtendedSet.
inline constexpr ExtendedSetRow kExtendedSets[] = {
    {"", SetKind::kUnknown},
#define TRANSPIRE_EXTENDED_SET(name, import_name, kind) {import_name, SetKind::kind},
#include "decoder/extended_sets.def"
};

constexpr const ExtendedSetRow& row_of(ExtendedSet set) {
  return kExtendedSets[static_cast<std::size_t>(set)];
}

/// The set that a module imports by that name.
constexpr ExtendedSet extended_set_named(std::string_view name) {
  for (std::size_t i = 1; i < std::size(kExtendedSets); ++i) {
    const std::string_view known = kExtendedSets[i].import_name;
    if (known.ends_with('.') ? name.starts_with(known) : name == known)
      return static_cast<ExtendedSet>(i);
  }
  return ExtendedSet::kUnknown;
}

constexpr bool computes(ExtendedSet set) { return row_of(set).kind == SetKind::kComputes; }

/// True for sets whose instructions change no result. They never stop a module.
constexpr bool is_debug_set(ExtendedSet set) {
  return row_of(set).kind == SetKind::kDebug || row_of(set).kind == SetKind::kNonSemantic;
}

}  // namespace transpire::decoder
