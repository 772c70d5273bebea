// Selection of loads, stores and address arithmetic, with the address form of each access.
#include <bit>

#include "base/narrow.h"
#include "vm/emit/emitter.h"

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

}  // namespace

/// Appends the parts of merged accesses, which are reported instead of them, behind the code that
/// runs.
void Emitter::append_parts(const Proto& proto) {
  if (proto.merged == nullptr) return;
  proto.access->part_count = narrow<std::uint8_t>(proto.merged->parts.size());
  parts_of_.emplace_back(proto.access, program_->code.size());
  for (const lir::AccessPart& part : proto.merged->parts) {
    MemAccess mem;
    mem.kind = proto.merged->kind;
    mem.components = part.components;
    mem.align_bytes = part.align_bytes;
    mem.no_write_parameter = part.no_write_parameter;
    mem.space = proto.merged->space;
    Access* access = new_access(mem);
    access->first_component = narrow<std::uint8_t>(part.first);
    Inst inst{};
    inst.run = t_.special_of(Op::kUnreachable);
    inst.access = access;
    Site site = proto.site;
    site.source = part.source;
    site.align_bytes = access->align_mask + 1;
    append(inst, site);
  }
}

/// Accesses that an observer gets lane by lane take the slow path.
Access* Emitter::new_access(const MemAccess& mem, AccessUse use) {
  Access access;
  access.scale = mem.scale;
  access.offset = mem.offset;
  // Elements of asynchronous copies are bytes, which are not counted.
  access.components =
      use == AccessUse::kRow ? narrow<std::uint16_t>(mem.components) : std::uint16_t{1};
  access.bytes = narrow<std::uint32_t>(std::uint64_t{mem.components} * memory_bytes(mem.kind));
  access.align_mask = narrow<std::uint32_t>(mem.align_bytes == 0 ? 0 : mem.align_bytes - 1);
  const Space source = use == AccessUse::kCopy ? mem.source_space : mem.space;
  const bool by_lane = use == AccessUse::kRow ? options_.observed : options_.watched();
  const bool no_write = mem.no_write_parameter != 0;
  access.pointer =
      narrow<std::uint8_t>(static_cast<unsigned>(mem.space) | (no_write ? kPointerNoWrite : 0u) |
                           static_cast<unsigned>(source) << kPointerSourceShift);
  access.stores = no_write || by_lane ? std::uint8_t{0} : memory::spaces_of(mem.space);
  access.loads = by_lane ? std::uint8_t{0} : memory::spaces_of(source);
  program_->accesses.push_back(access);
  return &program_->accesses.back();
}

/// args[0] + extend(args[1]) * scale + offset as a register of its own.
VReg Emitter::address_register(LinearBlock& block, const Value& v, bool has_index,
                               std::int64_t scale, std::int64_t offset, bool is_scalar) {
  MemAccess mem;
  mem.kind = Kind::kI8;
  mem.scale = scale;
  mem.offset = offset;
  Proto proto;
  proto.access = new_access(mem);
  const auto extend = static_cast<std::size_t>(has_index ? v.extend : Extend::kNone);
  if (is_scalar) {
    proto.run = t_.address_uniform[extend];
    proto.a = scalar_of(v.args[0]);
    proto.b = has_index ? scalar_of(v.args[1]) : zero_scalar();
  } else if (has_index) {
    const bool base_row = value(v.args[0]).spread != Spread::kUniform;
    proto.run = t_.address_rows[base_row ? 1 : 0][extend];
    proto.a = base_row ? row_of(v.args[0]) : scalar_of(v.args[0]);
    proto.b = row_of(v.args[1]);
  } else {
    // Only an offset: the base is the index of a zero base.
    proto.access->scale = 1;
    proto.run = t_.address_rows[0][0];
    proto.a = zero_scalar();
    proto.b = row_of(v.args[0]);
  }
  proto.d = new_register(Kind::kI64, is_scalar);
  const VReg result = proto.d;
  push_helper(block, std::move(proto), v, Op::kAddress);
  return result;
}

