# TRANSPIRE_INSTRUCTION_SETS: those that the engine is compiled for, worst first, and transpire_isa_flags_<name>, what
# they are compiled with. Of transpire_all_instruction_sets: the rows of vm/simd/instruction_sets.def.
set(transpire_all_instruction_sets scalar baseline avx2 avx512 neon)

set(transpire_isa_flags_scalar)
set(known scalar)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND known baseline avx2 avx512)
  set(best baseline avx2 avx512)
  set(transpire_isa_flags_baseline -msse2)
  set(transpire_isa_flags_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mpopcnt -mlzcnt)
  # g++ 12 warns about its own intrinsics of 512 bits, whose undefined operands it takes for forgotten ones.
  set(transpire_isa_flags_avx512 ${transpire_isa_flags_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd
      -mprefer-vector-width=512 -Wno-uninitialized -Wno-maybe-uninitialized)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  list(APPEND known neon)
  set(best neon)
  set(transpire_isa_flags_neon)  # every such processor has it
else()
  message(FATAL_ERROR "Transpire runs on x86-64 and aarch64; a port to ${CMAKE_SYSTEM_PROCESSOR} begins with the "
                      "instruction set scalar and a FloatControl for it (vm/simd/float_control.h)")
endif()

if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "Transpire needs a little-endian machine: kernels' memory is the host's, and OpenCL's "
                      "devices are little-endian (CL_DEVICE_ENDIAN_LITTLE)")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "Transpire needs a 64-bit machine: kernels' addresses are 64 bits wide")
endif()

set(TRANSPIRE_INSTRUCTION_SETS ${best} CACHE STRING "Instruction sets to compile the engine for, worst first")
list(JOIN known ", " all_known)
foreach(isa ${TRANSPIRE_INSTRUCTION_SETS})
  if(NOT isa IN_LIST known)
    message(FATAL_ERROR "Transpire has no instruction set '${isa}' on ${CMAKE_SYSTEM_PROCESSOR}, only ${all_known}. "
                        "(Vectors are of 128, 256 or 512 bits, known when it is compiled.)")
  endif()
endforeach()
list(GET TRANSPIRE_INSTRUCTION_SETS 0 worst)
if(NOT worst MATCHES "^(scalar|baseline|neon)$")
  message(FATAL_ERROR "the first of TRANSPIRE_INSTRUCTION_SETS is '${worst}': expected one that every processor of this "
                      "machine runs")
endif()
