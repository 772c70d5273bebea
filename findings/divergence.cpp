#include "findings/divergence.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "analysis/values.h"
#include "base/dominators.h"
#include "base/edges.h"

namespace transpire::findings {
namespace {

using analysis::FlowPlace;
using analysis::FlowValue;
using decoder::Id;
using decoder::Instruction;

/// Steps for one finding: some milliseconds.
constexpr std::uint64_t kMostSteps = 200'000;
constexpr std::size_t kMostBranches = 3;
constexpr int kDeepest = 200;

/// How sure it is that a value differs between work-items of a group.
enum class Varies : std::uint8_t { kNo, kMaybe, kYes };

/// A function with the ways through it.
struct Flow {
  explicit Flow(const analysis::FunctionIndex& of) : index(of) {
    std::vector<Edges::Edge> edges;
    const auto blocks = static_cast<std::uint32_t>(index.predecessors.size());
    for (std::uint32_t block = 0; block < blocks; ++block)
      for (const std::uint32_t from : index.predecessors[block]) edges.push_back({from, block});
    successors = std::make_unique<Edges>(blocks, edges);
    const std::vector<std::uint32_t> behind = immediate_post_dominators(*successors);
    below.resize(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block)
      if (behind[block] != kNoVertex) below[behind[block]].push_back(block);
  }

  const analysis::FunctionIndex& index;
  std::unique_ptr<Edges> successors;
  std::vector<std::vector<std::uint32_t>> below;  ///< by first inevitable block
};

/// A block of one expansion of its function.
struct BlockPlace {
  Flow* in = nullptr;
  std::uint32_t block = 0;
  std::uint32_t call = 0;  ///< number of the expansion (analysis::Values)
  auto key() const { return std::tuple(&in->index, block, call); }
};

class Divergence {
 public:
  explicit Divergence(const FindingContext& context)
      : module_(context.module), program_(context.program), values_(module_, kMostSteps) {}

  /// Branches that decide who comes to the block of an instruction, the closest first.
  std::vector<BlockPlace> deciding(const vm::Source& source) {
    std::vector<BlockPlace> found;
    std::set<std::tuple<const analysis::FunctionIndex*, std::uint32_t, std::uint32_t>> seen;
    std::deque<BlockPlace> open;
    if (const BlockPlace first = block_of(values_.place_of(source, program_)); first.in != nullptr)
      open.push_back(first);
    while (!open.empty() && found.size() < 32) {
      const BlockPlace at = open.front();
      open.pop_front();
      for (const std::uint32_t branch : controls(*at.in, at.block)) {
        const BlockPlace place{at.in, branch, at.call};
        if (!seen.insert(place.key()).second) continue;
        found.push_back(place);
        open.push_back(place);
      }
      if (const BlockPlace caller = block_of(values_.caller(at.call));
          caller.in != nullptr && seen.insert(caller.key()).second)
        open.push_back(caller);
    }
    return found;
  }

  Varies varies(const BlockPlace& branch) {
    const Instruction& end = terminator(branch);
    return end.operands.empty() ? Varies::kNo : varies({end.operands[0], branch.call}, 0);
  }

  const Instruction& terminator(const BlockPlace& place) const {
    return place.in->index.function.blocks[place.block].instructions.back();
  }

  /// The branch's place, or its condition's where the branch has no line.
  vm::Source source_of(const BlockPlace& branch) const {
    const analysis::FunctionIndex& index = branch.in->index;
    const Instruction* at = &terminator(branch);
    if (at->line == 0)
      if (const auto condition = index.definitions.find(at->operands[0]);
          condition != index.definitions.end() && index.at(condition->second).line != 0)
        at = &index.at(condition->second);
    return {at->word_offset, at->op, at->line, index.function.id, 0};
  }

 private:
  Flow* flow_of(const analysis::FunctionIndex& index) {
    std::unique_ptr<Flow>& flow = flows_[&index];
    if (flow == nullptr) {
      values_.work(index.predecessors.size());
      flow = std::make_unique<Flow>(index);
    }
    return flow.get();
  }

  BlockPlace block_of(const analysis::FlowPlace& place) {
    if (place.in == nullptr) return {};
    return {flow_of(*place.in), place.spot.block, place.call};
  }

  /// The blocks of which one way leads to the block inevitably, and another one may not.
  std::vector<std::uint32_t> controls(Flow& flow, std::uint32_t block) {
    if (!values_.work(flow.below.size())) return {};
    std::vector<bool> leads(flow.below.size(), false);
    std::vector<std::uint32_t> open{block};
    leads[block] = true;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t each : flow.below[at])
        if (!leads[each]) {
          leads[each] = true;
          open.push_back(each);
        }
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t each = 0; each < leads.size(); ++each) {
      if (leads[each] && each != block) continue;
      const auto to = flow.successors->of(each);
      const auto leads_there = [&leads](std::uint32_t target) { return leads[target]; };
      if (std::ranges::any_of(to, leads_there) && !std::ranges::all_of(to, leads_there))
        found.push_back(each);
    }
    return found;
  }

  Varies varies(FlowValue value, int depth) {
    if (!values_.work() || depth > kDeepest) return Varies::kMaybe;
    const auto [known, is_new] =
        known_.try_emplace(value, Varies::kNo);  // within a cycle: nothing new
    if (!is_new) return known->second;
    const Varies found = find(value, depth + 1);
    return known_[value] = found;
  }

