// split_indexes: takes the index of an access apart,
//
//     index = part of the lane's place in its group + part that all lanes share
//
// so that the engine need not look at a row of indices each time. The first part, a row, goes to
// the front of the entry block, from where emission moves it into the prologue; what an access
// needs to know of that row (bounds, which lanes are neighbours) is then computed once for all
// groups. The second is a scalar and stands where the index was computed. Integer arithmetic modulo
// 2^n makes this exact.
//
//     %i = IAdd (IMul %width, %y), %x      =>      %row = IAdd (IMul %width, local y), local x
//     Load %a + u32 %i * 4                         %i   = ...
//                                                  %all = IAdd (IMul %width, first y), first x
//                                                  Load %a + u32 (%row + %all) * 4
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/ops/op.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

/// Each row takes room in the prologue's registers for the whole launch.
constexpr std::size_t kMaxFront = 48;
/// Deeper index expressions are not split. Values at that depth can still be copied, so that they
/// are not taken for unfit in shallower expressions as well.
constexpr int kMaxDepth = 32;
constexpr int kMaxCopyDepth = 2 * kMaxDepth;

/// value = row + shared; an absent part is zero.
struct Parts {
  ValueId row = kNoValue;
  ValueId shared = kNoValue;
};
using Split = std::optional<Parts>;

class IndexSplitting {
 public:
  IndexSplitting(Function& function, const LowerOptions& options)
      : function_(function),
        options_(options),
        known_(function.values.size()),
        splits_(known_),
        seen_(known_, false),
        copies_(known_, kNoValue),
        copied_(known_, false),
        behind_(known_) {}

  void run() {
    for (const BlockId block : function_.order) {
      for (const ValueId id : function_.blocks[block].instructions) {
        function_.work();
        const Op op = function_.values[id].op;
        if (id < known_ && (op == Op::kLoad || op == Op::kStore)) rewrite(id);
      }
    }
    place();
  }

 private:
  const Value& value(ValueId id) const { return function_.values[id]; }
  bool is_shared(ValueId id) const {
    const Value& v = value(id);
    return v.op == Op::kConst || v.op == Op::kArgument || v.spread == Spread::kUniform;
  }

  void rewrite(ValueId id) {
    const MemAccess& mem = function_.mem[value(id).imm];
    if (!is_alike(mem)) return;
    const std::size_t stored = value(id).op == Op::kStore ? mem.components : 0;
    const std::size_t places = value(id).args.size() - stored;
    const ValueId varying = value(id).args[places - 1];
    if (value(varying).spread != Spread::kVarying) return;
    if (places == 2 && !is_shared(value(id).args[0])) return;
    const Split split = split_of(varying);
    if (!split || split->row == kNoValue) return;
    if (places == 1) {
      MemAccess access = function_.mem[value(id).imm];
      access.scale = 1;
      const ValueId base = split->shared != kNoValue ? split->shared : zero(Kind::kI64);
      Value& v = function_.values[id];
      v.imm = function_.mem.size();
      v.args[0] = base;
      v.args.insert(v.args.begin() + 1, split->row);
      function_.mem.push_back(access);
      return;
    }
    Value& v = function_.values[id];
    v.args[1] = split->row;
    if (split->shared != kNoValue) v.args.insert(v.args.begin() + 2, split->shared);
  }

  /// True if all lanes see the same memory; elsewhere whole rows are no slower.
  bool is_alike(const MemAccess& mem) const {
    const bool is_local = mem.space == Space::kWorkgroup || mem.space == Space::kShadowWorkgroup;
    const bool by_group = is_local && options_.packed;
    return mem.kind != Kind::kBool && mem.space != Space::kPrivate &&
           mem.space != Space::kGeneric && mem.space != Space::kShadow && !by_group;
  }

  // ---- Values as two parts ----

  Split split_of(ValueId id) {
    if (is_shared(id)) return Parts{kNoValue, id};
    if (id >= known_) return std::nullopt;
    if (!seen_[id] && depth_ < kMaxDepth) {
      seen_[id] = true;
      ++depth_;
      splits_[id] = compute(id);
      --depth_;
    }
    return splits_[id];
  }

