# Test sources of the command line, relative to tests/.
set(TRANSPIRE_CLI_TESTS
  cli/bind_test.cpp
  cli/compare_test.cpp
  cli/documents_test.cpp
  cli/grammar_test.cpp
  cli/launch_json_test.cpp
  cli/launch_sim_test.cpp
  cli/launch_text_test.cpp
  cli/layout_test.cpp
  cli/npy_test.cpp
  cli/number_test.cpp
  cli/report_text_test.cpp
  cli/sizes_test.cpp
  cli/value_spec_test.cpp)

# The command line from the outside.
foreach(area run launch_files inspection)
  add_test(NAME cli_${area}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${area}_test.py $<TARGET_FILE:transpire>
            ${PROJECT_SOURCE_DIR})
  set_tests_properties(cli_${area} PROPERTIES TIMEOUT 300)
endforeach()
# With too little memory; the sanitizers take more addresses than any limit would leave.
if(NOT TRANSPIRE_SANITIZE)
  add_test(NAME cli_out_of_memory
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/out_of_memory_test.py $<TARGET_FILE:transpire>
            ${PROJECT_SOURCE_DIR})
  set_tests_properties(cli_out_of_memory PROPERTIES TIMEOUT 300)
endif()
