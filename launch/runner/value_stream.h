// ValueStream: gives the bytes of a value spec in pieces. Values of zero, fill, range and random are never in memory as a
// whole; other values are. Expectations use it to compare large buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "launch/runner/element_maker.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {

class ValueStream {
 public:
  /// Opens a stream. Fails as evaluate() does, and throws LimitReached.
  /// A stream of bytes that are there.
  static ValueStream of(TypedBytes value);
  static Result<ValueStream> open(const ValueSpec& spec, const ValueContext& context);

  const TypeInfo& type() const { return value_.type; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  bool exact_bits() const { return value_.exact_bits; }
  /// The value; without its bytes if these are made in pieces.
  const TypedBytes& value() const { return value_; }

  /// Size of a piece: about kPieceBytes, and a multiple of `stride`.
  static std::uint64_t piece_bytes(std::uint64_t stride);
  /// The next `bytes` bytes, valid until the next call. At least so many must be left. If the elements are made in pieces,
  /// `bytes` is a whole number of elements.
  std::span<const std::byte> next(std::uint64_t bytes);
  /// Goes back to the first byte.
  void rewind();

 private:
  TypedBytes value_;                   ///< with its bytes if there is no maker
  std::optional<ElementMaker> maker_;  ///< makes the pieces
  std::optional<ElementMaker> begun_;  ///< copy of `maker_` before its first element
  std::uint64_t size_bytes_ = 0, done_ = 0;
  std::vector<std::byte> piece_;
};

}  // namespace transpire::launch
