#pragma once

#include <cstdint>

#include "engine/search/options.h"

namespace joseki {

// Upper bound of the memory of a search with a table of `hash_mb`, in bytes. Two tables take twice
// as much; a replacement scheme may add four bytes for each sixteen-byte entry.
inline uint64_t TableMemory(int hash_mb, const SearchOptions& options) {
  const uint64_t one = static_cast<uint64_t>(hash_mb) << 20;
  return (options.two_tables != 0 ? 2 * one : one) + (options.table_replacement != 0 ? one / 4 : 0);
}

}  // namespace joseki
