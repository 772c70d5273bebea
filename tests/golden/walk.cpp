#include "tests/golden/walk.h"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <vector>

#include "transpire/watch.hpp"

namespace transpire::test {
namespace {

/// Longer launches are walked up to here.
constexpr std::uint64_t kMostEvents = 4'000'000;

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15;
  return digest ^ digest >> 32;
}

std::uint64_t digest_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Keeps a digest of each event, by its number.
class Walker final : public Watch {
 public:
  std::vector<std::uint64_t> events;
  std::uint64_t next = 0;                      ///< the next event's number
  std::uint64_t stops_at = ~std::uint64_t{0};  ///< stops behind the event before
  std::string difference;

  Answer launch_begins(const WatchLaunch& launch) override {
    return add({1, launch.global_size[0], launch.local_size[0], launch.is_child});
  }
  Answer launch_ends(const WatchLaunch&) override { return add({2}); }
  Answer group_begins(const WatchGroup& group) override { return add({3, group.group_id[0]}); }
  Answer group_ends(const WatchGroup& group) override { return add({4, group.group_id[0]}); }
  Answer step(const WatchStep& step) override {
    return add({5, step.place.word_offset(), step.items.size(), step.items[0].global_id[0]});
  }
  Answer access(const WatchAccess& access) override {
    std::vector<std::byte> bytes(access.size_bytes);
    access.read(bytes);
    return add({6, id(access), static_cast<std::uint64_t>(access.kind), access.address,
                access.offset_bytes, access.size_bytes, digest_of(bytes)});
  }
  Answer waits(const WatchStep& step) override {
    return add({7, step.place.word_offset(), step.items.size()});
  }
  Answer meets(const WatchStep& step) override { return add({8, step.place.word_offset()}); }
  Answer prints(const WatchPrint& print) override {
    return add({9, id(print), std::hash<std::string_view>{}(print.text)});
  }
  Answer found(const WatchFinding& finding) override {
    return add({10, id(finding), std::hash<std::string>{}(finding.rule)});
  }
  Answer enqueued(const WatchEvent& event) override { return add({11, id(event)}); }
  Answer packet(const WatchPacket& packet) override {
    return add({12, id(packet), packet.is_read, packet.size_bytes});
  }

 private:
  static std::uint64_t id(const WatchEvent& event) {
    return mixed(event.item.global_id[0] + (event.item.global_id[1] << 24), event.round) +
           event.place.word_offset();
  }
  Answer add(std::initializer_list<std::uint64_t> fields) {
    std::uint64_t digest = 0;
    for (const std::uint64_t field : fields) digest = mixed(digest, field);
    if (next == events.size())
      events.push_back(digest);
    else if (events[next] != digest && difference.empty())
      difference = fmt::format("event {} (kind {}) differs", next, *fields.begin());
    return ++next == stops_at ? Answer::kStop : Answer::kGoOn;
  }
};

std::uint64_t memory_of(const Launch& launch) {
  std::uint64_t digest = 0;
  for (const Argument& argument : launch.arguments) {
    if (argument.memory) {
      digest = mixed(digest, digest_of(argument.memory->bytes()));
      digest = mixed(digest, digest_of(argument.memory->undefined_bits()));
    }
    if (argument.packets) digest = mixed(digest, digest_of(argument.packets->contents()));
    if (argument.texels) digest = mixed(digest, digest_of(argument.texels->bytes()));
  }
  if (launch.shared)
    for (const SharedMemory::Range& range : launch.shared->ranges())
      digest = mixed(digest, digest_of(range.bytes));
  return digest;
}

}  // namespace

Result<LaunchResult> walk(const Device& device, const Launch& launch, std::string& difference) {
  Walker walker;
  Launch watched = launch;
  watched.watch = &walker;
  walker.stops_at = kMostEvents;
  auto run = WatchedRun::create(device, watched);
  if (!run) return run.errors();
  const auto expect = [&](bool holds, std::string_view what) {
    if (!holds && difference.empty()) difference = what;
  };
  const std::uint64_t at_beginning = memory_of(launch);
  run->go_on();
  // A launch that ran has told at least of its begin and end.
  if (run->result() != nullptr && *run->result())
    expect(walker.events.size() >= 2, "no event was told");
  const std::uint64_t count = walker.events.size(), middle = count / 2, later = count - count / 4;
  const std::uint64_t at_end = memory_of(launch);
  if (middle != 0 && later > middle) {
    expect(run->go_to(0), "it does not come back to the beginning");
    expect(memory_of(launch) == at_beginning, "memory differs at the beginning");
    const auto go_to_middle = [&] {
      expect(run->go_to(middle), "it does not come back to the middle");
      walker.next = middle;
      return memory_of(launch);
    };
    const auto go_on_to = [&](std::uint64_t event) {
      walker.stops_at = event;
      run->go_on();
      return memory_of(launch);
    };
    const std::uint64_t at_middle = go_to_middle(), at_later = go_on_to(later);
    expect(go_to_middle() == at_middle, "memory differs in the middle");
    expect(go_on_to(later) == at_later, "memory differs later");
    expect(go_on_to(count < kMostEvents ? ~std::uint64_t{0} : kMostEvents) == at_end,
           "memory differs at the end");
    expect(walker.next == count, "there is another number of events");
  }
  while (run->go_on()) walker.stops_at = ~std::uint64_t{0};
  expect(walker.difference.empty(), walker.difference);
  return *run->result();
}

}  // namespace transpire::test
