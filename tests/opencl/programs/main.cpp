// Runs the host program that the first argument names.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>
#include <map>

#include "tests/opencl/programs/programs.h"

namespace transpire::test {
namespace {

std::map<std::string, int (*)(const Words&)>& all() {
  static std::map<std::string, int (*)(const Words&)> programs;
  return programs;
}

void end_on_failure(const doctest::AssertData& check) {
  if (!check.m_failed) return;
  std::fprintf(stderr, "%s:%d: %s failed\n", check.m_file, check.m_line, check.m_expr);
  std::_Exit(9);
}

}  // namespace

HostProgram::HostProgram(const char* name, int (*run)(const Words&)) { all()[name] = run; }

}  // namespace transpire::test

int main(int argc, char** argv) {
  using namespace transpire::test;
  doctest::Context context;
  context.setAsDefaultForAssertsOutOfTestCases();
  context.setAssertHandler(end_on_failure);
  const auto program = all().find(argc > 1 ? argv[1] : "");
  if (program == all().end()) {
    std::fprintf(stderr, "there is no such program\n");
    return 9;
  }
  return program->second(Words{{argv + 2, argv + argc}});
}
