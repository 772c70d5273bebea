// Types: SPIR-V types taken apart into scalars, and into the accesses that load or store them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vm/build/refusals.h"
#include "vm/lir/budget.h"

namespace transpire::vm::builder {

/// Values of more scalars are held in memory: beyond it taking them apart costs more than copies.
inline constexpr std::size_t kMaxApart = 1024;

/// Values of more scalars are refused.
inline constexpr std::size_t kMaxComponents = 65536;

/// A scalar or vector in memory, as one load or store moves it.
struct Leaf {
  std::uint64_t offset = 0;
  Kind kind = Kind::kI32;  ///< in memory: i32 for a pointer of Physical32
  std::uint32_t components = 1;
  std::uint32_t align_bytes = 1;    ///< natural; 1 inside a CPacked struct
  bool is_pointer = false;          ///< or a handle that is as large as one
  std::optional<lir::Space> space;  ///< pointers: the space they lead to
};

/// A type taken apart.
struct Layout {
  /// More than kMaxApart scalars: held in memory, see temporaries.h. The value is one i64.
  bool in_memory = false;
  std::uint64_t scalars = 0;
  std::vector<Kind> kinds;   ///< kind of each scalar, in order
  std::vector<Leaf> leaves;  ///< the scalars grouped as in memory
};

class Types {
 public:
  Types(const Request& request, Refusals& refusals, Budget& budget)
      : request_(request), refusals_(refusals), budget_(budget) {}

  const Layout& layout(const Type& type);
  /// True if values of the type are held in memory.
  bool is_held(const Type& type) { return layout(type).in_memory; }
  /// True if values of the types have their scalars at the same places in memory.
  bool same_layout(const Type& left, const Type& right);
  Kind scalar_kind(const Type& type);
  const Type& result_type(const Instruction& instruction);
  const Layout& result_layout(const Instruction& instruction);
  /// The space that pointers of the type lead to; refuses pointers that are no addresses.
  lir::Space space_of(const Type& pointer);
  bool is_addressable(const Type& pointer) const;
  /// True if accesses through the pointer follow LaunchSettings::robust: it leads to a descriptor's buffer.
  bool is_robust(const Type& pointer) const;

 private:
  void append(const Type& type, std::uint64_t offset, bool packed, Layout& out);
  static void keep_in_memory(Layout& out);
  void append_elements(const Type& type, Layout& out);
  void append_leaf(const Type& type, Layout& out);
  static void append_strided(Leaf leaf, const Type& type, Layout& out);

  const Request& request_;
  Refusals& refusals_;
  Budget& budget_;
  std::unordered_map<const Type*, Layout> layouts_;
  unsigned layout_depth_ = 0;
};

}  // namespace transpire::vm::builder
