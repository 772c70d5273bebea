#include "runtime/children.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "findings/findings.h"
#include "findings/texts.h"
#include "runtime/enqueue_rules.h"
#include "runtime/memory_use.h"

namespace transpire::runtime {
namespace {

using vm::exec::Command;
using vm::exec::EventHandle;

/// OpenCL's status codes of a command whose wait list had an error, and of a command that could not
/// be launched.
constexpr std::int32_t kErrorInWaitList = -14, kOutOfResources = -5;

std::uint64_t nanoseconds(std::chrono::steady_clock::duration duration) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count());
}

}  // namespace

Children::Children(DeviceState& device, const EnqueuingLaunch& by)
    : device_(device),
      by_(by),
      launch_(by.launch),
      module_(*by.launch.module.state()),
      queue_(by.queue),
      order_(launch_.schedule, launch_.seed) {}

void Children::run(LaunchResult& result, std::uint64_t printf_bytes) {
  result_ = &result;
  printf_bytes_ = printf_bytes;
  const Clock::time_point begin = Clock::now();
  Node& own = nodes_.emplace_back();
  own.has_run = true;
  if (!result.memory_uses.empty()) {
    own.use = result.memory_uses.front();
    note_use(kLaunch);
  }
  if (!launch_.wants_memory_use) result.memory_uses.clear();
  take_commands(kLaunch, by_.root.program());
  become_ready();
  while (!stopped() && !ready_.empty()) run_next();
  if (!stopped()) report_stuck();
  report();
  result.child_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

/// True if a limit has ended the launch. Running kernels look at limits themselves; this check is
/// for the time between them.
bool Children::stopped() {
  LaunchResult::End& end = result_->end;
  if (end != LaunchResult::End::kCompleted) return true;
  const std::uint64_t most = launch_.limits.max_findings;
  if (most != 0 && result_->findings.size() >= most) end = LaunchResult::End::kTooManyFindings;
  const WorkLimit::End spent = by_.limit.end();
  if (spent == WorkLimit::End::kNone && may_go_on_) return end != LaunchResult::End::kCompleted;
  const bool in_time = spent != WorkLimit::End::kTime;
  end = in_time ? LaunchResult::End::kCancelled : LaunchResult::End::kTimeLimit;
  scheduler::Finding found;
  found.rule = in_time ? Rule::kL0008 : Rule::kL0002;
  found.count = 0;
  append(found, by_.root.program());
  return true;
}

/// Progress callback of a child. It keeps the last answer, so a request to stop also ends the
/// launch between two children.
std::function<bool(std::uint64_t, std::uint64_t)> Children::watched_progress() {
  if (!launch_.progress) return {};
  return [this](std::uint64_t done, std::uint64_t total) {
    done_ = done;
    total_ = total;
    may_go_on_ = launch_.progress(done, total);
    return may_go_on_;
  };
}

/// Asks the progress callback again. Long work between two children calls this, such as ordering
/// millions of them.
bool Children::goes_on() {
  if (launch_.progress && may_go_on_) may_go_on_ = launch_.progress(done_, total_);
  return !stopped();
}

/// Appends a finding about the launch as a whole, or about an instruction of the program.
void Children::append(const scheduler::Finding& found, const vm::Program& program) {
  const vm::exec::LaunchIds ids;
  findings::append_described({found},
                             {module_.module, module_.places(), program, by_.root.space(), launch_,
                              ids, result_->end, launch_.limits.max_printf_bytes, by_.root.book()},
                             result_->findings);
}

// ---- Waiting -------------------------------------------------------------------------------------

void Children::take_commands(Number parent, const vm::Program& program) {
  constexpr Number kBetweenLooks = 1 << 12;
  nodes_[parent].first_child = static_cast<Number>(nodes_.size());
  vm::exec::DeviceQueue::Taken taken = queue_.take([this] { return goes_on(); });
  for (const std::uint32_t place : taken.order) {
    Command& command = taken.commands[place];
    const auto number = static_cast<Number>(nodes_.size());
    if (number % kBetweenLooks == 0 && !goes_on()) return;
    Node& node = nodes_.emplace_back();
    node.command = std::move(command);
    node.parent = parent;
    node.program = &program;
    if (!node.command.is_marker()) node.kernel = module_.enqueued_kernel(node.command.function);
    if (node.command.event != 0) made_by_.emplace(node.command.event, number);
    ++nodes_[parent].children;
    nodes_[parent].behind_children = number + 1;
    const bool has_other = parent != kLaunch && nodes_[parent].command.queue != node.command.queue;
    node.above_on_other = has_other ? parent : nodes_[parent].above_on_other;
    ++node.waits;  // held until all that it waits for is known
    if (node.command.is_marker() && node.command.waits.empty()) {
      wait_for_all_before(number);
    } else {
      wait_for_events(number);
      unmarked_[node.command.queue].commands.push_back(number);
    }
    release(number);
  }
}

void Children::wait_for_events(Number number) {
  Node& node = nodes_[number];
  for (const EventHandle event : node.command.waits) {
    const std::int32_t status = queue_.status(event);
    if (status > vm::exec::DeviceQueue::kComplete) {
      waiting_[event].push_back(number);
      ++node.waits;
    } else if (status < 0) {
      node.status = kErrorInWaitList;
    }
  }
}

/// Releases the commands that wait for events which have ended.
void Children::become_ready() {
  for (const EventHandle event : queue_.take_ended()) {
    const auto found = waiting_.find(event);
    if (found == waiting_.end()) continue;
    const std::vector<Number> numbers = std::move(found->second);
    waiting_.erase(found);
    for (const Number number : numbers) {
      if (queue_.status(event) < 0) nodes_[number].status = kErrorInWaitList;
      release(number);
    }
  }
}

void Children::release(Number number) {
  if (--nodes_[number].waits == 0) ready_.push_back(number);
}

// ---- Running -------------------------------------------------------------------------------------

void Children::run_next() {
  const auto next =
      ready_.begin() + static_cast<std::ptrdiff_t>(order_.command_at(begun_++, ready_.size()));
  const Number number = *next;
  ready_.erase(next);
  Node& node = nodes_[number];
  queue_.started(node.command);
  if (launch_.looks_for_races() && number < kMostCompared) find_before(number);
  node.command.waits = {};
  node.elsewhere = {};
  node.start = Clock::now();
  if (node.status < 0)
    finish(number, node.status, ChildLaunch::End::kCancelled);
  else if (node.command.is_marker() || std::ranges::count(node.command.range.global, 0u) != 0)
    finish(number, vm::exec::DeviceQueue::kComplete, ChildLaunch::End::kCompleted);
  else
    run_kernel(number);
  become_ready();
}

Launch Children::launch_of(Number number) {
  const Node& node = nodes_[number];
  const Command& command = node.command;
  Launch launch(launch_.module, module_.kernel_info(node.kernel).name);
  static_cast<LaunchSettings&>(launch) = launch_;
  launch.geometry = geometry_of(command.range);
  launch.shared = launch_.shared;
  launch.queues = launch_.queues;
  launch.has_default_queue = launch_.has_default_queue;
  launch.results = launch_.results;
  launch.stores = launch_.stores;
  launch.watch = launch_.watch;
  launch.progress = watched_progress();
  launch.executing = launch_.executing;
  launch.canceller = launch_.canceller;
  launch.limits = launch_.limits;
  launch.wants_memory_use = compares(number);
  Limits& limits = launch.limits;
  limits.max_printf_bytes -= std::min(limits.max_printf_bytes, printf_bytes_);
  limits.max_check_bytes -= std::min(limits.max_check_bytes, use_bytes_);
  limits.max_memory_bytes -= std::min(limits.max_memory_bytes, queue_.used_bytes());
  return launch;
}

void Children::run_kernel(Number number) {
  Node& node = nodes_[number];
  Launch launch = launch_of(number);
  std::vector<std::byte>& block = node.command.block;
  if (block.empty()) block.resize(1);  // a block that captures nothing has an address all the same
  Result<Buffer> captured = Buffer::create(block.size(), "captures of " + launch.kernel);
  if (captured) {
    std::ranges::copy(block, captured->bytes().begin());
    captured->set_read_only(true);
    if (!node.command.shadow.empty()) {
      captured->set_undefined();
      const std::span<std::byte> bits = captured->undefined_bits();
      if (!bits.empty()) std::ranges::copy(node.command.shadow, bits.begin());
    }
    launch.arguments.push_back(Argument::buffer(*captured));
  }
  block = {};
  for (const std::uint64_t bytes : node.command.local_sizes)
    launch.arguments.push_back(Argument::local(bytes));
  DeviceState::Ran ran;
  Result<LaunchResult> part = captured ? device_.run_enqueued(launch, node.kernel, by_, ran)
                                       : Result<LaunchResult>(captured.errors());
  if (!part) {
    if (stopped()) return;
    report(number, Rule::kR0096, part.errors());
    return finish(number, kOutOfResources, ChildLaunch::End::kRefused);
  }
  // The block's memory is freed here, and another buffer may get its address.
  for (const MemoryUse& use : part->memory_uses) use.forget(captured->bytes());
  const bool is_whole = part->end == LaunchResult::End::kCompleted;
  printf_bytes_ += ran.printf_bytes;
  merge(number, std::move(*part));
  if (!is_whole) return;
  take_commands(number, *ran.program);
  finish(number, vm::exec::DeviceQueue::kComplete, ChildLaunch::End::kCompleted);
}

/// Ends the command itself: it has run, or never will. Its children may still run.
void Children::finish(Number number, std::int32_t status, ChildLaunch::End end) {
  Node& node = nodes_[number];
  node.has_run = true;
  node.command.block = {};
  node.status = status;
  node.end_ns = nanoseconds(Clock::now() - node.start);
  node.outcome.end = end;
  complete_upwards(number);
}

/// A loop, not a recursion: kernels that enqueue themselves nest as deep as they are many. A failed
/// kernel fails its parent, too.
void Children::complete_upwards(Number number) {
  while (nodes_[number].has_run && nodes_[number].children == 0 && number != kLaunch) {
    Node& node = nodes_[number];
    node.is_complete = true;
    queue_.finish(node.command.event, node.status,
                  {node.end_ns, nanoseconds(Clock::now() - node.start)});
    for (const Number marker : node.markers) release(marker);
    node.markers = {};
    Node& parent = nodes_[node.parent];
    if (parent.status >= 0 && node.status < 0 && !node.command.is_marker())
      parent.status = node.status;
    --parent.children;
    number = node.parent;
  }
}

// ---- What is reported --------------------------------------------------------------------------------

/// "enqueued by work-item (0,0,0) of 'parent' at quicksort.cl:31:5"
std::string Children::enqueued_by(const Node& node) const {
  const Node& parent = nodes_[node.parent];
  const std::string& name =
      node.parent == kLaunch ? launch_.kernel : module_.kernel_info(parent.kernel).name;
  return fmt::format("enqueued by work-item {} of '{}' at {}",
                     findings::text_of(node.command.item.global_id), name,
                     module_.places().spell(node.program->source_of(node.command.instruction)));
}

void Children::merge(Number number, LaunchResult part) {
  Node& node = nodes_[number];
  node.outcome.seconds = part.wall_seconds;
  node.outcome.local_size = part.local_size;
  node.outcome.findings = part.findings.size();
  result_->end = part.end;
  result_->printf_output += part.printf_output;
  result_->instructions += part.instructions;
  add_counts(part.instruction_counts, *result_);
  merge_findings(number, std::move(part.findings));
  if (part.memory_uses.empty()) return;
  node.use = part.memory_uses.front();
  if (launch_.wants_memory_use) result_->memory_uses.push_back(*node.use);
  find_races(number);
}

void Children::merge_findings(Number number, std::vector<Finding> findings) {
  std::vector<std::size_t> place(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].follows_from)  // a finding comes behind its cause
      findings[i].follows_from->finding = place[findings[i].follows_from->finding];
    const Folded* const folded = merge_finding(number, std::move(findings[i]));
    if (folded == nullptr) return;
    place[i] = folded->finding;
  }
}

