// SyncLog: a log of recent atomics and fences, in the order in which they ran. If two accesses race, it says why an atomic between
// them did not order them (vm::exec::NearMiss). It decides nothing about races, and forgets old entries.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "races/budget.h"
#include "races/happens_before.h"
#include "vm/exec/work_item.h"

namespace transpire::races {

class SyncLog {
 public:
  /// The ordering of an atomic or a fence. `instruction` is null if there is none.
  struct Order {
    const vm::Inst* instruction = nullptr;
    Semantics semantics;
    std::uint8_t scope = 0;
  };
  /// An atomic object. Objects in local memory of different groups differ.
  struct Object {
    std::uint64_t owner = 0;  ///< 1 + the group; 0: all share the memory
    std::uint64_t address = 0;
    Memory memory = Memory::kGlobal;
    bool operator==(const Object&) const = default;
  };
  /// A function that is true if scopes of two work-items are the same instance.
  using Meet = std::function<bool(std::uint32_t item, std::uint32_t scope, std::uint32_t other,
                                  std::uint32_t other_scope, Memory memory)>;

  SyncLog(std::uint32_t group_items, Budget& budget);

  void fence(std::uint32_t item, const Order& order);
  void atomic(std::uint32_t item, const Object& object, const Order& order, bool reads,
              bool modifies);
  /// Number of atomics so far.
  std::uint32_t count() const { return time_; }
  /// Reasons why actions of `earlier` before one of its atomics do not happen before the present action of `later` in the memory: the
  /// likeliest first, at most kMostReasons. The caller must check that the accesses stand on the right sides of the atomics.
  std::vector<vm::exec::NearMiss> explain(std::uint32_t earlier, std::uint32_t later, Memory memory,
                                          const Meet& meet) const;
  static constexpr std::size_t kMostReasons = 4;

 private:
  /// A modification of an object.
  struct Change {
    std::uint32_t item = 0;
    std::uint32_t time = 0;  ///< 0: no modification
    bool reads = false;
    Order own;
    Order fence;  ///< the item's last release fence before it
  };
  /// The latest modifications of an object; the oldest is overwritten.
  struct Changes {
    Object object;
    std::uint32_t last = 0;  ///< time of the latest one; 0: there is none
    std::size_t next = 0;
    std::vector<Change> latest;
  };
  struct Read {
    const Changes* changes = nullptr;  ///< changes of the object that was read; null: no read
    std::uint32_t time = 0;
    std::uint32_t from = 0;  ///< time of the last modification before it; 0: none
    bool modifies = false;
    Order own;
    Order fence;  ///< the item's last acquire fence after it
  };
  static constexpr std::size_t kMostReads = 4;
  struct Item {
    std::uint32_t number = Stamp::kNobody;
    Order fence;  ///< its last release fence
    std::array<Read, kMostReads> reads;
  };
  struct Hash {
    std::size_t operator()(const Object& object) const;
  };
  using Reasons = std::vector<vm::exec::NearMiss>;
  static constexpr std::size_t kMostChanges = 16;
  /// Bytes of an object with its changes, and of its node in the hash table.
  static constexpr std::uint64_t kObjectBytes =
      sizeof(Object) + sizeof(Changes) + kMostChanges * sizeof(Change) + 64;
  static_assert(sizeof(Order) == 16);

  /// Takes bytes from the budget. False if there is no memory to spare.
  bool take(std::uint64_t bytes);

  Item& of(std::uint32_t item);
  Changes* changes_of(const Object& object);
  void read(Item& by, const Changes& changes, const Order& order, bool modifies) const;
  void change(const Item& by, Changes& changes, const Order& order, bool reads) const;
  /// The kept reads of an item, the latest first.
  std::vector<const Read*> reads_of(std::uint32_t item) const;
  /// The latest modification by an item before a time, or null.
  static const Change* change_by(const Changes& changes, std::uint32_t item, std::uint32_t before);
  static const Change* change_at(const Changes& changes, std::uint32_t time);
  void explain_pair(const Changes& changes, const Change& first, const Read& second,
                    std::uint32_t reader, Memory memory, const Meet& meet, Reasons& reasons) const;
  void explain_two_objects(std::uint32_t earlier, const std::vector<const Read*>& reads,
                           Reasons& reasons) const;

  Budget& budget_;
  Charge charge_;
  std::uint32_t time_ = 0;
  std::vector<Item> items_;  ///< by number modulo their count: the work-items that ran last
  std::unordered_map<Object, Changes, Hash> objects_;
  Changes* latest_ = nullptr;  ///< changes of the object that was used last
};

}  // namespace transpire::races
