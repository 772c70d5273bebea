// The C interface: devices, launches, results.
#include <fmt/format.h>

#include <algorithm>

#include "c_api/c_api.h"
#include "transpire/limit_table.hpp"
#include "transpire/setting_table.hpp"

namespace transpire::c_api {
namespace {

static_assert(static_cast<int>(LaunchResult::End::kCompleted) == TRANSPIRE_END_COMPLETED);
static_assert(static_cast<int>(LaunchResult::End::kStepLimit) == TRANSPIRE_END_STEP_LIMIT);
static_assert(static_cast<int>(LaunchResult::End::kCancelled) == TRANSPIRE_END_CANCELLED);
static_assert(static_cast<int>(LaunchResult::End::kNoProgress) == TRANSPIRE_END_NO_PROGRESS);

Status set_limit(Limits& limits, std::uint32_t limit, std::uint64_t value) {
  const auto* const row = std::ranges::find(kLimits, std::int64_t{limit}, &Limit::c_limit);
  if (row == std::end(kLimits))
    return invalid(fmt::format("expected a transpire_limit, found {}", limit));
  if (row->in.number != nullptr) limits.*row->in.number = value;
  if (row->in.seconds != nullptr) limits.*row->in.seconds = static_cast<double>(value) / 1000;
  return Unit{};
}

/// Sets all settings that have a bit.
Status set_checks(LaunchSettings& settings, std::uint32_t bits) {
  std::uint32_t unknown = bits & ~static_cast<std::uint32_t>(TRANSPIRE_CHECK_ALL);
  for (const Setting& setting : kSettings) unknown &= ~setting.c_bit;
  if (unknown != 0) return invalid(fmt::format("expected a sum of checks, found {:#x}", bits));
  for (const Setting& setting : kSettings)
    if (setting.c_bit != 0) setting.set(settings, (bits & setting.c_bit) != 0 ? 1 : 0);
  if ((bits & TRANSPIRE_CHECK_ALL) != 0) set_check(settings, kAllChecks);
  return Unit{};
}

/// Sets a setting that has legal values.
Status set_value(LaunchSettings& settings, const Setting& setting, std::uint32_t value) {
  const std::vector<std::uint32_t> legal = legal_values(setting);
  if (std::ranges::find(legal, value) == legal.end()) {
    std::string expected = fmt::format("{}", legal.front());
    for (std::size_t i = 1; i < legal.size(); ++i)
      expected += fmt::format("{}{}", i + 1 == legal.size() ? " or " : ", ", legal[i]);
    return invalid(fmt::format("expected {}, found {}", expected, value));
  }
  setting.set(settings, value);
  return Unit{};
}

/// `earlier`: the findings before it in the result.
const transpire_finding* finding_in(Arena& arena, const Finding& found,
                                    const std::vector<const transpire_finding*>& earlier) {
  transpire_finding finding{};
  finding.diagnostic = diagnostic_in(arena, found.diagnostic);
  finding.count = found.count;
  std::copy(found.global_id.begin(), found.global_id.end(), finding.global_id);
  std::copy(found.group_id.begin(), found.group_id.end(), finding.group_id);
  std::copy(found.local_id.begin(), found.local_id.end(), finding.local_id);
  finding.allocation = found.allocation.c_str();
  finding.has_offset = found.offset_bytes.has_value();
  finding.offset_bytes = found.offset_bytes.value_or(0);
  finding.access_bytes = found.access_bytes;
  if (found.follows_from) finding.follows_from = earlier[found.follows_from->finding];
  finding.consequences = found.consequences;
  return &arena.keep(finding);
}

}  // namespace

void describe(transpire_result& handle) {
  const LaunchResult& result = handle.result;
  std::vector<const transpire_finding*> findings;
  for (const Finding& found : result.findings)
    findings.push_back(finding_in(handle.arena, found, findings));
  handle.info.end = static_cast<transpire_end>(result.end);
  handle.info.finding_count = findings.size();
  handle.info.findings = handle.arena.keep(std::move(findings)).data();
  handle.info.printf_output = result.printf_output.c_str();
  handle.info.printf_bytes = result.printf_output.size();
  std::copy(result.local_size.begin(), result.local_size.end(), handle.info.local_size);
  handle.info.work_items = result.work_items;
  handle.info.instructions = result.instructions;
  handle.info.wall_seconds = result.wall_seconds;
  handle.info.lower_seconds = result.lower_seconds;
  handle.children = children_in(handle.arena, result);
}

namespace {

/// Names that last as long as the process: a program's own exit handlers may ask for them.
const std::vector<const char*>& isa_names() {
  static const auto& owned = *new std::vector<std::string>(supported_isas());
  static const auto& names = *new std::vector<const char*>([] {
    std::vector<const char*> pointers;
    for (const std::string& name : owned) pointers.push_back(name.c_str());
    return pointers;
  }());
  return names;
}

/// Makes a result object from the outcome of running or finishing a launch.
transpire_status make_result(const char* function,
                             Result<LaunchResult> (Device::*call)(const Launch&) const,
                             const transpire_launch* launch, const transpire_device* device,
                             transpire_result** result, transpire_error** error) {
  clear(result);
  return guarded(function, error, {{"launch", launch}, {"device", device}, {"result", result}},
                 [&]() -> Status {
                   auto made = std::make_unique<transpire_result>();
                   TRANSPIRE_TRY(made->result, (device->device.*call)(launch->launch));
                   describe(*made);
                   *result = made.release();
                   return Unit{};
                 });
}

}  // namespace
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;

transpire_status transpire_device_create(const char* isa, uint32_t threads,
                                         transpire_device** device, transpire_error** error) {
  c_api::clear(device);
  return guarded(__func__, error, {{"device", device}}, [&]() -> Status {
    TRANSPIRE_TRY(Device made, Device::create({c_api::text_or_empty(isa), threads}));
    auto handle = std::make_unique<transpire_device>();
    handle->device = std::move(made);
    handle->info = {handle->device.isa().c_str(), handle->device.threads(), handle->device.lanes()};
    *device = handle.release();
    return Unit{};
  });
}

transpire_status transpire_device_get_info(const transpire_device* device,
                                           const transpire_device_info** info,
                                           transpire_error** error) {
  return guarded(__func__, error, {{"device", device}, {"info", info}}, [&]() -> Status {
    *info = &device->info;
    return Unit{};
  });
}

void transpire_device_release(transpire_device* device) { delete device; }

transpire_status transpire_get_isas(const char* const** names, size_t* count,
                                    transpire_error** error) {
  return guarded(__func__, error, {{"names", names}, {"count", count}}, [&]() -> Status {
    *names = c_api::isa_names().data();
    *count = c_api::isa_names().size();
    return Unit{};
  });
}

transpire_status transpire_launch_create(const transpire_module* module, const char* kernel,
                                         transpire_launch** launch, transpire_error** error) {
  c_api::clear(launch);
  return guarded(__func__, error, {{"module", module}, {"kernel", kernel}, {"launch", launch}},
                 [&]() -> Status {
                   const Module& loaded = module->module;
                   TRANSPIRE_TRY(const std::size_t index, c_api::find_kernel(loaded, kernel));
                   auto made =
                       std::make_unique<transpire_launch>(transpire_launch{Launch(loaded, kernel)});
                   made->launch.arguments.resize(loaded.info().kernels[index].parameters.size());
                   *launch = made.release();
                   return Unit{};
                 });
}

void transpire_launch_release(transpire_launch* launch) { delete launch; }

transpire_status transpire_launch_set_size(transpire_launch* launch, uint32_t dimensions,
                                           const uint64_t* global_size, const uint64_t* local_size,
                                           const uint64_t* global_offset, transpire_error** error) {
  return guarded(
      __func__, error, {{"launch", launch}, {"global_size", global_size}}, [&]() -> Status {
        if (dimensions < 1 || dimensions > 3)
          return c_api::invalid(fmt::format("expected 1 to 3 dimensions, found {}", dimensions));
        Geometry geometry;
        geometry.dimensions = dimensions;
        if (local_size != nullptr) geometry.local_size = {1, 1, 1};
        for (std::uint32_t i = 0; i < dimensions; ++i) {
          geometry.global_size[i] = global_size[i];
          if (local_size != nullptr) geometry.local_size[i] = local_size[i];
          if (global_offset != nullptr) geometry.global_offset[i] = global_offset[i];
        }
        const auto is_zero = [](std::uint64_t size) { return size == 0; };
        if (local_size != nullptr && std::all_of(local_size, local_size + dimensions, is_zero))
          geometry.local_size = {0, 0, 0};
        launch->launch.geometry = geometry;
        return Unit{};
      });
}

transpire_status transpire_launch_set_buffer(transpire_launch* launch, size_t index,
                                             const transpire_buffer* buffer, uint64_t offset_bytes,
                                             transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}, {"buffer", buffer}}, [&] {
    return c_api::set_argument(*launch, index,
                               [&] { return Argument::buffer(buffer->buffer, offset_bytes); });
  });
}

