#include "worker/loop/submit_report.h"

#include <numeric>

#include "absl/strings/str_cat.h"

namespace joseki::worker {

absl::string_view Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccepted:
      return "accepted";
    case Verdict::kDuplicate:
      return "duplicate";
    case Verdict::kStaleAccepted:
      return "stale_accepted";
    case Verdict::kConflict:
      return "conflict";
    case Verdict::kRejected:
      return "rejected";
  }
  return "unknown";
}

void SubmitReport::Add(std::span<const GameVerdict> verdicts) {
  ++calls_;
  for (const GameVerdict& verdict : verdicts) ++games_.at(static_cast<size_t>(verdict.verdict));
}

std::optional<std::string> SubmitReport::Due(absl::Time now) {
  if (calls_ == 0 || now < next_) return std::nullopt;
  next_ = now + kEvery;
  return Rest();
}

std::optional<std::string> SubmitReport::Rest() {
  if (calls_ == 0) return std::nullopt;
  std::string line =
      absl::StrCat("submitted calls=", calls_,
                   " games=", std::accumulate(games_.begin(), games_.end(), uint64_t{0}));
  for (size_t i = 0; i < games_.size(); ++i) {
    if (games_[i] > 0) absl::StrAppend(&line, " ", Word(static_cast<Verdict>(i)), "=", games_[i]);
  }
  calls_ = 0;
  games_ = {};
  return line;
}

}  // namespace joseki::worker
