// What launches stored where, and by which operation: the state of ResultLog.
//
// Records are kept by host address, so that slices of a buffer, and buffers that hold the same
// bytes, share them. A record counts as long as the memory still holds what was recorded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "memory/address_space.h"
#include "transpire/transpire.hpp"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::runtime {

class ResultLogState {
 public:
  /// A launch of the program begins. Gives its sites' numbers here, which stay what they are: clear()
  /// may be called while it runs.
  std::vector<std::uint32_t> begin(const vm::Program& program);
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
  /// A store of some program, the same of all that may have been made in the same ways.
  struct Site {
    std::vector<vm::ResultOrigin> origins;
    bool is_rounded = false;  ///< the program's math functions are correctly rounded
    std::array<vm::FloatModeSource, 3> modes;

    auto operator<=>(const Site&) const = default;
  };
  std::map<Site, std::uint32_t> numbers_;  ///< guarded by mutex_
  std::vector<const Site*> sites_;         ///< guarded by mutex_; keys of numbers_
};

/// Hands what a launch stores to a log.
class ResultSink final : public vm::Observer {
 public:
  ResultSink(ResultLogState& log, const memory::AddressSpace& space, const vm::Program& program)
      : log_(log), space_(space), sites_(log.begin(program)) {}
  void stored(const vm::exec::Batch& batch, const vm::StoredResult& result) override;

 private:
  ResultLogState& log_;
  const memory::AddressSpace& space_;
  const std::vector<std::uint32_t> sites_;  ///< by the program's own number
};

}  // namespace transpire::runtime
