// AddressBook: which virtual addresses the buffers of a module's launches have.
//
// A kernel may keep an address, in a program-scope variable or in a buffer, and use it in a later
// launch. So a buffer has the same address in every launch of a module on a device, and nothing
// else gets it: a kept address leads to that buffer, or to no allocation when the buffer is gone or
// no argument of the launch. Only when all addresses were given out does the book begin again.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace transpire::runtime {

class AddressBook {
 public:
  struct Entry {
    std::shared_ptr<const void> owner;  ///< what has the address, by identity
    std::uint64_t slots = 0;            ///< that it takes, with the free one behind it
    std::string name{};                 ///< as findings call it: "buffer 'y'"
  };

  /// An owner that was placed.
  struct Known {
    std::string name;
    bool is_there = false;  ///< it lives
  };

  /// The first slot of each entry, out of [begin, end), of which no two overlap. Nothing when they
  /// do not fit.
  std::optional<std::vector<std::uint64_t>> place(std::span<const Entry> entries,
                                                  std::uint64_t begin, std::uint64_t end);
  /// The entry that has the slot; nothing where none has, or where the book has begun again since. Looks at all of them.
  std::optional<Known> find(std::uint64_t slot);

 private:
  bool place_new(std::span<const Entry> entries, std::uint64_t begin, std::uint64_t end);

  struct Place {
    std::uint64_t slot = 0, slots = 0;
    std::string name{};
  };
  std::mutex mutex_;
  std::map<std::weak_ptr<const void>, Place, std::owner_less<>> places_;
  std::uint64_t next_ = 0;
};

/// What the launches of a module leave behind that tells them apart. One for launches on the
/// optimised path and one for those on the reference path, so that both give the same addresses.
struct AddressHistory {
  AddressBook buffers;        ///< of launches without shared virtual memory
  AddressBook beside_shared;  ///< of launches with some, whose slots are smaller
  std::atomic<std::uint64_t> launches{0};
};

}  // namespace transpire::runtime
