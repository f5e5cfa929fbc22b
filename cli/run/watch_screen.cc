#include "cli/run/watch_screen.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/cluster/progress_words.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/model/run_spec.h"

namespace joseki::cli {
namespace {

constexpr size_t kMostRates = 60;
constexpr size_t kBarWidth = 24;

// A bar per rate in eighths of a block; the highest rate is a full one.
std::string Sparkline(const std::deque<double>& rates) {
  static constexpr std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double most = 0;
  for (const double rate : rates) most = std::max(most, rate);
  std::string line;
  for (const double rate : rates) {
    const double level = most > 0 ? rate / most * 7 : 0;
    absl::StrAppend(&line, kBlocks[static_cast<size_t>(std::clamp(level, 0.0, 7.0))]);
  }
  return line;
}

std::string Bar(uint64_t done, uint64_t total) {
  const size_t full = total == 0 ? 0 : std::min(kBarWidth, done * kBarWidth / total);
  std::string bar = "[";
  for (size_t i = 0; i < kBarWidth; ++i) absl::StrAppend(&bar, i < full ? "█" : "·");
  return bar + "]";
}

// `line` in pieces of at most `columns`, broken at blanks and behind Japanese commas. A piece of
// one longer word stays as it is.
std::vector<std::string> Wrapped(std::string_view line, size_t columns) {
  constexpr std::string_view kComma = "、";
  std::vector<std::string> pieces(1);
  bool has_words = false;  // in the last piece
  for (size_t from = 0; from < line.size();) {
    const size_t blank = line.find(' ', from);
    const size_t comma = line.find(kComma, from);
    const std::string_view word =
        comma < blank ? line.substr(from, comma + kComma.size() - from)
                      : line.substr(from, blank == line.npos ? blank : blank + 1 - from);
    from += word.size();
    const size_t width = Columns(word) - (word.ends_with(' ') ? 1 : 0);
    if (has_words && Columns(pieces.back()) + width > columns) {
      if (pieces.back().ends_with(' ')) pieces.back().pop_back();
      pieces.emplace_back("    ");
      has_words = false;
    }
    pieces.back() += word;
    has_words = has_words || width > 0;
  }
  return pieces;
}

// `place` cut at its front to `columns`, at a blank: the last moves tell positions apart.
std::string EndOf(std::string_view place, size_t columns) {
  if (Columns(place) <= columns) return std::string(place);
  constexpr std::string_view kCut = "… ";
  for (size_t at = place.find(' '); at != place.npos; at = place.find(' ', at + 1)) {
    const std::string_view rest = place.substr(at + 1);
    if (Columns(kCut) + Columns(rest) <= columns) return std::string(kCut).append(rest);
  }
  return std::string(place);
}

void AddWorkers(const coordinator::ClusterStatus& status, const Voice& voice,
                std::vector<std::string>& lines) {
  std::map<std::string, int> states;
  uint64_t seats = 0;
  uint64_t busy = 0;
  for (const coordinator::WorkerStatus& worker : status.workers) {
    ++states[worker.state];
    if (worker.state != "active" && worker.state != "draining") continue;
    seats += worker.seats;
    busy += worker.in_flight;
  }
  std::string counts = states.empty() ? voice.Say(phrase::kNone) : "";
  for (const auto& [state, count] : states) {
    absl::StrAppend(&counts, counts.empty() ? "" : voice.Say(phrase::kComma), count, " ",
                    WordText(voice, state));
  }
  if (seats > 0) counts += voice.Say(phrase::kSeats, seats, busy);
  lines.push_back(voice.Say(phrase::kWorkersLine, counts));
}

std::vector<std::string> LinesOf(const coordinator::RunStatus& run, const Voice& voice) {
  std::vector<std::string> lines;
  std::string head = voice.Say(phrase::kRun, run.run);
  if (!run.spec.name.empty()) absl::StrAppend(&head, " ", run.spec.name);
  absl::StrAppend(&head, "  ", WordText(voice, run.state));
  if (run.stages > 0) {
    head += voice.Say(phrase::kStage, std::min(run.stage, run.stages), run.stages);
  }
  if (!run.reason.empty()) absl::StrAppend(&head, ": ", WordText(voice, run.reason));
  lines.push_back(std::move(head));
  if (const std::string trouble = NotServedWords(run, voice); !trouble.empty()) {
    lines.push_back("  " + trouble);
  }
  std::string progress = "  ";
  if (const uint64_t games = coordinator::GamesTarget(run.spec); games > 0) {
    absl::StrAppend(&progress, Bar(run.games_spent(), games), " ");
  }
  progress += ProgressWords(run, voice);
  if (run.games_per_second > 0) {
    progress += voice.Say(phrase::kASecond, absl::StrFormat("%.1f", run.games_per_second));
  }
  if (run.eta_seconds >= 0 && run.state == "running") {
    progress += voice.Say(phrase::kLeft, DurationText(voice, absl::Seconds(run.eta_seconds)));
  }
  lines.push_back(std::move(progress));
  std::string counts = voice.Say(phrase::kInPlay, run.slots_in_flight, run.draws);
  const auto trouble = [&](uint64_t count, const Phrase& what) {
    if (count > 0) counts += voice.Say(what, count);
  };
  trouble(run.faults, phrase::kFaults);
  trouble(run.conflicts, phrase::kConflicts);
  trouble(run.mismatches, phrase::kMismatches);
  trouble(run.quarantined, phrase::kWorkersQuarantined);
  trouble(run.games_excluded, phrase::kGamesLeftOut);
  trouble(run.poisoned_lines, phrase::kPoisonedLines);
  lines.push_back(std::move(counts));
  if (run.line_searches) {
    const std::string expected = ExpectedWords(run, voice);
    lines.push_back(absl::StrCat("  ", voice.Say(phrase::kSpentOn, SpentWords(run, voice)),
                                 expected.empty() ? "" : "; ", expected));
  }
  return lines;
}

void AddRun(const coordinator::RunStatus& run, size_t columns, const Voice& voice,
            std::vector<std::string>& lines) {
  lines.push_back("");
  for (const std::string& line : LinesOf(run, voice)) {
    for (std::string& piece : Wrapped(line, columns)) lines.push_back(std::move(piece));
  }
}

void AddAnswers(const WatchHistory& history, absl::Time now, size_t columns, const Voice& voice,
                std::vector<std::string>& lines) {
  if (history.answers().empty()) return;
  constexpr size_t kShareColumns = 23;
  constexpr size_t kAnswerColumns = 6;
  constexpr size_t kScoreColumns = 22;
  lines.push_back("");
  lines.push_back(absl::StrCat(PaddedRight(voice.Say(phrase::kWhereGamesGo), kShareColumns),
                               PaddedRight(voice.Say(phrase::kAnswer), kAnswerColumns + 3),
                               PaddedRight(voice.Say(phrase::kScore95), kScoreColumns),
                               PaddedLeft(voice.Say(phrase::kGames), 9), "  ",
                               voice.Say(phrase::kPosition)));
  const auto number = [](double score) { return absl::StrFormat("%.3f", score); };
  std::string changes;
  for (const WatchedAnswer& at : history.answers()) {
    const bool moved = at.was != at.answer;
    const std::string share =
        voice.Say(phrase::kOfLateShare, absl::StrFormat("%5.1f", 100 * at.share));
    const std::string score =
        absl::StrCat(number(at.score), " (",
                     voice.Say(phrase::kFromTo, number(at.score_low), number(at.score_high)), ")");
    std::string line = absl::StrCat(PaddedRight("  " + share, kShareColumns),
                                    PaddedRight(at.answer, kAnswerColumns), moved ? "*  " : "   ",
                                    PaddedRight(score, kScoreColumns),
                                    PaddedLeft(absl::StrCat(at.games), 9), "  ");
    const size_t room = columns - std::min(columns, Columns(line));
    lines.push_back(line + (at.is_line ? EndOf(at.place, room) : at.place));
    if (moved) {
      absl::StrAppend(&changes, changes.empty() ? "" : voice.Say(phrase::kComma),
                      voice.Say(phrase::kChangedTo, at.was, at.answer));
    }
  }
  if (!changes.empty()) {
    lines.push_back(
        voice.Say(phrase::kChangedIn, DurationText(voice, now - history.began()), changes));
  }
}

}  // namespace

void WatchHistory::Note(const coordinator::ClusterStatus& status, absl::Time now) {
  began_ = std::min(began_, now);
  double rate = 0;
  for (const coordinator::RunStatus& run : status.runs) {
    if (run.state == "running") rate += run.games_per_second;
  }
  rates_.push_back(rate);
  if (rates_.size() > kMostRates) rates_.pop_front();
}

void WatchHistory::NoteAnswers(std::vector<WatchedAnswer> answers) {
  for (WatchedAnswer& at : answers) at.was = first_.emplace(at.position, at.answer).first->second;
  answers_ = std::move(answers);
}

std::string ClockText(absl::Time time) {
  return absl::FormatTime("%H:%M:%S", time, absl::LocalTimeZone());
}

std::vector<std::string> WatchLines(const coordinator::ClusterStatus& status,
                                    const WatchHistory& history, ScreenSize size, absl::Time now,
                                    const Voice& voice) {
  std::vector<std::string> lines;
  lines.push_back(voice.Say(phrase::kScreenHead, ClockText(now), DurationText(voice, status.uptime),
                            status.queued_games, absl::StrFormat("%.1f", status.commit_ms)));
  AddWorkers(status, voice, lines);
  if (!history.rates().empty()) {
    lines.push_back(voice.Say(phrase::kGamesLine, absl::StrFormat("%.1f", history.rates().back()),
                              Sparkline(history.rates())));
  }
  // Running runs come first, and the answers of one of them: the rest may be cut off.
  std::vector<const coordinator::RunStatus*> runs;
  for (const coordinator::RunStatus& run : status.runs) runs.push_back(&run);
  const auto others = std::stable_partition(
      runs.begin(), runs.end(),
      [](const coordinator::RunStatus* run) { return run->state == "running"; });
  const auto detailed = others == runs.begin() ? runs.end() : others;
  for (auto run = runs.begin(); run != detailed; ++run) AddRun(**run, size.columns, voice, lines);
  AddAnswers(history, now, size.columns, voice, lines);
  for (auto run = detailed; run != runs.end(); ++run) AddRun(**run, size.columns, voice, lines);
  const size_t most = std::max<size_t>(size.rows, 2) - 1;  // the last row is the cursor's
  if (lines.size() > most) {
    const size_t left_out = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back(voice.Say(phrase::kLinesMore, left_out));
  }
  for (std::string& line : lines) line = CutTo(line, size.columns);
  return lines;
}

std::string FrameOf(const std::vector<std::string>& lines) {
  std::string frame = "\x1b[H";
  // Clear the rest of each line and of the screen only after writing it: nothing flickers.
  for (const std::string& line : lines) absl::StrAppend(&frame, line, "\x1b[K\r\n");
  return frame + "\x1b[J";
}

}  // namespace joseki::cli
