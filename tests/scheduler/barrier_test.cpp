// Groups that meet at barriers, and groups that do not.
#include <doctest/doctest.h>

#include "tests/scheduler/fake_program.h"
#include "vm/exec/group.h"

namespace transpire::test {
namespace {

/// 150 work-items: batches of 64, 64 and 22.
const Sizes kThreeBatches{{450, 1, 1}, {150, 1, 1}};

const Waiting* find(const scheduler::Finding& finding, Waiting::Where where) {
  for (const Waiting& place : finding.waiting)
    if (place.where == where) return &place;
  return nullptr;
}

/// A barrier of the group's that waits for imm batches. Every batch asks, the first one is heard.
const Inst* make_named(const Inst* ip, std::byte*, Batch* batch) {
  auto& barriers = batch->group_state->named_barriers;
  if (barriers.empty()) barriers.push_back(static_cast<std::uint32_t>(ip->imm));
  return ip + 1;
}

const Inst* wait_named(const Inst* ip, std::byte*, Batch* batch) {
  batch->stop = vm::exec::Stop::kNamedBarrier;
  batch->barrier = ip;
  batch->complete = nullptr;
  batch->named_barrier = 1;
  batch->ip = ip + 1;
  return nullptr;
}

/// 150 work-items as three batches, of which those below `first` wait at a barrier for `wanted` of them.
Outcome run_named(std::uint64_t wanted, std::uint64_t first, Record& after) {
  vm::Program program;
  set_code(program, {make(make_named, wanted), make(skip_next_from, first), make(wait_named),
                     make(record, after)});
  program.uses_barrier = program.uses_named_barrier = true;
  return run_once(program, {{150, 1, 1}, {150, 1, 1}});
}

TEST_CASE("a named barrier opens for as many as it was made for") {
  Record all, two;
  CHECK(run_named(3, 150, all).findings.empty());
  CHECK(all.visits.size() == 150);
  CHECK(run_named(2, 128, two).findings.empty());
  CHECK(two.visits.size() == 150);
}

TEST_CASE("named barriers that too few or too many come to are reported, and end") {
  Record few, many;
  const Outcome short_of_one = run_named(3, 128, few);
  REQUIRE(short_of_one.findings.size() == 1);
  CHECK(short_of_one.findings[0].rule == Rule::kR0046);
  CHECK(short_of_one.findings[0].first.local_id[0] == 0);
  CHECK(few.visits.size() == 150);
  const Outcome one_left = run_named(2, 150, many);
  REQUIRE(one_left.findings.size() == 1);
  CHECK(one_left.findings[0].rule == Rule::kR0046);
  CHECK(one_left.findings[0].first.local_id[0] == 128);
  CHECK(many.visits.size() == 150);
}

TEST_CASE("no work-item passes a barrier before all have reached it") {
  Record before, after;
  vm::Program program;
  set_code(program, {make(record, before), make(barrier), make(record, after)});
  // One group: then the order of visits is the order of rounds.
  const Outcome outcome = run_once(program, {{150, 1, 1}, {150, 1, 1}});
  CHECK(outcome.findings.empty());
  CHECK(before.visits.size() == 150);
  CHECK(after.visits.size() == 150);
  CHECK(before.batches.size() == 3);
  CHECK(before.batches == after.batches);
}

TEST_CASE("prints of later rounds follow those of earlier ones") {
  vm::Program program;
  set_code(program, {make(print_id), make(barrier), make(print_id)});
  const std::string one_thread = run_once(program, {{6, 1, 1}, {3, 1, 1}}).printf_output;
  CHECK(one_thread == "0 1 2 0 1 2 3 4 5 3 4 5 ");
  CHECK(run_once(program, {{6, 1, 1}, {3, 1, 1}}, {.packed = true}).printf_output == one_thread);
}

TEST_CASE("without barriers a work-item's prints stay together, whatever the batch") {
  vm::Program program;
  set_code(program, {make(print_id), make(print_id)});
  const std::string expected = "0 0 1 1 2 2 3 3 4 4 5 5 ";
  CHECK(run_once(program, {{6, 1, 1}, {2, 1, 1}}).printf_output == expected);
  CHECK(run_once(program, {{6, 1, 1}, {2, 1, 1}}, {.packed = true}).printf_output == expected);
  CHECK(run_once(program, {{6, 1, 1}, {2, 1, 1}}, {.threads = 4}).printf_output == expected);
}

TEST_CASE("work-items that return early miss the barrier") {
  Record after;
  vm::Program program;
  set_code(program, {make(end_below, 10), make(barrier), make(record, after)});
  for (unsigned threads : {1u, 3u}) {
    after.visits.clear();
    const Outcome outcome = run_once(program, kThreeBatches, {.threads = threads});
    CHECK(outcome.end == LaunchResult::End::kCompleted);
    CHECK(after.visits.size() == 3 * 140);
    REQUIRE(outcome.findings.size() == 1);
    const scheduler::Finding& finding = outcome.findings[0];
    CHECK(finding.rule == Rule::kR0040);
    CHECK(finding.instruction == &program.code[1]);
    CHECK(finding.count == 3 * 140);
    CHECK(finding.first.global_id[0] == 10);
    REQUIRE(find(finding, Waiting::Where::kEnded) != nullptr);
    CHECK(find(finding, Waiting::Where::kEnded)->count == 10);
    CHECK(find(finding, Waiting::Where::kEnded)->first.local_id[0] == 0);
    CHECK(find(finding, Waiting::Where::kAtBarrier)->count == 140);
  }
}

TEST_CASE("batches at different barriers diverge and still end") {
  Record after;
  vm::Program program;
  // The first two batches take the first barrier, the third only the second one.
  set_code(program, {make(skip_next_from, 128), make(barrier), make(barrier), make(record, after)});
  const Outcome outcome = run_once(program, {{150, 1, 1}, {150, 1, 1}});
  CHECK(after.visits.size() == 150);
  REQUIRE(outcome.findings.size() == 1);
  const scheduler::Finding& finding = outcome.findings[0];
  REQUIRE(finding.waiting.size() == 2);
  CHECK(finding.waiting[0].instruction == &program.code[1]);
  CHECK(finding.waiting[0].count == 128);
  CHECK(finding.waiting[1].instruction == &program.code[2]);
  CHECK(finding.waiting[1].count == 22);
  CHECK(finding.waiting[1].first.local_id[0] == 128);
}

TEST_CASE("packed groups are judged one by one") {
  Record after;
  vm::Program program;
  // Groups of 4: work-items 0 and 1 of each return.
  set_code(program, {make(end_below, 2), make(barrier), make(record, after)});
  const Outcome outcome = run_once(program, {{40, 1, 1}, {4, 1, 1}}, {.packed = true});
  CHECK(after.visits.size() == 20);
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings[0].count == 20);
  CHECK(outcome.findings[0].first.global_id[0] == 2);

  // All of a group waits: another group's lanes do not matter.
  set_code(program, {make(end_below, 0), make(barrier), make(record, after)});
  CHECK(run_once(program, {{40, 1, 1}, {4, 1, 1}}, {.packed = true}).findings.empty());
}

TEST_CASE("every group finds its local memory zeroed and its own") {
  vm::Program program;
  set_code(program, {make(count_in_workgroup, 32)});
  const std::string expected = "1 2 3 4 1 2 3 4 1 2 3 4 ";
  const Sizes sizes{{12, 1, 1}, {4, 1, 1}};
  CHECK(run_once(program, sizes, {.workgroup_bytes = 128}).printf_output == expected);
  CHECK(run_once(program, sizes, {.packed = true, .workgroup_bytes = 128}).printf_output ==
        expected);
}

}  // namespace
}  // namespace transpire::test
