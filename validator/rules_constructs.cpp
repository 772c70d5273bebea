// SPIR-V 1.0, 2.11 "Structured Control Flow": the constructs that merge instructions declare.
// Kernels need no merge instructions, so loops and selections without one are not checked.
//
// A construct is the set of blocks that one block dominates, minus the blocks that a merge block
// dominates. A walk down the dominator tree therefore knows the innermost construct of each block,
// and which constructs a branch leaves. As in later versions of SPIR-V, the merge block of a loop
// or switch is in no construct inside of it, even if a branch that leaves early is the only way
// there. Neither is a loop's continue target.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_constructs {
namespace {

using spv::Op;

constexpr ValidationRule kConstructs{
    "V0016", "SPIR-V 1.0, 2.11 \"Structured Control Flow\"",
    "constructs of merge instructions nest; a loop has one back edge, from its continue construct; "
    "a branch out of a construct goes to its merge block, to the next case, or to the innermost "
    "loop's merge block or continue target",
    "Kernels need no merge instructions: remove the one of the construct that the message names.",
    InField::kWarning};

enum class Kind : std::uint8_t { kSelection, kLoop, kContinue, kCase };

/// Deeper constructs are not checked; TSP-LIM-04 reports them.
constexpr std::uint32_t kMostNested = 1023;

/// The blocks that `first` dominates, minus those that `merge` dominates.
struct Construct {
  Kind kind;
  std::uint32_t first, merge;  ///< blocks
  std::uint32_t header;        ///< the block of the merge instruction that declares it
  std::uint32_t parent;        ///< the enclosing construct; kNone
  std::uint32_t depth = 1;
  std::uint32_t loop = kNone;     ///< the innermost loop's construct; its own index if it is one
  std::uint32_t way_out = kNone;  ///< the innermost case or switch that is not outside that loop
};

/// The declaration in a block's merge instruction.
struct Declared {
  std::uint32_t instruction;
  std::uint32_t merge;               ///< block
  std::uint32_t next = kNone;        ///< a loop's continue target
  std::vector<std::uint32_t> cases;  ///< a switch's blocks: the default, then the targets
};

/// A branch from a case of a switch to another one.
struct Fall {
  std::uint32_t from, to;  ///< first blocks of the cases
  std::uint32_t source;    ///< the branching block
};

class Constructs {
 public:
  explicit Constructs(Context& context)
      : context_(context), view_(context.view), flow_(context.flow()) {}

  void check() {
    for (const std::uint32_t block : flow_.reachable_blocks()) declare(block);
    if (headers_.empty()) return;
    const DominatorTree ends = flow_.post_dominators();
    for (const std::uint32_t header : headers_) check_loop(header, ends);
    around_.assign(view_.blocks().size(), kNone);
    innermost_ = around_;
    for (const std::uint32_t block : flow_.reachable_blocks()) enter(block);
    for (const std::uint32_t header : headers_) check_merge(header);
    for (const std::uint32_t block : flow_.reachable_blocks()) check_branches(block);
    for (const std::uint32_t header : headers_)
      if (const auto falls = falls_.find(header); falls != falls_.end())
        check_falls(declared_.at(header), falls->second);
  }

 private:
  void declare(std::uint32_t block);
  void check_loop(std::uint32_t header, const DominatorTree& ends);
  void enter(std::uint32_t block);
  void open(Kind kind, std::uint32_t block, std::uint32_t header);
  void open_continue(std::uint32_t block, std::uint32_t header);
  void check_merge(std::uint32_t header);
  void check_branches(std::uint32_t block);
  bool may_leave(const Construct& from, std::uint32_t block, std::uint32_t target);
  void check_falls(const Declared& declared, const std::vector<Fall>& falls);

  /// True if the block is in the construct, but not its first block.
  bool contains(std::uint32_t construct, std::uint32_t block) const {
    std::uint32_t at = around_[block];
    while (at != kNone && constructs_[at].depth > constructs_[construct].depth)
      at = constructs_[at].parent;
    return at == construct;
  }
  bool is_case(const Declared& declared, std::uint32_t block) const {
    const auto found = cases_.find(block);
    return found != cases_.end() && found->second == declared.instruction;
  }
  std::string name(std::uint32_t block) const { return context_.name(id(block)); }
  Id id(std::uint32_t block) const { return view_.at(view_.blocks()[block].first).result_id; }
  void report(std::uint32_t instruction, std::string message, const char* what,
              std::uint32_t block) {
    context_.report(kConstructs, Place::at(instruction), std::move(message),
                    {{what, view_.blocks()[block].first}});
  }

