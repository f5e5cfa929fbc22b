#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

// The facts of a node that Join reports and runs may require.
namespace joseki::worker {

// "NAME=VALUE" texts of the command line; at most 16, names that are ids (proto/limits.h), each
// once, values of at most 64 visible ASCII bytes. InvalidArgument "usage" with the text at fault.
absl::StatusOr<std::map<std::string, std::string>> LabelsOf(const std::vector<std::string>& texts);

// The limit, in bytes, of a cgroup v2 file memory.max or v1 file memory.limit_in_bytes; nullopt: no
// limit, or the text is not of that form.
std::optional<uint64_t> MemoryLimitOf(std::string_view text);

// The smallest limit of the cgroups that this process is in, read below `root`; nullopt: none.
std::optional<uint64_t> CgroupMemory(const std::string& root = "");

// Usable memory of this process, in MB: the machine's memory, or the limit if that is less.
uint64_t UsableMemoryMb();

// The share of one seat in `whole`, rounded down; at least 1 unless `whole` is 0.
uint32_t PerSeat(uint64_t whole, uint32_t seats);

}  // namespace joseki::worker
