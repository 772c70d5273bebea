// The executor. Detached worker threads share its state: any of them may drop the last reference to
// a context, and with it the executor.
//
// Ownership, so that nothing is lost and no cycle remains:
//
//   queue.pending --> command     until it has ended; the command holds its queue all its life
//   a.followers   --> b           until a has ended
//   b.waits_on    --> a           until b is ready
//
// A thread that has the mutex may drop only references to ended commands, and only while it holds
// the context: then no callback or destructor runs under the mutex.
#include "opencl/executor.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "opencl/device.h"
#include "opencl/entry_point.h"
#include "opencl/event.h"
#include "opencl/exit_gate.h"
#include "opencl/queue.h"

namespace transpire::opencl {
namespace {

/// Threads that run flushed commands nobody waits for. Launches use the device's own threads
/// besides.
constexpr std::size_t kMaxWorkers = 4;

/// A callback that is due.
struct DueCallback {
  _cl_event::Callback callback;
  cl_event event;
  cl_int status;

  void operator()() const {
    if (status <= CL_COMPLETE) tell_waited(*event);
    callback.function(event, status, callback.data);
    event->release();  // the reference that registering it took
  }
};
using Calls = std::vector<DueCallback>;

void call_all(const Calls& calls) {
  for (const DueCallback& call : calls) call();
}

void stamp(_cl_event& command, cl_profiling_info moment, cl_ulong ago_ns = 0) {
  if (command.queue && command.queue->profiles())
    command.times[moment - CL_PROFILING_COMMAND_QUEUED] = now_ns() - ago_ns;
}

Ending do_work(const _cl_event& command) {
  Ending ending = CL_COMPLETE;
  if (!command.work) return ending;
  const cl_int failure = guarded([&] { ending = command.work(); });
  return failure != CL_SUCCESS ? failure : ending;
}

/// Notes in the context's CommandRaces that a command begins, runs and ends. Lives while the
/// command runs.
class Ordered {
 public:
  explicit Ordered(const _cl_event& command)
      : order_(command.context->order.get()), node_(command.order), outer_(command.order) {
    if (order_ == nullptr) return;
    order_->begins(node_);
    std::swap(current_command(), outer_);
  }
  ~Ordered() {
    if (order_ == nullptr) return;
    std::swap(current_command(), outer_);
    order_->ended(node_);
  }
  Ordered(const Ordered&) = delete;
  Ordered& operator=(const Ordered&) = delete;

 private:
  CommandRaces* const order_;
  const CommandRaces::Pointer node_;
  CommandRaces::Pointer outer_;  ///< command whose work waits for this one, if any
};

/// True if a command runs only after all commands before it in its queue have ended.
bool waits_for_front(const _cl_event& command) {
  return command.queue->in_order() || command.waits_for_all;
}

/// An event that must end before `command` may run; null if there is none, or `command` is a user event.
_cl_event* needed_by(_cl_event& command) {
  if (!command.queue) return nullptr;
  const _cl_command_queue& queue = *command.queue;
  if (waits_for_front(command) && queue.pending.front().get() != &command)
    return queue.pending.front().get();
  while (!command.waits_on.empty() && command.waits_on.back()->has_ended())
    command.waits_on.pop_back();
  return command.waits_on.empty() ? nullptr : command.waits_on.back().get();
}

/// Moves the callbacks for a status from the event to `calls`.
void collect_calls(_cl_event& event, Calls& calls) {
  if (event.callbacks.empty()) return;
  const cl_int status = event.status.load(std::memory_order_relaxed);
  std::erase_if(event.callbacks, [&](const _cl_event::Callback& callback) {
    if (callback.status < status) return false;
    calls.push_back({callback, &event, status < 0 ? status : callback.status});
    return true;
  });
}

}  // namespace

class Executor::Core : public std::enable_shared_from_this<Core> {
 public:
  using Lock = std::unique_lock<std::mutex>;

