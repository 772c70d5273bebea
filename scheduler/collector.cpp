// Folding and ordering of findings and printf text.
#include "scheduler/collector.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/rule_facts.h"
#include "scheduler/item_locations.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/value_reader.h"

namespace transpire::scheduler {
namespace {

std::uint32_t count_lanes(const std::uint64_t mask[vm::exec::kMaxMaskWords]) {
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word)
    count += static_cast<std::uint32_t>(std::popcount(mask[word]));
  return count;
}

bool is_limit(Rule rule) { return facts_of(rule).is_limit; }

/// Orders the first events of equal findings. Events of one work-item arrive in the right order.
auto when(const Finding& finding) {
  return std::tuple(finding.first.group_linear, finding.round, finding.first.local_linear);
}

/// Offsets in the module of an instruction and of the calls through which it was expanded, the outermost call first.
std::vector<std::uint32_t> path_of(const vm::Program& program, const vm::Inst* instruction) {
  std::vector<std::uint32_t> words;
  if (instruction == nullptr) return words;
  const vm::Source* source = &program.source_of(instruction);
  for (;; source = &program.sources[source->called_from]) {
    words.push_back(source->word_offset);
    if (source->called_from == 0) break;
  }
  std::reverse(words.begin(), words.end());
  return words;
}

/// True if both were made from one instruction of the module, expanded for one chain of calls.
bool is_one_place(const vm::Program& program, const vm::Inst* a, const vm::Inst* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  const std::uint32_t word = program.source_of(a).word_offset;
  return word != 0 && word == program.source_of(b).word_offset &&
         path_of(program, a) == path_of(program, b);
}

/// The operands that a check reports, with their values in the event's lane.
std::vector<std::uint64_t> reported_operands(const vm::exec::Batch& batch,
                                             const vm::exec::Event& event) {
  const vm::Site& site = batch.program->site_of(event.instruction);
  std::vector<std::uint64_t> operands(site.reported);
  for (std::uint32_t i = 0; i < site.reported; ++i)
    operands[i] = vm::exec::read_home(
        batch, batch.program->reported_values[site.first_reported + i], event.lane);
  return operands;
}

const void* place_of(const vm::Program& program, const vm::Inst* instruction) {
  const vm::Source& source = program.source_of(instruction);
  if (source.word_offset == 0) return instruction;
  return &source;
}

/// True for events of accesses to memory, false for events of checks: an instruction of the module may have several checks.
bool is_access(const vm::Program& program, const vm::exec::Event& event) {
  const vm::Site& site = program.site_of(event.instruction);
  return event.size_bytes != 0 && site.remark == 0 && site.number == 0 && site.reported == 0;
}

/// Joins two findings about neighbouring parts of one access. False if they are no such parts.
bool join(Finding& kept, const Finding& part) {
  if (kept.instruction == part.instruction || kept.place != part.place || part.size_bytes == 0 ||
      kept.time != part.time || when(kept) != when(part))
    return false;
  const bool is_behind = kept.address + kept.size_bytes == part.address;
  if (!is_behind && part.address + part.size_bytes != kept.address) return false;
  if (!is_behind) kept.address = part.address;
  kept.size_bytes += part.size_bytes;
  return true;
}

/// The count of two equal findings together. `event` is the later one; `counted` is updated.
std::uint64_t count_both(const Finding& kept, const Finding& event, PartCount& counted) {
  const bool is_same_execution = counted.batch != nullptr && counted.batch == event.counted.batch &&
                                 counted.time == event.time;
  if (!is_same_execution) counted = {event.counted.batch, event.time, nullptr, kept.count, 0};
  if (counted.part != event.instruction) counted.of_part = 0;
  counted.part = event.instruction;
  counted.of_part += event.count;
  return std::max(kept.count, counted.before + counted.of_part);
}

}  // namespace

FindingKey key_of(const Finding& finding) {
  if (is_limit(finding.rule)) return {finding.rule, nullptr, nullptr, nullptr};
  const void* place = finding.place != nullptr ? finding.place : finding.instruction;
  const void* other = finding.other_place;
  // A race has the same key, whichever access came last.
  if (other != nullptr && std::less<>()(other, place)) std::swap(place, other);
  return {finding.rule, place, finding.allocation, other};
}

void FindingLimit::seen(const FindingKey& key) {
  if (limit_ == 0) return;
  const std::lock_guard lock(mutex_);
  keys_.insert(key);
  if (keys_.size() >= limit_) reached_.store(true, std::memory_order_relaxed);
}

void Collector::begin(const memory::AddressSpace* memory, FindingLimit* limit,
                      std::uint64_t print_limit) {
  memory_ = memory;
  limit_ = limit;
  past_divergence_ = {};
  if (!findings_.empty()) {
    findings_.clear();
    histories_.clear();
  }
  prints_.clear();
  text_.clear();
  print_limit_ = print_limit;
  print_bytes_ = bytes_at_unit_ = dropped_ = 0;
}

