// Source texts: see the header.
#include "findings/source_texts.h"

#include <filesystem>
#include <fstream>
#include <optional>

namespace transpire::findings {
namespace {

/// A regular file's text: whatever else a module may name is not touched.
std::optional<std::string> read_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || error) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > SourceTexts::kMaxBytes) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

bool SourceTexts::may_read(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(file).lexically_normal();
  if (path.empty() || *path.begin() == "..") return false;
  if (path.is_relative()) return true;
  const fs::path folder = fs::path(input_).lexically_normal().parent_path();
  if (!folder.is_absolute()) return false;
  const fs::path inside = path.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

const TextLines* SourceTexts::lines_of(const std::string& file) {
  const std::lock_guard lock(mutex_);
  if (const auto found = texts_.find(file); found != texts_.end())
    return found->second ? &found->second->lines : nullptr;
  std::optional<std::string> text;
  for (const SourceText& given : given_)
    if (given.name == file && !text) text = given.text;
  if (!text && may_read(file)) text = read_text(file);
  auto& kept = texts_[file];
  if (text) kept = std::make_unique<const Text>(*std::move(text));
  return kept ? &kept->lines : nullptr;
}

std::string SourceTexts::excerpt(const SourceLine& where) {
  const TextLines* lines = where.known() ? lines_of(where.file) : nullptr;
  if (lines == nullptr) return {};
  const std::string_view line = lines->line(where.line);
  if (line.empty()) return {};
  const std::size_t start = where.column == 0 ? line.find_first_not_of(" \t") : where.column - 1;
  if (start >= line.size()) return {};
  return excerpt_of(line, start, where.column == 0 ? 1 : word_length(line, start));
}

}  // namespace transpire::findings