  Context& context_;
  const ModuleView& view_;
  const Flow& flow_;
  std::vector<std::uint32_t> headers_;                               ///< blocks
  std::unordered_map<std::uint32_t, Declared> declared_;             ///< by header
  std::unordered_multimap<std::uint32_t, std::uint32_t> continues_;  ///< headers, by target
  std::unordered_set<std::uint32_t> merges_;                         ///< blocks
  /// For a case block that the switch's block dominates immediately: the switch's OpSelectionMerge.
  std::unordered_map<std::uint32_t, std::uint32_t> cases_;
  std::vector<Construct> constructs_;
  /// By block: the innermost construct that contains it, or kNone; without and with constructs that
  /// begin at the block.
  std::vector<std::uint32_t> around_, innermost_;
  std::unordered_map<std::uint32_t, std::vector<Fall>> falls_;  ///< by header of the switch
};

/// Notes the block's merge instruction, unless its own rules reject it.
void Constructs::declare(std::uint32_t b) {
  const Block& block = view_.blocks()[b];
  if (block.terminator == kNone || block.terminator == block.first) return;
  std::uint32_t i = block.terminator - 1;
  while (i > block.first && is_line(view_.at(i).op)) --i;
  if (!is_merge(view_.at(i).op)) return;
  const bool loop = view_.at(i).op == Op::OpLoopMerge;
  Declared declared{i, view_.block_of(view_.word(i, 0)), kNone, {}};
  const auto is_here = [&](std::uint32_t other) {
    return other != kNone && view_.blocks()[other].function == block.function;
  };
  if (!is_here(declared.merge)) return;
  if (loop) {
    declared.next = view_.block_of(view_.word(i, 1));
    if (!is_here(declared.next)) return;
    continues_.emplace(declared.next, b);
  } else if (view_.at(block.terminator).op == Op::OpSwitch) {
    declared.cases = block.successors;
    for (const std::uint32_t to : declared.cases)
      if (to != declared.merge && flow_.immediate_dominator(to) == b) cases_[to] = i;
  }
  headers_.push_back(b);
  merges_.insert(declared.merge);
  declared_.emplace(b, std::move(declared));
}

/// Checks for exactly one back edge, from the end of the continue construct. If both are
/// unreachable, an edge from an unreachable block is enough.
void Constructs::check_loop(std::uint32_t header, const DominatorTree& ends) {
  const Declared& loop = declared_.at(header);
  if (loop.next == kNone) return;
  std::uint32_t back = kNone;
  std::size_t edges = 0;
  bool unreachable = false;
  for (const std::uint32_t source : flow_.predecessors(header)) {
    unreachable |= !flow_.reachable(source);
    if (!flow_.is_back_edge(source, header)) continue;
    back = source;
    ++edges;
  }
  if (edges > 1 || (edges == 0 && !unreachable)) {
    context_.report(kConstructs, Place::at(loop.instruction),
                    fmt::format("expected one back edge to the loop's header {}, found {}",
                                name(header), edges));
    return;
  }
  if (edges == 0) return;
  if (!flow_.dominates(loop.next, back))
    report(loop.instruction,
           fmt::format("expected a continue target that dominates {}, where the back edge begins, "
                       "found {}",
                       name(back), name(loop.next)),
           "the block that branches back", back);
  else if (ends.reached(loop.next) && !ends.dominates(back, loop.next))
    report(loop.instruction,
           fmt::format("expected every way from the continue target {} to pass {}, where the back "
                       "edge begins",
                       name(loop.next), name(back)),
           "the block that branches back", back);
}

void Constructs::open(Kind kind, std::uint32_t block, std::uint32_t header) {
  const std::uint32_t parent = innermost_[block];
  const auto index = static_cast<std::uint32_t>(constructs_.size());
  Construct opened{kind, block, declared_.at(header).merge, header, parent};
  if (parent != kNone) {
    const Construct& around = constructs_[parent];
    if (around.depth == kMostNested) return;
    opened.depth = around.depth + 1;
    opened.loop = around.loop;
    if (kind == Kind::kSelection) opened.way_out = around.way_out;
  }
  if (kind == Kind::kLoop) opened.loop = index;
  if (kind == Kind::kCase || !declared_.at(header).cases.empty()) opened.way_out = index;
  constructs_.push_back(opened);
  innermost_[block] = index;
}

/// Finds the constructs around the block, and opens those that begin with it. All its dominators
/// were entered before.
void Constructs::enter(std::uint32_t block) {
  const std::uint32_t dominator = flow_.immediate_dominator(block);
  std::uint32_t around = dominator == kNone ? kNone : innermost_[dominator];
  if (merges_.contains(block))
    for (std::uint32_t at = around; at != kNone; at = constructs_[at].parent)
      if (constructs_[at].merge == block) around = constructs_[at].parent;
  around_[block] = innermost_[block] = around;
  const auto [first, last] = continues_.equal_range(block);
  for (auto it = first; it != last; ++it)
    if (it->second != block) open_continue(block, it->second);
  // A target that breaks or continues a loop around the switch has left the switch.
  if (dominator != kNone && innermost_[block] == innermost_[dominator])
    if (const auto of = declared_.find(dominator);
        of != declared_.end() && is_case(of->second, block))
      open(Kind::kCase, block, dominator);
  const auto header = declared_.find(block);
  if (header == declared_.end()) return;
  open(header->second.next != kNone ? Kind::kLoop : Kind::kSelection, block, block);
  if (header->second.next == block) open(Kind::kContinue, block, block);
}

/// The construct lies in the loop, behind the selections that lead to it.
void Constructs::open_continue(std::uint32_t block, std::uint32_t header) {
  std::uint32_t at = around_[block], within = kNone;
  while (at != kNone && constructs_[at].header != header) {
    if (constructs_[at].kind == Kind::kLoop) within = at;
    at = constructs_[at].parent;
  }
  if (at == kNone) return;
  if (within != kNone)
    report(declared_.at(header).instruction,
           fmt::format("expected a continue target that is in no loop within this one, found {} in "
                       "that of {}",
                       name(block), name(constructs_[within].header)),
           "the loop within", constructs_[within].header);
  around_[block] = innermost_[block] = at;
  open(Kind::kContinue, block, header);
}

/// A merge block must be in the constructs that its header is in.
void Constructs::check_merge(std::uint32_t header) {
  const Declared& declared = declared_.at(header);
  const std::uint32_t around = around_[header];
  if (around == kNone || !flow_.reachable(declared.merge)) return;
  const Construct& outer = constructs_[around];
  const bool continues =
      outer.kind == Kind::kLoop && declared.merge == declared_.at(outer.header).next;
  if (contains(around, declared.merge) && !continues) return;
  report(declared.instruction,
         fmt::format("expected a merge block within the construct of {}, which this header is in, "
                     "found {}",
                     name(outer.header), name(declared.merge)),
         "the construct's header", outer.header);
}

void Constructs::check_branches(std::uint32_t block) {
  const std::uint32_t innermost = innermost_[block];
  if (innermost == kNone) return;
  const Construct& from = constructs_[innermost];
  for (const std::uint32_t target : view_.blocks()[block].successors) {
    if (target == from.first || contains(innermost, target) || may_leave(from, block, target))
      continue;
    report(view_.blocks()[block].terminator,
           fmt::format("expected no branch out of the construct of {} but to its merge block, or "
                       "one that breaks or continues the innermost loop, found {}",
                       name(from.header), name(target)),
           "the construct's header", from.header);
    return;
  }
}

bool Constructs::may_leave(const Construct& from, std::uint32_t block, std::uint32_t target) {
  if (target == from.merge) return true;
  if (from.loop != kNone) {
    const std::uint32_t header = constructs_[from.loop].header;
    const Declared& loop = declared_.at(header);
    if (target == header || target == loop.merge || target == loop.next) return true;
  }
  if (from.way_out == kNone) return false;
  const Construct& way_out = constructs_[from.way_out];
  if (target == way_out.merge) return true;
  if (way_out.kind != Kind::kCase || !is_case(declared_.at(way_out.header), target)) return false;
  falls_[way_out.header].push_back({way_out.first, target, block});
  return true;
}

/// Each case branches to at most one other, which must be the next among the targets; at most one
/// branches to it. A default between the two does not count.
void Constructs::check_falls(const Declared& declared, const std::vector<Fall>& falls) {
  std::unordered_map<std::uint32_t, const Fall*> out, in;
  const auto terminator = [&](const Fall& fall) { return view_.blocks()[fall.source].terminator; };
  for (const Fall& fall : falls) {
    const auto [first, is_new] = out.try_emplace(fall.from, &fall);
    if (!is_new && first->second->to == fall.to) continue;
    if (!is_new) {
      report(terminator(fall),
             fmt::format("expected one branch from the case {} to another one, found a second",
                         name(fall.from)),
             "the case", fall.from);
      return;
    }
    if (!in.try_emplace(fall.to, &fall).second) {
      report(terminator(fall),
             fmt::format("expected one case that branches to {}, found a second", name(fall.to)),
             "the case", fall.to);
      return;
    }
  }
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint32_t>> after;  // by target
  for (std::size_t n = 1; n < declared.cases.size(); ++n)
    after[declared.cases[n]].insert(n + 1 < declared.cases.size() ? declared.cases[n + 1] : kNone);
  for (const Fall& fall : falls) {
    std::uint32_t to = fall.to;
    if (!after.contains(to))
      if (const auto on = out.find(to); on != out.end()) to = on->second->to;
    if (!after.contains(fall.from) || !after.contains(to) || after[fall.from].contains(to))
      continue;
    report(terminator(fall),
           fmt::format("expected the case {} just before {} among the targets of OpSwitch",
                       name(fall.from), name(to)),
           "the case", to);
  }
}

void check(Context& context) { Constructs(context).check(); }

constexpr const ValidationRule* kRules[] = {&kConstructs};

}  // namespace
}  // namespace rules_constructs

const Family kConstructFamily{"constructs", rules_constructs::kRules, rules_constructs::check};

}  // namespace transpire::validator
