#include "findings/divergence.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "analysis/function_index.h"
#include "base/dominators.h"
#include "base/edges.h"
#include "decoder/pointer_ops.h"

namespace transpire::findings {
namespace {

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
  std::vector<std::vector<std::uint32_t>> below;  ///< whose first inevitable block it is
};

/// A block of one expansion of its function.
struct BlockPlace {
  Flow* in = nullptr;
  std::uint32_t block = 0;
  std::uint32_t call = 0;  ///< index into Program::sources; 0: of the kernel
  auto key() const { return std::tuple(&in->index, block, call); }
};

class Parting {
 public:
  explicit Parting(const FindingContext& context)
      : module_(context.module), program_(context.program), functions_(module_) {}

  /// Branches that decide who comes to the block of an instruction, the closest first.
  std::vector<BlockPlace> deciding(const vm::Source& source) {
    std::vector<BlockPlace> found;
    std::set<std::tuple<const analysis::FunctionIndex*, std::uint32_t, std::uint32_t>> seen;
    std::deque<BlockPlace> open;
    if (const BlockPlace first = block_of(source); first.in != nullptr) open.push_back(first);
    while (!open.empty() && found.size() < 32) {
      const BlockPlace at = open.front();
      open.pop_front();
      for (const std::uint32_t branch : controls(*at.in, at.block)) {
        const BlockPlace place{at.in, branch, at.call};
        if (!seen.insert(place.key()).second) continue;
        found.push_back(place);
        open.push_back(place);
      }
      if (at.call == 0) continue;
      if (const BlockPlace caller = block_of(program_.sources[at.call]);
          caller.in != nullptr && seen.insert(caller.key()).second)
        open.push_back(caller);
    }
    return found;
  }

  Varies varies(const BlockPlace& branch) {
    const Instruction& end = terminator(branch);
    return end.operands.empty() ? Varies::kNo
                                : varies({&branch.in->index, end.operands[0], branch.call}, 0);
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
    return {at->word_offset, at->op, at->line, index.function.id, branch.call};
  }

 private:
  struct Key {
    const analysis::FunctionIndex* in;
    Id id;
    std::uint32_t call;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  bool work(std::uint64_t steps = 1) {
    left_ -= std::min(left_, steps);
    return left_ != 0;
  }

  Flow* flow_of(Id function) {
    const analysis::FunctionIndex* index = functions_.of(function);
    return index == nullptr ? nullptr : flow_of(*index);
  }
  Flow* flow_of(const analysis::FunctionIndex& index) {
    std::unique_ptr<Flow>& flow = flows_[&index];
    if (flow == nullptr) {
      work(index.predecessors.size());
      flow = std::make_unique<Flow>(index);
    }
    return flow.get();
  }

  BlockPlace block_of(const vm::Source& source) {
    Flow* flow = flow_of(source.function);
    if (flow == nullptr) return {};
    const auto spot = flow->index.at_word.find(source.word_offset);
    if (spot == flow->index.at_word.end()) return {};
    return {flow, spot->second.block, source.called_from};
  }

