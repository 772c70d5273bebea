// See track_undefined.h.
#include "vm/passes/track_undefined.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "memory/image_format.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/moved_bits.h"
#include "vm/passes/replacements.h"
#include "vm/passes/shadow_values.h"

namespace transpire::vm::lir {
namespace {

using Reported = UndefinedUse::What;

Space shadow_space(Space space) {
  switch (space) {
    case Space::kGlobal:
      return Space::kShadowGlobal;
    case Space::kWorkgroup:
      return Space::kShadowWorkgroup;
    default:
      return Space::kShadow;
  }
}

class Tracking : ShadowValues {
 public:
  explicit Tracking(Function& function)
      : ShadowValues(function),
        twin_(values_, kNoValue),
        maybe_(values_, false),
        is_used_(values_, false),
        distance_(memory::shadow_distance(function.module->pointer_bytes())) {}

  void run() {
    add_variables();
    find_undefined();
    for (Block& block : f_.blocks)
      for (const ValueId phi : block.phis)
        if (maybe_[phi]) pending_.push_back(phi);
    for (const ValueId phi : pending_) begin_phi(phi);
    const Dominators dominators(f_);
    for (const BlockId block : dominators.preorder()) rewrite(block);
    for (const ValueId phi : pending_) end_phi(phi);
    zeros_.apply(f_);
  }

 private:
  // ---- Which values may be undefined -----------------------------------------------------------

  void find_undefined() {
    std::vector<ValueId> work;
    std::vector<std::vector<ValueId>> users(values_);
    for (const Block& block : f_.blocks) {
      for (const auto* list : {&block.phis, &block.instructions})
        for (const ValueId id : *list) {
          for (const ValueId arg : f_.values[id].args) {
            users[arg].push_back(id);
            is_used_[arg] = true;
          }
          if (is_source(f_.values[id])) work.push_back(id);
        }
    }
    for (const ValueId id : work) maybe_[id] = true;
    while (!work.empty()) {
      const ValueId id = work.back();
      work.pop_back();
      f_.work(users[id].size() + 1);
      for (const ValueId user : users[id]) {
        if (maybe_[user] || !passes_on(f_.values[user])) continue;
        maybe_[user] = true;
        work.push_back(user);
      }
    }
  }

  bool is_source(const Value& value) const {
    if (value.op == Op::kUndefined) return true;
    if (value.op == Op::kLoad) return f_.mem[value.imm].space != Space::kConstant;
    return is_atomic(value.op) && value.kind != Kind::kVoid;
  }

  static bool passes_on(const Value& value) {
    if (value.kind == Kind::kVoid) return false;
    switch (value.op) {
      case Op::kPhi:
      case Op::kResult:
      case Op::kGroupBroadcast:
      case Op::kGroupShuffle:
      case Op::kGroupFirst:
        return true;
      case Op::kLoad:
        return false;
      default:
        return info(value.op).is_pure();
    }
  }

  // ---- Checks ----------------------------------------------------------------------------------

  std::uint64_t use(Reported what) {
    f_.undefined_uses.push_back({what});
    return f_.undefined_uses.size() - 1;
  }
  void check(ValueId shadow, Reported what) {
    if (shadow == kNoValue) return;
    Value value;
    value.op = Op::kCheckDefined;
    value.from = kind_of(shadow);
    value.imm = use(what);
    value.args = {shadow};
    place(std::move(value));
  }
  void check_operands(std::span<const ValueId> args, Reported what) {
    bool alike = true;
    Kind kind = Kind::kVoid;
    for (const ValueId arg : args) {
      if (shadow_[arg] == kNoValue) continue;
      alike = alike && (kind == Kind::kVoid || kind == kind_of(shadow_[arg]));
      kind = kind_of(shadow_[arg]);
    }
    if (kind == Kind::kVoid) return;
    check(joined(args, alike ? kind : Kind::kBool), what);
  }

  // ---- Private variables -----------------------------------------------------------------------

