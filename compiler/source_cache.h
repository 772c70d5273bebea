// A folder of compiled OpenCL C, shared by processes: an entry is a file that holds the whole key,
// the log and the module. Written under another name and renamed, so a reader sees all of it or
// nothing.
//
//   "TRSPCL4\n"  u64 key bytes  u64 log bytes  key  log  module
#pragma once

#include <optional>
#include <string>

#include "transpire/transpire.hpp"

namespace transpire::compiler {

class SourceCache {
 public:
  /// Beyond this size, stores remove the least recently used entries now and then.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

  /// `folder` is made when the first entry is stored.
  SourceCache(std::string folder, std::string key);

  std::optional<CompiledSource> find() const;
  /// Failures (no room, no rights) leave nothing behind and are nobody's error.
  void store(const CompiledSource& compiled) const;

 private:
  void make_room() const;

  std::string folder_;
  std::string key_;
  std::string path_;
};

}  // namespace transpire::compiler
