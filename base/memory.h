#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

// Checks for tables whose size a user chooses. The system promises more memory than there is, and
// kills a process that touches it, so the real amount must be checked beforehand.
namespace joseki {

// Bytes that this process may still take. They are the minimum of free memory, of the rest that its
// control groups (of either version) leave, and of its address-space limit. The largest number
// where nothing is known. `root` is the folder of proc and sys, for tests.
uint64_t AvailableMemory(const std::string& root = "");

// ResourceExhausted "no_memory" of `option` unless `bytes` are available now, after `held` bytes
// are released. Small amounts are never refused. Two concurrent calls may be promised the same
// memory: the caller serialises them until the memory is touched.
absl::Status CheckMemory(std::string_view option, uint64_t bytes, uint64_t held = 0);

}  // namespace joseki
