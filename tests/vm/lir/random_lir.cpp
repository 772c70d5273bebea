// The generator of random_lir.h.
#include "tests/vm/lir/random_lir.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "tests/vm/lir/random_graph.h"
#include "vm/exec/engine.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"

namespace transpire::tests {
namespace {

using namespace vm;
using namespace vm::lir;

class Generator {
 public:
  Generator(std::uint32_t seed, const RandomLirOptions& options)
      : random_(seed), options_(options) {}

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
    f_.scalar_handlers = &exec::handlers(exec::Isa::kBaseline);
    return std::move(f_);
  }

 private:
  std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

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

  ValueId argument(Kind kind, std::uint64_t slot) {
    Value value;
    value.op = Op::kArgument;
    value.kind = value.from = kind;
    value.imm = slot;
    return f_.add(std::move(value));
  }

  void link() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (const BlockId target : f_.blocks[b].targets) {
        auto& preds = f_.blocks[target].preds;
        if (std::find(preds.begin(), preds.end(), b) == preds.end()) preds.push_back(b);
      }
    }
  }

  ValueId place(BlockId block, Value value) {
    value.block = block;
    const Kind kind = value.kind;
    const ValueId id = f_.add(std::move(value));
    f_.blocks[block].instructions.push_back(id);
    if (kind != Kind::kVoid) available_[block].push_back(id);
    return id;
  }

  // One that other instructions do not pick: private addresses escape only where that is meant.
  ValueId place_hidden(BlockId block, Value value) {
    const ValueId id = place(block, std::move(value));
    available_[block].pop_back();
    return id;
  }

  // A value of the kind that can be used at the end of `block` as it stands.
  ValueId operand(BlockId block, Kind kind) {
    std::vector<ValueId> fitting;
    for (const ValueId id : available_[block]) {
      if (f_.values[id].kind == kind) fitting.push_back(id);
    }
    if (fitting.empty() || pick(6) == 0) {
      constexpr std::array<std::uint64_t, 8> kBits{0, 1, 2, 3, 31, 32, 0x80000000, ~0ull};
      if (kind == Kind::kI32 && pick(5) == 0) return argument_;
      const std::uint64_t bits = kBits[pick(8)];
      return f_.constant(kind, kind == Kind::kF32 ? bits & 0xffffffff : bits);
    }
    // Near values more often: longer chains.
    if (fitting.size() > 4 && pick(2) == 0) return fitting[fitting.size() - 1 - pick(4)];
    return fitting[pick(fitting.size())];
  }

  void arithmetic(BlockId block) {
    constexpr std::array kOps{Op::kIAdd,
                              Op::kISub,
                              Op::kIMul,
                              Op::kBitwiseAnd,
                              Op::kBitwiseOr,
                              Op::kBitwiseXor,
                              Op::kShiftLeftLogical,
                              Op::kShiftRightLogical,
                              Op::kShiftRightArithmetic,
                              Op::kUDiv,
                              Op::kUMod,
                              Op::kUMin,
                              Op::kSMax,
                              Op::kSDiv,
                              Op::kSRem};
    Value value;
    value.op = kOps[pick(kOps.size())];
    value.kind = value.from = pick(3) == 0 ? Kind::kI64 : Kind::kI32;
    value.args = {operand(block, value.kind), operand(block, value.kind)};
    place(block, std::move(value));
  }

  void compare(BlockId block) {
    constexpr std::array kOps{Op::kIEqual, Op::kINotEqual, Op::kULessThan, Op::kSLessThanEqual};
    const Kind kind = pick(3) == 0 ? Kind::kI64 : Kind::kI32;
    const ValueId left = operand(block, kind);
    place_compare(block, kOps[pick(kOps.size())], left, operand(block, kind));
  }

  void convert(BlockId block) {
    struct Row {
      Op op;
      Kind from, to;
    };
    constexpr std::array kRows{
        Row{Op::kTruncate, Kind::kI64, Kind::kI32},   Row{Op::kTruncate, Kind::kI32, Kind::kI8},
        Row{Op::kSignExtend, Kind::kI32, Kind::kI64}, Row{Op::kZeroExtend, Kind::kI32, Kind::kI64},
        Row{Op::kSignExtend, Kind::kI8, Kind::kI32},  Row{Op::kZeroExtend, Kind::kI8, Kind::kI64}};
    const Row& row = kRows[pick(kRows.size())];
    convert_to(block, row.op, row.to, operand(block, row.from));
  }

  void choose(BlockId block) {
    constexpr std::array kOps{Op::kLogicalAnd, Op::kLogicalNotEqual, Op::kLogicalOr};
    Value value;
    if (pick(3) == 0) {
      value.op = pick(4) == 0 ? Op::kLogicalNot : kOps[pick(3)];
      value.kind = value.from = Kind::kBool;
      value.args = {operand(block, Kind::kBool)};
      if (value.op != Op::kLogicalNot) value.args.push_back(operand(block, Kind::kBool));
    } else {
      value.op = Op::kSelect;
      value.kind = value.from = Kind::kI32;
      value.args = {operand(block, Kind::kBool), operand(block, Kind::kI32),
                    operand(block, Kind::kI32)};
    }
    place(block, std::move(value));
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
    Value value;
    value.op = Op::kAddress;
    value.kind = value.from = Kind::kI64;
    value.args = {pick(2) == 0 ? pointer_ : operand(block, Kind::kI64)};
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
    Value shifted;
    shifted.op = Op::kBitwiseOr;
    shifted.kind = shifted.from = Kind::kI64;
    shifted.args = {value.args[0], f_.constant(Kind::kI64, 1ull << 60)};
    value.args[0] = place(block, std::move(shifted));
    value.imm = access(kind, 1, Space::kGlobal, 0);
    place(block, std::move(value));
  }

  void own_store(BlockId block) {
    Value address;
    address.op = Op::kAddress;
    address.kind = address.from = Kind::kI64;
    address.args = {own_, available_[0][0]};
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
      Value id;
      id.op = kIds[i];
      id.kind = id.from = Kind::kI64;
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
    Value place_of;
    place_of.op = Op::kAddress;
    place_of.kind = place_of.from = Kind::kI64;
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
    Value value;
    value.op = Op::kAddress;
    value.kind = value.from = Kind::kI64;
    value.args = {privates_[variable]};
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
      Value result;
      result.op = Op::kResult;
      result.kind = result.from = kind;
      result.imm = i;
      result.args = {load};
      place(block, std::move(result));
    }
  }

  ValueId place_dynamic(BlockId block, ValueId base) {
    Value mask;
    mask.op = Op::kBitwiseAnd;
    mask.kind = mask.from = Kind::kI64;
    mask.args = {operand(block, Kind::kI64), f_.constant(Kind::kI64, 7)};
    const ValueId index = place(block, std::move(mask));
    Value value;
    value.op = Op::kAddress;
    value.kind = value.from = Kind::kI64;
    value.args = {base, index};
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
      Value id;
      id.op = Op::kGlobalId;
      id.kind = id.from = Kind::kI64;
      place(block, std::move(id));
      Value narrow;
      narrow.op = Op::kTruncate;
      narrow.kind = Kind::kI32;
      narrow.from = Kind::kI64;
      narrow.args = {available_[0][0]};
      place(block, std::move(narrow));
      if (options_.groups) add_ids();
    }
    step(block);
    for (std::uint32_t n = pick(6); n > 0; --n) instruction(block);
    for (std::uint32_t n = options_.groups ? pick(4) : 0; n > 0; --n) indexed_access(block);
    shared_access(block, true);
    terminate(block);
  }

  ValueId binary(BlockId block, Op op, ValueId a, ValueId b) {
    Value value;
    value.op = op;
    value.kind = value.from = f_.values[a].kind;
    value.args = {a, b};
    return place(block, std::move(value));
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

  ValueId convert_to(BlockId block, Op op, Kind to, ValueId from) {
    Value value;
    value.op = op;
    value.kind = to;
    value.from = f_.values[from].kind;
    value.args = {from};
    return place(block, std::move(value));
  }

  ValueId wide(BlockId block, Op op, ValueId a, std::uint64_t b) {
    return binary(block, op, a, f_.constant(Kind::kI64, b));
  }

  ValueId place_compare(BlockId block, Op op, ValueId a, ValueId b) {
    Value value;
    value.op = op;
    value.kind = Kind::kBool;
    value.from = f_.values[a].kind;
    value.args = {a, b};
    return place(block, std::move(value));
  }

  ValueId some_float(BlockId block, Kind kind) {
    if (pick(3) != 0) return operand(block, kind);
    const Kind bits = kind == Kind::kF32 ? Kind::kI32 : Kind::kI64;
    ValueId from = operand(block, bits);
    if (pick(4) != 0) {  // between 1 and 2, where sums are not just one of their operands
      const bool wide = bits == Kind::kI64;
      from = binary(block, Op::kBitwiseAnd, from, f_.constant(bits, wide ? ~0ull >> 12 : 0x7fffff));
      from = binary(block, Op::kBitwiseOr, from,
                    f_.constant(bits, wide ? 0x3ff0000000000000u : 0x3f800000u));
    }
    return convert_to(block, Op::kBitcast, kind, from);
  }

  // Products, sums and differences, and their bits for others to use.
  void floats(BlockId block) {
    const Kind kind = pick(3) == 0 ? Kind::kF64 : Kind::kF32;
    ValueId sum = some_float(block, kind);
    for (std::uint32_t n = 1 + pick(3); n > 0; --n) {
      const ValueId left = some_float(block, kind);
      const ValueId product = binary(block, Op::kFMul, left, some_float(block, kind));
      const Op op = pick(2) == 0 ? Op::kFAdd : Op::kFSub;
      sum = pick(2) == 0 ? binary(block, op, sum, product) : binary(block, op, product, sum);
    }
    convert_to(block, Op::kBitcast, kind == Kind::kF32 ? Kind::kI32 : Kind::kI64, sum);
  }

  // Groups of values that compilers write and simplify() has rules for.
  void idiom(BlockId block) {
    const ValueId id = pick(2) == 0 ? available_[0][0] : operand(block, Kind::kI64);
    switch (pick(7)) {
      case 6:
        return floats(block);
      case 0: {
        const ValueId left = wide(block, Op::kShiftLeftLogical, id, 32);
        wide(block, pick(3) == 0 ? Op::kShiftRightLogical : Op::kShiftRightArithmetic, left,
             30 + pick(4));
        return;
      }
      case 1: {
        const ValueId narrow = convert_to(block, Op::kTruncate, Kind::kI32, id);
        convert_to(block, pick(2) == 0 ? Op::kSignExtend : Op::kZeroExtend, Kind::kI64, narrow);
        return;
      }
      case 2: {
        Value value;
        value.op = Op::kSelect;
        value.kind = value.from = Kind::kI32;
        value.args = {operand(block, Kind::kBool), f_.constant(Kind::kI32, pick(2)),
                      f_.constant(Kind::kI32, pick(2))};
        const ValueId select = place(block, std::move(value));
        place_compare(block, pick(2) == 0 ? Op::kIEqual : Op::kINotEqual,
                      f_.constant(Kind::kI32, pick(2)), select);
        return;
      }
      case 3: {
        const ValueId quotient =
            wide(block, std::array{Op::kUDiv, Op::kSDiv, Op::kUMod, Op::kSRem}[pick(4)], id,
                 std::array{3ull, 8ull, 1ull, 0ull}[pick(4)]);
        wide(block, Op::kBitwiseAnd, quotient, std::array{0xffffffffull, 7ull, ~0ull}[pick(3)]);
        return;
      }
      case 4: {
        const ValueId narrow = convert_to(block, Op::kTruncate, Kind::kI32, id);
        const ValueId moved =
            binary(block, pick(2) == 0 ? Op::kIAdd : Op::kIMul, narrow,
                   f_.constant(Kind::kI32, std::array{1ull, ~0ull, 4ull}[pick(3)]));
        Value value;
        value.op = Op::kAddress;
        value.kind = value.from = Kind::kI64;
        value.extend = pick(2) == 0 ? Extend::kSigned32 : Extend::kUnsigned32;
        value.args = {pointer_, moved};
        value.imm = 4;
        place(block, std::move(value));
        return;
      }
      default: {
        const ValueId narrow = operand(block, pick(2) == 0 ? Kind::kI8 : Kind::kI32);
        const ValueId extended =
            convert_to(block, pick(2) == 0 ? Op::kSignExtend : Op::kZeroExtend, Kind::kI64, narrow);
        const Op op =
            std::array{Op::kIEqual, Op::kULessThan, Op::kSLessThan, Op::kSLessThanEqual}[pick(4)];
        place_compare(block, op, extended, operand(block, Kind::kI64));
      }
    }
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

  std::mt19937 random_;
  const RandomLirOptions& options_;
  Function f_;
  ValueId argument_ = kNoValue;
  ValueId pointer_ = kNoValue;
  ValueId own_ = kNoValue;
  std::vector<ValueId> privates_;
  std::vector<ValueId> ids_;
  std::vector<std::vector<ValueId>> available_;  // by block: what can be used at its end
  std::vector<ValueId> state_;                   // by block: see step()
  bool varied_ = true;
};

}  // namespace

Function random_lir(std::uint32_t seed, const RandomLirOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace transpire::tests
