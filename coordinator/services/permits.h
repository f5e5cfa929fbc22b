#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace joseki::coordinator {

// How many calls of one kind may go on at once, in all or of each caller. Thread-safe.
class Permits {
 public:
  struct Options {
    size_t most = 1;
    std::string code;  // of the problem where none is free
    std::string what;  // that go on then: "books on their way"
    absl::Duration retry = absl::Seconds(5);
  };
  // Given back when the last copy goes.
  using Permit = std::shared_ptr<const void>;

  explicit Permits(Options options) : options_(std::move(options)) {}

  // A permit of those that `whose` calls share. ResourceExhausted, with the wish to wait, if none
  // of them is free.
  static absl::StatusOr<Permit> Take(const std::shared_ptr<Permits>& permits,
                                     const std::string& whose = {});

 private:
  const Options options_;
  std::mutex mutex_;
  std::map<std::string, size_t> taken_;
};

}  // namespace joseki::coordinator