transpire_status transpire_launch_set_value(transpire_launch* launch, size_t index,
                                            const void* bytes, size_t size_bytes,
                                            transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}, {"bytes", bytes}}, [&]() -> Status {
    constexpr std::size_t kMostBytes = std::size_t{1} << 30;
    if (size_bytes == 0 || size_bytes > kMostBytes)
      return c_api::invalid(
          fmt::format("expected a value of 1 to {} bytes, found {}", kMostBytes, size_bytes));
    const std::span value(static_cast<const std::byte*>(bytes), size_bytes);
    return c_api::set_argument(*launch, index, [&] { return Argument::raw(value); });
  });
}

transpire_status transpire_launch_set_local(transpire_launch* launch, size_t index,
                                            uint64_t size_bytes, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&] {
    return c_api::set_argument(*launch, index, [&] { return Argument::local(size_bytes); });
  });
}

transpire_status transpire_launch_set_null(transpire_launch* launch, size_t index,
                                           transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&] {
    return c_api::set_argument(*launch, index, [] { return Argument::null(); });
  });
}

transpire_status transpire_launch_set_pointer(transpire_launch* launch, size_t index,
                                              const void* pointer, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&] {
    return c_api::set_argument(*launch, index, [&] {
      return pointer == nullptr ? Argument::null() : Argument::shared(pointer);
    });
  });
}

