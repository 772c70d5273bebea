// Places registers in the register block: scalars, rows that never change, rows that share places as
// their segments permit; behind them in the same way those that are idle.
#include "vm/emit/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <queue>

#include "base/checked.h"
#include "base/narrow.h"
#include "base/rule.h"
#include "vm/emit/coalesce.h"
#include "vm/emit/idle.h"
#include "vm/emit/live_ranges.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {
namespace {

/// The largest offset that instructions can encode, with room for the last rounding.
constexpr std::uint64_t kMostRegisterBytes = 0xffffffffu - 63;

/// The facts that decide where registers lie. Representatives of a place stand for all that share it.
struct Demands {
  const Registers& registers;
  const LiveRanges& ranges;
  const std::vector<VReg>& place;
  const std::vector<bool>& is_idle;
};

class Placement {
 public:
  Placement(const Input& input, const Demands& demands)
      : f_(input.function),
        table_(input.handlers),
        registers_(demands.registers),
        segments_(demands.ranges.segments),
        demands_(demands),
        most_bytes_(std::min(input.options.limits.register_bytes, kMostRegisterBytes)) {
    out_.offsets.resize(registers_.size());
  }

  Allocation run(const LinearOrder& order) {
    const std::vector<Register> temporaries = needed_temporaries(order);
    place_scalars(false);
    place_temporaries(temporaries, true);
    place_persistent();
    place_temporaries(temporaries, false);
    place_rows(false);
    taken_ = taken_.align_up(64);
    const std::uint64_t idle = taken_.value();
    place_scalars(true);
    place_rows(true);
    out_.register_bytes = narrow<std::uint32_t>(taken_.align_up(64).value());
    out_.idle_bytes = narrow<std::uint32_t>(out_.register_bytes - idle);
    for (VReg reg = 0; reg < registers_.size(); ++reg)
      out_.offsets[reg] = out_.offsets[demands_.place[reg]];
    return std::move(out_);
  }

 private:
  std::uint32_t take(const Register& r) {
    const std::uint32_t bytes = bytes_of(r);
    const Checked offset = taken_.align_up(r.is_scalar ? 8 : 64);
    taken_ = offset + bytes;
    // Offsets are 32 bits wide in instructions, and the block is allocated for each batch.
    if (!taken_.fits(most_bytes_))
      throw BudgetSpent{make_diagnostic(
          Rule::kL0007, fmt::format("the kernel's registers take more than {} bytes on {}",
                                    most_bytes_, isa_name(table_.isa)))};
    return narrow<std::uint32_t>(offset.value());
  }

  std::uint32_t bytes_of(const Register& r) const {
    return r.is_scalar ? 8 : row_bytes(r.kind, table_.lanes);
  }

  bool is_place(VReg reg) const { return demands_.place[reg] == reg; }

  /// One for each kind, in every block that may need it.
  std::vector<Register> needed_temporaries(const LinearOrder& order) const {
    std::array<bool, kKindCount + 1> known{};
    std::vector<Register> temporaries;
    for (const LinearBlock& block : order.blocks) {
      if (block.copies.size() < 2) continue;
      for (const EdgeCopy& copy : block.copies) {
        const Register& r = registers_[registers_.known(copy.phi)];
        bool& is_known = known[Allocation::temporary_class(r)];
        if (!is_known) temporaries.push_back(r);
        is_known = true;
      }
    }
    f_.work(temporaries.size());
    return temporaries;
  }

  void place_temporaries(const std::vector<Register>& temporaries, bool scalars) {
    for (const Register& r : temporaries)
      if (r.is_scalar == scalars) out_.temporaries[Allocation::temporary_class(r)] = take(r);
  }

  void place_scalars(bool idle) {
    for (VReg reg = 0; reg < registers_.size(); ++reg) {
      const Register& r = registers_[reg];
      if (is_place(reg) && r.is_scalar && demands_.is_idle[reg] == idle)
        out_.offsets[reg] = take(r);
    }
  }

  /// Rows that keep their value for the whole launch.
  void place_persistent() {
    for (VReg reg = 0; reg < registers_.size(); ++reg) {
      const Register& r = registers_[reg];
      if (is_place(reg) && !r.is_scalar && demands_.ranges.persistent[reg])
        out_.offsets[reg] = take(r);
    }
  }

  /// Rows that need places, in the order in which they begin to.
  std::vector<VReg> sorted_rows(bool idle) const {
    std::vector<VReg> rows;
    for (VReg reg = 0; reg < registers_.size(); ++reg) {
      if (is_place(reg) && !registers_[reg].is_scalar && demands_.is_idle[reg] == idle &&
          segments_[reg].to != 0)
        rows.push_back(reg);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](VReg a, VReg b) { return segments_[a].from < segments_[b].from; });
    return rows;
  }

  /// Rows whose segments do not overlap share places.
  void place_rows(bool idle) {
    const auto ends_later = [&](VReg a, VReg b) { return segments_[a].to > segments_[b].to; };
    std::priority_queue<VReg, std::vector<VReg>, decltype(ends_later)> active(ends_later);
    // By size; the most recently freed place is the likeliest to be in the cache.
    std::map<std::uint32_t, std::vector<std::uint32_t>> free_places;
    for (const VReg reg : sorted_rows(idle)) {
      f_.work();
      while (!active.empty() && segments_[active.top()].to < segments_[reg].from) {
        const VReg ended = active.top();
        free_places[bytes_of(registers_[ended])].push_back(out_.offsets[ended]);
        active.pop();
      }
      if (registers_[reg].is_kept) {
        out_.offsets[reg] = take(registers_[reg]);
        continue;
      }
      auto& free = free_places[bytes_of(registers_[reg])];
      if (free.empty()) {
        out_.offsets[reg] = take(registers_[reg]);
      } else {
        out_.offsets[reg] = free.back();
        free.pop_back();
      }
      active.push(reg);
    }
  }

  const lir::Function& f_;
  const HandlerTable& table_;
  const Registers& registers_;
  const std::vector<Segment>& segments_;
  const Demands demands_;
  const std::uint64_t most_bytes_;
  Checked taken_;
  Allocation out_;
};

}  // namespace

Allocation allocate(const Input& input, const LinearOrder& order, const Selection& selection) {
  const lir::Function& f = input.function;
  LiveRanges ranges = find_live_ranges(f, order, selection);
  Coalescer coalescer(f, order, selection.registers, &ranges);
  const std::vector<VReg> place = coalescer.run();
  const std::vector<bool> is_idle =
      find_idle_registers(f, order, selection.registers, place, ranges.persistent);
  Allocation allocation =
      Placement(input, {selection.registers, ranges, place, is_idle}).run(order);
  assert(coalescer.is_sound(allocation.offsets));
  return allocation;
}

}  // namespace transpire::vm::emission
