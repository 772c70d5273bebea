#include "analysis/value_flow.h"

#include <algorithm>

#include "decoder/pointer_ops.h"

namespace transpire::analysis {
namespace {

using decoder::Id;
using decoder::Instruction;

/// Instructions looked at for all findings of a launch together: some 100 ms.
constexpr std::uint64_t kMostWork = 2'000'000;

/// True if equal operands give equal results.
bool is_pure(spv::Op op) {
  const std::string_view family = decoder::opcode_class(op);
  return decoder::moves_pointer(op) || family == "Arithmetic" || family == "Bit" ||
         family == "Conversion" || op == spv::Op::OpCompositeExtract || op == spv::Op::OpLoad;
}

bool is_copy(spv::Op op) { return op == spv::Op::OpCopyMemory || op == spv::Op::OpCopyMemorySized; }

}  // namespace

ValueFlow::ValueFlow(const decoder::Module& module, const vm::Program& program)
    : module_(module), program_(program), functions_(module), left_(kMostWork), calls_(1) {}

bool ValueFlow::work(std::uint64_t steps) {
  left_ -= std::min(left_, steps);
  return left_ != 0;
}

// ---- Calls --------------------------------------------------------------------------------------

std::uint32_t ValueFlow::call_number(const FlowPlace& site) {
  const auto [place, is_new] =
      call_numbers_.try_emplace(site.key(), static_cast<std::uint32_t>(calls_.size()));
  if (is_new) calls_.push_back({site, functions_.of(site.instruction().operands[0])});
  return place->second;
}

/// The call that an instruction was expanded for.
std::uint32_t ValueFlow::call_of(const vm::Source& source) {
  std::vector<const vm::Source*> path;
  for (std::uint32_t at = source.called_from; at != 0; at = program_.sources[at].called_from)
    path.push_back(&program_.sources[at]);
  std::uint32_t call = 0;
  for (; !path.empty(); path.pop_back()) {
    work();
    const FunctionIndex* caller = functions_.of(path.back()->function);
    if (caller == nullptr) return 0;
    const auto found = caller->at_word.find(path.back()->word_offset);
    if (found == caller->at_word.end()) return 0;
    if (call == 0) calls_[0].callee = caller;
    call = call_number({caller, found->second, call});
  }
  return call;
}

FlowPlace ValueFlow::place_of(const vm::Source& source) {
  if (!work()) return {};
  const FunctionIndex* in = functions_.of(source.function);
  if (in == nullptr) return {};
  const auto found = in->at_word.find(source.word_offset);
  if (found == in->at_word.end()) return {};
  const std::uint32_t call = call_of(source);
  if (left_ == 0) return {};
  if (call == 0) calls_[0].callee = in;
  return {in, found->second, call};
}

FlowPlace ValueFlow::definition(FlowValue value) {
  const FunctionIndex* in = calls_[value.call].callee;
  if (in == nullptr) return {};
  const auto found = in->definitions.find(value.id);
  if (found == in->definitions.end()) return {};
  return {in, found->second, value.call};
}

/// The argument that a call gave for a parameter; none for a kernel's parameter, and for values that are no parameter.
std::optional<FlowValue> ValueFlow::argument(FlowValue parameter) {
  if (parameter.call == 0) return std::nullopt;
  const Call& call = calls_[parameter.call];
  if (call.callee == nullptr) return std::nullopt;
  const auto number = call.callee->parameters.find(parameter.id);
  if (number == call.callee->parameters.end()) return std::nullopt;
  const auto operands = call.site.instruction().operands;
  if (number->second + 1 >= operands.size()) return std::nullopt;
  return call.site.value(operands[number->second + 1]);
}

// ---- Pointers -----------------------------------------------------------------------------------

/// The variable or parameter that a pointer points into, or the value that it is made from.
FlowValue ValueFlow::root_of(FlowValue pointer) {
  while (work()) {
    if (const auto given = argument(pointer)) {
      pointer = *given;
      continue;
    }
    const FlowPlace place = definition(pointer);
    if (place.in == nullptr) return pointer;
    const Instruction& instruction = place.instruction();
    if (decoder::moves_pointer(instruction.op)) {
      pointer.id = instruction.operands[0];
      continue;
    }
    if (instruction.op != spv::Op::OpLoad) return pointer;
    const auto kept = only_value(place.value(instruction.operands[0]));
    if (!kept) return pointer;
    pointer = *kept;
  }
  return pointer;
}

/// The value of a private variable that is stored to once: clang -O0 keeps parameters so.
std::optional<FlowValue> ValueFlow::only_value(FlowValue variable) {
  const FlowPlace place = definition(variable);
  if (place.in == nullptr || place.instruction().op != spv::Op::OpVariable) return std::nullopt;
  std::optional<FlowValue> value;
  const auto users = place.in->users.find(variable.id);
  if (users == place.in->users.end()) return std::nullopt;
  for (const Spot spot : users->second) {
    const Instruction& user = place.in->at(spot);
    if (!work()) return std::nullopt;
    if (user.op == spv::Op::OpLoad || user.op == spv::Op::OpLifetimeStart ||
        user.op == spv::Op::OpLifetimeStop)
      continue;
    const bool stores = user.op == spv::Op::OpStore && user.operands[0] == variable.id;
    if (!stores || value) return std::nullopt;
    value = place.value(user.operands[1]);
  }
  return value;
}

bool ValueFlow::is_private(FlowValue root) {
  const FlowPlace place = definition(root);
  return place.in != nullptr && place.instruction().op == spv::Op::OpVariable;
}

/// True if both are made in the same way from the same values.
bool ValueFlow::same(FlowValue a, FlowValue b, int depth) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest || !work()) return false;
  for (FlowValue* each : {&a, &b})
    while (const auto given = argument(*each)) {
      if (!work()) return false;
      *each = *given;
    }
  if (a == b) return true;
  const decoder::Constant* const left = module_.constant(a.id);
  const decoder::Constant* const right = module_.constant(b.id);
  if (left != nullptr || right != nullptr)
    return left == right ||
           (left != nullptr && right != nullptr && left->kind == decoder::Constant::Kind::kScalar &&
            right->kind == left->kind && left->bits == right->bits);
  const FlowPlace at = definition(a), other = definition(b);
  if (at.in == nullptr || other.in == nullptr) return a.id == b.id;  // of the module's scope
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

