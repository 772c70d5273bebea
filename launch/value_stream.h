// ValueStream: what a value spec says, in pieces: what zero, fill, range and random make is never in memory as a whole, the rest is.
// For expectations, which compare large buffers with what takes a line to write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "launch/element_maker.h"
#include "launch/value_spec.h"

namespace transpire::launch {

class ValueStream {
 public:
  /// Fails as evaluate(), and throws LimitReached.
  static Result<ValueStream> open(const ValueSpec& spec, const ValueContext& context);

  const TypeInfo& type() const { return value_.type; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  bool exact_bits() const { return value_.exact_bits; }
  /// Without its bytes, where these are made in pieces.
  const TypedBytes& value() const { return value_; }

  /// Whole elements of a type, about as many as a piece has.
  static std::uint64_t piece_bytes(std::uint64_t stride);
  /// The next bytes, so many of which are left; good until the next call. Where the elements are made one by one, these are whole.
  std::span<const std::byte> next(std::uint64_t bytes);
  /// The first bytes are the next ones again.
  void rewind();

 private:
  TypedBytes value_;                   ///< with its bytes where there is no maker
  std::optional<ElementMaker> maker_;  ///< else
  std::optional<ElementMaker> begun_;  ///< the same before its first element
  std::uint64_t size_bytes_ = 0, done_ = 0;
  std::vector<std::byte> piece_;
};

}  // namespace transpire::launch
