# Packages for Debian 12: `cpack -G DEB` in a build folder of the preset release writes one for each
# component. What they install, and what they do, is in docs/reference/deployment.md ("Packages").
set(here ${CMAKE_SOURCE_DIR}/deploy)
find_program(JOSEKI_GZIP gzip REQUIRED)

# compressed(NAME FROM): a file of /usr/share, compressed as Debian wants it.
function(joseki_compressed output input)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E copy ${input} ${output}.tmp
    COMMAND ${JOSEKI_GZIP} -9nf ${output}.tmp
    COMMAND ${CMAKE_COMMAND} -E rename ${output}.tmp.gz ${output}
    DEPENDS ${input} VERBATIM)
endfunction()

set(changelog ${CMAKE_BINARY_DIR}/packages/changelog.gz)
joseki_compressed(${changelog} ${here}/debian/changelog)
set(package_files ${changelog})

# component(NAME PACKAGE PROGRAM FOLDER): a program with its manual, in a package of its own.
function(joseki_component name package program folder)
  set(manual ${CMAKE_BINARY_DIR}/packages/${program}.1)
  set(section 1)
  if(folder STREQUAL "games")
    set(section 6)
    set(manual ${CMAKE_BINARY_DIR}/packages/${program}.6)
  endif()
  add_custom_command(OUTPUT ${manual}
    COMMAND ${here}/debian/manual $<TARGET_FILE:${program}> ${section} ${PROJECT_VERSION} > ${manual}
    DEPENDS ${program} ${here}/debian/manual VERBATIM)
  joseki_compressed(${manual}.gz ${manual})
  set(package_files ${package_files} ${manual}.gz PARENT_SCOPE)
  install(TARGETS ${program} RUNTIME DESTINATION ${folder} COMPONENT ${name})
  install(FILES ${manual}.gz DESTINATION share/man/man${section} COMPONENT ${name})
  install(FILES ${here}/debian/copyright ${changelog} DESTINATION share/doc/${package} COMPONENT ${name})
endfunction()

joseki_component(cli joseki joseki bin)
joseki_component(coordinator joseki-coordinator joseki-coordinator bin)
joseki_component(worker joseki-worker joseki-worker bin)
joseki_component(engine joseki-engine joseki-engine games)

foreach(name coordinator worker)
  install(FILES ${here}/debian/joseki-${name}.service DESTINATION lib/systemd/system COMPONENT ${name})
  install(FILES ${here}/debian/${name}.toml DESTINATION /etc/joseki COMPONENT ${name})
endforeach()

set(completion ${CMAKE_BINARY_DIR}/packages/completion)
add_custom_command(OUTPUT ${completion}
  COMMAND $<TARGET_FILE:joseki> completion bash > ${completion} DEPENDS joseki VERBATIM)
list(APPEND package_files ${completion})
install(FILES ${completion} DESTINATION share/bash-completion/completions RENAME joseki COMPONENT cli)
install(DIRECTORY ${here}/samples ${here}/slurm ${here}/kubernetes ${here}/prometheus ${here}/grafana
  DESTINATION share/joseki USE_SOURCE_PERMISSIONS COMPONENT cli)
install(PROGRAMS ${here}/compose/make-certs ${here}/compose/run-worker
  DESTINATION share/joseki/slurm COMPONENT cli)
# Folder in which boards look for engines (docs/reference/engines.md).
install(FILES ${here}/debian/joseki-engine.eng DESTINATION share/games/plugins/usi COMPONENT engine)

add_custom_target(package_files ALL DEPENDS ${package_files})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_VENDOR "Joseki")
set(CPACK_PACKAGE_CONTACT "Joseki maintainers <maintainers@joseki.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL cli coordinator worker engine)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PROJECT_CONFIG_FILE ${here}/debian/needs.cmake)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_ENGINE_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME joseki)
set(CPACK_DEBIAN_CLI_DESCRIPTION "tunes opening books of shogi by self-play: the user's tool
Imports game records and books, tunes them on this machine or on a cluster,
 shows, compares and exports them.")
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "joseki-coordinator, joseki-worker")
set(CPACK_DEBIAN_COORDINATOR_PACKAGE_NAME joseki-coordinator)
set(CPACK_DEBIAN_COORDINATOR_DESCRIPTION "tunes opening books of shogi by self-play: the coordinator
Owns a book's database, hands out games to workers, takes them in and moves
 the weights of the book's moves.")
set(CPACK_DEBIAN_COORDINATOR_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_WORKER_PACKAGE_NAME joseki-worker)
set(CPACK_DEBIAN_WORKER_DESCRIPTION "tunes opening books of shogi by self-play: a worker
Plays the games that a coordinator hands out, with the embedded engine or any
 engine that speaks USI.")
set(CPACK_DEBIAN_WORKER_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_ENGINE_PACKAGE_NAME joseki-engine)
set(CPACK_DEBIAN_ENGINE_DESCRIPTION "engine for shogi boards that speak USI
Plays by search, solves mates, and reads opening books.")
set(state_folder_of_coordinator /var/lib/joseki) # as in their units
set(state_folder_of_worker /var/lib/joseki-worker)
foreach(name COORDINATOR WORKER)
  string(TOLOWER ${name} lower)
  set(scripts)
  foreach(script postinst prerm postrm)
    set(SERVICE joseki-${lower})
    set(STATE_FOLDER ${state_folder_of_${lower}})
    configure_file(${here}/debian/${script}.in ${CMAKE_BINARY_DIR}/packages/${lower}/${script} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    list(APPEND scripts ${CMAKE_BINARY_DIR}/packages/${lower}/${script})
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/packages/${lower}/conffiles "/etc/joseki/${lower}.toml\n")
  set(CPACK_DEBIAN_${name}_PACKAGE_CONTROL_EXTRA
    ${scripts} ${CMAKE_BINARY_DIR}/packages/${lower}/conffiles)
  set(CPACK_DEBIAN_${name}_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endforeach()
include(CPack)
