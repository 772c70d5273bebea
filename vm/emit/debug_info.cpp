// The places of the module's <id>s in a program that keeps values (vm/program/debug_info.h).
//
// A named value has a register that nothing else writes, so the register holds the last value that
// its lanes computed. The lanes see this value wherever its definition dominates, inside of the
// loops around the definition. Lanes that have left a loop find there the values of later rounds;
// behind loops, the phis that close them have the value.
#include <algorithm>

#include "base/narrow.h"
#include "vm/emit/emitter.h"
#include "vm/lir/dominators.h"

namespace transpire::vm::emission {
namespace {

/// Maximum number of places of a value: the value itself and phis that hold it.
constexpr std::size_t kMostPlaces = 16;

/// Memory of an entry of Emitter::copies_of_ and its list.
constexpr std::uint64_t kCopyBytes = 96;

std::uint64_t bytes_of(const DebugInfo& debug) {
  std::uint64_t bytes = debug.source_blocks.size() * sizeof(SourceBlock);
  for (const NamedVariable& variable : debug.variables)
    bytes += sizeof variable + variable.name.size();
  for (const NamedLocal& local : debug.locals) bytes += sizeof local + local.name.size();
  return bytes;
}

}  // namespace

VReg Emitter::register_of(ValueId id) const {
  return is_scalar(value(id)) ? scalar_of_value_[id] : row_of_value_[id];
}

/// The value, and the phis that have no other operand.
ValueList Emitter::also_in(ValueId id) const {
  ValueList all{id};
  for (std::size_t i = 0; i < all.size() && all.size() < kMostPlaces; ++i) {
    const auto found = copies_of_.find(all[i]);
    if (found == copies_of_.end()) continue;
    const std::size_t room = kMostPlaces - all.size();
    for (std::size_t c = 0; c < std::min(found->second.size(), room); ++c)
      all.push_back(found->second[c]);
  }
  f_.work(all.size());
  return all;
}

void Emitter::keep_value(ValueId id) {
  const lir::Value& v = value(id);
  if (v.op == Op::kArgument || (v.op == Op::kPhi && v.block != lir::kNoBlock)) result_register(id);
  if (const VReg reg = register_of(id); reg != kNoReg) registers_[reg].is_kept = true;
}

void Emitter::find_copies() {
  for (const BlockId b : f_.order)
    for (const ValueId phi : f_.blocks[b].phis) {
      const lir::ValueList& args = value(phi).args;
      f_.work(args.size() + 1);
      if (args.empty() || args[0] == phi || value(args[0]).op == Op::kConst ||
          !std::all_of(args.begin(), args.end(), [&](ValueId arg) { return arg == args[0]; }))
        continue;
      f_.take(kCopyBytes);
      copies_of_[args[0]].push_back(phi);
    }
}

void Emitter::keep_values() {
  f_.work(f_.debug.variables.size() + f_.debug.locals.size());
  f_.take(bytes_of(f_.debug));
  program_->debug = f_.debug;
  find_copies();
  for (const lir::NamedScalars& named : f_.named)
    for (const ValueId scalar : named.values)
      for (const ValueId id : also_in(scalar)) keep_value(id);
  std::unordered_map<std::uint64_t, ValueId> arguments;
  f_.work(f_.values.size());
  for (ValueId id = 0; id < f_.values.size(); ++id)
    if (value(id).op == Op::kArgument) arguments[value(id).imm] = id;
  for (const NamedVariable& variable : program_->debug.variables)
    if (const auto found = arguments.find(variable.slot); found != arguments.end())
      scalar_of(found->second);
}

/// A result can be read behind the instruction that writes it.
void Emitter::note_definitions(const Proto& proto, std::uint32_t block) {
  definitions_.resize(registers_.size());
  const Definition here{block, narrow<std::uint32_t>(program_->code.size())};
  if (proto.d != kNoReg) definitions_[proto.d] = here;
  for (const VReg reg : proto.results) definitions_[reg] = here;
  if (!proto.defines_values) return;
  for (const VReg reg : proto.values) definitions_[reg] = here;
}

std::optional<ValueHome> Emitter::home_of(ValueId id) const {
  const lir::Value& v = value(id);
  ValueHome home;
  home.kind = v.kind;
  if (v.op == Op::kConst) {
    // Other constants remain of removed values.
    const auto known = f_.constants.find({v.kind, v.imm});
    if (known == f_.constants.end() || known->second != id) return std::nullopt;
    home.bits = v.imm;
    return home;
  }
  const VReg reg = register_of(id);
  if (reg == kNoReg || !registers_[reg].is_kept) return std::nullopt;
  home.place = is_scalar(v) ? ValueHome::Place::kScalar : ValueHome::Place::kRow;
  home.offset = registers_[find(reg)].offset;
  home.stride = v.spread == lir::Spread::kAffine ? v.stride : 0;
  if (v.op == Op::kArgument) return home;
  if (v.block == lir::kNoBlock || reg >= definitions_.size()) return std::nullopt;
  const Definition& definition = definitions_[reg];
  if (definition.block == ValueHome::kEveryBlock) return std::nullopt;
  home.block = definition.block;
  home.from = definition.from;
  return home;
}

void Emitter::add_homes(const lir::NamedScalars& named) {
  DebugInfo& debug = program_->debug;
  NamedValue entry;
  entry.id = named.id;
  entry.call = named.call;
  entry.word = named.word;
  entry.components = narrow<std::uint32_t>(named.values.size());
  entry.first_home = narrow<std::uint32_t>(debug.homes.size());
  for (std::uint32_t c = 0; c < named.values.size(); ++c)
    for (const ValueId id : also_in(named.values[c])) {
      std::optional<ValueHome> home = home_of(id);
      if (!home || home->kind != named.kinds[c]) continue;
      home->component = c;
      f_.take(sizeof *home);
      debug.homes.push_back(*home);
    }
  entry.home_count = narrow<std::uint32_t>(debug.homes.size()) - entry.first_home;
  f_.take(sizeof entry);
  debug.values.push_back(entry);
}

void Emitter::place_code_blocks() {
  std::vector<CodeBlock>& blocks = program_->debug.code_blocks;
  const lir::Dominators dominators(f_);
  for (std::uint32_t n = 0; n < blocks.size(); ++n) {
    if (blocks_[n].block == lir::kNoBlock) continue;  // an edge: no instruction to stop at
    blocks[n].enter = dominators.first(blocks_[n].block);
    blocks[n].leave = dominators.last(blocks_[n].block);
    if (cycle_of_block_[n] == kNoCycle) continue;
    blocks[n].loop_first = cycles_[cycle_of_block_[n]].first_block;
    blocks[n].loop_last = cycles_[cycle_of_block_[n]].last_block;
  }
}

void Emitter::write_debug_info() {
  DebugInfo& debug = program_->debug;
  definitions_.resize(registers_.size());
  place_code_blocks();
  for (const BlockId b : f_.order) {
    const std::uint32_t n = linear_of_block_[b];
    for (const ValueId phi : f_.blocks[b].phis)
      if (const VReg reg = register_of(phi); reg != kNoReg)
        definitions_[reg] = {n, debug.code_blocks[n].first};
  }
  for (const lir::NamedScalars& named : f_.named) add_homes(named);
  std::sort(debug.values.begin(), debug.values.end(), [](const auto& a, const auto& b) {
    return std::tie(a.call, a.id) < std::tie(b.call, b.id);
  });
  std::unordered_map<std::uint32_t, std::uint32_t> offsets;
  for (const Program::ArgumentScalar& argument : program_->argument_scalars)
    offsets[argument.slot] = argument.offset;
  for (NamedVariable& variable : debug.variables)
    if (const auto found = offsets.find(variable.slot); found != offsets.end())
      variable.address = found->second;
}

}  // namespace transpire::vm::emission
