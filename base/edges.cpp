#include "base/edges.h"

namespace transpire {

Edges::Edges(std::size_t vertices, std::span<const Edge> edges)
    : first_(vertices + 1, 0), other_(edges.size()) {
  for (const Edge& edge : edges) ++first_[edge.from + 1];
  for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Edge& edge : edges) other_[next[edge.from]++] = edge.to;
}

Edges Edges::reversed() const {
  std::vector<Edge> edges;
  edges.reserve(other_.size());
  for (std::uint32_t v = 0; v < vertices(); ++v)
    for (const std::uint32_t other : of(v)) edges.push_back({other, v});
  return Edges(vertices(), edges);
}

}  // namespace transpire
