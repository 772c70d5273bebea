// Chooses the address form of each access.
#include "vm/emit/memory_selector.h"

#include <bit>
#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::emission {

using lir::Extend;
using lir::MemAccess;
using lir::Space;
using lir::Spread;
using lir::Value;

namespace {

/// Beyond these the engine's span checks could overflow; such an access goes through plain
/// addresses.
constexpr std::int64_t kMaxScale = std::int64_t{1} << 31;
constexpr std::int64_t kMaxStride = std::int64_t{1} << 40;
/// Plans take room in the cache for the whole launch.
constexpr std::size_t kMaxPlans = 16;

HandlerTable::SpaceClass space_class(Space space) {
  const bool is_any =
      space == Space::kPrivate || space == Space::kGeneric || space == Space::kShadow;
  return is_any ? HandlerTable::kAnySpace : HandlerTable::kLinear;
}

std::uint32_t memory_bytes(Kind kind) { return kind == Kind::kBool ? 1 : lane_bytes(kind); }

std::size_t size_class(Kind kind) {
  return static_cast<std::size_t>(std::countr_zero(memory_bytes(kind)));
}

bool in_range(std::int64_t v, std::int64_t limit) { return v > -limit && v < limit; }

/// Accesses that an observer gets lane by lane take the slow path.
Access make_access(const MemAccess& mem, AccessUse use, const LowerOptions& options) {
  Access access;
  access.scale = mem.scale;
  access.offset = mem.offset;
  // Elements of asynchronous copies are bytes, which are not counted.
  access.components =
      use == AccessUse::kRow ? narrow<std::uint16_t>(mem.components) : std::uint16_t{1};
  access.bytes = narrow<std::uint32_t>(std::uint64_t{mem.components} * memory_bytes(mem.kind));
  access.align_mask = narrow<std::uint32_t>(mem.align_bytes == 0 ? 0 : mem.align_bytes - 1);
  const Space source = use == AccessUse::kCopy ? mem.source_space : mem.space;
  const bool by_lane = use == AccessUse::kRow ? options.observed : options.watched();
  const bool no_write = mem.no_write_parameter != 0;
  access.pointer = narrow<std::uint8_t>(
      static_cast<unsigned>(mem.space) | (no_write ? kPointerNoWrite : 0u) |
      (mem.is_texel ? kPointerTexel : 0u) | static_cast<unsigned>(source) << kPointerSourceShift);
  access.is_robust = mem.is_robust ? 1 : 0;
  access.is_source_robust = mem.is_source_robust ? 1 : 0;
  access.stores = no_write || by_lane ? std::uint8_t{0} : memory::spaces_of(mem.space);
  access.loads = by_lane ? std::uint8_t{0} : memory::spaces_of(source);
  return access;
}

}  // namespace

Access* MemorySelector::new_access(const MemAccess& mem, AccessUse use) {
  w_.out.accesses.push_back(make_access(mem, use, w_.options));
  return &w_.out.accesses.back();
}

/// A load or store, with the parts that are reported instead of it if it was merged.
SelectedInst MemorySelector::new_inst(const MemAccess& mem) {
  SelectedInst inst;
  inst.access = new_access(mem);
  inst.site.sharing = mem.sharing;
  inst.first_part = narrow<std::uint32_t>(w_.out.parts.size());
  inst.part_count = narrow<std::uint8_t>(mem.parts.size());
  for (const lir::AccessPart& part : mem.parts) {
    MemAccess one;
    one.kind = mem.kind;
    one.components = part.components;
    one.align_bytes = part.align_bytes;
    one.no_write_parameter = part.no_write_parameter;
    one.space = mem.space;
    one.is_robust = mem.is_robust;
    w_.out.parts.push_back({make_access(one, AccessUse::kRow, w_.options), part.source});
    w_.out.parts.back().access.first_component = narrow<std::uint8_t>(part.first) & 63;
  }
  return inst;
}