/// Base and index are both scalars: one address for all lanes, or one a stride apart. Only index
/// rows have a shared part beside them.
Emitter::AddressForm Emitter::scalar_operands(LinearBlock& block, const Value& v, bool has_index,
                                              Proto* proto) {
  Access& access = *proto->access;
  const Value& base = value(v.args[0]);
  const std::int64_t base_stride = base.spread == Spread::kAffine ? base.stride : 0;
  std::int64_t index_stride = 0;
  if (has_index && value(v.args[1]).spread == Spread::kAffine)
    index_stride = value(v.args[1]).stride;
  access.index_stride = index_stride;
  access.byte_stride = base_stride + index_stride * access.scale;
  if (has_index && v.extend != Extend::kNone && index_stride != 0) {
    proto->a = scalar_of(v.args[0]);
    proto->b = scalar_of(v.args[1]);
    access.zero_extend = v.extend == Extend::kUnsigned32;
    return HandlerTable::kAffine32;
  }
  if (has_index && (v.extend != Extend::kNone || access.byte_stride == 0)) {
    proto->a = address_register(block, v, true, access.scale, 0, true);
    proto->b = zero_scalar();
  } else {
    proto->a = scalar_of(v.args[0]);
    proto->b = has_index ? scalar_of(v.args[1]) : zero_scalar();
  }
  return access.byte_stride == 0 ? HandlerTable::kUniformAddress : HandlerTable::kAffine64;
}

/// An index row of the prologue, whose plan is made there as well: the access adds a shared part,
/// if any. Plans do not serve memory that differs by lane.
bool Emitter::planned_operands(const Value& v, ValueId shared, const MemAccess& mem, Proto* proto) {
  const ValueId index = v.args[1];
  const bool is_local = mem.space == Space::kWorkgroup || mem.space == Space::kShadowWorkgroup;
  const bool differs =
      space_class(mem.space) == HandlerTable::kAnySpace || (is_local && options_.packed);
  if (differs || mem.kind == Kind::kBool || !in_prologue_[index] || is_scalar(value(index)))
    return false;
  const Access& access = *proto->access;
  const auto key = std::tuple(index, access.scale, access.bytes);
  const auto known = plans_.find(key);
  if (known == plans_.end() && plans_.size() >= kMaxPlans) return false;
  if (known != plans_.end()) {
    proto->c = known->second;
  } else {
    proto->c = plans_[key] = new_register(Kind::kI64, false);
    Proto make;
    make.run = t_.special_of(Op::kMakePlan, value(index).kind);
    make.a = row_of(index);
    make.d = proto->c;
    program_->accesses.push_back(access);
    make.access = &program_->accesses.back();
    registers_[make.a].persistent = true;  // accesses that the plan does not cover read it
    push_helper(prologue_, std::move(make), v, Op::kMakePlan);
  }
  proto->access->zero_extend = v.extend == Extend::kUnsigned32;
  proto->a = scalar_of(v.args[0]);
  proto->b = shared != lir::kNoValue ? scalar_of(shared) : zero_scalar();
  return true;
}

/// The sum of an index row and what its lanes share.
VReg Emitter::sum_register(LinearBlock& block, const Value& v, ValueId shared) {
  const auto kind = static_cast<std::size_t>(value(v.args[1]).kind);
  constexpr Form kScalarRight = 2;
  Proto proto;
  proto.run = t_.simple[static_cast<std::size_t>(Op::kIAdd)][kind][kScalarRight];
  proto.a = row_of(v.args[1]);
  proto.b = scalar_of(shared);
  proto.d = new_register(value(v.args[1]).kind, false);
  const VReg sum = proto.d;
  push_helper(block, std::move(proto), v, Op::kIAdd);
  return sum;
}

