// Clocks: vector clocks. A clock maps keys to numbers that only grow. There may be millions of keys, and as many clocks that differ
// in a few of them. Clocks are therefore radix trees that share equal nodes. Nodes never change, and no two are equal. A copy costs
// nothing, a join costs the nodes that differ, and raising a number costs the nodes on its path.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "races/budget.h"

namespace transpire::races {

/// 2^64 divided by the golden ratio: the factor of multiplicative hashes.
inline constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;

struct ClockNode;

/// A counted reference to a node. The last reference deletes the node. Not thread-safe.
class ClockRef {
 public:
  ClockRef() = default;
  explicit ClockRef(const ClockNode* node);
  ClockRef(const ClockRef& other) : ClockRef(other.node_) {}
  ClockRef(ClockRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  ClockRef& operator=(ClockRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~ClockRef() {
    if (node_ != nullptr) release();
  }
  const ClockNode* get() const { return node_; }

 private:
  void release();
  const ClockNode* node_ = nullptr;
};

/// Owns the nodes of clocks and must outlive them. The nodes' bytes come from a budget, if there is one.
class ClockStore {
 public:
  explicit ClockStore(Budget* budget) : budget_(budget) {}
  ClockStore(const ClockStore&) = delete;
  ClockStore& operator=(const ClockStore&) = delete;
  /// Frees the cache of recent joins.
  void forget_joined() { last_joined_ = {}; }
  /// True if the budget did not suffice for all nodes.
  bool ran_out() const { return ran_out_; }

 private:
  friend class Clocks;
  friend class ClockRef;
  friend struct ClockNode;
  struct Joined {
    ClockRef a, b, result;
  };
  /// The node with this content, which is made if there is none. `Node`: Leaf or Inner of clocks.cpp.
  template <class Node>
  ClockRef shared(std::uint32_t height, const typename Node::Content& content);
  ClockRef raised(const ClockNode* node, std::uint32_t height, std::uint64_t key,
                  std::uint32_t value);
  ClockRef lifted(const ClockNode* node, std::uint32_t height);
  ClockRef joined(const ClockNode* a, const ClockNode* b);
  void remember(const ClockRef& a, const ClockRef& b, const ClockRef& result);
  Joined& place_of(const ClockNode* a, const ClockNode* b);
  void enter(ClockNode& node);
  void drop(const ClockNode& node);

  Budget* budget_;
  std::uint64_t ids_ = 0;  ///< number of nodes made so far
  bool ran_out_ = false;
  std::vector<ClockNode*> nodes_;  ///< hash table: the first node of each list; a power of two
  std::size_t count_ = 0;
  std::array<Joined, 64> last_joined_;  ///< cache: the same clocks are soon joined again
};

class Clocks {
 public:
  bool empty() const { return root_.get() == nullptr; }
  /// The number of a key; 0 if it was never raised.
  std::uint32_t at(std::uint64_t key) const;
  /// Raises the number of a key to at least `value`, which must not be 0.
  void raise(ClockStore& store, std::uint64_t key, std::uint32_t value);
  /// Raises each number to at least the other clock's number.
  void join(ClockStore& store, const Clocks& other);
  /// An id of the clock's contents. Clocks of one store have the same id if and only if all their numbers are equal; 0: empty. The
  /// store never reuses an id.
  std::uint64_t id() const;

 private:
  ClockRef root_;
};

}  // namespace transpire::races
