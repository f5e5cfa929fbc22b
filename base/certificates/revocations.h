#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"
#include "base/mutex.h"

namespace joseki::certificates {

// Parses a list of revocations into serial numbers; "bad_revocations" with file and line if it is
// none.
absl::StatusOr<absl::flat_hash_set<std::string>> ParseRevocations(const std::string& text,
                                                                  const std::string& path);

// FailedPrecondition "lost_revocations" if the list `now` lacks a number of `before`: the list was
// emptied, cut, or replaced by an older one.
absl::Status CheckNoneLost(const absl::flat_hash_set<std::string>& before,
                           const absl::flat_hash_set<std::string>& now, const std::string& path);

// The word in place of a role in a row of `issued` (base/certificates/authority.h) that marks a
// certificate as revoked.
inline constexpr std::string_view kRevokedMark = "revoked";

// The certificates that are refused although the authority has signed them, by serial number. The
// serial is the first word of each line of a file; the rest of a line is for people. Some stay
// revoked, whatever becomes of the list: those revoked during the lifetime of this object, or
// marked in a file `issued` beside the list. Thread-safe.
class Revocations {
 public:
  // Loads the list. NotFound or another code if the file cannot be read. "bad_revocations" with
  // file and line if it is no list; "lost_revocations" if it lacks a revoked certificate.
  static absl::StatusOr<std::unique_ptr<Revocations>> Load(const std::string& path);

  bool Contains(const std::string& serial) const;

  // Reads the file if it has changed since the last call; returns whether it was read. An error is
  // returned once for each state of the file, and keeps the old list: a damaged file restores no
  // rights. After "lost_revocations" the file's new rows count too.
  absl::StatusOr<bool> Refresh();

 private:
  explicit Revocations(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  FileStamp stamp_;  // used by Load and Refresh alone, which one thread calls
  mutable Mutex mutex_;
  absl::flat_hash_set<std::string> serials_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::certificates
