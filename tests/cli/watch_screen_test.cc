#include "cli/run/watch_screen.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::Time kNow = absl::FromUnixSeconds(2'000'000'000);

coordinator::RunStatus ARun(uint64_t id, const std::string& state) {
  coordinator::RunStatus run;
  run.run = id;
  run.state = state;
  run.spec.name = "night";
  run.spec.games = 1000;
  run.games_done = 250;
  run.games_per_second = 4;
  run.eta_seconds = 187;
  run.stage = 2;
  run.stages = 5;
  return run;
}

coordinator::ClusterStatus Status() {
  coordinator::ClusterStatus status;
  status.uptime = absl::Minutes(72);
  for (const char* const state : {"active", "active", "quarantined"}) {
    coordinator::WorkerStatus& worker = status.workers.emplace_back();
    worker.state = state;
    worker.seats = 8;
    worker.in_flight = 7;
  }
  status.runs = {ARun(1, "done"), ARun(2, "running")};
  return status;
}

std::string Screen(const coordinator::ClusterStatus& status, const WatchHistory& history,
                   ScreenSize size = {.rows = 50, .columns = 200}, const Voice& voice = Voice()) {
  return absl::StrJoin(WatchLines(status, history, size, kNow, voice), "\n");
}

TEST(WatchScreenTest, SaysWhatSearchesBringAndCost) {
  coordinator::ClusterStatus status = Status();
  EXPECT_THAT(Screen(status, {}), Not(HasSubstr("spent on")));
  status.runs[1].line_searches = {.games = 500,
                                  .answers = 900,
                                  .trials = 200,
                                  .in_answers = 240,
                                  .in_replies = 60,
                                  .in_trials = 200};
  EXPECT_THAT(Screen(status, {}),
              HasSubstr("spent on games 250, answers 240, replies 60, trials 200"));
  EXPECT_THAT(Screen(status, {}), Not(HasSubstr("expected"))) << "too few trials";
  status.runs[1].line_searches->expected = 0.6;
  EXPECT_THAT(Screen(status, {}), HasSubstr("expected score 60.0 % (+70 Elo)"));
  EXPECT_THAT(Screen(status, {}), Not(HasSubstr("games alone")));
  status.runs[1].line_searches->off = "the engine gives no scores";
  EXPECT_THAT(Screen(status, {}),
              HasSubstr("trials 200; games alone from now on: the engine gives no scores"));
}

TEST(WatchScreenTest, SaysWhatGoesOnFirst) {
  coordinator::ClusterStatus status = Status();
  status.runs[1].faults = 3;
  const std::string screen = Screen(status, {});
  EXPECT_THAT(screen, HasSubstr("coordinator up 1 h 12 min"));
  EXPECT_THAT(screen, HasSubstr("2 active, 1 quarantined; 16 games at once, 14 handed out"));
  EXPECT_THAT(screen, HasSubstr("run 2 night  running, stage 2 of 5"));
  EXPECT_THAT(screen,
              HasSubstr("[██████··················] 250 of 1000 games (25 %), 4.0 a second, "
                        "3 min 7 s left"));
  EXPECT_THAT(screen, HasSubstr("0 draws thrown away, 3 faults"));
  EXPECT_LT(screen.find("run 2"), screen.find("run 1"));
}

// Such a run waits for ever, and looks like any other.
TEST(WatchScreenTest, SaysThatNobodyServesARun) {
  coordinator::ClusterStatus status = Status();
  const std::string words = "no worker can serve it";
  EXPECT_THAT(Screen(status, {}), HasSubstr(words + ": see `joseki run show 2`"));
  status.runs[1].not_served = "2 workers lack the engine 'gps'";
  EXPECT_THAT(Screen(status, {}), HasSubstr(words + ": 2 workers lack the engine 'gps'"));
  EXPECT_THAT(Screen(status, {}, {.rows = 50, .columns = 200}, Voice(Language::kJapanese, "")),
              HasSubstr("割り当てられるワーカーがない: ワーカー 2 に足りないもの: エンジン 'gps'"));
  status.runs[1].servers = 1;
  EXPECT_THAT(Screen(status, {}), Not(HasSubstr(words)));
  status.runs[1].servers = 0;
  status.runs[1].state = "paused";
  EXPECT_THAT(Screen(status, {}), Not(HasSubstr(words)));
}

TEST(WatchScreenTest, KeepsToTheWindow) {
  coordinator::ClusterStatus status = Status();
  for (uint64_t id = 3; id < 20; ++id) status.runs.push_back(ARun(id, "running"));
  for (const ScreenSize size :
       {ScreenSize{.rows = 24, .columns = 80}, ScreenSize{.rows = 3, .columns = 9},
        ScreenSize{.rows = 1, .columns = 1}}) {
    for (const Voice& voice : {Voice(), Voice(Language::kJapanese, "")}) {
      const std::vector<std::string> lines = WatchLines(status, {}, size, kNow, voice);
      EXPECT_LE(lines.size(), std::max<size_t>(size.rows - 1, 1));
      for (const std::string& line : lines) EXPECT_LE(Columns(line), size.columns) << line;
    }
  }
  EXPECT_THAT(Screen(status, {}, {.rows = 24, .columns = 80}), HasSubstr("lines more"));
}

