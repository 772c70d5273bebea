// Chooses handlers block by block, and moves what every group repeats into the prologue.
#include "vm/emit/select.h"

#include <algorithm>
#include <cassert>

#include "base/narrow.h"
#include "vm/emit/debug_info.h"
#include "vm/emit/memory_selector.h"
#include "vm/lir/budget.h"
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

/// The kind by which the handler of a special op is chosen.
Kind special_kind(const lir::Function& f, const Value& v) {
  const OpInfo& op = info(v.op);
  if (op.shape == Shape::kAtomic) return f.mem[v.imm].kind;
  return op.signature.has(Takes::kFrom) ? v.from : v.kind;
}

/// Sets imm, and the values that findings report.
void set_imm(const lir::Function& f, const Value& v, SelectedInst* inst) {
  inst->imm = v.imm;
  if (v.op == Op::kCheckDefined || v.op == Op::kCheckStored) inst->site.number = v.imm;
  if (v.op == Op::kCheckIndex || v.op == Op::kLifetimeStart || v.op == Op::kLifetimeStop ||
      v.op == Op::kAnnounceOrder)
    inst->site.number = v.imm;
  if (is_atomic(v.op)) inst->site.form = kAddressRow;
  if (v.op == Op::kAsyncCopy && !f.mem[v.imm].noted.empty())
    inst->site.number = f.mem[v.imm].noted.front();
  if (v.op == Op::kWaitEvents) inst->site.align_bytes = WaitOperation::decode(v.imm).event_bytes;
  if (v.op == Op::kEnqueueKernel || v.op == Op::kEnqueueMarker)
    inst->site.align_bytes = f.enqueues[v.imm].event_bytes;
  if (v.op == Op::kCaptureProfiling) inst->site.align_bytes = EnqueueInfo::kTimeBytes;
  if (info(v.op).imm != Imm::kRuleCheck) return;
  const RuleCheck check = RuleCheck::decode(v.imm);
  inst->imm = RuleCheck{check.rule}.encode();
  inst->site.remark = check.remark;
}

/// Findings of an image access report its coordinates, and without a sampler also level and sample.
/// These are rows in any case. Races may be of images that the kernel may write.
void announce_image(const Value& v, SelectedInst* inst) {
  if (info(v.op).imm != Imm::kImage) return;
  const ImageOperation operation = ImageOperation::decode(v.imm);
  const std::uint32_t last =
      operation.handles_two ? operation.first_detail() : operation.first_component();
  inst->reported_values = narrow<std::uint8_t>(last - operation.handles());
  inst->site.may_race = operation.may_race;
}

class Selector {
 public:
  Selector(const Input& input, const LinearOrder& order, Selection* selection)
      : w_(input, selection),
        memory_(&w_),
        f_(input.function),
        t_(input.handlers),
        order_(order),
        out_(*selection),
        registers_(selection->registers) {}

  std::optional<Diagnostic> run();

 private:
  const Value& value(ValueId id) const { return f_.values[id]; }
  void select_block(std::size_t number);
  bool invariant(ValueId id) const;
  void select_value(ValueId id);
  void select_simple(ValueId id);
  void select_special(ValueId id);
  void select_operands(ValueId id);
  std::optional<std::array<std::int32_t, 2>> strides_of(const Value& v) const;
  void set_reported(const Value& v, SelectedInst* inst);
  void select_components(ValueId id);
  void select_terminator(ValueId id, SelectedBlock* block);
  void place_rows(std::vector<SelectedInst>* body);

  SelectionWriter w_;
  MemorySelector memory_;
  const lir::Function& f_;
  const HandlerTable& t_;
  const LinearOrder& order_;
  Selection& out_;
  Registers& registers_;
};

}  // namespace

std::optional<Diagnostic> Selector::run() {
  for (std::size_t n = 0; n < order_.blocks.size(); ++n)
    if (order_.blocks[n].block != lir::kNoBlock) select_block(n);
  if (w_.error) return std::move(w_.error);
  if (w_.options.keeps_values()) keep_values(f_, &out_);
  place_rows(&out_.prologue);
  for (SelectedBlock& block : out_.blocks) place_rows(&block.body);
  for (const LinearBlock& block : order_.blocks)
    for (const EdgeCopy& copy : block.copies) {
      registers_.result_of(copy.phi);
      registers_.result_of(copy.value);
    }
  return std::nullopt;
}