  void enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list);
  void flush(_cl_command_queue& queue);
  void finish(_cl_command_queue& queue);
  void wait(std::span<const cl_event> events);
  bool end_user_event(_cl_event& event, cl_int status);
  void add_callback(_cl_event& event, const _cl_event::Callback& callback);
  void abandon(_cl_event& event);
  std::size_t pending_callbacks(const _cl_event& event);
  void stop();

 private:
  /// The path from an awaited command back to one that must run first. It is kept while that runs,
  /// so running a whole graph visits each edge once.
  using Way = std::vector<Ref<_cl_event>>;

  void follow(_cl_event& before, const Ref<_cl_event>& command, bool explicitly);
  void link(const Ref<_cl_event>& command, std::span<const cl_event> wait_list);
  void submit(_cl_command_queue& queue, Calls& calls);
  void submit_all(Calls& calls);
  void make_ready_if_so(_cl_event& command);
  void take(_cl_event& command);
  Ref<_cl_event> take_any();
  Ref<_cl_event> take_of(_cl_command_queue& queue, std::uint64_t last);
  Ref<_cl_event> take_needed(Way& way, _cl_event& target);
  void run(Lock& lock, const Ref<_cl_event>& command);
  void end(_cl_event& event, cl_int status, Calls& calls);
  void leave_queue(_cl_event& command);
  void call(Lock& lock, Calls& calls);
  void sleep(Lock& lock);
  void wake(std::size_t mine);
  void serve();

  /// The threads of one process that run commands nobody waits for. A process that was forked lacks those of its parent.
  struct Workers {
    const pid_t process = getpid();
    std::condition_variable work;  // a command is ready, or the executor ends
    std::size_t count = 0;
    std::size_t idle = 0;
  };

  std::mutex mutex_;
  std::condition_variable ended_;                // wakes waiting threads
  std::vector<_cl_command_queue*> unflushed_;    // each queue holds commands, which hold it
  std::deque<_cl_command_queue*> ready_queues_;  // as unflushed_
  std::size_t ready_count_ = 0;
  std::unique_ptr<Workers> workers_ = std::make_unique<Workers>();
  std::size_t waiters_ = 0;  // number of sleeping waiters
  bool stopping_ = false;
};

// ---- From enqueued to ready ----------------------------------------------------------------------

void Executor::Core::follow(_cl_event& before, const Ref<_cl_event>& command, bool explicitly) {
  if (before.has_ended()) {
    if (explicitly && before.status.load(std::memory_order_relaxed) < 0)
      command->wait_failed = true;
    return;
  }
  before.followers.push_back({command, explicitly});
  command->waits_on.emplace_back(&before);
  ++command->waits_for;
}

/// Ties a command to the commands that must end before it.
void Executor::Core::link(const Ref<_cl_event>& command, std::span<const cl_event> wait_list) {
  for (const cl_event event : wait_list) follow(*event, command, true);
  _cl_command_queue& queue = *command->queue;
  if (queue.in_order()) return;
  const bool is_barrier = command->type == CL_COMMAND_BARRIER;
  if ((is_barrier || command->type == CL_COMMAND_MARKER) && wait_list.empty()) {
    command->waits_for_all = true;
  } else if (queue.last_barrier) {
    follow(*queue.last_barrier, command, false);
  }
  if (is_barrier) queue.last_barrier = command;
}

void Executor::Core::enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list) {
  stamp(*command, CL_PROFILING_COMMAND_QUEUED);
  _cl_command_queue& queue = *command->queue;
  const Lock lock(mutex_);
  link(command, wait_list);
  if (command->context->order != nullptr) command->context->order->enqueued(*command, wait_list);
  if (queue.enqueued == queue.flushed) unflushed_.push_back(&queue);
  command->number = ++queue.enqueued;
  queue.pending.push_back(command);
}

