// record_results: behind every store to memory that the host can read, a RecordResult says of each
// scalar by which operations it may have been made, and what fusing a product and a sum would have
// given instead.
//
// Operations that merely move a value are looked through: phis, selections, changes of sign, least
// and greatest of several, widening, and private and workgroup memory, of which every value that is
// stored into the same variable counts. A value loaded from elsewhere counts as given.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/narrow.h"
#include "extinst/table.h"
#include "vm/lir/budget.h"
#include "vm/ops/rounded_forms.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

std::uint16_t function_number(std::string_view name) {
  const extinst::Function* function = extinst::find_opencl_std(name);
  return function == nullptr ? 0 : narrow<std::uint16_t>(function->number + 1);
}

/// Functions that give one of their operands, or change nothing but its sign.
bool selects_operand(const Value& value) {
  if (value.function == 0) return true;
  const extinst::Function* function = extinst::find_opencl_std(value.function - 1u);
  if (function == nullptr) return false;
  constexpr std::string_view kNames[] = {"fabs",     "fmax",        "fmin",
                                         "maxmag",   "minmag",      "fclamp",
                                         "copysign", "fmin_common", "fmax_common"};
  return std::find(std::begin(kNames), std::end(kNames), function->name) != std::end(kNames);
}

/// The operands that the value is one of, but for its sign; nothing for values that are computed.
std::span<const ValueId> moved(const Function& f, const Value& value) {
  const std::span<const ValueId> args = value.args;
  switch (value.op) {
    case Op::kPhi:
    case Op::kFNegate:
      return args;
    case Op::kFlushDenorm:
      return value.function == 0 ? args : std::span<const ValueId>{};
    case Op::kBitcast:
      return args;
    case Op::kSelect:
      return selects_operand(value) ? args.subspan(1) : std::span<const ValueId>{};
    case Op::kFAbs:
    case Op::kFMin:
    case Op::kFMax:
    case Op::kFClamp:
    case Op::kMaxmag:
    case Op::kMinmag:
      return selects_operand(value) ? args : std::span<const ValueId>{};
    case Op::kCopysign:
      return selects_operand(value) ? args.first(1) : std::span<const ValueId>{};
    case Op::kFConvert:
      return lane_bytes(f.values[args[0]].kind) < lane_bytes(value.kind)
                 ? args
                 : std::span<const ValueId>{};
    default:
      return {};
  }
}

class Recorder {
 public:
  explicit Recorder(Function& function) : f_(function) {}

  void run() {
    collect_stores();
    for (BlockId b = 0; b < f_.blocks.size(); ++b) visit(b);
  }

 private:
  /// The variable that an address points into, as its argument; kNoValue when that is not known.
  ValueId root_of(ValueId address) const {
    while (f_.values[address].op == Op::kAddress) {
      f_.work();
      address = f_.values[address].args[0];
    }
    return f_.values[address].op == Op::kArgument ? address : kNoValue;
  }

  static bool is_own(Space space) { return space == Space::kPrivate || space == Space::kWorkgroup; }

  void collect_stores() {
    for (const Block& block : f_.blocks) {
      for (const ValueId id : block.instructions) {
        const Value& value = f_.values[id];
        if (value.op != Op::kStore || !is_own(f_.mem[value.imm].space)) continue;
        std::vector<ValueId>& into = stored_[root_of(value.args[0])];
        into.insert(into.end(), value.args.begin() + 1, value.args.end());
      }
    }
  }

  void visit(BlockId b) {
    block_ = b;
    const std::vector<ValueId> old = std::exchange(f_.blocks[b].instructions, {});
    for (const ValueId id : old) {
      f_.blocks[b].instructions.push_back(id);
      const Value store = f_.values[id];
      if (store.op != Op::kStore) continue;
      const MemAccess access = f_.mem[store.imm];
      if (is_own(access.space) || access.space == Space::kConstant || access.kind == Kind::kBool)
        continue;
      for (std::uint32_t c = 0; c < access.components; ++c)
        record(store, access, c, store.args[store.args.size() - access.components + c]);
    }
  }

  void record(const Value& store, const MemAccess& access, std::uint32_t c, ValueId stored) {
    source_ = store.source;
    std::set<ResultOrigin> origins = origins_of(stored);
    const std::vector<ValueId> fused = fused_results(stored);
    if (!fused.empty()) {
      ResultOrigin origin = *origins.begin();
      origin.fused_known = true;
      origins = {origin};
    }
    ValueId low = stored, high = stored;
    for (const ValueId other : fused) {
      low = place(Op::kFMin, {low, other});
      high = place(Op::kFMax, {high, other});
    }
    Value note;
    note.op = Op::kRecordResult;
    note.from = f_.values[stored].kind;
    note.imm = site(origins);
    note.source = store.source;
    note.block = block_;
    note.args = {address_of(store.args[0], access, c), low, high};
    f_.blocks[block_].instructions.push_back(f_.add(std::move(note)));
  }

  ValueId address_of(ValueId base, const MemAccess& access, std::uint32_t c) {
    const std::int64_t offset = access.offset + std::int64_t{c} * lane_bytes(access.kind);
    if (offset == 0) return base;
    Value address;
    address.op = Op::kAddress;
    address.kind = address.from = Kind::kI64;
    address.imm2 = offset;
    address.source = source_;
    address.block = block_;
    address.args = {base};
    const ValueId id = f_.add(std::move(address));
    f_.blocks[block_].instructions.push_back(id);
    return id;
  }

