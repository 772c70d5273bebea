// Blocks and edges. Structured regions are made recursively; an unstructured region is a number of
// blocks with edges of some pattern between one block where it is entered and one where it is left.
// In a uniform region, a varying region may stand between two uniform blocks: the group comes
// together again behind it.
#include <algorithm>

#include "tests/fuzz/oracle/graph.h"

namespace transpire::oracle {
namespace {

struct Context {
  bool uniform = false;
  bool may_return = true;
  unsigned depth = 0;
  int break_to = kNone, continue_to = kNone;
};

class Shaper {
 public:
  Shaper(Random& random, Function& function, unsigned size)
      : random_(random), function_(function), size_(size) {}

  void shape() {
    const bool uniform = function_.uniform;
    const int entry = add(uniform);
    const Context context{.uniform = uniform};
    const int last = random_.chance(30) ? unstructured(entry, context) : structured(entry, context);
    at(last).end = End::kReturn;
    add_unreachable();
    add_dead_blocks();
    give_ways_out();
  }

 private:
  Block& at(int block) { return nth(function_.blocks, block); }
  int count() const { return static_cast<int>(function_.blocks.size()); }
  bool full() const { return function_.blocks.size() >= size_; }

  int add(bool uniform) {
    function_.blocks.emplace_back();
    function_.blocks.back().uniform = uniform;
    return count() - 1;
  }
  void branch(int from, int to) {
    at(from).end = End::kBranch;
    at(from).targets = {to};
  }
  void choose(int from, int yes, int no) {
    at(from).end = End::kChoose;
    at(from).targets = {yes, no};
    if (random_.chance(20)) at(from).source = Source::kRegister;
  }
  /// The last of `targets` is the default.
  void switch_to(int from, std::vector<int> targets) {
    Block& block = at(from);
    block.end = End::kSwitch;
    block.choices = static_cast<std::uint32_t>(targets.size());
    block.targets = std::move(targets);
    static constexpr Type kSelectors[] = {Type::kU8, Type::kU16, Type::kU32, Type::kU32,
                                          Type::kU64};
    block.selector = random_.pick(kSelectors);
    block.base = cut(block.selector, random_.chance(50) ? random_.below(4) : random_.bits());
    if (random_.chance(50)) block.stride = cut(block.selector, random_.bits() | 1);
    if (random_.chance(20)) block.stride = 3;
  }

  // ---- Structured ------------------------------------------------------------------------------

  /// From `entry`, which has no end yet, to a block without one.
  int structured(int entry, const Context& context) {
    int current = entry;
    for (unsigned left = random_.between(1, context.depth == 0 ? 4 : 2); left != 0; --left)
      current = construct(current, context);
    return current;
  }

  int construct(int current, const Context& context) {
    if (full() || context.depth > 4) return plain(current, context);
    switch (random_.below(context.uniform ? 13 : 10)) {
      case 0:
        return plain(current, context);
      case 1:
      case 2:
        return selection(current, context);
      case 3:
        return while_loop(current, context);
      case 4:
        return do_loop(current, context);
      case 5:
      case 6:
        return counted_loop(current, context);
      case 7:
      case 8:
        return switch_construct(current, context);
      case 9:
        return random_.chance(50) ? unstructured(current, context) : selection(current, context);
      default:
        return varying_part(current, context);
    }
  }

  int plain(int current, const Context& context) {
    const int next = add(context.uniform);
    branch(current, next);
    return next;
  }

  /// A region that all items of the group enter and leave together.
  int varying_part(int current, Context context) {
    context.uniform = false;
    context.may_return = false;
    context.break_to = context.continue_to = kNone;
    const int first = add(false);
    branch(current, first);
    ++context.depth;
    const int last = random_.chance(40) ? unstructured(first, context) : structured(first, context);
    const int behind = add(true);
    branch(last, behind);
    return behind;
  }

  /// The end of an inner region: mostly to `merge`, now and then out of a loop or of the function.
  void leave(int last, int merge, const Context& context) {
    if (random_.chance(12) && context.break_to != kNone)
      branch(last, context.break_to);
    else if (random_.chance(12) && context.continue_to != kNone)
      branch(last, context.continue_to);
    else if (random_.chance(6) && context.may_return)
      at(last).end = End::kReturn;
    else
      branch(last, merge);
  }

  int selection(int current, Context context) {
    const int yes = add(context.uniform), merge = add(context.uniform);
    const int no = random_.chance(50) ? add(context.uniform) : merge;
    at(current).merge = merge;
    random_.chance(50) ? choose(current, yes, no) : choose(current, no, yes);
    ++context.depth;
    leave(structured(yes, context), merge, context);
    if (no != merge) leave(structured(no, context), merge, context);
    return merge;
  }

