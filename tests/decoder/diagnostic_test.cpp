// How diagnostics print.
#include <doctest/doctest.h>

#include "base/rule.h"

namespace transpire::test {

TEST_CASE("a diagnostic prints its place, notes and help") {
  Diagnostic diagnostic = make_diagnostic(Rule::kR0021, "4-byte store past the end of buffer 'y'");
  diagnostic.input = "saxpy.spv";
  diagnostic.word_offset = 412;
  diagnostic.instruction = "OpStore";
  diagnostic.source = {"saxpy.cl", 7, 0};
  diagnostic.notes = {"address: buffer 'y', offset 4096, size 4096"};
  diagnostic.help = "guard with 'if (i < n)'";
  CHECK(format(diagnostic) ==
        "error[TSP-R0021]: 4-byte store past the end of buffer 'y'\n"
        "  --> saxpy.spv: word 412, OpStore (saxpy.cl:7)\n"
        "  = address: buffer 'y', offset 4096, size 4096\n"
        "help: guard with 'if (i < n)'\n");
}

TEST_CASE("what is not known of the place is left out") {
  Diagnostic diagnostic = make_diagnostic(Rule::kD0001, "m");
  CHECK(format(diagnostic) == "error[TSP-D0001]: m\n");
  diagnostic.input = "a.spv";
  CHECK(format(diagnostic) == "error[TSP-D0001]: m\n  --> a.spv\n");
  diagnostic.source = {"k.cl", 3, 9};
  CHECK(format(diagnostic) == "error[TSP-D0001]: m\n  --> k.cl:3:9\n");
  diagnostic.source.file = "a.spv";
  CHECK(format(diagnostic) == "error[TSP-D0001]: m\n  --> a.spv:3:9\n");
  diagnostic = {};
  diagnostic.severity = Severity::kWarning;
  diagnostic.message = "w";
  diagnostic.word_offset = 5;
  CHECK(format(diagnostic) == "warning: w\n  --> word 5\n");
}

TEST_CASE("colour adds escape sequences and nothing else") {
  Diagnostic diagnostic = make_diagnostic(Rule::kD0001, "m");
  diagnostic.input = "a.spv";
  diagnostic.help = "h";
  std::string painted = format(diagnostic, true);
  CHECK(painted.find("\033[1;31merror[TSP-D0001]\033[0m") == 0);
  for (std::size_t at = painted.find('\033'); at != std::string::npos; at = painted.find('\033'))
    painted.erase(at, painted.find('m', at) - at + 1);
  CHECK(painted == format(diagnostic));
}

}  // namespace transpire::test