/// args[0] + extend(args[1]) * scale + offset as a register of its own.
VReg MemorySelector::address_register(const Value& v, bool has_index, std::int64_t scale,
                                      std::int64_t offset, bool is_scalar) {
  MemAccess mem;
  mem.kind = Kind::kI8;
  mem.scale = scale;
  mem.offset = offset;
  SelectedInst inst;
  inst.access = new_access(mem);
  const auto extend = static_cast<std::size_t>(has_index ? v.extend : Extend::kNone);
  if (is_scalar) {
    inst.run = t_.address_uniform[extend];
    inst.a = registers_.scalar_of(v.args[0]);
    inst.b = has_index ? registers_.scalar_of(v.args[1]) : registers_.zero_scalar();
  } else if (has_index) {
    const bool base_row = value(v.args[0]).spread != Spread::kUniform;
    inst.run = t_.address_rows[base_row ? 1 : 0][extend];
    inst.a = base_row ? registers_.row_of(v.args[0]) : registers_.scalar_of(v.args[0]);
    inst.b = registers_.row_of(v.args[1]);
  } else {
    // Only an offset: the base is the index of a zero base.
    inst.access->scale = 1;
    inst.run = t_.address_rows[0][0];
    inst.a = registers_.zero_scalar();
    inst.b = registers_.row_of(v.args[0]);
  }
  inst.d = registers_.add(Kind::kI64, is_scalar);
  const VReg result = inst.d;
  w_.push_helper(std::move(inst), v, Op::kAddress);
  return result;
}

/// Base and index are both scalars: one address for all lanes, or one a stride apart. Only index
/// rows have a shared part beside them.
MemorySelector::AddressForm MemorySelector::scalar_operands(const Value& v, bool has_index,
                                                            SelectedInst* inst) {
  Access& access = *inst->access;
  const Value& base = value(v.args[0]);
  const std::int64_t base_stride = base.spread == Spread::kAffine ? base.stride : 0;
  std::int64_t index_stride = 0;
  if (has_index && value(v.args[1]).spread == Spread::kAffine)
    index_stride = value(v.args[1]).stride;
  access.index_stride = index_stride;
  access.byte_stride = base_stride + index_stride * access.scale;
  if (has_index && v.extend != Extend::kNone && index_stride != 0) {
    inst->a = registers_.scalar_of(v.args[0]);
    inst->b = registers_.scalar_of(v.args[1]);
    access.zero_extend = v.extend == Extend::kUnsigned32;
    return HandlerTable::kAffine32;
  }
  if (has_index && (v.extend != Extend::kNone || access.byte_stride == 0)) {
    inst->a = address_register(v, true, access.scale, 0, true);
    inst->b = registers_.zero_scalar();
  } else {
    inst->a = registers_.scalar_of(v.args[0]);
    inst->b = has_index ? registers_.scalar_of(v.args[1]) : registers_.zero_scalar();
  }
  return access.byte_stride == 0 ? HandlerTable::kUniformAddress : HandlerTable::kAffine64;
}

/// Adds an instruction to the prologue that makes a plan for accesses like this one.
VReg MemorySelector::new_plan(ValueId index, const Value& v, const Access& access) {
  SelectedInst make;
  make.d = registers_.add(Kind::kI64, false);
  make.run = t_.special_of(Op::kMakePlan, value(index).kind);
  make.a = registers_.row_of(index);
  w_.out.accesses.push_back(access);
  make.access = &w_.out.accesses.back();
  registers_.all[make.a].persistent = true;  // accesses that the plan does not cover read it
  const VReg plan = make.d;
  std::vector<SelectedInst>* const body = std::exchange(w_.body, &w_.out.prologue);
  w_.push_helper(std::move(make), v, Op::kMakePlan);
  w_.body = body;
  return plan;
}

