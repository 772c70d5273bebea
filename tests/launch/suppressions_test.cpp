// Entries of suppressions: how they are read, and what they hold of.
#include "launch/report/suppressions.h"

#include <fmt/format.h>

#include "launch/report/rule_words.h"
#include "launch/report/text.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

/// A store beyond 'y' in 'put', which 'step' called, which kernel 'k' called.
Diagnostic store_beyond() {
  Diagnostic diagnostic;
  diagnostic.rule = "TSP-R0021";
  diagnostic.input = "k.spv";
  diagnostic.source = {"src/put.h", 7, 3};
  diagnostic.frames = {{"put", {"src/put.h", 7, 3}, 12},
                       {"step", {"src/heat.cl", 31, 5}, std::nullopt},
                       {"k", {"src/heat.cl", 40, 1}, 40}};
  return diagnostic;
}

bool holds(const std::string& entry, const Diagnostic& diagnostic = store_beyond(),
           std::string_view buffer = "y") {
  Suppressions suppressions;
  const Status read = suppressions.read_text(entry, "a.supp");
  CHECK_MESSAGE(read.ok(), entry);
  return suppressions.take({diagnostic, buffer}).has_value();
}

std::string refusal(const std::string& text) {
  Suppressions suppressions;
  const Status read = suppressions.read_text(text, "a.supp");
  if (read) return "taken";
  const Diagnostic& error = read.errors()[0];
  return fmt::format("{}:{}: {}: {}", error.source.line, error.source.column, error.rule,
                     error.message);
}

TEST_CASE("entries hold of rule, buffer, and one place on the way") {
  for (const char* entry :
       {"TSP-R0021", "r21", "* buffer=y", "* file=put.h", "* file=src/put.h", "* file=./put.h",
        "* file=\"put.h\"", "R0021 file=put.h line=7", "R0021 file=put.h line=5-7 function=put",
        "R0021 function=step", "R0021 function=st?p file=heat.cl line=31",
        "* function=k line=40 file=*.cl", "* file=src/*"})
    CHECK_MESSAGE(holds(entry), entry);
  for (const char* entry :
       {"R0020", "* buffer=z", "* file=ut.h", "* file=h", "R0021 file=put.h line=8", "* function=s",
        "R0021 file=put.h line=5-7 function=step", "* function=k file=put.h",
        "* function=step file=heat.cl line=40"})
    CHECK_FALSE_MESSAGE(holds(entry), entry);
}

TEST_CASE("of words alone, the file is the module") {
  Diagnostic diagnostic;
  diagnostic.rule = "TSP-R0001";
  diagnostic.input = "out/k.spv";
  diagnostic.frames = {{"k", {}, 40}};
  CHECK(holds("* file=k.spv function=k", diagnostic, ""));
  CHECK_FALSE(holds("* file=k.spv line=1", diagnostic, ""));
  CHECK_FALSE(holds("* buffer=?*", diagnostic, ""));
}

TEST_CASE("what refuses or ends a launch is never suppressed") {
  Diagnostic diagnostic = store_beyond();
  for (const char* rule : {"TSP-L0001", "TSP-C0023", "TSP-U0001", "TSP-D0003"}) {
    diagnostic.rule = rule;
    CHECK_FALSE_MESSAGE(holds("* function=k", diagnostic), rule);
  }
  for (const char* rule : {"TSP-L0005", "TSP-C0036", "TSP-ENV-2.2-01", "TSP-V0001", "TSP-R0060"}) {
    diagnostic.rule = rule;
    CHECK_MESSAGE(holds("* function=k", diagnostic), rule);
  }
}

TEST_CASE("comments, quotes, and what an entry keeps of them") {
  Suppressions suppressions;
  REQUIRE(
      suppressions
          .read_text("# all\n\n  R0021  buffer=\"a b\\\"\"  # why # not\r\n* file=a#b\n", "a.supp")
          .ok());
  REQUIRE(suppressions.entries().size() == 2);
  const Suppression& first = suppressions.entries()[0];
  CHECK(first.text == "R0021  buffer=\"a b\\\"\"");
  CHECK(first.buffer == "a b\"");
  CHECK(first.reason == "why # not");
  CHECK((first.where.line == 3 && first.where.column == 3));
  CHECK(suppressions.entries()[1].file == "a#b");
}

