// The C interface of Watch and WatchedRun: transpire/watch.h.
#include "transpire/watch.h"

#include <algorithm>

#include "c_api/c_api.h"
#include "transpire/watch.hpp"

namespace transpire::c_api {
namespace {

/// State of an event for the functions that take it. It lives as long as the call.
struct EventState {
  const WatchPlace* place = nullptr;
  const WatchAccess* access = nullptr;
  std::string spelled{};
};

void copy(const std::array<std::uint64_t, 3>& from, std::uint64_t to[3]) {
  std::copy(from.begin(), from.end(), to);
}

/// Calls a C function for each event.
class FunctionWatch final : public Watch {
 public:
  FunctionWatch(transpire_watch watch, void* user) : watch_(watch), user_(user) {}

  Answer launch_begins(const WatchLaunch& launch) override {
    return tell_launch(TRANSPIRE_EVENT_LAUNCH_BEGINS, launch);
  }
  Answer launch_ends(const WatchLaunch& launch) override {
    return tell_launch(TRANSPIRE_EVENT_LAUNCH_ENDS, launch);
  }
  Answer group_begins(const WatchGroup& group) override {
    return tell_group(TRANSPIRE_EVENT_GROUP_BEGINS, group);
  }
  Answer group_ends(const WatchGroup& group) override {
    return tell_group(TRANSPIRE_EVENT_GROUP_ENDS, group);
  }
  Answer step(const WatchStep& step) override { return tell_step(TRANSPIRE_EVENT_STEP, step); }
  Answer waits(const WatchStep& step) override { return tell_step(TRANSPIRE_EVENT_WAITS, step); }
  Answer meets(const WatchStep& step) override { return tell_step(TRANSPIRE_EVENT_MEETS, step); }
  Answer access(const WatchAccess& access) override {
    transpire_event event = event_of(TRANSPIRE_EVENT_ACCESS, access);
    const std::string allocation(access.allocation);
    event.access = static_cast<transpire_access_kind>(access.kind);
    event.memory = static_cast<transpire_memory_kind>(access.memory);
    event.allocation = allocation.c_str();
    event.offset_bytes = access.offset_bytes;
    event.address = access.address;
    event.size_bytes = access.size_bytes;
    event.host = access.host;
    return tell(event, {.place = &access.place, .access = &access});
  }
  Answer prints(const WatchPrint& print) override {
    return tell_text(TRANSPIRE_EVENT_PRINTS, print, std::string(print.text));
  }
  Answer found(const WatchFinding& finding) override {
    return tell_text(TRANSPIRE_EVENT_FOUND, finding, finding.rule);
  }
  Answer enqueued(const WatchEvent& event) override {
    return tell(event_of(TRANSPIRE_EVENT_ENQUEUED, event), {.place = &event.place});
  }
  Answer packet(const WatchPacket& packet) override {
    transpire_event event = event_of(TRANSPIRE_EVENT_PACKET, packet);
    const std::string pipe(packet.pipe);
    event.access = packet.is_read ? TRANSPIRE_ACCESS_LOAD : TRANSPIRE_ACCESS_STORE;
    event.allocation = pipe.c_str();
    event.size_bytes = packet.size_bytes;
    return tell(event, {.place = &packet.place});
  }

 private:
  static transpire_event empty(transpire_event_kind kind) {
    transpire_event event{};
    event.kind = kind;
    event.kernel = event.allocation = event.text = "";
    return event;
  }

  static void set_item(const WatchItem& item, transpire_event& event) {
    copy(item.global_id, event.global_id);
    copy(item.group_id, event.group_id);
    copy(item.local_id, event.local_id);
  }

  static transpire_event event_of(transpire_event_kind kind, const WatchEvent& of) {
    transpire_event event = empty(kind);
    event.word_offset = of.place.word_offset();
    event.opcode = of.place.opcode();
    event.items = 1;
    event.round = of.round;
    set_item(of.item, event);
    return event;
  }

  Answer tell_launch(transpire_event_kind kind, const WatchLaunch& launch) {
    transpire_event event = empty(kind);
    const std::string kernel(launch.kernel);
    event.kernel = kernel.c_str();
    copy(launch.global_size, event.global_size);
    copy(launch.local_size, event.local_size);
    event.is_child = launch.is_child;
    return tell(event, {});
  }

  Answer tell_group(transpire_event_kind kind, const WatchGroup& group) {
    transpire_event event = empty(kind);
    copy(group.group_id, event.group_id);
    return tell(event, {});
  }

