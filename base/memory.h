#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

// Tables whose size a user chooses. The system promises more memory than there is and ends who
// touches it, so what there is must be asked for beforehand.
namespace joseki {

// Bytes that this process may take yet: the least of what the machine has, of what its control
// groups (of either version) leave, and of its own limit of address space. The largest number where
// nothing is known. `root` is the folder of proc and sys; for tests.
uint64_t AvailableMemory(const std::string& root = "");

// ResourceExhausted "no_memory" of `option` unless `bytes` can be had now, where `held` of them are
// given back before. Small ones are never refused. Two that ask at once may be promised the same:
// who does so takes turns until the memory is touched.
absl::Status CheckMemory(std::string_view option, uint64_t bytes, uint64_t held = 0);

}  // namespace joseki
