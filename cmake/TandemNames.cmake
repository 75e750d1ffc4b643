# SPDX-License-Identifier: Apache-2.0
# libhccl.so, libascendcl.so and the newer names, as ELF filters of libtandem.so.
#
# A program says -lhccl -lascendcl, and its binary must name exactly these two, so that it runs here and
# on a host with NPUs alike, in both directions. Each name is therefore a real library with that SONAME,
# whose symbols the linker can see, and whose DT_FILTER entry makes the dynamic linker put libtandem.so
# in front of it: every lookup, by relocation or by dlsym, ends in the one libtandem.so, and the
# functions in the name are never reached. RUNPATH $ORIGIN lets the names find libtandem.so wherever the
# folder is moved. The file that says what is exported, tandem.map, is also what the names are made from.
#
# Rejected: symlinks to libtandem.so. With a SONAME the linker would record libtandem.so in the program;
# without one, --as-needed (the default of several distributions) would drop -lascendcl, because the
# first name already has every symbol. Also rejected: forwarding functions, which cost a jump per call.
#
# Symbol versions are not used: a versioned reference would not resolve on an Ascend host.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${TANDEM_MAP}")
file(READ "${TANDEM_MAP}" tandem_map_text)
string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "" tandem_map_text "${tandem_map_text}")
string(REGEX REPLACE "#[^\n]*" "" tandem_map_text "${tandem_map_text}")
string(REGEX REPLACE "local:.*" "" tandem_map_text "${tandem_map_text}")
# A semicolon separates CMake's list items, so it is replaced before the names become a list.
string(REPLACE ";" "|" tandem_map_text "${tandem_map_text}")
string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*[ \t]*[|]" tandem_exports "${tandem_map_text}")
list(TRANSFORM tandem_exports REPLACE "[ \t]*[|]" "")

set(tandem_hccl_exports "")
set(tandem_acl_exports "")
foreach(symbol IN LISTS tandem_exports)
  if(symbol MATCHES "^([Hh]ccl|[Hh]com)")
    list(APPEND tandem_hccl_exports ${symbol})
  elseif(symbol MATCHES "^acl")
    list(APPEND tandem_acl_exports ${symbol})
  elseif(NOT symbol MATCHES "^[Tt]andem")
    message(FATAL_ERROR "${TANDEM_MAP}: ${symbol} belongs to no library name. "
      "Expected a name that starts with Hccl, Hcom, acl or Tandem; add a rule to cmake/TandemNames.cmake")
  endif()
endforeach()

# tandem_library_name(NAME symbols...) makes libNAME.so, target tandem_NAME, installed as Tandem::NAME.
function(tandem_library_name name)
  set(TANDEM_NAME "${name}")
  set(TANDEM_SYMBOL_LINES "")
  foreach(symbol IN LISTS ARGN)
    string(APPEND TANDEM_SYMBOL_LINES "TANDEM_NAME(${symbol})\n")
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/names/lib${name}.c")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/library_name.c.in" "${source}" @ONLY)
  set(target tandem_${name})
  add_library(${target} SHARED "${source}")
  add_library(Tandem::${name} ALIAS ${target})
  target_link_libraries(${target} INTERFACE tandem_headers)
  target_link_options(${target} PRIVATE -Wl,--filter,libtandem.so -Wl,--enable-new-dtags)
  # At run time only: nothing of libtandem.so is needed to link this, but everything to use it.
  add_dependencies(${target} tandem)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}
    EXPORT_NAME ${name}
    C_VISIBILITY_PRESET default
    INSTALL_RPATH "$ORIGIN"
    BUILD_WITH_INSTALL_RPATH ON)
  set_property(GLOBAL APPEND PROPERTY TANDEM_LIBRARY_NAMES ${target})
endfunction()

# Older and newer CANN releases spread the same functions over different files; every file that a
# program may name has its whole family.
tandem_library_name(hccl ${tandem_hccl_exports})
tandem_library_name(hcomm ${tandem_hccl_exports})
tandem_library_name(ascendcl ${tandem_acl_exports})
tandem_library_name(acl_rt ${tandem_acl_exports})
tandem_library_name(acl_rt_impl ${tandem_acl_exports})
