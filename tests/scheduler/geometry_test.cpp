// Every work-item runs exactly once and knows its place, for all shapes of launches.
#include "scheduler/geometry.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

/// All visits that a launch must make, in order.
std::vector<Visit> expected_visits(const Sizes& sizes) {
  std::vector<Visit> visits;
  std::array<std::uint64_t, 3> id;
  for (id[2] = 0; id[2] < sizes.global[2]; ++id[2])
    for (id[1] = 0; id[1] < sizes.global[1]; ++id[1])
      for (id[0] = 0; id[0] < sizes.global[0]; ++id[0]) {
        Visit visit{};
        for (std::size_t d = 0; d < 3; ++d) {
          visit.item.global_id[d] = id[d] + sizes.offset[d];
          visit.item.group_id[d] = id[d] / sizes.local[d];
          visit.item.local_id[d] = id[d] % sizes.local[d];
          const std::uint64_t begin = visit.item.group_id[d] * sizes.local[d];
          visit.local_size[d] = std::min(sizes.local[d], sizes.global[d] - begin);
        }
        visits.push_back(visit);
      }
  std::sort(visits.begin(), visits.end());
  return visits;
}

bool same(const std::vector<Visit>& a, const std::vector<Visit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Visit& x, const Visit& y) {
    return x.item.global_id == y.item.global_id && x.item.group_id == y.item.group_id &&
           x.item.local_id == y.item.local_id &&
           std::equal(x.local_size, x.local_size + 3, y.local_size);
  });
}

void check_coverage(const Sizes& sizes, const RunOnceOptions& options, std::uint32_t lanes) {
  CAPTURE(sizes.global[0]);
  CAPTURE(sizes.global[1]);
  CAPTURE(sizes.local[0]);
  CAPTURE(sizes.local[1]);
  CAPTURE(options.threads);
  CAPTURE(lanes);
  Record seen;
  vm::Program program;
  set_code(program, {make(record, seen)}, lanes);
  const Outcome outcome = run_once(program, sizes, options);
  CHECK(outcome.end == LaunchResult::End::kCompleted);
  CHECK(outcome.findings.empty());
  std::sort(seen.visits.begin(), seen.visits.end());
  CHECK(same(seen.visits, expected_visits(sizes)));
}

const Sizes kSizes[] = {{{1, 1, 1}, {1, 1, 1}},
                        {{64, 1, 1}, {64, 1, 1}},
                        {{1000, 1, 1}, {64, 1, 1}},
                        {{1000, 1, 1}, {1, 1, 1}},
                        {{77, 1, 1}, {100, 1, 1}},
                        {{1024, 1, 1}, {256, 1, 1}},
                        {{33, 7, 1}, {16, 4, 1}},
                        {{30, 20, 1}, {10, 10, 1}},
                        {{128, 4, 1}, {64, 2, 1}},
                        {{5, 7, 11}, {2, 3, 4}},
                        {{8, 8, 8}, {4, 4, 4}},
                        {{300, 3, 2}, {130, 2, 1}},
                        {{6, 6, 6}, {3, 2, 1}},
                        {{65, 1, 1}, {64, 1, 1}, {1000, 0, 0}},
                        {{9, 5, 3}, {4, 2, 2}, {7, 1u << 20, 3}}};

TEST_CASE("every work-item runs once with its ids") {
  for (const Sizes& sizes : kSizes)
    for (unsigned threads : {1u, 2u, 8u})
      for (std::uint32_t lanes : {64u, 128u}) check_coverage(sizes, {threads}, lanes);
}

TEST_CASE("small groups share batches") {
  const Sizes packable[] = {{{1000, 1, 1}, {1, 1, 1}}, {{99, 1, 1}, {3, 1, 1}},
                            {{30, 20, 1}, {5, 4, 1}},  {{6, 6, 6}, {3, 2, 1}},
                            {{64, 1, 1}, {32, 1, 1}},  {{14, 3, 1}, {7, 1, 1}, {5, 6, 7}}};
  for (const Sizes& sizes : packable) {
    REQUIRE(can_pack(make_ids(sizes), 64));
    for (unsigned threads : {1u, 2u, 8u})
      for (std::uint32_t lanes : {64u, 128u})
        check_coverage(sizes, {.threads = threads, .packed = true}, lanes);
  }
}

