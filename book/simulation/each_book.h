#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"

namespace joseki::book {

// Calls `simulate` with each number below `books`, on `threads` threads; returns its values in that
// order, or the first error. REQUIRES: threads > 0; `simulate` is thread-safe.
template <typename Value, typename Simulate>
absl::StatusOr<std::vector<Value>> EachBook(uint32_t books, uint32_t threads, Simulate simulate) {
  std::vector<absl::StatusOr<Value>> results(books, absl::UnknownError("not simulated"));
  std::atomic<uint32_t> next = 0;
  const auto work = [&] {
    for (uint32_t book = next++; book < books; book = next++) results[book] = simulate(book);
  };
  std::vector<std::thread> others;
  for (uint32_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  std::vector<Value> values;
  for (absl::StatusOr<Value>& result : results) {
    RETURN_IF_ERROR(result.status());
    values.push_back(*std::move(result));
  }
  return values;
}

}  // namespace joseki::book
