
#include <charconv>
#include <regex>

#include "tests/shorthand/formula.h"
#include "tests/shorthand/lines.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::shorthand {
namespace {

/// A directive of the short form; `word` is empty in other lines.
struct Directive {
  std::string word;
  std::vector<std::string> operands;
};

Directive directive_of(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == line.npos) return {};
  line.remove_prefix(begin);
  if (!line.starts_with(";! ") && !line.starts_with("//! ")) return {};
  std::vector<std::string> words = words_of(line.substr(line.find(' ') + 1));
  if (words.empty()) return {};
  Directive directive{words[0], {}};
  for (const std::string_view known :
       {"files", "for", "each", "let", "define", "if", "when", "else", "end", "|"})
    if (directive.word == known) {
      directive.operands.assign(words.begin() + 1, words.end());
      return directive;
    }
  return {};
}

class Expansion {
 public:
  explicit Expansion(std::string_view text) : lines_(split_lines(text)) {}

  /// The rows of the file's `files` line; one without values if it has none.
  std::vector<Values> files() const {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (directive_of(lines_[i]).word == "files") return rows_of(i, {}).rows;
    return {Values{}};
  }

  std::string text(const Values& values) const {
    std::string out;
    add(0, lines_.size(), values, out);
    return out;
  }

 private:
  struct Rows {
    std::vector<Values> rows;
    std::size_t next;  ///< the line behind them
  };

  [[noreturn]] void fail(std::size_t line, std::string_view reason) const {
    throw Mistake(fmt::format("line {}: {}", line + 1, reason));
  }

  /// The operands of the directive at line `at` and of the lines "| ..." behind it, of which `next` becomes the end.
  std::vector<std::string> operands_of(std::size_t at, const Values& outer,
                                       std::size_t& next) const {
    std::vector<std::string> words = directive_of(substituted(lines_[at], outer)).operands;
    for (next = at + 1; next < lines_.size(); ++next) {
      const Directive more = directive_of(substituted(lines_[next], outer));
      if (more.word != "|") break;
      words.emplace_back("|");
      words.insert(words.end(), more.operands.begin(), more.operands.end());
    }
    return words;
  }

  /// The rows of `A B in 1 2 | 3 4`.
  Rows rows_of(std::size_t at, const Values& outer) const {
    std::size_t next;
    const std::vector<std::string> words = operands_of(at, outer, next);
    if (words.size() == 5 && words[1] == "from" && words[3] == "to")
      return {numbered_rows(at, words, outer), next};
    const auto in = std::find(words.begin(), words.end(), "in");
    if (in == words.begin() || in == words.end()) fail(at, "expected NAME... in VALUE...");
    const std::vector<std::string> names(words.begin(), in);
    std::vector<std::string> row;
    std::vector<Values> rows;
    const auto end_row = [&] {
      if (row.empty()) return;
      if (row.size() != names.size())
        fail(at, fmt::format("a row has {} values for {} names", row.size(), names.size()));
      Values& values = rows.emplace_back(outer);
      for (std::size_t i = 0; i < names.size(); ++i) values[names[i]] = row[i];
      values["INDEX"] = std::to_string(rows.size() - 1);
      row.clear();
    };
    for (auto word = in + 1; word != words.end(); ++word) {
      if (*word != "|") row.push_back(*word);
      if (*word == "|" || names.size() == 1) end_row();
    }
    end_row();
    if (rows.empty()) fail(at, "no values");
    return {std::move(rows), next};
  }

  /// `let NAME = VALUE` or `let NAME by KEY... in WORD... VALUE | WORD... VALUE`: adds NAME to `values`, with the value of the first row of
  /// which a word is the value of a KEY. Returns the line behind it.
  std::size_t add_value(std::size_t at, Values& values) const {
    std::size_t next;
    const std::vector<std::string> words = operands_of(at, values, next);
    if (words.size() == 3 && words[1] == "=") {
      values[words[0]] = words[2];
      return next;
    }
    const auto in = std::find(words.begin(), words.end(), "in");
    if (in - words.begin() < 3 || in == words.end() || words[1] != "by")
      fail(at, "expected NAME by KEY... in WORD... VALUE");
    const auto is_key = [&](const std::string& word) {
      return std::any_of(words.begin() + 2, in, [&](const std::string& key) {
        const auto value = values.find(key);
        return value != values.end() && value->second == word;
      });
    };
    for (auto row = in; row != words.end();) {
      const auto end = std::find(++row, words.end(), "|");
      if (end - row < 2) fail(at, "a row has a word and a value");
      if (std::any_of(row, end - 1, is_key)) {
        values[words[0]] = *(end - 1);
        return next;
      }
      row = end;
    }
    fail(at, "no row fits");
  }

