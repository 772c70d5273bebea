#include "runtime/watched_run.h"

#include <span>

#include "base/result.h"
#include "runtime/device.h"
#include "runtime/instruments.h"
#include "runtime/undefined_bits.h"
#include "transpire/watch.hpp"

namespace transpire {
namespace runtime {
namespace {

using Ranges = std::vector<std::span<std::byte>>;
using Owners = std::vector<std::shared_ptr<const void>>;

/// Buffers, images, shared memory and program-scope variables.
Ranges ranges_written(const memory::AddressSpace& space) {
  Ranges ranges;
  for (const memory::Allocation& each : space.allocations())
    if ((each.region == memory::Region::kBuffer || each.region == memory::Region::kImage) &&
        each.host != nullptr && !each.read_only && !each.is_shadow)
      ranges.emplace_back(each.host, each.size_bytes);
  return ranges;
}

/// The masks of undefined bits that outlive a launch. Adds the owners of buffers' masks.
Ranges undefined_masks(const Launch& launch, Owners& owners) {
  Ranges masks;
  for (const Argument& argument : launch.arguments) {
    if (!argument.memory || argument.memory->state()->undefined == nullptr) continue;
    const std::shared_ptr<UndefinedBits>& bits = argument.memory->state()->undefined;
    if (std::byte* const mask = bits->bytes(); mask != nullptr)
      masks.emplace_back(mask, bits->size_bytes());
    owners.push_back(bits);
  }
  if (!launch.shared) return masks;
  for (const SharedMemory::Range& range : launch.shared->ranges())
    masks.push_back(launch.shared->undefined_bits(range.bytes.data(), range.bytes.size()));
  return masks;
}

/// Observers are not told of stores to the masks, so all of each mask is kept.
KeptPages pages_of(const Instrumented& root, Owners& owners) {
  Ranges ranges = ranges_written(root.memory.space()), masks;
  if (root.prepared.program->tracks_undefined()) masks = undefined_masks(root.launch, owners);
  ranges.insert(ranges.end(), masks.begin(), masks.end());
  KeptPages pages(std::move(ranges));
  for (const std::span<std::byte> mask : masks) pages.before_change(mask.data(), mask.size());
  return pages;
}

}  // namespace

MemoryAtBeginning::MemoryAtBeginning(const Instrumented& root)
    : owners_{root.prepared.module}, pages_(pages_of(root, owners_)) {
  for (const memory::Allocation* const each : root.memory.space().pipes()) {
    if (each->pipe == nullptr) continue;
    const auto lock = each->pipe->lock();
    pipes_.emplace_back(each->pipe, each->pipe->state());
  }
}

void MemoryAtBeginning::restore() const {
  pages_.restore();
  for (const auto& [pipe, state] : pipes_) {
    const auto lock = pipe->lock();
    pipe->restore(*state);
  }
}

// ---- The launch's side ----------------------------------------------------------------------------

void WatchGate::enter(const Instrumented& root) {
  if (memory_) {  // the launch is repeated, or its next part begins, which writes the same memory
    if (root.queue != nullptr) root.queue->set_mark(mark_);
    return;
  }
  if (root.queue != nullptr) mark_ = root.queue->mark();
  memory_.emplace(root);
}

std::uint64_t WatchGate::next_number(std::atomic<std::uint64_t>& launches) {
  if (!first_number_) next_number_ = *(first_number_ = launches.fetch_add(1));
  return next_number_++;
}

template <class Tell>
Watch::Answer WatchGate::pass(const Tell& tell) {
  if (position_ < quiet_until_) return position_++ == end_ ? Answer::kEnd : Answer::kGoOn;
  if (std::exchange(stops_, false) && !hold_up()) return Answer::kEnd;
  const std::uint64_t number = position_++;
  if (end_ == number) end_.reset();  // the watch answers again
  const Answer answer = tell();
  if (answer == Answer::kStop) return hold_up() ? Answer::kGoOn : Answer::kEnd;
  if (answer == Answer::kEnd) end_ = number;
  return answer;
}

bool WatchGate::hold_up() {
  std::unique_lock lock(mutex_);
  state_ = State::kHeldUp;
  changed_.notify_all();
  changed_.wait(lock, [this] { return state_ == State::kRunning; });
  return !abandoned_;
}

Watch::Answer WatchGate::launch_begins(const WatchLaunch& launch) {
  return pass([&] { return watch_.launch_begins(launch); });
}

Watch::Answer WatchGate::launch_ends(const WatchLaunch& launch) {
  return pass([&] { return watch_.launch_ends(launch); });
}

Watch::Answer WatchGate::group_begins(const WatchGroup& group) {
  return pass([&] { return watch_.group_begins(group); });
}

Watch::Answer WatchGate::group_ends(const WatchGroup& group) {
  return pass([&] { return watch_.group_ends(group); });
}

Watch::Answer WatchGate::step(const WatchStep& step) {
  return pass([&] { return watch_.step(step); });
}

Watch::Answer WatchGate::access(const WatchAccess& access) {
  return pass([&] { return watch_.access(access); });
}

Watch::Answer WatchGate::waits(const WatchStep& step) {
  return pass([&] { return watch_.waits(step); });
}

Watch::Answer WatchGate::meets(const WatchStep& step) {
  return pass([&] { return watch_.meets(step); });
}

Watch::Answer WatchGate::prints(const WatchPrint& print) {
  return pass([&] { return watch_.prints(print); });
}

Watch::Answer WatchGate::found(const WatchFinding& finding) {
  return pass([&] { return watch_.found(finding); });
}

Watch::Answer WatchGate::enqueued(const WatchEvent& event) {
  return pass([&] { return watch_.enqueued(event); });
}

Watch::Answer WatchGate::packet(const WatchPacket& packet) {
  return pass([&] { return watch_.packet(packet); });
}

void WatchGate::leave(Result<LaunchResult> result) {
  const std::lock_guard lock(mutex_);
  result_.emplace(std::move(result));
  state_ = State::kEnded;
  changed_.notify_all();
}

void WatchGate::leave(std::exception_ptr thrown) {
  const std::lock_guard lock(mutex_);
  thrown_ = std::move(thrown);
  state_ = State::kEnded;
  changed_.notify_all();
}

// ---- The driver's side ----------------------------------------------------------------------------

void WatchGate::start(std::uint64_t quiet_until, bool stops) {
  const std::lock_guard lock(mutex_);
  position_ = 0;
  quiet_until_ = quiet_until;
  stops_ = stops;
  abandoned_ = false;
  result_.reset();
  thrown_ = nullptr;
  next_number_ = first_number_.value_or(0);
  state_ = State::kRunning;
}

bool WatchGate::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return state_ != State::kRunning; });
  if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return state_ == State::kHeldUp;
}

