#include "memory/pipe.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace transpire::memory {
namespace {

// An id consists of the pipe's mark, the end, and the reservation's number modulo kNumbers, plus 1.
constexpr std::uint32_t kNumberBits = 24, kEndShift = kNumberBits, kMarkShift = kNumberBits + 1;
constexpr std::uint32_t kNumbers = (std::uint32_t{1} << kNumberBits) - 1;
/// Half of all numbers, so that ids of open reservations differ from ids of those before.
constexpr std::size_t kMostOpen = std::size_t{1} << (kNumberBits - 1);
/// Number of launches whose reservations an end can tell apart after they have ended.
constexpr std::size_t kMostMakers = 64;
/// Bytes that are zeroed between two looks at `stop`.
constexpr std::size_t kPieceBytes = std::size_t{128} << 10;

std::uint32_t new_mark() {
  static std::atomic<std::uint32_t> marks{0};
  return marks.fetch_add(1, std::memory_order_relaxed) & ((1u << (32 - kMarkShift)) - 1);
}

}  // namespace

std::uint64_t new_launch_number() {
  static std::atomic<std::uint64_t> numbers{0};
  return numbers.fetch_add(1, std::memory_order_relaxed) + 1;
}

void Pipe::Free::operator()(void* storage) const { std::free(storage); }

Pipe::Pipe(std::uint32_t packet_bytes, std::uint32_t max_packets)
    : packet_bytes_(packet_bytes), max_packets_(max_packets), mark_(new_mark()) {}

std::unique_ptr<Pipe> Pipe::make(std::uint32_t packet_bytes, std::uint32_t max_packets) {
  if (packet_bytes == 0 || max_packets == 0) return nullptr;
  std::unique_ptr<Pipe> pipe(new (std::nothrow) Pipe(packet_bytes, max_packets));
  if (pipe == nullptr) return nullptr;
  pipe->storage_.reset(static_cast<std::byte*>(std::calloc(max_packets, packet_bytes)));
  return pipe->storage_ == nullptr ? nullptr : std::move(pipe);
}

bool Pipe::make_marks() {
  if (marks_ != nullptr) return true;
  marks_.reset(static_cast<Marks*>(
      std::calloc((std::uint64_t{max_packets_} + kMarked - 1) / kMarked, sizeof(Marks))));
  first_marked_ = written_;
  return marks_ != nullptr;
}

/// The first slot behind the slots that share marks with slot `number` in its round.
std::uint64_t Pipe::end_of_marks(std::uint64_t number) const {
  const std::uint64_t position = number % max_packets_;
  const std::uint64_t end = std::min<std::uint64_t>((position | (kMarked - 1)) + 1, max_packets_);
  return number + (end - position);
}

/// The slot must not be free. Its marks may already be of a later round, which shares them; an
/// older round has no mark.
bool Pipe::is_written(std::uint64_t number) const {
  if (marks_ == nullptr || number < first_marked_) return true;
  const Marks& marks = marks_of(number);
  return marks.round >= round_of(number) && (marks.written & bit(number % max_packets_)) != 0;
}

void Pipe::set_written(std::uint64_t number) const {
  if (marks_ == nullptr || number < first_marked_) return;
  Marks& marks = marks_of(number);
  // The entry is of an older round if one reservation has all its slots.
  if (marks.round < round_of(number)) marks = {0, round_of(number)};
  marks.written |= bit(number % max_packets_);
}

/// Clears the marks of [first, end), which share one entry. Other reservations may have further
/// slots of it.
void Pipe::unmark(std::uint64_t first, std::uint64_t end) {
  Marks& marks = marks_of(first);
  const std::uint64_t round = round_of(first);
  if (marks.round + 1 < round) marks.written = 0;
  marks.round = std::max(marks.round, round);
  for (std::uint64_t number = first; number < end; ++number)
    marks.written &= ~bit(number % max_packets_);
}

/// Returns false if `stop` was set before the end.
bool Pipe::zero(std::byte* bytes, Stop stop) const {
  for (std::size_t done = 0; done < packet_bytes_; done += kPieceBytes) {
    if (done != 0 && stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED)) return false;
    std::memset(bytes + done, 0, std::min<std::size_t>(kPieceBytes, packet_bytes_ - done));
  }
  return true;
}

