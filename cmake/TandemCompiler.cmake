# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers. Warnings are an INTERFACE target, so they reach our code only.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "Tandem needs GCC 12 or Clang 14; ${CMAKE_CXX_COMPILER} is GCC "
    "${CMAKE_CXX_COMPILER_VERSION}. Install g++-12 and configure with -DCMAKE_CXX_COMPILER=g++-12")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "Tandem needs GCC 12 or Clang 14; ${CMAKE_CXX_COMPILER} is Clang "
    "${CMAKE_CXX_COMPILER_VERSION}")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Every shared library in one folder, as in an installation: the names find libtandem.so by $ORIGIN.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TANDEM_CCACHE ccache)
  mark_as_advanced(TANDEM_CCACHE)
  if(TANDEM_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${TANDEM_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${TANDEM_CCACHE}")
  endif()
endif()

add_library(tandem_warnings INTERFACE)
set(tandem_cxx_only -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
target_compile_options(tandem_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  "$<$<COMPILE_LANGUAGE:CXX>:${tandem_cxx_only}>"
  # Designated initializers that leave members at their default are how options are written here.
  -Wno-missing-field-initializers
  "$<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>"
  # GCC 12 sees overlapping copies inside std::string's operator+ (its bug 105651).
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>"
  "$<$<BOOL:${TANDEM_WERROR}>:-Werror>")

set(TANDEM_TEST_ENVIRONMENT "")
if(TANDEM_SANITIZE)
  set(tandem_sanitize_flags "-fsanitize=${TANDEM_SANITIZE}" -fno-omit-frame-pointer)
  if(TANDEM_SANITIZE MATCHES "undefined")
    # C programs may pass any number where the API takes an enumeration; checking it is the library's job.
    list(APPEND tandem_sanitize_flags -fno-sanitize-recover=all -fno-sanitize=enum)
  endif()
  # Everywhere, third-party headers included: half-instrumented inline functions give false reports.
  add_compile_options(${tandem_sanitize_flags})
  add_link_options(${tandem_sanitize_flags})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  if(TANDEM_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns that TSan cannot see fences; the fences are ours on purpose.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)
  endif()
  set(TANDEM_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_stack_use_after_return=1:check_initialization_order=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:atexit_sleep_ms=0")
endif()