  void add_variables() {
    const auto count = narrow<std::uint32_t>(f_.private_variables.size());
    if (count == 0) return;
    const std::uint64_t first_slot = f_.private_slot(0);
    main_count_ = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      PrivateVariable shadow = f_.private_variables[i];
      shadow.begins_dead = false;
      shadow.is_poisoned = false;
      shadow.shadow_of = i + 1;
      f_.private_variables.push_back(std::move(shadow));
    }
    for (ValueId id = 0; id < values_; ++id) {
      const Value& value = f_.values[id];
      if (value.op != Op::kArgument || value.imm < first_slot) continue;
      Value address = value;
      address.imm += count;
      const ValueId added = f_.add(std::move(address));
      twin_[id] = added;
    }
    f_.argument_slots += count;
  }

  /// False for values that this pass made.
  bool has_twin(ValueId address) const { return address < values_ && twin_[address] != kNoValue; }

  /// The address of the shadow of the bytes at an address.
  ValueId shadow_address(ValueId address) {
    if (has_twin(address)) return twin_[address];
    Value moved;
    moved.op = Op::kAddress;
    moved.kind = moved.from = Kind::kI64;
    moved.imm2 = static_cast<std::int64_t>(distance_);
    moved.args = {address};
    return place(std::move(moved));
  }
  void follow_address(const Value& value, ValueId id) {
    const ValueId base = twin_[value.args[0]];
    if (base == kNoValue) return;
    if (value.op != Op::kAddress) {
      twin_[id] = base;
      return;
    }
    Value same = value;
    same.args[0] = base;
    twin_[id] = place(std::move(same));
  }

  /// The access of the shadow beside one of memory.
  std::uint64_t beside(std::uint64_t access, bool is_direct) {
    MemAccess shadow = f_.mem[access];
    shadow.kind = stored_kind(shadow.kind);
    shadow.space = is_direct ? Space::kShadow : shadow_space(shadow.space);
    shadow.source_space = shadow.space;
    shadow.is_volatile = false;
    shadow.no_write_parameter = 0;
    f_.take(cost::kAccess);
    f_.mem.push_back(shadow);
    return f_.mem.size() - 1;
  }
  Value shadow_access(const Value& value) {
    Value access = value;
    const bool is_direct = twin_[value.args[0]] != kNoValue;
    access.imm = beside(value.imm, is_direct);
    if (is_direct)
      access.args[0] = twin_[value.args[0]];
    else
      f_.mem[access.imm].offset += static_cast<std::int64_t>(distance_);
    return access;
  }

  // ---- Instructions ----------------------------------------------------------------------------

  void rewrite(BlockId block) {
    block_ = block;
    out_.clear();
    const std::vector<ValueId> old = std::exchange(f_.blocks[block].instructions, {});
    for (const ValueId id : old) {
      f_.work();
      const Value value = f_.values[id];
      source_ = value.source;
      visit(id, value);
    }
    const ValueId terminator = f_.blocks[block].terminator;
    if (terminator != kNoValue) {
      const Value& value = f_.values[terminator];
      source_ = value.source;
      const bool is_switch = value.op == Op::kSwitch;
      if (!value.args.empty())
        check(shadow_[value.args[0]], is_switch ? Reported::kSwitch : Reported::kBranch);
    }
    f_.blocks[block].instructions = std::move(out_);
    out_ = {};
  }

  void visit(ValueId id, const Value& value) {
    switch (value.op) {
      case Op::kUndefined:
        return undefined(id, value);
      case Op::kUndefinePrivate:
        return undefine(id, value);
      case Op::kLoad:
        return load(id, value);
      case Op::kStore:
        return store(id, value);
      case Op::kCopyMemory:
        return copy(id, value);
      case Op::kAsyncCopy:
        return async_copy(id, value);
      case Op::kEnqueueKernel:
      case Op::kEnqueueMarker:
      case Op::kCaptureProfiling:
        return enqueue(id, value);
      default:
        break;
    }
    if (is_atomic(value.op)) return atomic(id, value);
    check_sinks(value);
    out_.push_back(id);
    if (value.op == Op::kAddress || value.op == Op::kTagPointer || value.op == Op::kGenericToSpace)
      follow_address(value, id);
    if (!maybe_[id]) return;
    const Value now = f_.values[id];  // a copy: its shadow's instructions move the values
    shadow_[id] = shadow_of(id, now);
  }

