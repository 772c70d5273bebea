# TRANSPIRE_INSTRUCTION_SETS: those that the engine is compiled for, worst first, and transpire_isa_flags_<name>, what
# they are compiled with. Of transpire_all_instruction_sets: the rows of vm/simd/instruction_sets.def.
set(transpire_all_instruction_sets scalar baseline avx2 avx512 neon)

if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "Transpire needs a little-endian machine: kernels' memory is the host's, and OpenCL's "
                      "devices are little-endian (CL_DEVICE_ENDIAN_LITTLE)")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "Transpire needs a 64-bit machine: kernels' addresses are 64 bits wide")
endif()

# Those of this machine besides scalar. Two things are known of the machines named here, and not of others (neither holds
# on ppc64el): a call from handler to handler becomes a jump, where elsewhere the engine loops (vm/exec/handlers.h); and
# headers precompiled with -O2 serve -O3, where elsewhere they are read again without a warning.
set(transpire_known_machine ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(best baseline avx2 avx512)
  set(transpire_isa_flags_baseline -msse2)
  set(transpire_isa_flags_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mpopcnt -mlzcnt)
  # g++ 12 warns about its own intrinsics of 512 bits, whose undefined operands it takes for forgotten ones.
  set(transpire_isa_flags_avx512 ${transpire_isa_flags_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd
      -mprefer-vector-width=512 $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(best neon)
  set(transpire_isa_flags_neon)  # every such processor has it
else()
  set(best)
  set(transpire_known_machine OFF)
endif()
set(transpire_isa_flags_scalar)

set(known scalar ${best})
if(NOT best)
  set(best scalar)
endif()
set(TRANSPIRE_INSTRUCTION_SETS ${best} CACHE STRING "Instruction sets to compile the engine for, worst first")
list(JOIN known ", " all_known)
foreach(isa ${TRANSPIRE_INSTRUCTION_SETS})
  if(NOT isa IN_LIST known)
    message(FATAL_ERROR "Transpire has no instruction set '${isa}' on ${CMAKE_SYSTEM_PROCESSOR}, only ${all_known}. "
                        "(Vectors are of 128, 256 or 512 bits, known when it is compiled.)")
  endif()
endforeach()

# Compiles a target for an instruction set, see vm/simd/isa.h. -fno-trapping-math and -fno-math-errno change no value,
# only exception flags and errno, which nothing reads. That clang does not vectorise some loops that could be is no fault.
function(transpire_compile_for target isa optimisation)
  string(TOUPPER ${isa} upper)
  target_compile_definitions(${target} PRIVATE TRANSPIRE_ISA_${upper})
  target_compile_options(${target} PRIVATE ${optimisation} -fno-trapping-math -fno-math-errno ${transpire_isa_flags_${isa}}
                         $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
endfunction()

list(GET TRANSPIRE_INSTRUCTION_SETS 0 worst)
if(NOT worst MATCHES "^(scalar|baseline|neon)$")
  message(FATAL_ERROR "the first of TRANSPIRE_INSTRUCTION_SETS is '${worst}': expected one that every processor of this "
                      "machine runs")
endif()
