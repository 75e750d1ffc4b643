# SPDX-License-Identifier: Apache-2.0
# tandem_layer(NAME [SOURCES files...] [BELOW layers...] [LIBRARIES targets...])
#
# One layer of src/ as a static library tandem_NAME. BELOW names the layers it may include; the arrows
# are checked by tests/lint/check_layers.py, this only makes the linker agree. LIBRARIES are
# third-party and stay private to the layer. A layer without files is an empty INTERFACE target,
# so that the layers above need not know.

set_property(GLOBAL PROPERTY TANDEM_LAYERS "")

function(tandem_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;BELOW;LIBRARIES" ${ARGN})
  set(target tandem_${name})
  list(TRANSFORM arg_BELOW PREPEND tandem_)
  if(NOT arg_SOURCES)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} INTERFACE ${arg_BELOW})
    return()
  endif()
  add_library(${target} STATIC ${arg_SOURCES})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target}
    PUBLIC ${arg_BELOW} tandem_headers Threads::Threads
    PRIVATE tandem_warnings ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY TANDEM_LAYERS ${target})
  # What the layers need from outside, the shared library needs too.
  set_property(GLOBAL APPEND PROPERTY TANDEM_LAYER_LIBRARIES ${arg_LIBRARIES})
endfunction()
