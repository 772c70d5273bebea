// Pipes: first in, first out, packets of one size ("OpenCL C 2.0", pipe functions). Packets lie in a ring of slots. A
// reservation is a run of slots, taken in the order in which reservations are made, and handed over when it is
// committed:
//
//     reserved for reading | packets that may be read | reserved for writing | free
//
// Packets that were written may be read once all reservations made before theirs are committed, too; so what comes out
// is in the order of the reservations. Slots that were read are free once all reservations for reading before theirs are
// committed.
//
// Committing takes no time, however large a reservation is: which packets were written is noted by slot, and what nobody
// wrote becomes zeros when it is read.
//
// An id names a reservation of one pipe, at most 8 million of which are open at a time; ids fit into 32 bits, and 0 is
// none. A launch has a number, so that a pipe knows what a launch left open, and who uses which end of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace transpire::memory {

enum class PipeEnd : std::uint8_t { kRead, kWrite };
constexpr PipeEnd other(PipeEnd end) {
  return end == PipeEnd::kRead ? PipeEnd::kWrite : PipeEnd::kRead;
}

/// What is wrong with a reservation that an instruction names.
enum class ReservationFault : std::uint8_t {
  kNone,
  kNull,       ///< 0, which reserving gives where it fails
  kForeign,    ///< of another pipe, of the pipe's other end, or made by another launch
  kCommitted,  ///< committed before, by the same launch
  kIndex,      ///< there is no such packet in it
};

/// Who made a reservation: told of where it is not committed at the kernel's end.
struct PipeUser {
  std::uint64_t launch = 0;
  const void* instruction = nullptr;
  std::uint64_t group_linear = 0;
  std::uint32_t local_linear = 0;
};

/// Another number for each launch of the process, from 1 on.
std::uint64_t new_launch_number();

class Pipe {
 public:
  /// What an open reservation takes of memory.
  static constexpr std::uint64_t kReservationBytes = 56;
  /// So many a launch may have open at an end, however little memory there is.
  static constexpr std::uint64_t kFewReservations = 1024;

  /// Null when there is no memory for it, or a size is 0.
  static std::unique_ptr<Pipe> make(std::uint32_t packet_bytes, std::uint32_t max_packets);

  std::uint32_t packet_bytes() const { return packet_bytes_; }
  std::uint32_t max_packets() const { return max_packets_; }

