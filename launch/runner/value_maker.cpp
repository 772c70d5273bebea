// Evaluates value specs: see the header.
#include "launch/runner/value_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/checked.h"
#include "base/counted.h"
#include "launch/report/diagnose.h"
#include "launch/report/files.h"
#include "launch/runner/element_maker.h"
#include "launch/runner/npy.h"
#include "launch/runner/type_match.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

Signedness signedness_of(const ValueSpec& spec) {
  return spec.type ? Signedness::kStated : Signedness::kInferred;
}

/// Memory and its bytes.
struct Room {
  Buffer memory;
  std::span<std::byte> bytes;
};

/// Allocates zeroed bytes: in the context's room, or else in memory of their own.
Result<Room> room_of(const ValueContext& context, std::uint64_t size_bytes) {
  auto memory = context.room ? context.room(size_bytes) : Buffer::create(size_bytes);
  if (!memory && !context.room)
    return command_error(kMemoryLimit, fmt::format("there is no memory for {} bytes", size_bytes));
  if (!memory) return memory.errors();
  const std::span<std::byte> bytes = memory->bytes();
  return Room{std::move(memory).value(), bytes};
}

/// Allocates `count` elements. A module may declare very large types.
Result<Room> make_room(std::uint64_t count, const TypeInfo& type, const ValueContext& context) {
  const Checked bytes = Checked(count) * stride_bytes(type);
  if (bytes.fits(context.max_bytes) || (context.room && bytes.valid()))
    return room_of(context, bytes.value());
  return command_error(kMemoryLimit,
                       fmt::format("{} elements of {} need more than the limit of {} bytes", count,
                                   text_of(type), context.max_bytes));
}

/// Copies bytes that were made elsewhere to the context's room, if there is one. Both copies exist for a moment.
Result<Room> moved_to_room(Room made, const ValueContext& context) {
  if (!context.room) return made;
  const std::uint64_t size = made.bytes.size();
  if (size > context.max_bytes)
    return command_error(kMemoryLimit,
                         fmt::format("{} bytes are needed a second time to be moved, more than the "
                                     "limit of {}",
                                     size, context.max_bytes));
  auto room = room_of(context, size);
  if (!room) return room;
  Pacer pacer(context.limit);
  for (std::uint64_t at = 0; at < size; at += kPieceBytes) {
    pacer.look();
    std::memcpy(room->bytes.data() + at, made.bytes.data() + at, std::min(kPieceBytes, size - at));
  }
  return room;
}

/// Makes memory of the bytes without a copy.
Result<Room> room_with(std::vector<std::byte> bytes) {
  const auto held = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  auto memory = Buffer::wrap(*held, {}, held);
  if (!memory) return memory.errors();
  return Room{std::move(memory).value(), *held};
}

/// Stores literals: one per element or, if all are plain numbers, one per scalar.
Result<Room> make_data(const ValueSpec& spec, const TypeInfo& type, const ValueContext& context) {
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  bool flat = leaves.size() > 1;
  for (const Literal& literal : spec.literals) flat = flat && !literal.is_list;
  const std::uint64_t each = flat ? leaves.size() : 1;
  if (spec.literals.size() % each != 0)
    return command_error(
        kBadValue, fmt::format("the elements of {1} are not filled by {0}: each takes {2}",
                               count_text(spec.literals.size(), "number"), text_of(type), each));
  auto room = make_room(spec.literals.size() / each, type, context);
  if (!room) return room;
  Pacer pacer(context.limit);
  for (std::size_t i = 0; i < spec.literals.size(); ++i) {
    pacer.step();
    const std::span<std::byte> element = room->bytes.subspan(i / each * stride);
    Status stored = Unit{};
    if (flat) {
      const Leaf& leaf = leaves[i % each];
      const auto bits = parse_number(spec.literals[i].number, leaf.type, signedness_of(spec));
      if (!bits) return bits.errors();
      store_bits(element.subspan(leaf.offset_bytes), leaf.type, *bits);
    } else if (stored = store_literal(type, spec.literals[i], signedness_of(spec), element);
               !stored) {
      return stored.errors();
    }
  }
  return room;
}

