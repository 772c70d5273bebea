#include "findings/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/values.h"
#include "base/rule_facts.h"
#include "findings/divergence.h"
#include "findings/texts.h"
#include "vm/program/targets.h"

namespace transpire::findings {
namespace {

using decoder::Id;
using scheduler::Waiting;

/// For places where work-items were stopped.
constexpr std::size_t kMostPlaces = 8;
/// So many writers are named.
constexpr std::size_t kMostWriters = 4;
/// Among the bytes that one loop waits for in one allocation.
constexpr std::size_t kMostAddresses = 4;

std::string named(const memory::Allocation& allocation, const FindingContext& context) {
  const bool is_local = allocation.region == memory::Region::kWorkgroup;
  return fmt::format("{} '{}'", is_local ? "local memory" : "buffer",
                     context.space.name(allocation));
}

/// The object that an instruction reads or writes through its first operand.
std::optional<analysis::FlowValue> object_of(const vm::Source& source, analysis::Values& values,
                                             const FindingContext& context) {
  const analysis::FlowPlace place = values.place_of(source, context.program);
  if (place.in == nullptr) return std::nullopt;
  const std::vector<Id> operands = analysis::value_operands(place.instruction());
  if (operands.empty()) return std::nullopt;
  return values.root_of(place.value(operands[0]));
}

bool writes(spv::Op op) {
  return op == spv::Op::OpStore || op == spv::Op::OpAtomicFlagClear ||
         (decoder::opcode_class(op) == "Atomic" && op != spv::Op::OpAtomicLoad);
}

/// The other instructions that store to the bytes that work-items wait for.
std::vector<const vm::Inst*> writers_to(const Waiting& spin, const FindingContext& context) {
  analysis::Values values(context.module);
  const vm::Program& program = context.program;
  const vm::Source& reader = program.source_of(spin.instruction);
  const auto object = object_of(reader, values, context);
  std::vector<const vm::Inst*> writers;
  if (!object) return writers;
  for (const vm::Inst& each : program.code) {
    const vm::Source& source = program.source_of(&each);
    if (!writes(source.op) || source.word_offset == reader.word_offset) continue;
    if (object_of(source, values, context) == object) writers.push_back(&each);
  }
  return writers;
}

/// "store at lock.cl:9:5"
std::vector<std::string> writers_of(const Waiting& spin, const FindingContext& context) {
  std::vector<std::string> writers;
  for (const vm::Inst* each : writers_to(spin, context)) {
    const vm::Source& source = context.program.source_of(each);
    std::string writer = fmt::format("{} at {}", source.op == spv::Op::OpStore ? "store" : "atomic",
                                     context.places.spell(source));
    if (std::find(writers.begin(), writers.end(), writer) == writers.end())
      writers.push_back(std::move(writer));
  }
  return writers;
}

/// Which instructions of the program those may come to that go on at one of them.
std::vector<bool> reached_from(const vm::Inst* start, const vm::Program& program) {
  std::vector<bool> reached(program.code.size());
  const auto index_of = [&](const vm::Inst* inst) {
    return static_cast<std::size_t>(inst - program.code.data());
  };
  std::vector<std::size_t> open{index_of(start)};
  while (!open.empty()) {
    std::size_t at = open.back();
    open.pop_back();
    for (bool goes_on = true; goes_on && at < reached.size() && !reached[at]; ++at) {
      reached[at] = true;
      const vm::Inst& each = program.code[at];
      goes_on = !vm::ends_block(program, each);
      vm::for_each_target(program, each,
                          [&](const vm::Inst* target) { open.push_back(index_of(target)); });
    }
  }
  return reached;
}

/// True if work-items at such places may reach a store to the bytes that others wait for.
bool may_store_for_others(const scheduler::Finding& found, Waiting::Where where,
                          const FindingContext& context) {
  std::map<const vm::Inst*, std::size_t> places;  ///< by instruction, how many
  std::map<const vm::Inst*, const Waiting*> spins;
  for (const Waiting& place : found.waiting) {
    if (place.where == where && place.instruction != nullptr) ++places[place.instruction];
    if (place.where == Waiting::Where::kBusyWait && place.allocation != nullptr)
      spins.emplace(place.instruction, &place);
  }
  for (const auto& [spinning, spin] : spins) {
    const std::vector<const vm::Inst*> writers = writers_to(*spin, context);
    for (const auto& [instruction, count] : places) {
      if (instruction == spinning && count == 1) continue;  // these are the ones who wait
      const std::vector<bool> reached = reached_from(instruction, context.program);
      if (std::ranges::any_of(writers, [&](const vm::Inst* writer) {
            return reached[static_cast<std::size_t>(writer - context.program.code.data())];
          }))
        return true;
    }
  }
  return false;
}

std::uint64_t items_in_loops(const scheduler::Finding& found) {
  std::uint64_t count = 0;
  for (const Waiting& place : found.waiting)
    if (place.where == Waiting::Where::kBusyWait) count += place.count;
  return count;
}

/// " for 4 bytes of buffer 'lock' at offset 0, where 1 stands"
std::string waited_for(const Waiting& place, const FindingContext& context) {
  if (place.allocation == nullptr) return ", which reads no memory that others write";
  std::string text = fmt::format(
      " for {} byte{} of {} at offset {}", place.size_bytes, place.size_bytes == 1 ? "" : "s",
      named(*place.allocation, context), place.address - place.allocation->begin);
  if (place.size_bytes <= 8) text += fmt::format(", where {} stands", place.value);
  return text;
}

/// "128 work-items, the first global (0,0,0), were at heat.cl:31:5 in 'step'"
std::string stopped_at(const scheduler::Waiting& place, const FindingContext& context) {
  const bool one = place.count == 1;
  const std::string who = fmt::format("{} work-item{}, the first global {},", place.count,
                                      one ? "" : "s", text_of(place.first.global_id));
  if (place.where == Waiting::Where::kNotBegun) return who + " had not begun";
  const vm::Source& source = source_of(place.instruction, context);
  const Places& places = context.places;
  const std::vector<Frame> frames = places.frames(context.program, source);
  const std::string where =
      fmt::format("{} in '{}'", places.spell(source), frames.front().function);
  if (place.where == scheduler::Waiting::Where::kBusyWait)
    return fmt::format("{} {} in the loop of {}{}", who, one ? "waits" : "wait", where,
                       waited_for(place, context));
  if (place.where == scheduler::Waiting::Where::kAtBarrier)
    return fmt::format("{} waited at the barrier of {}", who, where);
  if (place.where == scheduler::Waiting::Where::kOtherBranch)
    return fmt::format("{} waited at {} for those in another branch", who, where);
  return fmt::format("{} {} at {}", who, one ? "was" : "were", where);
}

/// Counts work-items that wait in a loop for further bytes of an allocation: only the first few addresses are listed.
class OtherAddresses {
 public:
  /// True if the place is one of these.
  bool take(const Waiting& place) {
    if (place.where != Waiting::Where::kBusyWait || place.allocation == nullptr) return false;
    Loop& loop = loops_[{place.instruction, place.allocation}];
    if (loop.addresses++ < kMostAddresses) return false;
    loop.items += place.count;
    return true;
  }
  void add_notes(const FindingContext& context, Diagnostic& diagnostic) const {
    for (const auto& [at, loop] : loops_)
      if (loop.items != 0)
        diagnostic.notes.push_back(fmt::format(
            "{} more wait in the loop of {} for other bytes of {}", loop.items,
            context.places.spell(source_of(at.first, context)), named(*at.second, context)));
  }

