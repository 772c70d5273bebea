// Emission's frame: blocks in a line, their loops, and the final instructions.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/checked.h"
#include "vm/lower/emit_internal.h"

namespace transpire::vm {

Result<std::unique_ptr<Program>> emit(const lir::Function& function, const LowerOptions& options,
                                      const exec::HandlerTable& handlers) {
  return emission::Emitter(function, options, handlers).run();
}

Result<std::unique_ptr<Program>> lower(const decoder::Module& module,
                                       const decoder::EntryPoint& entry,
                                       const LowerOptions& options,
                                       const exec::HandlerTable& handlers) {
  TRANSPIRE_TRY(lir::Function function, build(module, entry, options));
  run_passes(function, options);
  return emit(function, options, handlers);
}

}  // namespace transpire::vm

namespace transpire::vm::emission {

using exec::Inst;

Emitter::Emitter(const lir::Function& function, const LowerOptions& options,
                 const exec::HandlerTable& table)
    : f_(function), options_(options), t_(table), program_(std::make_unique<Program>()) {
  scalar_of_value_.assign(f_.values.size(), kNoReg);
  row_of_value_.assign(f_.values.size(), kNoReg);
  wants_row_.assign(f_.values.size(), false);
  in_prologue_.assign(f_.values.size(), false);
  std::fill(std::begin(temporary_), std::end(temporary_), kNoReg);
}

Result<std::unique_ptr<Program>> Emitter::run() {
  program_->handlers = &t_;
  program_->lanes = t_.lanes;
  program_->mask_words = t_.lanes / 64;
  program_->packed = options_.packed;
  linearise();
  // Only what stands in a block: values that passes removed still name their operands.
  for (const BlockId b : f_.order) {
    for (const ValueId id : f_.blocks[b].instructions) {
      const lir::Value& v = value(id);
      if (v.op == Op::kResult)
        results_of_load_[v.args[0]].push_back({static_cast<std::uint32_t>(v.imm), id});
    }
  }
  lay_out_private_memory();
  if (error_) return *error_;
  for (LinearBlock& block : blocks_) select_block(block);
  if (error_) return *error_;
  number_positions();
  find_cycles();
  collect_segments();
  coalesce();
  allocate();
  assert(places_are_sound());
  resolve();
  copy_tables();
  return std::move(program_);
}

void Emitter::linearise() {
  linear_of_block_.assign(f_.blocks.size(), 0);
  for (const BlockId b : f_.order) {
    linear_of_block_[b] = static_cast<std::uint32_t>(blocks_.size());
    LinearBlock block;
    block.block = b;
    block.terminator = f_.blocks[b].terminator;
    blocks_.push_back(std::move(block));
    add_edge_blocks(b);
  }
  for (const BlockId b : f_.order) connect(b);
}

/// Edges that need copies get blocks of their own behind `from`, when `from` has other targets,
/// too.
void Emitter::add_edge_blocks(BlockId from) {
  const auto& targets = f_.blocks[from].targets;
  if (std::all_of(targets.begin(), targets.end(), [&](BlockId t) { return t == targets[0]; }))
    return;
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    const bool is_first =
        std::find(targets.begin(), targets.end(), targets[i]) == targets.begin() + i;
    if (!is_first || f_.blocks[targets[i]].phis.empty()) continue;
    edge_blocks_[{from, targets[i]}] = static_cast<std::uint32_t>(blocks_.size());
    blocks_.emplace_back();
  }
}

/// The targets of a block and of its edges, and the copies that they need.
void Emitter::connect(BlockId from) {
  LinearBlock& block = blocks_[linear_of_block_[from]];
  for (const BlockId to : f_.blocks[from].targets) {
    const auto found = edge_blocks_.find({from, to});
    if (found == edge_blocks_.end()) {
      // The only target, or one without phis.
      if (block.targets.empty()) add_copies(block, from, to);
      block.targets.push_back(linear_of_block_[to]);
      continue;
    }
    block.targets.push_back(found->second);
    LinearBlock& edge = blocks_[found->second];
    if (!edge.targets.empty()) continue;
    edge.targets = {linear_of_block_[to]};
    edge.source = value(block.terminator).source;
    add_copies(edge, from, to);
  }
}

void Emitter::add_copies(LinearBlock& block, BlockId from, BlockId to) {
  const lir::Block& target = f_.blocks[to];
  const auto pred =
      std::find(target.preds.begin(), target.preds.end(), from) - target.preds.begin();
  for (const ValueId phi : target.phis) {
    EdgeCopy copy;
    copy.phi = phi;
    copy.value = value(phi).args[static_cast<std::size_t>(pred)];
    block.copies.push_back(copy);
  }
}

void Emitter::find_cycles() {
  std::vector<std::uint32_t> end_of(blocks_.size(), 0);
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
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
  // Inner loops first: an interval is extended over the smallest loop before the larger ones.
  std::sort(cycles_.begin(), cycles_.end(),
            [](const Cycle& a, const Cycle& b) { return a.to - a.from < b.to - b.from; });
}