  void check_sinks(const Value& value) {
    if (looks_at_operands(value.op)) return;
    const std::span<const ValueId> args = value.args;
    switch (value.op) {
      case Op::kUDiv:
      case Op::kSDiv:
      case Op::kUMod:
      case Op::kSRem:
      case Op::kSMod:
        return check(shadow_[value.args[1]], Reported::kDivisor);
      case Op::kGroupBroadcast:
      case Op::kGroupShuffle:
        return check(shadow_[value.args[1]], Reported::kOperand);
      case Op::kImageWrite:
        return check_texel(value);
      case Op::kGroupFirst:
      case Op::kCheckTrue:
      case Op::kCheckCopies:
      case Op::kImageAnnounce:
      case Op::kImageSampleAnnounce:
      case Op::kImageBlockAnnounce:
        return;
      default:
        if (!info(value.op).is_pure() || info(value.op).imm == Imm::kImage)
          check_operands(args, Reported::kOperand);
    }
  }

  /// Only the components of a texel for which the image's format has channels are written.
  void check_texel(const Value& write) {
    const ImageOperation operation = ImageOperation::decode(write.imm);
    const std::span<const ValueId> args = write.args;
    check_operands(args.first(operation.first_component()), Reported::kOperand);
    ValueId order = kNoValue, all = kNoValue;
    for (std::size_t c = 0; c < operation.components; ++c) {
      const ValueId shadow = shadow_[args[operation.first_component() + c]];
      if (shadow == kNoValue) continue;
      if (order == kNoValue) order = channel_order(args[0], operation);
      const Kind kind = kind_of(shadow);
      const ValueId orders = f_.constant(Kind::kI32, memory::orders_that_keep(c));
      const ValueId bit = both(make(Op::kShiftRightLogical, Kind::kI32, {orders, order}),
                               f_.constant(Kind::kI32, 1));
      all = either(all, make(Op::kSelect, kind, {any_bit(bit), shadow, zero(kind)}));
    }
    check(all, Reported::kOperand);
  }
  ValueId channel_order(ValueId image, const ImageOperation& operation) {
    ImageQuery order;
    order.what = ImageQuery::What::kOrder;
    order.dimensions = operation.dimensions;
    order.arrayed = operation.arrayed;
    Value value;
    value.op = Op::kImageQuery;
    value.kind = value.from = Kind::kI32;
    value.imm = order.encode();
    value.args = {image, zero(Kind::kI32)};
    return place(std::move(value));
  }

  void undefined(ValueId id, const Value& value) {
    const Kind kind = shadow_kind(value.kind);
    Value source = value;
    source.kind = source.from = kind;
    source.imm = origin({UndefinedOrigin::What::kValue, value.source});
    shadow_[id] = place(std::move(source));
    // The value itself is what the builder chose.
    zeros_.add(id, f_.constant(value.kind, value.imm));
    f_.values[id].block = kNoBlock;
  }

  std::uint64_t origin(UndefinedOrigin origin) {
    f_.undefined_origins.push_back(origin);
    return f_.undefined_origins.size() - 1;
  }

  void undefine(ValueId id, const Value& value) {
    const auto variable = narrow<std::uint32_t>(value.imm);
    f_.values[id].imm2 = static_cast<std::int64_t>(
        origin({UndefinedOrigin::What::kVariable, f_.private_variables[variable].source, variable,
                value.source}));
    f_.values[id].imm = variable + main_count_;
    out_.push_back(id);
  }

