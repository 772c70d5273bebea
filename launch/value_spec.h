// Value specs: the words that give the contents of a buffer or argument.
//
//   [TYPE:]zero:N   fill:V:N   range:START:STEP:N   random:SEED:LO:HI:N   data:1,2,3 hex:0x..,0x..
//   file:F   npy:F [as TYPE]   uninit:N   or plain literals
//
// `bytes` as the TYPE means raw bytes. At the end, `:ro` makes a buffer read-only, `:wo` write-only, `:raw` lets it fit a
// parameter of any type, and ` undefined 0..63,80` marks bytes as undefined.
//
// parse_value_spec() reads the words, evaluate() makes the bytes. Neither knows the kernel's parameter.
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

/// A range of bytes, both ends included.
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
    kPicture,  ///< images only: `file:` in place of the size
    kUninit
  };
  Maker maker = Maker::kLiterals;
  std::optional<TypeWord> type;        ///< nothing: the module's type
  bool raw_bytes = false;              ///< `bytes:`
  bool any_type = false;               ///< `bytes:` or `:raw`: fits any parameter
  std::vector<Literal> literals;       ///< numbers of makers that take some, in order
  std::optional<std::uint64_t> count;  ///< N, in elements
  std::uint64_t seed = 0;
  /// kFile, kNpy, kPicture: a path. Relative paths start in the current folder.
  std::string file;
  std::optional<TypeWord> converted_to{};  ///< kNpy: `as TYPE`
  bool read_only = false, write_only = false;
  std::vector<ByteRange> undefined;  ///< undefined bytes of a buffer; not for kUninit
};

/// Parses a value spec. Fails with C0022.
Result<ValueSpec> parse_value_spec(std::string_view text);

/// Allocates zeroed memory for a value, within a limit of its own.
using RoomMaker = std::function<Result<Buffer>(std::uint64_t size_bytes)>;

/// Inputs of evaluate() other than the spec.
struct ValueContext {
  const TypeInfo* inferred = nullptr;  ///< element type from the module; null when there is none
  std::optional<std::uint64_t> count;  ///< elements where the spec has no N (expectations)
  std::uint64_t max_bytes = Limits{}.max_memory_bytes;
  StepLimit limit{};
  RoomMaker room{};                  ///< allocates the memory; empty: evaluate() does
  const TypeInfo* wanted = nullptr;  ///< type of the memory that the data must fit; null: any
};

/// An array of elements of one type.
struct TypedBytes {
  TypeInfo type;
  Buffer memory{};                     ///< owns the bytes
  std::span<std::byte> bytes{};        ///< the elements; may be a part of `memory`
  bool any_type = false;               ///< `bytes:` or `:raw`: fits any parameter
  std::vector<std::uint64_t> shape{};  ///< shape of a NumPy array, in its own numbers; else empty
  bool exact_bits = false;  ///< comparisons include signs and payloads of NaNs, which were given
};

/// Makes the bytes of a value spec. Fails with C0001 (files), C0022 (also for data that do not fit `wanted`), L0004, and as
/// `room` does. Throws LimitReached.
Result<TypedBytes> evaluate(const ValueSpec& spec, const ValueContext& context);

/// Type of an element: the spec's, else the context's. Fails with C0022, also if it does not fit `wanted`.
Result<TypeInfo> element_type(const ValueSpec& spec, const ValueContext& context);
/// Number of elements, for a maker that takes a count. Fails with C0022.
Result<std::uint64_t> counted_elements(const ValueSpec& spec, const ValueContext& context);

/// Advice for a spec whose data are not of the wanted type.
std::string conversion_hint(const ValueSpec& spec, const TypeInfo& wanted);

/// The random number generator of `random`, SplitMix64. Each call of next() returns 64 bits.
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
