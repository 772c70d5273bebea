// Emission's own data: the steps from an analysed lir::Function to a Program.
//
//   linearise   blocks in order, and a block of its own for every edge that needs copies and whose
//               source has other targets, placed right behind that source
//   select      Protos: instructions with handlers chosen, operands still virtual registers
//   coalesce    phis and their sources that may share a register, and the copies that remain
//               (by lifetimes, see lifetimes.h)
//   idle        registers that decide nothing in the loops that write them, which lie behind all others
//   allocate    virtual registers to byte offsets in the register block
//   resolve     Protos to Insts
//
// A virtual register (VReg) is a row or an 8-byte scalar slot.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "vm/emit/emit.h"
#include "vm/lir/lir.h"
#include "vm/program/program.h"

namespace transpire::vm::emission {

using lir::BlockId;
using lir::ValueId;
using lir::ValueList;
using VReg = std::uint32_t;
inline constexpr VReg kNoReg = 0xffffffffu;

/// Where in the code something happens. Uses of instruction p are at 2p, definitions at 2p + 1, so
/// an operand's last use and the result may share a register.
using Position = std::uint32_t;

/// Positions [from, to], both needed.
struct Segment {
  Position from = 0, to = 0;
};

using SegmentList = InlineList<Segment>;

/// Where a register is written and read.
struct Events {
  InlineList<Position> definitions, uses;
};

/// A definition of a register, and its effect on registers in the same place.
struct Write {
  Position at = 0;
  bool every_lane = true;  ///< also lanes that do not run
  VReg source = kNoReg;    ///< an edge's copy: no write if this register shares the place, too
};

/// Where the registers of one place are needed (see lifetimes.h) and written. All sorted.
struct Lifetime {
  SegmentList live;  ///< by lanes that run there
  SegmentList held;  ///< by lanes that wait at a later block
  InlineList<Write> writes;
};

struct Register {
  Kind kind = Kind::kVoid;
  bool is_scalar = false;
  bool persistent = false;   ///< holds its value for the whole launch
  bool is_kept = false;      ///< shares its place with no other (vm/program/debug_info.h)
  bool is_idle = false;      ///< see idle.cpp; shares its place only with other idle registers
  std::uint32_t offset = 0;  ///< written by allocate
};

/// An instruction before registers are known.
struct Proto {
  Handler run = nullptr;
  Handler tell = nullptr;  ///< observer call in front, with the same operands
  VReg d = kNoReg, a = kNoReg, b = kNoReg, c = kNoReg;
  std::uint64_t imm = 0;
  /// A check of scalars: the strides of a and b from lane to lane. They are in d and c.
  std::optional<std::array<std::int32_t, 2>> strides;
  Access* access = nullptr;                ///< imm becomes its address
  const lir::MemAccess* merged = nullptr;  ///< has parts
  bool is_list = false;                    ///< an OperandList is made of `values`, imm and access
  ValueId spread_of =
      lir::kNoValue;            ///< makes the row of this scalar value, when somebody wants it
  InlineList<VReg> values;      ///< components of a load or store; operands of a list
  bool defines_values = false;  ///< a load: `values` are results
  InlineList<VReg> results;     ///< results of a list that has several
  ValueList told;               ///< values that the check's finding reports
  /// An image access: number of `values` behind the handles that its finding reports.
  std::uint8_t told_values = 0;
  bool helps = false;  ///< computes an operand of an instruction, or a row beside its scalar
  Site site;
  Position position = 0;
};

/// One phi's copy on an edge.
struct EdgeCopy {
  ValueId phi = 0;
  VReg target = kNoReg;
  VReg source = kNoReg;
  ValueId value = 0;    ///< source of the copy
  bool merged = false;  ///< target and source share a register
};

struct LinearBlock {
  BlockId block = lir::kNoBlock;  ///< kNoBlock: an edge
  std::vector<Proto> body;
  std::vector<EdgeCopy> copies;  ///< at the end, before the terminator
  // Terminator.
  ValueId terminator = lir::kNoValue;  ///< kNoValue: a jump to targets[0]
  InlineList<std::uint32_t> targets;   ///< linear block numbers, parallel to Block::targets
  VReg condition = kNoReg;
  bool condition_is_scalar = false;
  std::uint32_t source = 0;
  Position first = 0, copy = 0, last = 0;
};

inline constexpr std::uint32_t kNoCycle = 0xffffffffu;

/// A backward edge's span of linear blocks: a natural loop, passes leave no other cycles.
struct Cycle {
  std::uint32_t first_block = 0, last_block = 0;
  Position from = 0, to = 0;
  std::uint32_t parent = kNoCycle;  ///< the smallest one around it
};

class LifetimeAnalysis;

class Emitter {
 public:
  Emitter(const lir::Function& function, const LowerOptions& options, const HandlerTable& table);
  Result<std::unique_ptr<Program>> run();