Collector::Added Collector::add(Finding finding) {
  const auto [place, is_new] = findings_.try_emplace(key_of(finding));
  const FindingKey& key = place->first;
  Finding& kept = place->second;
  if (is_new) {
    kept = std::move(finding);
    if (!is_limit(kept.rule)) limit_->seen(key);
    return {&key, &kept};
  }
  PartCount counted = kept.counted;
  const std::uint64_t count = count_both(kept, finding, counted);
  if (is_limit(kept.rule)) {
    ItemLocations all;
    all.add(kept.waiting);
    all.add(finding.waiting);
    kept.waiting = std::move(all).places();
    finding.waiting = kept.waiting;
  }
  const bool is_first = !join(kept, finding) && when(finding) < when(kept);
  if (is_first) kept = std::move(finding);
  kept.count = count;
  kept.counted = counted;
  return {&key, is_first ? &kept : nullptr};
}

Collector::History& Collector::history_of(const vm::exec::Batch& batch, const WorkItem& item,
                                          std::uint32_t lane) {
  // Batches of a group with barriers alternate. Any other batch runs to its end.
  const bool by_turns = batch.program->uses_barrier && batch.packed_group_id[0] == nullptr;
  const std::uint64_t number = by_turns ? item.local_linear : lane;
  if (number >= histories_.size()) histories_.resize(number + 1);
  History& history = histories_[number];
  if (history.group_linear == item.group_linear && history.local_linear == item.local_linear)
    return history;
  history.group_linear = item.group_linear;
  history.local_linear = item.local_linear;
  history.entries.clear();
  return history;
}

namespace {

/// Adds the origins of an undefined value, while the batch still stands at the instruction that found it.
void add_origins(const vm::exec::Batch& batch, const vm::exec::Event& event, Finding& finding) {
  if (finding.rule != Rule::kR0101 || batch.undefined == nullptr) return;
  if (event.origin != nullptr) {
    finding.origins = {*event.origin};
    return;
  }
  const std::uint64_t use = batch.program->site_of(event.instruction).number;
  finding.origins = batch.undefined->origins_of(batch.program->undefined_uses[use], event.lane);
}

}  // namespace

void Collector::finding(const vm::exec::Batch& batch, const vm::exec::Event& event) {
  if (batch.program->watched && batch.observer != nullptr) batch.observer->found(batch, event);
  Finding finding;
  finding.rule = static_cast<Rule>(event.rule);
  finding.instruction = event.instruction;
  if (facts_of(finding.rule).concerns != RuleFacts::Concerns::kNoAllocation &&
      (event.size_bytes != 0 || event.address != 0))
    finding.allocation = memory_->nearest(event.address);
  finding.address = event.address;
  finding.size_bytes = event.size_bytes;
  finding.index = event.index;
  if (is_access(*batch.program, event)) finding.place = place_of(*batch.program, event.instruction);
  if (event.other != nullptr) {
    finding.other = event.other->access;
    finding.related = event.other->related;
    if (finding.other) finding.other_place = place_of(*batch.program, finding.other->instruction);
  }
  finding.operands = reported_operands(batch, event);
  finding.count = finding.lanes = event.lanes;
  finding.counted = {&batch, batch.steps, event.instruction, 0, event.lanes};
  finding.batch_lanes = count_lanes(batch.mask);
  finding.first = work_item(batch, event.lane);
  finding.round = round_of(event.lane);
  finding.round += vm::exec::has_lane(past_divergence_.data(), event.lane) ? 1 : 0;
  finding.time = batch.steps;
  if (facts_of(finding.rule).concerns == RuleFacts::Concerns::kSubgroup)
    finding.waiting = locations_of_subgroup(batch, event.lane, event.instruction);
  std::vector<History::Entry>& before = history_of(batch, finding.first, event.lane).entries;
  const Added added = add(std::move(finding));
  if (added.first != nullptr) add_origins(batch, event, *added.first);
  if (added.first != nullptr)
    for (const History::Entry& entry : before)
      if (entry.steps != batch.steps ||
          !is_one_place(*batch.program, entry.instruction, event.instruction))
        added.first->earlier.push_back(*entry.key);
  const auto is_known = [&added](const History::Entry& entry) { return entry.key == added.key; };
  if (before.size() < kMostEarlier && std::none_of(before.begin(), before.end(), is_known))
    before.push_back({added.key, event.instruction, batch.steps});
}

void Collector::barrier_divergence(std::vector<Waiting> waiting, std::uint32_t round) {
  Finding finding;
  finding.rule = Rule::kR0040;
  finding.round = round;
  finding.closes_round = true;
  for (const Waiting& place : waiting) {
    if (place.where != Waiting::Where::kAtBarrier) continue;
    if (finding.count == 0 || place.first < finding.first) {
      finding.instruction = place.instruction;
      finding.first = place.first;
    }
    finding.count += place.count;
  }
  finding.waiting = std::move(waiting);
  add(std::move(finding));
}