  void load(ValueId id, const Value& value) {
    check_operands(value.args, Reported::kAddress);
    out_.push_back(id);
    if (!maybe_[id]) return;
    const MemAccess access = f_.mem[value.imm];
    Value shadow = shadow_access(value);
    shadow.kind = shadow.from = stored_kind(access.kind);
    loaded_[id] = place(std::move(shadow));
    shadow_[id] = as_shadow(loaded_[id], access.kind);
  }
  void store(ValueId id, const Value& value) {
    const MemAccess access = f_.mem[value.imm];
    const std::size_t places = value.args.size() - access.components;
    const std::span<const ValueId> args = value.args;
    check_operands(args.first(places), Reported::kAddress);
    out_.push_back(id);
    ValueId all = kNoValue;
    ValueList stored;
    const Kind kind = stored_kind(access.kind);
    for (std::size_t i = places; i < args.size(); ++i) {
      const ValueId shadow = shadow_[args[i]];
      stored.push_back(shadow == kNoValue ? zero(kind) : in_kind(shadow, kind));
      const StoredPart part = access.stored.empty() ? StoredPart{} : access.stored[i - places];
      if (shadow != kNoValue) all = either(all, looked_at(args[i], stored.back(), part));
    }
    Value shadow = shadow_access(value);
    for (std::size_t i = 0; i < stored.size(); ++i) shadow.args[places + i] = stored[i];
    shadow.from = kind;
    const bool is_seen = access.space == Space::kGlobal || access.space == Space::kGeneric;
    const bool is_checked = all != kNoValue && is_seen && !access.is_part;
    // Accesses that no check looks at get a note all the same.
    f_.mem[shadow.imm].is_checked = is_checked && access.stored.empty();
    place(std::move(shadow));
    if (is_checked) check_stored(value, all);
  }

  /// Bits of a component's shadow that have to be defined; kNoValue: none. Padding and copies of structs need not be.
  ValueId looked_at(ValueId value, ValueId shadow, const StoredPart& part) {
    const Kind kind = kind_of(shadow);
    const std::uint64_t bits = kind_mask(kind) & ~part.padding;
    if (bits == 0 || (part.may_be_copied && is_moved(f_, value))) return kNoValue;
    return bits == kind_mask(kind) ? shadow : both(shadow, f_.constant(kind, bits));
  }

  /// Behind a store, or an atomic that may be one.
  void check_stored(const Value& store, ValueId shadow) {
    const MemAccess& access = f_.mem[store.imm];
    Value check;
    check.op = Op::kCheckStored;
    check.from = kind_of(shadow);
    check.imm = use(Reported::kStore);
    UndefinedUse& stored = f_.undefined_uses.back();
    stored.bytes = access.components * (access.kind == Kind::kBool ? 1 : lane_bytes(access.kind));
    stored.offset = access.offset;
    check.args = {store.args[0], shadow};
    place(std::move(check));
  }

  void copy(ValueId id, const Value& value) {
    const std::span<const ValueId> args = value.args;
    check_operands(args.first(2), Reported::kAddress);
    check(shadow_[value.args[2]], Reported::kSize);
    out_.push_back(id);
    const MemAccess access = f_.mem[value.imm];
    copy_shadow(value.args[0], value.args[1], value.args[2], access);
  }
  void copy_shadow(ValueId target, ValueId source, ValueId bytes, const MemAccess& copied) {
    MemAccess access;
    access.kind = Kind::kI8;
    access.space = has_twin(target) ? Space::kShadow : shadow_space(copied.space);
    access.source_space = has_twin(source) ? Space::kShadow : shadow_space(copied.source_space);
    access.is_robust = copied.is_robust;
    access.is_source_robust = copied.is_source_robust;
    Value shadow;
    shadow.op = Op::kCopyMemory;
    shadow.from = Kind::kI8;
    shadow.args = {shadow_address(target), shadow_address(source), bytes};
    f_.mem.push_back(access);
    shadow.imm = f_.mem.size() - 1;
    place(std::move(shadow));
  }