transpire_status transpire_launch_set_shared_memory(transpire_launch* launch,
                                                    const transpire_shared_memory* memory,
                                                    transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    launch->launch.shared.reset();
    if (memory != nullptr) launch->launch.shared = memory->memory;
    return Unit{};
  });
}

transpire_status transpire_launch_set_limit(transpire_launch* launch, uint32_t limit,
                                            uint64_t value, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}},
                 [&] { return c_api::set_limit(launch->launch.limits, limit, value); });
}

transpire_status transpire_launch_set_checks(transpire_launch* launch, uint32_t checks,
                                             transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}},
                 [&] { return c_api::set_checks(launch->launch, checks); });
}

transpire_status transpire_launch_set_subgroup_size(transpire_launch* launch, uint32_t work_items,
                                                    transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    launch->launch.subgroup_size = work_items;
    return Unit{};
  });
}

transpire_status transpire_launch_set_schedule(transpire_launch* launch, uint32_t schedule,
                                               uint32_t seed, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    if (Status set = c_api::set_value(launch->launch, setting_of("schedule"), schedule); !set)
      return set;
    launch->launch.seed = seed;
    return Unit{};
  });
}

transpire_status transpire_launch_set_float_controls(transpire_launch* launch, uint32_t rounding,
                                                     int flush_denorms, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    if (Status set = c_api::set_value(launch->launch, setting_of("rounding"), rounding); !set)
      return set;
    launch->launch.flush_denorms = flush_denorms != 0;
    return Unit{};
  });
}

transpire_status transpire_launch_set_opencl_version(transpire_launch* launch, uint32_t version,
                                                     transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&] {
    return c_api::set_value(launch->launch, setting_of("opencl_version"), version);
  });
}

transpire_status transpire_launch_set_robust(transpire_launch* launch, uint32_t robust,
                                             transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}},
                 [&] { return c_api::set_value(launch->launch, setting_of("robust"), robust); });
}

transpire_status transpire_launch_set_progress(transpire_launch* launch,
                                               transpire_progress progress, void* user,
                                               transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    launch->launch.progress = nullptr;
    if (progress != nullptr)
      launch->launch.progress = [progress, user](std::uint64_t done, std::uint64_t total) {
        return progress(done, total, user);
      };
    return Unit{};
  });
}

transpire_status transpire_launch_run(const transpire_launch* launch,
                                      const transpire_device* device, transpire_result** result,
                                      transpire_error** error) {
  return c_api::make_result(__func__, &Device::run, launch, device, result, error);
}

transpire_status transpire_launch_finish(const transpire_launch* launch,
                                         const transpire_device* device, transpire_result** result,
                                         transpire_error** error) {
  return c_api::make_result(__func__, &Device::finish, launch, device, result, error);
}

transpire_status transpire_result_get_info(const transpire_result* result,
                                           const transpire_result_info** info,
                                           transpire_error** error) {
  return guarded(__func__, error, {{"result", result}, {"info", info}}, [&]() -> Status {
    *info = &result->info;
    return Unit{};
  });
}

void transpire_result_release(transpire_result* result) { delete result; }