 private:
  struct Loop {
    std::uint64_t addresses = 0, items = 0;
  };
  std::map<std::pair<const vm::Inst*, const memory::Allocation*>, Loop> loops_;
};

bool is_of_subgroup(Rule rule) { return facts_of(rule).concerns == RuleFacts::Concerns::kSubgroup; }

/// True for instructions at which work-items do nothing but wait.
bool is_barrier(spv::Op op) { return decoder::opcode_class(op) == "Barrier"; }

/// "the barrier of heat.cl:31:5", "OpGroupAll of heat.cl:31:5"
std::string met_at(const scheduler::Waiting& place, const FindingContext& context) {
  const vm::Source& source = source_of(place.instruction, context);
  return fmt::format("{} of {}",
                     is_barrier(source.op) ? "the barrier" : decoder::opcode_name(source.op),
                     context.places.spell(source));
}

/// ", called at heat.cl:40:3", where others wait at the same place of the module in another call; ", word 639", where they
/// wait at a copy that a compiler made of it.
std::string call_of(const scheduler::Waiting& place, const std::vector<Waiting>& all,
                    const FindingContext& context) {
  const Places& places = context.places;
  const vm::Source& source = source_of(place.instruction, context);
  const std::string spelled = places.spell(source);
  bool is_copied = false, is_called_twice = false;
  for (const Waiting& other : all) {
    if (other.instruction == nullptr) continue;
    const vm::Source& there = source_of(other.instruction, context);
    const bool same_word = there.word_offset == source.word_offset;
    is_copied |= !same_word && places.spell(there) == spelled;
    is_called_twice |= same_word && there.called_from != source.called_from;
  }
  std::string text;
  if (is_copied) text = fmt::format(", word {}", source.word_offset);
  if (is_called_twice && source.called_from != 0)
    text += ", called at " + places.spell(context.program.sources[source.called_from]);
  return text;
}

std::string describe(const scheduler::Waiting& place, const std::vector<Waiting>& all,
                     const FindingContext& context) {
  const std::string first = text_of(place.first.local_id);
  const std::string who =
      place.count == 1 ? fmt::format("work-item local {}", first)
                       : fmt::format("{} work-items, the first local {},", place.count, first);
  const bool one = place.count == 1;
  switch (place.where) {
    case scheduler::Waiting::Where::kEnded:
      return who + (one ? " has ended" : " have ended");
    case scheduler::Waiting::Where::kElsewhere:
      return who + (one ? " is" : " are") + " on another path";
    case scheduler::Waiting::Where::kTakesPart:
      return fmt::format("{} {} part in {}", who, one ? "takes" : "take", met_at(place, context));
    default:
      break;
  }
  return fmt::format("{} {} at {}{}", who, one ? "waits" : "wait", met_at(place, context),
                     call_of(place, all, context));
}

/// "their ways part at the branch of heat.cl:30:7"
void add_branches(const scheduler::Finding& found, const FindingContext& context,
                  Diagnostic& diagnostic) {
  const std::vector<std::string> branches = diverging_branches(found, context);
  if (branches.empty()) return;
  std::string text = "their ways part at the branch of ";
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (i != 0) text += i + 1 == branches.size() ? " or " : ", ";
    text += branches[i];
  }
  diagnostic.notes.push_back(std::move(text));
}

}  // namespace

