# SPDX-License-Identifier: Apache-2.0
# How tests are declared. Labels: unit (one layer, no process), api (through the public headers),
# multiproc (several processes), concurrency (threads that race on purpose; `./dev test --repeat`
# runs these many times), lint, install.

# Internal: the CTest entry of a test program, with the settings every test shares.
function(tandem_register_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;COMMAND_TARGET" "LABELS;ARGS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(NOT arg_COMMAND_TARGET)
    set(arg_COMMAND_TARGET ${name})
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND_TARGET} ${arg_ARGS})
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}"
    TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "${TANDEM_TEST_ENVIRONMENT}"
    # GoogleTest exits with 0 when it skipped; say so instead of counting a pass.
    SKIP_REGULAR_EXPRESSION "\\[  PASSED  \\] 0 tests\\.[\r\n]+\\[  SKIPPED \\]")
endfunction()

# tandem_unit_test(NAME sources... [LABELS more...] [LIBRARIES targets...] [TIMEOUT seconds])
# A GoogleTest program that sees the layers from inside: it links them as static libraries.
function(tandem_unit_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE
    tandem_warnings
    tandem_capi tandem_comm tandem_stream tandem_transport tandem_diag tandem_base
    ${arg_LIBRARIES} GTest::gtest_main)
  tandem_register_test(${name} TIMEOUT "${arg_TIMEOUT}" LABELS unit ${arg_LABELS})
endfunction()

# tandem_api_test(NAME sources... [LABELS more...] [LIBRARIES targets...] [TIMEOUT seconds])
# A GoogleTest program that sees what a user sees: the public headers and libtandem.so.
function(tandem_api_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LIBRARIES" ${ARGN})
  if(NOT TARGET tandem)
    return()
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE tandem_warnings tandem ${arg_LIBRARIES} GTest::gtest_main)
  tandem_register_test(${name} TIMEOUT "${arg_TIMEOUT}" LABELS api ${arg_LABELS})
endfunction()
