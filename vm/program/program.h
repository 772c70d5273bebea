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

/// The registers with the address of a load or an atomic: a HandlerTable::AddressForm, or a further one.
using SiteAddress = std::uint8_t;
inline constexpr SiteAddress
    kScalarAddress = HandlerTable::kAddressForms,  ///< `a` is a scalar, without an index
    kAddressRow = kScalarAddress + 1,              ///< `a` is a row of addresses
    kNoAddress = kScalarAddress + 2;  ///< none: other instructions, and named private variables

/// The facts about an instruction that reports need. They read nothing else of an Inst, but through vm/exec/read_address.h.
struct Site {
  Op op = Op::kBranch;  ///< for a part of a merged access, the whole's
  SiteAddress form = kNoAddress;
  bool may_race = false;          ///< image accesses: see ImageOperation
  std::uint32_t source = 0;       ///< index into Program::sources
  std::uint32_t align_bytes = 1;  ///< accesses: required alignment of the address
  std::uint32_t remark = 0;  ///< CheckNot: index into Program::remarks, counted from 1; 0: none
  /// CheckIndex: number of elements of its array; CheckDefined, CheckStored and an AsyncCopy of
  /// shadows: index into Program::undefined_uses; NoteUndefined: index into
  /// Program::undefined_accesses; LifetimeStart and LifetimeStop: the private variable;
  /// AnnounceOrder: an OrderOf.
  std::uint64_t number = 0;
  /// Checks: the operands of the checked operation, as scalars in Program::reported_values from
  /// `first_reported` on, the components of an operand side by side. Image accesses: coordinates,
  /// followed by level and sample if it has them.
  std::uint32_t first_reported = 0;
  std::uint8_t reported = 0, reported_components = 1;
  std::uint8_t signed_reported = 0;  ///< by operand: 1 if its integers are signed
  Sharing sharing{};                 ///< accesses
};
static_assert(sizeof(Site) == 32, "large kernels have many");

/// A kernel lowered for one instruction set and one kind of launch, ready to run. Everything in it is data of its own: it
/// refers to no `decoder::Module`, and may live longer than the one that it was made of.
struct Program {
  const HandlerTable* handlers = nullptr;
  std::uint32_t lanes = 0;
  bool packed = false;

  /// The first `prologue_instructions` compute values that are the same for every group whose batch
  /// has these local ids and arguments; they run once per register block and shape, and end with
  /// `leave`. The kernel's entry follows.
  std::vector<Inst> code;
  std::uint32_t prologue_instructions = 0;
  std::vector<const Inst*> block_entry;  ///< by linear block number: its first instruction
  std::uint32_t mask_words = 1;

  std::uint32_t register_bytes = 0;
  /// The last ones of these: they decide nothing as long as lanes stay in their loops
  /// (vm/emit/idle.cpp).
  std::uint32_t idle_bytes = 0;
  /// Best begin of a register block (vm/emit/phase.cpp): its distance behind the code's begin
  /// modulo the period, a multiple of 64.
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
  std::deque<std::vector<std::uint32_t>> offset_pool;  ///< for accesses, lists,
                                                       ///< SwitchTable::targets
  std::deque<std::vector<std::uint64_t>> value_pool;   ///< for SwitchTable::values
  std::vector<PrintfInfo> printfs;
  std::vector<EnqueueInfo> enqueues;
  std::vector<std::string> remarks;  ///< see lir::Function
  std::vector<ResultSite> result_sites;
  std::vector<UndefinedUse> undefined_uses;  ///< see Site::number; and of stores of shadows
  std::vector<std::uint32_t>
      undefined_loads;  ///< loads that checked values come from, indexes into `sources`
  std::vector<UndefinedAccess> undefined_accesses;  ///< for NoteUndefined: see Site::number
  /// Distance of a shadow behind its memory (vm/passes/track_undefined.h); 0: no shadows.
  std::uint64_t shadow_distance = 0;
  bool tracks_undefined() const { return shadow_distance != 0; }
  std::vector<ValueHome> reported_values;      ///< see Site
  bool clamps_accesses = false;                ///< see Access::is_robust
  bool reference_math = false;                 ///< its math functions are correctly rounded
  std::array<FloatModeSource, 3> float_modes;  ///< for half, float and double
  std::vector<Source> sources;
  std::vector<Site> sites;  ///< by code index

  // The interface for launches.
  std::vector<Parameter> parameters;
  std::vector<PrivateVariable> private_variables;
  std::vector<std::uint32_t> private_offsets;  ///< by private variable, in a lane's private memory
  std::uint32_t private_bytes_per_lane = 0;
  std::uint32_t life_counters = 0;  ///< see PrivateVariable
  struct PrivateRange {
    std::uint32_t offset, bytes;  ///< in a lane's private memory, both multiples of 4
  };
  std::vector<PrivateRange> poisoned_private;  ///< where private memory begins as kPoison
  std::byte local_memory_start{};              ///< initial value of each byte of local memory
  std::vector<WorkgroupVariable> workgroup_variables;
  std::vector<ProgramVariable> program_variables;
  std::uint32_t argument_slots = 0;
  bool uses_barrier = false;        ///< or an instruction that the whole work-group executes
                                    ///< together
  bool uses_queue = false;          ///< it may enqueue, or uses events of enqueued commands
  bool uses_pipes = false;          ///< contents of pipes depend on the order of work-groups
  bool uses_subgroups = false;      ///< work-items of a sub-group need each other
  bool uses_named_barrier = false;  ///< sub-groups may wait without the others
  /// Memory may be ordered by more than barriers of whole work-groups. Known only for launches that
  /// look for races.
  bool orders_finely = false;
  bool stores_atomically = false;  ///< some atomics store without reading; known as above
  std::uint32_t subgroup_size = 32;
  bool checks_sync = false;
  bool keeps_notes = false;  ///< checks note accesses for the whole launch (vm/exec/launch_notes.h)
  bool observed = false;     ///< see LowerOptions
  /// Observers get accesses, barriers and groups; if `observed`, also instructions.
  bool watched = false;
  bool announces_rows = false;  ///< see LowerOptions
  DebugInfo debug;              ///< for programs that keep values
  bool counts_instructions = false;
  bool has_loop = true;  ///< some block may be entered again, so the run time is unbounded
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