TEST_CASE("wrong entries have their places") {
  CHECK(refusal("\nR006O file=x") == "2:1: TSP-C0025: no rule has the id 'R006O'");
  CHECK(refusal("R0060 functon=f") == "1:7: TSP-C0038: there is no key 'functon'");
  CHECK(refusal("R0060 quot") == "1:7: TSP-C0038: 'quot' was not expected behind the rule");
  CHECK(refusal("R0060 file=") == "1:7: TSP-C0038: 'file=' has no value");
  CHECK(refusal("R0060 file=a file=b") == "1:14: TSP-C0038: 'file' is given twice");
  CHECK(refusal("R0060 file=a line=0") == "1:14: TSP-C0038: '0' is no line");
  CHECK(refusal("R0060 file=a line=9-3") == "1:14: TSP-C0038: '9-3' is no line");
  CHECK(refusal("R0060 line=3") == "1:1: TSP-C0038: a line needs its file");
  CHECK(refusal(" *") == "1:2: TSP-C0038: '*' alone would suppress everything");
  CHECK(refusal("file=a") == "1:1: TSP-C0038: an entry begins with a rule, or '*' for any");
  CHECK(refusal("R0060 file=\"a b") == "1:12: TSP-C0038: a '\"' is missing at the end of the text");
  CHECK(refusal("C0023 file=a") ==
        "1:1: TSP-C0038: 'C0023' is no rule of what kernels or modules do wrong");
  CHECK(no_such_rule("r006O").help == "did you mean 'TSP-R0060'?");
  CHECK(no_such_rule("R9999").help == "'transpire explain' lists them");
}

TEST_CASE("the first entry suppresses, all that hold are needed") {
  Suppressions suppressions;
  REQUIRE(suppressions.read_text("R0021 buffer=y\n* function=step\nR0060\n", "a.supp").ok());
  CHECK(suppressions.take({store_beyond(), "y"}) == 0u);
  CHECK(suppressions.take({store_beyond(), "z"}) == 1u);
  CHECK(suppressions.used() == 2);
  CHECK(suppressions.entries()[1].matched == 2);
  const Diagnostics unused = suppressions.unused();
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].rule == "TSP-C0039");
  CHECK(unused[0].severity == Severity::kWarning);
  CHECK(unused[0].source.line == 3);
  CHECK(unused[0].excerpt == "R0060\n^~~~~\n");
  Suppressions other;
  REQUIRE(other.read_text("R0060\n", "b.supp").ok());
  other.merge(suppressions.entries()[0]);
  CHECK(other.entries().size() == 2);
  Suppression used = other.entries()[0];
  used.matched = 1;
  other.merge(used);
  CHECK(other.unused().empty());
}

TEST_CASE("which warnings are errors") {
  const auto judged = [](std::initializer_list<const char*> words, const char* rule) {
    WarningRules rules;
    for (const char* word : words) CHECK(rules.read(word).ok());
    Diagnostic diagnostic;
    diagnostic.rule = rule;
    diagnostic.severity = Severity::kWarning;
    rules.judge(diagnostic);
    return diagnostic.severity == Severity::kError;
  };
  CHECK_FALSE(judged({}, "TSP-R0060"));
  CHECK(judged({"error"}, "TSP-R0060"));
  CHECK(judged({"error=r60"}, "TSP-R0060"));
  CHECK_FALSE(judged({"error=r60"}, "TSP-R0061"));
  CHECK_FALSE(judged({"no-error=R0060", "error"}, "TSP-R0060"));
  CHECK_FALSE(judged({"error=R0060", "no-error=R0060"}, "TSP-R0060"));
  WarningRules rules;
  Diagnostic note;
  note.severity = Severity::kNote;
  CHECK(rules.read("error").ok());
  rules.judge(note);
  CHECK(note.severity == Severity::kNote);
  CHECK(error_of(rules.read("all")) == "TSP-C0020: '-Wall' means nothing");
  CHECK(error_of(rules.read("no-error")) == "TSP-C0020: '-Wno-error' means nothing");
  CHECK(error_of(rules.read("error=R9999")) == "TSP-C0025: no rule has the id 'R9999'");
}

TEST_CASE("UTF-16 code units") {
  CHECK(utf16_units("") == 0);
  CHECK(utf16_units("abc") == 3);
  CHECK(utf16_units("\xc3\xa4") == 1);
  CHECK(utf16_units("\xe2\x82\xac x") == 3);
  CHECK(utf16_units("\xf0\x9d\x84\x9e") == 2);
  CHECK(utf16_units("\xff\xc3") == 2);
  CHECK(utf16_units("\xe2\x82") == 2);
}

}  // namespace
}  // namespace transpire::test