void Collector::stopped(std::vector<Waiting> places, Rule limit) {
  Finding finding;
  finding.rule = limit;
  for (const Waiting& place : places) {
    finding.count += place.count;
    const bool runs =
        place.where == Waiting::Where::kStopped || place.where == Waiting::Where::kBusyWait;
    if (!runs || (limit == Rule::kR0048 && finding.instruction != nullptr)) continue;
    finding.instruction = place.instruction;
    finding.first = place.first;
    finding.allocation = place.allocation;
    finding.address = place.address;
    finding.size_bytes = place.size_bytes;
  }
  finding.waiting = std::move(places);
  add(std::move(finding));
}

void Collector::left_open(const memory::Allocation& pipe, const memory::PipeUser& user,
                          const vm::exec::LaunchIds& launch) {
  Finding finding;
  finding.rule = Rule::kR0087;
  finding.instruction = static_cast<const vm::Inst*>(user.instruction);
  finding.allocation = &pipe;
  finding.address = pipe.begin;
  finding.count = finding.lanes = finding.batch_lanes = 1;
  finding.first = vm::exec::work_item_at(launch, user.group_linear, user.local_linear);
  finding.round = ~std::uint32_t{0};  // after all rounds
  add(std::move(finding));
}

bool Collector::print(const vm::exec::Batch& batch, std::uint32_t lane, const char* text,
                      std::size_t size) {
  const WorkItem item = work_item(batch, lane);
  const std::uint64_t bytes_of_unit = print_bytes_ - bytes_at_unit_ + size + kPrintBytes;
  if (dropped_ != 0 || bytes_at_unit_ >= print_limit_ || bytes_of_unit > print_limit_) {
    if (dropped_++ == 0) last_group_ = item.group_linear;
    return false;
  }
  prints_.push_back({item.group_linear, round_of(lane),
                     static_cast<std::uint32_t>(item.local_linear), text_.size(), size});
  text_.append(text, size);
  print_bytes_ += size + kPrintBytes;
  if (batch.program->watched && batch.observer != nullptr)
    batch.observer->printed(batch, lane, {text, size});
  return true;
}

std::vector<Finding> merge_findings(const std::vector<Collector*>& collectors,
                                    const vm::Program& program) {
  Collector all;
  FindingLimit unlimited(0);
  all.begin(nullptr, &unlimited, 0);
  for (Collector* collector : collectors)
    for (auto& [key, finding] : collector->findings_) all.add(std::move(finding));
  std::vector<Finding> findings;
  findings.reserve(all.findings_.size());
  for (auto& [key, finding] : all.findings_) findings.push_back(std::move(finding));
  std::sort(findings.begin(), findings.end(), [&program](const Finding& a, const Finding& b) {
    const auto order = [](const Finding& f) {
      return std::tuple(is_limit(f.rule), f.first.group_linear, f.round, f.closes_round,
                        f.first.local_linear, f.time);
    };
    if (order(a) != order(b)) return order(a) < order(b);
    return std::tuple(path_of(program, a.instruction), a.instruction, a.rule, a.address) <
           std::tuple(path_of(program, b.instruction), b.instruction, b.rule, b.address);
  });
  return findings;
}

Printed merge_prints(const std::vector<Collector*>& collectors, std::uint64_t limit) {
  struct Piece {
    const Collector::Print* print;
    const Collector* collector;
  };
  Printed printed;
  std::uint64_t last_group = ~std::uint64_t{0};
  for (const Collector* collector : collectors) {
    printed.dropped += collector->dropped_;
    if (collector->dropped_ != 0) last_group = std::min(last_group, collector->last_group_);
  }
  std::vector<Piece> pieces;
  for (const Collector* collector : collectors) {
    // The text ends with the unit that this worker began to drop in, which may be several groups.
    const bool ends_here = collector->dropped_ != 0 && collector->last_group_ == last_group;
    for (const Collector::Print& print : collector->prints_) {
      if (!ends_here && print.group_linear > last_group)
        ++printed.dropped;
      else
        pieces.push_back({&print, collector});
    }
  }
  // A group runs on one worker, so a stable sort keeps each work-item's own order.
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.print->group_linear, a.print->round, a.print->local_linear) <
           std::tie(b.print->group_linear, b.print->round, b.print->local_linear);
  });
  std::size_t kept = 0;
  for (; kept < pieces.size(); ++kept) {
    const Collector::Print& print = *pieces[kept].print;
    const std::uint64_t bytes = printed.bytes + print.size + kPrintBytes;
    if (bytes > limit) break;
    printed.bytes = bytes;
    printed.text.append(pieces[kept].collector->text_, print.begin, print.size);
  }
  printed.dropped += pieces.size() - kept;
  return printed;
}

}  // namespace transpire::scheduler