std::byte* Pipe::to_write(std::byte* packet, Stop stop) const {
  const bool is_clear = shadow_ == nullptr || zero(shadow_.get() + (packet - storage_.get()), stop);
  return is_clear ? packet : nullptr;
}

std::byte* Pipe::to_read(std::uint64_t number, Stop stop) const {
  std::byte* const packet = slot(number);
  if (is_written(number)) return packet;
  if (!zero(packet, stop) || to_write(packet, stop) == nullptr) return nullptr;
  set_written(number);
  return packet;
}

void Pipe::copy(std::uint32_t packets, std::byte* to) const {
  const std::uint64_t end = read_ + packets;
  const auto copy_run = [&](std::uint64_t from, std::uint64_t until) {
    std::memcpy(to + (from - read_) * packet_bytes_, slot(from), (until - from) * packet_bytes_);
  };
  std::uint64_t next = 0;
  for (std::uint64_t number = read_; number < end; number = next) {
    next = std::min(
        marks_ == nullptr ? number - number % max_packets_ + max_packets_ : end_of_marks(number),
        end);
    const bool is_marked = marks_ != nullptr && number >= first_marked_;
    if (is_marked && marks_of(number).round < round_of(number)) continue;
    if (!is_marked && (marks_ == nullptr || next <= first_marked_)) {
      copy_run(number, next);
      continue;
    }
    const std::uint64_t marks = marks_of(number).written >> (number % max_packets_ % kMarked);
    const std::uint64_t all = ~std::uint64_t{0} >> (kMarked - (next - number));
    if (is_marked && (marks & all) == all) {
      copy_run(number, next);
      continue;
    }
    for (std::uint64_t each = number; each < next; ++each)
      if (is_written(each)) copy_run(each, each + 1);
  }
}

std::byte* Pipe::front(Stop stop) {
  const bool has_packet = available() != 0 && end_of(PipeEnd::kRead).open.size() < kMostOpen;
  return has_packet ? to_read(read_, stop) : nullptr;
}

/// Packets moved without a reservation count as a committed reservation while older reservations
/// hold up their slots.
void Pipe::hold_up(End& end, std::uint64_t first, std::uint32_t packets) {
  Reservation& last = end.open.back();
  if (last.user.launch == 0)
    last.count += packets;
  else
    end.open.push_back({first, packets, 0, {}});
}

void Pipe::drop(std::uint32_t packets) {
  End& end = end_of(PipeEnd::kRead);
  if (!end.open.empty()) hold_up(end, read_, packets);
  read_ += packets;
  if (end.open.empty()) free_ = read_;
}

std::byte* Pipe::next_free(Stop stop) const {
  const bool has_room = room() != 0 && end_of(PipeEnd::kWrite).open.size() < kMostOpen;
  return has_room ? to_write(slot(written_), stop) : nullptr;
}

void Pipe::push() {
  End& end = end_of(PipeEnd::kWrite);
  if (!end.open.empty()) hold_up(end, written_, 1);
  if (marks_ != nullptr) {
    unmark(written_, written_ + 1);
    set_written(written_);
  }
  ++written_;
  if (end.open.empty()) visible_ = written_;
}

class Pipe::State {
 public:
  std::vector<std::byte> packets;  ///< oldest first
  std::vector<std::byte> shadows;  ///< as `packets`; empty: all bits are defined
  End ends[2];
};

std::shared_ptr<const Pipe::State> Pipe::state() const {
  auto state = std::make_shared<State>();
  state->packets.resize(std::size_t{available()} * packet_bytes_);
  copy(available(), state->packets.data());
  if (shadow_ != nullptr)
    for (std::uint64_t number = read_; number < visible_; ++number) {
      const std::byte* const bits = shadow_.get() + (slot(number) - storage_.get());
      state->shadows.insert(state->shadows.end(), bits, bits + packet_bytes_);
    }
  std::copy_n(ends_, 2, state->ends);
  return state;
}

void Pipe::restore(const State& state) {
  clear();
  for (std::size_t at = 0; at < state.packets.size(); at += packet_bytes_) {
    std::byte* const packet = next_free();
    std::memcpy(packet, state.packets.data() + at, packet_bytes_);
    std::byte* const bits = state.shadows.empty() ? nullptr : shadow(packet, true);
    if (bits != nullptr) std::memcpy(bits, state.shadows.data() + at, packet_bytes_);
    push();
  }
  std::copy_n(state.ends, 2, ends_);
}

