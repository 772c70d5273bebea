#include "launch/runner/value_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {

std::uint64_t ValueStream::piece_bytes(std::uint64_t stride) {
  return std::max<std::uint64_t>(kPieceBytes / stride, 1) * stride;
}

ValueStream ValueStream::of(TypedBytes value) {
  ValueStream stream;
  stream.size_bytes_ = value.bytes.size();
  stream.value_ = std::move(value);
  return stream;
}

Result<ValueStream> ValueStream::open(const ValueSpec& spec, const ValueContext& context) {
  ValueStream stream;
  if (!ElementMaker::makes(spec.maker)) {
    TRANSPIRE_TRY(stream.value_, evaluate(spec, context));
    stream.size_bytes_ = stream.value_.bytes.size();
    return stream;
  }
  TRANSPIRE_TRY(stream.value_.type, element_type(spec, context));
  stream.value_.any_type = spec.any_type;
  stream.value_.exact_bits = spec.raw_bytes;
  TRANSPIRE_TRY(const std::uint64_t count, counted_elements(spec, context));
  const Checked bytes = Checked(count) * stride_bytes(stream.value_.type);
  if (!bytes.fits(context.max_bytes))
    return command_error(
        kMemoryLimit, fmt::format("{} elements of {} need more than the limit of {} bytes", count,
                                  text_of(stream.value_.type), context.max_bytes));
  stream.size_bytes_ = bytes.value();
  if (stream.size_bytes_ == 0) return stream;
  TRANSPIRE_TRY(stream.begun_, ElementMaker::create(spec, stream.value_.type));
  stream.maker_ = stream.begun_;
  return stream;
}

std::span<const std::byte> ValueStream::next(std::uint64_t bytes) {
  const std::uint64_t begin = std::exchange(done_, done_ + bytes);
  if (!maker_) return value_.bytes.subspan(begin, bytes);
  piece_.resize(bytes);
  maker_->next(piece_, false);
  return piece_;
}

void ValueStream::rewind() {
  done_ = 0;
  maker_ = begun_;
}

}  // namespace transpire::launch
