// Vector clocks: for each of many keys, how much of it is known, which only grows. There may be millions of keys, and as many of
// these values that differ a little, so they share what they have in common: radix trees whose nodes never change, and
// of which no two are alike. A copy costs nothing, joining two what they differ in, and raising one number the nodes on its way.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "inspect/budget.h"

namespace transpire::inspect {

/// 2^64 divided by the golden ratio: the factor of multiplicative hashes.
inline constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;

struct ClockNode;

/// Shares a node, which goes with the last that does. For one thread.
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

/// All nodes of some clocks, which it outlives. They are counted in a budget, if there is one.
class ClockStore {
 public:
  explicit ClockStore(Budget* budget) : budget_(budget) {}
  ClockStore(const ClockStore&) = delete;
  ClockStore& operator=(const ClockStore&) = delete;
  /// Frees what it keeps beside the clocks themselves: what was joined last.
  void forget_joined() { last_joined_ = {}; }
  /// More nodes were made than there is room for.
  bool ran_out() const { return ran_out_; }

 private:
  friend class Clocks;
  friend class ClockRef;
  friend struct ClockNode;
  struct Joined {
    ClockRef a, b, result;
  };
  /// The node that is like this one, which may be made for it. `Node`: one of the kinds of clocks.cpp.
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
  std::uint64_t ids_ = 0;  ///< of nodes, ever
  bool ran_out_ = false;
  std::vector<ClockNode*> nodes_;  ///< the first one of each list, by hash; a power of two
  std::size_t count_ = 0;
  std::array<Joined, 64> last_joined_;  ///< the same ones are joined soon again
};

class Clocks {
 public:
  bool empty() const { return root_.get() == nullptr; }
  /// 0 for what nothing is known of.
  std::uint32_t at(std::uint64_t key) const;
  /// From now on at least `value`, which is not 0.
  void raise(ClockStore& store, std::uint64_t key, std::uint32_t value);
  /// From now on at least what the other has.
  void join(ClockStore& store, const Clocks& other);
  /// Of clocks of one store, those with the same numbers have the same; an id is never used again. 0: they are empty.
  std::uint64_t id() const;

 private:
  ClockRef root_;
};

}  // namespace transpire::inspect
