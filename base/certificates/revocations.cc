#include "base/certificates/revocations.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/certificates/certificate.h"
#include "base/certificates/table.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::certificates {
namespace {

// The certificates that `issued` marks as revoked; none if that file cannot be read.
absl::flat_hash_set<std::string> MarkedBeside(const std::string& path) {
  constexpr size_t kWords = 2;  // serial, mark
  absl::flat_hash_set<std::string> serials;
  const std::string issued = (std::filesystem::path(path).parent_path() / "issued").string();
  const auto rows = ReadTable(issued, kWords, absl::StrCat(" ", std::string(kRevokedMark), " "));
  if (!rows.ok()) return serials;
  for (const Words& row : *rows) {
    if (row[1] == kRevokedMark) serials.insert(row[0]);
  }
  return serials;
}

}  // namespace

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

absl::Status CheckNoneLost(const absl::flat_hash_set<std::string>& before,
                           const absl::flat_hash_set<std::string>& now, const std::string& path) {
  size_t lost = 0;
  std::string one;
  for (const std::string& serial : before) {
    if (now.contains(serial)) continue;
    ++lost;
    if (one.empty() || serial < one) one = serial;
  }
  if (lost == 0) return absl::OkStatus();
  return MakeProblem(
      {.code = "lost_revocations",
       .file = path,
       .found = absl::StrCat("no line of ", lost, " that were revoked, ", one, " among them"),
       .expected = "the list as it was, and what is new"},
      absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<std::unique_ptr<Revocations>> Revocations::Load(const std::string& path) {
  std::unique_ptr<Revocations> revocations(new Revocations(path));
  RETURN_IF_ERROR(revocations->Refresh().status());
  // No file has the initial stamp, so a missing file is read and refused.
  return revocations;
}

bool Revocations::Contains(const std::string& serial) const {
  const ScopedLock lock(mutex_);
  return serials_.contains(serial);
}

absl::StatusOr<bool> Revocations::Refresh() {
  // Take the stamp before reading: a concurrent change is then seen by the next call.
  const FileStamp stamp = StampOf(path_);
  if (stamp == stamp_) return false;
  stamp_ = stamp;
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path_));
  ASSIGN_OR_RETURN(auto serials, ParseRevocations(text, path_));
  absl::flat_hash_set<std::string> before = MarkedBeside(path_);
  const ScopedLock lock(mutex_);
  before.insert(serials_.begin(), serials_.end());
  const absl::Status lost = CheckNoneLost(before, serials, path_);
  serials_ = std::move(before);
  serials_.insert(serials.begin(), serials.end());
  RETURN_IF_ERROR(lost);
  return true;
}

}  // namespace joseki::certificates
