// Program: a kernel lowered for one instruction set and one kind of launch, ready to run. Immutable
// and shared by all workers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "vm/program/debug_info.h"
#include "vm/program/handler_table.h"
#include "vm/program/kernel_interface.h"
#include "vm/program/sites.h"
#include "vm/program/source.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// What an instruction is, for whoever tells of it: nothing else of an Inst is for them to read.
struct Site {
  Op op = Op::kBranch;            ///< of a merged access's part: as the whole's
  std::uint32_t source = 0;       ///< index into Program::sources
  std::uint32_t align_bytes = 1;  ///< of an access: what is required of its address
  std::uint32_t remark = 0;  ///< of CheckNot: index into Program::remarks, counted from 1; 0 = none
  /// Of CheckIndex: what its array has; of CheckDefined, CheckStored and an AsyncCopy of shadows: index into
  /// Program::undefined_uses; of NoteUndefined its number.
  std::uint64_t elements = 0;
  /// Of a check: the operands of what it checks, so many scalars in Program::told_values from `first_told` on, the
  /// components of an operand side by side. Of an image access: its coordinates, with the level and the sample
  /// behind them where it has such.
  std::uint32_t first_told = 0;
  std::uint8_t told = 0, told_components = 1;
  std::uint8_t signed_told = 0;  ///< by operand: its integers are signed ones
};

/// A kernel lowered for one instruction set and one kind of launch, ready to run. Everything in it is data of its own: it
/// refers to no `decoder::Module`, and may live longer than the one that it was made of.
struct Program {
  const HandlerTable* handlers = nullptr;
  std::uint32_t lanes = 0;
  bool packed = false;

  /// The first `prologue_instructions` compute what is the same for every group whose batch has these
  /// local ids and arguments; they run once a register block and shape, and end with `leave`. The
  /// kernel's entry follows.
  std::vector<Inst> code;
  std::uint32_t prologue_instructions = 0;
  std::vector<const Inst*> block_entry;  ///< by linear block number: its first instruction
  std::uint32_t mask_words = 1;

  std::uint32_t register_bytes = 0;
  /// The last ones of these: what is there decides nothing as long as lanes stay in their loops (vm/emit/idle.cpp).
  std::uint32_t idle_bytes = 0;
  /// Where a register block had better begin (vm/emit/phase.cpp): so many bytes behind where the code does, modulo the
  /// period, a multiple of 64.
  static constexpr std::size_t kPhasePeriod = 4096;
  std::uint32_t register_phase = 0;
  /// Scalars and rows that are the same for every batch, written once into a register block.
  struct InitialScalar {
    std::uint32_t offset;
    std::uint64_t bits;
  };
  struct InitialRow {
    std::uint32_t offset;
    Kind kind;
    std::uint64_t bits;
  };
  std::vector<InitialScalar> initial_scalars;
  std::vector<InitialRow> initial_rows;
  /// Arguments: register offset of a scalar <- argument slot; written once a launch.
  struct ArgumentScalar {
    std::uint32_t offset;
    std::uint32_t slot;
  };
  std::vector<ArgumentScalar> argument_scalars;

  std::deque<Access> accesses;  ///< deques: instructions point to the elements
  std::deque<PrivateAccess> private_accesses;
  std::deque<SwitchTable> switches;
  std::deque<OperandList> operand_lists;
  std::deque<std::vector<std::uint32_t>> offset_pool;  ///< of accesses, lists, SwitchTable::targets
  std::deque<std::vector<std::uint64_t>> value_pool;   ///< of SwitchTable::values
  std::vector<PrintfInfo> printfs;
  std::vector<EnqueueInfo> enqueues;
  std::vector<std::string> remarks;  ///< see lir::Function
  std::vector<ResultSite> result_sites;
  std::vector<UndefinedUse> undefined_uses;  ///< see Site::elements; and of stores of shadows
  std::vector<std::uint32_t>
      undefined_loads;  ///< loads that checked values come from, indexes into `sources`
  std::vector<UndefinedAccess> undefined_accesses;  ///< of NoteUndefined: see Site::elements
  /// How far behind memory its shadow is, where it has shadows (vm/passes/track_undefined.h); 0: it has none.
  std::uint64_t shadow_distance = 0;
  bool tracks_undefined() const { return shadow_distance != 0; }
  std::vector<ValueHome> told_values;          ///< see Site
  bool reference_math = false;                 ///< its math functions are correctly rounded
  std::array<FloatModeSource, 3> float_modes;  ///< of half, float and double
  std::vector<Source> sources;
  std::vector<Site> sites;  ///< by code index

  // What a launch must provide.
  std::vector<Parameter> parameters;
  std::vector<PrivateVariable> private_variables;
  std::vector<std::uint32_t> private_offsets;  ///< by private variable, in a lane's private memory
  std::uint32_t private_bytes_per_lane = 0;
  std::uint32_t life_counters = 0;  ///< see PrivateVariable
  struct PrivateRange {
    std::uint32_t offset, bytes;  ///< in a lane's private memory, both multiples of 4
  };
  std::vector<PrivateRange> poisoned_private;  ///< where private memory begins as kPoison
  std::byte local_memory_start{};              ///< what each byte of local memory is at first
  std::vector<WorkgroupVariable> workgroup_variables;
  std::vector<ProgramVariable> program_variables;
  std::uint32_t argument_slots = 0;
  bool uses_barrier = false;        ///< or an instruction of the whole work-group
  bool uses_queue = false;          ///< it may enqueue, or has events of what was enqueued
  bool uses_pipes = false;          ///< what is in them depends on the order of work-groups
  bool uses_subgroups = false;      ///< work-items of a sub-group need each other
  bool uses_named_barrier = false;  ///< sub-groups may wait without the others
  /// Something else than barriers of whole work-groups may order memory. Known of launches that look for races.
  bool orders_finely = false;
  bool stores_atomically = false;  ///< some atomics store and do not read; known likewise
  std::uint32_t subgroup_size = 32;
  bool checks_sync = false;
  bool keeps_notes =
      false;  ///< what work-items do is noted for all of the launch (vm/exec/launch_notes.h)
  bool observed = false;  ///< see LowerOptions
  /// Likewise: accesses, barriers and groups are told of, instructions if it is observed.
  bool watched = false;
  bool tells_rows = false;  ///< see LowerOptions
  DebugInfo debug;          ///< of programs that keep values
  bool counts_instructions = false;
  bool has_loop = true;  ///< some block may be entered again: nothing bounds how long it runs
  /// By private variable, `mask_words` each: the lanes in which it lives when a batch starts.
  std::vector<std::uint64_t> initial_lifetimes;

  const Site& site_of(const Inst* instruction) const {
    return sites[static_cast<std::size_t>(instruction - code.data())];
  }
  const Source& source_of(const Inst* instruction) const {
    return sources[site_of(instruction).source];
  }
};

/// The program as text, one instruction a line. For debugging and tests.
std::string print(const Program& program);

}  // namespace transpire::vm
