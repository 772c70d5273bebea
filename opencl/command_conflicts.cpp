// Compares the accesses of commands that nothing orders: see opencl/command_races.h.
#include <fmt/format.h>

#include "base/rule.h"
#include "opencl/command_races.h"
#include "opencl/repeated_findings.h"
#include "opencl/report.h"

namespace transpire::opencl {
namespace {

/// Number of findings that are remembered, so that each is reported once.
constexpr std::size_t kMostTold = 4096;

/// A finding between commands of the host, which has no place in a kernel.
std::vector<Finding> between_commands(Rule rule, std::string message) {
  std::vector<Finding> findings(1);
  findings[0].diagnostic = make_diagnostic(rule, std::move(message));
  if (rule == Rule::kR0102)
    findings[0].diagnostic.help =
        "the event of the one in the wait list of the other orders the two, or an in-order queue "
        "for both, or a barrier between them in one queue";
  return findings;
}

/// The findings of the first row for which `find` returns any.
template <class Find>
std::vector<Finding> of_rows(const TouchedBytes& bytes, const Find& find) {
  for (std::size_t i = 0; i < bytes.rows(); ++i)
    if (std::vector<Finding> found = find(bytes.row(i)); !found.empty()) return found;
  return {};
}

}  // namespace

void CommandRaces::compare(const Use& now, const Beside& beside, const std::string& call) {
  const std::shared_lock lock(footprints_);
  for (const std::span<const std::byte> bytes : beside.not_given)
    for (const MemoryUse& use : now.launch) tell(use.in_unlisted(bytes), call);
  for (const Mapped& map : beside.maps) compare(now, map, call);
  for (const auto& earlier : beside.uses) compare(now, *earlier, call);
}

void CommandRaces::compare(const Use& now, const Use& earlier, const std::string& call) {
  const auto with_transfer = [&](const MemoryUse& launch, const Use& transfer) {
    tell(of_rows(transfer.bytes,
                 [&](std::span<const std::byte> row) {
                   return launch.races_with(row, transfer.writes, transfer.name);
                 }),
         call);
  };
  for (const MemoryUse& own : now.launch) {
    for (const MemoryUse& other : earlier.launch) tell(own.races_with(other), call);
    if (earlier.launch.empty()) with_transfer(own, earlier);
  }
  if (!now.launch.empty()) return;
  for (const MemoryUse& other : earlier.launch) with_transfer(other, now);
  if (earlier.launch.empty() && (now.writes || earlier.writes) && overlap(now.bytes, earlier.bytes))
    tell(between_commands(Rule::kR0102,
                          fmt::format("{} races with {}", now.name,
                                      now.name == earlier.name ? "another one" : earlier.name)),
         call);
}

void CommandRaces::compare(const Use& now, const Mapped& map, const std::string& call) {
  for (const MemoryUse& use : now.launch)
    tell(of_rows(
             map.bytes,
             [&](std::span<const std::byte> row) { return use.in_mapped(row, map.for_writing); }),
         call);
  if (now.launch.empty() && (now.writes || map.for_writing) && overlap(now.bytes, map.bytes))
    tell(between_commands(Rule::kR0104, fmt::format("{} {} what the host has mapped for {}",
                                                    now.name, now.writes ? "writes" : "reads",
                                                    map.for_writing ? "writing" : "reading")),
         call);
}

void CommandRaces::tell_missed(const std::string& call) {
  tell(between_commands(Rule::kL0010,
                        "TRANSPIRE_CL_CHECK=race does not remember what all commands did that "
                        "nothing orders with this one"),
       call);
}

/// Reports each kind of finding once, however often the program causes it.
void CommandRaces::tell(std::vector<Finding> findings, const std::string& call) {
  if (findings.empty()) return;
  std::unique_lock lock(told_mutex_);
  std::erase_if(findings, [this](const Finding& finding) {
    return !told_.insert(kind_of(finding.diagnostic)).second;
  });
  if (told_.size() > kMostTold) told_.clear();
  lock.unlock();
  if (findings.empty()) return;
  LaunchResult result;
  result.findings = std::move(findings);
  report(result, call);
}

}  // namespace transpire::opencl
