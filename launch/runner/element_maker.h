// ElementMaker: makes the elements of zero, uninit, fill, range and random values in order, in pieces of any size. A value
// of many elements need not be in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "launch/report/step_limit.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {

class ElementMaker {
 public:
  static bool makes(ValueSpec::Maker maker);
  /// A maker for elements of this type. One element fits into memory. Fails with C0022.
  static Result<ElementMaker> create(const ValueSpec& spec, const TypeInfo& type);

  /// Makes the next elements. `to` has room for whole elements. `is_zeroed` says that its bytes are zeros, so the maker need
  /// not write zeros.
  void next(std::span<std::byte> to, bool is_zeroed);
  /// Makes the next elements in pieces, and checks the pacer's limit before each piece. Throws LimitReached.
  void next(std::span<std::byte> to, bool is_zeroed, Pacer& pacer);
  std::uint64_t stride_bytes() const { return stride_; }
  /// Size of a piece: about kPieceBytes, and a multiple of the element's size.
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
  std::vector<std::byte> pattern_;  ///< fill: the bytes of one element
  Pair pair_;
  std::uint64_t count_ = 0;  ///< scalars made so far
  SplitMix64 generator_;
};

}  // namespace transpire::launch
