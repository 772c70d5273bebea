# Tests of programs, kernels, devices, and what the environment decides.
foreach(area devices programs binaries kernels image_kernels mipmaps initializers groups enqueue)
  transpire_opencl_test(${area})
  transpire_opencl_run(${area} ${area})
  set_property(TEST opencl_${area} APPEND PROPERTY
    ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
endforeach()
set_property(TEST opencl_devices opencl_programs opencl_binaries opencl_enqueue APPEND PROPERTY
  ENVIRONMENT TRANSPIRE_THREADS=2)  # to be divided
target_compile_definitions(transpire_opencl_programs_test PRIVATE
  CL_USE_DEPRECATED_OPENCL_2_2_APIS)

transpire_opencl_test(environment)
foreach(version 1.2 2.0 2.1 2.2 3.0)
  transpire_opencl_run(version_${version} environment "-tc=version")
  set_property(TEST opencl_version_${version} APPEND PROPERTY
    ENVIRONMENT "TRANSPIRE_CL_VERSION=${version};XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
endforeach()
transpire_opencl_run(memory_of_device environment "-tc=memory")
set_property(TEST opencl_memory_of_device APPEND PROPERTY ENVIRONMENT TRANSPIRE_CL_MEMORY=64MiB)
foreach(case "no compiler" "named compiler that is not there" "cache" "cache switched off")
  string(REPLACE " " "_" name ${case})
  transpire_opencl_run(${name} environment "-tc=${case}")
  set_property(TEST opencl_${name} APPEND PROPERTY
    ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/case_${name}")
endforeach()

# Settings of launches that the environment gives, in processes of their own, and their records.
transpire_opencl_test(settings)
target_link_libraries(transpire_opencl_settings_test PRIVATE transpire_launch transpire::transpire)
transpire_opencl_run(settings settings)

# What is found of the host, with a check in the environment.
# transpire_opencl_checked(name check area arguments...)
function(transpire_opencl_checked name check area)
  transpire_opencl_run(${name} ${area} ${ARGN})
  set_property(TEST opencl_${name} APPEND PROPERTY ENVIRONMENT
    "TRANSPIRE_CL_CHECK=${check};TRANSPIRE_CL_REPORT=${CMAKE_CURRENT_BINARY_DIR}/${name}.jsonl"
    "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
endfunction()
transpire_opencl_test(checks)
foreach(check uninit race)
  transpire_opencl_checked(checks_${check} ${check} checks "-tc=${check}*")
endforeach()
transpire_opencl_test(checks_order)
transpire_opencl_checked(checks_order race checks_order)

# The examples with the C++ bindings, where they are installed.
find_path(OPENCL_HPP_FOLDER CL/opencl.hpp)
if(OPENCL_HPP_FOLDER)
  foreach(example saxpy blur filter)
    add_executable(transpire_opencl_${example} ${PROJECT_SOURCE_DIR}/examples/opencl/${example}.cpp)
    target_include_directories(transpire_opencl_${example} SYSTEM PRIVATE ${OPENCL_HPP_FOLDER})
    target_link_libraries(transpire_opencl_${example} PRIVATE ${OPENCL_LOADER} transpire_flags)
    add_dependencies(transpire_opencl_${example} transpire_opencl)
    add_test(NAME opencl_example_${example} COMMAND transpire_opencl_${example})
    set_tests_properties(opencl_example_${example} PROPERTIES LABELS opencl TIMEOUT 60
      ENVIRONMENT "OCL_ICD_VENDORS=$<TARGET_FILE:transpire_opencl>;XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
  endforeach()
endif()

if(TRANSPIRE_SANITIZE)  # these programs lack the sanitizers' run-time library
  return()
endif()

# clinfo, skipped where it is not installed.
add_test(NAME opencl_clinfo
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/clinfo_test.py $<TARGET_FILE:transpire>
          $<TARGET_FILE:transpire_opencl> ${OPENCL_INCLUDE_FOLDER}/CL/cl.h)
set_tests_properties(opencl_clinfo PROPERTIES LABELS opencl TIMEOUT 120 SKIP_RETURN_CODE 77)

# All functions that clang's header declares, skipped where it is not installed.
add_test(NAME opencl_builtins
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/builtins_test.py)
set_tests_properties(opencl_builtins PROPERTIES LABELS opencl TIMEOUT 300 SKIP_RETURN_CODE 77
  ENVIRONMENT "OCL_ICD_VENDORS=$<TARGET_FILE:transpire_opencl>;XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")

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
add_test(NAME opencl_pyopencl
  COMMAND ${TRANSPIRE_PYOPENCL_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/pyopencl_test.py)
set_tests_properties(opencl_pyopencl PROPERTIES LABELS opencl TIMEOUT 120 SKIP_RETURN_CODE 77
  ENVIRONMENT "OCL_ICD_VENDORS=$<TARGET_FILE:transpire_opencl>;PYOPENCL_NO_CACHE=1;XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
