// Reads files of suppressions, and matches findings: see the header.
#include "launch/report/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>

#include "base/excerpt.h"
#include "launch/report/diagnose.h"
#include "launch/report/files.h"
#include "launch/report/rule_words.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

/// A word of a line, and its place there.
struct Word {
  std::string key;    ///< before the first '='; empty: there is none
  std::string value;  ///< without quotes
  std::size_t start = 0, length = 0;
};

/// An error about a word of a line.
struct Wrong {
  Diagnostic diagnostic;
  std::size_t start = 0, length = 1;
};

Diagnostic wrong_entry(const std::string& message, std::string help = {}) {
  return command_error(kBadSuppression, message, std::move(help));
}

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys{"file", "line", "function", "buffer"};
  return keys;
}

/// Splits a line into words.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  /// True if there is another word. A '#' begins the comment.
  bool has_word() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    return at_ < line_.size() && line_[at_] != '#';
  }
  /// Takes a word. Returns the offset of a quote that is not closed.
  std::optional<std::size_t> take(Word& word) {
    word.start = at_;
    bool has_key = false;
    while (at_ < line_.size() && !is_blank(line_[at_])) {
      const char c = line_[at_];
      if (c == '"') {
        const std::size_t quote = at_;
        if (!take_quoted(word.value)) return quote;
        continue;
      }
      ++at_;
      if (c == '=' && !has_key) {
        has_key = true;
        word.key = std::exchange(word.value, {});
      } else {
        word.value += c;
      }
    }
    word.length = at_ - word.start;
    return std::nullopt;
  }
  /// The text of the words taken so far, and the comment behind them.
  std::string_view before() const { return trimmed(line_.substr(0, at_)); }
  std::string_view comment() const {
    return at_ < line_.size() ? trimmed(line_.substr(at_ + 1)) : std::string_view();
  }

 private:
  bool take_quoted(std::string& value) {
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] == '"') {
        ++at_;
        return true;
      }
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
      value += line_[at_];
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

/// False for rules that end or refuse a launch: nobody can accept these.
bool can_be_suppressed(std::string_view rule) {
  return rule.starts_with("TSP-R") || rule.starts_with("TSP-V") || rule.starts_with("TSP-ENV-") ||
         rule.starts_with("TSP-UNI-") || rule.starts_with("TSP-LIM-") || rule == "TSP-L0005" ||
         rule == "TSP-L0012" || rule == "TSP-C0036" || rule == "TSP-C0044";
}

/// The id in the spelling of the list of rules. Fails with C0025.
Result<std::string> rule_named(std::string_view word) {
  const std::string id = full_rule_id(word);
  if (find_rule(id) == nullptr) return no_such_rule(word);
  if (can_be_suppressed(id)) return id;
  return wrong_entry(fmt::format("'{}' is no rule of what kernels or modules do wrong", word),
                     "only what a run or a validation finds can be suppressed");
}

/// "12" or "12-20".
std::optional<std::pair<std::uint32_t, std::uint32_t>> lines_in(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::pair<std::uint32_t, std::uint32_t> lines;
  auto [stop, error] = std::from_chars(text.data(), end, lines.first);
  if (error != std::errc{} || lines.first == 0) return std::nullopt;
  lines.second = lines.first;
  if (stop != end && *stop == '-') {
    const auto last = std::from_chars(stop + 1, end, lines.second);
    stop = last.ptr;
    error = last.ec;
  }
  if (error != std::errc{} || stop != end || lines.second < lines.first) return std::nullopt;
  return lines;
}

std::optional<Wrong> set_key(Suppression& entry, const Word& word) {
  const auto wrong = [&word](Diagnostic error) {
    return Wrong{std::move(error), word.start, word.length};
  };
  const std::pair<std::string_view, std::string*> texts[] = {
      {"file", &entry.file}, {"function", &entry.function}, {"buffer", &entry.buffer}};
  const auto text = std::ranges::find(texts, word.key, [](const auto& each) { return each.first; });
  const bool is_line = word.key == "line";
  if (!is_line && text == std::end(texts))
    return wrong(wrong_entry(
        word.key.empty() ? fmt::format("'{}' was not expected behind the rule", word.value)
                         : fmt::format("there is no key '{}'", word.key),
        suggestion(word.key.empty() ? word.value : word.key, known_keys(), "keys")));
  if (word.value.empty()) return wrong(wrong_entry(fmt::format("'{}=' has no value", word.key)));
  const bool again = is_line ? entry.lines.has_value() : !text->second->empty();
  if (again) return wrong(wrong_entry(fmt::format("'{}' is given twice", word.key)));
  if (!is_line) {
    *text->second = word.value;
    return std::nullopt;
  }
  entry.lines = lines_in(word.value);
  if (!entry.lines)
    return wrong(wrong_entry(fmt::format("'{}' is no line", word.value),
                             "write 'line=12', or 'line=12-20'"));
  return std::nullopt;
}

