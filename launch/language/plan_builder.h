// PlanBuilder: makes a LaunchPlan from statements. The readers of launch files, of JSON, of .sim files and of the command line
// call it once per statement (launch/language/statements.h). The builder resolves file names, decides when a launch happens, and which
// launch a check belongs to:
//
//   settings (kernel, global, local, offset, arg, repeat) change the next launch;
//   `launch` runs it; checks (print, out, expect) wait for the launch that the settings above lead
//   to, or look at the memory as it is when no setting changed since the last launch; a launch is
//   implied at the end when settings changed or nothing was launched at all.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/language/grammar.h"
#include "launch/language/launch_plan.h"

namespace transpire::launch {

class PlanBuilder {
 public:
  explicit PlanBuilder(const std::string& file);

  /// Sets the place of the statements that follow.
  void set_place(const SourceLine& where) { where_ = where; }

  // Statements that only keep a value: in a member of the next launch, or at the end of a list of the plan. A
  // value with a member `where` gets the place.
  template <class T>
  void set(std::vector<T> LaunchPlan::*list, T value) {
    (plan_.*list).push_back(with_place(std::move(value)));
  }
  template <class T>
  void set(T LaunchStep::*member, T value) {
    next_.*member = with_place(std::move(value));
    changed();
  }

  // Other statements. A function that returns a Status fails with C0021 and C0022.
  Status module(std::string_view path);
  /// `what` is a file or a rule.
  Status suppress(std::string what);
  Status specialise(std::string target, ValueSpec value);
  /// `buffer`, `shared` and `variable`.
  Status declare(BufferSpec spec);
  Status queue(QueueSpec queue);
  Status default_queue(std::string name);
  Status setting(std::string_view name, std::string_view value);

  // The next launch.
  Status kernel(std::string name);
  Status argument(ArgumentSpec argument);
  void repeat(std::uint64_t count);
  void swap(std::string a, std::string b);
  void launch();

  // Checks.
  void print(PrintStep print);
  Status output(OutputStep output);
  void expect(Expectation expectation);

  // Scripts, which may have several modules.
  /// Adds a module with a text, or else with the file at `path`, and returns its number.
  std::size_t add_program(ProgramSpec program, std::string_view path);
  /// Launches so many work-groups of a module's kernel, with these arguments. `local` is their size; nothing: the module has it.
  Status dispatch(std::size_t program, const std::string& kernel,
                  const std::vector<ArgumentSpec>& arguments,
                  const std::array<std::uint64_t, 3>& groups,
                  const std::optional<std::array<std::uint64_t, 3>>& local = std::nullopt);
  /// The memory that was declared by that name; null: there is none.
  BufferSpec* declared(std::string_view name);
  /// The path of a file that is named in the plan's file.
  std::string path_of(std::string_view path) const;

  /// Adds a module whose path is relative to the current folder.
  void use_module(std::string path) { plan_.modules.push_back(std::move(path)); }

  Result<LaunchPlan> finish();

 private:
  void changed() { dirty_ = true; }
  void add_check(Step step);
  template <class Value>
  Value with_place(Value value) const {
    if constexpr (requires { value.where = where_; }) value.where = where_;
    return value;
  }
  ValueSpec located(ValueSpec value) const;
  void run_pending();
  Status run_setting(std::string_view name, std::string_view value);
  void expect_printf(std::string text);

  LaunchPlan plan_;
  std::string directory_;  ///< folder of relative file names; empty: the current one
  LaunchStep next_;
  std::vector<Step> waiting_;  ///< checks for the launch that has not happened yet
  bool dirty_ = true;
  std::uint32_t serial_ = 0;           ///< number of the last argument statement
  std::uint32_t launched_serial_ = 0;  ///< number of the last one before the last launch
  SourceLine where_;
};

/// Reads launch-file text statement by statement. Continues after an error, to report all errors.
Status read_launch_lines(PlanBuilder& builder, std::string_view text, const std::string& file);

/// True if the first line that is neither blank nor a comment is a statement of launch files.
bool begins_with_statement(std::string_view text);

}  // namespace transpire::launch