Result<Room> make_hex_bytes(std::string_view text, const ValueContext& context) {
  const std::string_view digits = text.substr(text.starts_with("0x") ? 2 : 0);
  const auto is_between = [](char c) { return c == ' ' || c == ',' || c == '_'; };
  const auto between = std::ranges::count_if(digits, is_between);
  auto room =
      make_room((digits.size() - static_cast<std::size_t>(between)) / 2, byte_type(), context);
  if (!room) return room;
  Pacer pacer(context.limit);
  std::size_t made = 0;
  std::string pair;
  for (const char c : digits) {
    if (is_between(c)) continue;
    pair += c;
    if (pair.size() < 2) continue;
    pacer.step();
    const auto bits = parse_bits(pair, ScalarType::kUchar);
    if (!bits) return bits.errors();
    room->bytes[made++] = static_cast<std::byte>(*bits);
    pair.clear();
  }
  if (!pair.empty())
    return command_error(kBadValue, fmt::format("the bytes '{}' end within a byte", text));
  return room;
}

Result<Room> make_hex(const ValueSpec& spec, const TypeInfo& type, const ValueContext& context) {
  if (spec.raw_bytes) return make_hex_bytes(spec.literals[0].number, context);
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  if (leaves.empty() || spec.literals.size() % leaves.size() != 0)
    return command_error(kBadValue,
                         fmt::format("the elements of {1} are not filled by {0}",
                                     count_text(spec.literals.size(), "number"), text_of(type)));
  auto room = make_room(spec.literals.size() / leaves.size(), type, context);
  if (!room) return room;
  Pacer pacer(context.limit);
  for (std::size_t i = 0; i < spec.literals.size(); ++i) {
    pacer.step();
    const Leaf& leaf = leaves[i % leaves.size()];
    const auto bits = parse_bits(spec.literals[i].number, leaf.type);
    if (!bits) return bits.errors();
    store_bits(room->bytes.subspan(i / leaves.size() * stride + leaf.offset_bytes), leaf.type,
               *bits);
  }
  return room;
}

/// Runs a maker that has a count of elements.
Result<Room> make_counted(const ValueSpec& spec, const TypeInfo& type,
                          const ValueContext& context) {
  const auto count = counted_elements(spec, context);
  if (!count) return count.errors();
  auto room = make_room(*count, type, context);
  if (!room || room->bytes.empty()) return room;
  auto maker = ElementMaker::create(spec, type);
  if (!maker) return maker.errors();
  Pacer pacer(context.limit);
  maker->next(room->bytes, true, pacer);
  return room;
}

/// Reads the bytes of a file. A regular file is read directly into the context's room.
Result<Room> make_file(const std::string& path, const ValueContext& context) {
  const ReadLimit limit{context.limit.time, context.max_bytes};
  const auto whole = [&](Result<std::vector<std::byte>> bytes) -> Result<Room> {
    if (!bytes) return bytes.errors();
    auto room = room_with(std::move(bytes).value());
    return room ? moved_to_room(std::move(room).value(), context) : room;
  };
  if (is_read_once(path)) return whole(read_file(path, limit));
  auto file = InputFile::open(path);
  if (!file) return file.errors();
  const std::uint64_t size = file->size_bytes();
  if (size == 0) return whole(file->read_rest(limit));
  if (size > context.max_bytes && !context.room) return file->too_large(context.max_bytes);
  auto room = room_of(context, size);
  if (!room) return room;
  const auto count = file->read(room->bytes, context.limit.time);
  if (!count) return count.errors();
  if (*count == size) return room;
  return command_error(kFileUnreadable,
                       fmt::format("cannot read '{}': it became shorter meanwhile", path));
}

Result<Room> make_bytes(const ValueSpec& spec, const TypeInfo& type, const ValueContext& context) {
  switch (spec.maker) {
    case Maker::kLiterals:
    case Maker::kData:
      return make_data(spec, type, context);
    case Maker::kHex:
      return make_hex(spec, type, context);
    case Maker::kFile:
      return make_file(spec.file, context);
    default:
      return make_counted(spec, type, context);
  }
}

}  // namespace

std::uint64_t SplitMix64::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::string conversion_hint(const ValueSpec& spec, const TypeInfo& wanted) {
  constexpr const char* kRaw = "':raw' at its end takes the bytes as they are";
  const auto numbers = class_of(wanted) ? leaves_of(wanted) : std::vector<Leaf>{};
  if (spec.maker != Maker::kNpy || numbers.empty())
    return fmt::format("write the value as {}; {}", text_of(wanted), kRaw);
  return fmt::format("'npy:{} as {}' converts its numbers; {}", spec.file, name_of(numbers[0].type),
                     kRaw);
}

