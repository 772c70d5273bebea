// Orders of groups and batches by a schedule.
#include "scheduler/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

using Order = scheduler::ItemOrder;

std::vector<std::uint64_t> groups_of(const Order& schedule, std::uint64_t count) {
  std::vector<std::uint64_t> groups;
  for (std::uint64_t place = 0; place < count; ++place)
    groups.push_back(schedule.group_at(place, count));
  return groups;
}

bool is_permutation_of_all(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::uint64_t> all(numbers.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return numbers == all;
}

std::vector<std::uint32_t> batches_of(const Order& schedule, std::uint32_t round) {
  std::vector<std::uint32_t> order;
  schedule.order_batches(5, round, 8, order);
  return order;
}

/// The global ids in x, in the order in which the work-items ran.
std::vector<std::uint64_t> visits(const Order& schedule, std::uint32_t lanes, unsigned threads) {
  Record seen;
  vm::Program program;
  set_code(program, {make(record, seen), make(barrier), make(record, seen)}, lanes);
  const GeometryPlan plan(make_ids({{24, 1, 1}, {8, 1, 1}}), lanes, scheduler::Filling::kByGroup,
                          schedule.batch_items(1), schedule);
  scheduler::ThreadPool pool(threads);
  scheduler::Team team(program, plan, 0, threads);
  CHECK(team.threads() == 1);
  const memory::AddressSpace space(8);
  scheduler::LaunchSpec spec;
  spec.memory = &space;
  scheduler::run(spec, team, pool);
  std::vector<std::uint64_t> ids;
  for (const Visit& visit : seen.visits) ids.push_back(visit.item.global_id[0]);
  return ids;
}

TEST_CASE("every group has one place in every order") {
  for (const std::uint64_t count : {1, 2, 3, 7, 64, 1000, 4097}) {
    INFO(count);
    for (std::uint32_t seed = 0; seed < 20; ++seed)
      CHECK(is_permutation_of_all(groups_of({Schedule::kRandom, seed}, count)));
    CHECK(is_permutation_of_all(groups_of({Schedule::kSerial, 0}, count)));
  }
  CHECK(groups_of({Schedule::kReverse, 0}, 3) == std::vector<std::uint64_t>{2, 1, 0});
  // Far too many to list: still numbers of groups, no two equal.
  const Order random(Schedule::kRandom, 1);
  const std::uint64_t many = (std::uint64_t{1} << 63) + 1;
  std::set<std::uint64_t> some;
  for (std::uint64_t place = 0; place < 100; ++place) some.insert(random.group_at(place, many));
  CHECK(some.size() == 100);
  CHECK(*some.rbegin() < many);
}

TEST_CASE("seeds reach many orders, and each the same every time") {
  std::set<std::vector<std::uint64_t>> groups;
  std::set<std::vector<std::uint32_t>> batches;
  std::set<std::uint32_t> items, sizes;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Order random(Schedule::kRandom, seed);
    groups.insert(groups_of(random, 3));
    batches.insert(batches_of(random, 0));
    items.insert(random.batch_items(1));
    sizes.insert(scheduler::scheduled_subgroup_size(seed));
    CHECK(random.batch_items(16) >= 16);
    CHECK(batches_of(random, 0) == batches_of(random, 0));
  }
  CHECK(groups.size() == 6);
  CHECK(batches.size() > 190);
  CHECK(items == std::set<std::uint32_t>{1, 2, 4, 8, 16, 32, 64});
  CHECK(sizes == std::set<std::uint32_t>{8, 16, 32, 64});
  const Order random(Schedule::kRandom, 1);
  CHECK(batches_of(random, 0) != batches_of(random, 1));
  CHECK(batches_of({Schedule::kReverse, 0}, 0) ==
        std::vector<std::uint32_t>{7, 6, 5, 4, 3, 2, 1, 0});
}

TEST_CASE("commands that are ready run in the order of the schedule") {
  const Order serial(Schedule::kSerial, 0), reverse(Schedule::kReverse, 0);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Order random(Schedule::kRandom, seed);
    std::vector<std::uint64_t> order;
    for (std::uint64_t done = 0; done < 8; ++done) {
      const std::uint64_t ready = 8 - done;
      CHECK(serial.command_at(done, ready) == 0);
      CHECK(reverse.command_at(done, ready) == ready - 1);
      order.push_back(random.command_at(done, ready));
      REQUIRE(order.back() < ready);
      CHECK(order.back() == random.command_at(done, ready));
    }
    orders.insert(order);
  }
  CHECK(orders.size() == 50);
}

TEST_CASE("work-items run in the order of the schedule, whatever the lanes and threads") {
  std::vector<std::uint64_t> serial, reverse;
  for (std::uint64_t group = 0; group < 3; ++group)
    for (int interval = 0; interval < 2; ++interval)
      for (std::uint64_t item = 0; item < 8; ++item) {
        serial.push_back(group * 8 + item);
        reverse.push_back(23 - (group * 8 + item));
      }
  CHECK(visits({Schedule::kSerial, 0}, 64, 1) == serial);
  CHECK(visits({Schedule::kReverse, 0}, 64, 1) == reverse);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Order random(Schedule::kRandom, seed);
    const std::vector<std::uint64_t> order = visits(random, 64, 1);
    CHECK(visits(random, 128, 4) == order);
    orders.insert(order);
  }
  CHECK(orders.size() == 10);
}

}  // namespace
}  // namespace transpire::test
