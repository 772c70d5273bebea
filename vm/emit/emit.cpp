// The frame of emission: blocks in order, their loops, and the final instructions.
#include <algorithm>
#include <cassert>

#include "base/narrow.h"
#include "vm/emit/copies.h"
#include "vm/emit/emitter.h"
#include "vm/emit/lifetimes.h"
#include "vm/emit/private_memory.h"
#include "vm/program/immediates.h"

namespace transpire::vm {

Result<std::unique_ptr<Program>> emit(const lir::Function& function, const LowerOptions& options,
                                      const HandlerTable& handlers) {
  return emission::Emitter(function, options, handlers).run();
}

}  // namespace transpire::vm

namespace transpire::vm::emission {
namespace {

/// The largest offset that instructions can encode, with room for the last rounding.
constexpr std::uint64_t kMostRegisterBytes = 0xffffffffu - 63;

}  // namespace

Emitter::Emitter(const lir::Function& function, const LowerOptions& options,
                 const HandlerTable& table)
    : f_(function), options_(options), t_(table), program_(std::make_unique<Program>()) {
  scalar_of_value_.assign(f_.values.size(), kNoReg);
  row_of_value_.assign(f_.values.size(), kNoReg);
  wants_row_.assign(f_.values.size(), false);
  in_prologue_.assign(f_.values.size(), false);
  std::fill(std::begin(temporary_), std::end(temporary_), kNoReg);
  most_register_bytes_ = std::min(options.limits.register_bytes, kMostRegisterBytes);
}

Result<std::unique_ptr<Program>> Emitter::run() {
  program_->handlers = &t_;
  program_->lanes = t_.lanes;
  program_->mask_words = t_.lanes / 64;
  program_->packed = options_.packed;
  linearise();
  // Counts uses in blocks only: removed values still name their operands.
  for (const BlockId b : f_.order) {
    for (const ValueId id : f_.blocks[b].instructions) {
      f_.work();
      const lir::Value& v = value(id);
      if (v.op == Op::kResult)
        results_of_load_[v.args[0]].push_back({narrow<std::uint32_t>(v.imm), id});
    }
  }
  TRANSPIRE_TRY(PrivateMemory private_memory, lay_out_private_memory(f_));
  program_->private_variables = std::move(private_memory.variables);
  program_->private_offsets = std::move(private_memory.offsets);
  program_->poisoned_private = std::move(private_memory.poisoned);
  program_->private_bytes_per_lane = private_memory.bytes;
  for (LinearBlock& block : blocks_) select_block(block);
  if (error_) return *error_;
  if (options_.keeps_values()) keep_values();
  number_positions();
  find_cycles();
  collect_segments();
  coalesce();
  find_idle_registers();
  allocate();
  assert(places_are_sound());
  resolve();
  if (options_.keeps_values()) write_debug_info();
  copy_tables();
  return std::move(program_);
}

void Emitter::linearise() {
  linear_of_block_.assign(f_.blocks.size(), 0);
  for (const BlockId b : f_.order) {
    linear_of_block_[b] = narrow<std::uint32_t>(blocks_.size());
    LinearBlock block;
    block.block = b;
    block.terminator = f_.blocks[b].terminator;
    blocks_.push_back(std::move(block));
    add_edge_blocks(b);
  }
  for (const BlockId b : f_.order) connect(b);
  for (const BlockId b : f_.order) add_copies(b);
}

/// Makes blocks for edges that need copies, behind `from`, if `from` has other targets, too.
void Emitter::add_edge_blocks(BlockId from) {
  const auto& targets = f_.blocks[from].targets;
  if (std::all_of(targets.begin(), targets.end(), [&](BlockId t) { return t == targets[0]; }))
    return;
  f_.work(targets.size());
  for (const BlockId target : targets) {
    if (f_.blocks[target].phis.empty()) continue;
    const auto number = narrow<std::uint32_t>(blocks_.size());
    if (!edge_blocks_.try_emplace({from, target}, number).second) continue;
    f_.take(sizeof(LinearBlock));
    blocks_.emplace_back();
  }
}

/// Connects a block and its edge blocks to their targets.
void Emitter::connect(BlockId from) {
  LinearBlock& block = blocks_[linear_of_block_[from]];
  for (const BlockId to : f_.blocks[from].targets) {
    const auto found = edge_blocks_.find({from, to});
    if (found == edge_blocks_.end()) {  // the only target, or one without phis
      block.targets.push_back(linear_of_block_[to]);
      continue;
    }
    block.targets.push_back(found->second);
    LinearBlock& edge = blocks_[found->second];
    if (!edge.targets.empty()) continue;
    edge.targets = {linear_of_block_[to]};
    edge.source = value(block.terminator).source;
  }
}

/// Adds the copies that the edges to a block need: at the end of the edges' blocks or of its
/// predecessors.
void Emitter::add_copies(BlockId to) {
  const lir::Block& target = f_.blocks[to];
  if (target.phis.empty()) return;
  for (std::size_t pred = 0; pred < target.preds.size(); ++pred) {
    const BlockId from = target.preds[pred];
    const auto edge = edge_blocks_.find({from, to});
    LinearBlock& block =
        blocks_[edge == edge_blocks_.end() ? linear_of_block_[from] : edge->second];
    f_.work(target.phis.size());
    for (const ValueId phi : target.phis) {
      EdgeCopy copy;
      copy.phi = phi;
      copy.value = value(phi).args[pred];
      block.copies.push_back(copy);
    }
  }
}

void Emitter::find_cycles() {
  std::vector<std::uint32_t> end_of(blocks_.size(), 0);
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
    f_.work(blocks_[n].targets.size() + 1);
    for (const std::uint32_t t : blocks_[n].targets)
      if (t <= n) end_of[t] = std::max(end_of[t], n + 1);
  }
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
    if (end_of[n] == 0) continue;
    Cycle cycle;
    cycle.first_block = n;
    cycle.last_block = end_of[n] - 1;
    cycle.from = blocks_[n].first;
    cycle.to = blocks_[end_of[n] - 1].last;
    cycles_.push_back(cycle);
  }
  cycle_of_block_ = nest(&cycles_, blocks_.size());
}

