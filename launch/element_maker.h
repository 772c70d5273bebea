// ElementMaker: the elements that zero, uninit, fill, range and random make, one after the other, in pieces of any size. What a
// million of them take is never in memory unless somebody wants it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "launch/step_limit.h"
#include "launch/value_spec.h"

namespace transpire::launch {

class ElementMaker {
 public:
  static bool makes(ValueSpec::Maker maker);
  /// Makes elements of this type, one of which fits into memory. Fails with C0022.
  static Result<ElementMaker> create(const ValueSpec& spec, const TypeInfo& type);

  /// Makes the next ones, which are whole. `is_zeroed`: the bytes are zeros already, and need not be touched to become such.
  void next(std::span<std::byte> to, bool is_zeroed);
  /// The same in pieces.
  void next(std::span<std::byte> to, bool is_zeroed, Pacer& pacer);
  std::uint64_t stride_bytes() const { return stride_; }
  /// Bytes of whole elements, about as many as a piece has.
  std::uint64_t piece_bytes() const;

 private:
  /// The parameters of a range or a random maker, read once as the widest integer and as double.
  struct Pair {
    std::int64_t low = 0, high = 0;
    double low_real = 0, high_real = 0;
  };

  ElementMaker(const ValueSpec& spec, const TypeInfo& type);
  Status read_pair(const ValueSpec& spec);
  Status read_pattern(const ValueSpec& spec, const TypeInfo& type);
  std::uint64_t range_number(ScalarType type);
  std::uint64_t random_number(ScalarType type);

  ValueSpec::Maker maker_;
  std::vector<Leaf> leaves_;
  std::uint64_t stride_;
  bool has_gaps_ = false;           ///< bytes of an element are in no scalar
  std::vector<std::byte> pattern_;  ///< of fill: an element
  Pair pair_;
  std::uint64_t count_ = 0;  ///< scalars that were made
  SplitMix64 generator_;
};

}  // namespace transpire::launch