  /// `define f(A, B) = FORMULA`: formulas may call f. Its value is named "f/2", and is "A B = FORMULA".
  void add_function(std::size_t at, Values& values) const {
    static const std::regex form(".*?! define (\\w+)\\(([A-Z, ]+)\\) = (.+)");
    std::smatch match;
    const std::string line = substituted(lines_[at], values);
    if (!std::regex_match(line, match, form))
      fail(at, "expected define NAME(PARAMETER, ...) = FORMULA");
    std::string parameters = match.str(2);
    const auto count = std::count(parameters.begin(), parameters.end(), ',') + 1;
    std::replace(parameters.begin(), parameters.end(), ',', ' ');
    values[fmt::format("{}/{}", match.str(1), count)] = parameters + " = " + match.str(3);
  }

  std::string expanded(std::size_t at, const Values& values) const {
    try {
      return with_formulas(substituted(lines_[at], values), values);
    } catch (const Mistake& mistake) {
      fail(at, mistake.what());
    }
  }

  /// The rows of `A from 0 to 3`: none if the first number is greater than the last.
  std::vector<Values> numbered_rows(std::size_t at, const std::vector<std::string>& words,
                                    const Values& outer) const {
    unsigned first = 0, last = 0;
    for (const auto& [word, number] : {std::pair(&words[2], &first), std::pair(&words[4], &last)})
      if (std::from_chars(word->data(), word->data() + word->size(), *number).ptr !=
          word->data() + word->size())
        fail(at, fmt::format("'{}' is no number", *word));
    std::vector<Values> rows;
    for (unsigned number = first; number <= last; ++number) {
      Values& values = rows.emplace_back(outer);
      values[words[0]] = std::to_string(number);
      values["INDEX"] = std::to_string(rows.size() - 1);
    }
    return rows;
  }

  /// The line of the `end` (or, where there is one, the `else`) of what is begun before line `at`.
  std::size_t end_of(std::size_t begun, std::size_t at, bool or_else) const {
    for (int depth = 0; at < lines_.size(); ++at) {
      const std::string word = directive_of(lines_[at]).word;
      if (word == "for" || word == "if") ++depth;
      if (depth == 0 && (word == "end" || (or_else && word == "else"))) return at;
      if (word == "end") --depth;
    }
    fail(begun, "has no end");
  }

  /// The line behind `next`, which is the one line that belongs to the `each` or `when` of line `begun`.
  std::size_t behind_line(std::size_t begun, std::size_t next, std::size_t end) const {
    if (next >= end || !directive_of(lines_[next]).word.empty()) fail(begun, "has no line");
    return next + 1;
  }

  /// True if the condition `A is x y` or `A not x y` of line `at` holds.
  bool holds(std::size_t at, const Values& values) const {
    const std::vector<std::string> words = directive_of(substituted(lines_[at], values)).operands;
    const auto value = words.empty() ? values.end() : values.find(words[0]);
    if (value == values.end() || words.size() < 3 || (words[1] != "is" && words[1] != "not"))
      fail(at, "expected NAME is VALUE... or NAME not VALUE...");
    const bool found = std::find(words.begin() + 2, words.end(), value->second) != words.end();
    return found == (words[1] == "is");
  }

  /// A line of several statements becomes a line for each: `kernel k global 80 local 40`, `arg a b = uint:zero:4`,
  /// `expect a b[0] = 1`, `expect a[0] = 1 | [3] = 2`, `expect fault TSP-R0040 line 3 | TSP-L0001`, `arg a b = uint:zero:4 expect [0] = 1 | [3] = 2`.
  static void add_line(const std::string& line, std::string& out) {
    // Only heads are matched: std::regex takes some stack for each character, and values can be long.
    static const std::regex sizes(
        "(;!|//!) (options(?: -\\S+)+|(?:kernel|global|local|offset|subgroup-size|check) \\S+) "
        "(?=(?:options|kernel|global|local|offset|subgroup-size|check) \\S)");
    static const std::regex parts("(;!|//!) expect (\\w+)(?=\\[\\S*\\] = )");
    static const std::regex of_one_value(
        "(;!|//!) (arg|expect) (\\w+(?:\\[\\S*\\])?(?: \\w+(?:\\[\\S*\\])?)+) (?== )");
    static const std::regex argument("(;!|//!) arg ");
    static const std::regex listed("(;!|//!) expect (fault |printf \")");
    std::smatch match;
    const auto begins = [&](const std::regex& head) {
      return std::regex_search(line, match, head, std::regex_constants::match_continuous);
    };
    const auto end_of_argument = [&] { return line.find(" expect ", line.find(" = ")); };
    if (begins(sizes)) {
      out += fmt::format("{} {}\n", match.str(1), match.str(2));
      add_line(fmt::format("{} {}", match.str(1), match.suffix().str()), out);
    } else if (begins(argument) && end_of_argument() != line.npos) {
      const std::size_t end = end_of_argument();
      add_line(line.substr(0, end), out);
      const std::string names = line.substr(match.length(), line.find(" = ") - match.length());
      add_expectations(match.str(1), words_of(names), line.substr(end + 8), out);
    } else if (begins(parts) && line.find(" | [") != line.npos) {
      add_expectations(match.str(1), {match.str(2)}, match.suffix(), out);
    } else if (begins(of_one_value)) {
      for (const std::string& name : words_of(match.str(3)))
        out += fmt::format("{} {} {} {}\n", match.str(1), match.str(2), name, match.suffix().str());
    } else if (begins(listed) && end_of_row(line, match) != line.npos) {
      const std::size_t end = end_of_row(line, match);
      out += line.substr(0, end) + '\n';
      const std::string word = match.str(2).substr(0, match.str(2).find(' '));
      add_line(fmt::format("{} expect {} {}", match.str(1), word, line.substr(end + 3)), out);
    } else {
      out += line + '\n';
    }
  }