  Split compute(ValueId id) {
    const Value v = value(id);
    if (v.kind != Kind::kI32 && v.kind != Kind::kI64) return std::nullopt;
    switch (v.op) {
      case Op::kGlobalId:
        return global_id(id);
      case Op::kIAdd:
      case Op::kISub:
        return sum(id);
      case Op::kIMul:
        return is_shared(v.args[1]) ? product(id, 0, 1) : product(id, 1, 0);
      case Op::kShiftLeftLogical:
        return product(id, 0, 1);
      case Op::kTruncate:
        return truncation(id);
      case Op::kAddress:
        return address(id);
      default:
        break;
    }
    const ValueId row = copy_of(id);
    if (row == kNoValue) return std::nullopt;
    return Parts{row, kNoValue};
  }

  Split global_id(ValueId id) {
    if (options_.packed) return std::nullopt;
    const Value v = value(id);
    const auto builtin = [&](Op op) {
      Value made = v;
      made.op = op;
      return add_behind(id, std::move(made));
    };
    Value local = v;
    local.op = Op::kLocalId;
    const ValueId row = add_front(std::move(local), Spread::kVarying);
    if (row == kNoValue) return std::nullopt;
    const ValueId group = builtin(Op::kGroupId), size = builtin(Op::kEnqueuedLocalSize);
    const ValueId start = binary(id, Op::kIMul, group, size);
    return Parts{row, binary(id, Op::kIAdd, start, builtin(Op::kGlobalOffset))};
  }

  Split sum(ValueId id) {
    const Value v = value(id);
    const Split a = split_of(v.args[0]), b = split_of(v.args[1]);
    if (!a || !b) return std::nullopt;
    Parts parts;
    parts.shared = joined(v, a->shared, b->shared,
                          [&](ValueId x, ValueId y) { return binary(id, v.op, x, y); });
    parts.row = joined(v, a->row, b->row, [&](ValueId x, ValueId y) {
      return add_front(with_args(v, {x, y}), Spread::kVarying);
    });
    if (parts.row == kNoValue && (a->row != kNoValue || b->row != kNoValue)) return std::nullopt;
    return parts;
  }

  /// x op y with absent operands as zeros; absent when both are.
  template <class Make>
  ValueId joined(const Value& v, ValueId x, ValueId y, Make make) {
    if (y == kNoValue) return x;
    if (x == kNoValue && v.op == Op::kIAdd) return y;
    if (x == kNoValue) x = zero(v.kind);
    return make(x, y);
  }

  /// Operand `varying` times, or shifted by, operand `factor`.
  Split product(ValueId id, std::size_t varying, std::size_t factor) {
    const Value v = value(id);
    if (!is_shared(v.args[factor])) return std::nullopt;
    const ValueId early = copy_of(v.args[factor]);
    const Split split = split_of(v.args[varying]);
    if (early == kNoValue || !split || split->row == kNoValue) return std::nullopt;
    Parts parts;
    parts.row = add_front(with_args(v, {split->row, early}), Spread::kVarying);
    if (parts.row == kNoValue) return std::nullopt;
    if (split->shared != kNoValue) parts.shared = binary(id, v.op, split->shared, v.args[factor]);
    return parts;
  }

  Split truncation(ValueId id) {
    const Value v = value(id);
    const Split split = split_of(v.args[0]);
    if (!split || split->row == kNoValue) return std::nullopt;
    Parts parts;
    parts.row = add_front(with_args(v, {split->row}), Spread::kVarying);
    if (parts.row == kNoValue) return std::nullopt;
    if (split->shared != kNoValue) parts.shared = add_behind(id, with_args(v, {split->shared}));
    return parts;
  }

  /// base + extend(index) * scale + offset. An index of both parts cannot be widened part by part.
  Split address(ValueId id) {
    const Value v = value(id);
    const bool indexed = v.args.size() > 1;
    const Split base = split_of(v.args[0]);
    const Split index = indexed ? split_of(v.args[1]) : Split(Parts{});
    if (!base || !index) return std::nullopt;
    if (v.extend != Extend::kNone && index->row != kNoValue && index->shared != kNoValue)
      return std::nullopt;
    const auto part = [&](ValueId x, ValueId y) {
      Value made = v;
      made.args = {x != kNoValue ? x : zero(Kind::kI64)};
      if (y != kNoValue) made.args.push_back(y);
      return made;
    };
    Parts parts;
    if (base->row != kNoValue || index->row != kNoValue) {
      Value row = part(base->row, index->row);
      row.imm2 = 0;
      parts.row = index->row == kNoValue ? base->row : add_front(std::move(row), Spread::kVarying);
      if (parts.row == kNoValue) return std::nullopt;
    }
    parts.shared = add_behind(id, part(base->shared, index->shared));
    return parts;
  }

