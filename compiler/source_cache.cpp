#include "compiler/source_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>

#include "compiler/files.h"

namespace transpire::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "TRSPCL4\n";
/// The mark; bytes of the key and of the log; the hash of key, log and module.
constexpr std::size_t kHeadBytes = 32;
constexpr std::uint64_t kStoresPerLook = 64;

/// FNV-1a. Keys with equal hashes only push each other out: an entry holds its whole key.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

void append(std::string& bytes, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
}

}  // namespace

SourceCache::SourceCache(std::string folder, std::string key)
    : folder_(std::move(folder)),
      key_(std::move(key)),
      path_(fmt::format("{}/{:016x}.spvcache", folder_, hash(key_))) {}

std::optional<CompiledSource> SourceCache::find() const {
  // A file that is not there is no mistake: read_file() would look for what was meant among thousands.
  if (std::error_code error; !fs::exists(path_, error)) return std::nullopt;
  const Result<std::vector<std::byte>> file = read_file(path_);
  if (!file || file->size() < kHeadBytes) return std::nullopt;
  std::string_view bytes(reinterpret_cast<const char*>(file->data()), file->size());
  std::uint64_t key_bytes = 0, log_bytes = 0, check = 0;
  std::memcpy(&key_bytes, bytes.data() + 8, 8);
  std::memcpy(&log_bytes, bytes.data() + 16, 8);
  std::memcpy(&check, bytes.data() + 24, 8);
  const bool ours = bytes.starts_with(kMark);
  bytes.remove_prefix(kHeadBytes);
  if (!ours || key_bytes != key_.size() || !bytes.starts_with(key_)) return std::nullopt;
  if (hash(bytes) != check) return std::nullopt;  // cut short, or damaged: made anew
  bytes.remove_prefix(key_.size());
  if (log_bytes > bytes.size()) return std::nullopt;
  CompiledSource compiled;
  compiled.log = bytes.substr(0, log_bytes);
  const auto module = std::as_bytes(std::span(bytes.substr(log_bytes)));
  compiled.module.assign(module.begin(), module.end());
  std::error_code ignored;
  fs::last_write_time(path_, fs::file_time_type::clock::now(), ignored);
  return compiled;
}

void SourceCache::store(const CompiledSource& compiled) const {
  static std::atomic<unsigned> number{0};
  std::string content = key_ + compiled.log;
  content.append(reinterpret_cast<const char*>(compiled.module.data()), compiled.module.size());
  std::string bytes(kMark);
  append(bytes, key_.size());
  append(bytes, compiled.log.size());
  append(bytes, hash(content));
  bytes += content;
  const std::string unfinished = fmt::format("{}/{}-{}.new", folder_, getpid(), number++);
  std::error_code error;
  if (write_file(unfinished, bytes))
    fs::rename(unfinished, path_, error);
  else
    error = std::make_error_code(std::errc::io_error);
  if (error) fs::remove(unfinished, error);
  // With thousands of entries, looking at all takes longer than a compilation, so only some stores
  // do it.
  if (hash(key_) % kStoresPerLook == 0) make_room();
}

void SourceCache::make_room() const {
  struct Entry {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder_, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code gone;
    const std::uint64_t bytes = at->file_size(gone);
    const fs::file_time_type time = at->last_write_time(gone);
    const auto extension = at->path().extension();
    if (gone || (extension != ".spvcache" && extension != ".new")) continue;
    entries.push_back({time, bytes, at->path()});
    total += bytes;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= kMaxBytes) return;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

}  // namespace transpire::compiler