/// True if two pointers with the same root point to the same bytes.
ValueFlow::Overlap ValueFlow::overlap(FlowValue a, FlowValue b, bool is_private) {
  if (same(a, b)) return Overlap::kSame;
  if (!is_private) return Overlap::kNone;  // for all that is known
  const FlowPlace at = definition(a), other = definition(b);
  if (at.in == nullptr || other.in == nullptr) return Overlap::kSome;
  const Instruction& one = at.instruction();
  const Instruction& two = other.instruction();
  if (one.op != two.op || !decoder::moves_pointer(one.op) ||
      one.operands.size() != two.operands.size())
    return Overlap::kSome;
  if (!same(at.value(one.operands[0]), other.value(two.operands[0]))) return Overlap::kSome;
  for (std::size_t i = 1; i < one.operands.size(); ++i) {
    const decoder::Constant* const left = module_.constant(one.operands[i]);
    const decoder::Constant* const right = module_.constant(two.operands[i]);
    if (left != nullptr && right != nullptr && left->bits != right->bits) return Overlap::kNone;
  }
  return Overlap::kSome;
}

// ---- Stores -------------------------------------------------------------------------------------

/// How an instruction uses a pointer.
void ValueFlow::follow_pointer(const FlowPlace& user, FlowValue pointer, Stores& stores,
                               std::vector<FlowValue>& open) {
  const Instruction& instruction = user.instruction();
  const auto operands = instruction.operands;
  if (decoder::moves_pointer(instruction.op) || instruction.op == spv::Op::OpPhi ||
      instruction.op == spv::Op::OpSelect) {
    open.push_back(user.value(instruction.result_id));
  } else if (instruction.op == spv::Op::OpFunctionCall) {
    const std::uint32_t call = call_number(user);
    if (calls_[call].callee == nullptr) return;
    const auto& parameters = calls_[call].callee->function.parameters;
    if (!work(parameters.size())) return;
    for (std::size_t i = 0; i < parameters.size() && i + 1 < operands.size(); ++i)
      if (operands[i + 1] == pointer.id) open.push_back({parameters[i].id, call});
  } else if (instruction.op == spv::Op::OpStore && operands[0] != pointer.id) {
    // Kept in a variable, where it is loaded from again.
    const FlowValue variable = user.value(operands[0]);
    if (!only_value(variable)) return;
    for (const Spot spot : user.in->users.at(variable.id))
      if (user.in->at(spot).op == spv::Op::OpLoad)
        open.push_back(user.value(user.in->at(spot).result_id));
  } else if (instruction.op == spv::Op::OpStore ||
             (is_copy(instruction.op) && operands[0] == pointer.id)) {
    stores.by_place.emplace(user.key(), Store{user, pointer});
  }
}

void ValueFlow::find_stores(FlowValue root, Stores& stores) {
  std::set<FlowValue> seen;
  std::vector<FlowValue> open{root};
  while (!open.empty()) {
    const FlowValue pointer = open.back();
    open.pop_back();
    if (!seen.insert(pointer).second) continue;
    const FunctionIndex* in = calls_[pointer.call].callee;
    if (in == nullptr) continue;
    const auto users = in->users.find(pointer.id);
    if (users == in->users.end()) continue;
    for (const Spot spot : users->second) {
      if (!work()) return;
      follow_pointer({in, spot, pointer.call}, pointer, stores, open);
    }
  }
}

void ValueFlow::sort_by_call(Stores& stores) {
  for (const auto& [key, store] : stores.by_place)
    for (std::uint32_t call = key.first; call != 0; call = calls_[call].site.call) {
      if (!work()) return;
      stores.within[call].push_back(&store);
    }
}