std::uint32_t Emitter::final_target(std::uint32_t number) const {
  // An edge whose copies all vanished is no block of its own.
  const LinearBlock& block = blocks_[number];
  if (block.block != lir::kNoBlock) return number;
  for (const EdgeCopy& copy : block.copies)
    if (!copy.merged) return number;
  return block.targets[0];
}

void Emitter::append(const Inst& inst, std::uint32_t source) {
  program_->code.push_back(inst);
  program_->source_of_code.push_back(source);
}

Inst Emitter::make_inst(const Proto& proto) {
  const auto offset = [&](VReg reg) { return reg == kNoReg ? 0 : registers_[find(reg)].offset; };
  Inst inst{proto.run,       offset(proto.d), offset(proto.a),
            offset(proto.b), offset(proto.c), proto.imm};
  if (proto.access != nullptr) {
    std::vector<std::uint32_t> offsets;
    for (const VReg reg : proto.values) offsets.push_back(offset(reg));
    program_->offset_pool.push_back(std::move(offsets));
    proto.access->values = program_->offset_pool.back().data();
    inst.imm = reinterpret_cast<std::uint64_t>(proto.access);
  } else if (proto.is_list) {
    std::vector<std::uint32_t>& offsets = program_->offset_pool.emplace_back();
    for (const VReg reg : proto.values) offsets.push_back(offset(reg));
    inst.a = static_cast<std::uint32_t>(proto.imm);
    inst.imm = reinterpret_cast<std::uint64_t>(offsets.data());
    inst.c = static_cast<std::uint32_t>(offsets.size());
  } else if (proto.is_printf) {
    for (const VReg reg : proto.values) program_->printfs[proto.imm].values.push_back(offset(reg));
  }
  return inst;
}