  int while_loop(int current, Context context) {
    const int header = add(context.uniform), body = add(context.uniform);
    const int latch = add(context.uniform), merge = add(context.uniform);
    branch(current, header);
    random_.chance(50) ? choose(header, body, merge) : choose(header, merge, body);
    at(header).merge = merge;
    at(header).loop_continue = latch;
    inner_loop(context, merge, latch);
    leave(structured(body, context), latch, context);
    branch(latch, header);
    return merge;
  }

  int do_loop(int current, Context context) {
    const int header = add(context.uniform), latch = add(context.uniform);
    const int merge = add(context.uniform);
    const int body = add(context.uniform);
    branch(current, header);
    branch(header, body);
    at(header).merge = merge;
    at(header).loop_continue = latch;
    inner_loop(context, merge, latch);
    leave(structured(body, context), latch, context);
    random_.chance(50) ? choose(latch, header, merge) : choose(latch, merge, header);
    return merge;
  }

  int counted_loop(int current, Context context) {
    const int merge = while_loop(current, context);
    const int header = at(current).targets[0];
    Block& block = at(header);
    if (block.targets[1] != merge) std::swap(block.targets[0], block.targets[1]);
    block.source = Source::kCounter;
    block.counter.latch = block.loop_continue;
    static constexpr Type kTypes[] = {Type::kU8, Type::kU16, Type::kU32, Type::kU32, Type::kU64};
    block.counter.type = random_.pick(kTypes);
    return merge;
  }

  static void inner_loop(Context& context, int merge, int latch) {
    ++context.depth;
    context.break_to = merge;
    context.continue_to = latch;
  }

  int switch_construct(int current, Context context) {
    const int merge = add(context.uniform);
    const unsigned cases = random_.chance(15) ? 0 : random_.between(1, 7);
    std::vector<int> bodies, targets;
    for (unsigned i = 0; i < std::max(1u, (cases + 1) / 2); ++i)
      bodies.push_back(add(context.uniform));
    for (unsigned i = 0; i < cases; ++i)  // several choices may share a target
      targets.push_back(random_.chance(15) ? merge : random_.pick(bodies));
    targets.push_back(random_.chance(30) ? merge : bodies.back());  // default
    switch_to(current, targets);
    at(current).merge = merge;
    ++context.depth;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const int last = structured(bodies[i], context);
      const bool falls_through = i + 1 < bodies.size() && random_.chance(25);
      falls_through ? branch(last, bodies[i + 1]) : leave(last, merge, context);
    }
    return merge;
  }

  // ---- Unstructured ----------------------------------------------------------------------------

  /// Blocks with edges of a random pattern; most patterns make loops with several entries.
  int unstructured(int entry, const Context& context) {
    const int first = count();
    const int inner = static_cast<int>(random_.between(2, context.depth == 0 ? 14 : 7));
    for (int i = 0; i < inner; ++i) add(context.uniform);
    const int exit = add(context.uniform);
    switch (random_.below(5)) {
      case 0:
        random_edges(entry, first, exit, 0);
        break;
      case 1:
        random_edges(entry, first, exit, 1);
        break;
      case 2:
        random_edges(entry, first, exit, 2);
        break;
      case 3:
        ring(entry, first, exit);
        break;
      default:
        state_machine(entry, first, exit);
        break;
    }
    if (context.may_return && random_.chance(15))
      at(first + static_cast<int>(random_.below(static_cast<unsigned>(inner)))).end = End::kReturn;
    for (int i = first; i < exit; ++i)
      if (at(i).end == End::kReturn) at(i).targets.clear();
    reach_exit(first, exit);
    return exit;
  }

  void random_end(int block, const std::vector<int>& among) {
    const unsigned kind = random_.below(10);
    if (kind < 2) return branch(block, random_.pick(among));
    if (kind < 8) return choose(block, random_.pick(among), random_.pick(among));
    std::vector<int> targets;
    for (unsigned i = random_.between(2, 6); i != 0; --i) targets.push_back(random_.pick(among));
    switch_to(block, std::move(targets));
  }

  /// `backward` 0: no cycles. 1: some edges go back. 2: any edge.
  void random_edges(int entry, int first, int exit, int backward) {
    std::vector<int> all;
    for (int i = first; i <= exit; ++i) all.push_back(i);
    random_end(entry, all);
    for (int i = first; i < exit; ++i) {
      const bool anywhere = backward == 2 || (backward == 1 && random_.chance(25));
      const int next = anywhere ? first : i + 1;
      random_end(i, std::vector<int>(all.begin() + (next - first), all.end()));
    }
  }

