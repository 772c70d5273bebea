// The C interface: error objects, diagnostics, rules.
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string_view>

#include "c_api/c_api.h"

namespace transpire::c_api {
namespace {

/// Handed out where there is no memory for an error of its own: its text is too short to need any.
const transpire_error& no_memory() {
  static const transpire_error error{TRANSPIRE_OUT_OF_MEMORY, "out of memory\n", {}, {}, {}};
  return error;
}

transpire_status status_of(const Diagnostic& diagnostic) {
  if (diagnostic.rule == rule_id(Rule::kC0040)) return TRANSPIRE_INVALID_ARGUMENT;
  if (diagnostic.rule == rule_id(Rule::kL0004)) return TRANSPIRE_OUT_OF_MEMORY;
  return TRANSPIRE_REFUSED;
}

transpire_severity severity_of(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return TRANSPIRE_NOTE;
    case Severity::kWarning:
      return TRANSPIRE_WARNING;
    case Severity::kError:
      break;
  }
  return TRANSPIRE_ERROR;
}

transpire_status out_of_memory(transpire_error** error) {
  if (error != nullptr) *error = const_cast<transpire_error*>(&no_memory());
  return TRANSPIRE_OUT_OF_MEMORY;
}

std::unique_ptr<transpire_error> make_error(transpire_status status, std::string text) {
  auto error = std::make_unique<transpire_error>();
  error->status = status;
  error->formatted = std::move(text);
  error->text = error->formatted.c_str();
  return error;
}

transpire_status unexpected(const char* what, transpire_error** error) noexcept {
  if (error == nullptr) return TRANSPIRE_UNEXPECTED;
  try {
    *error = make_error(TRANSPIRE_UNEXPECTED, std::string(what) + "\n").release();
    return TRANSPIRE_UNEXPECTED;
  } catch (...) {
    return out_of_memory(error);
  }
}

using RuleTable = std::map<std::string, transpire_rule, std::less<>>;

RuleTable make_rules() {
  RuleTable rules;
  for (const RulePage& page : rule_pages())
    rules[page.id] = {page.id.c_str(), page.title.c_str(), page.explanation.c_str(),
                      page.clause.c_str(), severity_of(page.severity)};
  return rules;
}

}  // namespace

const char* const* Arena::strings(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return keep(std::move(pointers)).data();
}

/// Its strings are the diagnostic's.
static std::vector<transpire_frame> frames_of(const Diagnostic& diagnostic) {
  std::vector<transpire_frame> frames;
  for (const Frame& frame : diagnostic.frames)
    frames.push_back({frame.function.c_str(), frame.where.file.c_str(), frame.where.line,
                      frame.where.column, frame.word_offset.has_value(),
                      frame.word_offset.value_or(0)});
  return frames;
}

const transpire_diagnostic* diagnostic_in(Arena& arena, const Diagnostic& diagnostic) {
  const Diagnostic& kept = arena.keep(diagnostic);
  transpire_diagnostic view{};
  view.rule = kept.rule.c_str();
  view.severity = severity_of(kept.severity);
  view.message = kept.message.c_str();
  view.input = kept.input.c_str();
  view.has_word_offset = kept.word_offset.has_value();
  view.word_offset = kept.word_offset.value_or(0);
  view.instruction = kept.instruction.c_str();
  view.source_file = kept.source.file.c_str();
  view.source_line = kept.source.line;
  view.source_column = kept.source.column;
  view.notes = arena.strings(kept.notes);
  view.note_count = kept.notes.size();
  view.help = kept.help.c_str();
  view.clause = kept.clause.c_str();
  view.text = arena.keep(format(kept)).c_str();
  view.excerpt = kept.excerpt.c_str();
  view.assembly = kept.assembly.c_str();
  view.frames = arena.keep(frames_of(kept)).data();
  view.frame_count = kept.frames.size();
  return &arena.keep(view);
}

Diagnostic invalid(std::string message) {
  return make_diagnostic(Rule::kC0040, std::move(message));
}

Status check_wanted(std::initializer_list<Wanted> wanted) {
  for (const Wanted& one : wanted)
    if (one.pointer == nullptr)
      return invalid("expected a pointer as '" + std::string(one.name) + "', found null");
  return Unit{};
}

transpire_status fail(const char* function, Diagnostics diagnostics,
                      transpire_error** error) noexcept {
  const transpire_status status = status_of(diagnostics.front());
  if (error == nullptr) return status;
  try {
    std::string text;
    for (Diagnostic& diagnostic : diagnostics) {
      if (status == TRANSPIRE_INVALID_ARGUMENT) diagnostic.input = function;
      text += format(diagnostic);
    }
    auto made = make_error(status, std::move(text));
    for (const Diagnostic& diagnostic : diagnostics)
      made->diagnostics.push_back(diagnostic_in(made->arena, diagnostic));
    *error = made.release();
    return status;
  } catch (...) {
    return out_of_memory(error);
  }
}

transpire_status fail_by_exception(transpire_error** error) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return out_of_memory(error);
  } catch (const std::exception& exception) {
    return unexpected(exception.what(), error);
  } catch (...) {
    return unexpected("an exception of unknown type", error);
  }
}

}  // namespace transpire::c_api

using namespace transpire;

const char* transpire_version(void) {
  return version().data();  // a literal
}

transpire_status transpire_error_status(const transpire_error* error) {
  return error == nullptr ? TRANSPIRE_OK : error->status;
}

const char* transpire_error_text(const transpire_error* error) {
  return error == nullptr ? "" : error->text;
}

size_t transpire_error_count(const transpire_error* error) {
  return error == nullptr ? 0 : error->diagnostics.size();
}

const transpire_diagnostic* transpire_error_at(const transpire_error* error, size_t index) {
  return index < transpire_error_count(error) ? error->diagnostics[index] : nullptr;
}

void transpire_error_release(transpire_error* error) {
  if (error != &c_api::no_memory()) delete error;
}

transpire_status transpire_find_rule(const char* id, const transpire_rule** rule,
                                     transpire_error** error) {
  return c_api::guarded(__func__, error, {{"id", id}, {"rule", rule}}, [&]() -> Status {
    static const auto& rules = *new c_api::RuleTable(c_api::make_rules());
    const auto found = rules.find(std::string_view(id));
    if (found == rules.end())
      return c_api::invalid("expected a rule's id such as 'TSP-D0003', found '" + std::string(id) +
                            "'");
    *rule = &found->second;
    return Unit{};
  });
}