/// Flushes a queue. The caller removes it from `unflushed_`.
void Executor::Core::submit(_cl_command_queue& queue, Calls& calls) {
  const std::uint64_t before = queue.flushed;
  queue.flushed = queue.enqueued;
  const auto first = std::upper_bound(
      queue.pending.begin(), queue.pending.end(), before,
      [](std::uint64_t number, const Ref<_cl_event>& command) { return number < command->number; });
  for (auto command = first; command != queue.pending.end(); ++command) {
    (*command)->status.store(CL_SUBMITTED, std::memory_order_release);
    stamp(**command, CL_PROFILING_COMMAND_SUBMIT);
    collect_calls(**command, calls);
    make_ready_if_so(**command);
  }
}

void Executor::Core::submit_all(Calls& calls) {
  for (_cl_command_queue* queue : unflushed_) submit(*queue, calls);
  unflushed_.clear();
}

void Executor::Core::make_ready_if_so(_cl_event& command) {
  _cl_command_queue& queue = *command.queue;
  if (command.waits_for != 0 || command.number > queue.flushed) return;
  if (waits_for_front(command) && queue.pending.front().get() != &command) return;
  command.waits_on.clear();
  command.is_ready = true;
  queue.ready.emplace_back(&command);
  if (queue.ready_count++ == 0) ready_queues_.push_back(&queue);
  ++ready_count_;
}

// ---- From ready to taken --------------------------------------------------------------------------

/// Takes `command`, which is ready, for the caller to run. The caller holds it.
void Executor::Core::take(_cl_event& command) {
  command.is_ready = false;
  --ready_count_;
  _cl_command_queue& queue = *command.queue;
  if (--queue.ready_count == 0) {
    queue.ready.clear();
    std::erase(ready_queues_, &queue);
    return;
  }
  while (!queue.ready.front()->is_ready) queue.ready.pop_front();
  while (!queue.ready.back()->is_ready) queue.ready.pop_back();
}

/// Takes a ready command, from the queues in turn; null if there is none.
Ref<_cl_event> Executor::Core::take_any() {
  if (ready_queues_.empty()) return nullptr;
  _cl_command_queue* const queue = ready_queues_.front();
  Ref<_cl_event> command = queue->ready.front();
  ready_queues_.pop_front();
  ready_queues_.push_back(queue);
  take(*command);
  return command;
}

/// Takes a ready command of a queue, up to number `last`; null if there is none.
Ref<_cl_event> Executor::Core::take_of(_cl_command_queue& queue, std::uint64_t last) {
  if (queue.ready_count == 0 || queue.ready.front()->number > last) return nullptr;
  Ref<_cl_event> command = queue.ready.front();
  take(*command);
  return command;
}

/// Takes `target`, which has not ended, or something it waits for: the end of the path. Null if
/// other threads run that, or if it is a user event.
Ref<_cl_event> Executor::Core::take_needed(Way& way, _cl_event& target) {
  while (!way.empty() && way.back()->has_ended()) way.pop_back();
  if (way.empty()) way.emplace_back(&target);
  while (!way.back()->is_ready) {
    _cl_event* const needed = needed_by(*way.back());
    if (needed == nullptr) return nullptr;
    way.emplace_back(needed);
  }
  Ref<_cl_event> command = way.back();
  take(*command);
  return command;
}

// ---- From running to ended ------------------------------------------------------------------------

/// Runs a command that the caller took. The lock is released meanwhile.
void Executor::Core::run(Lock& lock, const Ref<_cl_event>& command) {
  cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (!command->wait_failed) {
    Calls calls;
    command->status.store(CL_RUNNING, std::memory_order_release);
    collect_calls(*command, calls);
    lock.unlock();
    call_all(calls);
    stamp(*command, CL_PROFILING_COMMAND_START);
    const Ordered ordered(*command);
    const Ending ending = do_work(*command);
    status = ending.status;
    stamp(*command, CL_PROFILING_COMMAND_END, ending.children_ns);
  } else {
    lock.unlock();
    const Ordered ordered(*command);
  }
  command->work = nullptr;  // its captures go before anybody learns that it has ended
  stamp(*command, CL_PROFILING_COMMAND_COMPLETE);
  Calls calls;
  lock.lock();
  end(*command, status, calls);
  call(lock, calls);
}