std::uint32_t Emitter::final_target(std::uint32_t number) const {
  // An edge without remaining copies needs no block.
  const LinearBlock& block = blocks_[number];
  if (block.block != lir::kNoBlock) return number;
  for (const EdgeCopy& copy : block.copies)
    if (!copy.merged) return number;
  return block.targets[0];
}

void Emitter::append(const Inst& inst, const Site& site) {
  f_.work();
  program_->code.push_back(inst);
  program_->sites.push_back(site);
}

/// Appends an instruction of the engine's own.
void Emitter::append_engine(Op op, std::uint32_t source) {
  Inst inst{};
  inst.run = t_.special_of(op);
  append(inst, {.op = op, .source = source});
}

Inst Emitter::make_inst(const Proto& proto) {
  const auto offset = [&](VReg reg) { return reg == kNoReg ? 0 : registers_[find(reg)].offset; };
  Inst inst{proto.run,       offset(proto.d), offset(proto.a),
            offset(proto.b), offset(proto.c), {proto.imm}};
  if (proto.strides) {
    inst.d = std::bit_cast<std::uint32_t>((*proto.strides)[0]);
    inst.c = std::bit_cast<std::uint32_t>((*proto.strides)[1]);
  }
  if (proto.access == nullptr && !proto.is_list) return inst;
  std::vector<std::uint32_t>& offsets = program_->offset_pool.emplace_back();
  for (const VReg reg : proto.values) offsets.push_back(offset(reg));
  if (proto.is_list) {
    const auto count = narrow<std::uint32_t>(offsets.size());
    for (const VReg reg : proto.results) offsets.push_back(offset(reg));
    inst.list = &program_->operand_lists.emplace_back(
        OperandList{offsets.data(), count, proto.imm, proto.access, offsets.data() + count});
  } else {
    proto.access->values = offsets.data();
    inst.access = proto.access;
  }
  return inst;
}