namespace {

/// Fails if the data do not fit the type that the context wants.
Status check_wanted(const ValueSpec& spec, const TypeInfo& given, const ValueContext& context) {
  if (spec.any_type || context.wanted == nullptr || may_hold(*context.wanted, given)) return Unit{};
  const std::string whose =
      spec.file.empty() ? std::string("the value is") : fmt::format("'{}' holds", spec.file);
  return command_error(
      kBadValue,
      fmt::format("{} {}, where {} is expected", whose, text_of(given), text_of(*context.wanted)),
      conversion_hint(spec, *context.wanted));
}

}  // namespace

Result<TypeInfo> element_type(const ValueSpec& spec, const ValueContext& context) {
  if (!spec.type && context.inferred == nullptr)
    return command_error(kBadValue, "the value has no type, and none can be inferred here",
                         "write the type first, as in 'float:zero:1024'");
  TypeInfo type = spec.type ? type_of(*spec.type) : *context.inferred;
  if (spec.type && context.inferred != nullptr && !spec.any_type)
    type = spaced_as(*context.inferred, std::move(type));
  if (const Status fits = check_wanted(spec, type, context); !fits) return fits.errors();
  return type;
}

Result<std::uint64_t> counted_elements(const ValueSpec& spec, const ValueContext& context) {
  if (const auto count = spec.count ? spec.count : context.count) return *count;
  return command_error(kBadValue, "the value does not say how many elements it has",
                       "add ':N' at its end");
}

namespace {

/// Reads the array of a file, and converts its numbers if the spec asks for it.
Result<TypedBytes> read_array(const ValueSpec& spec, const ValueContext& context) {
  const Allowance allowed(context.max_bytes, context.limit);
  auto array = read_npy(spec.file, allowed.reading());
  if (array && spec.converted_to)
    array = converted(*array, *spec.converted_to, spec.file, allowed.beside(array->bytes.size()));
  if (!array || !spec.type) return array;
  const ScalarType scalar = leaves_of(array->type)[0].type;
  if (scalar != spec.type->scalar)
    return command_error(
        kBadValue,
        fmt::format("'{}' holds {}, not {}", spec.file, text_of(array->type),
                    name_of(spec.type->scalar)),
        fmt::format("'npy:{} as {}' converts its numbers", spec.file, name_of(spec.type->scalar)));
  array->type = type_of(*spec.type);
  return array;
}

/// Moves elements that a file has without gaps as far apart as the type says.
Result<Room> spread(Room dense, std::uint64_t each_bytes, const TypeInfo& type,
                    const ValueContext& context) {
  const std::uint64_t stride = stride_bytes(type);
  if (each_bytes == stride || each_bytes == 0 || dense.bytes.size() % each_bytes != 0) return dense;
  auto room = make_room(dense.bytes.size() / each_bytes, type, context);
  Pacer pacer(context.limit);
  for (std::uint64_t at = 0; room && at * each_bytes < dense.bytes.size(); ++at) {
    pacer.step();
    std::memcpy(room->bytes.data() + at * stride, dense.bytes.data() + at * each_bytes,
                std::min(each_bytes, stride));
  }
  return room;
}

Result<TypedBytes> array_of(const ValueSpec& spec, const ValueContext& context) {
  auto array = read_array(spec, context);
  if (!array) return array;
  array->any_type = spec.any_type;
  if (const Status fits = check_wanted(spec, array->type, context); !fits) return fits.errors();
  const std::uint64_t each_bytes = stride_bytes(array->type);
  if (context.inferred != nullptr && !spec.any_type)
    array->type = spaced_as(*context.inferred, std::move(array->type));
  auto room = each_bytes == stride_bytes(array->type)
                  ? moved_to_room({array->memory, array->bytes}, context)
                  : spread({array->memory, array->bytes}, each_bytes, array->type, context);
  if (!room) return room.errors();
  array->memory = std::move(room->memory);
  array->bytes = room->bytes;
  return array;
}

}  // namespace

Result<TypedBytes> evaluate(const ValueSpec& spec, const ValueContext& context) {
  if (spec.maker == Maker::kNpy) return array_of(spec, context);
  auto type = element_type(spec, context);
  if (!type) return type.errors();
  auto room = make_bytes(spec, *type, context);
  if (room && spec.maker == Maker::kFile && spec.type && !spec.any_type)
    room = spread(std::move(*room), stride_bytes(type_of(*spec.type)), *type, context);
  if (!room) return room.errors();
  TypedBytes result{std::move(type).value(), std::move(room->memory), room->bytes};
  result.any_type = spec.any_type;
  result.exact_bits = spec.maker == Maker::kHex || spec.maker == Maker::kFile || spec.raw_bytes;
  return result;
}

}  // namespace transpire::launch
