// Helpers of the builder's tests: kernels from assembly text, LIR as readable text, refusals.
#pragma once

#include <string>
#include <string_view>

#include "vm/build/build.h"

namespace transpire::test {

/// A kernel module around a body. Types that most tests need are declared: %void %bool %char %short
/// %int %long %half %float %double, %v2int ... %v4float, %v2long, pointers %g_int %w_int %c_int
/// %f_int %x_int (global, workgroup, constant, function, generic; also for char, long, float,
/// v3float, v4float), and constants %int_0 to %int_8, %long_0 to %long_8, %float_0, %float_1.
struct KernelText {
  std::string annotations = {};   ///< names, decorations, execution modes
  std::string declarations = {};  ///< further types, constants and variables
  std::string parameters = {};    ///< "%g_int %out, %int %n"
  std::string body = {};          ///< from after the first label to the last instruction
  std::string functions = {};     ///< further functions
  std::string addressing = "Physical64";
  std::string capabilities = {};  ///< instructions that come before the memory model
};
std::string text_of(const KernelText& kernel);

/// The module's first entry point as LIR; fails the test when it is refused or verify() complains.
/// The module lives as long as the test program, since LIR points into it.
vm::lir::Function built(std::string_view text, const vm::LowerOptions& options = {});
vm::lir::Function built(const KernelText& kernel, const vm::LowerOptions& options = {});

/// print() from the first block on, argument values called a<slot> and the others %0, %1, ... in
/// the order in which they stand.
std::string shown(const vm::lir::Function& function);
std::string shown(const KernelText& kernel, const vm::LowerOptions& options = {});

/// The diagnostic that the kernel is refused with: "TSP-U0001: message".
std::string refusal(std::string_view text, const vm::LowerOptions& options = {});
std::string refusal(const KernelText& kernel, const vm::LowerOptions& options = {});

}  // namespace transpire::test
