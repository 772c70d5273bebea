// Devices: queries, sub-devices, and the clock that host and devices share.
#include "opencl/device.h"

#include <CL/cl_ext.h>
#include <unistd.h>

#include <chrono>

#include "opencl/entry_point.h"
#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

using Property = cl_device_partition_property;

bool is_device_type(cl_device_type type) {
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                    CL_DEVICE_TYPE_CUSTOM;
  return type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~kKnown) == 0);
}

/// Threads of each sub-device that the properties ask for.
std::vector<unsigned> shares_of(const Property* properties, unsigned threads) {
  check(properties != nullptr, CL_INVALID_VALUE);
  const Property* at = properties + 1;
  if (properties[0] == CL_DEVICE_PARTITION_EQUALLY) {
    check(at[0] > 0 && at[1] == 0, CL_INVALID_VALUE);
    check(threads > 1, CL_DEVICE_PARTITION_FAILED);
    check(at[0] <= static_cast<Property>(threads), CL_INVALID_DEVICE_PARTITION_COUNT);
    // A sub-device with all threads would be the device itself.
    check(at[0] < static_cast<Property>(threads), CL_DEVICE_PARTITION_FAILED);
    const auto share = static_cast<unsigned>(at[0]);
    return std::vector<unsigned>(threads / share, share);
  }
  check(properties[0] == CL_DEVICE_PARTITION_BY_COUNTS, CL_INVALID_VALUE);
  check(threads > 1, CL_DEVICE_PARTITION_FAILED);
  std::vector<unsigned> shares;
  cl_ulong sum = 0;
  for (; *at != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++at) {
    check(*at > 0 && *at <= static_cast<Property>(threads) && shares.size() < threads,
          CL_INVALID_DEVICE_PARTITION_COUNT);
    shares.push_back(static_cast<unsigned>(*at));
    sum += shares.back();
  }
  check(!shares.empty() && at[1] == 0, CL_INVALID_VALUE);
  check(sum <= threads, CL_INVALID_DEVICE_PARTITION_COUNT);
  return shares;
}

/// The list that clGetDeviceInfo returns, with its closing zero.
std::vector<Property> partition_of(const Property* properties, std::size_t shares) {
  const bool by_counts = properties[0] == CL_DEVICE_PARTITION_BY_COUNTS;
  return {properties, properties + (by_counts ? shares + 3 : 3)};
}

void create_sub_devices(cl_device_id parent, const Property* properties, cl_uint num_devices,
                        cl_device_id* out_devices, cl_uint* num_devices_ret) {
  check_object(parent, CL_INVALID_DEVICE);
  const std::vector<unsigned> shares = shares_of(properties, parent->device.threads());
  check(out_devices == nullptr || num_devices >= shares.size(), CL_INVALID_VALUE);
  if (out_devices != nullptr) {
    std::vector<Device> made;
    for (const unsigned share : shares) {
      Result<Device> device = Device::create({parent->device.isa(), share});
      check(device.ok(), CL_OUT_OF_RESOURCES);
      made.push_back(*std::move(device));
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      out_devices[i] = new _cl_device_id(std::move(made[i]));
      out_devices[i]->parent = Ref(parent);
      out_devices[i]->partition = partition_of(properties, shares.size());
    }
  }
  if (num_devices_ret != nullptr) *num_devices_ret = static_cast<cl_uint>(shares.size());
}

Property from_extension(cl_device_partition_property_ext property) {
  switch (property) {
    case CL_DEVICE_PARTITION_EQUALLY_EXT:
      return CL_DEVICE_PARTITION_EQUALLY;
    case CL_DEVICE_PARTITION_BY_COUNTS_EXT:
      return CL_DEVICE_PARTITION_BY_COUNTS;
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace

std::size_t global_memory_bytes() {
  // Each launch asks, and it is a system call.
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return environment().memory_bytes.value_or(bytes);
}

std::size_t max_alloc_bytes() { return global_memory_bytes() / 4 * 3 / 128 * 128; }

cl_ulong now_ns() {
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id of, cl_device_type type, cl_uint num_entries,
                                  cl_device_id* devices, cl_uint* num_devices) {
  return guarded([&] {
    check(of == nullptr || of == &platform(), CL_INVALID_PLATFORM);
    check(is_device_type(type), CL_INVALID_DEVICE_TYPE);
    check(
        (num_entries != 0 || devices == nullptr) && (devices != nullptr || num_devices != nullptr),
        CL_INVALID_VALUE);
    const bool wanted = (type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
    if (num_devices != nullptr) *num_devices = wanted ? 1 : 0;
    check(wanted, CL_DEVICE_NOT_FOUND);
    if (devices != nullptr) devices[0] = platform().root;
  });
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                      const cl_device_partition_property* properties,
                                      cl_uint num_devices, cl_device_id* out_devices,
                                      cl_uint* num_devices_ret) {
  return guarded([&] {
    create_sub_devices(in_device, properties, num_devices, out_devices, num_devices_ret);
  });
}

/// The machine's device always has one reference.
cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return guarded([&] {
    check_object(device, CL_INVALID_DEVICE);
    if (!device->is_root()) device->retain();
  });
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return guarded([&] {
    check_object(device, CL_INVALID_DEVICE);
    if (!device->is_root()) device->release();
  });
}

cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id in_device,
                                         const cl_device_partition_property_ext* properties,
                                         cl_uint num_entries, cl_device_id* out_devices,
                                         cl_uint* num_devices) {
  const cl_int code = guarded([&] {
    check_object(in_device, CL_INVALID_DEVICE);
    check(properties != nullptr && (num_entries != 0 || out_devices == nullptr) &&
              (out_devices != nullptr || num_devices != nullptr),
          CL_INVALID_VALUE);
    std::vector<Property> list{from_extension(properties[0])};
    const bool by_counts = list[0] == CL_DEVICE_PARTITION_BY_COUNTS;
    for (const auto* at = properties + 1; *at != 0; ++at)
      list.push_back(static_cast<Property>(*at));
    list.insert(list.end(), by_counts ? 2 : 1, 0);
    create_sub_devices(in_device, list.data(), num_entries, out_devices, num_devices);
  });
  // The extension numbers these errors otherwise.
  if (code == CL_DEVICE_PARTITION_FAILED) return CL_DEVICE_PARTITION_FAILED_EXT;
  if (code == CL_INVALID_DEVICE_PARTITION_COUNT) return CL_INVALID_PARTITION_COUNT_EXT;
  return code;
}

cl_int CL_API_CALL clRetainDeviceEXT(cl_device_id device) { return clRetainDevice(device); }

cl_int CL_API_CALL clReleaseDeviceEXT(cl_device_id device) { return clReleaseDevice(device); }

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp,
                                           cl_ulong* host_timestamp) {
  return guarded([&] {
    check_object(device, CL_INVALID_DEVICE);
    check(device_timestamp != nullptr && host_timestamp != nullptr, CL_INVALID_VALUE);
    *device_timestamp = *host_timestamp = now_ns();
  });
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return guarded([&] {
    check_object(device, CL_INVALID_DEVICE);
    check(host_timestamp != nullptr, CL_INVALID_VALUE);
    *host_timestamp = now_ns();
  });
}