Emitter::AddressForm Emitter::address_operands(LinearBlock& block, const Value& v,
                                               std::size_t places, const MemAccess& mem,
                                               Proto* proto) {
  Access& access = *proto->access;
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
      return scalar_operands(block, v, has_index, proto);
  }
  if (sane && has_index && base.spread == Spread::kUniform) {
    if (planned_operands(v, shared, mem, proto))
      return v.extend == Extend::kNone ? HandlerTable::kPlanned64 : HandlerTable::kPlanned32;
    proto->a = scalar_of(v.args[0]);
    proto->b = shared != lir::kNoValue ? sum_register(block, v, shared) : row_of(v.args[1]);
    access.zero_extend = v.extend == Extend::kUnsigned32;
    return v.extend == Extend::kNone ? HandlerTable::kRow64 : HandlerTable::kRow32;
  }
  // An address row of its own.
  proto->a = zero_scalar();
  proto->b =
      has_index ? address_register(block, v, true, access.scale, 0, false) : row_of(v.args[0]);
  access.scale = 1;
  return HandlerTable::kRow64;
}

/// A row of indices into a private variable that is named: valid indexes and their places are known
/// here. The proto's access then is a PrivateAccess.
bool Emitter::private_operands(const Value& v, const MemAccess& mem, AddressForm form,
                               Proto* proto) {
  const Value& base = value(v.args[0]);
  const bool is_row = form == HandlerTable::kRow32 || form == HandlerTable::kRow64;
  const std::uint64_t first =
      f_.argument_slots - f_.private_variables.size();  // private slots come last
  if (options_.observed || !is_row ||
      (mem.space != Space::kPrivate && mem.space != Space::kShadow) || mem.components != 1 ||
      mem.kind == Kind::kBool || base.op != Op::kArgument || base.imm < first || mem.scale <= 0)
    return false;
  if (proto->access->scale != mem.scale) return false;  // a row of whole addresses
  PrivateAccess known{*proto->access};
  known.variable = narrow<std::uint32_t>(base.imm - first);
  const std::uint64_t size = program_->private_variables[known.variable].size_bytes;
  const std::uint64_t place = program_->private_offsets[known.variable];
  const Access& access = *proto->access;
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
  program_->private_accesses.push_back(known);
  proto->access = &program_->private_accesses.back();
  return true;
}

InlineList<VReg> Emitter::component_registers(ValueId load, std::uint32_t components, Kind kind,
                                              bool scalar) {
  InlineList<VReg> registers(components, kNoReg);
  registers[0] = scalar ? scalar_of(load) : row_of(load);
  const auto found = results_of_load_.find(load);
  if (found != results_of_load_.end()) {
    for (const auto& [component, id] : found->second)
      registers[component] = scalar ? scalar_of(id) : row_of(id);
  }
  for (VReg& reg : registers)
    if (reg == kNoReg) reg = new_register(kind, scalar);  // a component that nobody reads
  return registers;
}

/// Null if no observer gets the access: private memory belongs to one work-item, and shadows are
/// not the kernel's memory.
Handler Emitter::tell_handler(AddressForm form, const MemAccess& mem,
                              HandlerTable::Told told) const {
  if (!options_.tells_rows() || mem.space == Space::kPrivate || memory::is_shadow(mem.space))
    return nullptr;
  return t_.tell_row[told][form];
}

/// Notes an access to shadows, behind it, with its operands.
void Emitter::push_note(LinearBlock& block, Handler run, const Proto& access, const MemAccess& mem,
                        const Value& v) {
  if (mem.noted.empty()) return;
  Proto note;
  note.run = run;
  note.a = access.a;
  note.b = access.b;
  note.c = access.c;
  note.access = access.access;
  note.values = access.values;
  note.site.elements = program_->undefined_accesses.size();
  program_->undefined_accesses.push_back({v.op == Op::kStore, mem.noted});
  push_helper(block, std::move(note), v, Op::kNoteUndefined);
}

