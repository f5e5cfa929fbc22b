#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace joseki {

namespace large_array_internal {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
// Memory of `bytes`, aligned to cache lines; from 2 MiB on aligned to large pages, for which it
// asks the system. Throws std::bad_alloc.
void* Allocate(size_t bytes);

}  // namespace large_array_internal

// A table for random accesses. An element as large as a cache line, or half of one, lies in one
// line. Large pages save TLB misses.
template <typename T>
using LargeArray = std::unique_ptr<T[], large_array_internal::Free>;

// An array of `count` times T().
template <typename T>
LargeArray<T> MakeLargeArray(size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  T* const values = static_cast<T*>(large_array_internal::Allocate(count * sizeof(T)));
  std::uninitialized_value_construct_n(values, count);
  return LargeArray<T>(values);
}

}  // namespace joseki
