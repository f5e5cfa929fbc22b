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

// A match on the disk: JSON lines, appended and synced, so that a killed match goes on where it
// was. The first line says what is played ({"match": SettingsJson, "seed": ...}), each further one
// is a game ({"pair": ...}) or what the match has come to ({"summary": ...}); the last summary
// counts. A last line that is torn is cut off. One process at a time; not thread-safe.
class MatchFile {
 public:
  // Opens the file, or makes it with these settings and this seed. FailedPrecondition
  // "match_running" where another process has it, "other_match" where it is of other settings (says
  // which); "bad_match_file" with the line where it is none.
  static absl::StatusOr<std::unique_ptr<MatchFile>> Open(const std::string& path,
                                                         const Json& settings, uint64_t seed,
                                                         const Rules& rules);
  // The same of a file that is there, only to be read: another process may be playing the match.
  static absl::StatusOr<std::unique_ptr<MatchFile>> OpenToRead(const std::string& path,
                                                               const Json& settings,
                                                               const Rules& rules);
  ~MatchFile();
  MatchFile(const MatchFile&) = delete;
  MatchFile& operator=(const MatchFile&) = delete;

  const std::string& path() const { return path_; }
  uint64_t seed() const { return seed_; }
  // What was there when it was opened, in order.
  const std::vector<MatchGame>& games() const { return games_; }

  // On the disk when this returns. REQUIRES: not only to be read.
  absl::Status Append(const std::vector<Json>& lines);
  // Removes the file if it holds no more than the first line that this process wrote: a match that
  // was refused leaves nothing behind. REQUIRES: not only to be read.
  void Withdraw();

 private:
  MatchFile(std::string path, int fd, bool to_read)
      : path_(std::move(path)), fd_(fd), to_read_(to_read) {}

  absl::Status Load(const Json& settings, uint64_t seed, const Rules& rules);

  const std::string path_;
  const int fd_;
  const bool to_read_;
  bool fresh_ = false;  // nothing but a first line, written here
  uint64_t seed_ = 0;
  std::vector<MatchGame> games_;
};

}  // namespace joseki::cli
