// The generator of random_graph.h.
#include "tests/vm/lir/random_graph.h"

namespace transpire::test {
namespace {

using vm::lir::BlockId;

class Graph {
 public:
  Graph(std::mt19937& random, std::uint32_t max_blocks, bool switches)
      : random_(random), max_blocks_(max_blocks), switches_(switches) {}

  std::vector<std::vector<BlockId>> run(bool is_structured) {
    if (is_structured) {
      const BlockId end = structured(new_block(), 3);
      const BlockId last = new_block();
      targets_[end] = {last};
    } else {
      any_graph();
    }
    return std::move(targets_);
  }

 private:
  std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

  void any_graph() {
    targets_.resize(3 + pick(max_blocks_));
    const auto count = static_cast<std::uint32_t>(targets_.size());
    for (BlockId b = 0; b < count; ++b) {
      const auto target = [&] { return 1 + pick(count - 1); };
      const std::uint32_t shape = pick(8);
      if (shape == 0 && b != 0) continue;
      auto& targets = targets_[b];
      targets.push_back(b + 1 < count && pick(3) != 0 ? b + 1 : target());
      if (shape > 2) targets.push_back(target());
      if (shape == 7) targets.push_back(target());
    }
  }

  BlockId new_block() {
    targets_.emplace_back();
    return static_cast<BlockId>(targets_.size() - 1);
  }

  // Code after `from`; returns the block where it ends, still without targets.
  BlockId structured(BlockId from, std::uint32_t depth) {
    for (std::uint32_t n = 1 + pick(3); n > 0 && targets_.size() < max_blocks_; --n) {
      const std::uint32_t shape = pick(switches_ ? 6 : 4);
      if (depth == 0 || shape == 0) continue;
      if (shape < 3) {
        const BlockId then = new_block();
        const BlockId then_end = structured(then, depth - 1);
        const BlockId join = new_block();
        targets_[then_end] = {join};
        if (shape == 1) {
          targets_[from] = {then, join};
        } else {
          const BlockId other = new_block();
          targets_[from] = {other, then};
          targets_[structured(other, depth - 1)] = {join};
        }
        from = join;
      } else if (shape > 3) {
        from = switched(from, depth);
      } else {
        const BlockId header = new_block();
        targets_[from] = {header};
        const BlockId body = new_block();
        const BlockId after = new_block();
        targets_[header] = {body, after};
        const BlockId end = structured(body, depth - 1);
        targets_[end] =
            pick(3) == 0 ? std::vector<BlockId>{after, header} : std::vector<BlockId>{header};
        from = after;
      }
    }
    return from;
  }

  // A switch with up to four cases behind `from`. A case may go on in the next one, and the join
  // may be a target.
  BlockId switched(BlockId from, std::uint32_t depth) {
    const BlockId join = new_block();
    std::vector<BlockId> cases;
    for (std::uint32_t n = 3 + pick(2); n > 0; --n) cases.push_back(new_block());
    targets_[from] = cases;
    if (pick(3) == 0) targets_[from].push_back(join);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const BlockId end = structured(cases[i], depth - 1);
      targets_[end] = {i + 1 < cases.size() && pick(4) == 0 ? cases[i + 1] : join};
    }
    return join;
  }

  std::mt19937& random_;
  std::uint32_t max_blocks_;
  bool switches_;
  std::vector<std::vector<BlockId>> targets_;
};

}  // namespace

std::vector<std::vector<BlockId>> random_targets(std::mt19937& random, bool structured,
                                                 std::uint32_t max_blocks, bool switches) {
  return Graph(random, max_blocks, switches).run(structured);
}

}  // namespace transpire::test
