// Which texels of read-write images the work-items of a group wrote since their last fence for images: until one, what they
// read there is not defined (--check=sync).
//
// Source: OpenCL C 2.0, "Image Read and Write Functions": atomic_work_item_fence with CLK_IMAGE_MEM_FENCE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace transpire::vm::exec {

struct Batch;

class TexelWrites {
 public:
  void wrote(const Batch* batch, std::uint32_t lane, std::uint64_t address) {
    if (written_.size() >= kMostTexels) written_.clear();
    written_[{batch, lane, address}] = fences_[{batch, lane, 0}];
  }
  void fenced(const Batch* batch, std::uint32_t lane) { ++fences_[{batch, lane, 0}]; }
  /// Whether the work-item wrote the texel, and no fence came since.
  bool is_unfenced(const Batch* batch, std::uint32_t lane, std::uint64_t address) const {
    const auto found = written_.find({batch, lane, address});
    if (found == written_.end()) return false;
    const auto fences = fences_.find({batch, lane, 0});
    return found->second == (fences == fences_.end() ? 0 : fences->second);
  }

 private:
  /// After so many, those before are forgotten: reads of them are not found.
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

  std::unordered_map<Key, std::uint32_t, Hash> written_;  ///< how many fences there had been
  std::unordered_map<Key, std::uint32_t, Hash> fences_;   ///< so far
};

}  // namespace transpire::vm::exec
