// Where undefined bits in memory come from, for the findings of --check=uninit. Shadows say that they are there
// (vm/passes/track_undefined.h); noted is only what is seldom: a store of undefined bits, with their origin, and that
// a work-item has loaded some. Memory without a note has what it began with.
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

/// Where undefined bits come from, and the store that put them where they are.
struct OriginNote {
  UndefinedOrigin origin;
  const memory::Allocation* allocation = nullptr;  ///< of kMemory; null: it is not known
  std::uint32_t stored = 0;  ///< index into Program::sources; 0: they were always there

  friend auto operator<=>(const OriginNote&, const OriginNote&) = default;
};

/// The same, and by which load the work-item has them.
struct ToldOrigin {
  OriginNote note;
  std::uint32_t loaded = 0;  ///< index into Program::sources; 0: by none
  bool is_certain = true;    ///< memory without a note was not written

  friend auto operator<=>(const ToldOrigin&, const ToldOrigin&) = default;
};

/// A byte of shadows. Of what buffers have `address` is the host's, else the virtual one.
struct ShadowPlace {
  std::uint64_t owner = 0;  ///< a group, or a work-item; 0: all share it
  std::uint64_t address = 0;
  std::uint32_t life = 0;  ///< of a private variable: how often it has begun to live

  friend bool operator==(const ShadowPlace&, const ShadowPlace&) = default;
};

/// Of a launch. Thread-safe. The latest half a million words are remembered, at least half of these.
class UndefinedNotes {
 public:
  /// The number of a note, from 1 on.
  std::uint32_t number(const OriginNote& note);
  OriginNote note(std::uint32_t number) const;
  void set(ShadowPlace place, std::uint64_t bytes, std::uint32_t number);
  bool has_any() const { return any_.load(std::memory_order_relaxed); }
  /// 0: there is none.
  std::uint32_t find(ShadowPlace place) const;
  /// Something was not noted.
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

/// Of the work-items of a batch.
class UndefinedItems {
 public:
  UndefinedItems(UndefinedNotes& notes, const Program& program)
      : notes_(notes), program_(program) {}

  /// The batch begins with other work-items.
  void clear();
  /// A private variable, a shadow, begins to live in the running lanes.
  void begin_life(const Batch& batch, std::uint32_t shadow, std::uint32_t source);

  // Of these, addresses are those of shadows.
  void loaded(const Batch& batch, std::uint32_t number, std::uint32_t lane, std::uint64_t address);
  void not_loaded(std::uint32_t number, std::uint32_t lane);
  bool has_loaded(std::uint32_t number) const;
  /// The lane stores something undefined.
  void stored(const Batch& batch, const Inst* ip, const UndefinedUse& use, std::uint32_t lane,
              std::uint64_t address, std::uint64_t bytes);
  void copied(const Batch& batch, const Inst* ip, std::uint32_t lane, std::uint64_t target,
              std::uint64_t source, std::uint64_t bytes);
  /// What was a packet of a pipe is stored.
  void received(const Batch& batch, const Inst* ip, std::uint32_t lane, std::uint64_t address,
                std::uint64_t bytes, const memory::Allocation* pipe);

  /// Where the undefined bits at an address of shadows come from.
  ToldOrigin origin_of(const Batch& batch, std::uint32_t lane, std::uint64_t address);
  /// What may have made the operand of a check undefined in a lane that has just executed it.
  std::vector<ToldOrigin> origins_of(const UndefinedUse& use, std::uint32_t lane) const;

 private:
  /// What a load has given a lane: a note's number, or 0.
  struct Loaded {
    std::uint32_t now = 0;
    std::uint32_t before = 0;  ///< where that is 0: the last time that it was not
  };
  struct Life {
    std::uint32_t source = 0, count = 0;
  };
  /// What memory without notes has.
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
  /// Something undefined that the load has given the lane and that the use may still be made of, as a note's number; 0: nothing.
  std::uint32_t still_of(const UndefinedUse& use, std::uint32_t load, std::uint32_t lane) const;
  std::uint32_t with_store(std::uint32_t number, std::uint32_t source);

  UndefinedNotes& notes_;
  const Program& program_;
  std::vector<std::vector<Loaded>> loads_;  ///< by number and lane
  std::vector<Life> lives_;                 ///< by private variable and lane
  std::array<std::uint32_t, 3> last_{};     ///< of with_store(): what it was asked, and gave
  First first_;                             ///< of origin_at(), likewise
};

/// NoteUndefined, where nothing is undefined; else: of the load or store of shadows in front of it, whose addresses are by lane; of a load with scalar results
/// that all lanes have made there is one.
void note_defined(Batch* batch, const Inst* ip);
void note_undefined(Batch* batch, const Inst* ip, const std::uint64_t* addresses);
void note_uniform_undefined(Batch* batch, const Inst* ip, std::uint64_t address);

}  // namespace transpire::vm::exec
