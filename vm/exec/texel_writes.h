// Which texels of read-write images the work-items of a group wrote since their last fence for images: until one, what they
// read there is not defined (--check=sync).
//
// Source: OpenCL C 2.0, "Image Read and Write Functions": atomic_work_item_fence with CLK_IMAGE_MEM_FENCE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "vm/program/instruction.h"

namespace transpire::vm::exec {

struct Batch;

class TexelWrites {
 public:
  void wrote(const Batch* batch, std::uint32_t lane, std::uint64_t address, const Inst* by) {
    if (written_.size() >= kMostTexels) written_.clear();
    written_[{batch, lane, address}] = {by, fences_[{batch, lane, 0}]};
  }
  void fenced(const Batch* batch, std::uint32_t lane) { ++fences_[{batch, lane, 0}]; }
  /// The instruction by which the work-item wrote the texel, and since which no fence came; null: there is none.
  const Inst* unfenced(const Batch* batch, std::uint32_t lane, std::uint64_t address) const {
    const auto found = written_.find({batch, lane, address});
    if (found == written_.end()) return nullptr;
    const auto fences = fences_.find({batch, lane, 0});
    const std::uint32_t so_far = fences == fences_.end() ? 0 : fences->second;
    return found->second.fences == so_far ? found->second.by : nullptr;
  }

 private:
  /// Maximum number of remembered texels. Reads of earlier ones are not found.
  static constexpr std::size_t kMostTexels = std::size_t{1} << 20;

  /// A work-item of the group, by where it runs, and a texel's virtual address.
  struct Key {
    const Batch* batch = nullptr;
    std::uint32_t lane = 0;
    std::uint64_t address = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
      return (reinterpret_cast<std::uintptr_t>(key.batch) ^ key.address * kOdd ^ key.lane) * kOdd;
    }
  };

  struct Written {
    const Inst* by = nullptr;
    std::uint32_t fences = 0;  ///< how many there had been
  };

  std::unordered_map<Key, Written, Hash> written_;
  std::unordered_map<Key, std::uint32_t, Hash> fences_;  ///< so far
};

}  // namespace transpire::vm::exec