  /// Everything below is called by who holds this.
  std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }

  /// Packets that may be read now.
  std::uint32_t available() const { return static_cast<std::uint32_t>(visible_ - read_); }
  /// Packets that may be put in now.
  std::uint32_t room() const { return max_packets_ - static_cast<std::uint32_t>(written_ - free_); }
  /// Copies the oldest packets, so many of those that may be read, to bytes that are zeros.
  void copy(std::uint32_t packets, std::byte* to) const;
  /// Takes out so many of them.
  void drop(std::uint32_t packets);

  /// Packets may be long: where one is made zeros, `stop` says whether another thread wants that to end. Null is given then.
  using Stop = const volatile bool*;
  /// The oldest packet; null when there is none. pop() takes it out.
  std::byte* front(Stop stop = nullptr);
  void pop() { drop(1); }
  /// Where the next packet's bytes go; null when there is no room. push() puts it in.
  std::byte* next_free(Stop stop = nullptr) const;
  void push();
  void clear();

  /// The packets and the reservations made so far, for a launch that is to be repeated. No reservation is open.
  class State;
  std::shared_ptr<const State> state() const;
  void restore(const State& state);

  /// Which bits of a packet, one of those that these functions give, are undefined (vm/passes/track_undefined.h). Null where
  /// all of all packets are defined; with `make`, only for want of memory. Slots that are to be written begin as defined.
  std::byte* shadow(const std::byte* packet, bool make);

  /// A launch begins that may keep so many bytes of open reservations at each end.
  void begin(std::uint64_t launch, std::uint64_t bytes);
  /// What became of a wish for a reservation.
  struct Reserved {
    std::uint32_t id = 0;   ///< 0: there are not so many packets, or packets is 0, or
    bool too_many = false;  ///< more reservations are open than may be
  };
  /// An action of a work-item on a reservation.
  struct Deed {
    PipeUser user;
    std::uint32_t packets = 0;
    std::uint32_t there_were = 0;  ///< packets that could be reserved, of one that failed
  };
  Reserved reserve(PipeEnd end, std::uint32_t packets, const PipeUser& user);
  /// The bytes of packet `index` of a reservation, which counts as written when the end is; null when `fault` says what
  /// is wrong, or when it was stopped.
  std::byte* reserved(PipeEnd end, std::uint32_t id, std::uint64_t launch, std::uint32_t index,
                      ReservationFault& fault, Stop stop = nullptr);
  /// What became of a reservation that was handed over. What was not written is zeros.
  struct Commit {
    ReservationFault fault = ReservationFault::kNone;
    std::uint32_t unwritten = 0;  ///< packets
    Deed made;                    ///< the reservation, where there is no fault
  };
  Commit commit(PipeEnd end, std::uint32_t id, const PipeUser& user);
  // For findings. What is long over is forgotten (kMostDeeds).
  /// The deed that made an open reservation.
  std::optional<Deed> maker(PipeEnd end, std::uint32_t id) const;
  std::optional<Deed> committer(PipeEnd end, std::uint32_t id) const;
  /// The user's last reservation of this launch that failed, else anybody's.
  std::optional<Deed> last_failure(PipeEnd end, const PipeUser& user) const;

  /// Notes that a launch uses an end. What it says is in the way: the launch uses the other end, too, or another one that
  /// runs uses the same.
  struct Conflict {
    PipeEnd taken{};
    bool by_another_launch = false;
  };
  std::optional<Conflict> use(PipeEnd end, std::uint64_t launch);
  /// At a launch's end: tells of its reservations that are not committed, in the order in which they were made; they are
  /// committed now.
  void finish(std::uint64_t launch, const std::function<void(const PipeUser&)>& is_left);

 private:
  struct Reservation {
    std::uint64_t first = 0;  ///< slot, counted on and on
    std::uint32_t count = 0;
    std::uint32_t written = 0;  ///< packets, of kWrite
    PipeUser user;              ///< of launch 0 once it is committed
  };
  /// Reservations from a number on are a launch's.
  struct Maker {
    std::uint64_t from = 0, launch = 0;
  };
  /// Each end of a pipe remembers this many of its last commits and failures: 40 bytes each.
  static constexpr std::size_t kMostDeeds = 1024;
  struct Committed {
    std::uint64_t number = 0;
    Deed deed;
  };
  struct End {
    std::deque<Reservation> open;      ///< and those committed that an older one holds up
    std::uint64_t begun = 0;           ///< number of open.front()
    std::uint64_t launch = 0;          ///< that uses the end; 0: none
    std::deque<Maker> makers;          ///< the last of them
    std::vector<Committed> committed;  ///< by number, modulo kMostDeeds
    std::vector<Deed> failed;          ///< a ring
    std::size_t next_failed = 0;
  };
  /// Slots that share one entry of marks.
  static constexpr std::uint64_t kMarked = 64;
  /// What was written of them when the ring went round last, or, as `round` is one behind, the time before.
  struct Marks {
    std::uint64_t written = 0;
    std::uint64_t round = 0;  ///< counted from 1 on; 0: never
  };
  struct Running {
    std::uint64_t launch = 0, most_open = 0;
  };

  Pipe(std::uint32_t packet_bytes, std::uint32_t max_packets);
  std::byte* slot(std::uint64_t number) const {
    return storage_.get() + number % max_packets_ * packet_bytes_;
  }
  const End& end_of(PipeEnd end) const { return ends_[static_cast<std::size_t>(end)]; }
  End& end_of(PipeEnd end) { return ends_[static_cast<std::size_t>(end)]; }
  std::uint64_t most_open(std::uint64_t launch) const;
  std::uint32_t id_of(PipeEnd end, std::uint64_t number) const;
  std::optional<std::uint64_t> number_of(PipeEnd end, std::uint32_t id) const;
  static bool is_made_by(const End& end, std::uint64_t number, std::uint64_t launch);
  void note_failure(End& end, const Deed& deed);
  void note_commit(End& end, std::uint64_t number, const Deed& deed);
  Reservation* find(PipeEnd end, std::uint32_t id, std::uint64_t launch, ReservationFault& fault);
  static void hold_up(End& end, std::uint64_t first, std::uint32_t packets);
  std::byte* to_write(std::byte* packet, Stop stop) const;
  bool zero(std::byte* bytes, Stop stop) const;
  void advance(PipeEnd end);

  bool make_marks();
  Marks& marks_of(std::uint64_t number) const { return marks_[number % max_packets_ / kMarked]; }
  std::uint64_t round_of(std::uint64_t number) const { return number / max_packets_ + 1; }
  static std::uint64_t bit(std::uint64_t position) {
    return std::uint64_t{1} << position % kMarked;
  }
  std::uint64_t end_of_marks(std::uint64_t number) const;
  bool is_written(std::uint64_t number) const;
  void set_written(std::uint64_t number) const;
  void unmark(std::uint64_t first, std::uint64_t end);
  std::byte* to_read(std::uint64_t number, Stop stop) const;

  struct Free {
    void operator()(void* storage) const;
  };

  std::uint32_t packet_bytes_, max_packets_;
  std::uint32_t mark_;  ///< of the pipe, in its ids
  std::unique_ptr<std::byte[], Free> storage_;
  std::unique_ptr<std::byte[], Free> shadow_;  ///< as large; null: all is defined
  std::unique_ptr<Marks[], Free> marks_;       ///< null: all was written
  std::uint64_t first_marked_ = 0;             ///< what is in slots before this one was written
  mutable std::mutex mutex_;
  // Slots, counted on and on: free_ <= read_ <= visible_ <= written_ <= free_ + max_packets_.
  std::uint64_t free_ = 0;     ///< the first that is not free
  std::uint64_t read_ = 0;     ///< the first that is not reserved for reading
  std::uint64_t visible_ = 0;  ///< the first that may not be read
  std::uint64_t written_ = 0;  ///< the first that is not reserved for writing
  End ends_[2];
  std::vector<Running> running_;  ///< launches that may use it
};

}  // namespace transpire::memory
