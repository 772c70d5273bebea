// Places: see the header.
#include "runtime/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace transpire::runtime {
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

Places::Places(const decoder::Module& module, std::string_view assembly,
               std::span<const SourceText> sources)
    : module_(module),
      view_(module.words),
      renderer_(view_, module.input_name, assembly),
      texts_(sources, module.input_name) {
  view_.call_ids(module.text_names);
}

SourceLine Places::place_of(std::uint32_t word_offset, std::uint32_t line) const {
  const SourceLine in_text = renderer_.place_of(renderer_.instruction_at(word_offset));
  return in_text.known() ? in_text : module_.source_line(line);
}

void Places::show(std::uint32_t word_offset, std::uint32_t line, Diagnostic& diagnostic) const {
  const std::uint32_t instruction = renderer_.instruction_at(word_offset);
  if (instruction == validator::kNone) return;
  renderer_.show(validator::Place::at(instruction), diagnostic);
  diagnostic.word_offset = word_offset;
  const SourceLine compiled_from = module_.source_line(line);
  if (!compiled_from.known()) return;
  if (renderer_.place_of(instruction).known()) {
    diagnostic.notes.insert(diagnostic.notes.begin(), "compiled from " + spelled(compiled_from));
    return;
  }
  diagnostic.source = compiled_from;
  diagnostic.assembly = renderer_.assembly_of(instruction);
  diagnostic.excerpt = texts_.excerpt(diagnostic.source);
}

void Places::show_word(Diagnostic& diagnostic) const {
  if (!diagnostic.word_offset) return;
  const std::uint32_t instruction = renderer_.instruction_at(*diagnostic.word_offset);
  const SourceLine compiled_from = diagnostic.source;
  renderer_.show_word(diagnostic);
  if (!compiled_from.known() || instruction == validator::kNone) return;
  if (renderer_.place_of(instruction).known()) return;
  diagnostic.source = compiled_from;
  diagnostic.assembly = renderer_.assembly_of(instruction);
  diagnostic.excerpt = texts_.excerpt(compiled_from);
}

std::string Places::spell(const vm::Source& source) const {
  const SourceLine where = place_of(source.word_offset, source.line);
  if (!where.known()) return fmt::format("word {}", source.word_offset);
  return spelled(where);
}

std::string Places::function_name(decoder::Id id) const {
  const decoder::Function* function = module_.function(id);
  return function ? function->name : module_.spell_id(id);
}

/// Whether the call is all that an entry function of llvm-spirv's does, which the source does not have.
bool Places::is_forwarding(const vm::Source& call) const {
  const decoder::Function* caller = module_.function(call.function);
  return caller != nullptr && call.op == spv::Op::OpFunctionCall &&
         decoder::forwarded_to(module_, *caller) != nullptr;
}

std::vector<Frame> Places::frames(const vm::Program& program, const vm::Source& source) const {
  std::vector<Frame> frames;
  for (const vm::Source* at = &source;; at = &program.sources[at->called_from]) {
    if (frames.empty() || !is_forwarding(*at)) {
      Frame frame{function_name(at->function), place_of(at->word_offset, at->line),
                  at->word_offset};
      const std::vector<decoder::SourceCall> calls = module_.source_calls(at->line);
      for (std::size_t i = 0; i + 1 < calls.size(); ++i) {
        frame.function = calls[i].function;
        frames.push_back(frame);
        frame = {calls[i + 1].function, calls[i + 1].where, std::nullopt};
      }
      frames.push_back(std::move(frame));
    }
    if (at->called_from != 0) continue;
    // Whatever debug information says of it.
    frames.back().function = function_name(at->function);
    return frames;
  }
}

}  // namespace transpire::runtime