  Answer tell_step(transpire_event_kind kind, const WatchStep& step) {
    transpire_event event = empty(kind);
    event.word_offset = step.place.word_offset();
    event.opcode = step.place.opcode();
    event.items = step.items.size();
    if (event.items != 0) set_item(step.items[0], event);
    return tell(event, {.place = &step.place});
  }

  Answer tell_text(transpire_event_kind kind, const WatchEvent& of, const std::string& text) {
    transpire_event event = event_of(kind, of);
    event.text = text.c_str();
    return tell(event, {.place = &of.place});
  }

  Answer tell(transpire_event event, EventState state) {
    event.state = &state;
    switch (watch_(&event, user_)) {
      case TRANSPIRE_ANSWER_GO_ON:
        return Answer::kGoOn;
      case TRANSPIRE_ANSWER_STOP:
        return Answer::kStop;
      default:
        return Answer::kEnd;
    }
  }

  transpire_watch watch_;
  void* user_;
};

}  // namespace
}  // namespace transpire::c_api

struct transpire_run {
  transpire::WatchedRun run;
};

using namespace transpire;
using c_api::guarded;

const char* transpire_event_place(const transpire_event* event) {
  if (event == nullptr || event->state == nullptr) return "";
  auto& state = *static_cast<c_api::EventState*>(const_cast<void*>(event->state));
  if (state.place == nullptr) return "";
  state.spelled = state.place->spell();
  return state.spelled.c_str();
}

size_t transpire_event_read(const transpire_event* event, void* bytes, size_t size_bytes) {
  if (event == nullptr || event->state == nullptr || bytes == nullptr) return 0;
  const auto& state = *static_cast<const c_api::EventState*>(event->state);
  if (state.access == nullptr) return 0;
  const std::size_t size = std::min<std::uint64_t>(size_bytes, state.access->size_bytes);
  state.access->read({static_cast<std::byte*>(bytes), size});
  return size;
}

transpire_status transpire_launch_set_watch(transpire_launch* launch, transpire_watch watch,
                                            void* user, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    std::unique_ptr<Watch> made;
    if (watch != nullptr) made = std::make_unique<c_api::FunctionWatch>(watch, user);
    launch->launch.watch = made.get();
    launch->watch = std::move(made);
    return Unit{};
  });
}

transpire_status transpire_run_create(const transpire_launch* launch,
                                      const transpire_device* device, transpire_run** run,
                                      transpire_error** error) {
  c_api::clear(run);
  return guarded(
      __func__, error, {{"launch", launch}, {"device", device}, {"run", run}}, [&]() -> Status {
        TRANSPIRE_TRY(WatchedRun made, WatchedRun::create(device->device, launch->launch));
        *run = new transpire_run{std::move(made)};
        return Unit{};
      });
}

namespace {

/// The launch is refused if it has ended without a result.
Status refusal(const WatchedRun& run) {
  const Result<LaunchResult>* const result = run.result();
  return result == nullptr || *result ? Status(Unit{}) : Status(result->errors());
}

}  // namespace

transpire_status transpire_run_go_on(transpire_run* run, bool* stopped, transpire_error** error) {
  return guarded(__func__, error, {{"run", run}, {"stopped", stopped}}, [&] {
    *stopped = run->run.go_on();
    return refusal(run->run);
  });
}

uint64_t transpire_run_position(const transpire_run* run) {
  return run == nullptr ? 0 : run->run.position();
}

transpire_status transpire_run_go_to(transpire_run* run, uint64_t position, bool* there,
                                     transpire_error** error) {
  return guarded(__func__, error, {{"run", run}, {"there", there}}, [&] {
    *there = run->run.go_to(position);
    return refusal(run->run);
  });
}

transpire_status transpire_run_get_result(const transpire_run* run, transpire_result** result,
                                          transpire_error** error) {
  c_api::clear(result);
  return guarded(__func__, error, {{"run", run}, {"result", result}}, [&]() -> Status {
    const Result<LaunchResult>* const ended = run->run.result();
    if (ended == nullptr) return c_api::invalid("the launch has not ended");
    if (!*ended) return ended->errors();
    auto made = std::make_unique<transpire_result>();
    made->result = **ended;
    c_api::describe(*made);
    *result = made.release();
    return Unit{};
  });
}

void transpire_run_release(transpire_run* run) { delete run; }
