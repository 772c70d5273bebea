// Folding and ordering of findings and printf text.
#include "scheduler/collector.h"

#include <algorithm>
#include <bit>

namespace transpire::scheduler {
namespace {

std::uint32_t count_lanes(const std::uint64_t mask[vm::exec::kMaxMaskWords]) {
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word)
    count += static_cast<std::uint32_t>(std::popcount(mask[word]));
  return count;
}

/// Rules whose address was computed from no allocation, so that naming a neighbour would mislead.
bool concerns_no_allocation(Rule rule) { return rule == Rule::kR0001 || rule == Rule::kR0002; }

/// Rules that say why a launch ended, once a launch.
bool is_limit(Rule rule) { return rule == Rule::kL0001 || rule == Rule::kL0002; }

/// The same places once, with as many work-items as both have.
void merge_places(std::vector<Waiting>& into, const std::vector<Waiting>& from) {
  for (const Waiting& place : from) {
    const auto same = std::find_if(into.begin(), into.end(), [&place](const Waiting& each) {
      return each.instruction == place.instruction;
    });
    if (same == into.end()) {
      into.push_back(place);
      continue;
    }
    same->count += place.count;
    if (place.first < same->first) same->first = place.first;
  }
}

FindingLimit::Key key_of(const Finding& finding) {
  if (is_limit(finding.rule)) return {finding.rule, nullptr, nullptr};
  return {finding.rule, finding.instruction, finding.allocation};
}

}  // namespace

void FindingLimit::seen(const Key& key) {
  if (limit_ == 0) return;
  const std::lock_guard lock(mutex_);
  keys_.insert(key);
  if (keys_.size() >= limit_) reached_.store(true, std::memory_order_relaxed);
}

void Collector::begin(const memory::AddressSpace* memory, FindingLimit* limit,
                      std::uint64_t print_limit) {
  memory_ = memory;
  limit_ = limit;
  if (!findings_.empty()) findings_.clear();
  prints_.clear();
  text_.clear();
  print_limit_ = print_limit;
  print_bytes_ = bytes_at_unit_ = dropped_ = 0;
}

void Collector::add(Finding finding) {
  const FindingLimit::Key key = key_of(finding);
  const auto [place, is_new] = findings_.try_emplace(key);
  Finding& kept = place->second;
  if (is_new) {
    kept = std::move(finding);
    if (!is_limit(kept.rule)) limit_->seen(key);
    return;
  }
  const std::uint64_t count = kept.count + finding.count;
  if (is_limit(kept.rule)) {
    std::vector<Waiting> places = std::move(kept.waiting);
    merge_places(places, finding.waiting);
    finding.waiting = places;
    kept.waiting = std::move(places);
  }
  if (finding.first < kept.first) kept = std::move(finding);
  kept.count = count;
}

void Collector::finding(const vm::exec::Batch& batch, const vm::exec::Event& event) {
  Finding finding;
  finding.rule = static_cast<Rule>(event.rule);
  finding.instruction = event.instruction;
  if (!concerns_no_allocation(finding.rule) && (event.size_bytes != 0 || event.address != 0))
    finding.allocation = memory_->nearest(event.address);
  finding.address = event.address;
  finding.size_bytes = event.size_bytes;
  finding.index = event.index;
  finding.count = finding.lanes = event.lanes;
  finding.batch_lanes = count_lanes(batch.mask);
  finding.first = work_item(batch, event.lane);
  add(std::move(finding));
}

void Collector::barrier_divergence(std::vector<Waiting> waiting) {
  Finding finding;
  finding.rule = Rule::kR0040;
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

void Collector::stopped(const vm::exec::Batch& batch, Rule limit) {
  Finding finding;
  finding.rule = limit;
  finding.instruction = batch.ip;
  finding.count = finding.lanes = finding.batch_lanes = count_lanes(batch.mask);
  for (std::uint32_t word = vm::exec::kMaxMaskWords; word-- > 0;)
    if (batch.mask[word] != 0)
      finding.first = work_item(
          batch, word * 64 + static_cast<std::uint32_t>(std::countr_zero(batch.mask[word])));
  finding.waiting = {{Waiting::Where::kStopped, batch.ip, finding.count, finding.first}};
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
  const std::uint32_t round = rounds_[items_per_round_ == 0 ? 0 : lane / items_per_round_];
  prints_.push_back({item.group_linear, round, static_cast<std::uint32_t>(item.local_linear),
                     text_.size(), size});
  text_.append(text, size);
  print_bytes_ += size + kPrintBytes;
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
  // Code order is not the module's: the optimiser moves and merges accesses.
  const auto place = [&program](const Finding& f) {
    return f.instruction == nullptr ? 0 : program.source_of(f.instruction).word_offset;
  };
  std::sort(findings.begin(), findings.end(), [&place](const Finding& a, const Finding& b) {
    if (is_limit(a.rule) != is_limit(b.rule)) return is_limit(b.rule);
    if (a.first < b.first || b.first < a.first) return a.first < b.first;
    return std::tuple(place(a), a.instruction, a.rule, a.address) <
           std::tuple(place(b), b.instruction, b.rule, b.address);
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
  std::uint64_t bytes = 0;
  std::size_t kept = 0;
  for (; kept < pieces.size(); ++kept) {
    const Collector::Print& print = *pieces[kept].print;
    bytes += print.size + kPrintBytes;
    if (bytes > limit) break;
    printed.text.append(pieces[kept].collector->text_, print.begin, print.size);
  }
  printed.dropped += pieces.size() - kept;
  return printed;
}

}  // namespace transpire::scheduler
