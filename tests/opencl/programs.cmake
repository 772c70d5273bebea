# The examples with the C++ bindings, and other programs that call the driver, where they are installed.
find_path(OPENCL_HPP_FOLDER CL/opencl.hpp)
if(OPENCL_HPP_FOLDER)
  foreach(example saxpy blur filter)
    add_executable(transpire_opencl_${example} ${PROJECT_SOURCE_DIR}/examples/opencl/${example}.cpp)
    target_include_directories(transpire_opencl_${example} SYSTEM PRIVATE ${OPENCL_HPP_FOLDER})
    target_link_libraries(transpire_opencl_${example} PRIVATE ${OPENCL_LOADER} transpire_flags)
    add_dependencies(transpire_opencl_${example} transpire_opencl)
    transpire_opencl_run(example_${example} transpire_opencl_${example})
    set_tests_properties(opencl_example_${example} PROPERTIES TIMEOUT 60)
  endforeach()
endif()

if(TRANSPIRE_SANITIZE)  # these programs lack the sanitizers' run-time library
  return()
endif()

# transpire_opencl_python(name seconds arguments...): a script, which says by its exit code that something is not installed.
function(transpire_opencl_python name seconds)
  add_test(NAME opencl_${name} COMMAND ${ARGN})
  set_tests_properties(opencl_${name} PROPERTIES LABELS opencl TIMEOUT ${seconds} SKIP_RETURN_CODE 77
    ENVIRONMENT "OCL_ICD_VENDORS=$<TARGET_FILE:transpire_opencl>;PYOPENCL_NO_CACHE=1;XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
endfunction()
transpire_opencl_python(clinfo 120 ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/clinfo_test.py $<TARGET_FILE:transpire>
  $<TARGET_FILE:transpire_opencl> ${OPENCL_INCLUDE_FOLDER}/CL/cl.h)
# All functions that clang's header declares. OpenCL C 3.0 has nearly all that older ones have.
transpire_opencl_python(builtins 300 ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/builtins_test.py CL3.0)
add_test(NAME opencl_long_builtins CONFIGURATIONS Long
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/builtins_test.py)
transpire_long_tests(opencl_long_builtins)
set_tests_properties(opencl_long_builtins PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77
  ENVIRONMENT "OCL_ICD_VENDORS=$<TARGET_FILE:transpire_opencl>")

# pyopencl, with the first interpreter that has it; skipped when none does.
set(TRANSPIRE_PYOPENCL_PYTHON ${Python3_EXECUTABLE})
foreach(interpreter ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${interpreter} -c "import pyopencl" RESULT_VARIABLE missing
                  OUTPUT_QUIET ERROR_QUIET)
  if(missing EQUAL 0)
    set(TRANSPIRE_PYOPENCL_PYTHON ${interpreter})
    break()
  endif()
endforeach()
transpire_opencl_python(pyopencl 120 ${TRANSPIRE_PYOPENCL_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/pyopencl_test.py)