/// Ends a command or user event and releases its followers.
void Executor::Core::end(_cl_event& event, cl_int status, Calls& calls) {
  event.status.store(status, std::memory_order_release);
  collect_calls(event, calls);
  if (event.queue) leave_queue(event);
  for (const _cl_event::Follower& follower : event.followers) {
    _cl_event& command = *follower.event;
    if (follower.explicitly && status < 0) command.wait_failed = true;
    --command.waits_for;
    make_ready_if_so(command);
  }
  event.followers = {};
  if (waiters_ != 0) ended_.notify_all();
}

void Executor::Core::leave_queue(_cl_event& command) {
  _cl_command_queue& queue = *command.queue;
  const auto at = std::lower_bound(
      queue.pending.begin(), queue.pending.end(), command.number,
      [](const Ref<_cl_event>& other, std::uint64_t number) { return other->number < number; });
  const bool was_front = at == queue.pending.begin();
  queue.pending.erase(at);
  if (queue.last_barrier.get() == &command) queue.last_barrier = nullptr;
  if (!was_front || queue.pending.empty()) return;
  _cl_event& front = *queue.pending.front();
  if (waits_for_front(front)) make_ready_if_so(front);
}

/// Calls callbacks with the lock released. Other threads go on meanwhile, whatever a callback does.
void Executor::Core::call(Lock& lock, Calls& calls) {
  if (calls.empty()) return;
  wake(0);
  lock.unlock();
  call_all(calls);
  calls.clear();
  lock.lock();
}

bool Executor::Core::end_user_event(_cl_event& event, cl_int status) {
  Calls calls;
  Lock lock(mutex_);
  if (event.has_ended()) return false;
  if (event.context->order != nullptr) event.context->order->user_event_ends(event);
  end(event, status, calls);
  wake(0);
  lock.unlock();
  call_all(calls);
  return true;
}

void Executor::Core::abandon(_cl_event& event) {
  Calls calls;
  Lock lock(mutex_);
  if (event.has_ended() || event.references() > event.callbacks.size()) return;
  end(event, CL_INVALID_EVENT, calls);
  wake(0);
  lock.unlock();
  call_all(calls);
}

std::size_t Executor::Core::pending_callbacks(const _cl_event& event) {
  const Lock lock(mutex_);
  return event.callbacks.size();
}

void Executor::Core::add_callback(_cl_event& event, const _cl_event::Callback& callback) {
  Calls calls;
  Lock lock(mutex_);
  event.retain();
  event.callbacks.push_back(callback);
  collect_calls(event, calls);
  lock.unlock();
  call_all(calls);
}

// ---- Those who flush and wait ----------------------------------------------------------------------

void Executor::Core::flush(_cl_command_queue& queue) {
  Calls calls;
  Lock lock(mutex_);
  if (queue.flushed == queue.enqueued) return;
  std::erase(unflushed_, &queue);
  submit(queue, calls);
  wake(0);
  lock.unlock();
  call_all(calls);
}

void Executor::Core::finish(_cl_command_queue& queue) {
  Calls calls;
  Way way;
  Lock lock(mutex_);
  const std::uint64_t last = queue.enqueued;
  if (queue.flushed != last) {
    std::erase(unflushed_, &queue);
    submit(queue, calls);
    call(lock, calls);
  }
  while (!queue.pending.empty() && queue.pending.front()->number <= last) {
    Ref<_cl_event> command = take_of(queue, last);
    if (!command) {  // it waits for other queues or threads
      submit_all(calls);
      call(lock, calls);
      if (queue.pending.empty() || queue.pending.front()->number > last) break;
      command = take_needed(way, *queue.pending.front());
    }
    wake(queue.ready_count);
    if (command)
      run(lock, command);
    else
      sleep(lock);
  }
  wake(0);
}

