// LIR: the lowered intermediate representation between a Module's kernel and a Program.
//
// One lir::Function holds one kernel with every call expanded in place. Values are scalars in SSA
// form (see Kind): a float4 is four values, a pointer one i64 virtual address. Blocks carry phis,
// instructions and one terminator. Passes rewrite it; emission turns it into a Program for rows.
//
//   Module --build--> lir::Function --passes--> lir::Function (analysed, ordered) --emit--> Program
//
// It is plain data: anyone may read it, only build and passes write it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/inline_list.h"
#include "base/result.h"
#include "decoder/module.h"
#include "memory/address_space.h"
#include "vm/ops/op.h"
#include "vm/program/debug_info.h"
#include "vm/program/handler_table.h"
#include "vm/program/kernel_interface.h"
#include "vm/program/sites.h"
#include "vm/program/source.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {
class Budget;
}

namespace transpire::vm::lir {

using ValueId = std::uint32_t;
using BlockId = std::uint32_t;
using ValueList = InlineList<ValueId>;
using BlockList = InlineList<BlockId>;
inline constexpr ValueId kNoValue = 0xffffffffu;
inline constexpr BlockId kNoBlock = 0xffffffffu;

/// How a value differs between the lanes of a batch; from the divergence analysis.
enum class Spread : std::uint8_t {
  kVarying,  ///< one value a lane: a row
  kUniform,  ///< equal in every lane that can read it: a scalar
  kAffine,   ///< scalar + stride * lane, modulo the kind's width: a scalar and a constant
};

/// How an address index is widened to 64 bits.
enum class Extend : std::uint8_t { kNone, kSigned32, kUnsigned32 };

struct Value {
  Op op = Op::kConst;
  Kind kind = Kind::kVoid;        ///< kind of the result; kVoid: none
  Kind from = Kind::kVoid;        ///< kind of the operands where it differs from `kind`: compare,
                                  ///< test, convert, kFloatInt, switch; else equal to `kind`
  std::uint32_t source = 0;       ///< index into Function::sources
  std::uint64_t imm = 0;          ///< by op, see the .def row
  std::int64_t imm2 = 0;          ///< by op
  Extend extend = Extend::kNone;  ///< Address, Load, Store: how operand b is widened
  bool is_edge = false;        ///< terminators: a pass split an edge, so the module has none there
  std::uint16_t function = 0;  ///< see ResultOrigin; 0 unless results are recorded
  ValueList args;
  BlockId block = kNoBlock;  ///< where it stands; kNoBlock for constants and arguments

