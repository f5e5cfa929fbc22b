// joseki-worker with a disk on which a test can have it killed; never shipped. The linker hands the
// worker's own system calls to the functions below (--wrap), and its start to __wrap_main.

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tests/kill/fault_flags.h"
#include "tests/support/fault_control.h"

extern "C" {
int __real_main(int argc, char** argv);
ssize_t __real_write(int fd, const void* bytes, size_t size);
int __real_fdatasync(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_rename(const char* from, const char* to);
int __wrap_main(int argc, char** argv);
ssize_t __wrap_write(int fd, const void* bytes, size_t size);
int __wrap_fdatasync(int fd);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_rename(const char* from, const char* to);
}

namespace joseki::testing {
namespace {

// System calls know no object: it is handed to them here, before the worker's main.
std::unique_ptr<FaultInjector> injector;

bool IsSpool(std::string_view path) { return path.find("games.spool") != path.npos; }

bool IsSpool(int fd) {
  char path[4096];
  const ssize_t size = readlink(absl::StrCat("/proc/self/fd/", fd).c_str(), path, sizeof path);
  return size > 0 && IsSpool(std::string_view(path, static_cast<size_t>(size)));
}

FaultInjector::Decision Next(FaultPoint point, bool spool) {
  if (injector == nullptr || !spool) return {};
  return injector->Next(point);
}

void Done(const FaultInjector::Decision& decision) {
  if (injector != nullptr) injector->Done(decision);
}

int Failed(int error) {
  errno = error;
  return -1;
}

int Main(int argc, char** argv) {
  const FaultFlags flags = TakeFaultFlags(argc, argv);
  std::unique_ptr<SharedFaultControl> shared;
  if (!flags.control.empty()) {
    auto mapped = SharedFaultControl::Map(flags.control);
    if (!mapped.ok()) {
      std::cerr << mapped.status() << std::endl;
      return 1;
    }
    shared = *std::move(mapped);
    injector = std::make_unique<FaultInjector>(**shared, FaultInjector::Death::kProcess,
                                               static_cast<uint64_t>(getpid()));
  }
  const int status = __real_main(argc, argv);
  injector.reset();
  return status;
}

}  // namespace
}  // namespace joseki::testing

using joseki::testing::Done;
using joseki::testing::Failed;
using joseki::testing::FaultPoint;
using joseki::testing::IsSpool;
using joseki::testing::Next;

int __wrap_main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }

ssize_t __wrap_write(int fd, const void* bytes, size_t size) {
  const auto decision = Next(FaultPoint::kSpoolWrite, IsSpool(fd));
  if (decision.fail && !decision.half) return Failed(ENOSPC);
  const ssize_t written = __real_write(fd, bytes, decision.half ? size / 2 : size);
  Done(decision);
  return decision.fail ? Failed(ENOSPC) : written;
}

int __wrap_fdatasync(int fd) {
  const auto decision = Next(FaultPoint::kSpoolSync, IsSpool(fd));
  if (decision.fail) return Failed(EIO);
  const int synced = __real_fdatasync(fd);
  Done(decision);
  return synced;
}

int __wrap_ftruncate(int fd, off_t size) {
  const auto decision = Next(FaultPoint::kSpoolTruncate, IsSpool(fd));
  if (decision.fail) return Failed(EIO);
  const int cut = __real_ftruncate(fd, size);
  Done(decision);
  return cut;
}

int __wrap_rename(const char* from, const char* to) {
  const auto decision = Next(FaultPoint::kSpoolRename, IsSpool(std::string_view(to)));
  if (decision.fail) return Failed(EIO);
  const int renamed = __real_rename(from, to);
  Done(decision);
  return renamed;
}