/// The site includes the places of the values that its finding reports.
Site Emitter::make_site(const Proto& proto) {
  Site site = proto.site;
  site.first_told = narrow<std::uint32_t>(program_->told_values.size());
  site.told = narrow<std::uint8_t>(proto.told.size() + proto.told_values);
  for (const ValueId id : proto.told) {
    const lir::Value& v = value(id);
    ValueHome home{.kind = v.kind};
    if (v.op == Op::kConst) {
      home.bits = v.imm;
    } else {
      home.place = is_scalar(v) ? ValueHome::Place::kScalar : ValueHome::Place::kRow;
      home.offset = registers_[find(result_register(id))].offset;
      home.stride = v.spread == lir::Spread::kAffine ? v.stride : 0;
    }
    f_.take(sizeof home);
    program_->told_values.push_back(home);
  }
  for (std::uint32_t k = 0; k < proto.told_values; ++k) {
    const ImageOperation operation = ImageOperation::decode(proto.imm);
    const std::uint32_t i = operation.handles() + k;
    ValueHome home{.kind = operation.operand(i)};
    home.place = ValueHome::Place::kRow;
    home.offset = registers_[find(proto.values[i])].offset;
    f_.take(sizeof home);
    program_->told_values.push_back(home);
  }
  return site;
}

Inst Emitter::make_terminator(const LinearBlock& block, std::uint32_t number,
                              std::uint64_t length) {
  Inst inst{};
  inst.d = narrow<std::uint32_t>(length);
  std::vector<std::uint32_t> targets;
  for (const std::uint32_t t : block.targets) {
    targets.push_back(final_target(t));
    if (targets.back() <= number) inst.c = 1;
  }
  if (inst.c != 0) program_->has_loop = true;
  if (block.condition != kNoReg) inst.a = registers_[find(block.condition)].offset;
  const Op op = terminator_op(block);
  const Kind kind = op == Op::kBranchConditional ? Kind::kBool
                    : op == Op::kSwitch          ? value(value(block.terminator).args[0]).kind
                                                 : Kind::kVoid;
  inst.run = t_.special_of(op, kind, block.condition_is_scalar);
  if (op == Op::kBranchConditional) {
    inst.targets = {targets[0], targets[1]};
  } else if (op == Op::kSwitch) {
    std::vector<lir::SwitchCase> cases = f_.blocks[block.block].cases;
    std::sort(cases.begin(), cases.end(),
              [](const auto& x, const auto& y) { return x.value < y.value; });
    make_switch_table(cases, targets);
    inst.cases = &program_->switches.back();
  } else if (op == Op::kBranch) {
    inst.imm = targets[0];
  }
  return inst;
}

Handler Emitter::copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const {
  const lir::Value& phi = value(copy.phi);
  const lir::Value& from = value(copy.value);
  const auto kind = static_cast<std::size_t>(phi.kind);
  *imm = 0;
  if (is_scalar(phi)) return t_.scalar_copy;
  if (!is_scalar(from)) return t_.masked_copy[kind];
  if (from.spread == lir::Spread::kUniform) return t_.masked_spread[kind];
  *imm = static_cast<std::uint64_t>(from.stride);
  return t_.masked_affine[kind];
}

