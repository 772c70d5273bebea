// Dominators of edges, and the tree. See dominators.h.
#include "base/dominators.h"

namespace transpire {
namespace {

struct EdgeGraph {
  const Edges &to, &from;
  std::span<const std::uint32_t> first;

  std::size_t vertices() const { return to.vertices(); }
  std::span<const std::uint32_t> successors(std::uint32_t v) const { return to.of(v); }
  std::span<const std::uint32_t> predecessors(std::uint32_t v) const { return from.of(v); }
  std::span<const std::uint32_t> roots() const { return first; }
  void work(std::uint64_t) const {}
};

}  // namespace

ImmediateDominators immediate_dominators(const Edges& successors, const Edges& predecessors,
                                         std::span<const std::uint32_t> roots) {
  return immediate_dominators(EdgeGraph{successors, predecessors, roots});
}

std::vector<std::uint32_t> immediate_post_dominators(const Edges& successors) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t v = 0; v < successors.vertices(); ++v)
    if (successors.of(v).empty()) ends.push_back(v);
  return immediate_dominators(successors.reversed(), successors, ends).of;
}

DominatorTree::DominatorTree(ImmediateDominators found, Siblings order)
    : idom_(std::move(found.of)),
      level_(idom_.size(), 0),
      first_(idom_.size(), 0),
      last_(idom_.size(), 0) {
  if (order == Siblings::kByNumber) {
    for (const std::uint32_t v : found.reached) first_[v] = 1;
    std::size_t next = 0;
    for (std::uint32_t v = 0; v < idom_.size(); ++v)
      if (first_[v] != 0) found.reached[next++] = v;
  }
  list_children(found.reached);
  walk();
}

void DominatorTree::list_children(std::span<const std::uint32_t> reached) {
  const std::size_t count = idom_.size();
  const auto above = [&](std::uint32_t v) { return std::min<std::size_t>(idom_[v], count); };
  child_start_.assign(count + 2, 0);
  for (const std::uint32_t v : reached) ++child_start_[above(v) + 1];
  for (std::size_t i = 0; i <= count; ++i) child_start_[i + 1] += child_start_[i];
  children_.resize(reached.size());
  std::vector<std::uint32_t> next(child_start_.begin(), child_start_.end());
  for (const std::uint32_t v : reached) children_[next[above(v)]++] = v;
}

void DominatorTree::walk() {
  preorder_.reserve(children_.size());
  const auto tops = children(static_cast<std::uint32_t>(idom_.size()));
  std::vector<std::uint32_t> stack(tops.rbegin(), tops.rend());
  while (!stack.empty()) {
    const std::uint32_t v = stack.back();
    stack.pop_back();
    preorder_.push_back(v);
    first_[v] = last_[v] = static_cast<std::uint32_t>(preorder_.size());
    if (idom_[v] != kNoVertex) level_[v] = level_[idom_[v]] + 1;
    const auto below = children(v);
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  for (std::size_t i = preorder_.size(); i-- > 0;)
    if (const std::uint32_t above = idom_[preorder_[i]]; above != kNoVertex)
      last_[above] = std::max(last_[above], last_[preorder_[i]]);
}

}  // namespace transpire