/// Error of an entry whose words are correct, but not together.
std::optional<Wrong> incomplete(const Suppression& entry) {
  if (entry.lines && entry.file.empty())
    return Wrong{wrong_entry("a line needs its file", "write 'file=heat.cl line=12'"), 0, 1};
  if (entry.rule.empty() && entry.file.empty() && entry.function.empty() && entry.buffer.empty())
    return Wrong{wrong_entry("'*' alone would suppress everything",
                             "say of what: 'file=', 'function=' or 'buffer='"),
                 0, 1};
  return std::nullopt;
}

/// Reads the entry of a line, which may have none. Returns an error.
std::optional<Wrong> read_entry(std::string_view line, std::optional<Suppression>& read) {
  LineReader reader(line);
  if (!reader.has_word()) return std::nullopt;
  Suppression entry;
  for (bool first = true; reader.has_word(); first = false) {
    Word word;
    if (const auto quote = reader.take(word))
      return Wrong{wrong_entry("a '\"' is missing at the end of the text"), *quote, 1};
    if (first && word.key.empty()) {
      if (word.value == "*") continue;
      auto rule = rule_named(word.value);
      if (!rule) return Wrong{rule.errors()[0], word.start, word.length};
      entry.rule = std::move(rule).value();
    } else if (first) {
      return Wrong{wrong_entry("an entry begins with a rule, or '*' for any",
                               fmt::format("write '* {}={}'", word.key, word.value)),
                   word.start, word.length};
    } else if (auto wrong = set_key(entry, word)) {
      return wrong;
    }
  }
  if (auto wrong = incomplete(entry)) return wrong;
  entry.text = reader.before();
  entry.reason = reader.comment();
  read = std::move(entry);
  return std::nullopt;
}

bool is_like(const std::string& name, const std::string& pattern) {
  return pattern.empty() || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// True if the pattern matches the path, or the part of it behind a '/'.
bool is_file_like(const std::string& path, std::string pattern) {
  if (pattern.starts_with("./")) pattern.erase(0, 2);
  if (is_like(path, pattern)) return true;
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (is_like(path.substr(slash + 1), pattern)) return true;
  return false;
}

bool is_at(const Suppression& entry, const std::string& input, const SourceLine& where,
           const std::string& function) {
  if (!is_like(function, entry.function)) return false;
  if (entry.lines && (where.line < entry.lines->first || where.line > entry.lines->second))
    return false;
  return entry.file.empty() || is_file_like(where.file.empty() ? input : where.file, entry.file);
}

/// True if file, line and function match the place, or a call that led there.
bool is_on_the_way(const Suppression& entry, const Diagnostic& diagnostic) {
  const std::string inner = diagnostic.frames.empty() ? "" : diagnostic.frames[0].function;
  if (is_at(entry, diagnostic.input, diagnostic.source, inner)) return true;
  return std::ranges::any_of(diagnostic.frames, [&](const Frame& frame) {
    return is_at(entry, diagnostic.input, frame.where, frame.function);
  });
}

}  // namespace

std::string text_of(const Suppression& entry) {
  if (!entry.where.known()) return entry.text;
  return fmt::format("{}:{}: {}", entry.where.file, entry.where.line, entry.text);
}

std::string suppressed_text(std::uint64_t count) {
  return count == 0 ? "" : fmt::format("{} finding{} suppressed", count, count == 1 ? "" : "s");
}

Status Suppressions::read(const std::string& what, const ReadLimit& limit) {
  if (find_rule(full_rule_id(what)) == nullptr) {
    std::error_code ignored;
    if (std::filesystem::exists(what, ignored)) return read_file(what, limit);
    Diagnostic error = no_such_rule(what);
    error.message += ", nor has a file that name";
    return error;
  }
  const auto rule = rule_named(what);
  if (!rule) return rule.errors();
  Suppression entry;
  entry.rule = *rule;
  entry.text = *rule;
  entries_.push_back(std::move(entry));
  excerpts_.emplace_back();
  return Unit{};
}