void add_waiting(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic) {
  const bool limit = facts_of(found.rule).is_limit;
  // A limit's only place is that of the finding.
  if (limit && found.rule != Rule::kR0048 && found.waiting.size() <= 1) return;
  const std::string whose = is_of_subgroup(found.rule) ? "sub-group: " : "group: ";
  OtherAddresses others;
  std::size_t shown = 0, left = 0;
  for (const scheduler::Waiting& place : found.waiting) {
    if (others.take(place)) continue;
    if (shown == kMostPlaces) {
      ++left;
      continue;
    }
    ++shown;
    diagnostic.notes.push_back(limit ? stopped_at(place, context)
                                     : whose + describe(place, found.waiting, context));
  }
  if (left != 0) diagnostic.notes.push_back(fmt::format("and at {} more places", left));
  others.add_notes(context, diagnostic);
  if (!limit) add_branches(found, context, diagnostic);
}

std::string divergence_message(const scheduler::Finding& found, const FindingContext& context) {
  const spv::Op op = source_of(found.instruction, context).op;
  if (is_of_subgroup(found.rule))
    return fmt::format("a part of the sub-group executes {}, which needs all of it",
                       decoder::opcode_name(op));
  if (is_barrier(op)) return "the work-items of a group do not meet at one barrier";
  return fmt::format("the work-items of a group do not execute {} together",
                     decoder::opcode_name(op));
}

