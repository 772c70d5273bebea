// The control-flow oracle's own graph: what a random kernel does, apart from SPIR-V and the VM.
//
// A kernel is a handful of functions; a function is blocks. Every visit of a block that is not silent
//   - appends the block's number to the work-item's trace,
//   - counts a tick and hashes (key, tick, block number); the hash decides where to go next,
//   - computes with registers, which reach it through phis or from blocks that dominate it.
// A silent block only computes, so that the VM may do away with it; registers decide where it goes.
// What its phis carried shows in the result, a sum of the registers at the end. The key of a
// varying block is the work-item's, that of a uniform block the work-group's (or one for the
// launch). Uniform blocks count ticks of their own, which are the same for the whole group; only
// they hold barriers. Once there were so many ticks that the walk must end, a block takes the edge
// that is nearest to a return ("the way out").
//
//   graph_shape.cpp  makes blocks and edges
//   graph_fill.cpp   makes phis, operations, calls, barriers, and how a block decides
//   graph_walk.cpp   walks the graph for one work-item: the expected results
//   graph_text.cpp   writes it as SPIR-V assembly
#pragma once

#include "tests/fuzz/oracle/harness.h"

namespace transpire::oracle {

inline constexpr int kNone = -1;

/// Floats are only moved. A pointer is to an element of a table, and its value here the element's
/// number.
enum class Type : std::uint8_t { kBool, kU8, kU16, kU32, kU64, kF32, kU16x4, kPointer };
inline constexpr unsigned width_of(Type type) {
  constexpr unsigned kWidths[] = {1, 8, 16, 32, 64, 32, 64, 64};
  return kWidths[static_cast<int>(type)];
}
inline constexpr bool is_number(Type type) { return type >= Type::kU8 && type <= Type::kU64; }
inline constexpr std::uint64_t cut(Type type, std::uint64_t bits) {
  return width_of(type) == 64 ? bits : bits & ((std::uint64_t{1} << width_of(type)) - 1);
}
inline constexpr std::uint32_t kTableSize = 16;
inline constexpr std::uint32_t table_element(std::uint64_t index) {
  return static_cast<std::uint32_t>(index + 1) * 0x9E3779B1u;
}

/// A constant or one of the function's values.
struct Operand {
  Type type = Type::kU32;
  int value = kNone;
  std::uint64_t bits = 0;
};

enum class Do : std::uint8_t {
  kAdd,
  kMultiply,
  kXor,
  kAnd,       ///< a op b
  kSelect,    ///< a ? b : c
  kConvert,   ///< a, zero-extended or truncated; to a bool: whether it is not zero;
              ///< between u32 and f32, u64 and u16x4 the bits; from a pointer what is there
  kLess,      ///< a < b, a bool
  kHash,      ///< the block's hash
  kCall,      ///< of `function` with a and b as its registers
  kExchange,  ///< a hash of the neighbour in the work-group, through local memory
  kLoad,
  kStore,  ///< an element of private variable `slot`: a is its number, b what is stored
  kCount,  ///< adds one to the block's visits, atomically; gives nothing
};

struct Operation {
  Do kind = Do::kAdd;
  Type type = Type::kU32;  ///< of the result
  int result = kNone;
  Operand a, b, c;
  int function = kNone;
  unsigned slot = 0;
};

/// A private variable: u32, alone or an array of a power of two. Initialised at every call.
struct Variable {
  std::uint32_t size = 1;
  std::uint32_t initial = 0;
  bool initializer = false;  ///< of the variable, instead of stores
};

struct Phi {
  Type type = Type::kU32;
  int result = kNone;
  std::vector<int> from;          ///< predecessors, each once
  std::vector<Operand> incoming;  ///< one for each
};

enum class End : std::uint8_t { kNone, kBranch, kChoose, kSwitch, kReturn, kUnreachable };

/// What decides between the two targets of kChoose.
enum class Source : std::uint8_t { kHash, kRegister, kCounter, kAlwaysFirst };

/// A loop's own counter: a phi of the header that begins at 0 and that `latch` counts up.
struct Counter {
  int latch = kNone;
  Type type = Type::kU32;
  int value = kNone;  ///< the phi
  Operand limit;
  bool not_equal = false;  ///< compares with != instead of <
};

struct Block {
  std::uint32_t number = 0;  ///< in traces; no two blocks of a kernel share one
  bool uniform = false;
  bool silent = false;
  std::vector<Phi> phis;
  std::vector<Operation> operations;
  End end = End::kNone;
  /// kChoose: where it is true, where it is false. kSwitch: by choice; the last one is the default.
  std::vector<int> targets;
  Source source = Source::kHash;
  Operand decides;      ///< kRegister: a bool
  Counter counter;      ///< kCounter
  unsigned bit = 0;     ///< kHash: of the hash
  int way_out = kNone;  ///< an index of targets
  /// kSwitch: choice i has the literal base + i * stride. Choices from `choices` on are never made.
  Type selector = Type::kU32;
  std::uint64_t base = 0, stride = 1;
  std::uint32_t choices = 0;
  Operand result;                            ///< kReturn: a u64
  int merge = kNone, loop_continue = kNone;  ///< of the merge instruction, where there is one
};

struct Function {
  bool uniform = false;       ///< called by whole work-groups only, and may hold barriers
  std::vector<Block> blocks;  ///< the first one is the entry
  std::vector<Type> values;   ///< the first ones are the parameters
  std::vector<int> order;     ///< of the blocks in the module
  std::vector<Variable> variables;
  static constexpr int kItemKey = 0, kGroupKey = 1, kFirst = 2, kSecond = 3, kTable = 4,
                       kParameters = 5;
};

struct Kernel {
  std::vector<Function> functions;  ///< the first one is the entry point; calls go to later ones
  std::uint32_t varying_ticks = 20, uniform_ticks = 10;  ///< then the walk takes the way out
  unsigned item_shift = 0;       ///< this many neighbours decide alike: 1 << item_shift
  bool key_per_launch = false;   ///< the uniform key is the launch's instead of the group's
  bool state_in_buffer = false;  ///< tick counters in global memory instead of private variables
  bool linear_ids =
      false;  ///< the item's number from GlobalInvocationId instead of LocalInvocationIndex
  bool merges = true;  ///< writes merge instructions
  bool has_barriers = false;
  std::uint32_t numbers = 0;  ///< the highest number of a block
};

struct Geometry3 {
  std::uint32_t local_x = 1, local_y = 1, groups_x = 1, groups_y = 1;
  std::uint32_t group_items() const { return local_x * local_y; }
  std::uint32_t items() const { return group_items() * groups_x * groups_y; }
};

/// What one work-item must leave behind.
struct Walk {
  std::vector<std::uint16_t> trace;
  std::uint64_t result = 0;
  std::vector<std::uint16_t> counted;  ///< numbers of the blocks that kCount counted
  bool too_long = false;
};

std::uint32_t hash_of(std::uint32_t key, std::uint32_t tick, std::uint32_t number);

/// `strict`: only what SPIRV-Tools' validator accepts.
Kernel make_kernel(Random& random, bool strict);
/// Blocks and edges of one function.
void shape_function(Random& random, Function& function, unsigned size);
/// Everything else of function `index`; those behind it are complete.
void fill_function(Random& random, Kernel& kernel, int index, bool strict);
Walk walk_kernel(const Kernel& kernel, std::uint32_t salt, std::uint32_t group, std::uint32_t local,
                 std::uint32_t group_items);
std::string text_of(const Kernel& kernel);

}  // namespace transpire::oracle
