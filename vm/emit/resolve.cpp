// Writes the final instructions block by block.
#include "vm/emit/resolve.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/narrow.h"
#include "vm/emit/copies.h"
#include "vm/lir/budget.h"
#include "vm/program/immediates.h"

namespace transpire::vm::emission {
namespace {

/// On paths without a backward edge, the engine looks at Batch::cancel after this many
/// instructions: the slowest take a microsecond each.
constexpr std::uint64_t kPollPeriod = 1024;
/// This period applies if each instruction calls an observer.
constexpr std::uint64_t kObservedPollPeriod = 32;

class Resolver {
 public:
  Resolver(const Input& input, const LinearOrder& order, const Allocation& allocation,
           Selection* selection)
      : f_(input.function),
        options_(input.options),
        t_(input.handlers),
        order_(order),
        allocation_(allocation),
        selection_(*selection),
        registers_(selection->registers),
        unpolled_at_(order.blocks.size()),
        result_{.program = std::make_unique<Program>()},
        program_(*result_.program) {}

  Resolved run();

 private:
  std::uint32_t offset(VReg reg) const { return allocation_.offset(reg); }
  void take_selection();
  void write_initial_values();
  void find_entered_blocks();

  void append(const Inst& inst, const Site& site);
  void append_engine(Op op, std::uint32_t source);
  bool append_observe(std::uint32_t source);
  void append_block(std::uint32_t number);
  void append_selected(const SelectedInst& selected, std::uint32_t block);
  void append_copies(const LinearBlock& block);
  void append_parts(const SelectedInst& selected);
  void note_row(const Register& reg, std::uint32_t offset);

  Inst make_inst(const SelectedInst& selected);
  Site make_site(const SelectedInst& selected);
  Handler copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const;
  Op terminator_op(const LinearBlock& block) const;
  bool observes_end(const LinearBlock& block) const;
  Inst make_terminator(std::uint32_t number, std::uint64_t length);
  const SwitchTable* make_switch_table(std::vector<lir::SwitchCase> cases,
                                       const std::vector<std::uint32_t>& targets);

