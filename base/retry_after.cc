#include "base/retry_after.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace joseki {
namespace {

constexpr char kRetryPayload[] = "joseki/retry_after_ms";

}  // namespace

absl::Status WithRetryAfter(absl::Status status, absl::Duration delay) {
  const int64_t ms = std::max<int64_t>(absl::ToInt64Milliseconds(delay), 1);
  status.SetPayload(kRetryPayload, absl::Cord(absl::StrCat(ms)));
  return status;
}

std::optional<absl::Duration> RetryAfterOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryPayload);
  if (!payload.has_value()) return std::nullopt;
  const std::string text(*payload);
  int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc() || end != text.data() + text.size() || ms <= 0) return std::nullopt;
  return absl::Milliseconds(ms);
}

}  // namespace joseki
