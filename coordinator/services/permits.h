#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/mutex.h"

namespace joseki::coordinator {

// A limit on simultaneous calls of one kind, in all or per caller. Thread-safe.
class Permits {
 public:
  struct Options {
    size_t most = 1;
    std::string code;  // of the problem where none is free
    std::string what;  // the calls in progress, for the problem: "books on their way"
    absl::Duration retry = absl::Seconds(5);
  };
  // Released with its last copy.
  using Permit = std::shared_ptr<const void>;

  explicit Permits(Options options) : options_(std::move(options)) {}

  // A permit from those that calls of `whose` share. ResourceExhausted, with a delay for the retry,
  // if none is free.
  static absl::StatusOr<Permit> Take(const std::shared_ptr<Permits>& permits,
                                     const std::string& whose = {});

 private:
  const Options options_;
  Mutex mutex_;
  std::map<std::string, size_t> taken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::coordinator