  Varies find(FlowValue value, int depth) {
    if (const auto given = values_.argument(value)) return varies(*given, depth);
    const FlowPlace place = values_.definition(value);
    if (place.in == nullptr) return Varies::kNo;  // a kernel's parameter, or of the module's scope
    const Instruction& made = place.instruction();
    switch (made.op) {
      case spv::Op::OpLoad:
        return of_load(place, depth);
      case spv::Op::OpVariable:
        return Varies::kNo;
      case spv::Op::OpUndef:
        return Varies::kMaybe;
      case spv::Op::OpPhi:
        return std::max(of_operands(place, depth), of_ways(place, depth));
      case spv::Op::OpGroupAll:
      case spv::Op::OpGroupAny:
      case spv::Op::OpGroupBroadcast:
        return Varies::kNo;
      case spv::Op::OpFunctionCall:
        return of_call(place, depth);
      default:
        if (decoder::opcode_class(made.op) == "Atomic") return Varies::kYes;
        return of_operands(place, depth);
    }
  }

  Varies of_operands(const FlowPlace& made, int depth) {
    Varies most = Varies::kNo;
    for (const Id operand : analysis::value_operands(made.instruction())) {
      most = std::max(most, varies(made.value(operand), depth));
      if (most == Varies::kYes) break;
    }
    return most;
  }

  /// Parameters of a called function count as equal, and a call depends on all its arguments.
  Varies of_call(const FlowPlace& site, int depth) {
    Varies most = of_operands(site, depth);
    const std::uint32_t call = values_.call_of(site.instruction().operands[0]);
    const analysis::FunctionIndex* const callee = values_.callee(call);
    if (callee == nullptr) return std::max(most, Varies::kMaybe);
    for (const Id returned : callee->returned)
      most = std::max(most, varies({returned, call}, depth));
    return most;
  }

  /// How sure it is that different work-items come to an instruction on different ways.
  Varies of_ways(const FlowPlace& place, int depth) {
    Flow& flow = *flow_of(*place.in);
    Varies most = Varies::kNo;
    const auto look = [&](std::uint32_t branch) {
      const Instruction& end = flow.index.function.blocks[branch].instructions.back();
      if (end.operands.size() > 1)
        most = std::max(most, varies(place.value(end.operands[0]), depth));
    };
    for (const std::uint32_t pred : flow.index.predecessors[place.spot.block]) {
      look(pred);
      for (const std::uint32_t branch : controls(flow, pred)) look(branch);
    }
    return most;
  }

  Varies of_load(const FlowPlace& load, int depth) {
    std::vector<FlowPlace> chains;
    const FlowValue pointer = values_.base_of(load.value(load.instruction().operands[0]), &chains);
    Varies most = Varies::kNo;
    for (const FlowPlace& chain : chains)
      for (const Id index : chain.instruction().operands.subspan(1))
        most = std::max(most, varies(chain.value(index), depth));
    if (const decoder::Variable* const global = module_.variable(pointer.id); global != nullptr)
      return std::max(most, of_variable(*global));
    if (values_.is_private_variable(pointer)) return std::max(most, of_stored(pointer, depth));
    return std::max({most, varies(pointer, depth), Varies::kMaybe});
  }

  /// A private variable holds one of the values that were stored to it.
  Varies of_stored(FlowValue variable, int depth) {
    const analysis::Values::Stored& stored = values_.stored_to(variable);
    Varies most = stored.escapes ? Varies::kMaybe : Varies::kNo;
    for (const FlowPlace& store : stored.stores)
      most = std::max({most, varies(store.value(store.instruction().operands[1]), depth),
                       of_ways(store, depth)});
    return most;
  }

  static Varies of_variable(const decoder::Variable& variable) {
    if (!variable.is_builtin)
      return variable.storage_class == spv::StorageClass::UniformConstant ? Varies::kNo
                                                                          : Varies::kMaybe;
    switch (variable.builtin) {
      case spv::BuiltIn::GlobalInvocationId:
      case spv::BuiltIn::LocalInvocationId:
      case spv::BuiltIn::LocalInvocationIndex:
      case spv::BuiltIn::GlobalLinearId:
      case spv::BuiltIn::SubgroupId:
      case spv::BuiltIn::SubgroupLocalInvocationId:
        return Varies::kYes;
      default:
        return Varies::kNo;
    }
  }

  const decoder::Module& module_;
  const vm::Program& program_;
  analysis::Values values_;
  std::map<const analysis::FunctionIndex*, std::unique_ptr<Flow>> flows_;
  std::map<FlowValue, Varies> known_;
};

}  // namespace

std::vector<std::string> diverging_branches(const scheduler::Finding& found,
                                            const FindingContext& context) {
  Divergence divergence(context);
  std::map<Varies, std::vector<std::string>> places;
  for (const scheduler::Waiting& place : found.waiting) {
    if (place.instruction == nullptr) continue;
    for (const BlockPlace& branch :
         divergence.deciding(context.program.source_of(place.instruction))) {
      std::vector<std::string>& same = places[divergence.varies(branch)];
      std::string spelled = context.places.spell(divergence.source_of(branch));
      if (std::ranges::find(same, spelled) == same.end()) same.push_back(std::move(spelled));
    }
  }
  for (const Varies sure : {Varies::kYes, Varies::kMaybe}) {
    std::vector<std::string>& branches = places[sure];
    if (branches.empty()) continue;
    branches.resize(std::min(branches.size(), kMostBranches));
    return branches;
  }
  return {};
}

std::string own_branch(const vm::Source& source, const vm::Source& other,
                       const FindingContext& context) {
  Divergence divergence(context);
  const std::vector<BlockPlace> of_other = divergence.deciding(other);
  for (const BlockPlace& branch : divergence.deciding(source)) {
    const auto is_same = [&](const BlockPlace& each) { return each.key() == branch.key(); };
    if (std::ranges::none_of(of_other, is_same) && divergence.varies(branch) == Varies::kYes)
      return context.places.spell(divergence.source_of(branch));
  }
  return {};
}

}  // namespace transpire::findings