  const lir::Function& f_;
  const LowerOptions& options_;
  const HandlerTable& t_;
  const LinearOrder& order_;
  const Allocation& allocation_;
  Selection& selection_;
  const Registers& registers_;
  /// By block: the maximum number of instructions since the last poll when a forward edge enters it.
  std::vector<std::uint64_t> unpolled_at_;
  std::uint64_t own_ = 0;  ///< number of the engine's own instructions in the block
  std::vector<std::pair<Access*, std::size_t>>
      parts_of_;  ///< where each one's parts lie in the code
  Resolved result_;
  Program& program_;  ///< in `result_`
};

Resolved Resolver::run() {
  Program& p = program_;
  take_selection();
  write_initial_values();
  find_entered_blocks();
  if (options_.keeps_values()) result_.definitions.resize(registers_.size());
  if (!selection_.prologue.empty()) {
    for (const SelectedInst& selected : selection_.prologue)
      append(make_inst(selected), selected.site);
    append_engine(Op::kLeave, 0);
    p.prologue_instructions = narrow<std::uint32_t>(p.code.size());
  }
  for (std::uint32_t n = 0; n < order_.blocks.size(); ++n) append_block(n);
  for (const auto& [access, at] : parts_of_) access->parts = p.code.data() + at;
  for (const CodeBlock& block : result_.blocks)
    p.block_entry.push_back(p.code.data() + block.first);
  return std::move(result_);
}

void Resolver::take_selection() {
  Program& p = program_;
  p.handlers = &t_;
  p.lanes = t_.lanes;
  p.mask_words = t_.lanes / 64;
  p.packed = options_.packed;
  p.has_loop = false;
  p.register_bytes = allocation_.register_bytes;
  p.idle_bytes = allocation_.idle_bytes;
  p.accesses = std::move(selection_.accesses);
  p.private_accesses = std::move(selection_.private_accesses);
  p.undefined_accesses = std::move(selection_.undefined_accesses);
  p.private_variables = std::move(selection_.private_memory.variables);
  p.private_offsets = std::move(selection_.private_memory.offsets);
  p.poisoned_private = std::move(selection_.private_memory.poisoned);
  p.private_bytes_per_lane = selection_.private_memory.bytes;
}

void Resolver::write_initial_values() {
  Program& p = program_;
  for (ValueId id = 0; id < f_.values.size(); ++id) {
    const lir::Value& v = f_.values[id];
    const VReg scalar = registers_.scalar_of_value[id], row = registers_.row_of_value[id];
    if (v.op == Op::kConst) {
      if (scalar != kNoReg) p.initial_scalars.push_back({offset(scalar), v.imm});
      if (row != kNoReg) p.initial_rows.push_back({offset(row), v.kind, v.imm});
    } else if (v.op == Op::kArgument && scalar != kNoReg) {
      p.argument_scalars.push_back({offset(scalar), narrow<std::uint32_t>(v.imm)});
    }
  }
  if (registers_.zero != kNoReg) p.initial_scalars.push_back({offset(registers_.zero), 0});
}

void Resolver::find_entered_blocks() {
  for (std::uint32_t n = 0; n < order_.blocks.size(); ++n) {
    const LinearBlock& block = order_.blocks[n];
    const bool needed =
        block.block != lir::kNoBlock ||
        std::any_of(block.copies.begin(), block.copies.end(), [&](const EdgeCopy& copy) {
          return offset(registers_.known(copy.phi)) != offset(registers_.known(copy.value));
        });
    result_.entered.push_back(needed ? n : block.targets[0]);
  }
}

void Resolver::append(const Inst& inst, const Site& site) {
  f_.work();
  program_.code.push_back(inst);
  program_.sites.push_back(site);
}

/// Appends an instruction of the engine's own.
void Resolver::append_engine(Op op, std::uint32_t source) {
  Inst inst{};
  inst.run = t_.special_of(op);
  append(inst, {.op = op, .source = source});
  ++own_;
}

/// Appends a call of observers for the next instruction, if they get one.
bool Resolver::append_observe(std::uint32_t source) {
  if (!options_.observed) return false;
  append_engine(Op::kObserve, source);
  program_.code.back().imm = 1;
  return true;
}

void Resolver::append_block(std::uint32_t number) {
  const LinearBlock& block = order_.blocks[number];
  const SelectedBlock& selected = selection_.blocks[number];
  std::vector<Inst>& code = program_.code;
  const std::uint64_t period = options_.watched() ? kObservedPollPeriod : kPollPeriod;
  const std::size_t start = code.size();
  own_ = 0;
  std::uint64_t unpolled = unpolled_at_[number];
  for (const SelectedInst& inst : selected.body) {
    if (++unpolled > period) {
      append_engine(Op::kPoll, inst.site.source);
      unpolled = 1;
    }
    append_selected(inst, number);
  }
  unpolled += block.copies.size() + 1;
  for (const std::uint32_t target : block.targets)
    unpolled_at_[target] = std::max(unpolled_at_[target], unpolled);
  // Observers are called before the copies, which make the phis' next values.
  const std::size_t observe = code.size();
  const bool observes = observes_end(block) && append_observe(block.source);
  append_copies(block);
  const std::uint64_t length = code.size() - start + 1 - own_;
  if (observes) code[observe].imm = code.size() - observe;
  result_.blocks.push_back({narrow<std::uint32_t>(start), narrow<std::uint32_t>(code.size())});
  append(make_terminator(number, length), {.op = terminator_op(block), .source = block.source});
  for (const SelectedInst& inst : selected.body) append_parts(inst);
}

/// False for jumps of edges and of blocks that passes made, which are no instructions of the
/// kernel.
bool Resolver::observes_end(const LinearBlock& block) const {
  return block.terminator != lir::kNoValue && !f_.values[block.terminator].is_edge;
}

/// Appends an instruction, and in front of it the calls of observers that it needs.
void Resolver::append_selected(const SelectedInst& selected, std::uint32_t block) {
  if (!selected.helps) append_observe(selected.site.source);
  const Inst inst = make_inst(selected);
  if (selected.announce != nullptr) {  // a copy of the access with another handler
    Inst announcing = inst;
    announcing.run = selected.announce;
    append(announcing, {.op = Op::kAnnounceRow, .source = selected.site.source});
    ++own_;
  }
  selected.for_each_definition([&](VReg reg) { note_row(registers_[reg], offset(reg)); });
  append(inst, make_site(selected));
  if (!options_.keeps_values()) return;
  // A result can be read behind the instruction that writes it.
  const Definition here{block, narrow<std::uint32_t>(program_.code.size())};
  selected.for_each_definition([&](VReg reg) { result_.definitions[reg] = here; });
}

/// Notes that the next instruction of the code stores to this register.
void Resolver::note_row(const Register& reg, std::uint32_t offset) {
  if (reg.is_scalar) return;
  result_.row_writes.push_back({program_.code.size(), offset, row_bytes(reg.kind, t_.lanes)});
}

Inst Resolver::make_inst(const SelectedInst& selected) {
  Inst inst{selected.run,       offset(selected.d), offset(selected.a),
            offset(selected.b), offset(selected.c), {selected.imm}};
  if (selected.strides) {
    inst.d = std::bit_cast<std::uint32_t>((*selected.strides)[0]);
    inst.c = std::bit_cast<std::uint32_t>((*selected.strides)[1]);
  }
  if (selected.access == nullptr && !selected.is_list) return inst;
  std::vector<std::uint32_t>& offsets = program_.offset_pool.emplace_back();
  for (const VReg reg : selected.values) offsets.push_back(offset(reg));
  if (selected.is_list) {
    const auto count = narrow<std::uint32_t>(offsets.size());
    for (const VReg reg : selected.results) offsets.push_back(offset(reg));
    inst.list = &program_.operand_lists.emplace_back(
        OperandList{offsets.data(), count, selected.imm, selected.access, offsets.data() + count});
  } else {
    selected.access->values = offsets.data();
    inst.access = selected.access;
  }
  return inst;
}

/// The site includes the places of the values that its finding reports.
Site Resolver::make_site(const SelectedInst& selected) {
  std::vector<ValueHome>& homes = program_.reported_values;
  Site site = selected.site;
  site.first_reported = narrow<std::uint32_t>(homes.size());
  site.reported = narrow<std::uint8_t>(selected.reported.size() + selected.reported_values);
  f_.take(site.reported * sizeof(ValueHome));
  for (const ValueId id : selected.reported) {
    const lir::Value& v = f_.values[id];
    homes.push_back(v.op == Op::kConst ? ValueHome{.kind = v.kind, .bits = v.imm}
                                       : register_home(v, offset(registers_.known(id))));
  }
  for (std::uint32_t k = 0; k < selected.reported_values; ++k) {
    const ImageOperation operation = ImageOperation::decode(selected.imm);
    const std::uint32_t i = operation.handles() + k;
    homes.push_back({.place = ValueHome::Place::kRow,
                     .kind = operation.operand(i),
                     .offset = offset(selected.values[i])});
  }
  return site;
}

/// Appends the parts of merged accesses, which are reported instead of them, behind the code that
/// runs.
void Resolver::append_parts(const SelectedInst& selected) {
  if (selected.part_count == 0) return;
  selected.access->part_count = selected.part_count;
  parts_of_.emplace_back(selected.access, program_.code.size());
  for (std::uint32_t i = 0; i < selected.part_count; ++i) {
    const SelectedPart& part = selection_.parts[selected.first_part + i];
    Inst inst{};
    inst.run = t_.special_of(Op::kUnreachable);
    inst.access = &program_.accesses.emplace_back(part.access);
    Site site = selected.site;
    site.source = part.source;
    site.form = kNoAddress;
    site.align_bytes = part.access.align_mask + 1;
    append(inst, site);
  }
}

Handler Resolver::copy_handler(const EdgeCopy& copy, std::uint64_t* imm) const {
  const lir::Value& phi = f_.values[copy.phi];
  const lir::Value& from = f_.values[copy.value];
  const auto kind = static_cast<std::size_t>(phi.kind);
  *imm = 0;
  if (is_scalar(phi)) return t_.scalar_copy;
  if (!is_scalar(from)) return t_.masked_copy[kind];
  if (from.spread == lir::Spread::kUniform) return t_.masked_spread[kind];
  *imm = static_cast<std::uint64_t>(from.stride);
  return t_.masked_affine[kind];
}

void Resolver::append_copies(const LinearBlock& block) {
  std::vector<EdgeCopy> copies;
  std::vector<PlaceCopy> places;
  for (const EdgeCopy& copy : block.copies) {
    const PlaceCopy place{offset(registers_.known(copy.phi)), offset(registers_.known(copy.value))};
    if (place.target == place.source) continue;
    copies.push_back(copy);
    places.push_back(place);
  }
  if (copies.size() > 1) f_.work(2 * copies.size());
  for (const CopyStep& step : order_copies(places)) {
    const EdgeCopy& copy = copies[step.copy];
    const Register& target = registers_[registers_.known(copy.phi)];
    Inst inst{};
    inst.d = places[step.copy].target;
    inst.a = places[step.copy].source;
    inst.run = copy_handler(copy, &inst.imm);
    if (step.what == CopyStep::What::kCopySaved)
      inst.a = allocation_.temporary(registers_[registers_.known(copy.value)]);
    if (step.what == CopyStep::What::kSave) {
      f_.work();
      inst = Inst{};
      inst.run = target.is_scalar ? t_.scalar_copy : t_.copy[static_cast<std::size_t>(target.kind)];
      inst.d = allocation_.temporary(target);
      inst.a = places[step.copy].target;
    }
    note_row(target, inst.d);
    append(inst, {.op = Op::kCopy, .source = f_.values[copy.phi].source});
  }
}

Op Resolver::terminator_op(const LinearBlock& block) const {
  return block.terminator == lir::kNoValue ? Op::kBranch : f_.values[block.terminator].op;
}

Inst Resolver::make_terminator(std::uint32_t number, std::uint64_t length) {
  const LinearBlock& block = order_.blocks[number];
  const SelectedBlock& selected = selection_.blocks[number];
  Inst inst{};
  inst.d = narrow<std::uint32_t>(length);
  std::vector<std::uint32_t> targets;
  for (const std::uint32_t t : block.targets) {
    targets.push_back(result_.entered[t]);
    if (targets.back() <= number) inst.c = 1;
  }
  if (inst.c != 0) program_.has_loop = true;
  inst.a = offset(selected.condition);
  const Op op = terminator_op(block);
  const Kind kind = op == Op::kBranchConditional ? Kind::kBool
                    : op == Op::kSwitch ? f_.values[f_.values[block.terminator].args[0]].kind
                                        : Kind::kVoid;
  inst.run = t_.special_of(op, kind, selected.condition_is_scalar);
  if (op == Op::kBranchConditional) {
    inst.targets = {targets[0], targets[1]};
  } else if (op == Op::kSwitch) {
    inst.cases = make_switch_table(f_.blocks[block.block].cases, targets);
  } else if (op == Op::kBranch) {
    inst.imm = targets[0];
  }
  return inst;
}

const SwitchTable* Resolver::make_switch_table(std::vector<lir::SwitchCase> cases,
                                               const std::vector<std::uint32_t>& targets) {
  constexpr std::uint64_t kMaxSpan = 1024;
  std::sort(cases.begin(), cases.end(),
            [](const auto& x, const auto& y) { return x.value < y.value; });
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
    program_.offset_pool.push_back(std::move(dense));
    table.dense = program_.offset_pool.back().data();
  }
  program_.value_pool.push_back(std::move(values));
  program_.offset_pool.push_back(std::move(case_targets));
  table.values = program_.value_pool.back().data();
  table.targets = program_.offset_pool.back().data();
  return &program_.switches.emplace_back(table);
}

}  // namespace

Resolved resolve(const Input& input, const LinearOrder& order, const Allocation& allocation,
                 Selection* selection) {
  return Resolver(input, order, allocation, selection).run();
}

}  // namespace transpire::vm::emission