  /// The blocks of which one way leads to the block inevitably, and another one may not.
  std::vector<std::uint32_t> controls(Flow& flow, std::uint32_t block) {
    if (!work(flow.below.size())) return {};
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

  Varies varies(const Key& key, int depth) {
    if (!work() || depth > kDeepest) return Varies::kMaybe;
    const auto [known, is_new] =
        known_.try_emplace(key, Varies::kNo);  // within a cycle: nothing new
    if (!is_new) return known->second;
    const Varies found = find(key, depth + 1);
    return known_[key] = found;
  }

  Varies find(const Key& key, int depth) {
    if (const auto number = key.in->parameters.find(key.id); number != key.in->parameters.end())
      return of_argument(key, number->second, depth);
    const auto definition = key.in->definitions.find(key.id);
    if (definition == key.in->definitions.end()) return Varies::kNo;  // of the module's scope
    const analysis::Spot spot = definition->second;
    const Instruction& made = key.in->at(spot);
    switch (made.op) {
      case spv::Op::OpLoad:
        return of_load(key, made, depth);
      case spv::Op::OpVariable:
        return Varies::kNo;
      case spv::Op::OpUndef:
        return Varies::kMaybe;
      case spv::Op::OpPhi:
        return std::max(of_operands(key, made, depth), of_ways(key, spot.block, depth));
      case spv::Op::OpGroupAll:
      case spv::Op::OpGroupAny:
      case spv::Op::OpGroupBroadcast:
        return Varies::kNo;
      case spv::Op::OpFunctionCall:
        return of_call(key, made, depth);
      default:
        if (decoder::opcode_class(made.op) == "Atomic") return Varies::kYes;
        return of_operands(key, made, depth);
    }
  }

  Varies of_operands(const Key& key, const Instruction& made, int depth) {
    Varies most = Varies::kNo;
    for (const Id operand : analysis::value_operands(made)) {
      most = std::max(most, varies({key.in, operand, key.call}, depth));
      if (most == Varies::kYes) break;
    }
    return most;
  }

  Varies of_argument(const Key& key, std::uint32_t number, int depth) {
    if (key.call == 0) return Varies::kNo;
    const vm::Source& call = program_.sources[key.call];
    const analysis::FunctionIndex* caller = functions_.of(call.function);
    if (caller == nullptr || !caller->at_word.contains(call.word_offset)) return Varies::kMaybe;
    const std::vector<Id> given =
        analysis::value_operands(caller->at(caller->at_word.at(call.word_offset)));
    if (number >= given.size()) return Varies::kMaybe;
    return varies({caller, given[number], call.called_from}, depth);
  }

  /// The expansion of a called function is unknown here: its parameters count as equal, and a call depends on all its arguments.
  Varies of_call(const Key& key, const Instruction& call, int depth) {
    Varies most = of_operands(key, call, depth);
    const analysis::FunctionIndex* callee = functions_.of(call.operands[0]);
    if (callee == nullptr) return std::max(most, Varies::kMaybe);
    for (const Id returned : callee->returned)
      most = std::max(most, varies({callee, returned, 0}, depth));
    return most;
  }

  /// Which way led to a phi's block.
  Varies of_ways(const Key& key, std::uint32_t block, int depth) {
    Flow& flow = *flow_of(*key.in);
    Varies most = Varies::kNo;
    const auto look = [&](std::uint32_t branch) {
      const Instruction& end = flow.index.function.blocks[branch].instructions.back();
      if (end.operands.size() > 1)
        most = std::max(most, varies({key.in, end.operands[0], key.call}, depth));
    };
    for (const std::uint32_t pred : flow.index.predecessors[block]) {
      look(pred);
      for (const std::uint32_t branch : controls(flow, pred)) look(branch);
    }
    return most;
  }

  Varies of_load(const Key& key, const Instruction& load, int depth) {
    Varies most = Varies::kNo;
    const Id pointer = base_of(key, load.operands[0], depth, most);
    if (const decoder::Variable* global = module_.variable(pointer); global != nullptr)
      return std::max(most, of_variable(*global));
    // A private variable holds one of the values that were stored to it.
    if (const auto made = key.in->definitions.find(pointer);
        made != key.in->definitions.end() && key.in->at(made->second).op == spv::Op::OpVariable)
      return std::max(most, of_stored(key, pointer, depth));
    return std::max({most, varies({key.in, pointer, key.call}, depth), Varies::kMaybe});
  }

  /// The pointer that a pointer is derived from; `most` becomes the most varying of the indexes on the way.
  Id base_of(const Key& key, Id pointer, int depth, Varies& most) {
    for (auto made = key.in->definitions.find(pointer); made != key.in->definitions.end() && work();
         made = key.in->definitions.find(pointer)) {
      const Instruction& instruction = key.in->at(made->second);
      if (!decoder::moves_pointer(instruction.op)) return pointer;
      if (decoder::is_access_chain(instruction.op))
        for (const Id index : instruction.operands.subspan(1))
          most = std::max(most, varies({key.in, index, key.call}, depth));
      pointer = instruction.operands[0];
    }
    return pointer;
  }

  Varies of_stored(const Key& key, Id variable, int depth) {
    Varies most = Varies::kNo;
    const auto users = key.in->users.find(variable);
    if (users == key.in->users.end()) return most;
    for (const analysis::Spot spot : users->second) {
      const Instruction& user = key.in->at(spot);
      if (user.op == spv::Op::OpStore && user.operands[0] == variable)
        most = std::max({most, varies({key.in, user.operands[1], key.call}, depth),
                         of_ways(key, spot.block, depth)});
      else if (user.op != spv::Op::OpLoad && user.op != spv::Op::OpLifetimeStart &&
               user.op != spv::Op::OpLifetimeStop)
        most = std::max(most, Varies::kMaybe);
    }
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
  analysis::FunctionIndexes functions_;
  std::map<const analysis::FunctionIndex*, std::unique_ptr<Flow>> flows_;
  std::map<Key, Varies> known_;
  std::uint64_t left_ = kMostSteps;
};

}  // namespace

std::vector<std::string> parting_branches(const scheduler::Finding& found,
                                          const FindingContext& context) {
  Parting parting(context);
  std::map<Varies, std::vector<std::string>> places;
  for (const scheduler::Waiting& place : found.waiting) {
    if (place.instruction == nullptr) continue;
    for (const BlockPlace& branch :
         parting.deciding(context.program.source_of(place.instruction))) {
      std::vector<std::string>& same = places[parting.varies(branch)];
      std::string spelled = context.places.spell(parting.source_of(branch));
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
  Parting parting(context);
  const std::vector<BlockPlace> of_other = parting.deciding(other);
  for (const BlockPlace& branch : parting.deciding(source)) {
    const auto is_same = [&](const BlockPlace& each) { return each.key() == branch.key(); };
    if (std::ranges::none_of(of_other, is_same) && parting.varies(branch) == Varies::kYes)
      return context.places.spell(parting.source_of(branch));
  }
  return {};
}

}  // namespace transpire::findings