std::string divergence_help(const scheduler::Finding& found, const FindingContext& context) {
  const spv::Op op = source_of(found.instruction, context).op;
  if (std::ranges::any_of(found.waiting, [](const Waiting& place) {
        return place.where == Waiting::Where::kEnded;
      }))
    return is_barrier(op) ? "work-items that return before a barrier are missed there; guard the "
                            "work, not the barrier"
                          : "all work-items of a group must execute it; guard what they give it";
  return "every work-item of a group must reach the same barrier the same number of times";
}

std::string no_progress_message(const scheduler::Finding& found, const FindingContext& context) {
  const std::uint64_t count = items_in_loops(found);
  const std::string who =
      count == 1 ? "a work-item waits" : fmt::format("{} work-items wait", count);
  if (found.allocation == nullptr) return who + " in a loop that can never end";
  return fmt::format("{} for {} to change, and nothing will change it", who,
                     named(*found.allocation, context));
}

std::string no_progress_help(const scheduler::Finding& found, const FindingContext& context) {
  if (may_store_for_others(found, Waiting::Where::kOtherBranch, context))
    return std::string(
               "work-items of one sub-group need not make progress while others of it are in a "
               "loop") +
           (context.program.uses_subgroups || context.launch.fair_progress
                ? ""
                : "; '--progress=fair' lets each go on by itself");
  for (const Waiting& place : found.waiting)
    if (place.where == Waiting::Where::kNotBegun)
      return "a work-group cannot wait for one that begins only when it has ended";
  for (const Waiting& place : found.waiting)
    if (place.where == Waiting::Where::kAtBarrier)
      return "work-items that wait at a barrier store nothing until all of their group are there";
  if (may_store_for_others(found, Waiting::Where::kBusyWait, context))
    return "some store behind their loops what others wait for: one of them has to store before it "
           "waits";
  return "let a work-item that does not wait store what the loop waits for";
}

void add_waiting_loops(const scheduler::Finding& found, const FindingContext& context,
                       Diagnostic& diagnostic) {
  std::uint64_t left = 1;
  for (const std::uint64_t size : context.ids.global_size) left *= size;
  for (const Waiting& place : found.waiting) left -= std::min(left, place.count);
  if (left != 0)
    diagnostic.notes.push_back(
        fmt::format("{} other work-item{} ended", left, left == 1 ? " has" : "s have"));
  const auto note = [&diagnostic](std::string text) {
    if (std::ranges::find(diagnostic.notes, text) == diagnostic.notes.end())
      diagnostic.notes.push_back(std::move(text));
  };
  std::set<std::pair<const vm::Inst*, const memory::Allocation*>> reported;
  for (const Waiting& place : found.waiting) {
    if (place.where != Waiting::Where::kBusyWait || place.allocation == nullptr) continue;
    if (!reported.insert({place.instruction, place.allocation}).second) continue;
    const std::vector<std::string> writers = writers_of(place, context);
    const std::string target = named(*place.allocation, context);
    if (writers.empty()) {
      note(fmt::format("nothing else in the kernel stores to {}", target));
      continue;
    }
    std::string text = fmt::format("what else stores to {}: ", target);
    for (std::size_t i = 0; i < std::min(writers.size(), kMostWriters); ++i)
      text += (i == 0 ? "" : ", ") + writers[i];
    if (writers.size() > kMostWriters)
      text += fmt::format(" and {} more", writers.size() - kMostWriters);
    note(std::move(text));
  }
}

}  // namespace transpire::findings
