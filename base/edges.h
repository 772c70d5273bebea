// The edges of a graph whose vertices are numbers, in two flat lists: half of the memory of a list for each
// vertex, and no allocation for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace transpire {

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

}  // namespace transpire
