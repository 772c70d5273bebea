// Values of a TypeInfo in memory: writing literals into bytes, printing bytes, and walking the
// scalars ("leaves") of vectors, arrays and structs. The types come from the module, or from words
// such as `float4`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/number.h"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// A type by name: "uint", "float4".
struct TypeWord {
  ScalarType scalar = ScalarType::kUchar;
  unsigned components = 1;
};

std::optional<TypeWord> type_word(std::string_view name);
/// The type that somebody may have meant who wrote "flaot4", or the word of `others`; empty when none is near.
std::string nearest_type(std::string_view name, std::vector<std::string> others = {});
/// What to say of a name that is no type.
std::string type_hint(std::string_view name);
/// The memory layout of OpenCL C: a vector of three takes the room of four.
TypeInfo type_of(const TypeWord& word);
const TypeInfo& byte_type();

/// A number, or numbers and lists in round or curly brackets.
struct Literal {
  std::string number;          ///< empty for a list
  std::vector<Literal> items;  ///< of a list
  bool is_list = false;
  std::string name{};  ///< `x` of `{x=1, y=2.5}`; empty: none
};

inline constexpr std::size_t kMaxLiteralDepth = 64;

/// Literals separated by commas or blanks, brackets at most kMaxLiteralDepth deep. Fails with
/// C0022.
Result<std::vector<Literal>> parse_literals(std::string_view text);

/// The scalar type of an integer, float or boolean; nothing for the rest. Integers are unsigned
/// when the module's spelling says so.
std::optional<ScalarType> scalar_of(const TypeInfo& type);

/// A component of a vector, an element of an array, a member of a struct.
struct Member {
  const TypeInfo* type;
  std::uint64_t offset_bytes;
  std::string_view name{};  ///< as the source calls it; empty where it has no name
};

/// How many there are, what only fills a struct up included; 0 for scalars and what else has none.
std::uint64_t member_count(const TypeInfo& type);
Member member(const TypeInfo& type, std::uint64_t index);

struct Leaf {
  std::uint64_t offset_bytes = 0;
  ScalarType type = ScalarType::kUchar;
};

/// A type of more scalars is not written as numbers: a list of them would be the largest thing in
/// memory.
inline constexpr std::size_t kMaxLeaves = std::size_t{1} << 20;

/// All scalars of a type in order of their offsets, without what only fills a struct up; empty when it has a part that is none (an
/// image), or more than kMaxLeaves.
std::vector<Leaf> leaves_of(const TypeInfo& type);

/// Where in a value its scalar of that number is: ".x", ".n[2]", ".1" where members have no names; empty for a type of one scalar.
std::string leaf_path(const TypeInfo& type, std::size_t leaf);

/// Writes one value. A list has an item for each member, in their order or by their names; what only fills a struct up is
/// left out, and stays as it is. Fails with C0022.
Status store_literal(const TypeInfo& type, const Literal& literal, Signedness signedness,
                     std::span<std::byte> bytes);

enum class NumberStyle : std::uint8_t { kShortest, kHexadecimal };

/// "1", "(1, 2, 3, 4)", "{1, 2.5}", "{x=1, y=2.5}" where the members have names.
std::string format_value(const TypeInfo& type, std::span<const std::byte> bytes,
                         NumberStyle style = NumberStyle::kShortest);

/// A literal of zeros that fits the type: "0", "(0,0,0,0)", "{ 0, (0,0) }".
std::string zero_literal(const TypeInfo& type);

/// How messages call a type.
std::string spelled(const TypeInfo& type);

/// Bytes from one element of an array of `type` to the next; never 0.
std::uint64_t stride_bytes(const TypeInfo& type);

}  // namespace transpire::launch
