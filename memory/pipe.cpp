#include "memory/pipe.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace transpire::memory {
namespace {

// An id: the pipe's mark, the end, and the reservation's number, from 1 on and on again.
constexpr std::uint32_t kNumberBits = 24, kEndShift = kNumberBits, kMarkShift = kNumberBits + 1;
constexpr std::uint32_t kNumbers = (std::uint32_t{1} << kNumberBits) - 1;
/// So many are open that those that were before them are told apart from them.
constexpr std::size_t kMostOpen = std::size_t{1} << (kNumberBits - 1);

std::uint32_t new_mark() {
  static std::atomic<std::uint32_t> marks{0};
  return marks.fetch_add(1, std::memory_order_relaxed) & ((1u << (32 - kMarkShift)) - 1);
}

}  // namespace

std::uint64_t new_launch_number() {
  static std::atomic<std::uint64_t> numbers{0};
  return numbers.fetch_add(1, std::memory_order_relaxed) + 1;
}

void Pipe::Free::operator()(std::byte* storage) const { std::free(storage); }

Pipe::Pipe(std::uint32_t packet_bytes, std::uint32_t max_packets)
    : packet_bytes_(packet_bytes), max_packets_(max_packets), mark_(new_mark()) {}

std::unique_ptr<Pipe> Pipe::make(std::uint32_t packet_bytes, std::uint32_t max_packets) {
  if (packet_bytes == 0 || max_packets == 0) return nullptr;
  std::unique_ptr<Pipe> pipe(new (std::nothrow) Pipe(packet_bytes, max_packets));
  if (pipe == nullptr) return nullptr;
  pipe->storage_.reset(static_cast<std::byte*>(std::calloc(max_packets, packet_bytes)));
  return pipe->storage_ == nullptr ? nullptr : std::move(pipe);
}

std::byte* Pipe::front() const {
  const bool has_packet = available() != 0 && end_of(PipeEnd::kRead).open.size() < kMostOpen;
  return has_packet ? slot(read_) : nullptr;
}

void Pipe::pop() {
  End& end = end_of(PipeEnd::kRead);
  // Where older reservations hold its slot up, it is one that is committed.
  if (!end.open.empty()) end.open.push_back({read_, 1, true, {}, {}});
  ++read_;
  if (end.open.empty()) free_ = read_;
}

std::byte* Pipe::next_free() const {
  const bool has_room = room() != 0 && end_of(PipeEnd::kWrite).open.size() < kMostOpen;
  return has_room ? to_write(slot(written_)) : nullptr;
}

void Pipe::push() {
  End& end = end_of(PipeEnd::kWrite);
  if (!end.open.empty()) end.open.push_back({written_, 1, true, {}, {}});
  ++written_;
  if (end.open.empty()) visible_ = written_;
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

std::uint32_t Pipe::reserve(PipeEnd end, std::uint32_t packets, const PipeUser& user) {
  End& own = end_of(end);
  if (packets == 0 || packets > (end == PipeEnd::kRead ? available() : room())) return 0;
  if (own.open.size() >= kMostOpen) return 0;
  std::uint64_t& begin = end == PipeEnd::kRead ? read_ : written_;
  Reservation made{begin, packets, false, {}, user};
  if (end == PipeEnd::kWrite) made.written.resize(packets);
  own.open.push_back(std::move(made));
  begin += packets;
  return id_of(end, own.begun + own.open.size() - 1);
}

Pipe::Reservation* Pipe::find(PipeEnd end, std::uint32_t id, std::uint64_t launch,
                              ReservationFault& fault) {
  fault = id == 0 ? ReservationFault::kNull : ReservationFault::kForeign;
  const std::uint32_t place = id & kNumbers;
  if (place == 0 || (id & ~kNumbers) != (id_of(end, 0) & ~kNumbers)) return nullptr;
  End& own = end_of(end);
  // How far behind the next reservation's number it is.
  const std::uint64_t next = own.begun + own.open.size();
  const std::uint64_t behind = (next % kNumbers + kNumbers - (place - 1)) % kNumbers;
  if (behind == 0 || behind > next) return nullptr;
  fault = ReservationFault::kCommitted;
  if (behind > own.open.size()) return nullptr;
  Reservation& found = own.open[own.open.size() - behind];
  if (found.committed) return nullptr;
  if (found.user.launch != launch) {
    fault = ReservationFault::kForeign;
    return nullptr;
  }
  fault = ReservationFault::kNone;
  return &found;
}

std::byte* Pipe::reserved(PipeEnd end, std::uint32_t id, std::uint64_t launch, std::uint32_t index,
                          ReservationFault& fault) {
  Reservation* const found = find(end, id, launch, fault);
  if (found == nullptr) return nullptr;
  if (index >= found->count) {
    fault = ReservationFault::kIndex;
    return nullptr;
  }
  std::byte* const packet = slot(found->first + index);
  if (end == PipeEnd::kRead) return packet;
  found->written[index] = true;
  return to_write(packet);
}

std::byte* Pipe::to_write(std::byte* packet) const {
  if (shadow_ != nullptr) std::memset(shadow_.get() + (packet - storage_.get()), 0, packet_bytes_);
  return packet;
}

std::byte* Pipe::shadow(const std::byte* packet, bool make) {
  if (shadow_ == nullptr && make)
    shadow_.reset(static_cast<std::byte*>(std::calloc(max_packets_, packet_bytes_)));
  return shadow_ == nullptr ? nullptr : shadow_.get() + (packet - storage_.get());
}

std::uint32_t Pipe::hand_over(PipeEnd end, Reservation& reservation) {
  std::uint32_t unwritten = 0;
  for (std::uint32_t i = 0; end == PipeEnd::kWrite && i < reservation.count; ++i) {
    if (reservation.written[i]) continue;
    ++unwritten;
    std::memset(to_write(slot(reservation.first + i)), 0, packet_bytes_);
  }
  reservation.committed = true;
  reservation.written = {};
  return unwritten;
}

/// Moves the end past what was committed without a gap.
void Pipe::advance(PipeEnd end) {
  End& own = end_of(end);
  std::uint64_t& done = end == PipeEnd::kRead ? free_ : visible_;
  while (!own.open.empty() && own.open.front().committed) {
    done = own.open.front().first + own.open.front().count;
    own.open.pop_front();
    ++own.begun;
  }
}

Pipe::Commit Pipe::commit(PipeEnd end, std::uint32_t id, std::uint64_t launch) {
  Commit result;
  Reservation* const found = find(end, id, launch, result.fault);
  if (found == nullptr) return result;
  result.unwritten = hand_over(end, *found);
  advance(end);
  return result;
}

std::optional<Pipe::Conflict> Pipe::use(PipeEnd end, std::uint64_t launch) {
  if (end_of(other(end)).launch == launch) return Conflict{other(end), false};
  std::uint64_t& own = end_of(end).launch;
  if (own != 0 && own != launch) return Conflict{end, true};
  own = launch;
  return std::nullopt;
}

std::vector<PipeUser> Pipe::finish(std::uint64_t launch) {
  std::vector<PipeUser> left;
  for (const PipeEnd end : {PipeEnd::kRead, PipeEnd::kWrite}) {
    End& own = end_of(end);
    if (own.launch == launch) own.launch = 0;
    for (Reservation& reservation : own.open) {
      if (reservation.committed || reservation.user.launch != launch) continue;
      left.push_back(reservation.user);
      hand_over(end, reservation);
    }
    advance(end);
  }
  return left;
}

}  // namespace transpire::memory