void Pipe::clear() {
  free_ = read_ = visible_ = written_;
  for (End& end : ends_) {
    end.begun += end.open.size();
    end.open.clear();
  }
}

std::uint32_t Pipe::id_of(PipeEnd end, std::uint64_t number) const {
  return mark_ << kMarkShift | static_cast<std::uint32_t>(end) << kEndShift |
         static_cast<std::uint32_t>(number % kNumbers + 1);
}

void Pipe::begin(std::uint64_t launch, std::uint64_t bytes) {
  std::erase_if(running_, [launch](const Running& running) { return running.launch == launch; });
  running_.push_back({launch, std::max(bytes / kReservationBytes, kFewReservations)});
}

std::uint64_t Pipe::most_open(std::uint64_t launch) const {
  const auto found = std::ranges::find(running_, launch, &Running::launch);
  return found == running_.end() ? kMostOpen : std::min<std::uint64_t>(found->most_open, kMostOpen);
}

Pipe::Reserved Pipe::reserve(PipeEnd end, std::uint32_t packets, const PipeUser& user) {
  End& own = end_of(end);
  const bool writes = end == PipeEnd::kWrite;
  const std::uint32_t there_are = writes ? room() : available();
  if (packets == 0 || packets > there_are) {
    note_failure(own, {user, packets, there_are});
    return {};
  }
  if (own.open.size() >= most_open(user.launch) || (writes && !make_marks())) return {0, true};
  std::uint64_t& next = writes ? written_ : read_;
  const std::uint64_t number = own.begun + own.open.size();
  if (own.makers.empty() || own.makers.back().launch != user.launch)
    own.makers.push_back({number, user.launch});
  if (own.makers.size() > kMostMakers) own.makers.pop_front();
  own.open.push_back({next, packets, 0, user});
  if (writes) {
    // An entry whose slots are all in this reservation stays of an older round until one of its
    // packets is written.
    const std::uint64_t last = next + packets - 1;
    const std::uint64_t first_end = std::min(end_of_marks(next), last + 1);
    unmark(next, first_end);
    if (first_end <= last)
      unmark(std::max(first_end, last - last % max_packets_ % kMarked), last + 1);
  }
  next += packets;
  return {id_of(end, number), false};
}

/// Exact for the last kMostMakers launches. An older number may be of any launch.
bool Pipe::is_made_by(const End& end, std::uint64_t number, std::uint64_t launch) {
  const auto behind = std::ranges::upper_bound(end.makers, number, {}, &Maker::from);
  return behind == end.makers.begin() || std::prev(behind)->launch == launch;
}

/// The latest reservation that the id may name; none if the id is not one of this end.
std::optional<std::uint64_t> Pipe::number_of(PipeEnd end, std::uint32_t id) const {
  const std::uint32_t place = id & kNumbers;
  if (place == 0 || (id & ~kNumbers) != (id_of(end, 0) & ~kNumbers)) return std::nullopt;
  const End& own = end_of(end);
  // Distance of the reservation's number from the next one's.
  const std::uint64_t next = own.begun + own.open.size();
  const std::uint64_t behind = (next % kNumbers + kNumbers - (place - 1)) % kNumbers;
  if (behind == 0 || behind > next) return std::nullopt;
  return next - behind;
}

Pipe::Reservation* Pipe::find(PipeEnd end, std::uint32_t id, std::uint64_t launch,
                              ReservationFault& fault) {
  fault = id == 0 ? ReservationFault::kNull : ReservationFault::kForeign;
  const std::optional<std::uint64_t> number = number_of(end, id);
  if (!number) return nullptr;
  End& own = end_of(end);
  Reservation* const found = *number < own.begun ? nullptr : &own.open[*number - own.begun];
  const bool is_open = found != nullptr && found->user.launch != 0;
  if (is_open ? found->user.launch != launch : !is_made_by(own, *number, launch)) return nullptr;
  fault = is_open ? ReservationFault::kNone : ReservationFault::kCommitted;
  return is_open ? found : nullptr;
}

std::byte* Pipe::reserved(PipeEnd end, std::uint32_t id, std::uint64_t launch, std::uint32_t index,
                          ReservationFault& fault, Stop stop) {
  Reservation* const found = find(end, id, launch, fault);
  if (found == nullptr) return nullptr;
  if (index >= found->count) {
    fault = ReservationFault::kIndex;
    return nullptr;
  }
  const std::uint64_t number = found->first + index;
  if (end == PipeEnd::kRead) return to_read(number, stop);
  if (!is_written(number)) ++found->written;
  set_written(number);
  return to_write(slot(number), stop);
}