void Emitter::emit_copies(const LinearBlock& block) {
  std::vector<EdgeCopy> copies;
  std::vector<PlaceCopy> places;
  for (const EdgeCopy& copy : block.copies) {
    if (copy.merged) continue;
    copies.push_back(copy);
    places.push_back({registers_[find(copy.target)].offset, registers_[find(copy.source)].offset});
  }
  if (copies.size() > 1) f_.work(2 * copies.size());
  const auto temporary = [&](const Register& r) {
    return temporary_[r.is_scalar ? kKindCount : static_cast<std::size_t>(r.kind)];
  };
  for (const CopyStep& step : order_copies(places)) {
    const EdgeCopy& copy = copies[step.copy];
    const Register& target = registers_[copy.target];
    VReg written = copy.target;
    Inst inst{};
    inst.d = places[step.copy].target;
    inst.a = places[step.copy].source;
    inst.run = copy_handler(copy, &inst.imm);
    if (step.what == CopyStep::What::kCopySaved)
      inst.a = registers_[temporary(registers_[copy.source])].offset;
    if (step.what == CopyStep::What::kSave) {
      f_.work();
      written = temporary(target);
      inst = Inst{};
      inst.run = target.is_scalar ? t_.scalar_copy : t_.copy[static_cast<std::size_t>(target.kind)];
      inst.d = registers_[written].offset;
      inst.a = places[step.copy].target;
    }
    note_row(written);
    append(inst, {.op = Op::kCopy, .source = value(copy.phi).source});
  }
}

Op Emitter::terminator_op(const LinearBlock& block) const {
  return block.terminator == lir::kNoValue ? Op::kBranch : value(block.terminator).op;
}

void Emitter::make_switch_table(const std::vector<lir::SwitchCase>& cases,
                                const std::vector<std::uint32_t>& targets) {
  constexpr std::uint64_t kMaxSpan = 1024;
  std::vector<std::uint64_t> values;
  std::vector<std::uint32_t> case_targets;
  for (const lir::SwitchCase& c : cases) {
    values.push_back(c.value);
    case_targets.push_back(targets[c.target]);
  }
  SwitchTable table;
  table.count = narrow<std::uint32_t>(cases.size());
  table.default_target = targets[0];
  if (!cases.empty() && values.back() - values.front() < kMaxSpan) {
    table.span = values.back() - values.front() + 1;
    std::vector<std::uint32_t> dense(table.span, targets[0]);
    for (std::size_t i = 0; i < cases.size(); ++i) dense[values[i] - values[0]] = case_targets[i];
    program_->offset_pool.push_back(std::move(dense));
    table.dense = program_->offset_pool.back().data();
  }
  program_->value_pool.push_back(std::move(values));
  program_->offset_pool.push_back(std::move(case_targets));
  table.values = program_->value_pool.back().data();
  table.targets = program_->offset_pool.back().data();
  program_->switches.push_back(table);
}

/// On paths without a backward edge, the engine looks at Batch::cancel after this many
/// instructions: the slowest take a microsecond each.
constexpr std::uint64_t kPollPeriod = 1024;
/// This period applies if each instruction calls an observer.
constexpr std::uint64_t kObservedPollPeriod = 32;

/// Appends a call of observers for the next instruction, if they get one.
bool Emitter::append_observe(std::uint32_t source) {
  if (!options_.observed) return false;
  append_engine(Op::kObserve, source);
  program_->code.back().imm = 1;
  return true;
}

/// Appends a call of observers for the next access: a copy of the access with another handler.
bool Emitter::append_tell(const Proto& proto, const Inst& access) {
  if (proto.tell == nullptr) return false;
  Inst tell = access;
  tell.run = proto.tell;
  append(tell, {.op = Op::kTellRow, .source = proto.site.source});
  return true;
}

/// False for jumps of edges and of blocks that passes made, which are no instructions of the
/// kernel.
bool Emitter::observes_end(const LinearBlock& block) const {
  return block.terminator != lir::kNoValue && !value(block.terminator).is_edge;
}

