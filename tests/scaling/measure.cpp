#include "tests/scaling/measure.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "decoder/module.h"
#include "transpire/transpire.hpp"
#include "vm/exec/engine.h"
#include "vm/lower/lower.h"

namespace transpire::scaling {
namespace {

/// Processor time: other processes of a busy machine do not count.
double seconds_used() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

constexpr unsigned kDeadline = 120;  // seconds: the process counts as dead

const vm::HandlerTable& handlers_of(const std::string& isa) {
  const std::optional<vm::Isa> known = vm::isa_named(isa);
  if (known && vm::exec::supported(*known)) return vm::exec::handlers(*known);
  std::fprintf(stderr, "no instruction set '%s'\n", isa.c_str());
  std::exit(2);
}

std::string rule_of(const Diagnostics& errors) {
  for (const Diagnostic& error : errors)
    if (error.severity == Severity::kError) return error.rule;
  return "";
}

/// What a child process says to its parent.
struct Answer {
  double seconds;
  char rule[16];
};

class Runner {
 public:
  Runner(const Task& task, const std::vector<std::uint32_t>& words) : task_(task), words_(words) {}

  Answer run() {
    prepare();
    const double start = seconds_used();
    const std::string rule = once();
    Answer answer{seconds_used() - start, {}};
    std::strncpy(answer.rule, rule.c_str(), sizeof answer.rule - 1);
    return answer;
  }

 private:
  void prepare() {
    if (task_.stage == Stage::kValidate) loaded_ = load();
    if (task_.stage == Stage::kLower)
      module_ = decoder::decode(std::as_bytes(std::span(words_)), {.input_name = "hostile"});
  }

  Result<Module> load() const { return Module::load(std::as_bytes(std::span(words_))); }

  std::string once() {
    switch (task_.stage) {
      case Stage::kLoad: {
        const auto loaded = load();
        return loaded.ok() ? "" : rule_of(loaded.errors());
      }
      case Stage::kValidate:
        return loaded_->ok() ? rule_of((*loaded_)->validate()) : rule_of(loaded_->errors());
      case Stage::kLower:
        break;
    }
    if (!module_->ok()) return rule_of(module_->errors());
    vm::LowerOptions options;
    const vm::HandlerTable& table = handlers_of(task_.isa);
    options.lanes = table.lanes;
    options.reference = !task_.optimise;
    const decoder::Module& module = **module_;
    const auto program = vm::lower(module, module.entry_points[0], options, table);
    return program.ok() ? "" : rule_of(program.errors());
  }

  const Task& task_;
  const std::vector<std::uint32_t>& words_;
  std::optional<Result<Module>> loaded_;
  std::optional<Result<decoder::Module>> module_;
};

}  // namespace

std::vector<Task> tasks(bool every_isa) {
  std::vector<Task> all{{Stage::kLoad, "", true}, {Stage::kValidate, "", true}};
  std::vector<std::string> sets = supported_isas();
  if (!every_isa) sets.erase(sets.begin(), sets.end() - 1);
  for (const std::string& isa : sets)
    for (const bool optimise : {true, false}) all.push_back({Stage::kLower, isa, optimise});
  return all;
}

std::string spell(const Task& task) {
  if (task.stage == Stage::kLoad) return "load";
  if (task.stage == Stage::kValidate) return "validate";
  return "lower " + task.isa + (task.optimise ? "" : " reference");
}

Measured measure(const Task& task, const std::vector<std::uint32_t>& words) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    alarm(kDeadline);
    const Answer answer = Runner(task, words).run();
    const ssize_t written = write(ends[1], &answer, sizeof answer);
    _exit(written == sizeof answer ? 0 : 1);
  }
  close(ends[1]);
  Answer answer{};
  const bool answered = read(ends[0], &answer, sizeof answer) == sizeof answer;
  close(ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  Measured measured;
  measured.seconds = answer.seconds;
  measured.rule = answer.rule;
  measured.bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  measured.died = !answered;
  return measured;
}

}  // namespace transpire::scaling
