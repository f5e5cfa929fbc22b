#pragma once

#include <unistd.h>

#include <cstdint>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/hash.h"

namespace joseki::cli {

// A random seed; runs and matches that draw theirs here practically never share one.
inline uint64_t FreshSeed() {
  std::random_device device;
  // 53 bits: JSON readers of other languages keep no more.
  return Hash64(absl::StrCat(getpid(), ".", absl::ToUnixNanos(absl::Now()), ".", device(), ".",
                             device())) >>
         11;
}

}  // namespace joseki::cli
