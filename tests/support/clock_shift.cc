// Preloaded into a program: its wall clock is ahead by as many seconds as the file says that the
// variable CLOCK_SHIFT names. Clocks that nobody can set go on as they are.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

long Ahead() {
  const char* const path = std::getenv("CLOCK_SHIFT");
  const int file = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[24] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? std::strtol(text, nullptr, 10) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto real =
      reinterpret_cast<int (*)(clockid_t, timespec*)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int done = real(clock, time);
  if (done == 0 && clock == CLOCK_REALTIME) time->tv_sec += Ahead();
  return done;
}
