#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "cli/words/voice.h"
#include "coordinator/model/messages.h"
#include "coordinator/offline/spending.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The screen of `joseki status --watch` on a terminal: whole frames, written over one another
// without flicker. A frame is no larger than the terminal and leaves no state to restore.
struct ScreenSize {
  size_t rows = 24;
  size_t columns = 80;
};

// The answer of a position: when it was first seen, and now.
struct WatchedAnswer {
  std::string position;  // as the rules write it
  std::string place;     // the line that leads there, for people
  bool is_line = false;  // `place` is one of moves, of which the last matter
  uint64_t recent = 0;   // recent games through it
  double share = 0;      // of all recent games
  std::string was;       // the answer when it was first seen
  std::string answer;    // now; in the notation of the voice
  double score = 0;      // of the answer, from its side, with a 95 % interval
  double score_low = 0;
  double score_high = 1;
  uint64_t games = 0;  // behind the score
};

// State shared by the frames: the rates of the last minutes, and the positions with most games.
class WatchHistory {
 public:
  // Adds a status. REQUIRES: `now` does not decrease.
  void Note(const coordinator::ClusterStatus& status, absl::Time now);
  // Replaces the positions; a position seen before keeps its first answer.
  void NoteAnswers(std::vector<WatchedAnswer> answers);

  // Games per second of all runs, oldest first, at most 60 values.
  const std::deque<double>& rates() const { return rates_; }
  const std::vector<WatchedAnswer>& answers() const { return answers_; }
  absl::Time began() const { return began_; }

 private:
  absl::Time began_ = absl::InfiniteFuture();
  std::deque<double> rates_;
  std::map<std::string, std::string> first_;  // answer by position
  std::vector<WatchedAnswer> answers_;
};

// One frame: lines without escapes, each at most `size.columns` wide and at most `size.rows`.
std::vector<std::string> WatchLines(const coordinator::ClusterStatus& status,
                                    const WatchHistory& history, ScreenSize size, absl::Time now,
                                    const Voice& voice);
// The local time: "21:18:00".
std::string ClockText(absl::Time time);

// The bytes that draw `lines` over the previous frame.
std::string FrameOf(const std::vector<std::string>& lines);

}  // namespace joseki::cli
