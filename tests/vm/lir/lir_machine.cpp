// The machine of lir_machine.h.
#include "tests/vm/lir/lir_machine.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "vm/exec/engine.h"
#include "vm/lir/cfg.h"
#include "vm/passes/bits.h"

namespace transpire::test {
namespace {

using Bits = std::uint64_t;

const Inst* leave_machine(const Inst*, std::byte*, exec::Batch*) { return nullptr; }

/// A lane-wise op, by its handler for scalars. tests/vm/ops compares all handlers with oracles.
Bits pure_op(const HandlerTable& table, const Value& v, const std::vector<Bits>& operands) {
  const auto op = static_cast<std::size_t>(v.op), kind = static_cast<std::size_t>(operand_kind(v));
  const Handler handler = info(v.op).shape == Shape::kConvert
                              ? table.convert[op][static_cast<std::size_t>(v.from)][kind][1]
                          : is_lane_wise(info(v.op).shape) ? table.simple[op][kind][kUniform]
                                                           : nullptr;
  if (handler == nullptr)
    throw std::runtime_error("machine has no " + std::string(info(v.op).name));
  alignas(64) Bits slots[4] = {};
  std::copy(operands.begin(), operands.end(), slots + 1);
  Inst code[2] = {{handler, 0, 8, 16, 24, {v.imm}}, {}};
  code[1].run = leave_machine;
  for (const Inst* ip = code; ip != nullptr;)
    ip = ip->run(ip, reinterpret_cast<std::byte*>(slots), nullptr);
  return slots[0];
}

Bits scramble(Bits x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint32_t bytes_of(Kind kind) { return kind == Kind::kBool ? 1 : lane_bytes(kind); }

Bits items_of(const MachineGroups& groups) {
  return Bits{groups.local_size[0]} * groups.local_size[1] * groups.local_size[2];
}

class Machine {
 public:
  Machine(const Function& function, const MachineOptions& options)
      : f_(function),
        o_(options),
        order_(function.order),
        rows_(function.values.size(), std::vector<Bits>(options.lanes, 0xcdcdcdcdcdcdcdcd)),
        private_(options.lanes) {
    if (order_.empty()) order_ = reverse_post_order(function).blocks;
    position_.assign(f_.blocks.size(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
    pending_.assign(order_.size(), std::vector<bool>(o_.lanes, false));
    result_.traces.resize(o_.lanes);
    result_.finished.assign(o_.lanes, false);
    fill_constants();
  }

  MachineResult run() {
    pending_[0].assign(o_.lanes, true);
    for (std::uint64_t n = 0; n < o_.max_blocks && result_.error.empty(); ++n) {
      std::size_t at = 0;
      while (at < pending_.size() && !any(pending_[at])) ++at;
      if (at == pending_.size()) break;
      mask_ = pending_[at];
      pending_[at].assign(o_.lanes, false);
      run_block(order_[at]);
    }
    return std::move(result_);
  }

 private:
  static bool any(const std::vector<bool>& mask) {
    return std::find(mask.begin(), mask.end(), true) != mask.end();
  }

  void fill_constants() {
    for (ValueId id = 0; id < f_.values.size(); ++id) {
      const Value& v = f_.values[id];
      if (v.op == Op::kConst) rows_[id].assign(o_.lanes, v.imm);
      if (v.op != Op::kArgument) continue;
      const std::uint64_t first_private = f_.private_slot(0);
      const Bits bits = v.imm >= first_private && !f_.private_variables.empty()
                            ? (v.imm - first_private + 1) << 20
                            : 3 + v.imm * 7;
      rows_[id].assign(o_.lanes, bits & kind_mask(v.kind));
    }
    for (const Parameter& p : f_.parameters) {
      if (p.kind != Parameter::Kind::kByValue) continue;
      const Bits base = (Bits{p.private_variable} + 1) << 20;
      for (auto& bytes : private_) {
        const Bits size = f_.private_variables[p.private_variable].size_bytes;
        for (Bits i = 0; i < size; ++i) bytes[base + i] = static_cast<std::uint8_t>(scramble(i));
      }
    }
  }

  void run_block(BlockId block) {
    for (const ValueId id : f_.blocks[block].instructions) {
      execute(id);
      if (!result_.error.empty()) return;
    }
    terminate(block);
  }

  // What the analysis calls a scalar becomes one for every lane.
  void settle(ValueId id) {
    const Value& v = f_.values[id];
    if (v.spread == Spread::kVarying) return;
    const Bits mask = kind_mask(v.kind);
    const auto stride = static_cast<Bits>(v.spread == Spread::kAffine ? v.stride : 0);
    std::size_t first = 0;
    while (first < o_.lanes && !mask_[first]) ++first;
    const Bits base = rows_[id][first] - stride * first;
    for (std::size_t i = 0; i < o_.lanes; ++i) {
      const Bits expected = (base + stride * i) & mask;
      if (mask_[i] && rows_[id][i] != expected) {
        result_.error = "%" + std::to_string(id) + " is no scalar: lane " + std::to_string(i);
        return;
      }
      rows_[id][i] = expected;
    }
  }

  void execute(ValueId id) {
    const Value& v = f_.values[id];
    if (v.op == Op::kControlBarrier || v.op == Op::kGroupSync) {
      const auto lanes = std::count(mask_.begin(), mask_.end(), true);
      result_.meetings.push_back({v.source, static_cast<std::size_t>(lanes)});
      return;
    }
    for (std::size_t lane = 0; lane < o_.lanes; ++lane) {
      if (v.op == Op::kLoad || v.op == Op::kStore || v.op == Op::kCopyMemory) {
        if (mask_[lane]) access(id, lane);
      } else if (v.op == Op::kResult) {
        // Written by its load.
      } else if (v.kind != Kind::kVoid) {
        rows_[id][lane] = compute(v, lane) & kind_mask(v.kind);
      }
    }
    if (v.kind != Kind::kVoid) settle(id);
  }

  // Dimension `d` of the ids of a lane's work-item.
  Bits local_id(std::size_t lane, std::uint64_t d) const {
    Bits rest = (o_.first_id + lane) % items_of(*o_.groups);
    for (std::uint64_t i = 0; i < d; ++i) rest /= o_.groups->local_size[i];
    return rest % o_.groups->local_size[d];
  }
  Bits group_id(std::size_t lane, std::uint64_t d) const {
    Bits rest = (o_.first_id + lane) / items_of(*o_.groups);
    for (std::uint64_t i = 0; i < d; ++i) rest /= o_.groups->num_groups[i];
    return rest % o_.groups->num_groups[d];
  }

  Bits builtin(const Value& v, std::size_t lane) const {
    const std::uint64_t d = v.imm;
    if (o_.groups == nullptr) {
      if (v.op != Op::kGlobalId) throw std::runtime_error("machine needs groups");
      return d == 0 ? o_.first_id + lane : 5 + d;
    }
    const MachineGroups& groups = *o_.groups;
    switch (v.op) {
      case Op::kGlobalId:
        return group_id(lane, d) * groups.local_size[d] + local_id(lane, d) + groups.offset[d];
      case Op::kLocalId:
        return local_id(lane, d);
      case Op::kGroupId:
        return group_id(lane, d);
      case Op::kNumGroups:
        return groups.num_groups[d];
      case Op::kGlobalSize:
        return Bits{groups.num_groups[d]} * groups.local_size[d];
      case Op::kLocalSize:
      case Op::kEnqueuedLocalSize:
        return groups.local_size[d];
      case Op::kGlobalOffset:
        return groups.offset[d];
      case Op::kWorkDim:
        return 3;
      case Op::kLocalLinearId:
        return (o_.first_id + lane) % items_of(groups);
      default:
        throw std::runtime_error("machine has no " + std::string(info(v.op).name));
    }
  }

  Bits compute(const Value& v, std::size_t lane) const {
    if (info(v.op).shape == Shape::kBuiltin) return builtin(v, lane);
    if (v.op == Op::kAddress) return address(v, lane, static_cast<std::int64_t>(v.imm), v.imm2, 1);
    std::vector<Bits> operands;
    for (const ValueId arg : v.args) operands.push_back(rows_[arg][lane]);
    return pure_op(*f_.scalar_handlers, v, operands);
  }

  Bits address(const Value& v, std::size_t lane, std::int64_t scale, std::int64_t offset,
               std::size_t places) const {
    Bits result = rows_[v.args[0]][lane] + static_cast<Bits>(offset);
    if (v.args.size() > places) {
      Bits index = rows_[v.args[1]][lane];
      if (v.args.size() > places + 1)
        index = (index + rows_[v.args[2]][lane]) & kind_mask(f_.values[v.args[1]].kind);
      if (v.extend == Extend::kSigned32) index = static_cast<Bits>(sign_extend(index, Kind::kI32));
      result += index * static_cast<Bits>(scale);
    }
    return result;
  }

  void access(ValueId id, std::size_t lane) {
    const Value& v = f_.values[id];
    const MemAccess& m = f_.mem[v.imm];
    if (v.op == Op::kCopyMemory) return copy(v, lane);
    const std::size_t stored = v.op == Op::kStore ? m.components : 0;
    const Bits at = address(v, lane, m.scale, m.offset, 1 + stored);
    for (std::uint32_t c = 0; c < m.components; ++c) {
      const Bits where = at + Bits{c} * bytes_of(m.kind);
      if (stored != 0) {
        store(lane, where, m.kind, rows_[v.args[v.args.size() - stored + c]][lane]);
      } else {
        const Bits value = load(lane, where, m.kind);
        if (c == 0) rows_[id][lane] = value;
        for (const ValueId other : f_.blocks[v.block].instructions) {
          const Value& r = f_.values[other];
          if (c > 0 && r.op == Op::kResult && r.args[0] == id && r.imm == c)
            rows_[other][lane] = value;
        }
      }
    }
  }

  bool is_private(Bits where) const {
    return where >> 20 >= 1 && where >> 20 <= f_.private_variables.size();
  }

  Bits load(std::size_t lane, Bits where, Kind kind) {
    Bits value = 0;
    for (std::uint32_t i = 0; i < bytes_of(kind); ++i) {
      const Bits byte = is_private(where) ? private_[lane][where + i] : scramble(where + i) & 0xff;
      value |= byte << (8 * i);
    }
    return value & kind_mask(kind);
  }

  void store(std::size_t lane, Bits where, Kind kind, Bits value) {
    if (!is_private(where)) {
      for (std::uint32_t i = 0; i < bytes_of(kind); ++i) {
        result_.traces[lane] +=
            std::to_string(where + i) + "=" + std::to_string(value >> (8 * i) & 0xff) + ";";
      }
      return;
    }
    for (std::uint32_t i = 0; i < bytes_of(kind); ++i) {
      private_[lane][where + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

  void copy(const Value& v, std::size_t lane) {
    const Bits size = rows_[v.args[2]][lane];
    for (Bits i = 0; i < size; ++i) {
      store(lane, rows_[v.args[0]][lane] + i, Kind::kI8,
            load(lane, rows_[v.args[1]][lane] + i, Kind::kI8));
    }
  }

  std::size_t chosen(const Block& block, const Value& v, std::size_t lane) const {
    if (v.op == Op::kBranchConditional) return (rows_[v.args[0]][lane] & 1) != 0 ? 0 : 1;
    if (v.op == Op::kSwitch) {
      for (const SwitchCase& c : block.cases) {
        if (c.value == rows_[v.args[0]][lane]) return c.target;
      }
    }
    return 0;
  }

  void terminate(BlockId id) {
    const Block& block = f_.blocks[id];
    const Value& v = f_.values[block.terminator];
    std::map<BlockId, std::vector<bool>> edges;
    for (std::size_t lane = 0; lane < o_.lanes; ++lane) {
      if (!mask_[lane]) continue;
      if (block.targets.empty()) {
        result_.finished[lane] = true;
        continue;
      }
      auto& edge = edges[block.targets[chosen(block, v, lane)]];
      edge.resize(o_.lanes);
      edge[lane] = true;
    }
    for (const auto& [target, lanes] : edges) take_edge(id, target, lanes);
  }

  void take_edge(BlockId from, BlockId to, const std::vector<bool>& lanes) {
    const std::size_t pred = pred_index(f_.blocks[to], from);
    std::vector<std::vector<Bits>> incoming;
    for (const ValueId phi : f_.blocks[to].phis)
      incoming.push_back(rows_[f_.values[phi].args[pred]]);
    mask_ = lanes;
    for (std::size_t p = 0; p < incoming.size(); ++p) {
      const ValueId phi = f_.blocks[to].phis[p];
      for (std::size_t lane = 0; lane < o_.lanes; ++lane) {
        if (lanes[lane]) rows_[phi][lane] = incoming[p][lane];
      }
      settle(phi);
    }
    auto& pending = pending_[position_[to]];
    for (std::size_t lane = 0; lane < o_.lanes; ++lane)
      pending[lane] = pending[lane] || lanes[lane];
  }

  const Function& f_;
  MachineOptions o_;
  std::vector<BlockId> order_;
  std::vector<std::size_t> position_;
  std::vector<std::vector<Bits>> rows_;
  std::vector<std::map<Bits, std::uint8_t>> private_;
  std::vector<std::vector<bool>> pending_;
  std::vector<bool> mask_;
  MachineResult result_;
};

}  // namespace

MachineResult run_machine(const Function& function, const MachineOptions& options) {
  return Machine(function, options).run();
}

namespace {

/// compare_functions() for the work-items from `first` on.
std::string compare_batch(const Function& before, const Function& after, std::uint32_t lanes,
                          std::uint32_t first, const MachineGroups* groups) {
  const MachineResult batch = run_machine(after, {lanes, first, 600, groups});
  if (!batch.error.empty()) return batch.error;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const MachineResult alone = run_machine(before, {1, first + lane, 200, groups});
    const std::string& expected = alone.traces[0];
    const std::string& found = batch.traces[lane];
    // What was cut short by the limit has made part of its stores.
    const bool fits = (!alone.finished[0] && found.starts_with(expected)) ||
                      (!batch.finished[lane] && expected.starts_with(found)) || expected == found;
    if (fits && !(alone.finished[0] && !batch.finished[lane] && batch.traces.size() == 1)) continue;
    return "lane " + std::to_string(lane) + ": expected " + expected + ", found " + found;
  }
  return "";
}

}  // namespace

std::string compare_functions(const Function& before, const Function& after, std::uint32_t lanes) {
  return compare_batch(before, after, lanes, 0, nullptr);
}

std::string compare_launches(const Function& before, const Function& after, std::uint32_t lanes,
                             const MachineGroups& groups, bool packed) {
  const auto items = static_cast<std::uint32_t>(items_of(groups));
  const std::uint32_t all =
      items * groups.num_groups[0] * groups.num_groups[1] * groups.num_groups[2];
  for (std::uint32_t first = 0; first < all;) {
    const std::uint32_t left = packed ? all - first : items - first % items;
    const std::uint32_t count = std::min(left, packed ? lanes / items * items : lanes);
    const std::string wrong = compare_batch(before, after, count, first, &groups);
    if (!wrong.empty()) return "from work-item " + std::to_string(first) + ", " + wrong;
    first += count;
  }
  return "";
}

}  // namespace transpire::test
