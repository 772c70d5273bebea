// Reads and writes .npy files: see the header. Format: NumPy, "numpy.lib.format".
#include "launch/runner/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include "base/counted.h"
#include "launch/report/diagnose.h"
#include "launch/report/files.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Descr {
  std::string_view code;
  ScalarType type;
  unsigned components = 1;  ///< 2: the real and the imaginary part of a complex number
};

constexpr std::array kDescrs{
    Descr{"b1", ScalarType::kBool},     Descr{"i1", ScalarType::kChar},
    Descr{"u1", ScalarType::kUchar},    Descr{"i2", ScalarType::kShort},
    Descr{"u2", ScalarType::kUshort},   Descr{"i4", ScalarType::kInt},
    Descr{"u4", ScalarType::kUint},     Descr{"i8", ScalarType::kLong},
    Descr{"u8", ScalarType::kUlong},    Descr{"f2", ScalarType::kHalf},
    Descr{"f4", ScalarType::kFloat},    Descr{"f8", ScalarType::kDouble},
    Descr{"c8", ScalarType::kFloat, 2}, Descr{"c16", ScalarType::kDouble, 2},
};

Diagnostic bad_npy(const std::string& path, std::string_view why) {
  return command_error(kBadValue,
                       fmt::format("'{}' is no .npy file that can be used: {}", path, why));
}

/// Value of a key in the header: the text in quotes, or up to the next comma or bracket.
std::string_view header_field(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(std::min(header.size(), at + key.size() + 2));
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  if (rest.starts_with('\'')) {
    rest.remove_prefix(1);
    return rest.substr(0, rest.find('\''));
  }
  return trimmed(rest.substr(0, rest.find_first_of(rest.starts_with('(') ? ")" : ",}")));
}

/// "(8, 4" gives 8 and 4. Nothing if the text is no list of numbers, or the number of bytes overflows.
std::optional<std::vector<std::uint64_t>> shape_in(std::string_view text) {
  std::vector<std::uint64_t> shape;
  std::uint64_t elements = 1;
  text.remove_prefix(text.starts_with('(') ? 1 : 0);
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto size = parse_count(trimmed(text.substr(0, comma)), "size");
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (!size || (*size != 0 && elements > (std::uint64_t{1} << 60) / *size)) return std::nullopt;
    elements *= *size;
    shape.push_back(*size);
  }
  return shape;
}

std::uint64_t elements_of(const std::vector<std::uint64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

/// True if the shape is {0} and there is one number: the array had the shape (). An empty list means that there is no shape.
bool is_without_dimensions(const std::vector<std::uint64_t>& shape, std::uint64_t numbers) {
  return numbers == 1 && shape.size() == 1 && shape[0] == 0;
}

struct Header {
  std::string_view text;
  std::size_t data_offset = 0;
};

bool read_header(std::string_view file, Header& header) {
  if (!file.starts_with(kMagic) || file.size() < 12) return false;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(file[i]));
  };
  const bool short_length = byte(6) == 1;
  const std::size_t start = short_length ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (!short_length) length |= byte(10) << 16 | byte(11) << 24;
  if (file.size() - start < length) return false;
  header = {file.substr(start, length), start + length};
  return true;
}

}  // namespace

Result<TypedBytes> read_npy(const std::string& path, const ReadLimit& limit) {
  auto read = read_file(path, limit);
  if (!read) return read.errors();
  // The array keeps the file's bytes without a copy.
  const auto file = std::make_shared<std::vector<std::byte>>(std::move(read).value());
  const std::string_view text(reinterpret_cast<const char*>(file->data()), file->size());
  Header header;
  if (!read_header(text, header)) return bad_npy(path, "the header is damaged or missing");
  const std::string_view descr = header_field(header.text, "descr");
  const std::string_view code = descr.substr(std::min<std::size_t>(1, descr.size()));
  const auto known =
      std::find_if(kDescrs.begin(), kDescrs.end(), [&](const Descr& d) { return d.code == code; });
  if (known == kDescrs.end())
    return bad_npy(
        path,
        fmt::format("its elements are '{}', not numbers of 1 to 8 bytes or complex ones of them",
                    descr));
  const std::string_view shape = header_field(header.text, "shape");
  const bool many_dimensions = std::count(shape.begin(), shape.end(), ',') > 1 ||
                               (shape.find(',') != std::string_view::npos && shape.back() != ',');
  if (header_field(header.text, "fortran_order") == "True" && many_dimensions)
    return bad_npy(
        path,
        "it is in Fortran order, columns first; save numpy.ascontiguousarray(a), or a.T for "
        "the numbers as they lie in memory");
  TypedBytes result;
  result.type = type_of({known->type, known->components});
  result.exact_bits = true;
  TRANSPIRE_TRY(result.memory, Buffer::wrap(*file, {}, file));
  result.bytes = std::span(*file).subspan(header.data_offset);
  const std::size_t size = size_bytes(known->type);
  const std::size_t element = size * known->components;
  if (result.bytes.size() % element != 0) return bad_npy(path, "it ends within an element");
  auto dimensions = shape_in(shape);
  if (!dimensions) return bad_npy(path, fmt::format("'{})' is no shape", shape));
  if (elements_of(*dimensions) != result.bytes.size() / element)
    return bad_npy(path, fmt::format("its shape has {}, the file {}",
                                     count_text(elements_of(*dimensions), "element"),
                                     result.bytes.size() / element));
  result.shape = std::move(*dimensions);
  if (known->components != 1)
    result.shape.push_back(known->components);
  else if (result.shape.empty() && shape == "(")
    result.shape = {0};
  if (descr[0] == '>')
    for (std::size_t i = 0; i < result.bytes.size(); i += size)
      std::reverse(result.bytes.begin() + static_cast<std::ptrdiff_t>(i),
                   result.bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
  return result;
}

std::string npy_header(const TypeInfo& type, std::uint64_t all_bytes,
                       const std::vector<std::uint64_t>& shape) {
  const bool is_vector = type.kind == TypeInfo::Kind::kVector && !type.elements.empty();
  const auto scalar = scalar_of(is_vector ? type.elements[0] : type);
  const std::uint64_t stride = scalar ? size_bytes(*scalar) : 1;
  // A vector of three is written with its padding, which reading it back needs.
  const std::uint64_t inner = stride_bytes(type) / stride;
  const std::uint64_t outer = all_bytes / (inner * stride);
  const auto descr = std::find_if(kDescrs.begin(), kDescrs.end(), [&](const Descr& d) {
    return d.type == scalar.value_or(ScalarType::kUchar) && d.components == 1;
  });
  std::string dimensions = fmt::format("{},", outer);
  if (inner != 1) dimensions += fmt::format(" {}", inner);
  const std::uint64_t numbers = all_bytes / stride;
  if (!shape.empty() && elements_of(shape) == numbers)
    dimensions = fmt::format("{}{}", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  if (is_without_dimensions(shape, numbers)) dimensions.clear();
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   stride == 1 ? '|' : '<', descr->code, dimensions);
  const std::size_t unpadded = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out +=
      {'\x01', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return out + header;
}

std::vector<std::byte> to_npy(const TypeInfo& type, std::span<const std::byte> bytes,
                              const std::vector<std::uint64_t>& shape) {
  const std::string header = npy_header(type, bytes.size(), shape);
  std::vector<std::byte> file(header.size() + bytes.size());
  std::memcpy(file.data(), header.data(), header.size());
  if (!bytes.empty()) std::memcpy(file.data() + header.size(), bytes.data(), bytes.size());
  return file;
}

}  // namespace transpire::launch
