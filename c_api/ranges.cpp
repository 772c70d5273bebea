// The C interface: what another implementation may give.
#include <fmt/format.h>

#include "c_api/c_api.h"
#include "transpire/legal_range.hpp"

namespace transpire::c_api {
namespace {

static_assert(static_cast<int>(FloatType::kHalf) == TRANSPIRE_HALF);
static_assert(static_cast<int>(FloatType::kFloat) == TRANSPIRE_FLOAT);
static_assert(static_cast<int>(FloatType::kDouble) == TRANSPIRE_DOUBLE);
static_assert(static_cast<int>(Profile::kFull) == TRANSPIRE_PROFILE_FULL);
static_assert(static_cast<int>(Profile::kEmbedded) == TRANSPIRE_PROFILE_EMBEDDED);

/// A later version's struct may be longer.
Status check_size(const transpire_legal_range& range) {
  constexpr std::size_t kMost = 4096;  // no struct, but memory that nobody has set
  if (range.struct_size >= sizeof range && range.struct_size <= kMost) return Unit{};
  return invalid(
      fmt::format("expected {} as 'struct_size', found {}", sizeof range, range.struct_size));
}

Status check_number(const Buffer& buffer, std::uint64_t offset_bytes, std::uint32_t float_type,
                    std::uint32_t profile) {
  if (float_type > TRANSPIRE_DOUBLE)
    return invalid(fmt::format("expected 0, 1 or 2 as 'float_type', found {}", float_type));
  if (profile > TRANSPIRE_PROFILE_EMBEDDED)
    return invalid(fmt::format("expected 0 or 1 as 'profile', found {}", profile));
  const std::uint64_t bytes = std::uint64_t{2} << float_type;
  const std::uint64_t size = buffer.bytes().size();
  if (size < bytes || offset_bytes > size - bytes)
    return invalid(fmt::format("expected a number of {} bytes in a buffer of {}, found offset {}",
                               bytes, size, offset_bytes));
  return Unit{};
}

/// A string that lasts as long as the log.
const char* kept(const transpire_result_log& handle, const std::string& operation) {
  const std::scoped_lock lock(handle.mutex);
  return handle.operations.insert(operation).first->c_str();
}

}  // namespace
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;

transpire_status transpire_result_log_create(transpire_result_log** log, transpire_error** error) {
  c_api::clear(log);
  return guarded(__func__, error, {{"log", log}}, [&]() -> Status {
    auto made = std::make_unique<transpire_result_log>();
    made->log = ResultLog::create();
    *log = made.release();
    return Unit{};
  });
}

void transpire_result_log_release(transpire_result_log* log) { delete log; }

transpire_status transpire_result_log_clear(transpire_result_log* log, transpire_error** error) {
  return guarded(__func__, error, {{"log", log}}, [&]() -> Status {
    log->log.clear();
    return Unit{};
  });
}

transpire_status transpire_launch_set_result_log(transpire_launch* launch,
                                                 const transpire_result_log* log,
                                                 transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    launch->launch.results.reset();
    if (log != nullptr) launch->launch.results = log->log;
    return Unit{};
  });
}

transpire_status transpire_result_log_get_range(const transpire_result_log* log,
                                                const transpire_buffer* buffer,
                                                uint64_t offset_bytes, uint32_t float_type,
                                                uint32_t profile, transpire_legal_range* range,
                                                transpire_error** error) {
  return guarded(
      __func__, error, {{"log", log}, {"buffer", buffer}, {"range", range}}, [&]() -> Status {
        Status good = c_api::check_size(*range);
        if (good) good = c_api::check_number(buffer->buffer, offset_bytes, float_type, profile);
        if (!good) return good;
        const LegalRange found =
            log->log.range(buffer->buffer, offset_bytes, static_cast<FloatType>(float_type),
                           static_cast<Profile>(profile));
        const char* const operation = c_api::kept(*log, found.operation);
        range->is_open = found.kind == LegalRange::Kind::kOpen;
        range->may_flush = found.may_flush;
        range->value = found.value;
        range->low = found.low;
        range->high = found.high;
        range->ulp = found.ulp;
        range->operation = operation;
        return Unit{};
      });
}

bool transpire_legal_range_allows(const transpire_legal_range* range, double other) {
  if (range == nullptr) return false;
  LegalRange same;
  same.kind = range->is_open ? LegalRange::Kind::kOpen : LegalRange::Kind::kInterval;
  same.value = range->value;
  same.low = range->low;
  same.high = range->high;
  same.may_flush = range->may_flush;
  return same.allows(other);
}
