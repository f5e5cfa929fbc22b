#include "base/large_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace joseki::large_array_internal {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kLargePage = size_t{2} << 20;

}  // namespace

void* Allocate(size_t bytes) {
  const size_t alignment = bytes < kLargePage ? kLine : kLargePage;
  const size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, size);
  if (memory == nullptr) throw std::bad_alloc();
  // Only advice: pages stay small where the system does not follow it.
  if (alignment == kLargePage) madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

}  // namespace joseki::large_array_internal