void Selector::select_block(std::size_t number) {
  const BlockId block = order_.blocks[number].block;
  const lir::Block& b = f_.blocks[block];
  if (block == 0) {
    w_.body = &out_.prologue;
    for (ValueId id = 0; id < f_.values.size(); ++id)
      if (value(id).op == Op::kArgument) w_.finish(id);
  }
  w_.body = &out_.blocks[number].body;
  for (const ValueId phi : b.phis) w_.finish(phi);
  for (const ValueId id : b.instructions) {
    f_.work();
    w_.in_prologue[id] = block == 0 && out_.prologue.size() < kMaxPrologue && invariant(id);
    w_.body = w_.in_prologue[id] ? &out_.prologue : &out_.blocks[number].body;
    select_value(id);
  }
  select_terminator(b.terminator, &out_.blocks[number]);
}

/// Removes rows beside scalars that no instruction wants, and gives the others their registers.
void Selector::place_rows(std::vector<SelectedInst>* body) {
  std::erase_if(*body, [&](const SelectedInst& inst) {
    return inst.spread_of != lir::kNoValue && registers_.row_of_value[inst.spread_of] == kNoReg;
  });
  for (SelectedInst& inst : *body) {
    if (inst.spread_of == lir::kNoValue) continue;
    inst.d = registers_.row_of(inst.spread_of);
    inst.a = registers_.scalar_of(inst.spread_of);
  }
}

/// True if the value depends only on arguments, sizes and the lane's place in its group. In
/// observed programs each batch executes everything itself.
bool Selector::invariant(ValueId id) const {
  if (w_.options.observed) return false;
  const Value& v = value(id);
  const OpInfo& op = info(v.op);
  if (op.has(kPlaceInGroup) || op.has(kLaunchSize)) return true;
  if (v.op != Op::kAddress && !(is_lane_wise(op.shape) && op.is_pure())) return false;
  return std::all_of(v.args.begin(), v.args.end(), [&](ValueId arg) {
    return w_.in_prologue[arg] || value(arg).op == Op::kConst || value(arg).op == Op::kArgument;
  });
}

void Selector::select_value(ValueId id) {
  if (is_lane_wise(info(value(id).op).shape))
    select_simple(id);
  else
    select_special(id);
}

void Selector::select_simple(ValueId id) {
  const Value& v = value(id);
  const bool scalar = is_scalar(v);
  SelectedInst inst;
  inst.imm = v.imm;
  Form form = scalar ? kUniform : kRows;
  if (info(v.op).shape == Shape::kConvert) {
    inst.run = t_.convert[at(v.op)][at(v.from)][at(v.kind)][scalar ? 1 : 0];
  } else {
    const Handler* forms = t_.simple[at(v.op)][at(lir::operand_kind(v))];
    if (!scalar) {
      Form wanted = 0;
      for (std::size_t i = 0; i < v.args.size() && i < 3; ++i)
        if (value(v.args[i]).spread == Spread::kUniform) wanted |= static_cast<Form>(1u << i);
      form = best_form(forms, wanted);
    }
    inst.run = forms[form];
  }
  if (inst.run == nullptr) return w_.refuse(v);
  VReg* operands[3] = {&inst.a, &inst.b, &inst.c};
  for (std::size_t i = 0; i < v.args.size(); ++i) {
    const bool as_scalar = scalar || (form >> i & 1) != 0;
    *operands[i] = as_scalar ? registers_.scalar_of(v.args[i]) : registers_.row_of(v.args[i]);
  }
  inst.d = registers_.result_of(id);
  w_.push(std::move(inst), v);
  w_.finish(id);
}

void Selector::select_special(ValueId id) {
  const Value& v = value(id);
  switch (v.op) {
    case Op::kLoad:
      return memory_.select_load(id);
    case Op::kStore:
      return memory_.select_store(id);
    case Op::kAddress:
      return memory_.select_address(id);
    default:
      if (lir::result_components(f_, v) != 0) return select_components(id);
      if (info(v.op).shape != Shape::kValue) select_operands(id);
  }
}

/// Sets the operands that a finding of the check reports: they stay where they are, scalars or
/// rows, until it was executed.
void Selector::set_reported(const Value& v, SelectedInst* inst) {
  Site& site = inst->site;
  if (v.op == Op::kCheckDivide || v.op == Op::kCheckShift) {
    const bool is_divide = v.op == Op::kCheckDivide;
    inst->reported = {v.args.front(), v.args.back()};
    // The amount of a shift is unsigned.
    if (v.imm != 0) site.signed_reported = is_divide ? 0b11 : 0b01;
  } else if (v.op == Op::kCheckNot) {
    const RuleCheck check = RuleCheck::decode(v.imm);
    inst->reported = ValueList(v.args.begin() + 1, v.args.end());
    site.reported_components = check.components;
    site.signed_reported = check.signed_reported;
  }
  for (const ValueId id : inst->reported)
    if (value(id).op != Op::kConst) registers_.result_of(id);
}

