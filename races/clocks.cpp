#include "races/clocks.h"

#include <algorithm>
#include <bit>

namespace transpire::races {
namespace {

constexpr std::uint32_t kBits = 4, kWidth = 1u << kBits;

std::uint32_t digit(std::uint64_t key, std::uint32_t height) {
  return static_cast<std::uint32_t>(key >> (kBits * height)) & (kWidth - 1);
}

/// True if a tree of this height has a place for the key.
bool has_place(std::uint64_t key, std::uint32_t height) {
  const std::uint32_t bits = kBits * (height + 1);
  return bits >= 64 || key >> bits == 0;
}

std::uint64_t spread(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * kGoldenRatio;
  return hash ^ hash >> 29;
}

}  // namespace

struct ClockNode {
  ClockStore* store = nullptr;
  ClockNode* next = nullptr;  ///< in its list of ClockStore::nodes_
  std::uint64_t id = 0, hash = 0;
  mutable std::uint32_t references = 0;
  std::uint32_t height = 0;  ///< 0: a leaf. Children are lower by one
  bool is_paid = false;      ///< its bytes come from the budget
};

namespace {

std::uint64_t id_of(const ClockNode* node) { return node == nullptr ? 0 : node->id; }

struct Leaf : ClockNode {
  using Content = std::array<std::uint32_t, kWidth>;
  static std::uint64_t hash_of(const Content& content) {
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < kWidth; i += 2)
      hash = spread(hash, std::uint64_t{content[i]} << 32 | content[i + 1]);
    return hash;
  }
  Content content{};
};

struct Inner : ClockNode {
  struct Content : std::array<ClockRef, kWidth> {
    bool operator==(const Content& other) const {
      return std::equal(begin(), end(), other.begin(),
                        [](const ClockRef& a, const ClockRef& b) { return a.get() == b.get(); });
    }
  };
  static std::uint64_t hash_of(const Content& content) {
    std::uint64_t hash = 1;
    for (const ClockRef& each : content) hash = spread(hash, id_of(each.get()));
    return hash;
  }
  Content content;
};

const Leaf& leaf(const ClockNode& node) { return static_cast<const Leaf&>(node); }
const Inner& inner(const ClockNode& node) { return static_cast<const Inner&>(node); }

}  // namespace

ClockRef::ClockRef(const ClockNode* node) : node_(node) {
  if (node != nullptr) ++node->references;
}

void ClockRef::release() {
  if (--node_->references != 0) return;
  node_->store->drop(*node_);
  if (node_->height == 0)
    delete static_cast<const Leaf*>(node_);
  else
    delete static_cast<const Inner*>(node_);
}

template <class Node>
ClockRef ClockStore::shared(std::uint32_t height, const typename Node::Content& content) {
  const std::uint64_t hash = spread(Node::hash_of(content), height);
  if (!nodes_.empty())
    for (ClockNode* each = nodes_[hash & (nodes_.size() - 1)]; each != nullptr; each = each->next)
      if (each->hash == hash && each->height == height &&
          static_cast<const Node*>(each)->content == content)
        return ClockRef(each);
  auto* const made = new Node;
  made->content = content;
  made->height = height;
  made->hash = hash;
  made->is_paid = budget_ != nullptr && budget_->take(sizeof(Node));
  ran_out_ = ran_out_ || (budget_ != nullptr && !made->is_paid);
  enter(*made);
  return ClockRef(made);
}

void ClockStore::enter(ClockNode& node) {
  if (count_++ >= nodes_.size()) {
    std::vector<ClockNode*> more(std::bit_ceil(count_ + 64));
    for (ClockNode* first : nodes_)
      while (first != nullptr) {
        ClockNode* const each = first;
        first = each->next;
        each->next = std::exchange(more[each->hash & (more.size() - 1)], each);
      }
    nodes_ = std::move(more);
  }
  node.store = this;
  node.id = ++ids_;
  node.next = std::exchange(nodes_[node.hash & (nodes_.size() - 1)], &node);
}

void ClockStore::drop(const ClockNode& node) {
  ClockNode** at = &nodes_[node.hash & (nodes_.size() - 1)];
  while (*at != &node) at = &(*at)->next;
  *at = node.next;
  --count_;
  if (node.is_paid) budget_->give_back(node.height == 0 ? sizeof(Leaf) : sizeof(Inner));
}

