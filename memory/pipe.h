// Pipe: a first-in, first-out queue of packets of one size ("OpenCL C 2.0", pipe functions).
// Packets lie in a ring of slots. A reservation is a run of slots. Reservations take slots in the
// order in which they are made; a commit hands the slots over.
//
//     reserved for reading | packets that may be read | reserved for writing | free
//
// Written packets can be read once all earlier reservations for writing are committed, too, so
// packets come out in the order of the reservations. Read slots are free once all earlier
// reservations for reading are committed.
//
// A commit takes the same time for a reservation of any size: marks say which slots were written,
// and a slot that nobody wrote becomes zeros when it is read.
//
// An id names a reservation of one pipe; at most 8 million are open at a time. Ids fit into 32
// bits, and 0 names none. Each launch has a number, by which a pipe knows the reservations that a
// launch left open, and which launch uses which end.
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

/// A mistake in the use of a reservation's id.
enum class ReservationFault : std::uint8_t {
  kNone,
  kNull,       ///< id 0: the id of a failed reservation
  kForeign,    ///< id of another pipe, of the pipe's other end, or of another launch's reservation
  kCommitted,  ///< already committed, by the same launch
  kIndex,      ///< the reservation has no such packet
};

/// The work-item that made a reservation, for the finding if the kernel ends without the commit.
struct PipeUser {
  std::uint64_t launch = 0;
  const void* instruction = nullptr;
  std::uint64_t group_linear = 0;
  std::uint32_t local_linear = 0;
};

/// Returns a number that no other launch of the process has; the first is 1.
std::uint64_t new_launch_number();

class Pipe {
 public:
  /// Memory that an open reservation takes.
  static constexpr std::uint64_t kReservationBytes = 56;
  /// Reservations that a launch may always have open at an end, however little memory it has.
  static constexpr std::uint64_t kFewReservations = 1024;

  /// Null if there is no memory for the pipe, or a size is 0.
  static std::unique_ptr<Pipe> make(std::uint32_t packet_bytes, std::uint32_t max_packets);

  std::uint32_t packet_bytes() const { return packet_bytes_; }
  std::uint32_t max_packets() const { return max_packets_; }

