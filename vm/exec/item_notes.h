// Notes which bytes work-items access through which parameters of the kernel, to find restrict
// pointers that lead to bytes reached by another one (finding R0036). Each batch has its own notes,
// for as long as its work-items run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace transpire::vm::exec {

/// The memory that the notes of one launch may take. Thread-safe.
class NoteBudget {
 public:
  explicit NoteBudget(std::uint64_t max_bytes) : left_(max_bytes) {}

  /// Returns false, and remembers it, if less is left.
  bool draw(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) { left_.fetch_add(bytes, std::memory_order_relaxed); }
  /// True if something was not noted for lack of memory.
  bool gave_up() const { return gave_up_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> left_;
  std::atomic<bool> gave_up_{false};
};

/// Used by one thread at a time.
class ItemNotes {
 public:
  explicit ItemNotes(std::shared_ptr<NoteBudget> budget) : budget_(std::move(budget)) {}
  ~ItemNotes() { budget_->give_back(drawn_); }
  ItemNotes(const ItemNotes&) = delete;
  ItemNotes& operator=(const ItemNotes&) = delete;

  /// An access by an instruction through a parameter, which may be restrict.
  struct Way {
    std::uint32_t parameter = 0;
    bool no_alias = false, writes = false;
    std::uint32_t place = 0;  ///< index into Program::code
  };
  /// Notes that a lane's work-item accesses bytes of the host. Returns the other access if the
  /// work-item accessed one of the bytes through another parameter, one of the two parameters is
  /// restrict, and one access was a store, in any order.
  std::optional<Way> meets(std::uint32_t lane, const std::byte* host, std::uint64_t bytes, Way way);

  /// Clears the notes: the batch begins with other work-items.
  void clear();

 private:
  static constexpr std::uint64_t kChunkBytes = 64;

  /// Accesses of a work-item by one instruction, through one parameter, to 64 bytes: a bit for each.
  struct Note {
    std::uint64_t chunk = 0;  ///< address of the host memory, and the lane
    std::uint64_t accessed = 0, written = 0;
    std::uint32_t parameter = 0;
    std::uint32_t next : 31 = 0, no_alias : 1 = 0;  ///< 1 + index of the next note in the bucket
    std::uint32_t place = 0;
  };

  std::optional<Way> note(std::uint64_t chunk, std::uint64_t bytes, Way way);
  std::optional<Way> other_way(std::uint64_t chunk, std::uint64_t bytes,
                               std::uint32_t parameter) const;
  std::size_t bucket(std::uint64_t chunk) const;
  bool grow();

  std::shared_ptr<NoteBudget> budget_;
  std::uint64_t drawn_ = 0;
  std::vector<Note> notes_;
  std::vector<std::uint32_t> first_;  ///< by bucket: 1 + index of a note; 0: there is none
};

}  // namespace transpire::vm::exec
