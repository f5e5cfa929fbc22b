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
// `bytes` on a line of the cache; from 2 MiB on aligned for large pages, which it asks the system
// for. Throws std::bad_alloc.
void* Allocate(size_t bytes);

}  // namespace large_array_internal

// A table with random accesses. An element of a line's size, or half of it, lies in one line, and
// large pages save misses of address translation.
template <typename T>
using LargeArray = std::unique_ptr<T[], large_array_internal::Free>;

// `count` times T().
template <typename T>
LargeArray<T> MakeLargeArray(size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  T* const values = static_cast<T*>(large_array_internal::Allocate(count * sizeof(T)));
  std::uninitialized_value_construct_n(values, count);
  return LargeArray<T>(values);
}

}  // namespace joseki
