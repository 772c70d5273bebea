// ExpectationCheck: compares buffers and the output of printf with what a plan expects, and describes the differences.
#pragma once

#include <optional>
#include <string>

#include "launch/runner/difference_pictures.h"
#include "launch/runner/plan_buffers.h"
#include "launch/runner/value_stream.h"
#include "launch/runner/writers.h"

namespace transpire::launch {

class ExpectationCheck {
 public:
  /// Keeps all references. `settings` are those of the launches; `results` is set if an expectation asks for legal results.
  ExpectationCheck(const LaunchPlan& plan, const RunOverrides& overrides,
                   const AskedSettings& settings, const PlanBuffers& buffers,
                   const Writers& writers, const std::optional<ResultLog>& results,
                   const StepLimit& limit);

  /// Nothing if the elements are as expected. Fails with C0021 (number of tolerances), C0022, C0024 (pictures), C0026, and as
  /// evaluate() does; throws LimitReached.
  Result<std::optional<FailedExpectation>> check(const ExpectBufferStep& expect);
  /// Nothing if `found`, the output of printf, is as expected.
  std::optional<FailedExpectation> check(const ExpectPrintfStep& expect,
                                         const std::string& found) const;

 private:
  Result<std::optional<FailedExpectation>> new_file(const ExpectBufferStep& expect) const;
  Result<ElementView> view_for(const ExpectBufferStep& expect,
                               std::optional<ValueStream>& expected) const;
  Result<Comparison> compared(const ExpectBufferStep& expect, ValueStream& expected,
                              const ElementView& view) const;
  Status draw_difference(const ExpectBufferStep& expect, const ElementView& view,
                         FailedExpectation& failure);
  void keep_found(std::span<const std::byte> found, FailedExpectation& failure) const;

  const LaunchPlan& plan_;
  const RunOverrides& overrides_;
  const AskedSettings& settings_;
  const PlanBuffers& buffers_;
  const Writers& writers_;
  const std::optional<ResultLog>& results_;
  const StepLimit& limit_;
  DifferencePictures pictures_;
};

}  // namespace transpire::launch
