// The limits of a launch as a table, as transpire/setting_table.hpp is one of its settings. Code that reads or writes limits
// uses it: command lines, launch files, the OpenCL driver's environment, records, the C interface. The rows are in
// transpire/launch_limits.def.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "transpire/transpire.h"
#include "transpire/transpire.hpp"

namespace transpire {

/// Syntax of a limit's value in the launch language. The command line (`--WORD`) and JSON (a member WORD) follow from it.
enum class LimitKind : std::uint8_t {
  kCount,  ///< `WORD 1000`
  kBytes,  ///< `WORD 4096`, `WORD 512MiB`
  kTime,   ///< `WORD 10`, `WORD 500ms`; a number of seconds
};

/// The phases of a run, in their order.
enum class LimitPhase : std::uint8_t {
  kNone,
  kReading,     ///< launch files, modules and the contents of buffers are read
  kCompiling,   ///< OpenCL C is compiled
  kValidating,  ///< the module is validated
  kSetUp,       ///< buffers and images are made
  kLowering,    ///< the kernel is lowered; counts as part of its launch
  kLaunch,      ///< the kernel runs
  kChildren,    ///< kernels that it enqueued run
  kAfterwards,  ///< results are printed, compared and written
};

inline constexpr std::array kEveryPhase{LimitPhase::kReading,    LimitPhase::kCompiling,
                                        LimitPhase::kValidating, LimitPhase::kSetUp,
                                        LimitPhase::kLowering,   LimitPhase::kLaunch,
                                        LimitPhase::kChildren,   LimitPhase::kAfterwards};

/// The member of Limits that a row declares; of a limit of a whole run, neither pointer is set.
struct LimitMember {
  constexpr LimitMember() = default;
  constexpr explicit LimitMember(std::uint64_t Limits::*member) : number(member) {}
  constexpr explicit LimitMember(double Limits::*member) : seconds(member) {}
  std::uint64_t Limits::*number = nullptr;
  double Limits::*seconds = nullptr;
};

struct Limit {
  std::string_view member;  ///< name of the member of Limits
  LimitMember in{};
  std::int64_t c_limit = -1;  ///< a transpire_limit; -1: the C interface has none
  LimitKind kind;
  std::string_view word;     ///< the limit's word in the launch language
  std::string_view help;     ///< help of `transpire run --WORD`
  std::string_view at_zero;  ///< effect of the value 0, for documents: "no limit"
  /// Environment variable of the OpenCL driver; empty: the driver has none.
  std::string_view driver_variable{};
  std::string_view driver_help{};          ///< help of `transpire cl --WORD`; empty: `help`
  std::string_view driver_unit = "limit";  ///< noun for a count in messages of `transpire cl`
  std::string_view rule{};                 ///< rule of the diagnostic at the limit; empty: none
  int exit_code;                           ///< exit code of a run in which only this happened
  decltype(kEveryPhase) phases{};          ///< where the limit holds; kNone fills the rest
};

inline constexpr Limit kLimits[] = {
#define TRANSPIRE_LIMIT(type, name, initial, constant, number, ...) \
  {.member = #name, .in = LimitMember(&Limits::name), .c_limit = constant, __VA_ARGS__},
#define TRANSPIRE_RUN_LIMIT(type, name, initial, ...) {.member = #name, __VA_ARGS__},
#include "transpire/launch_limits.def"
#undef TRANSPIRE_LIMIT
};

/// An array with one element per limit, in the order of the table.
template <class T>
using PerLimit = std::array<T, std::size(kLimits)>;

/// Returns the index of a row. An unknown name of a member does not compile.
consteval std::size_t limit_index(std::string_view member) {
  for (std::size_t i = 0; i < std::size(kLimits); ++i)
    if (kLimits[i].member == member) return i;
  throw "no limit";  // never compiles
}

constexpr bool holds_in(const Limit& limit, LimitPhase phase) {
  return std::ranges::find(limit.phases, phase) != limit.phases.end();
}

/// Name of the limit's value in help texts and documents.
constexpr std::string_view placeholder(const Limit& limit) {
  return limit.kind == LimitKind::kCount ? "N" : limit.kind == LimitKind::kBytes ? "BYTES" : "TIME";
}

/// True if a row has what every interface needs, and its type is that of its kind.
constexpr bool is_complete(const Limit& limit) {
  const bool is_time = limit.kind == LimitKind::kTime;
  return !limit.word.empty() && !limit.help.empty() && !limit.at_zero.empty() &&
         limit.phases[0] != LimitPhase::kNone &&
         (is_time ? limit.in.number == nullptr : limit.in.seconds == nullptr) &&
         (!limit.driver_variable.empty() || limit.driver_help.empty()) &&
         std::ranges::count(kLimits, limit.word, &Limit::word) == 1 &&
         (limit.c_limit < 0 || std::ranges::count(kLimits, limit.c_limit, &Limit::c_limit) == 1);
}
static_assert(std::ranges::all_of(kLimits, is_complete));

}  // namespace transpire
