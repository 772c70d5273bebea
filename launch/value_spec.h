// Value specs, the words that say what a buffer or argument holds:
//
//   [TYPE:]zero:N   fill:V:N   range:START:STEP:N   random:SEED:LO:HI:N   data:1,2,3 hex:0x..,0x..
//   file:F   npy:F [as TYPE]   uninit:N   or plain literals; `bytes` as the TYPE means raw bytes; at the end,
// `:ro` makes a buffer read-only, `:wo` write-only, `:raw` lets it meet a parameter of any type, and
// ` undefined 0..63,80` says which of its bytes nobody wrote.
//
// parse_value_spec() reads the words, evaluate() makes the bytes. What a kernel's parameter expects
// of them is not decided here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/files.h"
#include "launch/layout.h"

namespace transpire::launch {

/// Bytes, both ends included.
struct ByteRange {
  std::uint64_t first = 0, last = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct ValueSpec {
  enum class Maker : std::uint8_t {
    kLiterals,  ///< plain numbers: `3`, `(1,2,3,4)`, `{1, 2.5}`
    kZero,
    kFill,
    kRange,
    kRandom,
    kData,
    kHex,
    kFile,
    kNpy,
    kPicture,  ///< of an image alone: `file:` in place of its size
    kUninit
  };
  Maker maker = Maker::kLiterals;
  std::optional<TypeWord> type;        ///< nothing: from the module
  bool raw_bytes = false;              ///< `bytes:`
  bool any_type = false;               ///< `bytes:` or `:raw`: fits any parameter
  std::vector<Literal> literals;       ///< numbers of the makers that take some, in their order
  std::optional<std::uint64_t> count;  ///< N, in elements
  std::uint64_t seed = 0;
  /// kFile, kNpy, kPicture: a path; relative ones start in the current directory.
  std::string file;
  std::optional<TypeWord> converted_to{};  ///< kNpy: `as TYPE`
  bool read_only = false, write_only = false;
  std::vector<ByteRange> undefined;  ///< of a buffer that is partly written; not of kUninit
};

/// Fails with C0022.
Result<ValueSpec> parse_value_spec(std::string_view text);

/// Gives zeroed memory of the size that a value turns out to have; it knows its own limit.
using RoomMaker = std::function<Result<Buffer>(std::uint64_t size_bytes)>;

/// What the surroundings know when a spec is evaluated.
struct ValueContext {
  const TypeInfo* inferred = nullptr;  ///< element type from the module; null when there is none
  std::optional<std::uint64_t> count;  ///< elements where the spec has no N (expectations)
  std::uint64_t max_bytes = Limits{}.max_memory_bytes;
  StepLimit limit{};
  RoomMaker room{};                  ///< empty: memory of its own is made
  const TypeInfo* wanted = nullptr;  ///< the type of the memory that the data are for; null: any
};

/// Elements of one type, side by side.
struct TypedBytes {
  TypeInfo type;
  Buffer memory{};               ///< which has the bytes
  std::span<std::byte> bytes{};  ///< of the elements, among others perhaps
  bool any_type = false;         ///< `bytes:` or `:raw`: fits any parameter
  std::vector<std::uint64_t>
      shape{};              ///< of a NumPy array, counted in its own numbers; empty: none
  bool exact_bits = false;  ///< NaN payloads and signs were given, so they count in comparisons
};

/// Fails with C0001 (files), C0022 (data that do not fit what is wanted among it), L0004 and what `room` says.
/// Throws LimitReached.
Result<TypedBytes> evaluate(const ValueSpec& spec, const ValueContext& context);

/// The type of an element: the spec's, else the context's. Fails with C0022, also where another one is wanted.
Result<TypeInfo> element_type(const ValueSpec& spec, const ValueContext& context);
/// How many there are, of a maker that takes a count. Fails with C0022.
Result<std::uint64_t> counted_elements(const ValueSpec& spec, const ValueContext& context);

/// Advice where the data of a spec are not of the wanted type.
std::string conversion_hint(const ValueSpec& spec, const TypeInfo& wanted);

/// The generator behind `random` (SplitMix64): every call gives the next 64 bits.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();

 private:
  std::uint64_t state_;
};

/// `path` as seen from `directory`; absolute paths and "-" stay as they are.
std::string resolved_path(const std::string& directory, const std::string& path);

}  // namespace transpire::launch
