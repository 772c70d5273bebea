// PrivateLayout: which private variables can become values, and how their bytes are cut into
// pieces, one value each.
//
// A variable qualifies when all uses of its address are loads, stores and copies at constant,
// aligned offsets inside it, none volatile. Its pieces are the ranges between all the begins and
// ends of those accesses, so each access covers whole pieces:
//
//     float4 store   |--0---|--4---|--8---|--12--|
//     float load            |--4---|                      pieces 0 4 8 12
//     long load                    |------8------|        reads pieces 8 and 12
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// An address: an offset in bytes into a private variable.
struct PrivatePlace {
  std::uint32_t variable = 0;
  std::int64_t offset = 0;
};

struct PrivatePiece {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  Kind kind = Kind::kVoid;
  std::uint32_t variable = 0;
  std::uint32_t votes = 0;  ///< accesses of the kind less those of other kinds
};

/// Pieces [first, last) of PrivateLayout::pieces().
struct PieceRange {
  std::uint32_t first = 0, last = 0;
};

class PrivateLayout {
 public:
  explicit PrivateLayout(const Function& function);

  bool promotable(std::uint32_t variable) const { return promotable_[variable]; }
  /// Where a Load or Store begins, when that is in a promotable variable.
  std::optional<PrivatePlace> access_place(const Value& access) const;
  /// Where an address points, when that is in a promotable variable.
  std::optional<PrivatePlace> address_place(ValueId address) const;
  const std::vector<PrivatePiece>& pieces() const { return pieces_; }
  /// All pieces of a promotable variable.
  PieceRange pieces_of(std::uint32_t variable) const {
    return {first_piece_[variable], first_piece_[variable + 1]};
  }
  PieceRange range(const PrivatePlace& place, std::uint64_t bytes) const;

 private:
  void find_addresses();
  void use(ValueId address, ValueId user);
  void drop(const PrivatePlace& place) { promotable_[place.variable] = false; }
  std::optional<PrivatePlace> offset_place(const Value& value, std::int64_t scale,
                                           std::int64_t offset, bool has_index) const;
  std::optional<PrivatePlace> unchecked_access(const Value& access) const;
  void check_access(ValueId id);
  void check_copy(ValueId id);
  bool inside(const PrivatePlace& place, std::uint64_t bytes) const;
  void check_lifetimes();
  void keep_shadows();
  void cut_accesses();
  void cut_copies();
  bool match_cuts(const PrivatePlace& from, const PrivatePlace& to, std::uint64_t bytes);
  void make_pieces();
  void choose_kinds();
  static void vote(PrivatePiece& piece, Kind kind);
  static void vote_bytes(PrivatePiece& piece);

  const Function& function_;
  std::vector<bool> promotable_;                     // by variable
  std::vector<std::optional<PrivatePlace>> places_;  // by value
  std::vector<ValueId> work_;
  std::vector<ValueId> accesses_, copies_;
  std::vector<std::set<std::uint64_t>> cuts_;  // by variable
  std::vector<PrivatePiece> pieces_;           // by variable and offset
  std::vector<std::uint32_t> first_piece_;     // by variable
};

/// Bytes of one component in memory.
std::uint32_t memory_bytes(Kind kind);

}  // namespace transpire::vm::lir