  void async_copy(ValueId id, const Value& value) {
    const std::span<const ValueId> args = value.args;
    check_operands(args.first(2), Reported::kAddress);
    check_operands(args.subspan(2, 2), Reported::kSize);
    check_operands(args.subspan(4), Reported::kOperand);  // an event to go on with
    out_.push_back(id);
    Value shadow = value;
    MemAccess access = f_.mem[value.imm];
    access.space = shadow_space(access.space);
    access.source_space = shadow_space(access.source_space);
    access.offset = 0;  // --check=sync looks at the copy itself
    access.noted = {narrow<std::uint32_t>(use(Reported::kStore))};
    const bool is_seen = f_.mem[value.imm].space != Space::kWorkgroup;
    f_.undefined_uses.back().bytes =
        is_seen ? access.components - (access.is_padded ? access.components / 4 : 0) : 0;
    shadow.args[0] = shadow_address(value.args[0]);
    shadow.args[1] = shadow_address(value.args[1]);
    shadow.args[4] = id;
    f_.mem.push_back(access);
    shadow.imm = f_.mem.size() - 1;
    place(std::move(shadow));
  }

  /// Memory that an instruction has written: its shadow is copied from nowhere, which gives zeros.
  void define(ValueId address, Space space, ValueId bytes) {
    MemAccess defined;
    defined.space = space;
    defined.source_space = Space::kGeneric;
    copy_shadow(address, zero(Kind::kI64), bytes, defined);
  }

  /// Events and times that device-side enqueue writes.
  void enqueue(ValueId id, const Value& value) {
    check_operands(value.args, Reported::kOperand);
    out_.push_back(id);
    const EnqueueInfo& info = f_.enqueues[value.imm];
    const std::size_t at = value.op == Op::kEnqueueKernel   ? 4
                           : value.op == Op::kEnqueueMarker ? 3
                                                            : 2;
    const std::uint64_t bytes = value.op == Op::kCaptureProfiling ? 16 : info.event_bytes;
    define(value.args[at], static_cast<Space>(info.event_space), f_.constant(Kind::kI64, bytes));
  }

  void atomic(ValueId id, const Value& value) {
    check(shadow_[value.args[0]], Reported::kAddress);
    out_.push_back(id);
    const MemAccess access = f_.mem[value.imm];
    const Kind kind = shadow_kind(access.kind);
    Value shadow = value;
    shadow.kind = value.kind == Kind::kVoid ? Kind::kVoid : kind;
    shadow.from = kind;
    shadow.imm = beside(value.imm, twin_[value.args[0]] != kNoValue);
    shadow.args[0] = shadow_address(value.args[0]);
    for (std::size_t i = 1; i < shadow.args.size(); ++i) {
      const ValueId operand = shadow_[value.args[i]];
      shadow.args[i] = operand == kNoValue ? zero(kind) : operand;
    }
    switch (value.op) {
      case Op::kAtomicLoad:
      case Op::kAtomicStore:
      case Op::kAtomicStoreRelease:
      case Op::kAtomicExchange:
        break;
      case Op::kAtomicCompareExchange:
        return compare_exchange(id, value, shadow);
      default:
        return modify(id, value, shadow);
    }
    const ValueId made = place(std::move(shadow));
    if (value.kind != Kind::kVoid) shadow_[id] = made;
    if (value.args.size() > 1) check_modified(value, shadow_[value.args[1]]);
  }

  void check_modified(const Value& atomic, ValueId shadow) {
    const Space space = f_.mem[atomic.imm].space;
    if (shadow != kNoValue && (space == Space::kGlobal || space == Space::kGeneric))
      check_stored(atomic, shadow);
  }

