// Instructions of device-side enqueue: what they do is in vm/exec/enqueue.cpp.
#include "vm/exec/enqueue.h"
#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

struct EnqueueKernel : AnyKind<each<enqueue_kernel>> {};
struct EnqueueMarker : AnyKind<each<enqueue_marker>> {};
struct CountSubgroups : AnyKind<each<count_subgroups>> {};
struct CaptureProfiling : AnyKind<each<capture_profiling>> {};
struct DefaultQueue : AnyKind<each<default_queue>> {};
struct CreateUserEvent : AnyKind<each<create_user_event>> {};
struct SetUserEventStatus : AnyKind<each<set_user_event_status>> {};
struct RetainEvent : AnyKind<each<retain_event>> {};
struct ReleaseEvent : AnyKind<each<release_event>> {};
struct IsValidEvent : AnyKind<each<is_valid_event>> {};

}  // namespace

void fill_enqueue(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/enqueue.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
