// AddressBook: assigns virtual addresses to the buffers of a module's launches.
//
// A kernel may store an address in a program-scope variable or in a buffer, and use it in a later launch. A buffer
// therefore has the same address in every launch of a module on a device, and no other buffer gets that address. A stored
// address leads to its buffer, or to no allocation if the buffer is gone or is not an argument of the launch. The book
// reuses addresses only after it has assigned all of them. Thread-safe.
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

namespace transpire::memory {

class AddressBook {
 public:
  struct Entry {
    std::shared_ptr<const void> owner;  ///< identity of the object that has the address
    std::uint64_t slots = 0;            ///< slots that it takes, with a free one behind it
    std::string name{};                 ///< its name in findings: "buffer 'y'"
  };

  /// An owner that has an address.
  struct Known {
    std::string name;
    bool is_there = false;  ///< the owner still exists
  };

  /// Assigns slots in [begin, end) to all entries without overlap, and returns the first slot of each. Nothing if they do
  /// not fit.
  std::optional<std::vector<std::uint64_t>> place(std::span<const Entry> entries,
                                                  std::uint64_t begin, std::uint64_t end);
  /// The owner that has the slot. Nothing if there is none, or the book has reused addresses since. Takes time linear in the
  /// number of owners.
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

/// State that a module's launches pass on to later ones. Launches on the optimised path and those on the reference path have
/// one each, so that both get the same addresses.
struct AddressHistory {
  AddressBook buffers;        ///< for launches without shared virtual memory
  AddressBook beside_shared;  ///< for launches with shared virtual memory, whose slots are smaller
  std::atomic<std::uint64_t> launches{0};
};

}  // namespace transpire::memory
