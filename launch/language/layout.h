// Values in memory, by their TypeInfo: writes literals to bytes, prints bytes, and walks the scalars ("leaves") of vectors,
// arrays and structs. Types come from the module, or from words such as `float4`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/number.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// A type by name: "uint", "float4".
struct TypeWord {
  ScalarType scalar = ScalarType::kUchar;
  unsigned components = 1;
};

std::optional<TypeWord> type_word(std::string_view name);
/// The type name, or word of `others`, that `name` is probably a misspelling of; empty if none is similar.
std::string nearest_type(std::string_view name, std::vector<std::string> others = {});
/// Advice for a name that is no type.
std::string type_hint(std::string_view name);
/// The type with the memory layout of OpenCL C: a vector of three has the size of one of four.
TypeInfo type_of(const TypeWord& word);
const TypeInfo& byte_type();

/// A number, or numbers and lists in round or curly brackets.
struct Literal {
  std::string number;          ///< empty for a list
  std::vector<Literal> items;  ///< the items of a list
  bool is_list = false;
  std::string name{};  ///< `x` of `{x=1, y=2.5}`; empty: none
};

inline constexpr std::size_t kMaxLiteralDepth = 64;

/// Parses literals that are separated by commas or blanks. Brackets nest at most kMaxLiteralDepth deep. Fails with C0022.
Result<std::vector<Literal>> parse_literals(std::string_view text);

/// The scalar type of an integer, float or boolean; nothing for other types. Integers are unsigned if the module's spelling
/// says so.
std::optional<ScalarType> scalar_of(const TypeInfo& type);

/// A component of a vector, an element of an array, or a member of a struct.
struct Member {
  const TypeInfo* type;
  std::uint64_t offset_bytes;
  std::string_view name{};  ///< name in the source; empty if it has none
};

/// Number of members of a type, with padding members; 0 for scalars and opaque types.
std::uint64_t member_count(const TypeInfo& type);
Member member(const TypeInfo& type, std::uint64_t index);

struct Leaf {
  std::uint64_t offset_bytes = 0;
  ScalarType type = ScalarType::kUchar;
};

/// Maximum number of scalars of a type whose values are written as numbers. Longer lists would take too much memory.
inline constexpr std::size_t kMaxLeaves = std::size_t{1} << 20;

/// All scalars of a type in order of their offsets, without padding; a pointer is an unsigned integer. Empty if a part is not
/// a scalar (an image), or there are more than kMaxLeaves.
std::vector<Leaf> leaves_of(const TypeInfo& type);

/// Path from a value to its scalar number `leaf`: ".x", ".n[2]", ".1" if members have no names. Empty if the type has one
/// scalar.
std::string leaf_path(const TypeInfo& type, std::size_t leaf);

/// Writes one value. A list has an item for each member, in order or by name. Padding members have no item, and their bytes
/// stay unchanged. Fails with C0022.
Status store_literal(const TypeInfo& type, const Literal& literal, Signedness signedness,
                     std::span<std::byte> bytes);

enum class NumberStyle : std::uint8_t { kShortest, kHexadecimal };

/// Text of a value: "1", "(1, 2, 3, 4)", "{1, 2.5}", or "{x=1, y=2.5}" if the members have names.
std::string format_value(const TypeInfo& type, std::span<const std::byte> bytes,
                         NumberStyle style = NumberStyle::kShortest);

/// A literal of zeros that fits the type: "0", "(0,0,0,0)", "{ 0, (0,0) }".
std::string zero_literal(const TypeInfo& type);

/// Name of a type in messages.
std::string text_of(const TypeInfo& type);

/// Bytes from one element of an array of `type` to the next; never 0.
std::uint64_t stride_bytes(const TypeInfo& type);

}  // namespace transpire::launch