/// Returns the entry that the finding was folded into. Null if the result already has the maximum
/// number of findings.
Children::Folded* Children::merge_finding(Number number, Finding finding) {
  std::vector<Finding>& all = result_->findings;
  const Diagnostic& diagnostic = finding.diagnostic;
  const auto [known, is_new] = alike_.try_emplace(
      {diagnostic.rule, diagnostic.word_offset, finding.allocation}, Folded{all.size(), number});
  Folded& folded = known->second;
  if (!is_new) {
    all[folded.finding].count += finding.count;
    count_again(number, folded);
    return &folded;
  }
  const std::uint64_t most = launch_.limits.max_findings;
  if (most != 0 && all.size() >= most) {
    alike_.erase(known);
    return nullptr;
  }
  finding.diagnostic.notes.push_back(enqueued_by(nodes_[number]));
  all.push_back(std::move(finding));
  return &folded;
}

void Children::count_again(Number number, Folded& folded) {
  if (folded.last != number) ++folded.more;
  folded.last = number;
}

/// Reports a finding at the instruction that enqueued a command.
void Children::report(Number number, Rule rule, const Diagnostics& why) {
  Node& node = nodes_[number];
  ++node.outcome.findings;
  const auto [known, is_new] =
      reported_.try_emplace({rule, node.command.instruction}, result_->findings.size());
  if (!is_new) {
    ++result_->findings[known->second].count;
    return;
  }
  scheduler::Finding found;
  found.rule = rule;
  found.instruction = node.command.instruction;
  found.count = 1;
  found.first = node.command.item;
  if (rule == Rule::kR0095)
    for (const EventHandle event : node.command.waits)
      if (queue_.status(event) > vm::exec::DeviceQueue::kComplete)
        if (const auto awaited = queue_.awaited(event)) found.related.push_back(*awaited);
  append(found, *node.program);
  std::vector<std::string>& notes = result_->findings.back().diagnostic.notes;
  for (const Diagnostic& error : why) {
    notes.push_back(error.message);
    if (!error.help.empty()) notes.push_back(error.help);
  }
  if (node.parent != kLaunch) notes.push_back(enqueued_by(nodes_[node.parent]));
}

