#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "worker/coordinator_port.h"

namespace joseki::worker {

// The word of a verdict in the log.
absl::string_view Word(Verdict verdict);

// Report of submissions for the log: the first submission at once, later ones summed up once a
// minute. Not thread-safe.
class SubmitReport {
 public:
  static constexpr absl::Duration kEvery = absl::Minutes(1);

  // Adds the verdicts of one submission.
  void Add(std::span<const GameVerdict> verdicts);
  // The line about what came since the last line, if one is due.
  std::optional<std::string> Due(absl::Time now);
  // The line, due or not; nullopt: nothing came since the last one.
  std::optional<std::string> Rest();

 private:
  static constexpr size_t kVerdicts = static_cast<size_t>(Verdict::kRejected) + 1;

  uint64_t calls_ = 0;
  std::array<uint64_t, kVerdicts> games_ = {};
  absl::Time next_ = absl::InfinitePast();
};

}  // namespace joseki::worker
