#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"

namespace joseki::certificates {

// The serial numbers of such a file's text; "bad_revocations" with file and line if it is none.
absl::StatusOr<absl::flat_hash_set<std::string>> ParseRevocations(const std::string& text,
                                                                  const std::string& path);

// FailedPrecondition "lost_revocations" if a list of `now` lacks one of `before`: the list was
// emptied, cut, or replaced by an older one.
absl::Status CheckNoneLost(const absl::flat_hash_set<std::string>& before,
                           const absl::flat_hash_set<std::string>& now, const std::string& path);

// The word in place of a role in a row of `issued` (base/certificates/authority.h) that repeats a
// certificate as revoked.
inline constexpr std::string_view kRevokedMark = "revoked";

// The certificates that are not to be believed although their authority has signed them, by serial
// number: the first word of each line of a file, the rest of which is for people. Who was revoked
// while this object lives, or is marked as revoked in a file `issued` beside the list, stays so,
// whatever becomes of the list. Thread-safe.
class Revocations {
 public:
  // NotFound and the like if the file cannot be read, "bad_revocations" with file and line if it is
  // none, "lost_revocations" where it lacks a certificate that was revoked.
  static absl::StatusOr<std::unique_ptr<Revocations>> Load(const std::string& path);

  bool Contains(const std::string& serial) const;

  // Reads the file if it differs from the last call. Returns true if it was read; an error, once
  // for each state of the file, and then keeps the old list: a damaged file restores no rights.
  // After "lost_revocations" the file's new rows are known too.
  absl::StatusOr<bool> Refresh();

 private:
  explicit Revocations(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  FileStamp stamp_;  // touched by Load and Refresh alone, which one thread calls
  mutable std::shared_mutex mutex_;
  absl::flat_hash_set<std::string> serials_;  // guarded by mutex_
};

}  // namespace joseki::certificates