  /// The place of the ` | ` behind the first finding or text of a list: a text may hold one, too.
  static std::size_t end_of_row(const std::string& line, const std::smatch& head) {
    const bool is_text = head.str(2).back() == '"';
    const auto begun = static_cast<std::size_t>(head.length());
    const std::size_t end = line.find(is_text ? "\" | " : " | ", begun);
    return end == line.npos || !is_text ? end : end + 1;
  }

  /// `[0] = 1 | [4..5] = 2 3` of each argument.
  static void add_expectations(const std::string& mark, const std::vector<std::string>& arguments,
                               const std::string& values, std::string& out) {
    for (const std::string& argument : arguments)
      for (std::string_view rest = values; !rest.empty();) {
        const std::size_t end = std::min(rest.find(" | "), rest.size());
        const std::string_view value = rest.substr(0, end);
        out +=
            fmt::format("{} expect {}{}{}\n", mark, argument, value[0] == '[' ? "" : " = ", value);
        rest.remove_prefix(std::min(end + 3, rest.size()));
      }
  }

  void add(std::size_t at, std::size_t end, Values values, std::string& out) const {
    while (at < end) {
      const Directive directive = directive_of(lines_[at]);
      if (directive.word.empty()) {
        add_line(expanded(at++, values), out);
      } else if (directive.word == "files") {
        at = rows_of(at, {}).next;
      } else if (directive.word == "let") {
        at = add_value(at, values);
      } else if (directive.word == "define") {
        add_function(at++, values);
      } else if (directive.word == "for") {
        const Rows rows = rows_of(at, values);
        const std::size_t last = end_of(at, rows.next, false);
        for (const Values& row : rows.rows) add(rows.next, last, row, out);
        at = last + 1;
      } else if (directive.word == "each") {
        const Rows rows = rows_of(at, values);
        const std::size_t next = behind_line(at, rows.next, end);
        for (const Values& row : rows.rows) add(rows.next, next, row, out);
        at = next;
      } else if (directive.word == "when") {
        const std::size_t next = behind_line(at, at + 1, end);
        if (holds(at, values)) add(at + 1, next, values, out);
        at = next;
      } else if (directive.word == "if") {
        const std::size_t other = end_of(at, at + 1, true);
        const bool has_else = directive_of(lines_[other]).word == "else";
        const std::size_t last = has_else ? end_of(at, other + 1, false) : other;
        if (holds(at, values))
          add(at + 1, other, values, out);
        else if (has_else)
          add(other + 1, last, values, out);
        at = last + 1;
      } else {
        fail(at, fmt::format("'{}' without what it belongs to", directive.word));
      }
    }
  }

  std::vector<std::string_view> lines_;
};

/// In OpenCL C "{@late}" is the number of the line that ends in "// @late".
std::string with_marked_lines(const std::string& text) {
  constexpr std::string_view kMark = "// @";
  const std::vector<std::string_view> lines = split_lines(text);
  Values places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t mark = lines[i].find(kMark);
    if (mark == lines[i].npos) continue;
    const std::string name(lines[i].substr(mark + kMark.size() - 1));
    if (!places.emplace(name, std::to_string(i + 1)).second)
      throw Mistake(fmt::format("two lines have the name '{}'", name));
  }
  return with_places(lines, "//!", places);
}

}  // namespace

std::vector<Program> expand(std::string_view name, std::string_view text) {
  const Expansion expansion(text);
  const std::vector<Values> files = expansion.files();
  std::vector<Program> programs;
  for (const Values& values : files) {
    programs.push_back({substituted(name, values), expansion.text(values)});
    if (!programs.back().name.ends_with(".spvasm"))
      programs.back().text = with_marked_lines(programs.back().text);
    for (std::size_t i = 0; i + 1 < programs.size(); ++i)
      if (programs[i].name == programs.back().name)
        throw Mistake(fmt::format("two rows of `files` give {}", programs[i].name));
  }
  return programs;
}

}  // namespace transpire::shorthand
