// A named value has a register that nothing else writes, so the register holds the last value that
// its lanes computed. The lanes see this value wherever its definition dominates, inside of the
// loops around the definition. Lanes that have left a loop find there the values of later rounds;
// behind loops, the phis that close them have the value.
#include "vm/emit/debug_info.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"

namespace transpire::vm::emission {
namespace {

/// Maximum number of places of a value: the value itself and phis that hold it.
constexpr std::size_t kMostPlaces = 16;

/// Memory of an entry of Selection::copies_of and its list.
constexpr std::uint64_t kCopyBytes = 96;

std::uint64_t bytes_of(const DebugInfo& debug) {
  std::uint64_t bytes = debug.source_blocks.size() * sizeof(SourceBlock);
  for (const NamedVariable& variable : debug.variables)
    bytes += sizeof variable + variable.name.size();
  for (const NamedLocal& local : debug.locals) bytes += sizeof local + local.name.size();
  return bytes;
}

/// The value, and the phis that have no other operand.
ValueList also_in(const lir::Function& f, const Selection& selection, ValueId id) {
  ValueList all{id};
  for (std::size_t i = 0; i < all.size() && all.size() < kMostPlaces; ++i) {
    const auto found = selection.copies_of.find(all[i]);
    if (found == selection.copies_of.end()) continue;
    const std::size_t room = kMostPlaces - all.size();
    for (std::size_t c = 0; c < std::min(found->second.size(), room); ++c)
      all.push_back(found->second[c]);
  }
  f.work(all.size());
  return all;
}

void keep_value(const lir::Function& f, ValueId id, Registers* registers) {
  const lir::Value& v = f.values[id];
  if (v.op == Op::kArgument || (v.op == Op::kPhi && v.block != lir::kNoBlock))
    registers->result_of(id);
  if (const VReg reg = registers->known(id); reg != kNoReg) registers->all[reg].is_kept = true;
}

void find_copies(const lir::Function& f, Selection* selection) {
  for (const BlockId b : f.order)
    for (const ValueId phi : f.blocks[b].phis) {
      const lir::ValueList& args = f.values[phi].args;
      f.work(args.size() + 1);
      if (args.empty() || args[0] == phi || f.values[args[0]].op == Op::kConst ||
          !std::all_of(args.begin(), args.end(), [&](ValueId arg) { return arg == args[0]; }))
        continue;
      f.take(kCopyBytes);
      selection->copies_of[args[0]].push_back(phi);
    }
}

/// Writes the data for debuggers.
class DebugWriter {
 public:
  DebugWriter(const lir::Function& function, const LinearOrder& order, const Selection& selection,
              const Allocation& allocation, const Resolved& resolved)
      : f_(function),
        order_(order),
        selection_(selection),
        allocation_(allocation),
        definitions_(resolved.definitions),
        debug_(function.debug) {
    debug_.code_blocks = resolved.blocks;
  }

  DebugInfo run(const Program& program) {
    place_code_blocks();
    for (const BlockId b : f_.order) {
      const std::uint32_t n = order_.number_of[b];
      for (const ValueId phi : f_.blocks[b].phis)
        if (const VReg reg = selection_.registers.known(phi); reg != kNoReg)
          definitions_[reg] = {n, debug_.code_blocks[n].first};
    }
    for (const lir::NamedScalars& named : f_.named) add_homes(named);
    std::sort(debug_.values.begin(), debug_.values.end(), [](const auto& a, const auto& b) {
      return std::tie(a.call, a.id) < std::tie(b.call, b.id);
    });
    std::unordered_map<std::uint32_t, std::uint32_t> offsets;
    for (const Program::ArgumentScalar& argument : program.argument_scalars)
      offsets[argument.slot] = argument.offset;
    for (NamedVariable& variable : debug_.variables)
      if (const auto found = offsets.find(variable.slot); found != offsets.end())
        variable.address = found->second;
    return std::move(debug_);
  }