Status Suppressions::read_file(const std::string& path, const ReadLimit& limit) {
  std::error_code ignored;
  if (!files_.insert(std::filesystem::weakly_canonical(path, ignored).string()).second)
    return Unit{};
  const auto bytes = launch::read_file(path, limit);
  if (!bytes) return bytes.errors();
  return read_text({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

Status Suppressions::read_text(std::string_view text, const std::string& file) {
  const TextLines lines(text);
  Diagnostics errors;
  const auto count = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  for (std::uint32_t number = 1; number <= count; ++number) {
    const std::string_view line = lines.line(number);
    std::optional<Suppression> entry;
    if (auto wrong = read_entry(line, entry)) {
      Diagnostic& error = wrong->diagnostic;
      const std::size_t start = std::max(wrong->start, line.find_first_not_of(" \t"));
      error.input = file;
      error.source = {file, number, static_cast<std::uint32_t>(start + 1)};
      error.excerpt = excerpt_of(line, start, wrong->length);
      errors.push_back(std::move(error));
    } else if (entry) {
      const std::size_t start = line.find_first_not_of(" \t");
      entry->where = {file, number, static_cast<std::uint32_t>(start + 1)};
      excerpts_.push_back(excerpt_of(line, start, entry->text.size()));
      entries_.push_back(std::move(*entry));
    }
  }
  if (!errors.empty()) return errors;
  return Unit{};
}

std::optional<std::size_t> Suppressions::take(const FoundAt& found) {
  std::optional<std::size_t> first;
  if (!can_be_suppressed(found.diagnostic.rule)) return first;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Suppression& entry = entries_[i];
    if (!entry.rule.empty() && entry.rule != found.diagnostic.rule) continue;
    if (!is_like(std::string(found.buffer), entry.buffer)) continue;
    if (!is_on_the_way(entry, found.diagnostic)) continue;
    ++entry.matched;
    if (first) continue;
    ++entry.used;
    first = i;
  }
  return first;
}

void Suppressions::merge(const Suppression& used) {
  const auto known = std::ranges::find_if(entries_, [&used](const Suppression& entry) {
    return entry.text == used.text && entry.where.line == used.where.line &&
           entry.where.file == used.where.file;
  });
  if (known != entries_.end()) {
    known->used += used.used;
    known->matched += used.matched;
    return;
  }
  entries_.push_back(used);
  excerpts_.emplace_back();
}

std::uint64_t Suppressions::used() const {
  return std::accumulate(
      entries_.begin(), entries_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Suppression& entry) { return sum + entry.used; });
}

Diagnostics Suppressions::unused() const {
  Diagnostics warnings;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Suppression& entry = entries_[i];
    if (entry.matched != 0) continue;
    Diagnostic warning = command_error(
        kUnusedSuppression, fmt::format("nothing is found that '{}' suppresses", entry.text));
    warning.help = entry.where.known() ? "delete the entry, or correct it" : "";
    warning.input = entry.where.file;
    warning.source = entry.where;
    warning.excerpt = excerpts_[i];
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

Status WarningRules::read(std::string_view word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view kind = word.substr(0, equals);
  const bool has_rule = equals != word.size();
  if (kind != "error" && (kind != "no-error" || !has_rule))
    return command_error(kBadCommandLine, fmt::format("'-W{}' means nothing", word),
                         suggestion(fmt::format("-W{}", word),
                                    {"-Werror", "-Werror=RULE", "-Wno-error=RULE"}, "forms"));
  if (!has_rule) {
    all_ = true;
    return Unit{};
  }
  const std::string id = full_rule_id(word.substr(equals + 1));
  if (find_rule(id) == nullptr) return no_such_rule(word.substr(equals + 1));
  (kind == "error" ? errors_ : exceptions_).insert(id);
  return Unit{};
}

bool WarningRules::is_error(const std::string& rule) const {
  return !exceptions_.contains(rule) && (all_ || errors_.contains(rule));
}

void WarningRules::judge(Diagnostic& diagnostic) const {
  if (diagnostic.severity == Severity::kWarning && is_error(diagnostic.rule))
    diagnostic.severity = Severity::kError;
}

Result<FindingRules> FindingRules::read(const std::vector<std::string>& words,
                                        const std::vector<std::string>& suppress,
                                        const ReadLimit& limit) {
  FindingRules rules;
  Diagnostics errors;
  const auto note = [&errors](const Status& status) {
    if (!status) errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  };
  for (const std::string& word : words) note(rules.warnings.read(word));
  for (const std::string& what : suppress) note(rules.suppressions.read(what, limit));
  if (!errors.empty()) return errors;
  return rules;
}

}  // namespace transpire::launch