/// Reports the commands that still wait for an event that nothing will end.
void Children::report_stuck() {
  for (Number number = 1; number < nodes_.size() && !stopped(); ++number) {
    if (nodes_[number].has_run) continue;
    nodes_[number].outcome.end = ChildLaunch::End::kNeverRan;
    if (nodes_[kLaunch].status == 0) nodes_[kLaunch].status = kErrorInWaitList;
    report(number, Rule::kR0095, {});
  }
}

void Children::report() {
  if (no_memory_) report_unchecked(without_memory("race"), result_->findings);
  if (are_too_many_)
    report_unchecked(
        fmt::format("--check=race compares the first {} kernels that a launch enqueues, "
                    "and it enqueued more",
                    kMostCompared - 1),
        result_->findings);
  for (const auto& [_, folded] : alike_) {
    if (folded.more == 0) continue;
    Finding& finding = result_->findings[folded.finding];
    finding.diagnostic.notes.push_back(
        fmt::format("{} more enqueued kernel{} had it, {} times in all", folded.more,
                    folded.more == 1 ? "" : "s", finding.count));
  }
  result_->child_status = nodes_[kLaunch].status;
  result_->child_count = nodes_.size() - 1;
  const std::size_t most = std::min(nodes_.size(), LaunchResult::kMostChildren + 1);
  for (Number number = 1; number < most; ++number) {
    Node& node = nodes_[number];
    ChildLaunch& outcome = node.outcome;
    const Command& command = node.command;
    if (!command.is_marker()) outcome.kernel = module_.kernel_info(node.kernel).name;
    outcome.parent = node.parent == kLaunch ? ChildLaunch::kLaunch : node.parent - 1;
    outcome.enqueued_by = command.item.global_id;
    outcome.source = module_.module.source_line(node.program->source_of(command.instruction).line);
    outcome.dimensions = command.range.dimensions;
    outcome.global_size = command.range.global;
    if (outcome.local_size[0] == 0) outcome.local_size = command.range.local;
    outcome.global_offset = command.range.offset;
    result_->children.push_back(std::move(outcome));
  }
}

}  // namespace transpire::runtime
