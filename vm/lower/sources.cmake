# The lowering's sources, one list a step.
include(${CMAKE_CURRENT_LIST_DIR}/build_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/passes/sources.cmake)
target_sources(transpire_vm PRIVATE
  ${TRANSPIRE_BUILD_SOURCES} ${TRANSPIRE_PASSES_SOURCES}
  lower/emit.cpp lower/emit_select.cpp lower/emit_memory.cpp lower/emit_registers.cpp
  lower/emit_lifetimes.cpp lower/emit_coalesce.cpp
  exec/access.cpp exec/group.cpp exec/printf.cpp exec/record.cpp)