TEST(WatchScreenTest, WrapsTheLinesOfARun) {
  coordinator::ClusterStatus status = Status();
  status.runs[1].games_done = 89'912;
  status.runs[1].spec.games = 500'000;
  status.runs[1].line_searches = {.games = 123'456};
  const ScreenSize size = {.rows = 50, .columns = 80};
  const std::string screen = Screen(status, {}, size);
  EXPECT_THAT(screen, HasSubstr("] 89912 games and searches worth 123456 of 500000\n"
                                "    games (42 %), 4.0 a second, 3 min 7 s left\n"));
  for (const Voice& voice : {Voice(), Voice(Language::kJapanese, "")}) {
    for (const std::string& line : WatchLines(status, {}, size, kNow, voice)) {
      EXPECT_LE(Columns(line), 80u) << line;
    }
  }
  EXPECT_THAT(Screen(status, {}, size, Voice(Language::kJapanese, "")),
              HasSubstr("残り 3 分 7 秒"));
}

TEST(WatchScreenTest, ShowsWhereGamesGoBeforeRunsThatAreOver) {
  WatchHistory history;
  history.NoteAnswers({{.position = "startpos", .place = "at the start", .answer = "7g7f"}});
  coordinator::ClusterStatus status = Status();
  std::string screen = Screen(status, history);
  EXPECT_LT(screen.find("run 2"), screen.find("where the games go"));
  EXPECT_LT(screen.find("where the games go"), screen.find("run 1"));
  status.runs.pop_back();
  screen = Screen(status, history);
  EXPECT_LT(screen.find("run 1"), screen.find("where the games go")) << "they are its own";
}

// Of a line the last moves matter, of a position the first ranks.
TEST(WatchScreenTest, CutsALineAtItsFront) {
  WatchHistory history;
  const WatchedAnswer line = {
      .position = "a", .place = "after 7g7f 3c3d 2g2f 8c8d", .is_line = true, .answer = "7g7f"};
  WatchedAnswer place = line;
  place.position = "b";
  place.place = "at lnsgkgsnl/1r5b1/ppppppppp/9 b - 1";
  place.is_line = false;
  history.NoteAnswers({line, place});
  const ScreenSize size = {.rows = 50, .columns = 80};
  EXPECT_THAT(Screen(Status(), history, size), HasSubstr("  … 2g2f 8c8d\n"));
  EXPECT_THAT(Screen(Status(), history, size), HasSubstr("  at lnsgkgsnl/1r"));
  EXPECT_THAT(Screen(Status(), history), HasSubstr("  after 7g7f 3c3d 2g2f 8c8d\n"));
}

TEST(WatchScreenTest, DrawsTheRateOfTheLastMinutes) {
  WatchHistory history;
  coordinator::ClusterStatus status = Status();
  for (int i = 0; i < 70; ++i) {
    status.runs[1].games_per_second = i % 2 == 0 ? 0 : 8;
    history.Note(status, kNow + absl::Seconds(i));
  }
  EXPECT_EQ(history.rates().size(), 60u);
  EXPECT_THAT(Screen(status, history), HasSubstr("8.0 a second  ▁█▁█▁█"));
}

TEST(WatchScreenTest, TellsWhichAnswersHaveChanged) {
  WatchHistory history;
  history.Note(Status(), kNow - absl::Minutes(3));
  const WatchedAnswer one = {.position = "startpos",
                             .place = "at the start",
                             .share = 0.5,
                             .answer = "7g7f",
                             .score = 0.52,
                             .score_low = 0.5,
                             .score_high = 0.54,
                             .games = 1200};
  WatchedAnswer other = one;
  other.position = "startpos moves 7g7f";
  other.place = "after 7g7f";
  other.answer = "3c3d";
  history.NoteAnswers({one, other});
  EXPECT_THAT(Screen(Status(), history), Not(HasSubstr("changed")));
  other.answer = "8c8d";
  history.NoteAnswers({other, one});
  const std::string screen = Screen(Status(), history);
  EXPECT_THAT(
      screen,
      HasSubstr("50.0 % of late      8c8d  *  0.520 (0.500 to 0.540)     1200  after 7g7f"));
  EXPECT_THAT(screen, HasSubstr("7g7f     0.520"));
  EXPECT_THAT(screen, HasSubstr("* changed in the last 3 min 0 s: 3c3d to 8c8d"));
  other.answer = "3c3d";  // and back
  history.NoteAnswers({other, one});
  EXPECT_THAT(Screen(Status(), history), Not(HasSubstr("changed")));
}

TEST(WatchScreenTest, SpeaksJapanese) {
  WatchHistory history;
  history.Note(Status(), kNow);
  history.NoteAnswers({{.position = "startpos",
                        .place = "開始局面",
                        .share = 0.5,
                        .answer = "７六歩",
                        .score = 0.52,
                        .score_low = 0.5,
                        .score_high = 0.54,
                        .games = 1200}});
  const std::string screen =
      Screen(Status(), history, {.rows = 50, .columns = 200}, Voice(Language::kJapanese, ""));
  EXPECT_THAT(screen, HasSubstr("ラン 2 night  実行中、段階 2/5"));
  EXPECT_THAT(screen, HasSubstr("250 / 1000 局 (25 %)、毎秒 4.0、残り 3 分 7 秒"));
  EXPECT_THAT(screen, HasSubstr("７六歩   0.520 (0.500〜0.540)       1200  開始局面"));
}

TEST(WatchScreenTest, AFrameNeverClearsTheScreenFirst) {
  EXPECT_EQ(FrameOf({"a", "b"}), "\x1b[Ha\x1b[K\r\nb\x1b[K\r\n\x1b[J");
}

}  // namespace
}  // namespace joseki::cli
