#pragma once

#include <sys/resource.h>

#include <csignal>
#include <cstdint>

#include "gtest/gtest.h"

namespace joseki::testing {

// The kernel lets no file of this process grow beyond a limit: a full disk, for SQLite.
class FileSizeLimit {
 public:
  FileSizeLimit() : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) { getrlimit(RLIMIT_FSIZE, &old_); }
  ~FileSizeLimit() {
    Lift();
    std::signal(SIGXFSZ, old_handler_);
  }
  void Set(uint64_t bytes) {
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  void Lift() { setrlimit(RLIMIT_FSIZE, &old_); }

 private:
  void (*old_handler_)(int);
  rlimit old_{};
};

}  // namespace joseki::testing
