// The origins of undefined bits in memory, for the findings of --check=uninit. Shadows mark
// undefined bits (vm/passes/track_undefined.h). Only rare events are noted: a store of undefined
// bits with its origin, and a work-item's load of some. Memory without a note has its initial bits.
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "memory/address_space.h"
#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

/// The origin of undefined bits, and the store that put them there.
struct OriginNote {
  UndefinedOrigin origin;
  const memory::Allocation* allocation = nullptr;  ///< for kMemory; null: unknown
  std::uint32_t stored = 0;                        ///< index into Program::sources; 0: initial bits

  friend auto operator<=>(const OriginNote&, const OriginNote&) = default;
};

/// An origin, and the load by which the work-item got the bits.
struct ReportedOrigin {
  OriginNote note;
  std::uint32_t loaded = 0;  ///< index into Program::sources; 0: no load
  bool is_certain = true;    ///< true if memory without a note was not written

  friend auto operator<=>(const ReportedOrigin&, const ReportedOrigin&) = default;
};

/// A byte of shadows. For buffers `address` is the host's, else the virtual one.
struct ShadowPlace {
  std::uint64_t owner = 0;  ///< a group, or a work-item; 0: all share it
  std::uint64_t address = 0;
  std::uint32_t life = 0;  ///< private variables: number of lives begun

  friend bool operator==(const ShadowPlace&, const ShadowPlace&) = default;
};

/// For a launch. Thread-safe. At least the latest quarter million words are remembered, at most
/// twice as many.
class UndefinedNotes {
 public:
  /// The number of a note, from 1 on.
  std::uint32_t number(const OriginNote& note);
  OriginNote note(std::uint32_t number) const;
  void set(ShadowPlace place, std::uint64_t bytes, std::uint32_t number);
  bool has_any() const { return any_.load(std::memory_order_relaxed); }
  /// 0: there is none.
  std::uint32_t find(ShadowPlace place) const;
  /// Remembers that something was not noted.
  void lose() { lost_.store(true, std::memory_order_relaxed); }
  bool has_lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Hash {
    std::size_t operator()(const ShadowPlace& place) const;
  };
  /// By word, a number for each byte.
  using Words = std::unordered_map<ShadowPlace, std::array<std::uint32_t, 4>, Hash>;

  std::array<std::uint32_t, 4>& word(const ShadowPlace& place);

  mutable std::mutex mutex_;
  std::vector<OriginNote> notes_;
  std::map<OriginNote, std::uint32_t> numbers_;
  Words young_, old_;
  std::atomic<bool> any_{false}, lost_{false};
};

/// For the work-items of a batch.
class UndefinedItems {
 public:
  UndefinedItems(UndefinedNotes& notes, const Program& program)
      : notes_(notes), program_(program) {}

  /// Clears the notes: the batch begins with other work-items.
  void clear();
  /// A private variable, a shadow, begins to live in the running lanes.
  void begin_life(const Batch& batch, std::uint32_t shadow, std::uint32_t source);

  // In these, addresses are those of shadows.
  void loaded(const Batch& batch, std::uint32_t number, std::uint32_t lane, std::uint64_t address);
  void not_loaded(std::uint32_t number, std::uint32_t lane);
  bool has_loaded(std::uint32_t number) const;
  /// Notes that the lane stores an undefined value.
  void stored(const Batch& batch, const Inst* ip, const UndefinedUse& use, std::uint32_t lane,
              std::uint64_t address, std::uint64_t bytes);
  void copied(const Batch& batch, const Inst* ip, std::uint32_t lane, std::uint64_t target,
              std::uint64_t source, std::uint64_t bytes);
  /// Notes the store of a packet that a pipe gave.
  void received(const Batch& batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                std::uint64_t bytes, const memory::Allocation* pipe);

  /// The origin of the undefined bits at an address of shadows.
  ReportedOrigin origin_of(const Batch& batch, std::uint32_t lane, std::uint64_t address);
  /// Possible origins of a check's undefined operand in a lane that has just executed the check.
  std::vector<ReportedOrigin> origins_of(const UndefinedUse& use, std::uint32_t lane) const;

 private:
  /// The result of a load in a lane: a note's number, or 0.
  struct Loaded {
    std::uint32_t now = 0;
    std::uint32_t before = 0;  ///< if that is 0: the last other number
  };
  struct Life {
    std::uint32_t source = 0, count = 0;
  };
  /// Content of memory without notes.
  struct First {
    const memory::Allocation* shadow = nullptr;
    std::uint32_t began = 0, number = 0;
  };

  const memory::Allocation* shadow_at(const Batch& batch, std::uint64_t address) const;
  ShadowPlace place_of(const Batch& batch, const memory::Allocation& shadow, std::uint32_t lane,
                       std::uint64_t address) const;
  const Life& life(const memory::Allocation& shadow, std::uint32_t lane) const;
  std::uint32_t variable_of(const memory::Allocation& shadow) const;
  std::uint32_t origin_at(const Batch& batch, const memory::Allocation& shadow, std::uint32_t lane,
                          std::uint64_t address);
  /// The note's number of an undefined value that the load gave the lane and that the use may still
  /// depend on; 0: none.
  std::uint32_t still_of(const UndefinedUse& use, std::uint32_t load, std::uint32_t lane) const;
  std::uint32_t with_store(std::uint32_t number, std::uint32_t source);

  UndefinedNotes& notes_;
  const Program& program_;
  std::vector<std::vector<Loaded>> loads_;  ///< by number and lane
  std::vector<Life> lives_;                 ///< by private variable and lane
  std::array<std::uint32_t, 3> last_{};     ///< last arguments and result of with_store()
  First first_;                             ///< last arguments and result of origin_at()
};

/// NoteUndefined, if nothing is undefined; otherwise for the load or store of shadows in front,
/// with addresses by lane; one address for a load with scalar results that all lanes share.
void note_defined(Batch* batch, const Inst* ip);
void note_undefined(Batch* batch, const Inst* ip, const std::uint64_t* addresses);
void note_uniform_undefined(Batch* batch, const Inst* ip, std::uint64_t address);

}  // namespace transpire::vm::exec
