#include "coordinator/services/permits.h"

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"

namespace joseki::coordinator {

absl::StatusOr<Permits::Permit> Permits::Take(const std::shared_ptr<Permits>& permits,
                                              const std::string& whose) {
  const Options& options = permits->options_;
  {
    const ScopedLock lock(permits->mutex_);
    size_t& taken = permits->taken_[whose];
    if (taken == options.most) {
      return WithRetryAfter(
          MakeProblem({.code = options.code,
                       .found = absl::StrCat(options.most, " ", options.what),
                       .expected = "the same call again when one of them is done"},
                      absl::StatusCode::kResourceExhausted),
          options.retry);
    }
    ++taken;
  }
  // The deleter owns `permits`: a call may outlive the service.
  return Permit(permits.get(), [permits, whose](const void*) {
    const ScopedLock lock(permits->mutex_);
    if (--permits->taken_[whose] == 0) permits->taken_.erase(whose);
  });
}

}  // namespace joseki::coordinator
