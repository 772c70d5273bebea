// Value specs: the words that give the contents of a buffer or argument.
//
//   [TYPE:]zero:N   fill:V:N   range:START:STEP:N   random:SEED:LO:HI:N   data:1,2,3 hex:0x..,0x..
//   file:F   npy:F [as TYPE]   uninit:N   or plain literals
//
// `bytes` as the TYPE means raw bytes. At the end, `:ro` makes a buffer read-only, `:wo` write-only, `:raw` lets it fit a
// parameter of any type, and ` undefined 0..63,80` marks bytes as undefined.
//
// parse_value_spec() reads the words. evaluate() makes the bytes (launch/runner/value_maker.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/layout.h"

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

/// True if the value is in a data file, which blessing writes.
bool is_in_file(const ValueSpec& value);

/// Parses a value spec. Fails with C0022.
Result<ValueSpec> parse_value_spec(std::string_view text);
/// Parses "0..63,80". Fails with C0022.
Result<std::vector<ByteRange>> parse_byte_ranges(std::string_view text);
/// Fails with C0022 if the value is read-only and write-only.
Status check_access(const ValueSpec& spec);

/// `path` as seen from `directory`; absolute paths and "-" stay as they are.
std::string resolved_path(const std::string& directory, const std::string& path);

}  // namespace transpire::launch
