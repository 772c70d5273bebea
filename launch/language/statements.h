// The statements of the launch language, but for the settings and limits of launch/language/asked_settings.h: one table for the
// text form, JSON and the command line.
//
// A row has the names of a statement in each form, reads it there, and describes it for docs/launch-file.md and
// docs/launch.schema.json. All forms make the same values (launch/language/launch_plan.h) and hand them to the PlanBuilder. A new
// statement is a row, its value in LaunchPlan, and the use of that value in the runner.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "launch/language/json_reader.h"
#include "launch/language/launch_plan.h"
#include "launch/language/launch_writer.h"
#include "launch/language/plan_builder.h"

namespace transpire::launch {

/// Object of the JSON form that has the statement as a member.
enum class JsonPlace : std::uint8_t {
  kRoot,
  kLaunch,  ///< describes the next launch: a member of {"launch": {...}}
  kStep,    ///< a step
};

/// A form of a statement in the page's table of lines.
struct StatementLine {
  std::string_view usage;    ///< "arg NAME = VALUE"
  std::string_view meaning;  ///< in Markdown
};

struct Statement {
  std::string_view word;  ///< "arg": the first word of its lines

  // The text form has one of these two, or neither.
  Status (*line)(PlanBuilder&, std::string_view rest) = nullptr;  ///< WORD REST
  Status (*assignment)(PlanBuilder&, std::string_view left,
                       std::string_view right) = nullptr;  ///< WORD LEFT = RIGHT
  std::string_view grammar{};  ///< grammar of the rest of the line: `NAME "=" value`
  StatementLine lines[4]{};    ///< none: the page describes the statement elsewhere

  // The JSON form.
  JsonPlace place = JsonPlace::kRoot;
  std::string_view member{};  ///< "arguments"; empty: JSON has no such statement
  void (*json)(JsonReader&, const Json& value) = nullptr;
  std::string_view schema{};  ///< JSON schema of the member
  bool is_required = false;

  // The command line. `option` reads the text of an option; null: the text form does.
  std::string_view names{};        ///< "-a,--arg"; empty: there is no option
  std::string_view placeholder{};  ///< "NAME=VALUE"
  std::string_view help{};
  bool is_repeatable = false;
  Status (*option)(PlanBuilder&, std::string_view text) = nullptr;
  /// Changes the plan of a launch file by that of the options; null: the option adds a check.
  Status (*override_by)(LaunchPlan& plan, LaunchPlan& given) = nullptr;

  // Writes the statements of a plan, or of a launch of it, in the text form. Null: another row writes it, or launch files that are
  // written never have it.
  Status (*write)(LaunchWriter&, const LaunchPlan&) = nullptr;
  void (*write_launch)(LaunchWriter&, const LaunchStep&) = nullptr;
};

/// All rows. Options of the command line and members of JSON are read in this order.
std::span<const Statement> statements();

/// The members of the object at that place of the JSON form, which read their statements.
std::vector<JsonReader::Field> fields_of(JsonReader& reader, JsonPlace place);

}  // namespace transpire::launch
