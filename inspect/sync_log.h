// A log of recent atomics and fences, in whatever order they ran. Where two accesses race, it says what was missing for
// an atomic between them to order them (vm::exec::NearMiss). It decides nothing about races, and forgets what is old.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "inspect/budget.h"
#include "inspect/happens_before.h"
#include "vm/exec/work_item.h"

namespace transpire::inspect {

class SyncLog {
 public:
  /// How an atomic or a fence orders. `instruction` null: there is none.
  struct Order {
    const vm::Inst* instruction = nullptr;
    Semantics semantics;
    std::uint8_t scope = 0;
  };
  /// An atomic object. Local memory of each group is its own.
  struct Object {
    std::uint64_t owner = 0;  ///< 1 + the group; 0: all share the memory
    std::uint64_t address = 0;
    Memory memory = Memory::kGlobal;
    bool operator==(const Object&) const = default;
  };
  /// True if scopes of two work-items are the same instance.
  using Meet = std::function<bool(std::uint32_t item, std::uint32_t scope, std::uint32_t other,
                                  std::uint32_t other_scope, Memory memory)>;

  SyncLog(std::uint32_t group_items, Budget& budget);

  void fence(std::uint32_t item, const Order& order);
  void atomic(std::uint32_t item, const Object& object, const Order& order, bool reads,
              bool modifies);
  /// Atomics so far.
  std::uint32_t count() const { return time_; }
  /// Why what `earlier` did before one of its atomics is not ordered before what `later` does now in the memory; the
  /// likeliest reason first, kMostReasons at most. That the accesses stand on the right sides of the atomics is for who asks
  /// to find out.
  std::vector<vm::exec::NearMiss> explain(std::uint32_t earlier, std::uint32_t later, Memory memory,
                                          const Meet& meet) const;
  static constexpr std::size_t kMostReasons = 4;

 private:
  /// A modification of an object.
  struct Change {
    std::uint32_t item = 0;
    std::uint32_t time = 0;  ///< 0: there was none
    bool reads = false;
    Order own;
    Order fence;  ///< the item's last one that releases, before it
  };
  /// The latest modifications of an object; the oldest is overwritten.
  struct Changes {
    Object object;
    std::uint32_t last = 0;  ///< the time of the latest; 0: there was none
    std::size_t next = 0;
    std::vector<Change> latest;
  };
  struct Read {
    const Changes* changes = nullptr;  ///< of the object; null: there was no such read
    std::uint32_t time = 0;
    std::uint32_t from = 0;  ///< the time of the last modification before it; 0: there was none
    bool modifies = false;
    Order own;
    Order fence;  ///< the item's last one that acquires, behind it
  };
  static constexpr std::size_t kMostReads = 4;
  struct Item {
    std::uint32_t number = Stamp::kNobody;
    Order fence;  ///< the last one that releases
    std::array<Read, kMostReads> reads;
  };
  struct Hash {
    std::size_t operator()(const Object& object) const;
  };
  using Reasons = std::vector<vm::exec::NearMiss>;
  static constexpr std::size_t kMostChanges = 16;
  /// Memory of an object with its changes, and of a node of the hash table.
  static constexpr std::uint64_t kObjectBytes =
      sizeof(Object) + sizeof(Changes) + kMostChanges * sizeof(Change) + 64;
  static_assert(sizeof(Order) == 16);

  /// False: there is no memory to spare.
  bool take(std::uint64_t bytes);

  Item& of(std::uint32_t item);
  Changes* changes_of(const Object& object);
  void read(Item& by, const Changes& changes, const Order& order, bool modifies) const;
  void change(const Item& by, Changes& changes, const Order& order, bool reads) const;
  /// Those of the item that there were, the latest first.
  std::vector<const Read*> reads_of(std::uint32_t item) const;
  /// The latest one by the item before a time.
  static const Change* change_by(const Changes& changes, std::uint32_t item, std::uint32_t before);
  static const Change* change_at(const Changes& changes, std::uint32_t time);
  void look_at(const Changes& changes, const Change& first, const Read& second,
               std::uint32_t reader, Memory memory, const Meet& meet, Reasons& reasons) const;
  void look_at_others(std::uint32_t earlier, const std::vector<const Read*>& reads,
                      Reasons& reasons) const;

  Budget& budget_;
  Charge charge_;
  std::uint32_t time_ = 0;
  std::vector<Item> items_;  ///< by number, modulo how many these are: those that ran last
  std::unordered_map<Object, Changes, Hash> objects_;
  Changes* latest_ = nullptr;  ///< of the object that was asked for last
};

}  // namespace transpire::inspect
