#include "cli/run/watch_screen.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/cluster/progress_words.h"
#include "cli/progress.h"

namespace joseki::cli {
namespace {

constexpr size_t kMostRates = 60;
constexpr size_t kBarWidth = 24;

// Cut to so many characters of a terminal; ours are one column wide, and UTF-8.
std::string Cut(const std::string& line, size_t columns) {
  size_t seen = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(line[at]) & 0xC0) != 0x80;
    if (begins && seen++ == columns) return line.substr(0, at);
  }
  return line;
}

// Eighths of a block, the highest rate of all at the top.
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

void AddWorkers(const coordinator::ClusterStatus& status, std::vector<std::string>& lines) {
  std::map<std::string, int> states;
  uint64_t seats = 0;
  uint64_t busy = 0;
  for (const coordinator::WorkerStatus& worker : status.workers) {
    ++states[worker.state];
    if (worker.state != "active" && worker.state != "draining") continue;
    seats += worker.seats;
    busy += worker.in_flight;
  }
  std::string line = "workers  ";
  if (states.empty()) absl::StrAppend(&line, "none");
  for (const auto& [state, count] : states) {
    absl::StrAppend(&line, line.back() == ' ' ? "" : ", ", count, " ", state);
  }
  if (seats > 0) absl::StrAppendFormat(&line, "; %d games at once, %d handed out", seats, busy);
  lines.push_back(std::move(line));
}

void AddRun(const coordinator::RunStatus& run, std::vector<std::string>& lines) {
  std::string head = absl::StrCat("run ", run.run);
  if (!run.spec.name.empty()) absl::StrAppend(&head, " ", run.spec.name);
  absl::StrAppend(&head, "  ", run.state);
  if (run.stages > 0) {
    absl::StrAppend(&head, ", stage ", std::min(run.stage, run.stages), " of ", run.stages);
  }
  if (!run.reason.empty()) absl::StrAppend(&head, ": ", run.reason);
  lines.push_back(std::move(head));
  std::string progress = "  ";
  if (run.spec.games > 0) {
    absl::StrAppend(&progress, Bar(run.games_spent(), run.spec.games), " ");
  }
  absl::StrAppend(&progress, ProgressWords(run));
  if (run.games_per_second > 0) {
    absl::StrAppendFormat(&progress, ", %.1f a second", run.games_per_second);
  }
  if (run.eta_seconds >= 0 && run.state == "running") {
    absl::StrAppend(&progress, ", ", Words(absl::Seconds(run.eta_seconds)), " left");
  }
  lines.push_back(std::move(progress));
  std::string counts =
      absl::StrFormat("  %d in play, %d draws thrown away", run.slots_in_flight, run.draws);
  const auto trouble = [&](uint64_t count, const char* what) {
    if (count > 0) absl::StrAppend(&counts, ", ", count, " ", what);
  };
  trouble(run.faults, "faults");
  trouble(run.conflicts, "conflicts");
  trouble(run.mismatches, "games that differed");
  trouble(run.quarantined, "workers quarantined");
  trouble(run.games_excluded, "games left out");
  trouble(run.poisoned_lines, "poisoned lines");
  lines.push_back(std::move(counts));
  if (run.line_searches) {
    const std::string expected = ExpectedWords(run);
    lines.push_back(
        absl::StrCat("  spent on ", SpentWords(run), expected.empty() ? "" : "; ", expected));
  }
}

void AddAnswers(const WatchHistory& history, absl::Time now, std::vector<std::string>& lines) {
  if (history.answers().empty()) return;
  lines.push_back("");
  lines.push_back("where the games go   answer   score (95 %)           games  position");
  for (const WatchedAnswer& at : history.answers()) {
    const bool moved = at.was != at.answer;
    lines.push_back(absl::StrFormat("  %5.1f %% of late      %-6s%s  %.3f (%.3f to %.3f) %8d  %s",
                                    100 * at.share, at.answer, moved ? "*" : " ", at.score,
                                    at.score_low, at.score_high, at.games, at.position));
  }
  std::string changes;
  for (const WatchedAnswer& at : history.answers()) {
    if (at.was == at.answer) continue;
    absl::StrAppend(&changes, changes.empty() ? "" : ", ", at.was, " to ", at.answer);
  }
  if (!changes.empty()) {
    lines.push_back(absl::StrCat("* changed in the last ",
                                 Words(absl::Trunc(now - history.began(), absl::Seconds(1))), ": ",
                                 changes));
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

std::vector<std::string> WatchLines(const coordinator::ClusterStatus& status,
                                    const WatchHistory& history, ScreenSize size, absl::Time now) {
  std::vector<std::string> lines;
  lines.push_back(absl::StrFormat(
      "joseki  %s  coordinator up %s; %d games wait for the disk, last commit %.1f ms",
      absl::FormatTime("%H:%M:%S", now, absl::LocalTimeZone()),
      Words(absl::Trunc(status.uptime, absl::Seconds(1))), status.queued_games, status.commit_ms));
  AddWorkers(status, lines);
  if (!history.rates().empty()) {
    lines.push_back(absl::StrFormat("games    %.1f a second  ", history.rates().back()) +
                    Sparkline(history.rates()));
  }
  // What goes on first; what is over may be cut off.
  std::vector<const coordinator::RunStatus*> runs;
  for (const coordinator::RunStatus& run : status.runs) runs.push_back(&run);
  std::stable_sort(runs.begin(), runs.end(),
                   [](const coordinator::RunStatus* a, const coordinator::RunStatus* b) {
                     return (a->state == "running") > (b->state == "running");
                   });
  for (const coordinator::RunStatus* const run : runs) {
    lines.push_back("");
    AddRun(*run, lines);
  }
  AddAnswers(history, now, lines);
  const size_t most = std::max<size_t>(size.rows, 2) - 1;  // the last one is the cursor's
  if (lines.size() > most) {
    const size_t left_out = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back(absl::StrCat("... ", left_out, " lines more: a taller window, or --run"));
  }
  for (std::string& line : lines) line = Cut(line, size.columns);
  return lines;
}

std::string FrameOf(const std::vector<std::string>& lines) {
  std::string frame = "\x1b[H";
  // The rest of each line and of the screen is cleared after it is written: nothing is ever blank
  // in between.
  for (const std::string& line : lines) absl::StrAppend(&frame, line, "\x1b[K\r\n");
  return frame + "\x1b[J";
}

}  // namespace joseki::cli
