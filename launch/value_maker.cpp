// Evaluation of value specs into bytes: see launch/value_spec.h.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/missing_file.h"
#include "launch/diagnose.h"
#include "launch/npy.h"
#include "launch/type_match.h"
#include "launch/value_spec.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

/// Calls `make(k, type)` for the k-th scalar of all elements and stores the bits it gives.
template <class Make>
void fill_leaves(const TypeInfo& type, std::span<std::byte> bytes, Make make) {
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  std::uint64_t k = 0;
  for (std::uint64_t at = 0; at + stride <= bytes.size(); at += stride)
    for (const Leaf& leaf : leaves)
      store_bits(bytes.subspan(at + leaf.offset_bytes), leaf.type, make(k++, leaf.type));
}

/// The parameters of a range or a random maker, read once as the widest integer and as double.
struct Pair {
  std::int64_t low = 0, high = 0;
  double low_real = 0, high_real = 0;
};

Result<Pair> read_pair(const ValueSpec& spec, bool any_integer) {
  Pair pair;
  std::int64_t* integers[] = {&pair.low, &pair.high};
  double* reals[] = {&pair.low_real, &pair.high_real};
  for (int i = 0; i < 2; ++i) {
    const std::string& text = spec.literals[static_cast<std::size_t>(i)].number;
    const auto real = parse_number(text, ScalarType::kDouble);
    if (!real) return real.errors();
    *reals[i] = to_double(*real, ScalarType::kDouble);
    if (!any_integer) continue;
    const auto integer = parse_number(text, ScalarType::kLong, Signedness::kInferred);
    if (!integer) return integer.errors();
    *integers[i] = static_cast<std::int64_t>(*integer);
  }
  return pair;
}

std::uint64_t truncated(std::uint64_t bits, ScalarType type) {
  return type == ScalarType::kBool ? std::uint64_t{bits != 0}
                                   : bits & (~std::uint64_t{0} >> (64 - 8 * size_bytes(type)));
}

void make_range(const Pair& pair, const TypeInfo& type, std::span<std::byte> bytes) {
  fill_leaves(type, bytes, [&](std::uint64_t k, ScalarType leaf) {
    if (is_float(leaf))
      return from_double(pair.low_real + static_cast<double>(k) * pair.high_real, leaf);
    return truncated(
        static_cast<std::uint64_t>(pair.low) + k * static_cast<std::uint64_t>(pair.high), leaf);
  });
}

void make_random(const ValueSpec& spec, const Pair& pair, const TypeInfo& type,
                 std::span<std::byte> bytes) {
  SplitMix64 generator(spec.seed);
  const std::uint64_t span =
      static_cast<std::uint64_t>(pair.high) - static_cast<std::uint64_t>(pair.low) + 1;
  fill_leaves(type, bytes, [&](std::uint64_t, ScalarType leaf) {
    const std::uint64_t random = generator.next();
    if (is_float(leaf)) {
      const double unit = static_cast<double>(random >> 11) * 0x1p-53;
      return from_double(pair.low_real + (pair.high_real - pair.low_real) * unit, leaf);
    }
    const auto scaled = static_cast<unsigned __int128>(random) * span >> 64;
    const std::uint64_t offset = span == 0 ? random : static_cast<std::uint64_t>(scaled);
    return truncated(static_cast<std::uint64_t>(pair.low) + offset, leaf);
  });
}

Status make_numbers(const ValueSpec& spec, const TypeInfo& type, std::span<std::byte> bytes) {
  bool any_integer = false;
  const std::vector<Leaf> leaves = leaves_of(type);
  for (const Leaf& leaf : leaves) any_integer |= !is_float(leaf.type);
  if (leaves.empty())
    return command_error(kBadValue, fmt::format("a {} cannot be made from numbers", spelled(type)));
  const auto pair = read_pair(spec, any_integer);
  if (!pair) return pair.errors();
  if (spec.maker == Maker::kRandom && pair->low_real > pair->high_real)
    return command_error(kBadValue, fmt::format("the lower bound {} is above the upper bound {}",
                                                spec.literals[0].number, spec.literals[1].number));
  if (spec.maker == Maker::kRange)
    make_range(*pair, type, bytes);
  else
    make_random(spec, *pair, type, bytes);
  return Unit{};
}

Signedness signedness_of(const ValueSpec& spec) {
  return spec.type ? Signedness::kStated : Signedness::kInferred;
}