bool WatchGate::go_on() {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::kRunning;
    changed_.notify_all();
  }
  return wait();
}

void WatchGate::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  state_ = State::kRunning;
  changed_.notify_all();
}

void WatchGate::restore() const {
  if (memory_) memory_->restore();
}

WatchedRunState::WatchedRunState(Device device, const Launch& launch)
    : device_(std::move(device)),
      launch_(launch),
      timeout_seconds_(launch.limits.timeout_seconds),
      gate_(*launch.watch) {
  launch_.watch = &gate_;
  // A time limit would count the time for which the launch is held up, and progress would be reported meanwhile.
  launch_.limits.timeout_seconds = 0;
  launch_.progress = nullptr;
  launch_.executing = nullptr;
}

WatchedRunState::~WatchedRunState() { abandon(); }

void WatchedRunState::abandon() {
  if (gate_.is_held_up()) gate_.abandon();
  if (thread_.joinable()) thread_.join();
}

Result<LaunchResult> WatchedRunState::run_once() {
  DeviceState& device = *device_.state();
  if (!initialised_) {
    Launch first = launch_;
    first.limits.timeout_seconds = timeout_seconds_;
    initialised_.emplace(device.initialise(first));
  }
  if (!*initialised_) return *initialised_;
  if (!shaders_) {
    TRANSPIRE_TRY(shaders_, device.shaders_of(launch_, WorkLimit()));
  }
  if (*shaders_) return device.run_shaders(launch_, **shaders_, WorkLimit(), nullptr);
  Result<LaunchResult> result = device.run_initialised(launch_, nullptr, **initialised_);
  // If this launch was refused, the next launch's result reports the initializers.
  if (!result) initialised_.emplace(LaunchResult{});
  return result;
}

bool WatchedRunState::run(std::uint64_t quiet_until, bool stops) {
  abandon();
  gate_.restore();
  gate_.start(quiet_until, stops);
  try {
    thread_ = std::thread([this] {
      try {
        gate_.leave(run_once());
      } catch (...) {
        gate_.leave(std::current_exception());
      }
    });
  } catch (...) {
    gate_.leave(std::current_exception());
  }
  return gate_.wait();
}

bool WatchedRunState::go_on() {
  if (!initialised_) return run(0, false);
  return gate_.is_held_up() && gate_.go_on();
}

bool WatchedRunState::go_to(std::uint64_t position) { return run(position, true); }

}  // namespace runtime

Result<WatchedRun> WatchedRun::create(const Device& device, const Launch& launch) {
  if (launch.watch == nullptr) return make_diagnostic(Rule::kC0040, "the launch has no watch");
  return WatchedRun(std::make_unique<runtime::WatchedRunState>(device, launch));
}

WatchedRun::WatchedRun(std::unique_ptr<runtime::WatchedRunState> state)
    : state_(std::move(state)) {}
WatchedRun::WatchedRun(WatchedRun&&) noexcept = default;
WatchedRun& WatchedRun::operator=(WatchedRun&&) noexcept = default;
WatchedRun::~WatchedRun() = default;

bool WatchedRun::go_on() { return state_->go_on(); }
std::uint64_t WatchedRun::position() const { return state_->gate().position(); }
bool WatchedRun::go_to(std::uint64_t position) { return state_->go_to(position); }

const Result<LaunchResult>* WatchedRun::result() const {
  const auto& result = state_->gate().result();
  return result ? &*result : nullptr;
}

}  // namespace transpire