  // Written by analyse_divergence().
  Spread spread = Spread::kVarying;
  std::int64_t stride = 0;  ///< for kAffine
};

/// The kind of a lane-wise op's operands, which selects its handlers; for a conversion the
/// result's.
Kind operand_kind(const Value& value);

/// Address space of an access as far as it is known when lowering.
using Space = memory::PointerSpace;

/// One of the accesses that became a single one (passes/merge_accesses): findings name it, not the
/// whole.
struct AccessPart {
  std::uint32_t first = 0;  ///< its first component in the whole
  std::uint32_t components = 1;
  std::uint32_t align_bytes = 1;
  std::uint32_t no_write_parameter = 0;
  std::uint32_t source = 0;  ///< index into Function::sources
};

/// A component of a store, and the types of its target; only where undefined values are tracked.
struct StoredPart {
  std::uint64_t padding = 0;  ///< bits of it that are padding there
  bool may_be_copied =
      false;  ///< it is no scalar there: bits that are moved as they are count as a struct's copy
};

/// The access of a load, store, copy or atomic. The address is a + extend(b) * scale + offset; for
/// a load or store with three address operands it is a + extend(b + c) * scale + offset.
struct MemAccess {
  Kind kind = Kind::kI32;  ///< kind of one component; kBool is one byte
  std::uint32_t components =
      1;  ///< consecutive in memory; a load's values are itself and Results 1..n-1
  std::uint32_t align_bytes = 1;  ///< required of the first component's address
  Space space = Space::kGlobal;
  Space source_space = Space::kGlobal;  ///< copies: the space read from; `space` is written to
  bool is_volatile = false;
  bool is_texel = false;  ///< atomics: the address is an ImageTexel's
  bool is_part = false;   ///< part of an array or struct that is stored as a whole
  /// The access is robust: see Access. For copies: the target's, and the source's.
  bool is_robust = false, is_source_robust = false;
  bool is_padded = false;   ///< AsyncCopy: the last quarter of its elements is padding
  bool is_checked = false;  ///< stores of shadows: a CheckStored stands beside it
  Sharing sharing{};
  std::int64_t scale = 1;
  std::int64_t offset = 0;
  /// Index+1 of the kernel parameter that the address is computed from, when it is decorated
  /// NoWrite.
  std::uint32_t no_write_parameter = 0;
  std::vector<StoredPart> stored;  ///< by component; empty: each is a scalar there
  std::vector<AccessPart> parts;   ///< in the order in which they happen; empty: one access
  /// For a noted load or store of shadows: see UndefinedAccess::components. For an AsyncCopy of
  /// shadows: its index into undefined_uses.
  std::vector<std::uint32_t> noted;
};

/// One case of a Switch: its value and the index into Block::targets.
struct SwitchCase {
  std::uint64_t value = 0;
  std::uint32_t target = 0;
};

struct Block {
  std::vector<ValueId> phis;          ///< args in the order of `preds`
  std::vector<ValueId> instructions;  ///< without phis and terminator
  ValueId terminator = kNoValue;      ///< op Branch, BranchConditional, Switch, Return, Unreachable
  BlockList targets;                  ///< targets of the terminator; may repeat a block
  std::vector<SwitchCase> cases;      ///< cases of a Switch; targets[0] is the default
  BlockList preds;                    ///< each predecessor once; kept in step by passes
};

/// Spreads constants over a table: their bits are often small, or multiples of a power of two.
struct ConstantHash {
  std::size_t operator()(const std::pair<Kind, std::uint64_t>& constant) const {
    const std::uint64_t mixed =
        (constant.second + static_cast<std::uint64_t>(constant.first)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }
};

/// The operations by which a function may order memory, besides barriers of whole work-groups.
struct FineOrders {
  bool atomics = false;  ///< atomics with any order
  bool stores = false;   ///< some atomics store without reading
  bool fences = false;   ///< fences, or their equivalents; without atomics they order nothing
  bool meetings =
      false;  ///< barriers that do not order all accesses of a work-group before them with all
              ///< behind them
  bool any() const { return meetings || (atomics && fences); }
};

/// The scalars of an <id> in a call, for programs that keep values (LowerOptions::keeps_values,
/// vm/program/debug_info.h).
struct NamedScalars {
  Id id = 0;
  std::uint32_t call = 0, word = 0;  ///< as of NamedValue
  BlockId block = kNoBlock;          ///< where it is defined; while the function is built
  ValueList values;
  std::vector<Kind> kinds;
};

struct Function {
  const decoder::Module* module = nullptr;
  std::string name;
  std::vector<Value> values;   ///< by ValueId; dead ones stay until compact()
  std::vector<Block> blocks;   ///< by BlockId; block 0 is the entry
  std::vector<BlockId> order;  ///< written by order_blocks(): the linear block order
  std::vector<MemAccess> mem;
  std::vector<Source> sources;  ///< entry 0 is unknown
  std::vector<PrintfInfo> printfs;
  std::vector<EnqueueInfo> enqueues;
  std::vector<std::string> remarks;      ///< for CheckNot, counted from 1: subjects of findings
  std::vector<ResultSite> result_sites;  ///< for RecordResult
  std::vector<UndefinedOrigin> undefined_origins;  ///< for Undefined
  std::vector<UndefinedUse> undefined_uses;        ///< for CheckDefined, CheckStored and stores of
                                                   ///< shadows
  std::vector<std::uint32_t> undefined_loads;      ///< see Program
  bool records_results = false;                    ///< see LowerOptions
  bool may_fuse = true;  ///< no ContractionOff: another implementation may fuse a product and a sum
  std::array<FloatModeSource, 3> float_modes;  ///< for half, float and double
  std::vector<Parameter> parameters;
  std::vector<PrivateVariable> private_variables;
  std::vector<WorkgroupVariable> workgroup_variables;
  std::vector<ProgramVariable> program_variables;
  std::uint32_t argument_slots = 0;  ///< 8-byte slots: parameters first, then one for the virtual
                                     ///< address of each workgroup variable, program variable and
                                     ///< private variable, in that order
  bool uses_barrier = false;         ///< or an instruction that the whole work-group executes
                                     ///< together
  bool keeps_notes = false;          ///< see Program
  bool uses_pipes = false;
  bool uses_subgroups = false;       ///< work-items of a sub-group need each other
  bool uses_queue = false;           ///< it may enqueue, or uses events of enqueued commands
  std::uint32_t subgroup_size = 32;  ///< work-items of a full sub-group
  bool reference_math = false;       ///< see LaunchFacts
  /// Handlers whose scalar forms fold constants, of an instruction set that this machine has; null:
  /// no folding.
  const HandlerTable* scalar_handlers = nullptr;
  bool constants_change = false;    ///< see LaunchFacts
  bool uses_named_barrier = false;  ///< sub-groups may wait without the others
  FineOrders fine_orders;           ///< for launches that look for races
  std::unordered_map<std::pair<Kind, std::uint64_t>, ValueId, ConstantHash>
      constants;  ///< written by constant()

  std::vector<NamedScalars> named;
  DebugInfo debug;  ///< without values, homes and blocks of code, which emission knows

  std::shared_ptr<Budget> budget;  ///< from build(); null: no limits

  /// Draws steps of passes from the budget, see vm/lir/budget.h.
  void work(std::uint64_t steps = 1) const;
  void take(std::uint64_t bytes) const;

  ValueId add(Value value);                         ///< appends; the caller places it in a block
  ValueId constant(Kind kind, std::uint64_t bits);  ///< one Const per kind and bits
  std::uint32_t workgroup_slot(std::uint32_t index) const;
  std::uint32_t program_slot(std::uint32_t index) const;
  std::uint32_t private_slot(std::uint32_t index) const;
  /// True if accesses by these storage classes may be to the same bytes.
  bool may_share(Space a, Space b) const;
};

/// Number of values that a load, an image read or a product of matrices gives: itself and Results 1..n-1. 0 for other ops.
std::uint32_t result_components(const Function& function, const Value& value);

/// The function as text, one value a line: `%12 f32 = FAdd %3, %7`. For debugging and tests.
std::string print(const Function& function);

/// The mismatch of a value's operand count and kinds with its op's table row, e.g. "operand 1 of
/// IAdd is f32, expected i32"; empty if there is none.
std::string check_operands(const Function& function, const Value& value);

/// Checks the invariants: args dominate uses, arity and kinds fit the op table, no op is the
/// engine's own, immediates name existing entries, preds match targets, phis have one arg per pred.
/// Returns the first violation, or an empty text. Tests check passes with it.
std::string verify(const Function& function);

}  // namespace transpire::vm::lir
