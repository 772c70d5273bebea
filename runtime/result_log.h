// What launches stored where, and by which operation: the state of ResultLog.
//
// Records are kept by host address, so that slices of a buffer, and buffers that hold the same
// bytes, share them. A record counts as long as the memory still holds what was recorded.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "memory/address_space.h"
#include "scheduler/collector.h"
#include "transpire/transpire.hpp"
#include "vm/program.h"

namespace transpire::runtime {

class ResultLogState {
 public:
  /// A launch of the program begins. Gives what is to be added to its sites' numbers.
  std::uint32_t begin(const vm::Program& program);
  /// Thread-safe.
  void store(const std::byte* host, std::uint32_t bytes, std::uint32_t site, double low,
             double high);
  LegalRange range(const std::byte* host, FloatType type, Profile profile) const;
  void clear();

 private:
  struct Record {
    std::uint32_t bytes = 0;
    std::uint32_t site = 0;
    double low = 0, high = 0;
  };
  /// So that threads seldom wait for each other.
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<const std::byte*, Record> records;
  };
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kBytesPerShard = 256;

  Shard& shard(const std::byte* host) {
    return shards_[reinterpret_cast<std::uintptr_t>(host) / kBytesPerShard % kShards];
  }
  const Shard& shard(const std::byte* host) const {
    return const_cast<ResultLogState*>(this)->shard(host);
  }

  std::array<Shard, kShards> shards_;
  mutable std::mutex mutex_;
  struct Site {
    vm::lir::ResultSite origins;
    bool is_rounded = false;  ///< the program's math functions are correctly rounded
  };
  std::vector<Site> sites_;  ///< guarded by mutex_
};

/// Hands what a launch stores to a log.
class ResultSink final : public scheduler::StoreSink {
 public:
  ResultSink(ResultLogState& log, const memory::AddressSpace& space, const vm::Program& program)
      : log_(log), space_(space), first_site_(log.begin(program)) {}
  void stored(const vm::exec::StoredResult& result) override;

 private:
  ResultLogState& log_;
  const memory::AddressSpace& space_;
  std::uint32_t first_site_;
};

}  // namespace transpire::runtime