  ValueId place(Op op, ValueList args) {
    Value value;
    value.op = op;
    value.kind = value.from = f_.values[args[0]].kind;
    value.source = source_;
    value.block = block_;
    value.args = std::move(args);
    const ValueId id = f_.add(std::move(value));
    f_.blocks[block_].instructions.push_back(id);
    return id;
  }

  bool is_product(ValueId id) const {
    return f_.values[id].op == Op::kFMul && f_.values[id].function == 0;
  }

  /// The results of sums, differences and mad when products are not rounded. Empty for others.
  std::vector<ValueId> fused_results(ValueId id) {
    const Value value = f_.values[id];
    std::vector<ValueId> results;
    static const std::uint16_t mad = function_number("mad");
    if (value.op == Op::kMad && (value.function == 0 || value.function == mad)) {
      const ValueId product = place(Op::kFMul, {value.args[0], value.args[1]});
      results.push_back(place(Op::kFAdd, {product, value.args[2]}));
      results.push_back(place(Op::kFma, value.args));
      return results;
    }
    const bool is_sum = value.op == Op::kFAdd || value.op == Op::kFSub;
    if (!is_sum || value.function != 0 || !f_.may_fuse) return results;
    const ValueId left = value.args[0], right = value.args[1];
    if (is_product(left)) {
      const ValueList factors = f_.values[left].args;
      const ValueId rest = value.op == Op::kFSub ? place(Op::kFNegate, {right}) : right;
      results.push_back(place(Op::kFma, {factors[0], factors[1], rest}));
    }
    if (is_product(right)) {
      const ValueList factors = f_.values[right].args;
      const ValueId first = value.op == Op::kFSub ? place(Op::kFNegate, {factors[0]}) : factors[0];
      results.push_back(place(Op::kFma, {first, factors[1], left}));
    }
    return results;
  }

  /// In another mode than the usual one an operation on halves is one on floats and a conversion: the
  /// operation.
  const Value& rounded_once(const Value& value) const {
    if (value.op != Op::kFConvert || value.kind != Kind::kF16) return value;
    const Value& wide = f_.values[value.args[0]];
    return usual_form(wide.op) != wide.op ? wide : value;
  }

  /// A product, also in another mode than the usual one, where fusing is not worked out: there, those
  /// of halves are between conversions.
  bool may_be_fused(ValueId id) const {
    const Value* value = &f_.values[id];
    while (value->function == 0 && value->op == Op::kFlushDenorm)
      value = &f_.values[value->args[0]];
    if (value->op == Op::kFMul) return value->function == 0;
    while (value->function == 0 && (value->op == Op::kFlushDenorm || value->op == Op::kFConvert))
      value = &f_.values[value->args[0]];
    return value->op == Op::kFMulRounded && value->function == 0;
  }

  ResultOrigin origin(const Value& value) const {
    ResultOrigin origin;
    origin.kind = value.kind;
    if (!is_float(value.kind)) return origin;
    origin.function = value.function;
    const Value& made = rounded_once(value);
    origin.op = value.op == Op::kResult ? f_.values[value.args[0]].op : usual_form(made.op);
    const bool is_sum = origin.op == Op::kFAdd || origin.op == Op::kFSub;
    if (is_sum && value.function == 0 && f_.may_fuse &&
        (may_be_fused(made.args[0]) || may_be_fused(made.args[1])))
      origin.function = ResultOrigin::kFused;
    return origin;
  }

  /// For a load from the kernel's own memory: all values stored there; null for other values.
  const std::vector<ValueId>* remembered(const Value& value) const {
    const Value& load = value.op == Op::kResult ? f_.values[value.args[0]] : value;
    if (load.op != Op::kLoad || !is_own(f_.mem[load.imm].space)) return nullptr;
    const auto found = stored_.find(root_of(load.args[0]));
    static const std::vector<ValueId> kNone;
    return found == stored_.end() ? &kNone : &found->second;
  }

  std::set<ResultOrigin> origins_of(ValueId stored) const {
    std::set<ResultOrigin> origins;
    std::unordered_set<ValueId> seen{stored};
    std::vector<ValueId> open{stored};
    while (!open.empty()) {
      const Value& value = f_.values[open.back()];
      open.pop_back();
      std::span<const ValueId> sources = moved(f_, value);
      if (const std::vector<ValueId>* all = remembered(value)) {
        sources = *all;
      } else if (sources.empty()) {
        origins.insert(origin(value));
      }
      for (const ValueId source : sources)
        if (seen.insert(source).second) open.push_back(source);
    }
    if (origins.empty()) origins.insert(ResultOrigin{});
    return origins;
  }

  std::uint64_t site(const std::set<ResultOrigin>& origins) {
    std::vector<ResultOrigin> list(origins.begin(), origins.end());
    const auto [known, fresh] = sites_.try_emplace(list, f_.result_sites.size());
    if (fresh) f_.result_sites.push_back({std::move(list)});
    return known->second;
  }

  Function& f_;
  std::unordered_map<ValueId, std::vector<ValueId>> stored_;  ///< by variable
  std::map<std::vector<ResultOrigin>, std::uint64_t> sites_;
  BlockId block_ = 0;
  std::uint32_t source_ = 0;
};

}  // namespace

void record_results(Function& function) { Recorder(function).run(); }

}  // namespace transpire::vm::lir
