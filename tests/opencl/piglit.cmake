# Piglit's OpenCL tests: what is expected of them and the page that says so, the script that runs them, and a
# subset of them, skipped where Piglit is not installed.
set(TRANSPIRE_CHECK_PIGLIT ${PROJECT_SOURCE_DIR}/scripts/check-piglit)
add_test(NAME opencl_piglit_page COMMAND ${Python3_EXECUTABLE} ${TRANSPIRE_CHECK_PIGLIT} --page)
transpire_python_test(opencl_piglit_script piglit_script_test.py ${PROJECT_SOURCE_DIR})

# A sanitizer's library would have to come first in Piglit's programs.
if(NOT TRANSPIRE_SANITIZE)
  add_test(NAME opencl_piglit COMMAND ${Python3_EXECUTABLE} ${TRANSPIRE_CHECK_PIGLIT} --subset --jobs 2
    --driver $<TARGET_FILE:transpire_opencl>)
  set_tests_properties(opencl_piglit PROPERTIES LABELS opencl TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache")
  add_test(NAME opencl_long_piglit CONFIGURATIONS Long
    COMMAND ${Python3_EXECUTABLE} ${TRANSPIRE_CHECK_PIGLIT} --driver $<TARGET_FILE:transpire_opencl>)
  transpire_long_tests(opencl_long_piglit)
  set_tests_properties(opencl_long_piglit PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()
