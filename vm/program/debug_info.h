// A program's data about its module, for debuggers: names and places of the module's <id>s and
// variables at each instruction. Plain data; only programs that keep values have any
// (LowerOptions::keeps_values). vm/exec/value_reader.h reads it.
//
// A value has a place if two rules hold: the module's (its definition dominates the instruction, in
// the same call), and the program's (the computing instruction dominates, in the same round of its
// loop). If only the first holds, the value has been optimised away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vm/program/source.h"
#include "vm/simd/kind.h"

namespace transpire::vm {

/// The place of one scalar of a value, and its range.
struct ValueHome {
  enum class Place : std::uint8_t { kConstant, kScalar, kRow };
  static constexpr std::uint32_t kEveryBlock = 0xffffffffu;

  std::uint32_t component = 0;
  Place place = Place::kConstant;
  Kind kind = Kind::kVoid;
  std::uint32_t offset = 0;  ///< offset of its register
  std::int64_t stride = 0;   ///< scalars: difference from each lane to the next
  std::uint64_t bits = 0;    ///< bits of a constant
  std::uint32_t block =
      kEveryBlock;         ///< index into DebugInfo::code_blocks: the block that computes it
  std::uint32_t from = 0;  ///< index into Program::code: first instruction at which it is there
};

/// The value of an <id> in a call. Functions are expanded for each call, and so are their <id>s.
struct NamedValue {
  Id id = 0;
  std::uint32_t call = 0;  ///< as Source::called_from
  std::uint32_t word = 0;  ///< word of its definition; 0: it has a value everywhere in the call
  std::uint32_t components = 0;
  std::uint32_t first_home = 0,
                home_count = 0;  ///< in DebugInfo::homes; components may have none, or several
};

/// An OpVariable. It stays in memory, at an address that is the same for all lanes.
struct NamedVariable {
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  std::string name;
  Id id = 0;
  std::uint32_t call = 0, word = 0;  ///< as of values; of the module's variables both are 0
  std::uint32_t slot = 0;            ///< argument slot of its address
  std::uint32_t address = kNowhere;  ///< offset of the scalar register that holds its address
  std::uint64_t size_bytes = 0;
};

/// A DebugDeclare or DebugValue: from `word` on, the local variable of the source is the variable
/// `id`, or has the value `id`. Id 0: its value is unknown.
struct NamedLocal {
  std::string name;
  Id local = 0;  ///< the DebugLocalVariable
  Id id = 0;
  bool is_variable = false;
  std::uint32_t call = 0, word = 0;
};

/// A block of the module: the words of its instructions, and its place in the dominator tree of its
/// function. A block dominates those whose `enter` lies in [enter, leave].
struct SourceBlock {
  std::uint32_t first_word = 0, end_word = 0;
  std::uint32_t enter = 0, leave = 0;
};

/// A block of the program, in the same way, with its innermost loop, as block numbers.
struct CodeBlock {
  std::uint32_t first = 0,
                last = 0;  ///< index into Program::code of its first instruction, its terminator
  std::uint32_t enter = 0xffffffffu, leave = 0;
  std::uint32_t loop_first = 0, loop_last = 0xffffffffu;
};

struct DebugInfo {
  std::vector<NamedValue> values;  ///< by call, then id
  std::vector<ValueHome> homes;
  std::vector<NamedVariable> variables;
  std::vector<NamedLocal> locals;          ///< in the order of their words, for each call
  std::vector<SourceBlock> source_blocks;  ///< by their words
  std::vector<CodeBlock> code_blocks;      ///< by Program::block_entry
};

}  // namespace transpire::vm
