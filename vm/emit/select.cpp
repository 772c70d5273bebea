// Instruction selection: for each value the handler for the form of its operands, scalar or row.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/narrow.h"
#include "vm/emit/emitter.h"
#include "vm/program/immediates.h"

namespace transpire::vm::emission {

using lir::Spread;
using lir::Value;

namespace {

/// Rows that a prologue keeps take room in the cache for the whole launch.
constexpr std::size_t kMaxPrologue = 64;

constexpr std::size_t at(Op op) { return static_cast<std::size_t>(op); }
constexpr std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

/// The form with the most scalar operands among those that exist and need no more than `wanted`.
Form best_form(const Handler* forms, Form wanted) {
  Form best = kRows;
  int most = 0;
  for (Form form = 1; form < 8; ++form) {
    if ((form & ~wanted) != 0 || forms[form] == nullptr) continue;
    const int scalars = __builtin_popcount(form);
    if (scalars > most) {
      most = scalars;
      best = form;
    }
  }
  return best;
}

}  // namespace

void Emitter::push(LinearBlock& block, Proto proto, const Value& v) {
  proto.site.op = v.op;
  proto.site.source = v.source;
  if (proto.access != nullptr) proto.site.align_bytes = proto.access->align_mask + 1;
  block.body.push_back(std::move(proto));
}

/// Adds an instruction that computes an operand for the form of the value's instruction.
void Emitter::push_helper(LinearBlock& block, Proto proto, const Value& v, Op op) {
  proto.helps = true;
  push(block, std::move(proto), v);
  block.body.back().site.op = op;
}

void Emitter::refuse(const Value& v) {
  if (error_) return;
  error_ = make_diagnostic(Rule::kU0001, fmt::format("no handler for {} on {}", info(v.op).name,
                                                     kind_name(lir::operand_kind(v))));
  error_->word_offset = f_.sources[v.source].word_offset;
  error_->source = f_.module->source_line(f_.sources[v.source].line);
  error_->instruction = decoder::opcode_name(f_.sources[v.source].op);
}

void Emitter::select_block(LinearBlock& block) {
  if (block.block == lir::kNoBlock) return;
  const lir::Block& b = f_.blocks[block.block];
  if (block.block == 0) {
    for (ValueId id = 0; id < f_.values.size(); ++id)
      if (value(id).op == Op::kArgument) finish_value(prologue_, id);
  }
  for (const ValueId phi : b.phis) finish_value(block, phi);
  for (const ValueId id : b.instructions) {
    f_.work();
    in_prologue_[id] = block.block == 0 && prologue_.body.size() < kMaxPrologue && invariant(id);
    select_value(in_prologue_[id] ? prologue_ : block, id);
  }
  select_terminator(block);
}

/// True if the value depends only on arguments, sizes and the lane's place in its group. In
/// observed programs each batch executes everything itself.
bool Emitter::invariant(ValueId id) const {
  if (options_.observed) return false;
  const Value& v = value(id);
  const OpInfo& op = info(v.op);
  if (op.has(kPlaceInGroup) || op.has(kLaunchSize)) return true;
  if (v.op != Op::kAddress && !(is_lane_wise(op.shape) && op.is_pure())) return false;
  return std::all_of(v.args.begin(), v.args.end(), [&](ValueId arg) {
    return in_prologue_[arg] || value(arg).op == Op::kConst || value(arg).op == Op::kArgument;
  });
}

void Emitter::finish_value(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  if (!is_scalar(v)) return;
  Proto proto;
  proto.spread_of = id;
  const bool affine = v.spread == Spread::kAffine;
  proto.run = affine ? t_.affine[at(v.kind)] : t_.spread[at(v.kind)];
  proto.imm = affine ? static_cast<std::uint64_t>(v.stride) : 0;
  push_helper(block, proto, v, affine ? Op::kAffine : Op::kSpread);
}

void Emitter::select_value(LinearBlock& block, ValueId id) {
  if (is_lane_wise(info(value(id).op).shape))
    select_simple(block, id);
  else
    select_special(block, id);
}

void Emitter::select_simple(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const bool scalar = is_scalar(v);
  Proto proto;
  proto.imm = v.imm;
  Form form = scalar ? kUniform : kRows;
  if (info(v.op).shape == Shape::kConvert) {
    proto.run = t_.convert[at(v.op)][at(v.from)][at(v.kind)][scalar ? 1 : 0];
  } else {
    const Handler* forms = t_.simple[at(v.op)][at(lir::operand_kind(v))];
    if (!scalar) {
      Form wanted = 0;
      for (std::size_t i = 0; i < v.args.size() && i < 3; ++i)
        if (value(v.args[i]).spread == Spread::kUniform) wanted |= static_cast<Form>(1u << i);
      form = best_form(forms, wanted);
    }
    proto.run = forms[form];
  }
  if (proto.run == nullptr) return refuse(v);
  VReg* operands[3] = {&proto.a, &proto.b, &proto.c};
  for (std::size_t i = 0; i < v.args.size(); ++i) {
    const bool as_scalar = scalar || (form >> i & 1) != 0;
    *operands[i] = as_scalar ? scalar_of(v.args[i]) : row_of(v.args[i]);
  }
  proto.d = result_register(id);
  push(block, std::move(proto), v);
  finish_value(block, id);
}

void Emitter::select_special(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  switch (v.op) {
    case Op::kLoad:
      return v.spread == Spread::kUniform ? select_uniform_load(block, id) : select_load(block, id);
    case Op::kStore:
      return select_store(block, id);
    case Op::kAddress:
      return select_address(block, id);
    default:
      if (is_image_read(v.op)) return select_image_read(block, id);
      if (info(v.op).shape != Shape::kValue) select_operands(block, id);
  }
}

namespace {

/// The kind by which the handler of a special op is chosen.
Kind special_kind(const lir::Function& f, const Value& v) {
  const OpInfo& op = info(v.op);
  if (op.shape == Shape::kAtomic) return f.mem[v.imm].kind;
  return op.signature.has(Takes::kFrom) ? v.from : v.kind;
}

/// Sets imm, and the values that findings report.
void set_imm(const lir::Function& f, const Value& v, Proto* proto) {
  proto->imm = v.imm;
  if (v.op == Op::kCheckDefined || v.op == Op::kCheckStored) proto->site.elements = v.imm;
  if (v.op == Op::kCheckIndex) proto->site.elements = v.imm;
  if (v.op == Op::kAsyncCopy && !f.mem[v.imm].noted.empty())
    proto->site.elements = f.mem[v.imm].noted.front();
  if (v.op == Op::kWaitEvents) proto->site.align_bytes = WaitOperation::decode(v.imm).event_bytes;
  if (v.op == Op::kEnqueueKernel || v.op == Op::kEnqueueMarker)
    proto->site.align_bytes = f.enqueues[v.imm].event_bytes;
  if (v.op == Op::kCaptureProfiling) proto->site.align_bytes = EnqueueInfo::kTimeBytes;
  if (info(v.op).imm != Imm::kRuleCheck) return;
  const RuleCheck check = RuleCheck::decode(v.imm);
  proto->imm = RuleCheck{check.rule}.encode();
  proto->site.remark = check.remark;
}

}  // namespace

/// Sets the operands that a finding of the check reports: they stay where they are, scalars or
/// rows, until it was executed.
void Emitter::set_told(const Value& v, Proto* proto) {
  Site& site = proto->site;
  if (v.op == Op::kCheckDivide || v.op == Op::kCheckShift) {
    const bool is_divide = v.op == Op::kCheckDivide;
    proto->told = {v.args.front(), v.args.back()};
    // The amount of a shift is unsigned.
    if (v.imm != 0) site.signed_told = is_divide ? 0b11 : 0b01;
  } else if (v.op == Op::kCheckNot) {
    const RuleCheck check = RuleCheck::decode(v.imm);
    proto->told = ValueList(v.args.begin() + 1, v.args.end());
    site.told_components = check.components;
    site.signed_told = check.signed_told;
  }
  for (const ValueId id : proto->told)
    if (value(id).op != Op::kConst) result_register(id);
}

/// Findings of an image access report its coordinates, and without a sampler also level and sample.
/// These are rows in any case.
void Emitter::tell_coordinates(const Value& v, Proto* proto) {
  if (info(v.op).imm != Imm::kImage) return;
  const ImageOperation operation = ImageOperation::decode(v.imm);
  const std::uint32_t last =
      operation.handles_two ? operation.first_detail() : operation.first_component();
  proto->told_values = narrow<std::uint8_t>(last - operation.handles());
}

/// The strides of a check of two addresses or sizes whose operands are scalars, if the check has a
/// handler for scalars.
std::optional<std::array<std::int32_t, 2>> Emitter::strides_of(const Value& v) const {
  if (!looks_at_operands(v.op) || v.args.size() != 2 ||
      t_.special_of(v.op, special_kind(f_, v), true) == nullptr)
    return std::nullopt;
  std::array<std::int32_t, 2> strides{};
  for (std::size_t i = 0; i < v.args.size(); ++i) {
    const Value& operand = value(v.args[i]);
    if (operand.spread == Spread::kVarying) return std::nullopt;
    const std::int64_t stride = operand.spread == Spread::kAffine ? operand.stride : 0;
    if (!std::in_range<std::int32_t>(stride)) return std::nullopt;
    strides[i] = narrow<std::int32_t>(stride);
  }
  return strides;
}

/// Special ops whose operands are rows, or scalars where the op has a handler for these.
void Emitter::select_operands(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const OpInfo& op = info(v.op);
  const Kind kind = special_kind(f_, v);
  Proto proto;
  proto.strides = strides_of(v);
  const bool in_scalars = looks_at_operands(v.op)
                              ? proto.strides.has_value()
                              : is_scalar(v) && t_.special_of(v.op, kind, true) != nullptr;
  proto.run = t_.special_of(v.op, kind, in_scalars);
  if (proto.run == nullptr) return refuse(v);
  set_imm(f_, v, &proto);
  set_told(v, &proto);
  tell_coordinates(v, &proto);
  if (op.imm == Imm::kAccess || op.imm == Imm::kCopy)
    proto.access =
        new_access(f_.mem[v.imm], op.imm == Imm::kCopy ? AccessUse::kCopy : AccessUse::kLanes);
  proto.is_list = op.shape == Shape::kList;
  VReg* const operands[3] = {&proto.a, &proto.b, &proto.c};
  const std::size_t count = proto.told.empty() ? v.args.size() : std::size_t{op.signature.count};
  for (std::size_t i = 0; i < count; ++i) {
    const VReg reg = in_scalars ? scalar_of(v.args[i]) : row_of(v.args[i]);
    if (proto.is_list)
      proto.values.push_back(reg);
    else
      *operands[i] = reg;
  }
  if (v.kind == Kind::kVoid) return push(block, std::move(proto), v);
  if (!is_scalar(v) || in_scalars) {
    proto.d = result_register(id);
    push(block, proto, v);
    if (is_atomic(v.op)) note_atomic(block, v, proto);
    return finish_value(block, id);
  }
  proto.d = new_register(v.kind, false);
  Proto take;
  take.run = t_.special_of(Op::kFirstLane, v.kind);
  assert(take.run != nullptr);  // no such op gives a bool
  take.a = proto.d;
  take.d = scalar_of(id);
  push(block, std::move(proto), v);
  push_helper(block, take, v, Op::kFirstLane);
  finish_value(block, id);
}

/// The results are rows, because texels may change from one work-item to the next.
void Emitter::select_image_read(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  Proto proto;
  proto.run = t_.special_of(v.op, v.kind);
  if (proto.run == nullptr) return refuse(v);
  set_imm(f_, v, &proto);
  tell_coordinates(v, &proto);
  proto.is_list = true;
  for (const ValueId arg : v.args) proto.values.push_back(row_of(arg));
  proto.results = component_registers(id, lir::result_components(f_, v), v.kind, false);
  push(block, std::move(proto), v);
}

void Emitter::select_terminator(LinearBlock& block) {
  const Value& v = value(block.terminator);
  block.source = v.source;
  if (v.op != Op::kBranchConditional && v.op != Op::kSwitch) return;
  const ValueId condition = v.args[0];
  block.condition_is_scalar = value(condition).spread == Spread::kUniform;
  block.condition = block.condition_is_scalar ? scalar_of(condition) : row_of(condition);
}

}  // namespace transpire::vm::emission
