// Pipes against a plain model: packets that are numbers, reservations as a list in the order in which they were made.
#include "memory/pipe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "tests/patience.h"

namespace transpire::test {
namespace {

using namespace memory;
using enum PipeEnd;
using enum ReservationFault;

constexpr std::uint64_t kLaunch = 7, kOtherLaunch = 8;

PipeUser user_of(std::uint64_t launch, std::uint32_t local_linear = 0) {
  PipeUser user;
  user.launch = launch;
  user.local_linear = local_linear;
  return user;
}

std::uint64_t number_at(const std::byte* bytes) {
  std::uint64_t number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

void put_number(std::byte* bytes, std::uint64_t number) {
  std::memcpy(bytes, &number, sizeof number);
}

bool push(Pipe& pipe, std::uint64_t number) {
  std::byte* const bytes = pipe.next_free();
  if (bytes == nullptr) return false;
  put_number(bytes, number);
  pipe.push();
  return true;
}

std::optional<std::uint64_t> pop(Pipe& pipe) {
  const std::byte* const bytes = pipe.front();
  if (bytes == nullptr) return std::nullopt;
  const std::uint64_t number = number_at(bytes);
  pipe.pop();
  return number;
}

std::vector<std::uint64_t> contents(const Pipe& pipe) {
  std::vector<std::uint64_t> numbers(pipe.available());
  pipe.copy(pipe.available(), reinterpret_cast<std::byte*>(numbers.data()));
  return numbers;
}

std::uint32_t reserve(Pipe& pipe, PipeEnd end, std::uint32_t packets,
                      std::uint64_t launch = kLaunch, std::uint32_t local_linear = 0) {
  return pipe.reserve(end, packets, user_of(launch, local_linear)).id;
}

std::vector<PipeUser> finish(Pipe& pipe, std::uint64_t launch) {
  std::vector<PipeUser> left;
  pipe.finish(launch, [&](const PipeUser& user) { left.push_back(user); });
  return left;
}

/// What a pipe does, said without slots and marks: two queues of runs of packets.
class Model {
 public:
  explicit Model(std::uint32_t max_packets) : max_packets_(max_packets) {}

  struct Run {
    std::vector<std::uint64_t> numbers;
    bool committed = false;
    std::uint32_t id = 0;  ///< 0: a packet that was written or read without a reservation
  };

  std::uint32_t room() const {
    return max_packets_ - static_cast<std::uint32_t>(readable.size()) - held(reads) - held(writes);
  }

  void take(std::uint32_t count, std::uint32_t id) {
    Run run{{readable.begin(), readable.begin() + count}, id == 0, id};
    readable.erase(readable.begin(), readable.begin() + count);
    reads.push_back(std::move(run));
    settle();
  }
  void give(std::vector<std::uint64_t> numbers, std::uint32_t id) {
    writes.push_back({std::move(numbers), id == 0, id});
    settle();
  }
  void commit(PipeEnd end, std::uint32_t id) {
    for (Run& run : end == kRead ? reads : writes)
      if (run.id == id) run.committed = true;
    settle();
  }

  std::deque<std::uint64_t> readable;
  std::deque<Run> reads, writes;  ///< in the order in which they were begun

 private:
  static std::uint32_t held(const std::deque<Run>& runs) {
    std::size_t count = 0;
    for (const Run& run : runs) count += run.numbers.size();
    return static_cast<std::uint32_t>(count);
  }
  void settle() {
    while (!reads.empty() && reads.front().committed) reads.pop_front();
    for (; !writes.empty() && writes.front().committed; writes.pop_front())
      readable.insert(readable.end(), writes.front().numbers.begin(), writes.front().numbers.end());
  }

  std::uint32_t max_packets_;
};

/// One pipe and its model, to which the same happens.
class Both {
 public:
  Both(std::uint32_t max_packets, std::uint64_t seed)
      : pipe_(Pipe::make(sizeof(std::uint64_t), max_packets)),
        most_reserved_(6 + max_packets / 2),
        model_(max_packets),
        random_(seed) {
    REQUIRE(pipe_ != nullptr);
  }

  void step() {
    switch (below(7)) {
      case 0:
        return write();
      case 1:
        return read();
      case 2:
      case 3:
        return reserve(below(2) == 0 ? kRead : kWrite);
      case 4:
      case 5:
        return commit();
      default:
        return misuse();
    }
  }

  void compare() const {
    CHECK(pipe_->available() == model_.readable.size());
    CHECK(pipe_->room() == model_.room());
    CHECK(contents(*pipe_) ==
          std::vector<std::uint64_t>(model_.readable.begin(), model_.readable.end()));
  }

  /// As a launch ends: what is open is committed, and told of from the reading end to the writing one.
  void finish() {
    std::vector<std::uint32_t> open;
    for (const auto* runs : {&model_.reads, &model_.writes})
      for (const Model::Run& run : *runs)
        if (!run.committed) open.push_back(serials_.at(run.id));
    std::vector<std::uint32_t> left;
    for (const PipeUser& user : test::finish(*pipe_, kLaunch)) left.push_back(user.local_linear);
    CHECK(left == open);
    for (const PipeEnd end : {kRead, kWrite}) {
      const auto runs = end == kRead ? model_.reads : model_.writes;
      for (const Model::Run& run : runs)
        if (run.id != 0) model_.commit(end, run.id);
    }
    compare();
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  void write() {
    const bool has_room = model_.room() != 0;
    CHECK(push(*pipe_, next_) == has_room);
    if (has_room) model_.give({next_++}, 0);
  }

  void read() {
    const auto found = pop(*pipe_);
    REQUIRE(found.has_value() == !model_.readable.empty());
    if (!found) return;
    CHECK(*found == model_.readable.front());
    model_.take(1, 0);
  }

  void reserve(PipeEnd end) {
    const bool writes = end == kWrite;
    const auto most = writes ? model_.room() : static_cast<std::uint32_t>(model_.readable.size());
    const std::uint32_t count = below(most_reserved_);
    const std::uint32_t id = test::reserve(*pipe_, end, count, kLaunch, ++serial_);
    REQUIRE((id != 0) == (count != 0 && count <= most));
    if (id == 0) return;
    CHECK_FALSE(serials_.contains(id));
    serials_[id] = serial_;
    ends_[id] = end;
    if (!writes) return model_.take(count, id);
    // Few, most or all are left unwritten: zeros come out.
    const std::uint32_t in = 1 + below(3) * 20;
    std::vector<std::uint64_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(below(in + 4) < in ? 0 : next_++);
    for (std::uint32_t i = 0; i < count; ++i) {
      ReservationFault fault{};
      if (numbers[i] == 0) continue;
      std::byte* const bytes = pipe_->reserved(end, id, kLaunch, i, fault);
      REQUIRE(bytes != nullptr);
      put_number(bytes, numbers[i]);
    }
    model_.give(std::move(numbers), id);
  }

  /// One that is open, wherever it stands among them.
  void commit() {
    const PipeEnd end = below(2) == 0 ? kRead : kWrite;
    const auto& runs = end == kRead ? model_.reads : model_.writes;
    if (runs.empty()) return;
    const Model::Run run = runs[below(static_cast<std::uint32_t>(runs.size()))];
    if (run.committed) return;
    for (std::uint32_t i = 0; end == kRead && i < run.numbers.size(); ++i) {
      ReservationFault fault{};
      const std::byte* const bytes = pipe_->reserved(end, run.id, kLaunch, i, fault);
      REQUIRE(bytes != nullptr);
      CHECK(number_at(bytes) == run.numbers[i]);
    }
    const Pipe::Commit done = pipe_->commit(end, run.id, user_of(kLaunch));
    CHECK(done.fault == kNone);
    const auto zeros = std::ranges::count(run.numbers, std::uint64_t{0});
    CHECK(done.unwritten == (end == kRead ? 0 : static_cast<std::uint32_t>(zeros)));
    model_.commit(end, run.id);
  }

  bool is_open(PipeEnd end, std::uint32_t id) const {
    const auto& runs = end == kRead ? model_.reads : model_.writes;
    return std::ranges::any_of(
        runs, [id](const Model::Run& run) { return run.id == id && !run.committed; });
  }

  /// Any id that there ever was, at either end and of either launch: nothing comes of it but a fault.
  void misuse() {
    if (serials_.empty()) return;
    const auto any =
        std::next(serials_.begin(), below(static_cast<std::uint32_t>(serials_.size())));
    const std::uint32_t id = any->first;
    const PipeEnd end = below(2) == 0 ? kRead : kWrite;
    const bool is_mine = below(2) == 0;
    const bool is_end = ends_.at(id) == end;
    ReservationFault wanted = kForeign;
    if (is_end && !is_open(end, id) && is_mine) wanted = kCommitted;
    if (is_end && is_open(end, id) && is_mine) wanted = kIndex;
    ReservationFault fault{};
    CHECK(pipe_->reserved(end, id, is_mine ? kLaunch : kOtherLaunch, 1000, fault) == nullptr);
    CHECK(fault == wanted);
    if (wanted == kIndex) return;
    CHECK(pipe_->commit(end, id, user_of(is_mine ? kLaunch : kOtherLaunch)).fault == wanted);
  }

  std::unique_ptr<Pipe> pipe_;
  std::uint32_t most_reserved_;
  Model model_;
  std::mt19937_64 random_;
  std::uint64_t next_ = 1;
  std::uint32_t serial_ = 0;
  std::map<std::uint32_t, std::uint32_t> serials_;  ///< of all reservations ever made, by id
  std::map<std::uint32_t, PipeEnd> ends_;
};

TEST_CASE("what became of a reservation is remembered for a while, and what failed") {
  const auto pipe = Pipe::make(8, 8);
  const std::uint32_t first = reserve(*pipe, kWrite, 3, kLaunch, 11);
  REQUIRE(pipe->maker(kWrite, first));
  CHECK(pipe->maker(kWrite, first)->user.local_linear == 11);
  CHECK(pipe->maker(kWrite, first)->packets == 3);
  CHECK_FALSE(pipe->committer(kWrite, first));
  CHECK(pipe->commit(kWrite, first, user_of(kLaunch, 12)).made.user.local_linear == 11);
  CHECK_FALSE(pipe->maker(kWrite, first));
  REQUIRE(pipe->committer(kWrite, first));
  CHECK(pipe->committer(kWrite, first)->user.local_linear == 12);
  CHECK_FALSE(pipe->committer(kRead, first));

  CHECK_FALSE(pipe->last_failure(kWrite, user_of(kLaunch)));
  for (const std::uint32_t item : {1u, 2u})
    CHECK(reserve(*pipe, kWrite, 5 + item, kLaunch, item) == 0);
  // One's own, else the latest of the launch.
  const auto failure = [&](std::uint64_t launch, std::uint32_t item) {
    return pipe->last_failure(kWrite, user_of(launch, item));
  };
  CHECK(failure(kLaunch, 1)->packets == 6);
  CHECK(failure(kLaunch, 3)->packets == 7);
  CHECK(failure(kLaunch, 3)->there_were == 5);
  CHECK_FALSE(failure(kOtherLaunch, 1));

  // A thousand later ones take its place.
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t id = reserve(*pipe, kWrite, 1);
    pipe->commit(kWrite, id, user_of(kLaunch));
    pipe->drop(1);
    reserve(*pipe, kWrite, 100);
  }
  CHECK_FALSE(pipe->committer(kWrite, first));
  CHECK(failure(kLaunch, 1)->packets == 100);
}

TEST_CASE("pipes do what a plain model does") {
  const auto check = [](std::uint32_t packets, std::uint64_t seed, int steps) {
    CAPTURE(packets);
    CAPTURE(seed);
    Both both(packets, seed);
    for (int i = 0; i < steps; ++i) {
      CAPTURE(i);
      both.step();
      both.compare();
    }
    both.finish();
  };
  for (std::uint32_t seed = 0; seed < 60; ++seed) check(1 + seed % 17, seed, 400);
  for (const std::uint32_t packets : {63u, 64u, 65u, 127u, 128u, 200u, 700u})
    for (std::uint64_t seed = 0; seed < 6; ++seed) check(packets, seed, 300);
}

TEST_CASE("committing takes no time, however many packets nobody wrote") {
  constexpr std::uint32_t kPackets = 1'000'000'000;
  const auto pipe = Pipe::make(1, kPackets);
  REQUIRE(pipe != nullptr);
  const double start = processor_seconds();
  const std::uint32_t first = reserve(*pipe, kWrite, kPackets - 10);
  ReservationFault fault{};
  *pipe->reserved(kWrite, first, kLaunch, 700'000'000, fault) = std::byte{7};
  CHECK(pipe->commit(kWrite, first, user_of(kLaunch)).unwritten == kPackets - 11);
  CHECK(reserve(*pipe, kWrite, 10) != 0);
  CHECK(finish(*pipe, kLaunch).size() == 1);
  const std::uint32_t taken = reserve(*pipe, kRead, kPackets);
  CHECK(*pipe->reserved(kRead, taken, kLaunch, 700'000'000, fault) == std::byte{7});
  CHECK(*pipe->reserved(kRead, taken, kLaunch, 699'999'999, fault) == std::byte{0});
  CHECK(pipe->commit(kRead, taken, user_of(kLaunch)).fault == kNone);
  CHECK(reserve(*pipe, kWrite, kPackets) != 0);
  CHECK(finish(*pipe, kLaunch).size() == 1);
  // What was written when the ring went round before is gone.
  pipe->drop(700'000'000);
  CHECK(*pipe->front() == std::byte{0});
  CHECK(processor_seconds() - start < 2);  // a step for each packet takes more
}

TEST_CASE("a packet that nobody wrote is made zeros as long as nobody wants that to end") {
  const auto pipe = Pipe::make(400'000, 1);
  std::memset(pipe->next_free(), 5, 400'000);
  pipe->push();
  pipe->pop();
  REQUIRE(reserve(*pipe, kWrite, 1) != 0);
  CHECK(finish(*pipe, kLaunch).size() == 1);
  const bool stop = true;
  CHECK(pipe->front(&stop) == nullptr);
  const std::byte* const bytes = pipe->front();
  REQUIRE(bytes != nullptr);
  CHECK(std::all_of(bytes, bytes + 400'000, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("open reservations take no more memory than a launch may have") {
  static_assert(Pipe::kReservationBytes < 64);
  const auto pipe = Pipe::make(1, 1 << 20);
  pipe->begin(kLaunch, 5000 * Pipe::kReservationBytes);
  pipe->begin(kOtherLaunch, 0);
  const auto most = [&](PipeEnd end, std::uint64_t launch) {
    std::uint32_t made = 0;
    while (reserve(*pipe, end, 1, launch) != 0) ++made;
    const Pipe::Reserved more = pipe->reserve(end, 1, user_of(launch));
    CHECK((more.id == 0 && more.too_many));
    return made;
  };
  CHECK(most(kWrite, kLaunch) == 5000);
  CHECK(pipe->reserve(kWrite, 1 << 20, user_of(kLaunch)).too_many == false);
  // Packets that are moved without a reservation are one run, however many.
  for (int i = 0; i < 3000; ++i) {
    REQUIRE(pipe->next_free() != nullptr);
    pipe->push();
  }
  CHECK(finish(*pipe, kLaunch).size() == 5000);
  CHECK(pipe->available() == 8000);
  CHECK(most(kRead, kOtherLaunch) == Pipe::kFewReservations);
  CHECK(finish(*pipe, kOtherLaunch).size() == Pipe::kFewReservations);
}

TEST_CASE("a reservation is its launch's when it is gone, too") {
  const auto pipe = Pipe::make(8, 8);
  const std::uint32_t mine = reserve(*pipe, kWrite, 1);
  CHECK(finish(*pipe, kLaunch).size() == 1);
  const auto fault_of = [&](std::uint32_t id, std::uint64_t launch) {
    return pipe->commit(kWrite, id, user_of(launch)).fault;
  };
  CHECK(fault_of(mine, kOtherLaunch) == kForeign);
  CHECK(fault_of(mine, kLaunch) == kCommitted);
  const std::uint32_t others = reserve(*pipe, kWrite, 1, kOtherLaunch);
  CHECK(fault_of(others, kLaunch) == kForeign);
  CHECK(fault_of(others, kOtherLaunch) == kNone);
  CHECK(fault_of(others, kOtherLaunch) == kCommitted);
  CHECK(fault_of(others, kLaunch) == kForeign);
  CHECK(fault_of(mine, kOtherLaunch) == kForeign);
}

TEST_CASE("pipes that cannot be made") {
  CHECK(Pipe::make(0, 4) == nullptr);
  CHECK(Pipe::make(4, 0) == nullptr);
  CHECK(Pipe::make(UINT32_MAX, UINT32_MAX) == nullptr);
  const auto pipe = Pipe::make(3, 5);
  REQUIRE(pipe != nullptr);
  CHECK((pipe->packet_bytes() == 3 && pipe->max_packets() == 5 && pipe->room() == 5));
}

TEST_CASE("packets of reservations are seen in the order of the reservations") {
  const auto pipe = Pipe::make(8, 8);
  const std::uint32_t first = reserve(*pipe, kWrite, 2);
  const std::uint32_t second = reserve(*pipe, kWrite, 1);
  ReservationFault fault{};
  put_number(pipe->reserved(kWrite, second, kLaunch, 0, fault), 3);
  put_number(pipe->reserved(kWrite, first, kLaunch, 0, fault), 1);
  CHECK(pipe->commit(kWrite, second, user_of(kLaunch)).unwritten == 0);
  CHECK(pipe->available() == 0);
  CHECK(push(*pipe, 4));
  CHECK(pipe->available() == 0);
  CHECK(pipe->commit(kWrite, first, user_of(kLaunch)).unwritten == 1);
  CHECK(contents(*pipe) == std::vector<std::uint64_t>{1, 0, 3, 4});
  // Slots are free in the order of reservations as well.
  const std::uint32_t slow = reserve(*pipe, kRead, 1);
  CHECK(pop(*pipe) == 0);
  CHECK(pipe->room() == 4);
  CHECK(pipe->commit(kRead, slow, user_of(kLaunch)).fault == kNone);
  CHECK(pipe->room() == 6);
}

TEST_CASE("ids that name no reservation") {
  const auto pipe = Pipe::make(8, 8), other = Pipe::make(8, 8);
  const std::uint32_t id = reserve(*pipe, kWrite, 2);
  const std::uint32_t others = reserve(*other, kWrite, 2);
  const auto fault_of = [&](PipeEnd end, std::uint32_t which, std::uint64_t launch) {
    return pipe->commit(end, which, user_of(launch)).fault;
  };
  CHECK(id != others);
  CHECK(fault_of(kWrite, 0, kLaunch) == kNull);
  CHECK(fault_of(kWrite, others, kLaunch) == kForeign);
  CHECK(fault_of(kRead, id, kLaunch) == kForeign);
  CHECK(fault_of(kWrite, id, kOtherLaunch) == kForeign);
  CHECK(fault_of(kWrite, id + 1, kLaunch) == kForeign);
  CHECK(fault_of(kWrite, UINT32_MAX, kLaunch) == kForeign);
  ReservationFault fault{};
  CHECK(pipe->reserved(kWrite, id, kLaunch, 2, fault) == nullptr);
  CHECK(fault == kIndex);
  CHECK(fault_of(kWrite, id, kLaunch) == kNone);
  CHECK(fault_of(kWrite, id, kLaunch) == kCommitted);
  const std::uint32_t cleared = reserve(*pipe, kWrite, 1);
  pipe->clear();
  CHECK(fault_of(kWrite, cleared, kLaunch) == kCommitted);
  CHECK((pipe->available() == 0 && pipe->room() == 8));
}

TEST_CASE("ids begin again after 16 million reservations") {
  const auto pipe = Pipe::make(1, 3);
  const std::uint32_t first = reserve(*pipe, kWrite, 1);
  CHECK(pipe->commit(kWrite, first, user_of(kLaunch)).fault == kNone);
  pipe->pop();
  std::uint32_t before = 0;
  std::uint64_t wrong = 0;
  for (std::uint32_t i = 1; i < 0xffffff; ++i) {
    const std::uint32_t id = reserve(*pipe, kWrite, 1);
    wrong += id == 0 || id == before || id == first;
    wrong += pipe->commit(kWrite, id, user_of(kLaunch)).fault != kNone;
    pipe->pop();
    before = id;
  }
  CHECK(wrong == 0);
  const std::uint32_t open = reserve(*pipe, kWrite, 1);
  CHECK(open == first);
  const std::uint32_t next = reserve(*pipe, kWrite, 1);
  CHECK(pipe->commit(kWrite, before, user_of(kLaunch)).fault == kCommitted);
  CHECK(pipe->commit(kWrite, next, user_of(kLaunch)).fault == kNone);
  CHECK(pipe->commit(kWrite, open, user_of(kLaunch)).fault == kNone);
  CHECK(pipe->available() == 2);
}

TEST_CASE("a launch has one end of a pipe, and each end one launch") {
  const auto pipe = Pipe::make(8, 8);
  CHECK_FALSE(pipe->use(kRead, kLaunch));
  CHECK_FALSE(pipe->use(kRead, kLaunch));
  CHECK_FALSE(pipe->use(kWrite, kOtherLaunch));
  const auto both = pipe->use(kWrite, kLaunch);
  REQUIRE(both);
  CHECK((both->taken == kRead && !both->by_another_launch));
  const auto taken = pipe->use(kRead, 9);
  REQUIRE(taken);
  CHECK((taken->taken == kRead && taken->by_another_launch));
  CHECK(finish(*pipe, kLaunch).empty());
  CHECK_FALSE(pipe->use(kRead, 9));
  CHECK(pipe->use(kWrite, kLaunch)->by_another_launch);
}

TEST_CASE("what a launch leaves open is told of and committed") {
  const auto pipe = Pipe::make(8, 4);
  const std::uint32_t mine = reserve(*pipe, kWrite, 2, kLaunch, 3);
  const std::uint32_t others = reserve(*pipe, kWrite, 1, kOtherLaunch, 4);
  ReservationFault fault{};
  put_number(pipe->reserved(kWrite, mine, kLaunch, 1, fault), 5);
  const auto left = finish(*pipe, kLaunch);
  REQUIRE(left.size() == 1);
  CHECK((left[0].launch == kLaunch && left[0].local_linear == 3));
  CHECK(contents(*pipe) == std::vector<std::uint64_t>{0, 5});
  CHECK(pipe->room() == 1);
  CHECK(pipe->commit(kWrite, others, user_of(kOtherLaunch)).unwritten == 1);
  CHECK(finish(*pipe, kLaunch).empty());
  CHECK(pipe->available() == 3);
}

TEST_CASE("pipes are shared by threads") {
  const auto pipe = Pipe::make(8, 16);
  constexpr std::uint64_t kPackets = 20000;
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < kPackets;) {
      const auto lock = pipe->lock();
      i += push(*pipe, i);
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kPackets;) {
    const auto lock = pipe->lock();
    const auto found = pop(*pipe);
    wrong += found && *found != i;
    i += found.has_value();
  }
  writer.join();
  CHECK(wrong == 0);
  const std::uint64_t launch = new_launch_number();
  CHECK(launch < new_launch_number());
}

}  // namespace
}  // namespace transpire::test
