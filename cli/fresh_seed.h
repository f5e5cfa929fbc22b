#pragma once

#include <unistd.h>

#include <cstdint>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/hash.h"

namespace joseki::cli {

// A seed that no run and no match has had before, as far as chance can tell.
inline uint64_t FreshSeed() {
  std::random_device device;
  // JSON readers of other languages keep 53 bits.
  return Hash64(absl::StrCat(getpid(), ".", absl::ToUnixNanos(absl::Now()), ".", device(), ".",
                             device())) >>
         11;
}

}  // namespace joseki::cli
