// State of a ResultLog: for each stored number, the operation that made it.
//
// Host addresses are the keys of records, so slices of a buffer, and buffers of the same bytes, share them. A record is valid
// as long as the memory holds the recorded number.
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
  /// Begins a launch of the program. Returns the log's numbers for the program's sites. They stay valid even if clear() is
  /// called while the launch runs.
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
  /// A part of the records with its own lock, so that threads seldom wait for each other.
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
  /// A store instruction of a program. Stores whose values may have the same origins share a site.
  struct Site {
    std::vector<vm::ResultOrigin> origins;
    bool is_rounded = false;  ///< the program's math functions are correctly rounded
    std::array<vm::FloatModeSource, 3> modes;

    auto operator<=>(const Site&) const = default;
  };
  std::map<Site, std::uint32_t> numbers_;  ///< guarded by mutex_
  std::vector<const Site*> sites_;         ///< guarded by mutex_; keys of numbers_
};

/// Records a launch's stores in a log.
class ResultSink final : public vm::Observer {
 public:
  ResultSink(ResultLogState& log, const memory::AddressSpace& space, const vm::Program& program)
      : log_(log), space_(space), sites_(log.begin(program)) {}
  void stored(const vm::exec::Batch& batch, const vm::StoredResult& result) override;

 private:
  ResultLogState& log_;
  const memory::AddressSpace& space_;
  const std::vector<std::uint32_t> sites_;  ///< the log's number of each site of the program
};

}  // namespace transpire::runtime
