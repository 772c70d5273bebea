# The lowering's sources, one list a step.
include(${CMAKE_CURRENT_LIST_DIR}/build_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/passes/sources.cmake)
# Lowering is not in the way of a kernel, and takes little of a launch's time.
transpire_library(lower QUICK
  SOURCES
    ${TRANSPIRE_BUILD_SOURCES} ${TRANSPIRE_PASSES_SOURCES}
    lower/budget.cpp lower/emit.cpp lower/emit_select.cpp lower/emit_memory.cpp lower/emit_registers.cpp
    lower/emit_copies.cpp lower/emit_private.cpp lower/emit_lifetimes.cpp lower/emit_coalesce.cpp
  PRECOMPILE vm/lower/builder.h
  LINK transpire_vm)
# Each of the build files has its table kRows.
transpire_unity(transpire_lower ALONE ${TRANSPIRE_BUILD_SOURCES})
