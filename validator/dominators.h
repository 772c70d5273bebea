// Which vertices of a graph every way passes. The graph may have several roots, as a module has one
// first block for each function; built in time near linear in vertices and edges, without
// recursion: a graph's depth costs no stack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace transpire::validator {

/// Stands for "there is no such vertex".
inline constexpr std::uint32_t kNoVertex = 0xffffffffu;

/// The edges of a graph by the vertex where they begin, or by the one where they end.
class Edges {
 public:
  struct Edge {
    std::uint32_t from, to;
  };
  /// Edges of `vertices` vertices; of equal ones all are kept, in the order given.
  Edges(std::size_t vertices, std::span<const Edge> edges);

  std::size_t vertices() const { return first_.size() - 1; }
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(other_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }
  /// The same edges in the other direction.
  Edges reversed() const;

 private:
  std::vector<std::uint32_t> first_, other_;
};

class DominatorTree {
 public:
  /// `sources` has the edges of `successors` reversed. Ways begin at any of `roots`.
  DominatorTree(const Edges& successors, const Edges& sources,
                std::span<const std::uint32_t> roots);

  /// Whether there is a way from a root.
  bool reached(std::uint32_t vertex) const { return vertex < enter_.size() && enter_[vertex] != 0; }
  /// The closest other vertex that every way to this one passes; kNoVertex when there is none.
  std::uint32_t immediate(std::uint32_t vertex) const {
    return vertex < immediate_.size() ? immediate_[vertex] : kNoVertex;
  }
  /// Whether every way to `b` passes `a`; also for `a` == `b`. False where one is not reached.
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    return reached(a) && reached(b) && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
  }
  /// The vertices that are reached, each behind those that dominate it.
  std::span<const std::uint32_t> preorder() const { return preorder_; }

 private:
  void number();

  std::vector<std::uint32_t> immediate_;
  std::vector<std::uint32_t> enter_, leave_;  ///< of a walk over the trees; 0: not reached
  std::vector<std::uint32_t> preorder_;
};

}  // namespace transpire::validator