/// The strides of a check of two addresses or sizes whose operands are scalars, if the check has a
/// handler for scalars.
std::optional<std::array<std::int32_t, 2>> Selector::strides_of(const Value& v) const {
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
void Selector::select_operands(ValueId id) {
  const Value& v = value(id);
  const OpInfo& op = info(v.op);
  const Kind kind = special_kind(f_, v);
  SelectedInst inst;
  inst.strides = strides_of(v);
  const bool in_scalars = looks_at_operands(v.op)
                              ? inst.strides.has_value()
                              : is_scalar(v) && t_.special_of(v.op, kind, true) != nullptr;
  inst.run = t_.special_of(v.op, kind, in_scalars);
  if (inst.run == nullptr) return w_.refuse(v);
  set_imm(f_, v, &inst);
  set_reported(v, &inst);
  announce_image(v, &inst);
  if (op.imm == Imm::kAccess || op.imm == Imm::kCopy)
    inst.access = memory_.new_access(f_.mem[v.imm],
                                     op.imm == Imm::kCopy ? AccessUse::kCopy : AccessUse::kLanes);
  if (is_atomic(v.op)) {
    inst.site.may_race = f_.mem[v.imm].is_texel;
    inst.site.sharing = f_.mem[v.imm].sharing;
  }
  inst.is_list = op.shape == Shape::kList;
  VReg* const operands[3] = {&inst.a, &inst.b, &inst.c};
  const std::size_t count = inst.reported.empty() ? v.args.size() : std::size_t{op.signature.count};
  for (std::size_t i = 0; i < count; ++i) {
    const VReg reg = in_scalars ? registers_.scalar_of(v.args[i]) : registers_.row_of(v.args[i]);
    if (inst.is_list)
      inst.values.push_back(reg);
    else
      *operands[i] = reg;
  }
  if (v.kind == Kind::kVoid) return w_.push(std::move(inst), v);
  if (!is_scalar(v) || in_scalars) {
    inst.d = registers_.result_of(id);
    w_.push(inst, v);
    if (is_atomic(v.op)) memory_.note_atomic(v, inst);
    return w_.finish(id);
  }
  inst.d = registers_.add(v.kind, false);
  SelectedInst take;
  take.run = t_.special_of(Op::kFirstLane, v.kind);
  assert(take.run != nullptr);  // no such op gives a bool
  take.a = inst.d;
  take.d = registers_.scalar_of(id);
  w_.push(std::move(inst), v);
  w_.push_helper(take, v, Op::kFirstLane);
  w_.finish(id);
}

/// The results are rows: texels may change from one work-item to the next, and each holds elements of its own of a product.
void Selector::select_components(ValueId id) {
  const Value& v = value(id);
  SelectedInst inst;
  inst.run = t_.special_of(v.op, v.kind);
  if (inst.run == nullptr) return w_.refuse(v);
  set_imm(f_, v, &inst);
  announce_image(v, &inst);
  inst.is_list = true;
  for (const ValueId arg : v.args) inst.values.push_back(registers_.row_of(arg));
  inst.results = w_.component_registers(id, lir::result_components(f_, v), v.kind, false);
  w_.push(std::move(inst), v);
}

void Selector::select_terminator(ValueId id, SelectedBlock* block) {
  const Value& v = value(id);
  if (v.op != Op::kBranchConditional && v.op != Op::kSwitch) return;
  const ValueId condition = v.args[0];
  block->condition_is_scalar = value(condition).spread == Spread::kUniform;
  block->condition =
      block->condition_is_scalar ? registers_.scalar_of(condition) : registers_.row_of(condition);
}

Result<Selection> select(const Input& input, const LinearOrder& order) {
  TRANSPIRE_TRY(PrivateMemory memory, lay_out_private_memory(input.function));
  Selection selection(input.function);
  selection.blocks.resize(order.blocks.size());
  selection.private_memory = std::move(memory);
  if (std::optional<Diagnostic> error = Selector(input, order, &selection).run())
    return *std::move(error);
  return selection;
}

}  // namespace transpire::vm::emission