/// An index row of the prologue, whose plan is made there as well: the access adds a shared part,
/// if any. Plans do not serve memory that differs by lane.
bool MemorySelector::planned_operands(const Value& v, ValueId shared, const MemAccess& mem,
                                      SelectedInst* inst) {
  const ValueId index = v.args[1];
  const bool is_local = mem.space == Space::kWorkgroup || mem.space == Space::kShadowWorkgroup;
  const bool differs =
      space_class(mem.space) == HandlerTable::kAnySpace || (is_local && w_.options.packed);
  if (differs || mem.kind == Kind::kBool || !w_.in_prologue[index] || is_scalar(value(index)))
    return false;
  const Access& access = *inst->access;
  const auto key = std::tuple(index, access.scale, access.bytes);
  const auto known = plans_.find(key);
  if (known == plans_.end() && plans_.size() >= kMaxPlans) return false;
  if (known != plans_.end()) {
    inst->c = known->second;
  } else {
    inst->c = plans_[key] = new_plan(index, v, access);
  }
  inst->access->zero_extend = v.extend == Extend::kUnsigned32;
  inst->a = registers_.scalar_of(v.args[0]);
  inst->b = shared != lir::kNoValue ? registers_.scalar_of(shared) : registers_.zero_scalar();
  return true;
}

/// The sum of an index row and what its lanes share.
VReg MemorySelector::sum_register(const Value& v, ValueId shared) {
  const auto kind = static_cast<std::size_t>(value(v.args[1]).kind);
  constexpr Form kScalarRight = 2;
  SelectedInst inst;
  inst.run = t_.simple[static_cast<std::size_t>(Op::kIAdd)][kind][kScalarRight];
  inst.a = registers_.row_of(v.args[1]);
  inst.b = registers_.scalar_of(shared);
  inst.d = registers_.add(value(v.args[1]).kind, false);
  const VReg sum = inst.d;
  w_.push_helper(std::move(inst), v, Op::kIAdd);
  return sum;
}

MemorySelector::AddressForm MemorySelector::address_operands(const Value& v, std::size_t places,
                                                             const MemAccess& mem,
                                                             SelectedInst* inst) {
  Access& access = *inst->access;
  const bool has_index = places > 1;
  const ValueId shared = places > 2 ? v.args[2] : lir::kNoValue;
  const Value& base = value(v.args[0]);
  const bool scalar_index = !has_index || is_scalar(value(v.args[1]));
  const bool sane = in_range(access.scale, kMaxScale);
  if (sane && is_scalar(base) && scalar_index) {
    const bool both_affine = has_index && v.extend != Extend::kNone &&
                             base.spread == Spread::kAffine &&
                             value(v.args[1]).spread == Spread::kAffine;
    const std::int64_t index_stride = has_index ? value(v.args[1]).stride : 0;
    if (!both_affine && in_range(base.stride, kMaxStride) && in_range(index_stride, kMaxScale) &&
        in_range(index_stride * access.scale, kMaxStride))
      return scalar_operands(v, has_index, inst);
  }
  if (sane && has_index && base.spread == Spread::kUniform) {
    if (planned_operands(v, shared, mem, inst))
      return v.extend == Extend::kNone ? HandlerTable::kPlanned64 : HandlerTable::kPlanned32;
    inst->a = registers_.scalar_of(v.args[0]);
    inst->b = shared != lir::kNoValue ? sum_register(v, shared) : registers_.row_of(v.args[1]);
    access.zero_extend = v.extend == Extend::kUnsigned32;
    return v.extend == Extend::kNone ? HandlerTable::kRow64 : HandlerTable::kRow32;
  }
  // An address row of its own.
  inst->a = registers_.zero_scalar();
  inst->b =
      has_index ? address_register(v, true, access.scale, 0, false) : registers_.row_of(v.args[0]);
  access.scale = 1;
  return HandlerTable::kRow64;
}