/// Notes the result of an atomic in the same way.
void Emitter::note_atomic(LinearBlock& block, const Value& v, const Proto& atomic) {
  const MemAccess& mem = f_.mem[v.imm];
  if (mem.noted.empty()) return;
  MemAccess place = mem;
  place.scale = 1;
  Proto access;
  access.access = new_access(place, AccessUse::kLanes);
  access.a = zero_scalar();
  access.b = atomic.a;
  access.values.push_back(atomic.d);
  push_note(block, t_.note_undefined[HandlerTable::kRow64], access, mem, v);
}

void Emitter::select_load(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const MemAccess& mem = f_.mem[v.imm];
  Proto proto;
  proto.access = new_access(mem);
  if (!mem.parts.empty()) proto.merged = &mem;
  const AddressForm form = address_operands(block, v, v.args.size(), mem, &proto);
  const auto space = space_class(mem.space);
  if (private_operands(v, mem, form, &proto))
    proto.run = t_.load_private[size_class(mem.kind)][form == HandlerTable::kRow64 ? 1 : 0];
  else
    proto.run = mem.kind == Kind::kBool ? t_.load_bool[form][space]
                                        : t_.load[size_class(mem.kind)][form][space];
  proto.tell = tell_handler(form, mem, HandlerTable::kToldLoad);
  proto.values = component_registers(id, mem.components, mem.kind, false);
  proto.defines_values = true;
  push(block, proto, v);
  push_note(block, t_.note_undefined[form], proto, mem, v);
}

void Emitter::select_uniform_load(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const MemAccess& mem = f_.mem[v.imm];
  Proto proto;
  proto.access = new_access(mem);
  if (!mem.parts.empty()) proto.merged = &mem;
  proto.a = v.args.size() > 1 ? address_register(block, v, true, mem.scale, 0, true)
                              : scalar_of(v.args[0]);
  proto.run =
      mem.kind == Kind::kBool ? t_.load_uniform_bool : t_.load_uniform[size_class(mem.kind)];
  proto.tell = tell_handler(HandlerTable::kUniformAddress, mem, HandlerTable::kToldLoad);
  proto.values = component_registers(id, mem.components, mem.kind, true);
  proto.defines_values = true;
  push(block, proto, v);
  push_note(block, t_.note_uniform_undefined, proto, mem, v);
  finish_value(block, id);
  const auto found = results_of_load_.find(id);
  if (found == results_of_load_.end()) return;
  for (const auto& [component, result] : found->second) finish_value(block, result);
}

void Emitter::select_store(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const MemAccess& mem = f_.mem[v.imm];
  const std::size_t addresses = v.args.size() - mem.components;
  Proto proto;
  proto.access = new_access(mem);
  if (!mem.parts.empty()) proto.merged = &mem;
  const AddressForm form = address_operands(block, v, addresses, mem, &proto);
  const auto space = space_class(mem.space);
  if (private_operands(v, mem, form, &proto))
    proto.run = t_.store_private[size_class(mem.kind)][form == HandlerTable::kRow64 ? 1 : 0];
  else
    proto.run = mem.kind == Kind::kBool ? t_.store_bool[form][space]
                                        : t_.store[size_class(mem.kind)][form][space];
  proto.tell = tell_handler(
      form, mem,
      mem.kind == Kind::kBool ? HandlerTable::kToldStoreOfBools : HandlerTable::kToldStore);
  for (std::size_t i = addresses; i < v.args.size(); ++i) proto.values.push_back(row_of(v.args[i]));
  push(block, proto, v);
  push_note(block, t_.note_undefined[form], proto, mem, v);
}

void Emitter::select_address(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const bool scalar = is_scalar(v);
  const VReg made = address_register(block, v, v.args.size() > 1, static_cast<std::int64_t>(v.imm),
                                     v.imm2, scalar);
  // The new register is the value's, so the instruction is no helper.
  block.body.back().helps = false;
  (scalar ? scalar_of_value_ : row_of_value_)[id] = made;
  finish_value(block, id);
}

}  // namespace transpire::vm::emission