Status make_fill(const ValueSpec& spec, const TypeInfo& type, std::span<std::byte> bytes) {
  const std::uint64_t stride = stride_bytes(type);
  if (bytes.size() < stride) return Unit{};
  const Literal& value = spec.literals[0];
  if (value.is_list) {
    const auto stored = store_literal(type, value, signedness_of(spec), bytes.first(stride));
    if (!stored) return stored.errors();
  } else {
    for (const Leaf& leaf : leaves_of(type)) {
      const auto bits = parse_number(value.number, leaf.type, signedness_of(spec));
      if (!bits) return bits.errors();
      store_bits(bytes.subspan(leaf.offset_bytes), leaf.type, *bits);
    }
  }
  for (std::uint64_t at = stride; at + stride <= bytes.size(); at += stride)
    std::memcpy(bytes.data() + at, bytes.data(), stride);
  return Unit{};
}

/// Zeroed room for `count` elements of a type, of which a module may say that they are very large.
Result<std::vector<std::byte>> make_room(std::uint64_t count, const TypeInfo& type, std::byte fill,
                                         std::uint64_t max_bytes) {
  const std::uint64_t stride = stride_bytes(type);
  if (count > max_bytes / stride)
    return command_error(
        kMemoryLimit, fmt::format("{} elements of {} need more than the limit of {} bytes", count,
                                  spelled(type), max_bytes));
  return std::vector<std::byte>(count * stride, fill);
}

