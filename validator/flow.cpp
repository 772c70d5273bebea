// Dominators by Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a Flowgraph",
// 1979) with path compression, every walk with a stack of its own.
#include "validator/flow.h"

#include <algorithm>
#include <utility>

namespace transpire::validator {
namespace {

/// One function's search. Vertices are numbers of a depth-first walk from the first block; 0 is the
/// first block's.
class Dominators {
 public:
  Dominators(const ModuleView& view, const Flow& flow, std::uint32_t first_block,
             std::uint32_t count)
      : view_(view), flow_(flow), base_(first_block), number_(count, kNone) {
    walk();
    compute();
  }

  std::span<const std::uint32_t> blocks() const { return block_; }
  /// The immediate dominator of vertex `v`, a vertex; of vertex 0, itself.
  std::uint32_t dominator(std::uint32_t v) const { return dominator_[v]; }

 private:
  void walk();
  void compute();
  std::uint32_t evaluate(std::uint32_t v);

  const ModuleView& view_;
  const Flow& flow_;
  std::uint32_t base_;
  std::vector<std::uint32_t> number_;  ///< vertex of a block, by block - base
  std::vector<std::uint32_t> block_, parent_, semi_, label_, ancestor_, dominator_;
  std::vector<std::uint32_t> path_;
};

void Dominators::walk() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // vertex, next successor
  const auto visit = [&](std::uint32_t block, std::uint32_t parent) {
    number_[block - base_] = static_cast<std::uint32_t>(block_.size());
    stack.emplace_back(number_[block - base_], 0);
    block_.push_back(block);
    parent_.push_back(parent);
  };
  visit(base_, 0);
  while (!stack.empty()) {
    auto& [vertex, next] = stack.back();
    const auto& successors = view_.blocks()[block_[vertex]].successors;
    if (next == successors.size()) {
      stack.pop_back();
      continue;
    }
    const std::uint32_t target = successors[next++];
    if (number_[target - base_] == kNone) visit(target, vertex);
  }
}

/// The vertex of least semi-dominator on the forest's path to `v`, its root excluded; compresses
/// it.
std::uint32_t Dominators::evaluate(std::uint32_t v) {
  if (ancestor_[v] == kNone) return v;
  path_.clear();
  for (std::uint32_t at = v; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at])
    path_.push_back(at);
  while (!path_.empty()) {
    const std::uint32_t at = path_.back();
    const std::uint32_t above = ancestor_[at];
    path_.pop_back();
    if (semi_[label_[above]] < semi_[label_[at]]) label_[at] = label_[above];
    ancestor_[at] = ancestor_[above];
  }
  return label_[v];
}

void Dominators::compute() {
  const auto count = static_cast<std::uint32_t>(block_.size());
  semi_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) semi_[v] = v;
  label_ = semi_;
  dominator_.assign(count, 0);
  ancestor_.assign(count, kNone);
  // Vertices by their semi-dominator, as lists through `next`.
  std::vector<std::uint32_t> bucket(count, kNone), next(count, kNone);
  for (std::uint32_t v = count; v-- > 1;) {
    for (const std::uint32_t source : flow_.predecessors(block_[v])) {
      const std::uint32_t u = number_[source - base_];
      if (u != kNone) semi_[v] = std::min(semi_[v], semi_[evaluate(u)]);
    }
    next[v] = std::exchange(bucket[semi_[v]], v);
    ancestor_[v] = parent_[v];
    for (std::uint32_t w = std::exchange(bucket[parent_[v]], kNone); w != kNone; w = next[w]) {
      const std::uint32_t u = evaluate(w);
      dominator_[w] = semi_[u] < semi_[w] ? u : parent_[v];
    }
  }
  for (std::uint32_t v = 1; v < count; ++v)
    if (dominator_[v] != semi_[v]) dominator_[v] = dominator_[dominator_[v]];
}

}  // namespace

Flow::Flow(const ModuleView& view)
    : view_(view),
      dominator_(view.blocks().size(), kNone),
      reachable_(view.blocks().size(), false),
      enter_(view.blocks().size(), 0),
      leave_(view.blocks().size(), 0) {
  find_predecessors();
  for (std::uint32_t f = 0; f < view.functions().size(); ++f)
    if (view.functions()[f].has_body()) find_dominators(f);
  number_tree();
}

void Flow::find_predecessors() {
  const auto blocks = view_.blocks();
  // A switch names a block many times; the last source seen tells.
  const auto each_edge = [&](auto visit) {
    std::vector<std::uint32_t> last(blocks.size(), kNone);
    for (std::uint32_t source = 0; source < blocks.size(); ++source)
      for (const std::uint32_t target : blocks[source].successors)
        if (std::exchange(last[target], source) != source) visit(source, target);
  };
  first_predecessor_.assign(blocks.size() + 1, 0);
  each_edge([&](std::uint32_t, std::uint32_t target) { ++first_predecessor_[target + 1]; });
  for (std::size_t b = 0; b < blocks.size(); ++b)
    first_predecessor_[b + 1] += first_predecessor_[b];
  predecessors_.resize(first_predecessor_.back());
  std::vector<std::uint32_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  each_edge(
      [&](std::uint32_t source, std::uint32_t target) { predecessors_[next[target]++] = source; });
}

void Flow::find_dominators(std::uint32_t function) {
  const Function& f = view_.functions()[function];
  const Dominators found(view_, *this, f.first_block, f.end_block - f.first_block);
  const auto blocks = found.blocks();
  for (std::uint32_t v = 0; v < blocks.size(); ++v) {
    reachable_[blocks[v]] = true;
    if (v != 0) dominator_[blocks[v]] = blocks[found.dominator(v)];
  }
}

/// A block's interval of the walk lies within those of its dominators.
void Flow::number_tree() {
  const auto count = static_cast<std::uint32_t>(dominator_.size());
  std::vector<std::uint32_t> child(count, kNone), sibling(count, kNone);
  for (std::uint32_t b = count; b-- > 0;)
    if (dominator_[b] != kNone) sibling[b] = std::exchange(child[dominator_[b]], b);
  std::uint32_t clock = 0;
  std::vector<std::uint32_t> stack;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (!reachable_[root] || dominator_[root] != kNone) continue;
    stack.push_back(root);
    enter_[root] = ++clock;
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      if (const std::uint32_t down = child[at]; down != kNone) {
        child[at] = sibling[down];
        enter_[down] = ++clock;
        stack.push_back(down);
      } else {
        leave_[at] = ++clock;
        stack.pop_back();
      }
    }
  }
}

std::span<const std::uint32_t> Flow::predecessors(std::uint32_t block) const {
  if (block + std::size_t{1} >= first_predecessor_.size()) return {};
  return std::span(predecessors_)
      .subspan(first_predecessor_[block],
               first_predecessor_[block + 1] - first_predecessor_[block]);
}

bool Flow::reachable(std::uint32_t block) const {
  return block < reachable_.size() && reachable_[block];
}

std::uint32_t Flow::immediate_dominator(std::uint32_t block) const {
  return block < dominator_.size() ? dominator_[block] : kNone;
}

bool Flow::dominates(std::uint32_t a, std::uint32_t b) const {
  return reachable(a) && reachable(b) && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
}

}  // namespace transpire::validator