 private:
  std::optional<ValueHome> home_of(ValueId id) const {
    const lir::Value& v = f_.values[id];
    ValueHome home;
    home.kind = v.kind;
    if (v.op == Op::kConst) {
      // Other constants remain of removed values.
      const auto known = f_.constants.find({v.kind, v.imm});
      if (known == f_.constants.end() || known->second != id) return std::nullopt;
      home.bits = v.imm;
      return home;
    }
    const VReg reg = selection_.registers.known(id);
    if (reg == kNoReg || !selection_.registers[reg].is_kept) return std::nullopt;
    home = register_home(v, allocation_.offsets[reg]);
    if (v.op == Op::kArgument) return home;
    const Definition& definition = definitions_[reg];
    if (v.block == lir::kNoBlock || definition.block == ValueHome::kEveryBlock) return std::nullopt;
    home.block = definition.block;
    home.from = definition.from;
    return home;
  }

  void add_homes(const lir::NamedScalars& named) {
    NamedValue entry;
    entry.id = named.id;
    entry.call = named.call;
    entry.word = named.word;
    entry.components = narrow<std::uint32_t>(named.values.size());
    entry.first_home = narrow<std::uint32_t>(debug_.homes.size());
    for (std::uint32_t c = 0; c < named.values.size(); ++c)
      for (const ValueId id : also_in(f_, selection_, named.values[c])) {
        std::optional<ValueHome> home = home_of(id);
        if (!home || home->kind != named.kinds[c]) continue;
        home->component = c;
        f_.take(sizeof *home);
        debug_.homes.push_back(*home);
      }
    entry.home_count = narrow<std::uint32_t>(debug_.homes.size()) - entry.first_home;
    f_.take(sizeof entry);
    debug_.values.push_back(entry);
  }

  void place_code_blocks() {
    std::vector<CodeBlock>& blocks = debug_.code_blocks;
    const lir::Dominators dominators(f_);
    for (std::uint32_t n = 0; n < blocks.size(); ++n) {
      const BlockId block = order_.blocks[n].block;
      if (block == lir::kNoBlock) continue;  // an edge: no instruction to stop at
      blocks[n].enter = dominators.first(block);
      blocks[n].leave = dominators.last(block);
      const std::uint32_t loop = order_.loop_of[n];
      if (loop == kNoLoop) continue;
      blocks[n].loop_first = order_.loops[loop].first;
      blocks[n].loop_last = order_.loops[loop].last;
    }
  }

  const lir::Function& f_;
  const LinearOrder& order_;
  const Selection& selection_;
  const Allocation& allocation_;
  std::vector<Definition> definitions_;  ///< by VReg
  DebugInfo debug_;
};

}  // namespace

void keep_values(const lir::Function& f, Selection* selection) {
  f.work(f.debug.variables.size() + f.debug.locals.size());
  f.take(bytes_of(f.debug));
  find_copies(f, selection);
  for (const lir::NamedScalars& named : f.named)
    for (const ValueId scalar : named.values)
      for (const ValueId id : also_in(f, *selection, scalar))
        keep_value(f, id, &selection->registers);
  std::unordered_map<std::uint64_t, ValueId> arguments;
  f.work(f.values.size());
  for (ValueId id = 0; id < f.values.size(); ++id)
    if (f.values[id].op == Op::kArgument) arguments[f.values[id].imm] = id;
  for (const NamedVariable& variable : f.debug.variables)
    if (const auto found = arguments.find(variable.slot); found != arguments.end())
      selection->registers.scalar_of(found->second);
}

DebugInfo debug_info(const lir::Function& function, const LinearOrder& order,
                     const Selection& selection, const Allocation& allocation,
                     const Resolved& resolved) {
  return DebugWriter(function, order, selection, allocation, resolved).run(*resolved.program);
}

}  // namespace transpire::vm::emission