  /// The shadow of what an atomic found, of which the bits of `kept` stay and those of `added` come to it.
  ValueId modify_shadow(const Value& access, ValueId kept, ValueId added) {
    const Kind kind = access.from;
    ValueId before = kNoValue;
    const auto apply = [&](Op op, ValueId bits) {
      Value each = access;
      each.op = op;
      each.kind = kind;
      each.args = {access.args[0], bits};
      const ValueId made = place(std::move(each));
      if (before == kNoValue) before = made;
    };
    if (kept != kNoValue) apply(Op::kAtomicAnd, kept);
    if (added != kNoValue || kept == kNoValue)
      apply(Op::kAtomicOr, added == kNoValue ? zero(kind) : added);
    return before;
  }

  /// The old bits remain part of the new ones, except those that a defined operand sets or clears.
  /// An undefined result is reported at its use.
  void modify(ValueId id, const Value& value, const Value& access) {
    const ValueId operand = shadow_[value.args[1]];
    ValueId kept = kNoValue;
    if (value.op == Op::kAtomicAnd) kept = value.args[1];
    if (value.op == Op::kAtomicOr) kept = inverse(value.args[1]);
    if (kept != kNoValue) kept = either(kept, operand);
    const ValueId before = modify_shadow(access, kept, operand);
    const ValueId stays = kept == kNoValue ? before : both(before, kept);
    check_modified(value, is_used_[id] ? operand : either(stays, operand));
    shadow_[id] = before;
  }

  /// The memory keeps its value or gets the new one. The comparator has to be defined. If the old value is undefined, so is the outcome.
  void compare_exchange(ValueId id, const Value& value, const Value& access) {
    const Kind kind = access.from;
    const ValueId operand = shadow_[value.args[1]];
    check(shadow_[value.args[2]], Reported::kOperand);
    const ValueId found = modify_shadow(access, kNoValue, kNoValue);
    const ValueId is_known = make(Op::kIEqual, Kind::kBool, {found, zero(kind)}, kind);
    const ValueId done = make(Op::kIEqual, Kind::kBool, {id, value.args[2]}, kind);
    const ValueId kept = make(Op::kSelect, kind, {done, access.args[1], ones(kind)});
    const ValueId given =
        operand == kNoValue ? kNoValue : make(Op::kSelect, kind, {done, operand, zero(kind)});
    const ValueId added =
        either(make(Op::kSelect, kind, {is_known, zero(kind), ones(kind)}), given);
    modify_shadow(access, kept, added);
    check_modified(value, is_used_[id] ? given : added);
    shadow_[id] = found;
  }

  // ---- Phis ------------------------------------------------------------------------------------

  void begin_phi(ValueId phi) {
    Value shadow;
    shadow.op = Op::kPhi;
    shadow.kind = shadow.from = shadow_kind(f_.values[phi].kind);
    shadow.source = f_.values[phi].source;
    shadow.block = f_.values[phi].block;
    const BlockId block = shadow.block;
    shadow_[phi] = f_.add(std::move(shadow));
    f_.blocks[block].phis.push_back(shadow_[phi]);
  }
  void end_phi(ValueId phi) {
    const Kind kind = shadow_kind(f_.values[phi].kind);
    const ValueList incoming = f_.values[phi].args;  // a copy: a zero may be a new value
    ValueList args;
    for (const ValueId arg : incoming)
      args.push_back(shadow_[arg] == kNoValue ? zero(kind) : shadow_[arg]);
    f_.values[shadow_[phi]].args = std::move(args);
  }

  std::vector<ValueId> twin_;  ///< by address in a named private variable: the same in its shadow
  std::vector<bool> maybe_;
  std::vector<bool> is_used_;  ///< by an instruction; what a terminator looks at is checked there
  std::vector<ValueId> pending_;  ///< phis
  Replacements zeros_;            ///< replacements for undefined values
  const std::uint64_t distance_;
  std::uint32_t main_count_ = 0;
};

}  // namespace

void track_undefined(Function& function) {
  remove_unreachable_blocks(function);
  Tracking(function).run();
}

}  // namespace transpire::vm::lir
