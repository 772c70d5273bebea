#include "opencl/link_file_names.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "compiler/compiled_module.h"

namespace transpire::opencl {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Names of files that several parts have with different texts.
Names ambiguous_names(const std::vector<const LinkPart*>& parts) {
  Names names;
  std::map<std::string_view, std::string_view> texts;
  for (const LinkPart* const part : parts)
    for (const SourceText& source : part->sources)
      if (texts.try_emplace(source.name, source.text).first->second != source.text)
        names.insert(source.name);
  return names;
}

/// In the third part, "<source>" becomes "<source 3>" and "put.h of <source 2>" becomes "put.h of
/// <source 3.2>".
std::string numbered(std::string_view name, std::size_t source, std::size_t part) {
  constexpr std::string_view kAlone = "<source>";
  const std::string_view before = name.substr(0, source);
  const std::string_view its = name.substr(source);
  if (its == kAlone) return fmt::format("{}<source {}>", before, part);
  return fmt::format("{}<source {}.{}", before, part, its.substr(kAlone.size()));
}

}  // namespace

LinkTexts link_texts(const std::vector<const LinkPart*>& parts) {
  const Names ambiguous = ambiguous_names(parts);
  LinkTexts texts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const LinkPart& part = *parts[i];
    const auto in_whole = [&](std::string_view name, const std::string& program) {
      return ambiguous.contains(name) ? fmt::format("{} of {}", name, program) : std::string(name);
    };
    const auto told = [&](std::string_view name) { return in_whole(name, part.program); };
    const auto plain = [&](std::string_view name) {
      const std::size_t source = find_source(name);
      if (source != name.npos) return numbered(name, source, i + 1);
      return in_whole(name, fmt::format("<source {}>", i + 1));
    };
    texts.told.push_back(compiler::rename_files(part.told.empty() ? part.plain : part.told, told));
    texts.plain.push_back(compiler::rename_files(part.plain, plain));
    for (const SourceText& source : part.sources)
      texts.sources.push_back({told(source.name), source.text});
  }
  return texts;
}

}  // namespace transpire::opencl
