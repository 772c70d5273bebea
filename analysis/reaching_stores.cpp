// See reaching_stores.h.
#include "analysis/reaching_stores.h"

#include <algorithm>
#include <set>

#include "decoder/pointer_ops.h"

namespace transpire::analysis {

using decoder::Constant;
using decoder::Id;
using decoder::Instruction;

namespace {

/// True if equal operands give equal results.
bool is_pure(spv::Op op) {
  const std::string_view family = decoder::opcode_class(op);
  return decoder::moves_pointer(op) || family == "Arithmetic" || family == "Bit" ||
         family == "Conversion" || op == spv::Op::OpCompositeExtract || op == spv::Op::OpLoad;
}

}  // namespace

/// True if both are made in the same way from the same values.
bool ReachingStores::same(FlowValue a, FlowValue b, int depth) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest || !values_.work()) return false;
  for (FlowValue* each : {&a, &b})
    while (const auto given = values_.argument(*each)) {
      if (!values_.work()) return false;
      *each = *given;
    }
  if (a == b) return true;
  const Constant* const left = values_.module().constant(a.id);
  const Constant* const right = values_.module().constant(b.id);
  if (left != nullptr || right != nullptr)
    return left == right ||
           (left != nullptr && right != nullptr && left->kind == Constant::Kind::kScalar &&
            right->kind == left->kind && left->bits == right->bits);
  const FlowPlace at = values_.definition(a), other = values_.definition(b);
  if (at.in == nullptr || other.in == nullptr) return a.id == b.id;  // at the module's scope
  const Instruction& one = at.instruction();
  const Instruction& two = other.instruction();
  if (one.op != two.op || !is_pure(one.op)) return false;
  if (one.op == spv::Op::OpCompositeExtract &&
      !std::ranges::equal(one.operands.subspan(1), two.operands.subspan(1)))
    return false;
  const std::vector<Id> operands = value_operands(one), others = value_operands(two);
  if (operands.size() != others.size()) return false;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!same(at.value(operands[i]), other.value(others[i]), depth + 1)) return false;
  return true;
}

/// Compares the bytes at two pointers with the same root.
ReachingStores::Overlap ReachingStores::overlap(FlowValue a, FlowValue b, bool is_private) {
  if (same(a, b)) return Overlap::kSame;
  if (!is_private) return Overlap::kNone;  // for all that is known
  const FlowPlace at = values_.definition(a), other = values_.definition(b);
  if (at.in == nullptr || other.in == nullptr) return Overlap::kSome;
  const Instruction& one = at.instruction();
  const Instruction& two = other.instruction();
  if (one.op != two.op || !decoder::moves_pointer(one.op) ||
      one.operands.size() != two.operands.size())
    return Overlap::kSome;
  if (!same(at.value(one.operands[0]), other.value(two.operands[0]))) return Overlap::kSome;
  for (std::size_t i = 1; i < one.operands.size(); ++i) {
    const Constant* const left = values_.module().constant(one.operands[i]);
    const Constant* const right = values_.module().constant(two.operands[i]);
    if (left != nullptr && right != nullptr && left->bits != right->bits) return Overlap::kNone;
  }
  return Overlap::kSome;
}

/// The stores and copies to the object of a root.
const ReachingStores::Stores& ReachingStores::stores_to(FlowValue root) {
  const auto [place, is_new] = stores_.try_emplace(root);
  Stores& stores = place->second;
  if (!is_new) return stores;
  values_.follow(root, Values::Callees::kByCall, [&](const FlowPlace& user, FlowValue pointer) {
    const Instruction& instruction = user.instruction();
    if ((instruction.op == spv::Op::OpStore || is_copy(instruction.op)) &&
        instruction.operands[0] == pointer.id)
      stores.by_place.emplace(user.key(), Store{user, pointer});
  });
  for (const auto& [key, store] : stores.by_place)
    for (std::uint32_t call = key.first; values_.caller(call).in != nullptr;
         call = values_.caller(call).call) {
      if (!values_.work()) return stores;
      stores.within[call].push_back(&store);
    }
  return stores;
}

ReachingStores::Overlap ReachingStores::deliver(const Store& store, Read& read) {
  const Overlap shared = overlap(store.pointer, read.pointer, read.is_private);
  if (shared != Overlap::kNone) read.goes_on &= read.take(store);
  return shared;
}

/// Goes backwards to the start of the block. False if nothing older is to be seen, at a store that hides it, or if the
/// search is over.
bool ReachingStores::walk_block(FlowPlace& at, Read& read) {
  while (at.spot.index-- > 0) {
    if (!values_.work() || !read.goes_on) return false;
    if (at.instruction().op == spv::Op::OpFunctionCall) {
      // All stores that the call may have made are taken, so the last one of them has the last word.
      const auto within = read.stores.within.find(values_.call_at(at));
      if (within == read.stores.within.end()) continue;
      for (const Store* store : within->second) {
        if (!values_.work()) return false;
        deliver(*store, read);
      }
      continue;
    }
    const auto store = read.stores.by_place.find(at.key());
    if (store != read.stores.by_place.end() && deliver(store->second, read) == Overlap::kSame)
      return false;
  }
  return true;
}

void ReachingStores::each(const FlowPlace& reader, FlowValue pointer, const Take& take) {
  const FlowValue root = values_.root_of(pointer);
  Read read{stores_to(root), pointer, values_.is_private_variable(root), take};
  if (read.stores.by_place.empty()) return;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::vector<FlowPlace> open{reader};
  while (!open.empty() && read.goes_on) {
    FlowPlace at = open.back();
    open.pop_back();
    if (!walk_block(at, read)) continue;
    for (const std::uint32_t from : at.in->predecessors[at.spot.block]) {
      if (!values_.work()) return;
      // The other turns of a loop make other pointers in the same way.
      if (!read.is_private && from >= at.spot.block) continue;
      const auto size =
          static_cast<std::uint32_t>(at.in->function.blocks[from].instructions.size());
      if (seen.insert({at.call, from}).second) open.push_back({at.in, {from, size}, at.call});
    }
    if (at.spot.block == 0 && at.call != root.call && values_.caller(at.call).in != nullptr)
      open.push_back(values_.caller(at.call));
  }
}

}  // namespace transpire::analysis
