// Suppressions of known findings, and rules that make warnings errors: the options `--suppress` and `-W` of commands, and
// their equivalents in launch files and the OpenCL driver. docs/suppressions.md describes the files.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/report/files.h"
#include "transpire/diagnostic.hpp"
#include "transpire/result.hpp"

namespace transpire::launch {

/// One entry. It matches a finding if all its conditions hold.
struct Suppression {
  std::string rule;                    ///< empty: any
  std::string file, function, buffer;  ///< patterns as in a shell; empty: any
  std::optional<std::pair<std::uint32_t, std::uint32_t>> lines;  ///< both ends included
  std::string text;                                              ///< the entry as written
  std::string reason;  ///< the comment behind it; empty: none
  SourceLine where;    ///< place of the entry, if it is from a file
  /// Number of findings that it matches, and number that it suppresses: no earlier entry matches these.
  std::uint64_t matched = 0, used = 0;
};

/// "known.supp:3: TSP-R0060 function=mix", or the rule alone.
std::string text_of(const Suppression& entry);

/// A diagnostic, and the name of the buffer or variable that it is about, if any.
struct FoundAt {
  const Diagnostic& diagnostic;
  std::string_view buffer = {};
};

class Suppressions {
 public:
  /// Reads entries. `what` is a rule's id, else the name of a file. Fails with C0001, C0025 and C0038; the errors have the
  /// places of all wrong entries.
  Status read(const std::string& what, const ReadLimit& limit = text_limit());
  /// Reads the entries of a file. A file that was read before, by any path, adds nothing.
  Status read_file(const std::string& path, const ReadLimit& limit);
  Status read_text(std::string_view text, const std::string& file);

  /// Index of the first entry that matches the finding and so suppresses it; nothing if none does. Counts matches and uses.
  std::optional<std::size_t> take(const FoundAt& found);
  /// Adds the counts of an entry that another process used; adds the entry if it is not known here.
  void merge(const Suppression& used);

  bool empty() const { return entries_.empty(); }
  const std::vector<Suppression>& entries() const { return entries_; }
  /// Number of all suppressed findings.
  std::uint64_t used() const;
  /// Warnings (C0039) about entries that match nothing.
  Diagnostics unused() const;

 private:
  std::vector<Suppression> entries_;
  std::vector<std::string> excerpts_;  ///< excerpt of each entry
  std::set<std::string> files_;
};

/// Rules whose warnings count as errors.
class WarningRules {
 public:
  /// Reads a word behind -W: "error", "error=RULE", "no-error=RULE". Fails with C0020 and C0025.
  Status read(std::string_view word);

  /// True if warnings of the rule are errors. "no-error" overrides the other words.
  bool is_error(const std::string& rule) const;
  /// Makes a warning an error if its rule says so.
  void judge(Diagnostic& diagnostic) const;

  bool all() const { return all_; }
  const std::set<std::string>& errors() const { return errors_; }
  const std::set<std::string>& exceptions() const { return exceptions_; }

 private:
  bool all_ = false;
  std::set<std::string> errors_, exceptions_;
};

/// The suppressions and warning rules of a command.
struct FindingRules {
  WarningRules warnings;
  Suppressions suppressions;

  /// Reads the values of all options -W (`words`) and --suppress (`suppress`). Returns the errors of all of them.
  static Result<FindingRules> read(const std::vector<std::string>& words,
                                   const std::vector<std::string>& suppress,
                                   const ReadLimit& limit = text_limit());
};

/// "3 findings suppressed"; empty for 0.
std::string suppressed_text(std::uint64_t count);

}  // namespace transpire::launch
