// What is generated from the definition of the command line: the man page and the completion
// scripts.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/app.h"
#include "launch/language/statements.h"
#include "tests/launch/support.h"

namespace transpire::test {

using namespace cli;
using namespace launch;

TEST_CASE("all commands are described") {
  const CommandDescription program = describe_commands();
  std::string names;
  for (const CommandDescription& command : program.commands) names += command.name + " ";
  CHECK(names == "run test fuzz info validate dis compile cl ulp explain version help completion ");
  bool found = false;
  for (const OptionDescription& option : program.commands[0].options) {
    if (option.names != std::vector<std::string>{"-a", "--arg"}) continue;
    found = true;
    CHECK(option.value == "NAME=VALUE");
    CHECK(option.repeated);
  }
  CHECK(found);
}

TEST_CASE("every option is in the man page and in the completions") {
  const CommandDescription program = describe_commands();
  const std::string page = man_page(program);
  CHECK(page.starts_with(".TH TRANSPIRE 1"));
  for (const CommandDescription& command : program.commands) {
    CHECK(page.find(".SS transpire " + command.name) != std::string::npos);
    for (const char* shell : {"bash", "zsh", "fish"}) {
      const std::string script = completion_script(program, shell);
      for (const OptionDescription& option : command.options)
        for (const std::string& name : option.names) {
          const std::string spelled = std::string(shell) != "fish" ? name
                                      : name.starts_with("--")     ? "-l " + name.substr(2)
                                                                   : "-s " + name.substr(1);
          CHECK_MESSAGE(script.find(spelled) != std::string::npos, shell << ": " << name);
        }
    }
  }
}

TEST_CASE("every statement is in the documents, and no form has a name twice") {
  const auto text_of = [](const char* name) {
    std::ostringstream text;
    text << std::ifstream(fmt::format("{}/docs/{}", TRANSPIRE_REPOSITORY, name)).rdbuf();
    return text.str();
  };
  const std::string page = text_of("launch-file.md"), schema = text_of("launch.schema.json");
  for (const Statement& statement : statements()) {
    INFO(statement.word);
    if (statement.line != nullptr || statement.assignment != nullptr)
      CHECK((page.find(fmt::format("\"{}\"", statement.word)) != page.npos ||
             page.find(fmt::format("`{} ", statement.word)) != page.npos));
    CHECK((statement.member.empty() ||
           schema.find(fmt::format("\"{}\": {{", statement.member)) != schema.npos));
    CHECK(std::ranges::count(statements(), statement.word, &Statement::word) == 1);
    CHECK((statement.names.empty() || !statement.help.empty()));
  }
}

}  // namespace transpire::test
