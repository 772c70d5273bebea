# TRANSPIRE_INSTRUCTION_SETS lists the instruction sets that the engine is compiled for, worst first. "all" stands for
# every one of this architecture, "native" for the best that this machine runs: such a build takes a third of the time for
# its handlers, and runs on machines with that instruction set only. transpire_isa_flags_<name> are the compiler's flags.
# transpire_all_instruction_sets are the rows of vm/simd/instruction_sets.def.
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
if(PROJECT_IS_TOP_LEVEL)
  set(default_instruction_sets all)
else()
  set(default_instruction_sets native)
endif()
set(TRANSPIRE_INSTRUCTION_SETS ${default_instruction_sets} CACHE STRING
    "Instruction sets to compile the engine for, worst first; or 'all', or 'native' for the best of this machine alone")

# Sets ${variable} to the best instruction set that this machine runs, by what its compiler says of it.
function(transpire_native_instruction_set variable)
  set(${variable} ${worst} PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING OR NOT best STREQUAL "baseline;avx2;avx512")
    return()
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
                  OUTPUT_VARIABLE macros ERROR_QUIET)
  foreach(isa avx2 avx512)
    foreach(flag ${transpire_isa_flags_${isa}})
      if(NOT flag MATCHES "^-m(avx.*|fma|f16c|bmi2?|popcnt|lzcnt)$")
        continue()
      endif()
      string(TOUPPER ${CMAKE_MATCH_1} macro)
      if(NOT macros MATCHES "__${macro}__")
        return()
      endif()
    endforeach()
    set(${variable} ${isa} PARENT_SCOPE)
  endforeach()
endfunction()

list(GET best 0 worst)
if(TRANSPIRE_INSTRUCTION_SETS STREQUAL "all")
  set(TRANSPIRE_INSTRUCTION_SETS ${best})
elseif(TRANSPIRE_INSTRUCTION_SETS STREQUAL "native")
  transpire_native_instruction_set(TRANSPIRE_INSTRUCTION_SETS)
  message(STATUS "Transpire: handlers for '${TRANSPIRE_INSTRUCTION_SETS}', the best instruction set of this machine, alone; "
                 "-DTRANSPIRE_INSTRUCTION_SETS=all makes those of every machine")
elseif(TRANSPIRE_BUILD_TESTS)
  list(GET TRANSPIRE_INSTRUCTION_SETS 0 first)
  if(NOT first MATCHES "^(scalar|baseline|neon)$")
    message(FATAL_ERROR "the first of TRANSPIRE_INSTRUCTION_SETS is '${first}': the tests need one that every "
                        "processor of this architecture runs")
  endif()
endif()
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