/// The stores and copies to what a root points to.
const ValueFlow::Stores& ValueFlow::stores_to(FlowValue root) {
  const auto [place, is_new] = stores_.try_emplace(root);
  if (is_new) {
    find_stores(root, place->second);
    sort_by_call(place->second);
  }
  return place->second;
}

// ---- The search ---------------------------------------------------------------------------------

void ValueFlow::push(FlowValue value) {
  if (seen_.insert(value).second) open_.push_back({value, {}});
}

void ValueFlow::push_memory(const FlowPlace& reader, FlowValue pointer) {
  if (read_.insert({reader.key(), pointer}).second) open_.push_back({pointer, reader});
}

/// True if there is a cause.
bool ValueFlow::reaches(const FlowPlace& place) {
  const auto cause = causes_.find(place.key());
  if (cause == causes_.end()) return false;
  found_ = cause->second;
  return true;
}

void ValueFlow::visit(FlowValue value) {
  if (const auto given = argument(value)) return push(*given);
  const FlowPlace place = definition(value);
  if (place.in == nullptr || reaches(place)) return;
  const Instruction& instruction = place.instruction();
  if (instruction.op == spv::Op::OpVariable) return;
  if (instruction.op == spv::Op::OpFunctionCall) {
    const std::uint32_t call = call_number(place);
    if (calls_[call].callee == nullptr) return;
    for (const Id returned : calls_[call].callee->returned) {
      if (!work()) return;
      push({returned, call});
    }
    return;
  }
  for (const Id operand : value_operands(instruction)) {
    if (!work()) return;
    push(place.value(operand));
  }
  if (instruction.op == spv::Op::OpLoad) push_memory(place, place.value(instruction.operands[0]));
}

void ValueFlow::deliver(const Store& store) {
  if (reaches(store.place)) return;
  const auto operands = store.place.instruction().operands;
  const FlowValue stored = store.place.value(operands[1]);
  push(stored);
  if (is_copy(store.place.instruction().op)) push_memory(store.place, stored);
}

/// Follows the stores that a call may have made. False when the budget is spent.
bool ValueFlow::walk_call(std::uint32_t call, const Stores& stores, FlowValue pointer,
                          bool is_private) {
  const auto within = stores.within.find(call);
  if (within == stores.within.end()) return true;
  for (const Store* store : within->second) {
    if (!work()) return false;
    if (overlap(store->pointer, pointer, is_private) != Overlap::kNone) deliver(*store);
  }
  return true;
}

/// Goes backwards to the start of the block. False at a store that all that is older hides behind.
bool ValueFlow::walk_block(FlowPlace& at, const Stores& stores, FlowValue pointer,
                           bool is_private) {
  while (at.spot.index-- > 0) {
    if (!work() || found_) return false;
    const Instruction& instruction = at.instruction();
    if (instruction.op == spv::Op::OpFunctionCall) {
      if (!walk_call(call_number(at), stores, pointer, is_private)) return false;
      continue;
    }
    const auto store = stores.by_place.find(at.key());
    if (store == stores.by_place.end()) continue;
    const Overlap shared = overlap(store->second.pointer, pointer, is_private);
    if (shared != Overlap::kNone) deliver(store->second);
    if (shared == Overlap::kSame) return false;
  }
  return true;
}

/// The stores that `reader` may see.
void ValueFlow::visit_memory(const FlowPlace& reader, FlowValue pointer) {
  const FlowValue root = root_of(pointer);
  const Stores& stores = stores_to(root);
  if (stores.by_place.empty()) return;
  const bool own = is_private(root);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::vector<FlowPlace> open{reader};
  while (!open.empty() && !found_) {
    FlowPlace at = open.back();
    open.pop_back();
    if (!walk_block(at, stores, pointer, own)) continue;
    for (const std::uint32_t from : at.in->predecessors[at.spot.block]) {
      if (!work()) return;
      // The other turns of a loop make other pointers in the same way.
      if (!own && from >= at.spot.block) continue;
      const auto size =
          static_cast<std::uint32_t>(at.in->function.blocks[from].instructions.size());
      if (seen.insert({at.call, from}).second) open.push_back({at.in, {from, size}, at.call});
    }
    if (at.spot.block == 0 && at.call != root.call) open.push_back(calls_[at.call].site);
  }
}

std::optional<std::size_t> ValueFlow::find(std::span<const FlowValue> values,
                                           std::span<const FlowPlace> causes) {
  causes_.clear();
  found_.reset();
  open_.clear();
  seen_.clear();
  read_.clear();
  for (std::size_t i = 0; i < causes.size(); ++i) causes_.emplace(causes[i].key(), i);
  for (const FlowValue value : values) push(value);
  while (!open_.empty() && !found_ && work()) {
    const Step step = open_.front();
    open_.pop_front();
    if (step.reader.in == nullptr)
      visit(step.value);
    else
      visit_memory(step.reader, step.value);
  }
  return found_;
}

}  // namespace transpire::analysis
