// Instruction selection: for each value the handler of the form that its operands have, scalar or
// row.
#include <fmt/format.h>

#include <algorithm>

#include "vm/emit/emitter.h"

namespace transpire::vm::emission {

using lir::Spread;
using lir::Value;

namespace {

/// Rows that a prologue keeps take room in the cache for the whole launch.
constexpr std::size_t kMaxPrologue = 64;

constexpr std::size_t at(Op op) { return static_cast<std::size_t>(op); }
constexpr std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

/// The kind by which simple handlers are chosen.
Kind operand_kind(const Value& v) {
  switch (info(v.op).shape) {
    case Shape::kCompare:
    case Shape::kTest:
    case Shape::kFloatInt:
      return v.from;
    case Shape::kMask:
      return Kind::kBool;
    default:
      return v.kind;
  }
}

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
  proto.source = v.source;
  block.body.push_back(std::move(proto));
}

void Emitter::push_helper(LinearBlock& block, Proto proto, const Value& v) {
  proto.helps = true;
  push(block, std::move(proto), v);
}

void Emitter::refuse(const Value& v) {
  if (error_) return;
  error_ = make_diagnostic(Rule::kU0001, fmt::format("no handler for {} on {}", info(v.op).name,
                                                     kind_name(operand_kind(v))));
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

/// Whether the value depends on nothing but arguments, sizes and the lane's place in its group. Of what is
/// observed each batch executes everything itself.
bool Emitter::invariant(ValueId id) const {
  if (options_.observed) return false;
  const Value& v = value(id);
  switch (v.op) {
    case Op::kLocalId:
    case Op::kLocalLinearId:
    case Op::kNumGroups:
    case Op::kGlobalSize:
    case Op::kLocalSize:
    case Op::kEnqueuedLocalSize:
    case Op::kGlobalOffset:
    case Op::kWorkDim:
      return true;
    case Op::kAddress:
      break;
    default:
      if (info(v.op).shape == Shape::kSpecial || info(v.op).flags > kCommutative) return false;
  }
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
  push_helper(block, proto, v);
}

void Emitter::select_value(LinearBlock& block, ValueId id) {
  if (info(value(id).op).shape == Shape::kSpecial) {
    select_special(block, id);
  } else {
    select_simple(block, id);
  }
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
    const Handler* forms = t_.simple[at(v.op)][at(operand_kind(v))];
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
    case Op::kConst:
    case Op::kArgument:
    case Op::kPhi:
    case Op::kResult:
      return;
    case Op::kLoad:
      return v.spread == Spread::kUniform ? select_uniform_load(block, id) : select_load(block, id);
    case Op::kStore:
      return select_store(block, id);
    case Op::kAddress:
      return select_address(block, id);
    case Op::kPrintf:
      return select_printf(block, id);
    case Op::kControlBarrier: {
      Proto proto;
      proto.run = t_.barrier;
      return push(block, proto, v);
    }
    default:
      break;
  }
  if (v.op >= Op::kExactDot && v.op <= Op::kExactSmoothstep) return select_list(block, id);
  if (t_.builtin[at(v.op)][0] != nullptr) return select_builtin(block, id);
  select_lanewise(block, id);
}

void Emitter::select_builtin(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  Proto proto;
  proto.run = t_.builtin[at(v.op)][is_scalar(v) ? 1 : 0];
  proto.d = result_register(id);
  proto.imm = v.imm;
  push(block, proto, v);
  finish_value(block, id);
}

/// Atomics, copies, lifetimes, checks: row operands, handlers by kind.
void Emitter::select_lanewise(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  Proto proto;
  proto.imm = v.imm;
  Kind kind = v.kind;
  const bool atomic = v.op >= Op::kAtomicLoad && v.op <= Op::kAtomicFMax;
  if (atomic || v.op == Op::kCopyMemory || v.op == Op::kAsyncCopy) {
    proto.access = new_access(f_.mem[v.imm], !atomic);
    if (atomic) kind = f_.mem[v.imm].kind;
  } else if (v.op == Op::kCheckDivide || v.op == Op::kCheckShift || v.op == Op::kCheckIndex) {
    kind = value(v.args[0]).kind;
  } else if (v.op == Op::kRecordResult) {
    kind = v.from;
  } else if (v.op == Op::kCopy) {
    proto.run = t_.masked_copy[at(kind)];
  }
  if (v.op != Op::kCopy) proto.run = t_.special[at(v.op)][at(kind)];
  if (proto.run == nullptr) return refuse(v);
  VReg* operands[3] = {&proto.a, &proto.b, &proto.c};
  for (std::size_t i = 0; i < v.args.size() && i < 3; ++i) *operands[i] = row_of(v.args[i]);
  for (std::size_t i = 3; i < v.args.size(); ++i) proto.values.push_back(row_of(v.args[i]));
  if (v.kind == Kind::kVoid) {
    if (atomic) proto.d = new_register(kind, false);  // a store's handler has no result to write
    return push(block, std::move(proto), v);
  }
  if (!is_scalar(v)) {
    proto.d = row_of(id);
    return push(block, std::move(proto), v);
  }
  proto.d = new_register(v.kind, false);
  Proto take;
  take.run = t_.first_lane[at(v.kind)];
  take.a = proto.d;
  take.d = scalar_of(id);
  push(block, std::move(proto), v);
  push_helper(block, take, v);
  finish_value(block, id);
}

/// The ops of extinst/exact.def; see HandlerTable::list. In scalars where the result is one.
void Emitter::select_list(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  const bool scalar = is_scalar(v);
  Proto proto;
  proto.run = t_.list[at(v.op) - at(Op::kExactDot)][at(v.kind)][scalar ? 1 : 0];
  if (proto.run == nullptr) return refuse(v);
  proto.is_list = true;
  proto.imm = v.imm;
  for (const ValueId arg : v.args) proto.values.push_back(scalar ? scalar_of(arg) : row_of(arg));
  proto.d = result_register(id);
  push(block, std::move(proto), v);
  finish_value(block, id);
}

void Emitter::select_printf(LinearBlock& block, ValueId id) {
  const Value& v = value(id);
  Proto proto;
  proto.run = t_.special[at(Op::kPrintf)][at(Kind::kI32)];
  proto.is_printf = true;
  proto.imm = program_->printfs.size();
  program_->printfs.push_back({f_.printfs[v.imm], {}});
  for (const ValueId arg : v.args) proto.values.push_back(row_of(arg));
  proto.d = row_of(id);
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