/// A row of indices into a private variable that is named: valid indexes and their places are known
/// here. The instruction's access then is a PrivateAccess.
bool MemorySelector::private_operands(const Value& v, const MemAccess& mem, AddressForm form,
                                      SelectedInst* inst) {
  const Value& base = value(v.args[0]);
  const bool is_row = form == HandlerTable::kRow32 || form == HandlerTable::kRow64;
  const std::uint64_t first =
      f_.argument_slots - f_.private_variables.size();  // private slots come last
  if (w_.options.observed || !is_row ||
      (mem.space != Space::kPrivate && mem.space != Space::kShadow) || mem.components != 1 ||
      mem.kind == Kind::kBool || base.op != Op::kArgument || base.imm < first || mem.scale <= 0)
    return false;
  if (inst->access->scale != mem.scale) return false;  // a row of whole addresses
  PrivateAccess known{*inst->access};
  known.variable = narrow<std::uint32_t>(base.imm - first);
  const std::uint64_t size = w_.out.private_memory.variables[known.variable].size_bytes;
  const std::uint64_t place = w_.out.private_memory.offsets[known.variable];
  const Access& access = *inst->access;
  const std::int64_t last =
      static_cast<std::int64_t>(size) - static_cast<std::int64_t>(access.bytes);
  if (last < 0 || !in_range(mem.offset, kMaxStride)) return false;
  const auto rounded_up = [&](std::int64_t n) {
    return n <= 0 ? 0 : (n + mem.scale - 1) / mem.scale;
  };
  if (last < mem.offset) return false;
  const std::int64_t high = std::min<std::int64_t>((last - mem.offset) / mem.scale, 0x7fffffff);
  const std::int64_t low = rounded_up(-mem.offset);
  if (high < low) return false;
  // Words are only split where every place is aligned.
  const std::uint64_t align = access.align_mask | (std::min<std::uint64_t>(access.bytes, 4) - 1);
  const std::uint64_t offset_bits = static_cast<std::uint64_t>(mem.offset);
  if (((place & 3) | ((offset_bits | static_cast<std::uint64_t>(mem.scale)) & align)) != 0)
    return false;
  known.start = place + offset_bits;
  known.least = static_cast<std::uint64_t>(low);
  known.more = static_cast<std::uint64_t>(high - low);
  w_.out.private_accesses.push_back(known);
  inst->access = &w_.out.private_accesses.back();
  return true;
}

/// Null if no observer gets the access: private memory belongs to one work-item, and shadows are
/// not the kernel's memory.
Handler MemorySelector::announce_handler(AddressForm form, const MemAccess& mem,
                                         HandlerTable::Announced what) const {
  if (!w_.options.announces_rows() || mem.space == Space::kPrivate || memory::is_shadow(mem.space))
    return nullptr;
  return t_.announce_row[what][form];
}

/// Notes an access to shadows, behind it, with its operands.
void MemorySelector::push_note(Handler run, const SelectedInst& access, const MemAccess& mem,
                               const Value& v) {
  if (mem.noted.empty()) return;
  SelectedInst note;
  note.run = run;
  note.a = access.a;
  note.b = access.b;
  note.c = access.c;
  note.access = access.access;
  note.values = access.values;
  note.site.number = w_.out.undefined_accesses.size();
  w_.out.undefined_accesses.push_back({v.op == Op::kStore, mem.noted});
  w_.push_helper(std::move(note), v, Op::kNoteUndefined);
}

/// Notes the result of an atomic in the same way.
void MemorySelector::note_atomic(const Value& v, const SelectedInst& atomic) {
  const MemAccess& mem = f_.mem[v.imm];
  if (mem.noted.empty()) return;
  MemAccess place = mem;
  place.scale = 1;
  SelectedInst access;
  access.access = new_access(place, AccessUse::kLanes);
  access.a = registers_.zero_scalar();
  access.b = atomic.a;
  access.values.push_back(atomic.d);
  push_note(t_.note_undefined[HandlerTable::kRow64], access, mem, v);
}