  /// The caller of any function below holds this lock.
  std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }

  /// Packets that may be read now.
  std::uint32_t available() const { return static_cast<std::uint32_t>(visible_ - read_); }
  /// Packets that may be put in now.
  std::uint32_t room() const { return max_packets_ - static_cast<std::uint32_t>(written_ - free_); }
  /// Copies the oldest `packets` packets that may be read. `to` holds zeros before.
  void copy(std::uint32_t packets, std::byte* to) const;
  /// Removes the oldest `packets` packets.
  void drop(std::uint32_t packets);

  /// Another thread sets `*stop` to end the zeroing of a long packet. The function then returns
  /// null.
  using Stop = const volatile bool*;
  /// The oldest packet; null when there is none. pop() takes it out.
  std::byte* front(Stop stop = nullptr);
  void pop() { drop(1); }
  /// The bytes of the next packet; null when there is no room. push() puts the packet in.
  std::byte* next_free(Stop stop = nullptr) const;
  void push();
  void clear();

  /// The packets and the numbers of reservations, from which a launch is repeated. No reservation
  /// may be open.
  class State;
  std::shared_ptr<const State> state() const;
  void restore(const State& state);

  /// The undefined bits (vm/passes/track_undefined.h) of a packet that front(), next_free() or
  /// reserved() returned. Null if all bits of all packets are defined; with `make`, only if there
  /// is no memory. A slot to be written begins as defined.
  std::byte* shadow(const std::byte* packet, bool make);

  /// Begins a launch that may keep `bytes` of open reservations at each end.
  void begin(std::uint64_t launch, std::uint64_t bytes);
  /// The result of reserve().
  struct Reserved {
    std::uint32_t id = 0;   ///< 0: too few packets, `packets` is 0, or `too_many`
    bool too_many = false;  ///< too many reservations are open
  };
  /// A reservation, commit or failure, and the work-item that did it.
  struct Deed {
    PipeUser user;
    std::uint32_t packets = 0;
    std::uint32_t there_were = 0;  ///< failures: packets that could have been reserved
  };
  Reserved reserve(PipeEnd end, std::uint32_t packets, const PipeUser& user);
  /// The bytes of packet `index` of a reservation. At the writing end the packet then counts as
  /// written. Null if `fault` names a mistake, or if `stop` was set.
  std::byte* reserved(PipeEnd end, std::uint32_t id, std::uint64_t launch, std::uint32_t index,
                      ReservationFault& fault, Stop stop = nullptr);
  /// The result of commit(). Packets that nobody wrote are read as zeros.
  struct Commit {
    ReservationFault fault = ReservationFault::kNone;
    std::uint32_t unwritten = 0;  ///< number of packets
    Deed made;                    ///< the reservation, if there is no fault
  };
  Commit commit(PipeEnd end, std::uint32_t id, const PipeUser& user);
  // The next three are for findings. Only the last kMostDeeds actions are remembered.
  /// The work-item that made an open reservation.
  std::optional<Deed> maker(PipeEnd end, std::uint32_t id) const;
  std::optional<Deed> committer(PipeEnd end, std::uint32_t id) const;
  /// This user's last failed reservation in the launch, else anybody's.
  std::optional<Deed> last_failure(PipeEnd end, const PipeUser& user) const;

  /// Notes that a launch uses an end. Returns a conflict if the launch uses the other end, too, or
  /// if another running launch uses this end.
  struct Conflict {
    PipeEnd taken{};
    bool by_another_launch = false;
  };
  std::optional<Conflict> use(PipeEnd end, std::uint64_t launch);
  /// Ends a launch. Calls `is_left` for each of its uncommitted reservations, oldest first, and
  /// commits them.
  void finish(std::uint64_t launch, const std::function<void(const PipeUser&)>& is_left);

 private:
  struct Reservation {
    std::uint64_t first = 0;  ///< slot number, not reduced modulo the ring's size
    std::uint32_t count = 0;
    std::uint32_t written = 0;  ///< number of packets, for writing ends
    PipeUser user;              ///< `launch` is 0 once the reservation is committed
  };
  /// The launch that made the reservations from number `from` on.
  struct Maker {
    std::uint64_t from = 0, launch = 0;
  };
  /// Each end of a pipe remembers this many of its last commits and failures: 40 bytes each.
  static constexpr std::size_t kMostDeeds = 1024;
  struct Committed {
    std::uint64_t number = 0;
    Deed step;
  };
  struct End {
    std::deque<Reservation> open;      ///< also committed ones that an older reservation holds up
    std::uint64_t begun = 0;           ///< number of open.front()
    std::uint64_t launch = 0;          ///< launch that uses the end; 0: none
    std::deque<Maker> makers;          ///< the last kMostMakers
    std::vector<Committed> committed;  ///< index: number modulo kMostDeeds
    std::vector<Deed> failed;          ///< ring buffer
    std::size_t next_failed = 0;
  };
  /// Number of slots that share one entry of marks.
  static constexpr std::uint64_t kMarked = 64;
  /// Bit mask of the slots written in round `round`. While `round` is one behind, the mask is that
  /// of the round before.
  struct Marks {
    std::uint64_t written = 0;
    std::uint64_t round = 0;  ///< rounds of the ring, from 1 on; 0: none yet
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
  void note_failure(End& end, const Deed& step);
  void note_commit(End& end, std::uint64_t number, const Deed& step);
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
  std::uint32_t mark_;  ///< the pipe's mark in its ids
  std::unique_ptr<std::byte[], Free> storage_;
  std::unique_ptr<std::byte[], Free> shadow_;  ///< as large as storage_; null: all bits are defined
  std::unique_ptr<Marks[], Free> marks_;       ///< null: all slots were written
  std::uint64_t first_marked_ = 0;             ///< all slots before this one were written
  mutable std::mutex mutex_;
  // Slot numbers, not reduced modulo the ring: free_ <= read_ <= visible_ <= written_ <= free_ +
  // max_packets_.
  std::uint64_t free_ = 0;     ///< first slot that is not free
  std::uint64_t read_ = 0;     ///< first slot not reserved for reading
  std::uint64_t visible_ = 0;  ///< first slot that may not be read
  std::uint64_t written_ = 0;  ///< first slot not reserved for writing
  End ends_[2];
  std::vector<Running> running_;  ///< launches between begin() and finish()
};

}  // namespace transpire::memory
