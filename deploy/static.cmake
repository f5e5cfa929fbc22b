# Programs without any shared library, for nodes where nothing may be installed: build/PRESET/static.
# Our own objects are those of the ordinary programs; what Debian's -dev packages have is taken as
# libX.a. gRPC resolves names by c-ares, so nothing of the C library has to be loaded at run time.
pkg_check_modules(JOSEKI_STATIC QUIET grpc++ protobuf)
find_library(JOSEKI_GRPC_ARCHIVE libgrpc.a)
if(NOT JOSEKI_STATIC_FOUND OR NOT JOSEKI_GRPC_ARCHIVE)
  message(STATUS "No static programs: libraries that are only shared")
  return()
endif()

# The libraries of ours that a target stands on, itself left out.
function(joseki_own_libraries target found)
  set(own)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    string(REGEX REPLACE "^joseki::" "joseki_" library "${library}")
    if(NOT library MATCHES "^joseki_" OR library STREQUAL "joseki_flags")
      continue()
    endif()
    joseki_own_libraries(${library} below)
    list(APPEND own ${library} ${below})
  endforeach()
  list(REMOVE_DUPLICATES own)
  set(${found} ${own} PARENT_SCOPE)
endfunction()

# The program again, under its own name in the folder static.
function(joseki_static_program program)
  joseki_own_libraries(${program} own)
  get_target_property(folder ${program} SOURCE_DIR)
  get_target_property(sources ${program} SOURCES)
  list(TRANSFORM sources PREPEND ${folder}/)
  add_executable(${program}-static ${sources})
  joseki_cold(${program}-static)
  set_target_properties(${program}-static PROPERTIES
    OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/static)
  get_target_property(definitions ${program} COMPILE_DEFINITIONS)
  if(definitions)
    target_compile_definitions(${program}-static PRIVATE ${definitions})
  endif()
  target_compile_definitions(${program}-static PRIVATE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  set(archives)
  foreach(library IN LISTS own)
    list(APPEND archives $<TARGET_FILE:${library}>)
    add_dependencies(${program}-static ${library})
    target_include_directories(${program}-static SYSTEM PRIVATE
      $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  target_link_libraries(${program}-static PRIVATE joseki_flags
    -static -Wl,--start-group ${archives} ${ARGN} -Wl,--end-group)
  add_custom_command(TARGET ${program}-static POST_BUILD
    COMMAND ${CMAKE_STRIP} --strip-debug $<TARGET_FILE:${program}-static>)
endfunction()

joseki_static_program(joseki-engine ${JOSEKI_STATIC_STATIC_LDFLAGS} -lcrypto -lsqlite3 -lm)
joseki_static_program(joseki-worker ${JOSEKI_STATIC_STATIC_LDFLAGS} -lssl -lcrypto)
