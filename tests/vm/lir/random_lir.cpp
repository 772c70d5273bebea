// The generator of random_lir.h.
#include "tests/vm/lir/random_lir.h"

#include <algorithm>
#include <array>

#include "tests/vm/lir/random_graph.h"
#include "tests/vm/lir/random_values.h"
#include "vm/exec/engine.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"

namespace transpire::test {
namespace {

class Generator : private RandomValues {
 public:
  Generator(std::uint32_t seed, const RandomLirOptions& options)
      : RandomValues(seed), options_(options) {}

  Function run() {
    add_arguments();
    const auto targets =
        random_targets(random_, options_.structured, options_.max_blocks, options_.own_stores);
    f_.blocks.resize(targets.size());
    for (BlockId b = 0; b < targets.size(); ++b) f_.blocks[b].targets = targets[b];
    link();
    const Dominators dominators(f_);
    available_.resize(f_.blocks.size());
    state_.assign(f_.blocks.size(), kNoValue);
    varied_ = pick(4) != 0;
    for (const BlockId block : dominators.preorder()) {
      if (block != 0) available_[block] = available_[dominators.idom(block)];
      fill(block);
    }
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      if (f_.blocks[b].terminator == kNoValue) fill(b);
    }
    for (BlockId b = 0; b < f_.blocks.size(); ++b) fill_phis(b, dominators.idom(b));
    f_.scalar_handlers = &exec::handlers(exec::built_isas()[0]);
    return std::move(f_);
  }

 private:
  void add_arguments() {
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
      Parameter parameter;
      parameter.kind = Parameter::Kind::kValue;
      parameter.first_slot = slot;
      parameter.slot_count = 1;
      f_.parameters.push_back(parameter);
    }
    for (std::uint32_t i = 0; i < options_.private_variables; ++i) {
      PrivateVariable variable;
      variable.name = "v" + std::to_string(i);
      variable.size_bytes = 16;
      f_.private_variables.push_back(variable);
    }
    f_.argument_slots = 2 + options_.private_variables;
    if (options_.own_stores) own_ = argument(Kind::kI64, f_.argument_slots++);
    argument_ = argument(Kind::kI32, 0);
    pointer_ = argument(Kind::kI64, 1);
    for (std::uint32_t i = 0; i < options_.private_variables; ++i) {
      privates_.push_back(argument(Kind::kI64, 2 + i));
    }
  }