  // ---- Values of the prologue ----

  /// The value made anew at the function's front; none when it needs more than arguments, sizes and
  /// local ids.
  ValueId copy_of(ValueId id) {
    const Value v = value(id);
    if (v.op == Op::kConst || v.op == Op::kArgument) return id;
    if (id >= known_) return kNoValue;
    if (copied_[id] || depth_ >= kMaxCopyDepth) return copies_[id];
    copied_[id] = true;
    ++depth_;
    const ValueId copy = make_copy(v);
    --depth_;
    return copies_[id] = copy;
  }

  ValueId make_copy(const Value& v) {
    const OpInfo& op = info(v.op);
    if (op.has(kPlaceInGroup)) return add_front(v, Spread::kVarying);
    if (op.has(kLaunchSize)) return add_front(v, Spread::kUniform);
    if (!is_lane_wise(op.shape) || !op.is_pure()) return kNoValue;
    ValueList args;
    bool shared = true;
    for (const ValueId arg : v.args) {
      const ValueId copy = copy_of(arg);
      if (copy == kNoValue) return kNoValue;
      shared = shared && is_shared(copy);
      args.push_back(copy);
    }
    return add_front(with_args(v, std::move(args)), shared ? Spread::kUniform : Spread::kVarying);
  }

  // ---- New values ----

  /// Made after the divergence analysis, which calls constants uniform.
  ValueId zero(Kind kind) {
    const ValueId id = function_.constant(kind, 0);
    function_.values[id].spread = Spread::kUniform;
    return id;
  }

  static Value with_args(Value v, ValueList args) {
    v.args = std::move(args);
    return v;
  }

  ValueId add_front(Value v, Spread spread) {
    const auto key = std::tuple(v.op, v.kind, v.from, v.imm, v.imm2, v.extend, v.args);
    const auto known = made_.find(key);
    if (known != made_.end()) return known->second;
    if (front_.size() >= kMaxFront) return kNoValue;
    v.block = 0;
    v.spread = spread;
    v.stride = 0;
    front_.push_back(function_.add(std::move(v)));
    return made_[key] = front_.back();
  }

  /// A value that all lanes share, behind `id`.
  ValueId add_behind(ValueId id, Value v) {
    v.block = value(id).block;
    v.spread = Spread::kUniform;
    v.stride = 0;
    behind_[id].push_back(function_.add(std::move(v)));
    return behind_[id].back();
  }

  ValueId binary(ValueId id, Op op, ValueId x, ValueId y) {
    Value v = with_args(value(id), {x, y});
    v.op = op;
    v.from = v.kind;
    v.imm = 0;
    return add_behind(id, std::move(v));
  }

  void place() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      std::vector<ValueId>& list = function_.blocks[b].instructions;
      std::vector<ValueId> longer;
      if (b == 0) longer = front_;
      for (const ValueId id : list) {
        longer.push_back(id);
        if (id < known_) longer.insert(longer.end(), behind_[id].begin(), behind_[id].end());
      }
      list = std::move(longer);
    }
  }

  Function& function_;
  const LowerOptions& options_;
  std::size_t known_;          // values from here on were made by this pass
  std::vector<Split> splits_;  // by value
  std::vector<bool> seen_;
  std::vector<ValueId> copies_;  // by value: at the front
  std::vector<bool> copied_;
  int depth_ = 0;
  /// Values at the front, by what they compute: accesses with one row share a plan.
  std::map<std::tuple<Op, Kind, Kind, std::uint64_t, std::int64_t, Extend, ValueList>, ValueId>
      made_;
  std::vector<ValueId> front_;
  std::vector<std::vector<ValueId>> behind_;  // by value
};

}  // namespace

void split_indexes(Function& function, const LowerOptions& options) {
  IndexSplitting(function, options).run();
}

}  // namespace transpire::vm::lir