void MemorySelector::select_load(ValueId id) {
  const Value& v = value(id);
  if (v.spread == Spread::kUniform) return select_uniform_load(id);
  const MemAccess& mem = f_.mem[v.imm];
  SelectedInst inst = new_inst(mem);
  const AddressForm form = address_operands(v, v.args.size(), mem, &inst);
  const auto space = space_class(mem.space);
  if (private_operands(v, mem, form, &inst)) {
    inst.run = t_.load_private[size_class(mem.kind)][form == HandlerTable::kRow64 ? 1 : 0];
  } else {
    inst.run = mem.kind == Kind::kBool ? t_.load_bool[form][space]
                                       : t_.load[size_class(mem.kind)][form][space];
    inst.site.form = form;
  }
  inst.announce = announce_handler(form, mem, HandlerTable::kAnnouncedLoad);
  inst.values = w_.component_registers(id, mem.components, mem.kind, false);
  inst.defines_values = true;
  w_.push(std::move(inst), v);
  push_note(t_.note_undefined[form], w_.body->back(), mem, v);
}

void MemorySelector::select_uniform_load(ValueId id) {
  const Value& v = value(id);
  const MemAccess& mem = f_.mem[v.imm];
  SelectedInst inst = new_inst(mem);
  inst.a = v.args.size() > 1 ? address_register(v, true, mem.scale, 0, true)
                             : registers_.scalar_of(v.args[0]);
  inst.run = mem.kind == Kind::kBool ? t_.load_uniform_bool : t_.load_uniform[size_class(mem.kind)];
  inst.site.form = kScalarAddress;
  inst.announce =
      announce_handler(HandlerTable::kUniformAddress, mem, HandlerTable::kAnnouncedLoad);
  inst.values = w_.component_registers(id, mem.components, mem.kind, true);
  inst.defines_values = true;
  w_.push(std::move(inst), v);
  push_note(t_.note_uniform_undefined, w_.body->back(), mem, v);
  w_.finish(id);
  const auto found = w_.results_of.find(id);
  if (found == w_.results_of.end()) return;
  for (const auto& [component, result] : found->second) w_.finish(result);
}

void MemorySelector::select_store(ValueId id) {
  const Value& v = value(id);
  const MemAccess& mem = f_.mem[v.imm];
  const std::size_t addresses = v.args.size() - mem.components;
  SelectedInst inst = new_inst(mem);
  const AddressForm form = address_operands(v, addresses, mem, &inst);
  const auto space = space_class(mem.space);
  if (private_operands(v, mem, form, &inst))
    inst.run = t_.store_private[size_class(mem.kind)][form == HandlerTable::kRow64 ? 1 : 0];
  else
    inst.run = mem.kind == Kind::kBool ? t_.store_bool[form][space]
                                       : t_.store[size_class(mem.kind)][form][space];
  inst.announce = announce_handler(form, mem,
                                   mem.kind == Kind::kBool ? HandlerTable::kAnnouncedStoreOfBools
                                                           : HandlerTable::kAnnouncedStore);
  for (std::size_t i = addresses; i < v.args.size(); ++i)
    inst.values.push_back(registers_.row_of(v.args[i]));
  w_.push(std::move(inst), v);
  push_note(t_.note_undefined[form], w_.body->back(), mem, v);
}

void MemorySelector::select_address(ValueId id) {
  const Value& v = value(id);
  const bool scalar = is_scalar(v);
  const VReg made =
      address_register(v, v.args.size() > 1, static_cast<std::int64_t>(v.imm), v.imm2, scalar);
  // The new register is the value's, so the instruction is no helper.
  w_.body->back().helps = false;
  (scalar ? registers_.scalar_of_value : registers_.row_of_value)[id] = made;
  w_.finish(id);
}

}  // namespace transpire::vm::emission