  void link() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (const BlockId target : f_.blocks[b].targets) {
        auto& preds = f_.blocks[target].preds;
        if (std::find(preds.begin(), preds.end(), b) == preds.end()) preds.push_back(b);
      }
    }
  }

  std::uint64_t access(Kind kind, std::uint32_t components, Space space, std::int64_t offset) {
    MemAccess access;
    access.kind = kind;
    access.components = components;
    access.space = space;
    access.offset = offset;
    access.is_volatile = pick(400) == 0;
    f_.mem.push_back(access);
    return f_.mem.size() - 1;
  }

  void address(BlockId block) {
    Value value =
        of_kind(Op::kAddress, Kind::kI64, {pick(2) == 0 ? pointer_ : operand(block, Kind::kI64)});
    value.imm = 1 + pick(8);
    value.imm2 = static_cast<std::int64_t>(pick(3)) * 4;
    const std::uint32_t form = pick(4);
    if (form == 1) value.args.push_back(operand(block, Kind::kI64));
    if (form > 1) {
      value.extend = form == 2 ? Extend::kSigned32 : Extend::kUnsigned32;
      value.args.push_back(operand(block, Kind::kI32));
    }
    place(block, std::move(value));
  }

  // Loads and stores of a memory that the machine does not keep between work-items.
  void shared_access(BlockId block, bool store) {
    if (options_.own_stores) {
      if (store) own_store(block);
      return;
    }
    Value value;
    const Kind kind = pick(4) == 0 ? Kind::kI64 : Kind::kI32;
    value.args = {pick(3) == 0 ? pointer_ : operand(block, Kind::kI64)};
    value.op = store ? Op::kStore : Op::kLoad;
    if (store) {
      value.args.push_back(operand(block, kind));
    } else {
      value.kind = value.from = kind;
    }
    // Keep clear of the private variables' addresses.
    value.args[0] = wide(block, Op::kBitwiseOr, value.args[0], 1ull << 60);
    value.imm = access(kind, 1, Space::kGlobal, 0);
    place(block, std::move(value));
  }

  void own_store(BlockId block) {
    Value address = of_kind(Op::kAddress, Kind::kI64, {own_, available_[0][0]});
    address.imm = kOwnBytes;
    address.imm2 = 8 * pick(kOwnBytes / 8);
    const Kind kind = pick(4) == 0 ? Kind::kI64 : Kind::kI32;
    Value value;
    value.op = Op::kStore;
    value.args = {place_hidden(block, std::move(address)), operand(block, kind)};
    value.imm = access(kind, 1, Space::kGlobal, 0);
    place(block, std::move(value));
  }

  void add_ids() {
    constexpr std::array kIds{Op::kGlobalId, Op::kLocalId,   Op::kLocalId,
                              Op::kGroupId,  Op::kLocalSize, Op::kLocalLinearId};
    for (std::size_t i = 0; i < kIds.size(); ++i) {
      Value id = of_kind(kIds[i], Kind::kI64, {});
      id.imm = i == 0 || i == 2 ? 1 : 0;
      ids_.push_back(place(0, std::move(id)));
    }
    ids_.push_back(available_[0][0]);
  }

  // What programs index by: ids, scaled and added up, sometimes narrowed and widened again.
  ValueId index(BlockId block, Kind kind, std::uint32_t depth) {
    if (depth == 0) {
      if (pick(4) == 0) return operand(block, kind);
      const ValueId id = ids_[pick(ids_.size())];
      return kind == Kind::kI64 ? id : convert_to(block, Op::kTruncate, kind, id);
    }
    if (kind == Kind::kI64 && pick(5) == 0) {
      const Op op = pick(2) == 0 ? Op::kSignExtend : Op::kZeroExtend;
      return convert_to(block, op, kind, index(block, Kind::kI32, depth - 1));
    }
    const ValueId left = index(block, kind, depth - 1);
    switch (pick(4)) {
      case 0:
        return binary(block, Op::kIMul, left, operand(block, kind));
      case 1:
        return binary(block, Op::kShiftLeftLogical, left, f_.constant(kind, pick(7)));
      default:
        return binary(block, pick(4) == 0 ? Op::kISub : Op::kIAdd, left,
                      index(block, kind, depth - 1));
    }
  }

  // base + index, or a load or store of it. Not for functions with private variables, whose
  // addresses it may meet.
  void indexed_access(BlockId block) {
    Value place_of = of_kind(Op::kAddress, Kind::kI64, {});
    place_of.imm = 1 + pick(8);
    place_of.imm2 = static_cast<std::int64_t>(pick(3)) * 4 - 4;
    const Kind kind = pick(2) == 0 ? Kind::kI64 : Kind::kI32;
    place_of.args = {pick(3) == 0 ? index(block, Kind::kI64, 1) : pointer_,
                     index(block, kind, pick(4))};
    if (kind == Kind::kI32)
      place_of.extend = pick(2) == 0 ? Extend::kSigned32 : Extend::kUnsigned32;
    Value value;
    value.args = {place(block, std::move(place_of))};
    value.imm = access(Kind::kI32, 1, Space::kGlobal, 0);
    value.op = pick(2) == 0 ? Op::kStore : Op::kLoad;
    if (value.op == Op::kStore)
      value.args.push_back(operand(block, Kind::kI32));
    else
      value.kind = value.from = Kind::kI32;
    place(block, std::move(value));
  }

  ValueId private_address(BlockId block, std::uint32_t variable, std::int64_t offset) {
    if (pick(3) == 0) return privates_[variable];
    Value value = of_kind(Op::kAddress, Kind::kI64, {privates_[variable]});
    value.imm = 1;
    value.imm2 = offset;
    return place_hidden(block, std::move(value));
  }

  void private_access(BlockId block) {
    // Variable 0 is accessed in words only, 1 in words and pairs, 2 in mixed widths, others anyhow.
    const std::uint32_t variable = pick(privates_.size());
    Kind kind = Kind::kI32;
    std::uint32_t components = 1;
    if (variable == 1) components = 1 + pick(2);
    if (variable == 2) kind = std::array{Kind::kI64, Kind::kI32, Kind::kI8, Kind::kI32}[pick(4)];
    const std::uint32_t bytes = lane_bytes(kind) * components;
    const auto offset = static_cast<std::int64_t>(
        (variable >= 3 && pick(40) == 0
             ? pick(13)
             : pick((16 - bytes) / lane_bytes(kind) + 1) * lane_bytes(kind)));
    Value value;
    value.args = {private_address(block, variable, offset)};
    const bool at_base = value.args[0] == privates_[variable];
    value.imm = access(kind, components, Space::kPrivate, at_base ? offset : 0);
    if (variable >= 3 && pick(40) == 0) {
      value.args = {place_dynamic(block, privates_[variable])};
    }
    if (pick(2) == 0) {
      value.op = Op::kStore;
      for (std::uint32_t i = 0; i < components; ++i) value.args.push_back(operand(block, kind));
      place(block, std::move(value));
      return;
    }
    value.op = Op::kLoad;
    value.kind = value.from = kind;
    const ValueId load = place(block, std::move(value));
    for (std::uint32_t i = 1; i < components; ++i) {
      Value result = of_kind(Op::kResult, kind, {load});
      result.imm = i;
      place(block, std::move(result));
    }
  }

  ValueId place_dynamic(BlockId block, ValueId base) {
    const ValueId index = wide(block, Op::kBitwiseAnd, operand(block, Kind::kI64), 7);
    Value value = of_kind(Op::kAddress, Kind::kI64, {base, index});
    value.imm = 1;
    return place_hidden(block, std::move(value));
  }

  void copy(BlockId block) {
    Value value;
    value.op = Op::kCopyMemory;
    value.imm = access(Kind::kI8, 1, Space::kPrivate, 0);
    f_.mem.back().is_volatile = false;
    f_.mem.back().source_space = Space::kPrivate;
    const std::uint32_t to = pick(privates_.size());
    const std::uint32_t from = (to + 1) % static_cast<std::uint32_t>(privates_.size());
    const std::uint32_t words = 1 + pick(2);
    value.args = {private_address(block, to, 4 * pick(3)),
                  private_address(block, from, 4 * pick(3)), f_.constant(Kind::kI64, 4 * words)};
    place(block, std::move(value));
  }

  void fill(BlockId block) {
    if (!f_.blocks[block].preds.empty()) {
      state_[block] = add_phi(f_, block, Kind::kI32, 0);
      for (std::uint32_t n = pick(4); n > 0; --n) {
        const Kind kind = std::array{Kind::kI32, Kind::kI32, Kind::kI64, Kind::kBool}[pick(4)];
        available_[block].push_back(add_phi(f_, block, kind, 0));
      }
    }
    if (block == 0) {
      place(block, of_kind(Op::kGlobalId, Kind::kI64, {}));
      convert_to(block, Op::kTruncate, Kind::kI32, available_[0][0]);
      if (options_.groups) add_ids();
    }
    step(block);
    for (std::uint32_t n = pick(6); n > 0; --n) instruction(block);
    for (std::uint32_t n = options_.groups ? pick(4) : 0; n > 0; --n) indexed_access(block);
    shared_access(block, true);
    terminate(block);
  }

  // A number that changes from block to block and, in three functions of four, from lane to lane:
  // what most branches go by, so that lanes take different ways and different numbers of rounds.
  void step(BlockId block) {
    if (state_[block] == kNoValue)
      state_[block] = varied_ && block == 0 ? available_[0][1] : argument_;
    const ValueId mixed =
        binary(block, Op::kIMul, state_[block], f_.constant(Kind::kI32, 0x9e3779b1));
    state_[block] = binary(block, Op::kIAdd, mixed, f_.constant(Kind::kI32, 0x12345 + block));
  }

  ValueId random_condition(BlockId block) {
    const ValueId high =
        binary(block, Op::kShiftRightLogical, state_[block], f_.constant(Kind::kI32, 28));
    return place_compare(block, Op::kULessThan, high, f_.constant(Kind::kI32, 3 + pick(10)));
  }

  void instruction(BlockId block) {
    if (pick(6) == 0) return idiom(block);
    const std::uint32_t form = pick(privates_.empty() ? 10 : 16);
    if (form < 4) return arithmetic(block);
    if (form < 5) return compare(block);
    if (form < 6) return convert(block);
    if (form < 7) return choose(block);
    if (form < 8) return address(block);
    if (form < 10) return shared_access(block, pick(2) == 0);
    if (form == 10 && privates_.size() > 1) return copy(block);
    private_access(block);
  }

  void terminate(BlockId block) {
    Value value;
    value.block = block;
    const std::size_t count = f_.blocks[block].targets.size();
    if (count == 2) compare(block);
    if (count < 2) {
      value.op = count == 0 ? Op::kReturn : Op::kBranch;
    } else if (count == 2) {
      value.op = Op::kBranchConditional;
      value.args = {pick(4) == 0 ? operand(block, Kind::kBool) : random_condition(block)};
    } else {
      value.op = Op::kSwitch;
      value.from = Kind::kI32;
      value.args = {operand(block, Kind::kI32)};
      f_.blocks[block].cases = {{1, 1}, {2, 2}};
      if (options_.own_stores) {
        value.args = {
            binary(block, Op::kShiftRightLogical, state_[block], f_.constant(Kind::kI32, 30))};
        f_.blocks[block].cases.clear();
        for (std::uint32_t i = 1; i < count; ++i) f_.blocks[block].cases.push_back({i - 1, i});
      }
    }
    f_.blocks[block].terminator = f_.add(std::move(value));
  }

  void fill_phis(BlockId block, BlockId idom) {
    for (const ValueId phi : f_.blocks[block].phis) {
      const Kind kind = f_.values[phi].kind;
      std::vector<ValueId> args;
      const bool is_state = phi == f_.blocks[block].phis[0];
      // What most edges bring.
      ValueId kept = kNoValue;
      if (options_.own_stores && idom != kNoBlock && pick(3) != 0) kept = operand(idom, kind);
      for (const BlockId pred : f_.blocks[block].preds) {
        if (is_state) {
          args.push_back(state_[pred]);
        } else {
          args.push_back(kept != kNoValue && pick(3) != 0 ? kept : operand(pred, kind));
        }
      }
      f_.values[phi].args = std::move(args);
    }
  }

  const RandomLirOptions& options_;
  ValueId own_ = kNoValue;
  std::vector<ValueId> privates_;
  std::vector<ValueId> ids_;
  std::vector<ValueId> state_;  // by block: see step()
  bool varied_ = true;
};

}  // namespace

Function random_lir(std::uint32_t seed, const RandomLirOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace transpire::test
