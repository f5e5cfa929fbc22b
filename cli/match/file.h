#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/context.h"
#include "cli/match/game.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A match on disk: JSON lines, appended and synced, so that a killed match can be resumed. The
// first line is {"match": SettingsJson, "seed": ...}. Each further line is a game ({"pair": ...})
// or a result ({"summary": ...}), of which the last counts. A torn last line is cut off. Only one
// process may append; not thread-safe.
class MatchFile {
 public:
  // Opens the file, or makes it with these settings and this seed. FailedPrecondition
  // "match_running" where another process holds it, or "other_match", with the difference, where
  // its settings are others. "bad_match_file" with the line where it is no match file.
  static absl::StatusOr<std::unique_ptr<MatchFile>> Open(const std::string& path,
                                                         const Json& settings, uint64_t seed,
                                                         const Rules& rules);
  // Opens an existing file read-only: another process may be playing the match.
  static absl::StatusOr<std::unique_ptr<MatchFile>> OpenToRead(const std::string& path,
                                                               const Json& settings,
                                                               const Rules& rules);
  ~MatchFile();
  MatchFile(const MatchFile&) = delete;
  MatchFile& operator=(const MatchFile&) = delete;

  const std::string& path() const { return path_; }
  uint64_t seed() const { return seed_; }
  // The games in the file when it was opened, in order.
  const std::vector<MatchGame>& games() const { return games_; }

  // The lines are synced when this returns. REQUIRES for both: opened by Open.
  absl::Status Append(const std::vector<Json>& lines);
  // Appends the result, unless the file ends with it: a match that is only read stays untouched.
  absl::Status AppendResult(const Json& result);
  // Removes the file if it holds only the first line, written by this object: a refused match
  // leaves no file behind. REQUIRES: opened by Open.
  void Withdraw();

 private:
  MatchFile(std::string path, int fd, bool to_read)
      : path_(std::move(path)), fd_(fd), to_read_(to_read) {}

  absl::Status Load(const Json& settings, uint64_t seed, const Rules& rules);

  const std::string path_;
  const int fd_;
  const bool to_read_;
  bool fresh_ = false;  // holds only the first line, written here
  uint64_t seed_ = 0;
  std::string last_;  // line
  std::vector<MatchGame> games_;
};

}  // namespace joseki::cli
