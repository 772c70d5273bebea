#include "opencl/device_queues.h"

#include <algorithm>

#include "opencl/entry_point.h"
#include "opencl/queue.h"

namespace transpire::opencl {

bool DeviceQueues::Entry::is_of(const _cl_device_id& device) const {
  return queue->device.get() == &device;
}

cl_command_queue DeviceQueues::add(_cl_command_queue& queue, cl_uint size_bytes, bool as_default) {
  const std::lock_guard lock(mutex_);
  std::size_t siblings = 0;
  for (const Entry& entry : entries_) {
    if (!entry.is_of(*queue.device)) continue;
    if (as_default && entry.is_default && entry.queue->try_retain()) return entry.queue;
    ++siblings;
  }
  check(siblings < kMaxDeviceQueues && handles_ + 1 != 0, CL_OUT_OF_RESOURCES);
  entries_.push_back({&queue, as_default});
  queue.on_device = DeviceQueue{++handles_, size_bytes};
  return &queue;
}

void DeviceQueues::remove(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.queue == &queue; });
}

void DeviceQueues::set_default(const _cl_command_queue& queue) {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_)
    if (entry.is_of(*queue.device)) entry.is_default = entry.queue == &queue;
}

cl_command_queue DeviceQueues::default_of(const _cl_device_id& device) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_)
    if (entry.is_default && entry.is_of(device) && entry.queue->references() != 0)
      return entry.queue;
  return nullptr;
}

DeviceQueues::OfDevice DeviceQueues::of(const _cl_device_id& device) const {
  OfDevice found;
  const std::lock_guard lock(mutex_);
  found.queues.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    _cl_command_queue& queue = *entry.queue;
    if (!entry.is_of(device) || queue.references() == 0 || !queue.try_hold()) continue;
    found.queues.emplace_back(&queue);
    queue.drop();  // not the last holder
    if (!entry.is_default) continue;
    std::swap(found.queues.front(), found.queues.back());
    found.has_default = true;
  }
  return found;
}

}  // namespace transpire::opencl