TEST_CASE("batches flow across groups") {
  const Sizes rows[] = {{{1000, 1, 1}, {1, 1, 1}},   {{99, 1, 1}, {33, 1, 1}},
                        {{1290, 1, 1}, {129, 1, 1}}, {{195, 1, 1}, {65, 1, 1}, {7, 8, 9}},
                        {{771, 1, 1}, {257, 1, 1}},  {{3000, 1, 1}, {1000, 1, 1}}};
  for (const Sizes& sizes : rows)
    for (unsigned threads : {1u, 2u, 8u})
      for (std::uint32_t lanes : {64u, 128u})
        check_coverage(sizes, {.threads = threads, .flowing = true}, lanes);
}

TEST_CASE("flowing batches are full but for the last") {
  Record seen;
  vm::Program program;
  set_code(program, {make(count_batch, seen)});
  run_once(program, {{650, 1, 1}, {65, 1, 1}}, {.flowing = true});
  CHECK(seen.batch_runs == 11);
}

TEST_CASE("flowing is for one row of full groups that leave lanes idle") {
  CHECK(gains_by_flowing(make_ids({{650, 1, 1}, {65, 1, 1}}), 64));
  CHECK(gains_by_flowing(make_ids({{330, 1, 1}, {33, 1, 1}}), 64));    // packed, 1 group a batch
  CHECK(gains_by_flowing(make_ids({{1290, 1, 1}, {43, 1, 1}}), 128));  // packed, 2 groups a batch
  CHECK_FALSE(gains_by_flowing(make_ids({{640, 1, 1}, {64, 1, 1}}), 64));
  CHECK_FALSE(gains_by_flowing(make_ids({{320, 1, 1}, {32, 1, 1}}), 64));
  CHECK_FALSE(gains_by_flowing(make_ids({{65, 1, 1}, {65, 1, 1}}), 64));
  CHECK_FALSE(gains_by_flowing(make_ids({{651, 1, 1}, {65, 1, 1}}), 64));
  CHECK_FALSE(gains_by_flowing(make_ids({{650, 2, 1}, {65, 1, 1}}), 64));
  CHECK_FALSE(gains_by_flowing(make_ids({{10000, 1, 1}, {1000, 1, 1}}), 64));  // 160 for 157
}

TEST_CASE("packing needs full groups, two of them, that fit a batch") {
  CHECK(can_pack(make_ids({{64, 1, 1}, {32, 1, 1}}), 64));
  CHECK_FALSE(can_pack(make_ids({{66, 1, 1}, {33, 1, 1}}), 64));
  CHECK_FALSE(can_pack(make_ids({{32, 1, 1}, {32, 1, 1}}), 64));
  CHECK_FALSE(can_pack(make_ids({{65, 1, 1}, {32, 1, 1}}), 64));
}

TEST_CASE("packed batches are as full as whole groups allow") {
  Record seen;
  vm::Program program;
  set_code(program, {make(count_batch, seen)});
  run_once(program, {{300, 1, 1}, {3, 1, 1}}, {.packed = true});
  CHECK(seen.batch_runs == 5);  // 21 groups in each of 4, then 16
}

TEST_CASE("linear lanes are told from mixed rows") {
  CHECK(is_linear_x(make_ids({{1000, 1, 1}, {100, 1, 1}}), 64));
  CHECK(is_linear_x(make_ids({{128, 5, 1}, {64, 2, 1}}), 64));
  CHECK_FALSE(is_linear_x(make_ids({{100, 5, 1}, {64, 2, 1}}), 64));
  CHECK_FALSE(is_linear_x(make_ids({{96, 4, 1}, {32, 4, 1}}), 64));
}

TEST_CASE("one row of groups is told from a grid of them") {
  CHECK(is_one_row(make_ids({{640, 1, 1}, {32, 1, 1}})));
  CHECK_FALSE(is_one_row(make_ids({{640, 2, 1}, {32, 1, 1}})));
  CHECK_FALSE(is_one_row(make_ids({{640, 2, 1}, {32, 2, 1}})));
  CHECK_FALSE(is_one_row(make_ids({{640, 1, 3}, {32, 1, 1}})));
}

TEST_CASE("lanes past the end of a group go on counting") {
  const GeometryPlan plan(make_ids({{70, 1, 1}, {70, 1, 1}}), 64, Filling::kByGroup);
  const std::uint64_t group[3] = {0, 0, 0};
  const BatchShape& last = plan.shape(group).batches[1];
  CHECK(last.items == 6);
  CHECK(last.mask[0] == 0x3f);
  CHECK(last.first_local_linear == 64);
  CHECK(last.local_id[0][63] == 127);
}

}  // namespace
}  // namespace transpire::test
