// Helpers of the builder's tests: kernels from assembly text, LIR as readable text, refusals.
#pragma once

#include <string>
#include <string_view>

#include "vm/build/build.h"

namespace transpire::test {

using namespace vm;

/// The module of a kernel, whose text has names, decorations, modes, types, constants, variables and capabilities in any
/// order; a line `kernel %g_int %out, %int %n`; what follows the first label, to which OpReturn is added if it does not
/// end; and further functions. A line `OpMemoryModel Physical32 OpenCL` changes the memory model. A text that has an
/// entry point stays as it is.
///
/// Types that most tests need are declared: %void %bool %char %short %int %long %half %float %double,
/// %v2int ... %v4float, %v2long, pointers %g_int %w_int %c_int %f_int %x_int (global, workgroup, constant,
/// function, generic; also for char, long, float, v3float, v4float), and constants %int_0 to %int_8,
/// %long_0 to %long_8, %float_0, %float_1.
std::string module_text(std::string_view kernel);

/// The module's first entry point as LIR; fails the test when it is refused or verify() complains.
/// The module lives as long as the test program, since LIR points into it.
vm::lir::Function built(std::string_view kernel, const vm::LowerOptions& options = {});

/// print() from the first block on, argument values called a<slot> and the others %0, %1, ... in
/// the order in which they stand.
std::string shown(const vm::lir::Function& function);

/// Checks that the kernel becomes what its comments say, in their order, behind `b0:`:
/// `%b = OpIAdd %int %a %a ; %0 i32 = IAdd a0, a0`. Calls are expanded: comments beside one are the callee's.
vm::lir::Function check_lir(std::string_view kernel, const vm::LowerOptions& options = {});

/// A kernel for check_lir(), by check_case().
struct KernelCase {
  std::string name;
  std::string kernel;
};
void check_case(const KernelCase& c);

/// The diagnostic that the kernel is refused with; refusal(): its rule and message, "TSP-U0001: message".
Diagnostic diagnostic_of_refusal(std::string_view kernel, const vm::LowerOptions& options = {});
std::string refusal(std::string_view kernel, const vm::LowerOptions& options = {});

}  // namespace transpire::test
