#include "scheduler/schedule.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace transpire::scheduler {
namespace {

/// The finaliser of SplitMix64. It maps 0 to 0.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

/// A pseudo-random number for a seed, the kind of decision, and the number of the decision.
constexpr std::uint64_t draw(std::uint32_t seed, std::uint64_t what, std::uint64_t which = 0) {
  return mix(mix(mix(seed + kGolden) + what * kGolden) + which * kGolden);
}

enum Decision : std::uint64_t { kBatchItems = 1, kGroups, kBatches, kCommands };

/// A permutation of the numbers of 2 * `bits` bits: a Feistel network of four rounds.
std::uint64_t permute(std::uint64_t number, unsigned bits, std::uint32_t seed) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t left = number >> bits, right = number & mask;
  for (std::uint64_t round = 0; round < 4; ++round)
    left = std::exchange(right, left ^ (draw(seed, kGroups + (round << 8), right) & mask));
  return left << bits | right;
}

}  // namespace

std::uint32_t ItemOrder::batch_items(std::uint32_t together) const {
  if (kind_ != Schedule::kRandom) return together;
  const std::uint64_t number = draw(seed_, kBatchItems);
  // Half of the seeds have batches of one work-item, which permit the most orders.
  const std::uint32_t items = number % 2 == 0 ? 1 : std::uint32_t{1} << number / 2 % 7;
  return std::max(items, together);
}

std::uint64_t ItemOrder::group_at(std::uint64_t place, std::uint64_t count) const {
  if (kind_ == Schedule::kReverse) return count - 1 - place;
  if (kind_ != Schedule::kRandom || count < 2) return place;
  const auto bits = static_cast<unsigned>(std::bit_width(count - 1) + 1) / 2;
  // The permutation has fewer than 4 * `count` numbers. Repeat it until the number is below `count`.
  do place = permute(place, bits, seed_);
  while (place >= count);
  return place;
}

void ItemOrder::order_batches(std::uint64_t group, std::uint32_t round, std::uint32_t count,
                              std::vector<std::uint32_t>& order) const {
  order.resize(count);
  std::iota(order.begin(), order.end(), 0u);
  if (kind_ == Schedule::kReverse) std::reverse(order.begin(), order.end());
  if (kind_ != Schedule::kRandom) return;
  std::uint64_t state = draw(seed_, kBatches, mix(group + kGolden) + round);
  for (std::uint32_t left = count; left > 1; --left) {
    state += kGolden;
    std::swap(order[left - 1], order[mix(state) % left]);
  }
}

std::uint64_t ItemOrder::command_at(std::uint64_t done, std::uint64_t ready) const {
  if (kind_ == Schedule::kReverse) return ready - 1;
  return kind_ == Schedule::kRandom ? draw(seed_, kCommands, done) % ready : 0;
}

std::uint32_t scheduled_subgroup_size(std::uint32_t seed) {
  constexpr std::uint32_t kSizes[] = {32, 8, 16, 64};  // seed 0: the default size
  return kSizes[mix(seed) % 4];
}

}  // namespace transpire::scheduler