void Executor::Core::wait(std::span<const cl_event> events) {
  Calls calls;
  Way way;
  Lock lock(mutex_);
  submit_all(calls);
  call(lock, calls);
  for (std::size_t first = 0; first != events.size();) {
    if (events[first]->has_ended()) {
      ++first;
      continue;
    }
    const Ref<_cl_event> command = take_needed(way, *events[first]);
    wake(0);
    if (command)
      run(lock, command);
    else
      sleep(lock);
  }
  wake(0);
}

/// Waits until a command has ended.
void Executor::Core::sleep(Lock& lock) {
  ++waiters_;
  ended_.wait(lock);
  --waiters_;
}

// ---- Workers --------------------------------------------------------------------------------------

/// Makes sure that workers run ready commands, except `mine` of them, which the caller runs. Wakes
/// one worker, which wakes the next.
void Executor::Core::wake(std::size_t mine) {
  if (ready_count_ <= mine) return;
  if (workers_->process != getpid()) {
    auto here = std::make_unique<Workers>();
    (void)workers_.release();  // leaked: threads of the parent may have waited for it
    workers_ = std::move(here);
  }
  if (workers_->idle != 0) {
    workers_->work.notify_one();
    return;
  }
  if (workers_->count == kMaxWorkers) return;
  try {
    watch_exit();
    std::thread([core = shared_from_this()] { core->serve(); }).detach();
    ++workers_->count;
  } catch (const std::exception&) {
    // No thread can be started: threads that wait for the commands run them.
  }
}

void Executor::Core::serve() {
  Lock lock(mutex_);
  while (!stopping_) {
    if (ready_queues_.empty()) {
      ++workers_->idle;
      workers_->work.wait(lock);
      --workers_->idle;
      continue;
    }
    lock.unlock();
    {
      const Passage passage;  // not while the process exits; ready commands stay for other threads
      lock.lock();
      Ref<_cl_event> command = take_any();
      if (command) {
        wake(0);
        run(lock, command);
      }
      lock.unlock();
      command = nullptr;  // perhaps with its queue, its context and the executor
    }
    lock.lock();
  }
}

void Executor::Core::stop() {
  const Lock lock(mutex_);
  stopping_ = true;
  if (workers_->process == getpid()) workers_->work.notify_all();
}

// ---- Executor --------------------------------------------------------------------------------------

Executor::Executor() : core_(std::make_shared<Core>()) {}

Executor::~Executor() { core_->stop(); }

void Executor::enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list) {
  core_->enqueue(command, wait_list);
}

void Executor::flush(_cl_command_queue& queue) { core_->flush(queue); }

void Executor::finish(_cl_command_queue& queue) {
  const Ref<_cl_command_queue> held(&queue);  // a callback may release it
  core_->finish(queue);
  if (queue.context->order != nullptr) queue.context->order->host_finished(queue);
}

bool Executor::wait(std::span<const cl_event> events) {
  std::vector<Ref<_cl_event>> held;  // a callback may release them
  for (const cl_event event : events) held.emplace_back(event);
  core_->wait(events);
  for (const cl_event event : events) tell_waited(*event);
  return std::all_of(events.begin(), events.end(),
                     [](cl_event event) { return event->status.load() == CL_COMPLETE; });
}

bool Executor::end_user_event(_cl_event& event, cl_int status) {
  const Ref<_cl_event> held(&event);
  return core_->end_user_event(event, status);
}

void Executor::abandon(_cl_event& event) {
  const Ref<_cl_event> held(&event);
  core_->abandon(event);
}

std::size_t Executor::pending_callbacks(const _cl_event& event) {
  return core_->pending_callbacks(event);
}

void Executor::add_callback(_cl_event& event, cl_int status,
                            void(CL_CALLBACK* callback)(cl_event, cl_int, void*), void* data) {
  const Ref<_cl_event> held(&event);
  core_->add_callback(event, {status, callback, data});
  if (event.queue) core_->flush(*event.queue);
}

}  // namespace transpire::opencl
