# ctest reads this before it starts a test. Every test speaks English, whatever the locale of who runs
# it, and none takes a coordinator, a certificate or a settings file of its user: it would play on the
# user's own cluster. What chooses data and code stays.
set(ENV{LC_ALL} C.UTF-8)
execute_process(COMMAND env OUTPUT_VARIABLE settings)
string(REGEX MATCHALL "(^|\n)JOSEKI_[A-Za-z0-9_]*=" settings "${settings}")
foreach(setting ${settings})
  string(REGEX REPLACE "[\n=]" "" setting "${setting}")
  if(NOT setting MATCHES "^JOSEKI_(ISA|SHARED_DATA)$")
    unset(ENV{${setting}})
  endif()
endforeach()
