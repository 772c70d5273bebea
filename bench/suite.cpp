// The driver's side of the worker protocol, see worker.h.
// A worker that fails, dies or falls silent becomes an error of its contender; others go on.
#include "bench/suite.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bench/child.h"

namespace transpire::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kTimeoutSeconds = 300;

/// A contender's worker and what it has measured so far.
class Entrant {
 public:
  Entrant(const Contender& contender, const std::string& program, const std::string& case_name)
      : contender_(contender) {
    try {
      child_ = std::make_unique<Child>(Command(program, case_name));
    } catch (const std::runtime_error& error) {
      measurement_.error = error.what();
      measurement_.absent = true;
    }
  }

  /// Waits until the worker is set up and has checked its result. Set-up is done one worker after
  /// the other: the checks are busy work too.
  void AwaitReady() {
    if (const auto object = NextObject())
      measurement_.work_items = object->value("work_items", std::size_t{0});
  }

  void Measure() {
    if (!child_) return;
    if (!child_->WriteLine("run")) return Fail("the worker ended early");
    const auto object = NextObject();
    if (!object) return;
    cpu_ns_.push_back(object->value("cpu_ns", 0.0));
    wall_ns_.push_back(object->value("wall_ns", 0.0));
  }

  Measurement Finish() {
    child_.reset();
    measurement_.samples = cpu_ns_.size();
    if (!measurement_.error.empty() || cpu_ns_.empty()) return measurement_;
    measurement_.cpu_ns = Median(cpu_ns_);
    measurement_.wall_ns = Median(wall_ns_);
    measurement_.time_ns = contender_.uses_wall_time() ? measurement_.wall_ns : measurement_.cpu_ns;
    return measurement_;
  }

 private:
  std::vector<std::string> Command(const std::string& program, const std::string& case_name) const {
    std::vector<std::string> command = contender_.launcher;
    command.insert(command.end(),
                   {program, "--one", case_name, "--via", contender_.runner.via, "--threads",
                    std::to_string(contender_.runner.threads), "--serve"});
    if (!contender_.runner.isa.empty())
      command.insert(command.end(), {"--isa", contender_.runner.isa});
    if (contender_.size == Size::kSmall) command.push_back("--small");
    return command;
  }

  /// The worker's next JSON line; skips what a platform prints. Nothing after a failure.
  std::optional<Json> NextObject() {
    if (!child_) return std::nullopt;
    while (auto line = child_->ReadLine(kTimeoutSeconds)) {
      Json object = Json::parse(*line, nullptr, /*allow_exceptions=*/false);
      if (!object.is_object()) continue;
      if (!object.contains("error")) return object;
      measurement_.absent = object.contains("absent");
      Fail(object.value("error", ""));
      return std::nullopt;
    }
    Fail("the worker ended early or was silent for too long");
    return std::nullopt;
  }

  void Fail(const std::string& why) {
    measurement_.error = why;
    child_.reset();
  }

  static double Median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  const Contender& contender_;
  std::unique_ptr<Child> child_;
  Measurement measurement_;
  std::vector<double> cpu_ns_;
  std::vector<double> wall_ns_;
};

}  // namespace

CaseResult MeasureCase(const std::string& program, const std::string& case_name,
                       const std::vector<Contender>& contenders, unsigned repeats) {
  std::vector<std::unique_ptr<Entrant>> entrants;
  for (const Contender& contender : contenders) {
    entrants.push_back(std::make_unique<Entrant>(contender, program, case_name));
    entrants.back()->AwaitReady();
  }
  for (unsigned i = 0; i < repeats; ++i) {
    for (const auto& entrant : entrants) entrant->Measure();
  }
  CaseResult result{case_name, {}};
  for (std::size_t i = 0; i < contenders.size(); ++i)
    result.by_label[contenders[i].label] = entrants[i]->Finish();
  return result;
}

}  // namespace transpire::bench
