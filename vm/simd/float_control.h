// FloatControl: this machine's register of floating-point modes.
#pragma once

#if defined(__x86_64__)
#include "vm/simd/x86.h"
#elif defined(__aarch64__)
#include "vm/simd/aarch64.h"
#else
#include "vm/simd/any_machine.h"
#endif