  /// A cycle that is entered anywhere and left anywhere.
  void ring(int entry, int first, int exit) {
    std::vector<int> all;
    for (int i = first; i < exit; ++i) all.push_back(i);
    switch_to(entry, all);
    for (int i = first; i < exit; ++i) {
      const int next = i + 1 == exit ? first : i + 1;
      const unsigned kind = random_.below(3);
      if (kind == 0) branch(i, next);
      if (kind == 1) choose(i, next, exit);
      if (kind == 2) choose(i, random_.pick(all), next);
    }
  }

  /// A dispatcher and its states, as an interpreter's loop.
  void state_machine(int entry, int first, int exit) {
    branch(entry, first);
    std::vector<int> states;
    for (int i = first + 1; i <= exit; ++i) states.push_back(i);
    if (random_.chance(50)) states.push_back(random_.pick(states));
    switch_to(first, states);
    for (int i = first + 1; i < exit; ++i) {
      const unsigned kind = random_.below(4);
      if (kind < 2) branch(i, first);
      if (kind == 2) choose(i, first, random_.pick(states));
      if (kind == 3) choose(i, random_.pick(states), exit);
    }
  }

  /// Every block gets a way to `exit` or to a return.
  void reach_exit(int first, int exit) {
    std::vector<bool> reaches(function_.blocks.size());
    const auto spread = [&] {
      for (bool changed = true; changed;) {
        changed = false;
        for (int i = first; i < exit; ++i) {
          if (nth(reaches, i)) continue;
          bool now = at(i).end == End::kReturn;
          for (const int to : at(i).targets) now |= nth(reaches, to);
          if (now) nth(reaches, i) = changed = true;
        }
      }
    };
    nth(reaches, exit) = true;
    spread();
    for (int i = first; i < exit; ++i) {
      if (nth(reaches, i)) continue;
      choose(i, at(i).targets.front(), exit);
      spread();
    }
  }

  // ---- Afterwards ------------------------------------------------------------------------------

  /// Blocks that end in OpUnreachable, behind edges that are never taken.
  void add_unreachable() {
    const int blocks = count();
    for (int i = 0; i < blocks; ++i) {
      if (!random_.chance(5)) continue;
      if (at(i).end == End::kBranch) {
        const int never = add(at(i).uniform);
        at(never).end = End::kUnreachable;
        at(i).end = End::kChoose;
        at(i).targets.push_back(never);
        at(i).source = Source::kAlwaysFirst;
      } else if (at(i).end == End::kSwitch) {
        const int never = add(at(i).uniform);
        at(never).end = End::kUnreachable;
        at(i).targets.push_back(never);  // the new default; `choices` stays
      }
    }
  }

  /// Blocks that nothing leads to, but which lead to others, and so are predecessors of phis.
  void add_dead_blocks() {
    if (!random_.chance(15)) return;
    const int blocks = count();
    if (blocks < 2) return;
    for (unsigned i = random_.between(1, 3); i != 0; --i) {
      const int dead = add(false);
      std::vector<int> among;
      for (int to = 1; to <= dead; ++to) among.push_back(to);
      random_end(dead, among);
    }
  }

  /// For each block the target from which a return is nearest.
  void give_ways_out() {
    const std::size_t blocks = function_.blocks.size();
    std::vector<std::size_t> far(blocks, blocks);
    for (std::size_t round = 0; round < blocks; ++round)
      for (std::size_t i = 0; i < blocks; ++i) {
        Block& block = function_.blocks[i];
        if (block.end == End::kReturn) far[i] = 0;
        const std::size_t choices =
            block.end == End::kSwitch ? block.choices : block.targets.size();
        for (std::size_t k = 0; k < choices; ++k) {
          if (block.source == Source::kAlwaysFirst && k != 0) continue;
          const std::size_t through = nth(far, block.targets[k]) + 1;
          if (through >= far[i]) continue;
          far[i] = through;
          block.way_out = static_cast<int>(k);
        }
      }
    for (Block& block : function_.blocks) block.way_out = std::max(block.way_out, 0);
  }

  Random& random_;
  Function& function_;
  unsigned size_;
};

}  // namespace

void shape_function(Random& random, Function& function, unsigned size) {
  Shaper(random, function, size).shape();
}

}  // namespace transpire::oracle
