// Edges of a graph whose vertices are numbers, in two flat arrays. They take half the memory of a list per vertex, and two
// allocations in total.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace transpire {

/// Edges of a graph, grouped by their source vertex, or by their target vertex if reversed.
class Edges {
 public:
  struct Edge {
    std::uint32_t from, to;
  };
  /// Takes the edges of a graph with `vertices` vertices. Duplicates are kept. Edges of a vertex stay in the given order.
  Edges(std::size_t vertices, std::span<const Edge> edges);

  std::size_t vertices() const { return first_.size() - 1; }
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(other_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }
  /// All edges with their directions reversed.
  Edges reversed() const;

 private:
  std::vector<std::uint32_t> first_, other_;
};

}  // namespace transpire