/// Element-wise maximum of two trees of equal height; null means all zeros.
ClockRef ClockStore::joined(const ClockNode* a, const ClockNode* b) {
  if (b == nullptr || a == b) return ClockRef(a);
  if (a == nullptr) return ClockRef(b);
  if (a->height == 0) {
    const Leaf::Content &left = leaf(*a).content, &right = leaf(*b).content;
    Leaf::Content most{};
    for (std::uint32_t i = 0; i < kWidth; ++i) most[i] = std::max(left[i], right[i]);
    if (most == right) return ClockRef(b);
    if (most == left) return ClockRef(a);
    return shared<Leaf>(0, most);
  }
  const Inner::Content &left = inner(*a).content, &right = inner(*b).content;
  Inner::Content most;
  for (std::uint32_t i = 0; i < kWidth; ++i) most[i] = joined(left[i].get(), right[i].get());
  if (most == right) return ClockRef(b);
  if (most == left) return ClockRef(a);
  return shared<Inner>(a->height, most);
}

/// A tree of the given height with the contents of `node`, which must not be higher.
ClockRef ClockStore::lifted(const ClockNode* node, std::uint32_t height) {
  if (node->height == height) return ClockRef(node);
  Inner::Content content;
  content[0] = lifted(node, height - 1);
  return shared<Inner>(height, content);
}

/// A tree of the given height with the contents of `node`, in which the key's number is at least `value`. A null node means all
/// zeros.
ClockRef ClockStore::raised(const ClockNode* node, std::uint32_t height, std::uint64_t key,
                            std::uint32_t value) {
  const std::uint32_t place = digit(key, height);
  if (height == 0) {
    Leaf::Content content{};
    if (node != nullptr) content = leaf(*node).content;
    content[place] = std::max(content[place], value);
    return shared<Leaf>(0, content);
  }
  Inner::Content content;
  if (node != nullptr && node->height == height)
    content = inner(*node).content;
  else if (node != nullptr)
    content[0] = lifted(node, height - 1);
  content[place] = raised(content[place].get(), height - 1, key, value);
  return shared<Inner>(height, content);
}

ClockStore::Joined& ClockStore::place_of(const ClockNode* a, const ClockNode* b) {
  return last_joined_[spread(a->id, b->id) % last_joined_.size()];
}

void ClockStore::remember(const ClockRef& a, const ClockRef& b, const ClockRef& result) {
  place_of(a.get(), b.get()) = {a, b, result};
}

std::uint32_t Clocks::at(std::uint64_t key) const {
  const ClockNode* node = root_.get();
  if (node == nullptr || !has_place(key, node->height)) return 0;
  for (; node != nullptr; node = inner(*node).content[digit(key, node->height)].get())
    if (node->height == 0) return leaf(*node).content[digit(key, 0)];
  return 0;
}

void Clocks::raise(ClockStore& store, std::uint64_t key, std::uint32_t value) {
  if (at(key) >= value) return;
  std::uint32_t height = root_.get() != nullptr ? root_.get()->height : 0;
  while (!has_place(key, height)) ++height;
  root_ = store.raised(root_.get(), height, key, value);
}

void Clocks::join(ClockStore& store, const Clocks& other) {
  if (other.empty() || id() == other.id()) return;
  if (empty()) {
    *this = other;
    return;
  }
  const ClockStore::Joined& known = store.place_of(root_.get(), other.root_.get());
  if (known.a.get() == root_.get() && known.b.get() == other.root_.get()) {
    root_ = ClockRef(known.result);
    return;
  }
  const std::uint32_t height = std::max(root_.get()->height, other.root_.get()->height);
  const ClockRef own = store.lifted(root_.get(), height),
                 others = store.lifted(other.root_.get(), height);
  ClockRef result = store.joined(own.get(), others.get());
  store.remember(root_, other.root_, result);
  store.remember(other.root_, result, result);  // a releasing clock is soon joined with this result
  root_ = std::move(result);
}

std::uint64_t Clocks::id() const { return id_of(root_.get()); }

}  // namespace transpire::races