void Emitter::resolve() {
  std::vector<std::size_t> starts, ends;
  program_->has_loop = false;
  // By block: the maximum number of instructions since the last poll when a forward edge enters it.
  std::vector<std::uint64_t> unpolled_at(blocks_.size(), 0);
  const std::uint64_t period = options_.watched() ? kObservedPollPeriod : kPollPeriod;
  if (!prologue_.body.empty()) {
    for (const Proto& proto : prologue_.body) append(make_inst(proto), proto.site);
    append_engine(Op::kLeave, 0);
    program_->prologue_instructions = narrow<std::uint32_t>(program_->code.size());
  }
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
    LinearBlock& block = blocks_[n];
    const std::size_t start = program_->code.size();
    starts.push_back(start);
    std::uint64_t extra = 0;  // number of the engine's own instructions
    std::uint64_t unpolled = unpolled_at[n];
    for (const Proto& proto : block.body) {
      if (++unpolled > period) {
        append_engine(Op::kPoll, proto.site.source);
        ++extra;
        unpolled = 1;
      }
      if (!proto.helps && append_observe(proto.site.source)) ++extra;
      const Inst inst = make_inst(proto);
      if (append_tell(proto, inst)) ++extra;
      note_row(proto.d);
      if (proto.defines_values)
        for (const VReg reg : proto.values) note_row(reg);
      for (const VReg reg : proto.results) note_row(reg);
      append(inst, make_site(proto));
      if (options_.keeps_values()) note_definitions(proto, n);
    }
    unpolled += block.copies.size() + 1;
    for (const std::uint32_t target : block.targets)
      unpolled_at[target] = std::max(unpolled_at[target], unpolled);
    // Observers are called before the copies, which make the phis' next values.
    const std::size_t observe = program_->code.size();
    const bool observes = observes_end(block) && append_observe(block.source);
    if (observes) ++extra;
    emit_copies(block);
    const std::uint64_t length = program_->code.size() - start + 1 - extra;
    if (observes) program_->code[observe].imm = program_->code.size() - observe;
    ends.push_back(program_->code.size());
    append(make_terminator(block, n, length), {.op = terminator_op(block), .source = block.source});
    for (const Proto& proto : block.body) append_parts(proto);
  }
  for (const auto& [access, at] : parts_of_) access->parts = program_->code.data() + at;
  for (const std::size_t start : starts)
    program_->block_entry.push_back(program_->code.data() + start);
  program_->register_phase = best_phase(starts, ends);
  if (!options_.keeps_values()) return;
  for (std::uint32_t n = 0; n < blocks_.size(); ++n)
    program_->debug.code_blocks.push_back(
        {narrow<std::uint32_t>(starts[n]), narrow<std::uint32_t>(ends[n])});
}

void Emitter::copy_tables() {
  Program& p = *program_;
  p.sources = f_.sources;
  p.remarks = f_.remarks;
  p.result_sites = f_.result_sites;
  p.undefined_uses = f_.undefined_uses;
  p.undefined_loads = f_.undefined_loads;
  if (options_.check_uninit)
    p.shadow_distance = memory::shadow_distance(f_.module->pointer_bytes());
  p.reference_math = f_.reference_math;
  p.float_modes = f_.float_modes;
  p.parameters = f_.parameters;
  p.workgroup_variables = f_.workgroup_variables;
  p.program_variables = f_.program_variables;
  p.argument_slots = f_.argument_slots;
  p.uses_barrier = f_.uses_barrier;
  p.uses_pipes = f_.uses_pipes;
  p.keeps_notes = f_.keeps_notes;
  p.uses_queue = f_.uses_queue;
  p.uses_subgroups = f_.uses_subgroups;
  p.uses_named_barrier = f_.uses_named_barrier;
  p.orders_finely = f_.fine_orders.any();
  p.stores_atomically = f_.fine_orders.stores;
  p.subgroup_size = f_.subgroup_size;
  p.checks_sync = options_.check_sync;
  if (options_.poison) p.local_memory_start = kPoison;
  p.observed = options_.observed;
  p.watched = options_.watched();
  p.tells_rows = options_.tells_rows();
  p.counts_instructions = options_.count_instructions;
  p.printfs = f_.printfs;
  p.enqueues = f_.enqueues;
  for (const PrivateVariable& variable : p.private_variables) {
    p.life_counters = std::max(p.life_counters, variable.life_counter);
    p.initial_lifetimes.insert(p.initial_lifetimes.end(), p.mask_words,
                               variable.begins_dead ? 0 : ~std::uint64_t{0});
  }
}

}  // namespace transpire::vm::emission
