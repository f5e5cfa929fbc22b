#include "base/trust/revocations.h"

#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "base/trust/certificate.h"

namespace joseki::trust {

absl::StatusOr<absl::flat_hash_set<std::string>> ParseRevocations(const std::string& text,
                                                                  const std::string& path) {
  absl::flat_hash_set<std::string> serials;
  int number = 0;
  for (const absl::string_view view : absl::StrSplit(text, '\n')) {
    const std::string line(view);
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::string serial = line.substr(0, line.find(' '));
    if (!IsSerial(serial)) {
      return MakeProblem({.code = "bad_revocations",
                          .file = path,
                          .line = number,
                          .found = Quote(serial),
                          .expected = "a serial number of 32 digits 0-9 a-f"},
                         absl::StatusCode::kFailedPrecondition);
    }
    serials.insert(std::move(serial));
  }
  return serials;
}

absl::StatusOr<std::unique_ptr<Revocations>> Revocations::Load(const std::string& path) {
  std::unique_ptr<Revocations> revocations(new Revocations(path));
  RETURN_IF_ERROR(revocations->Refresh().status());
  // No file has the stamp that stands for none, so a missing file is read and refused.
  return revocations;
}

bool Revocations::Contains(const std::string& serial) const {
  const std::shared_lock lock(mutex_);
  return serials_.contains(serial);
}

absl::StatusOr<bool> Revocations::Refresh() {
  // Before the file is read: what changes meanwhile is seen the next time.
  const FileStamp stamp = StampOf(path_);
  if (stamp == stamp_) return false;
  stamp_ = stamp;
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path_));
  ASSIGN_OR_RETURN(auto serials, ParseRevocations(text, path_));
  const std::unique_lock lock(mutex_);
  serials_ = std::move(serials);
  return true;
}

}  // namespace joseki::trust