 private:
  // emit.cpp
  void linearise();
  void add_edge_blocks(BlockId from);
  void connect(BlockId from);
  void add_copies(BlockId to);
  void find_cycles();
  void resolve();
  Inst make_inst(const Proto& proto);
  Site make_site(const Proto& proto);
  void append_parts(const Proto& proto);
  Inst make_terminator(const LinearBlock& block, std::uint32_t number, std::uint64_t length);
  std::uint32_t final_target(std::uint32_t number) const;
  Op terminator_op(const LinearBlock& block) const;
  void make_switch_table(const std::vector<lir::SwitchCase>& cases,
                         const std::vector<std::uint32_t>& targets);
  void append(const Inst& inst, const Site& site);
  void append_engine(Op op, std::uint32_t source);
  bool append_observe(std::uint32_t source);
  bool append_tell(const Proto& proto, const Inst& access);
  bool observes_end(const LinearBlock& block) const;
  void copy_tables();

  // phase.cpp
  void note_row(VReg reg);
  std::uint32_t loops_around(std::size_t block) const;
  std::uint32_t best_phase(const std::vector<std::size_t>& starts,
                           const std::vector<std::size_t>& ends) const;

  // idle.cpp
  void find_idle_registers();
  std::vector<std::uint32_t> outermost_loops() const;
  std::vector<bool> deciding_values(const std::vector<std::uint32_t>& loops) const;

  // debug_info.cpp
  void find_copies();
  void keep_values();
  void keep_value(ValueId id);
  void write_debug_info();
  VReg register_of(ValueId id) const;
  ValueList also_in(ValueId id) const;
  void note_definitions(const Proto& proto, std::uint32_t block);
  std::optional<ValueHome> home_of(ValueId id) const;
  void add_homes(const lir::NamedScalars& named);
  void place_code_blocks();

  void emit_copies(const LinearBlock& block);
  Handler copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const;

  // select.cpp
  void select_block(LinearBlock& block);
  bool invariant(ValueId id) const;
  void select_value(LinearBlock& block, ValueId id);
  void select_simple(LinearBlock& block, ValueId id);
  void select_special(LinearBlock& block, ValueId id);
  void select_operands(LinearBlock& block, ValueId id);
  std::optional<std::array<std::int32_t, 2>> strides_of(const lir::Value& v) const;
  void set_told(const lir::Value& v, Proto* proto);
  void tell_coordinates(const lir::Value& v, Proto* proto);
  void select_image_read(LinearBlock& block, ValueId id);
  void select_terminator(LinearBlock& block);
  void finish_value(LinearBlock& block, ValueId id);
  void push(LinearBlock& block, Proto proto, const lir::Value& value);
  void push_helper(LinearBlock& block, Proto proto, const lir::Value& value, Op op);
  void refuse(const lir::Value& value);

  // memory.cpp
  using AddressForm = HandlerTable::AddressForm;
  void select_load(LinearBlock& block, ValueId id);
  void select_uniform_load(LinearBlock& block, ValueId id);
  void select_store(LinearBlock& block, ValueId id);
  void select_address(LinearBlock& block, ValueId id);
  /// The address of a load or store: the proto's operands a and b, the access's strides, the form.
  AddressForm address_operands(LinearBlock& block, const lir::Value& value, std::size_t places,
                               const lir::MemAccess& mem, Proto* proto);
  bool planned_operands(const lir::Value& value, ValueId shared, const lir::MemAccess& mem,
                        Proto* proto);
  bool private_operands(const lir::Value& value, const lir::MemAccess& mem, AddressForm form,
                        Proto* proto);
  VReg sum_register(LinearBlock& block, const lir::Value& value, ValueId shared);
  AddressForm scalar_operands(LinearBlock& block, const lir::Value& value, bool has_index,
                              Proto* proto);
  void push_note(LinearBlock& block, Handler run, const Proto& access, const lir::MemAccess& mem,
                 const lir::Value& value);
  void note_atomic(LinearBlock& block, const lir::Value& value, const Proto& atomic);
  Handler tell_handler(AddressForm form, const lir::MemAccess& mem, HandlerTable::Told told) const;
  enum class AccessUse : std::uint8_t { kRow, kLanes, kCopy };
  Access* new_access(const lir::MemAccess& mem, AccessUse use = AccessUse::kRow);
  VReg address_register(LinearBlock& block, const lir::Value& value, bool has_index,
                        std::int64_t scale, std::int64_t offset, bool is_scalar);
  InlineList<VReg> component_registers(ValueId load, std::uint32_t components, Kind kind,
                                       bool is_scalar);
  const lir::Value& value(ValueId id) const { return f_.values[id]; }
  static bool is_scalar(const lir::Value& value);

