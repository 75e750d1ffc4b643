# SPDX-License-Identifier: Apache-2.0
# Every third-party library, found once. Each is a distribution package; scripts/deps.sh installs them.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Logging and formatting are compiled into libtandem.so: distributions ship fmt under a different
# soname every release, and a moved installation must not depend on which one.
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
add_library(tandem_dep_log INTERFACE)
target_include_directories(tandem_dep_log SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(tandem_dep_log INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY=1)

pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
add_library(tandem_dep_sodium INTERFACE)
target_link_libraries(tandem_dep_sodium INTERFACE PkgConfig::sodium)

# asio without Boost has headers only and no package file.
find_path(TANDEM_ASIO_INCLUDE asio.hpp REQUIRED)
mark_as_advanced(TANDEM_ASIO_INCLUDE)
add_library(tandem_dep_asio INTERFACE)
target_include_directories(tandem_dep_asio SYSTEM INTERFACE "${TANDEM_ASIO_INCLUDE}")
target_compile_definitions(tandem_dep_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED
  # asio decides this by a macro of libstdc++ that exists only if a standard header came first, so that files would
  # differ in how they allocate what others free.
  ASIO_DISABLE_STD_ALIGNED_ALLOC)
target_link_libraries(tandem_dep_asio INTERFACE Threads::Threads)

find_package(nlohmann_json 3.10 REQUIRED)
add_library(tandem_dep_json INTERFACE)
target_link_libraries(tandem_dep_json INTERFACE nlohmann_json::nlohmann_json)

if(TANDEM_BUILD_TOOLS)
  find_package(CLI11 REQUIRED)
endif()
if(TANDEM_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
if(TANDEM_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_library(TANDEM_RAPIDCHECK rapidcheck REQUIRED)
  find_path(TANDEM_RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  mark_as_advanced(TANDEM_RAPIDCHECK TANDEM_RAPIDCHECK_INCLUDE)
  add_library(tandem_dep_rapidcheck INTERFACE)
  target_include_directories(tandem_dep_rapidcheck SYSTEM INTERFACE "${TANDEM_RAPIDCHECK_INCLUDE}")
  target_link_libraries(tandem_dep_rapidcheck INTERFACE "${TANDEM_RAPIDCHECK}")
endif()
