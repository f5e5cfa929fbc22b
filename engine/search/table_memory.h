#pragma once

#include <cstdint>

#include "engine/search/options.h"

namespace joseki {

// Memory of a search with a table of `hash_mb`, at most, in bytes. Two tables take as much again; a
// scheme of replacement may note four bytes for each entry of sixteen.
inline uint64_t TableMemory(int hash_mb, const SearchOptions& options) {
  const uint64_t one = static_cast<uint64_t>(hash_mb) << 20;
  return (options.two_tables != 0 ? 2 * one : one) + (options.table_replacement != 0 ? one / 4 : 0);
}

}  // namespace joseki
