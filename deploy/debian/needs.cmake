# Read by cpack. Without dpkg-shlibdeps it would make packages that name no library.
foreach(program file dpkg-shlibdeps)
  find_program(found_${program} ${program})
  if(NOT found_${program})
    message(FATAL_ERROR "cpack needs ${program}: deploy/install-packages packaging")
  endif()
endforeach()
