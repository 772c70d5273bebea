// Running other programs.
#include "base/process.h"

#include <doctest/doctest.h>

#include "tests/patience.h"

namespace transpire::test {
namespace {

ProcessEnd shell(const std::string& script, const ProcessOptions& options = {}) {
  return run_process("sh", {"-c", script}, options);
}

TEST_CASE("process: both outputs, together or apart, and the exit code") {
  const ProcessEnd together = shell("echo out; echo err >&2; exit 3");
  CHECK(together.started);
  CHECK(together.exit_code == 3);
  CHECK(together.output == "out\nerr\n");
  ProcessOptions options;
  options.together = false;
  const ProcessEnd apart = shell("echo out; echo err >&2", options);
  CHECK(apart.exit_code == 0);
  CHECK(apart.output == "out\n");
  CHECK(apart.errors == "err\n");
}

TEST_CASE("process: standard input is empty, and arguments are no shell words") {
  CHECK(run_process("cat", {}).output.empty());
  CHECK(run_process("printf", {"%s|", "a b", "*"}).output == "a b|*|");
  const ProcessEnd missing = run_process("there-is-no-such-program", {});
  CHECK((!missing.started || missing.exit_code == 127));
}

TEST_CASE("process: the environment, added to and replaced") {
  ProcessOptions options;
  options.environment = {{"HOME", "elsewhere"}, {"TRANSPIRE_TEST_NEW", "1"}};
  CHECK(shell("echo $HOME $TRANSPIRE_TEST_NEW ${PATH:+path}", options).output ==
        "elsewhere 1 path\n");
}

TEST_CASE("process: a signal, too much output, and a limit with all that was started") {
  CHECK(shell("kill -TERM $$").exit_code == -15);
  ProcessOptions options;
  options.max_bytes = 1000;
  CHECK(shell("yes", options).too_long);
  options = {};
  options.own_group = true;
  CHECK(within_growing_limits(0.05, [&](double seconds) {
    options.limit = WorkLimit::after(seconds);
    const auto start = std::chrono::steady_clock::now();
    // The inner process holds the pipe: it has to end as well.
    const ProcessEnd late = shell("echo begun; (sleep 10000); true", options);
    CHECK(late.limit == WorkLimit::End::kTime);
    CHECK(std::chrono::steady_clock::now() - start < 2 * kPatience);
    return late.output == "begun\n";
  }));
}

TEST_CASE("process: whoever is asked to end may say what it was doing") {
  ProcessOptions options;
  options.grace_seconds = kPatience.count();
  CHECK(within_growing_limits(0.05, [&](double seconds) {
    options.limit = WorkLimit::after(seconds);
    const ProcessEnd asked =
        shell("trap 'echo asked; exit 5' TERM; echo begun; while :; do sleep 0.01; done", options);
    CHECK(asked.limit == WorkLimit::End::kTime);
    if (asked.output.empty()) return false;  // the shell had not set its trap
    CHECK(asked.exit_code == 5);
    CHECK(asked.output == "begun\nasked\n");
    return true;
  }));
  options.grace_seconds = 0.1;
  CHECK(within_growing_limits(0.05, [&](double seconds) {
    options.limit = WorkLimit::after(seconds);
    const ProcessEnd deaf =
        shell("trap '' TERM; echo begun; while :; do sleep 0.01; done", options);
    if (deaf.output.empty()) return false;
    CHECK(deaf.exit_code == -9);
    return true;
  }));
}

}  // namespace
}  // namespace transpire::test