std::byte* Pipe::shadow(const std::byte* packet, bool make) {
  if (shadow_ == nullptr && make)
    shadow_.reset(static_cast<std::byte*>(std::calloc(max_packets_, packet_bytes_)));
  return shadow_ == nullptr ? nullptr : shadow_.get() + (packet - storage_.get());
}

/// Advances the end over the oldest reservations that are committed.
void Pipe::advance(PipeEnd end) {
  End& own = end_of(end);
  std::uint64_t& done = end == PipeEnd::kRead ? free_ : visible_;
  while (!own.open.empty() && own.open.front().user.launch == 0) {
    done = own.open.front().first + own.open.front().count;
    own.open.pop_front();
    ++own.begun;
  }
}

Pipe::Commit Pipe::commit(PipeEnd end, std::uint32_t id, const PipeUser& user) {
  Commit result;
  Reservation* const found = find(end, id, user.launch, result.fault);
  if (found == nullptr) return result;
  if (end == PipeEnd::kWrite) result.unwritten = found->count - found->written;
  result.made = {found->user, found->count};
  note_commit(end_of(end), *number_of(end, id), {user, found->count});
  found->user.launch = 0;
  advance(end);
  return result;
}

void Pipe::note_commit(End& end, std::uint64_t number, const Deed& step) {
  const std::size_t at = number % kMostDeeds;
  if (at >= end.committed.size()) end.committed.resize(at + 1);
  end.committed[at] = {number, step};
}

void Pipe::note_failure(End& end, const Deed& step) {
  if (end.failed.size() < kMostDeeds) end.failed.emplace_back();
  end.failed[end.next_failed % end.failed.size()] = step;
  end.next_failed = (end.next_failed + 1) % kMostDeeds;
}

std::optional<Pipe::Deed> Pipe::maker(PipeEnd end, std::uint32_t id) const {
  const std::optional<std::uint64_t> number = number_of(end, id);
  const End& own = end_of(end);
  if (!number || *number < own.begun) return std::nullopt;
  const Reservation& found = own.open[*number - own.begun];
  if (found.user.launch == 0) return std::nullopt;
  return Deed{found.user, found.count};
}

std::optional<Pipe::Deed> Pipe::committer(PipeEnd end, std::uint32_t id) const {
  const std::optional<std::uint64_t> number = number_of(end, id);
  const std::vector<Committed>& committed = end_of(end).committed;
  if (!number || *number % kMostDeeds >= committed.size()) return std::nullopt;
  const Committed& found = committed[*number % kMostDeeds];
  if (found.number != *number || found.step.user.launch == 0) return std::nullopt;
  return found.step;
}

std::optional<Pipe::Deed> Pipe::last_failure(PipeEnd end, const PipeUser& user) const {
  const End& own = end_of(end);
  const Deed* found = nullptr;
  for (std::size_t back = 1; back <= own.failed.size(); ++back) {
    const Deed& each = own.failed[(own.next_failed + own.failed.size() - back) % own.failed.size()];
    if (each.user.launch != user.launch) continue;
    if (found == nullptr) found = &each;
    if (each.user.group_linear != user.group_linear || each.user.local_linear != user.local_linear)
      continue;
    found = &each;
    break;
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<Pipe::Conflict> Pipe::use(PipeEnd end, std::uint64_t launch) {
  if (end_of(other(end)).launch == launch) return Conflict{other(end), false};
  std::uint64_t& own = end_of(end).launch;
  if (own != 0 && own != launch) return Conflict{end, true};
  own = launch;
  return std::nullopt;
}

void Pipe::finish(std::uint64_t launch, const std::function<void(const PipeUser&)>& is_left) {
  for (const PipeEnd end : {PipeEnd::kRead, PipeEnd::kWrite}) {
    End& own = end_of(end);
    if (own.launch == launch) own.launch = 0;
    for (Reservation& reservation : own.open) {
      if (reservation.user.launch != launch) continue;
      is_left(reservation.user);
      reservation.user.launch = 0;
    }
    advance(end);
  }
  std::erase_if(running_, [launch](const Running& running) { return running.launch == launch; });
}

}  // namespace transpire::memory
