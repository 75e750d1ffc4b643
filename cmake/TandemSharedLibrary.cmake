# SPDX-License-Identifier: Apache-2.0
# libtandem.so: all layers in one library that exports exactly what src/capi/tandem.map names.

get_property(tandem_layers GLOBAL PROPERTY TANDEM_LAYERS)
set(TANDEM_MAP "${PROJECT_SOURCE_DIR}/src/capi/tandem.map")
if(NOT "tandem_capi" IN_LIST tandem_layers OR NOT EXISTS "${TANDEM_MAP}")
  message(STATUS "Tandem: src/capi is not there yet, so there is no shared library in this build")
  return()
endif()

# The public headers mark each function visible when this is defined, and only the C API may be.
target_compile_definitions(tandem_capi PRIVATE FUNC_VISIBILITY)

set(tandem_objects "")
foreach(layer IN LISTS tandem_layers)
  list(APPEND tandem_objects "$<TARGET_OBJECTS:${layer}>")
endforeach()
add_library(tandem SHARED ${tandem_objects})
add_library(Tandem::tandem ALIAS tandem)
get_property(tandem_libraries GLOBAL PROPERTY TANDEM_LAYER_LIBRARIES)
list(REMOVE_DUPLICATES tandem_libraries)
set(tandem_private_libraries "")
foreach(library IN LISTS tandem_libraries)
  # Private to the build: whoever links libtandem.so needs neither their headers nor their packages.
  list(APPEND tandem_private_libraries "$<BUILD_INTERFACE:${library}>")
endforeach()
target_link_libraries(tandem PUBLIC tandem_headers PRIVATE Threads::Threads ${tandem_private_libraries})
set_target_properties(tandem PROPERTIES
  LINKER_LANGUAGE CXX
  LINK_DEPENDS "${TANDEM_MAP}"
  INSTALL_RPATH "")
# nodelete: worker threads run in this code, so dlclose must not unmap it.
target_link_options(tandem PRIVATE
  "-Wl,--version-script=${TANDEM_MAP}"
  -Wl,-z,relro -Wl,-z,now -Wl,-z,nodelete)
if(NOT TANDEM_SANITIZE)
  # The sanitizer run time of Clang lives in the program, so these must stay undefined there.
  target_link_options(tandem PRIVATE -Wl,--no-undefined -Wl,-z,defs)
endif()

include(TandemNames)
