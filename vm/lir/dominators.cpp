// The dominator tree. See dominators.h.
#include "vm/lir/dominators.h"

#include <algorithm>
#include <utility>

#include "vm/lir/budget.h"

namespace transpire::vm::lir {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// The graph as it stands, from the entry.
struct Forward {
  const Function& function;
  std::size_t count() const { return function.blocks.size(); }
  BlockId root() const { return 0; }
  const BlockList& successors(BlockId b) const { return function.blocks[b].targets; }
  const BlockList& predecessors(BlockId b) const { return function.blocks[b].preds; }
  void work(std::uint64_t steps) const { function.work(steps); }
};

// A graph turned round, from a node after the last one that stands for the end.
struct Backward {
  explicit Backward(const std::vector<BlockList>& edges) : to(edges), from(edges.size() + 1) {
    to.emplace_back();
    for (BlockId node = 0; node < edges.size(); ++node) {
      if (to[node].empty()) to[node].push_back(root());
      for (const BlockId next : to[node]) from[next].push_back(node);
    }
  }
  std::size_t count() const { return to.size(); }
  BlockId root() const { return static_cast<BlockId>(to.size() - 1); }
  const BlockList& successors(BlockId node) const { return from[node]; }
  const BlockList& predecessors(BlockId node) const { return to[node]; }
  void work(std::uint64_t) const {}
  std::vector<BlockList> to, from;
};

// Works on depth-first numbers: 0 is the root, a parent has a lower number than its children.
template <class Graph>
class LengauerTarjan {
 public:
  explicit LengauerTarjan(const Graph& graph) : graph_(graph) {
    number();
    const auto count = vertex_.size();
    semi_.resize(count);
    label_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) semi_[i] = label_[i] = i;
    ancestor_.assign(count, kNone);
    idom_.assign(count, 0);
    bucket_.assign(count, kNone);
    bucket_next_.assign(count, kNone);
  }

  std::vector<BlockId> run() {
    for (auto i = static_cast<std::uint32_t>(vertex_.size()); i-- > 1;) {
      graph_.work(graph_.predecessors(vertex_[i]).size() + 1);
      for (const BlockId pred : graph_.predecessors(vertex_[i])) {
        if (number_[pred] == kNone) continue;
        semi_[i] = std::min(semi_[i], semi_[evaluate(number_[pred])]);
      }
      bucket_next_[i] = bucket_[semi_[i]];
      bucket_[semi_[i]] = i;
      ancestor_[i] = parent_[i];
      for (auto v = std::exchange(bucket_[parent_[i]], kNone); v != kNone; v = bucket_next_[v]) {
        const std::uint32_t u = evaluate(v);
        idom_[v] = semi_[u] < semi_[v] ? u : parent_[i];
      }
    }
    std::vector<BlockId> result(graph_.count(), kNoBlock);
    for (std::uint32_t i = 1; i < vertex_.size(); ++i) {
      if (idom_[i] != semi_[i]) idom_[i] = idom_[idom_[i]];
      result[vertex_[i]] = vertex_[idom_[i]];
    }
    return result;
  }

 private:
  void number() {
    number_.assign(graph_.count(), kNone);
    if (graph_.count() == 0) return;
    std::vector<std::pair<BlockId, std::uint32_t>> stack{{graph_.root(), kNone}};
    while (!stack.empty()) {
      const auto [block, parent] = stack.back();
      stack.pop_back();
      if (number_[block] != kNone) continue;
      const auto n = static_cast<std::uint32_t>(vertex_.size());
      number_[block] = n;
      vertex_.push_back(block);
      parent_.push_back(parent);
      for (const BlockId target : graph_.successors(block)) {
        if (number_[target] == kNone) stack.emplace_back(target, n);
      }
    }
  }

  // The vertex of least semidominator on the path from v to the root of its linked tree.
  std::uint32_t evaluate(std::uint32_t v) {
    if (ancestor_[v] == kNone) return v;
    path_.clear();
    for (auto u = v; ancestor_[ancestor_[u]] != kNone; u = ancestor_[u]) path_.push_back(u);
    while (!path_.empty()) {
      const std::uint32_t u = path_.back();
      path_.pop_back();
      const std::uint32_t above = ancestor_[u];
      if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
      ancestor_[u] = ancestor_[above];
    }
    return label_[v];
  }

  const Graph& graph_;
  std::vector<std::uint32_t> number_, parent_, semi_, label_, ancestor_, idom_, bucket_,
      bucket_next_;
  std::vector<std::uint32_t> path_;
  std::vector<BlockId> vertex_;
};

}  // namespace

Dominators::Dominators(const Function& function) : idom_(LengauerTarjan(Forward{function}).run()) {
  build_tree();
}

void Dominators::build_tree() {
  const std::size_t count = idom_.size();
  child_start_.assign(count + 1, 0);
  for (const BlockId parent : idom_) {
    if (parent != kNoBlock) ++child_start_[parent + 1];
  }
  for (std::size_t i = 0; i < count; ++i) child_start_[i + 1] += child_start_[i];
  children_.resize(child_start_[count]);
  std::vector<std::uint32_t> fill(child_start_.begin(), child_start_.end());
  for (BlockId b = 0; b < count; ++b) {
    if (idom_[b] != kNoBlock) children_[fill[idom_[b]]++] = b;
  }
  level_.assign(count, 0);
  first_.assign(count, 0);
  last_.assign(count, 0);
  if (count == 0) return;
  std::vector<BlockId> stack{0};
  while (!stack.empty()) {
    const BlockId b = stack.back();
    stack.pop_back();
    preorder_.push_back(b);
    first_[b] = last_[b] = static_cast<std::uint32_t>(preorder_.size());
    if (b != 0) level_[b] = level_[idom_[b]] + 1;
    const auto below = children(b);
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  for (std::size_t i = preorder_.size(); i-- > 1;) {
    const BlockId b = preorder_[i];
    last_[idom_[b]] = std::max(last_[idom_[b]], last_[b]);
  }
}

std::vector<BlockId> immediate_postdominators(const std::vector<BlockList>& successors) {
  const Backward graph(successors);
  std::vector<BlockId> result = LengauerTarjan(graph).run();
  result.resize(successors.size());
  std::replace(result.begin(), result.end(), graph.root(), kNoBlock);
  return result;
}

}  // namespace transpire::vm::lir
