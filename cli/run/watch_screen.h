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

// What `joseki status --watch` shows on a terminal: whole frames that are written over one another,
// of at most the terminal's size, without a flicker and without anything that has to be undone.
struct ScreenSize {
  size_t rows = 24;
  size_t columns = 80;
};

// The answer of a position, as it was when it was first seen and as it is.
struct WatchedAnswer {
  std::string position;  // as the rules write it
  std::string place;     // for people: the line that leads there
  uint64_t recent = 0;   // games of late that came through it
  double share = 0;      // of all games of late
  std::string was;       // the answer when we began to look
  std::string answer;    // now; as people write it
  double score = 0;      // of the answer, from its side, with a 95 % interval
  double score_low = 0;
  double score_high = 1;
  uint64_t games = 0;  // that are behind it
};

// What the frames of one look have in common: rates of the last minutes, and where the games go.
class WatchHistory {
 public:
  // Takes a status in; `now` grows.
  void Note(const coordinator::ClusterStatus& status, absl::Time now);
  // Replaces the positions; an answer that was seen before keeps what it was first.
  void NoteAnswers(std::vector<WatchedAnswer> answers);

  // Games a second of all runs, oldest first, at most 60.
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
// "21:18:00", here.
std::string ClockText(absl::Time time);

// The bytes that put `lines` over the frame before.
std::string FrameOf(const std::vector<std::string>& lines);

}  // namespace joseki::cli