Inst Emitter::make_terminator(const LinearBlock& block, std::uint32_t number,
                              std::uint64_t length) {
  Inst inst{};
  inst.d = static_cast<std::uint32_t>(length);
  std::vector<std::uint32_t> targets;
  for (const std::uint32_t t : block.targets) {
    targets.push_back(final_target(t));
    if (targets.back() <= number) inst.c = 1;
  }
  if (block.condition != kNoReg) inst.a = registers_[find(block.condition)].offset;
  const Op op = block.terminator == lir::kNoValue ? Op::kBranch : value(block.terminator).op;
  switch (op) {
    case Op::kBranchConditional:
      inst.run = block.condition_is_scalar ? t_.branch_uniform : t_.branch;
      inst.imm = std::uint64_t{targets[1]} << 32 | targets[0];
      break;
    case Op::kSwitch: {
      const auto kind = static_cast<std::size_t>(value(value(block.terminator).args[0]).kind);
      inst.run = block.condition_is_scalar ? t_.switch_uniform[kind] : t_.switch_rows[kind];
      std::vector<lir::SwitchCase> cases = f_.blocks[block.block].cases;
      std::sort(cases.begin(), cases.end(),
                [](const auto& x, const auto& y) { return x.value < y.value; });
      make_switch_table(cases, targets);
      inst.imm = reinterpret_cast<std::uint64_t>(&program_->switches.back());
      break;
    }
    case Op::kReturn:
      inst.run = t_.return_lanes;
      break;
    case Op::kUnreachable:
      inst.run = t_.unreachable;
      break;
    default:
      inst.run = t_.jump;
      inst.imm = targets[0];
      break;
  }
  return inst;
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
  exec::SwitchTable table;
  table.count = static_cast<std::uint32_t>(cases.size());
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

exec::Handler Emitter::copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const {
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

void Emitter::emit_copy(const EdgeCopy& copy, VReg target, VReg source) {
  std::uint64_t imm = 0;
  Inst inst{};
  inst.run = copy_handler(copy, &imm);
  inst.d = registers_[find(target)].offset;
  inst.a = registers_[find(source)].offset;
  inst.imm = imm;
  append(inst, value(copy.phi).source);
}

void Emitter::emit_copies(const LinearBlock& block) {
  // The copies of an edge happen at once: one may only be made when no other still reads its
  // target.
  std::vector<EdgeCopy> left;
  for (const EdgeCopy& copy : block.copies)
    if (!copy.merged) left.push_back(copy);
  while (!left.empty()) {
    const auto free = std::find_if(left.begin(), left.end(), [&](const EdgeCopy& copy) {
      return std::none_of(left.begin(), left.end(), [&](const EdgeCopy& other) {
        return &other != &copy && find(other.source) == find(copy.target);
      });
    });
    if (free != left.end()) {
      emit_copy(*free, free->target, free->source);
      left.erase(free);
      continue;
    }
    // Only cycles are left: one target's old value moves to a temporary, from where it is read.
    EdgeCopy& broken = left.front();
    const Register target = registers_[find(broken.target)];
    const VReg temporary =
        temporary_[target.is_scalar ? kKindCount : static_cast<std::size_t>(target.kind)];
    Inst inst{};
    inst.run = target.is_scalar ? t_.scalar_copy : t_.copy[static_cast<std::size_t>(target.kind)];
    inst.d = registers_[temporary].offset;
    inst.a = target.offset;
    append(inst, value(broken.phi).source);
    for (EdgeCopy& copy : left)
      if (find(copy.source) == find(broken.target)) copy.source = temporary;
  }
}

/// Where no backward edge does, the engine looks at Batch::cancel after so many instructions of any
/// way through the program: the dearest takes a microsecond.
constexpr std::uint64_t kPollPeriod = 1024;

void Emitter::append_poll(std::uint32_t source) {
  Inst poll{};
  poll.run = t_.poll;
  append(poll, source);
}

void Emitter::resolve() {
  std::vector<std::size_t> starts;
  // By block: the most instructions that ran since the last look when it is entered from in front.
  std::vector<std::uint64_t> unpolled_at(blocks_.size(), 0);
  if (!prologue_.body.empty()) {
    for (const Proto& proto : prologue_.body) append(make_inst(proto), proto.source);
    Inst end{};
    end.run = t_.leave;
    append(end, 0);
    program_->prologue_instructions = static_cast<std::uint32_t>(program_->code.size());
  }
  for (std::uint32_t n = 0; n < blocks_.size(); ++n) {
    LinearBlock& block = blocks_[n];
    const std::size_t start = program_->code.size();
    starts.push_back(start);
    std::uint64_t polls = 0;
    std::uint64_t unpolled = unpolled_at[n];
    for (const Proto& proto : block.body) {
      if (++unpolled > kPollPeriod) {
        append_poll(proto.source);
        ++polls;
        unpolled = 1;
      }
      append(make_inst(proto), proto.source);
    }
    unpolled += block.copies.size() + 1;
    for (const std::uint32_t target : block.targets)
      unpolled_at[target] = std::max(unpolled_at[target], unpolled);
    emit_copies(block);
    append(make_terminator(block, n, program_->code.size() - start + 1 - polls), block.source);
    for (const Proto& proto : block.body) append_parts(proto);
  }
  for (const auto& [access, at] : parts_of_) access->parts = program_->code.data() + at;
  for (const std::size_t start : starts)
    program_->block_entry.push_back(program_->code.data() + start);
}

/// By private variable: whether an instruction names its address, or the runtime fills it.
std::vector<bool> Emitter::variables_in_memory() const {
  std::vector<bool> in_memory(f_.private_variables.size(), false);
  for (const lir::Parameter& parameter : f_.parameters)
    if (parameter.kind == lir::Parameter::Kind::kByValue)
      in_memory[parameter.private_variable] = true;
  const auto mark = [&](ValueId user) {
    for (const ValueId arg : value(user).args) {
      const lir::Value& v = value(arg);
      const std::uint64_t first = f_.argument_slots - in_memory.size();  // private slots come last
      if (v.op == Op::kArgument && v.imm >= first) in_memory[v.imm - first] = true;
    }
  };
  for (const BlockId b : f_.order) {
    for (const ValueId phi : f_.blocks[b].phis) mark(phi);
    for (const ValueId id : f_.blocks[b].instructions) mark(id);
    mark(f_.blocks[b].terminator);
  }
  return in_memory;
}

void Emitter::copy_tables() {
  Program& p = *program_;
  p.sources = f_.sources;
  p.remarks = f_.remarks;
  p.result_sites = f_.result_sites;
  p.reference_math = f_.reference_math;
  p.float_modes = f_.float_modes;
  p.parameters = f_.parameters;
  p.workgroup_variables = f_.workgroup_variables;
  p.program_variables = f_.program_variables;
  p.argument_slots = f_.argument_slots;
  p.uses_barrier = f_.uses_barrier;
  p.uses_named_barrier = f_.uses_named_barrier;
  p.subgroup_size = f_.subgroup_size;
  p.checks_sync = options_.check_sync;
  p.counts_instructions = options_.count_instructions;
}

void Emitter::lay_out_private_memory() {
  Program& p = *program_;
  p.private_variables = f_.private_variables;
  // Promoted variables are registers: without bytes they cost no clearing, and no address is
  // theirs.
  const std::vector<bool> in_memory = variables_in_memory();
  Checked bytes;
  for (std::size_t i = 0; i < p.private_variables.size(); ++i) {
    lir::PrivateVariable& variable = p.private_variables[i];
    if (!in_memory[i]) variable.size_bytes = 0;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align_bytes, 4);
    if (in_memory[i]) bytes = bytes.align_up(align);
    p.private_offsets.push_back(static_cast<std::uint32_t>(bytes.value()));
    bytes += variable.size_bytes;
  }
  bytes = bytes.align_up(8);
  if (!bytes.fits(kMaxPrivateBytes))
    error_ = make_diagnostic(
        Rule::kL0004, fmt::format("a work-item needs more than {} bytes of private memory",
                                  kMaxPrivateBytes));
  p.private_bytes_per_lane = static_cast<std::uint32_t>(bytes.value());
}

}  // namespace transpire::vm::emission