  // registers.cpp
  VReg new_register(Kind kind, bool is_scalar, bool persistent = false);
  VReg result_register(ValueId id);
  VReg scalar_of(ValueId id);  ///< uniform: the value; affine: lane 0's
  VReg row_of(ValueId id);
  VReg zero_scalar();
  void number_positions();
  void collect_segments();
  void collect_events(const std::vector<Proto>& body);
  void add_use(VReg reg, Position position);
  void add_def(VReg reg, Position position);
  void make_segments();
  Segment extended(Segment segment) const;
  std::uint32_t cycle_at(Position position) const;
  VReg find(VReg reg) const;
  void allocate();
  std::uint32_t take(std::uint32_t bytes, std::uint32_t align);
  void add_temporaries();
  void refuse_registers();
  void place_kept();
  void place_scalars(bool idle);
  void write_initial_values();
  void place_rows(bool idle);

  // coalesce.cpp
  struct Candidate;
  void coalesce();
  std::vector<Candidate> candidates(const LifetimeAnalysis& analysis) const;
  void find_lifetimes(LifetimeAnalysis& analysis, const std::vector<Candidate>& candidates);
  bool may_share(VReg a, VReg b) const;
  bool destroys(const Lifetime& writer, const Lifetime& needed, VReg owner) const;
  void merge(VReg target, VReg source);
  bool places_are_sound() const;

  const lir::Function& f_;
  const LowerOptions& options_;
  const HandlerTable& t_;
  std::unique_ptr<Program> program_;

  LinearBlock prologue_;           ///< see Program::code
  std::vector<bool> in_prologue_;  ///< by value
  Position prologue_end_ = 0;
  std::vector<LinearBlock> blocks_;
  std::vector<std::uint32_t> linear_of_block_;
  std::map<std::pair<BlockId, BlockId>, std::uint32_t> edge_blocks_;  ///< linear numbers
  std::vector<Cycle> cycles_;                                         ///< by first block
  std::vector<std::uint32_t> cycle_of_block_;  ///< by linear block: the innermost one, or kNoCycle
  std::vector<Register> registers_;
  std::vector<VReg> scalar_of_value_, row_of_value_;
  std::vector<bool> wants_row_;  ///< uniform and affine values with a row beside the scalar
  std::vector<Events> events_;
  /// By representative: from the first definition to the last use in the linear order.
  std::vector<Segment> segments_;
  std::vector<Lifetime> lifetimes_;  ///< by representative, of registers that copies name
  mutable std::vector<VReg> parent_;
  Checked register_bytes_;  ///< taken so far
  std::uint64_t most_register_bytes_;
  VReg zero_ = kNoReg;
  std::map<std::tuple<ValueId, std::int64_t, std::uint32_t>, VReg>
      plans_;  ///< by index, scale, bytes
  std::unordered_map<ValueId, std::vector<std::pair<std::uint32_t, ValueId>>> results_of_load_;
  /// The rows that instructions store to, in order.
  struct RowWrite {
    std::size_t at = 0;  ///< the instruction's index in the code
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<RowWrite> row_writes_;
  std::optional<Diagnostic> error_;
  VReg temporary_[kKindCount + 1] = {};
  std::vector<std::pair<Access*, std::size_t>>
      parts_of_;  ///< where each one's parts lie in the code

  // For programs that keep values.
  struct Definition {
    std::uint32_t block = ValueHome::kEveryBlock, from = 0;  ///< as in ValueHome
  };
  std::vector<Definition> definitions_;                          ///< by register
  std::unordered_map<ValueId, std::vector<ValueId>> copies_of_;  ///< phis that hold the value
};

}  // namespace transpire::vm::emission
