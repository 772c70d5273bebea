// The memory that statements of a launch file declare, for tests of types that read it.
#pragma once

#include <string>

#include "launch/language/plan_builder.h"
#include "launch/runner/plan_buffers.h"
#include "tests/launch/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {

inline constexpr std::uint64_t kDeclarableBytes = 1 << 20;

/// Kernels that write a buffer, read one, and take two; and the variable 'total' of type uint.
inline const Module& module_of_declared() {
  static const Module module = [] {
    const std::string text = shorthand::declare(R"(
OpName %total "total"
%total = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_7
kernel writer(%_ptr_CrossWorkgroup_uint y)
store %y %uint_7
kernel reader(%_ptr_CrossWorkgroup_uint y)
%value = OpLoad %uint %y Aligned 4
kernel two(%_ptr_CrossWorkgroup_uint a, %_ptr_CrossWorkgroup_uint b)
store %a %uint_7
)");
    auto loaded = Module::load(std::as_bytes(std::span(text)));
    REQUIRE_MESSAGE(loaded.ok(), errors_of(loaded));
    return std::move(loaded).value();
  }();
  return module;
}

/// A plan with these statements, which may name a kernel and its launches.
inline launch::LaunchPlan plan_with(const std::string& statements) {
  const auto plan = launch::parse_launch_text("module none\n" + statements, "test.launch");
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  return *plan;
}

struct Declared {
  /// The memory that the statements declare; they name no kernel.
  explicit Declared(const std::string& statements)
      : buffers(module_of_declared(), *Device::create(), kDeclarableBytes, limit) {
    for (const launch::BufferSpec& spec :
         plan_with(statements + "kernel writer\nglobal 1\n").buffers) {
      const Status made = buffers.declare(spec);
      REQUIRE_MESSAGE(made.ok(), errors_of(made));
    }
  }
  Result<launch::ElementView> view(const char* slice, const char* type = nullptr) const {
    return buffers.view(*launch::parse_slice(slice),
                        type == nullptr ? std::nullopt : launch::type_word(type));
  }

  launch::StepLimit limit;
  launch::PlanBuffers buffers;
};

}  // namespace transpire::test