/// Literals: one per element, or, when all are plain numbers, one per scalar.
Result<std::vector<std::byte>> make_data(const ValueSpec& spec, const TypeInfo& type,
                                         std::uint64_t max_bytes) {
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  bool flat = leaves.size() > 1;
  for (const Literal& literal : spec.literals) flat = flat && !literal.is_list;
  const std::uint64_t each = flat ? leaves.size() : 1;
  if (spec.literals.size() % each != 0)
    return command_error(kBadValue,
                         fmt::format("{} numbers do not fill whole elements of {}: each takes {}",
                                     spec.literals.size(), spelled(type), each));
  auto bytes = make_room(spec.literals.size() / each, type, std::byte{0}, max_bytes);
  if (!bytes) return bytes;
  for (std::size_t i = 0; i < spec.literals.size(); ++i) {
    const std::span<std::byte> element = std::span(*bytes).subspan(i / each * stride);
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
  return bytes;
}

Result<std::vector<std::byte>> make_hex_bytes(std::string_view digits) {
  std::vector<std::byte> bytes;
  std::string pair;
  for (const char c : digits.substr(digits.starts_with("0x") ? 2 : 0)) {
    if (c == ' ' || c == ',' || c == '_') continue;
    pair += c;
    if (pair.size() < 2) continue;
    const auto bits = parse_bits(pair, ScalarType::kUchar);
    if (!bits) return bits.errors();
    bytes.push_back(static_cast<std::byte>(*bits));
    pair.clear();
  }
  if (!pair.empty())
    return command_error(kBadValue, fmt::format("the bytes '{}' end within a byte", digits));
  return bytes;
}

Result<std::vector<std::byte>> make_hex(const ValueSpec& spec, const TypeInfo& type,
                                        std::uint64_t max_bytes) {
  if (spec.raw_bytes) return make_hex_bytes(spec.literals[0].number);
  const std::vector<Leaf> leaves = leaves_of(type);
  const std::uint64_t stride = stride_bytes(type);
  if (leaves.empty() || spec.literals.size() % leaves.size() != 0)
    return command_error(kBadValue, fmt::format("{} numbers do not fill whole elements of {}",
                                                spec.literals.size(), spelled(type)));
  auto bytes = make_room(spec.literals.size() / leaves.size(), type, std::byte{0}, max_bytes);
  if (!bytes) return bytes;
  for (std::size_t i = 0; i < spec.literals.size(); ++i) {
    const Leaf& leaf = leaves[i % leaves.size()];
    const auto bits = parse_bits(spec.literals[i].number, leaf.type);
    if (!bits) return bits.errors();
    store_bits(std::span(*bytes).subspan(i / leaves.size() * stride + leaf.offset_bytes), leaf.type,
               *bits);
  }
  return bytes;
}

/// The makers whose size is N elements.
Result<std::vector<std::byte>> make_counted(const ValueSpec& spec, const TypeInfo& type,
                                            const ValueContext& context) {
  const auto count = spec.count ? spec.count : context.count;
  if (!count)
    return command_error(kBadValue, "the value does not say how many elements it has",
                         "add ':N' at its end");
  auto bytes = make_room(*count, type, spec.maker == Maker::kUninit ? kPoison : std::byte{0},
                         context.max_bytes);
  if (!bytes) return bytes;
  Status made = Unit{};
  if (spec.maker == Maker::kFill) made = make_fill(spec, type, *bytes);
  if (spec.maker == Maker::kRange || spec.maker == Maker::kRandom)
    made = make_numbers(spec, type, *bytes);
  if (!made) return made.errors();
  return bytes;
}

Result<std::vector<std::byte>> make_bytes(const ValueSpec& spec, const TypeInfo& type,
                                          const ValueContext& context) {
  switch (spec.maker) {
    case Maker::kLiterals:
    case Maker::kData:
      return make_data(spec, type, context.max_bytes);
    case Maker::kHex:
      return make_hex(spec, type, context.max_bytes);
    case Maker::kFile:
      return read_file(spec.file, context.max_bytes);
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

std::string resolved_path(const std::string& directory, const std::string& path) {
  if (directory.empty() || path.starts_with('/') || path == "-") return path;
  return directory + "/" + path;
}

namespace {

Diagnostic cannot_read(const std::string& path) {
  const int error = errno;
  return command_error(kFileUnreadable,
                       fmt::format("cannot read '{}': {}", path, std::strerror(error)),
                       missing_file_help(path, error));
}

Result<std::vector<std::byte>> read_all(std::FILE* file, const std::string& path,
                                        std::uint64_t max_bytes) {
  std::vector<std::byte> bytes;
  std::byte chunk[1 << 14];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, file)) {
    if (n > max_bytes || bytes.size() > max_bytes - n)
      return command_error(
          kMemoryLimit, fmt::format("'{}' has more bytes than the limit of {}", path, max_bytes));
    bytes.insert(bytes.end(), chunk, chunk + n);
  }
  if (std::ferror(file) != 0) return cannot_read(path);
  return bytes;
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::string& path, std::uint64_t max_bytes) {
  if (path == "-") {
    // Read once: the module and the launch lines in it are asked for one after the other.
    static const Result<std::vector<std::byte>> input = read_all(stdin, path, max_bytes);
    return input;
  }
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) return cannot_read(path);
  return read_all(file.get(), path, max_bytes);
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  FileHandle file(std::fopen(path.c_str(), "wb"));
  bool written = file != nullptr;
  if (written)
    written =
        bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (written) written = std::fclose(file.release()) == 0;
  if (!written)
    return command_error(kFileUnwritable,
                         fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  return Unit{};
}

namespace {

Result<TypedBytes> array_of(const ValueSpec& spec, const ValueContext& context) {
  auto array = read_npy(spec.file, context.max_bytes);
  if (!array) return array;
  if (spec.converted_to) array = converted(*array, *spec.converted_to, spec.file);
  if (!array) return array;
  array->any_type = spec.any_type;
  if (!spec.type) return array;
  const ScalarType scalar = leaves_of(array->type)[0].type;
  if (scalar != spec.type->scalar)
    return command_error(
        kBadValue,
        fmt::format("'{}' holds {}, not {}", spec.file, spelled(array->type),
                    name_of(spec.type->scalar)),
        fmt::format("'npy:{} as {}' converts its numbers", spec.file, name_of(spec.type->scalar)));
  array->type = type_of(*spec.type);
  return array;
}

Result<TypedBytes> made_of(const ValueSpec& spec, const ValueContext& context) {
  if (spec.maker == Maker::kNpy) return array_of(spec, context);
  TypedBytes result;
  if (spec.type)
    result.type = type_of(*spec.type);
  else if (context.inferred != nullptr)
    result.type = *context.inferred;
  else
    return command_error(kBadValue, "the value has no type, and none can be inferred here",
                         "write the type first, as in 'float:zero:1024'");
  auto bytes = make_bytes(spec, result.type, context);
  if (!bytes) return bytes.errors();
  result.bytes = std::move(bytes).value();
  result.any_type = spec.any_type;
  result.exact_bits = spec.maker == Maker::kHex || spec.maker == Maker::kFile || spec.raw_bytes;
  return result;
}

/// For data of another type than that of the memory that they are for.
Diagnostic other_type(const ValueSpec& spec, const TypeInfo& given, const TypeInfo& wanted) {
  const std::string whose =
      spec.file.empty() ? std::string("the value is") : fmt::format("'{}' holds", spec.file);
  return command_error(
      kBadValue, fmt::format("{} {}, where {} is expected", whose, spelled(given), spelled(wanted)),
      conversion_hint(spec, wanted));
}

}  // namespace

std::string conversion_hint(const ValueSpec& spec, const TypeInfo& wanted) {
  constexpr const char* kRaw = "':raw' at its end takes the bytes as they are";
  const auto numbers = class_of(wanted) ? leaves_of(wanted) : std::vector<Leaf>{};
  if (spec.maker != Maker::kNpy || numbers.empty())
    return fmt::format("write the value as {}; {}", spelled(wanted), kRaw);
  return fmt::format("'npy:{} as {}' converts its numbers; {}", spec.file, name_of(numbers[0].type),
                     kRaw);
}

Result<TypedBytes> evaluate(const ValueSpec& spec, const ValueContext& context) {
  auto made = made_of(spec, context);
  if (!made || made->any_type || context.wanted == nullptr) return made;
  if (!may_hold(*context.wanted, made->type)) return other_type(spec, made->type, *context.wanted);
  return made;
}

}  // namespace transpire::launch
