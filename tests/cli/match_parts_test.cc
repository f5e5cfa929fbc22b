// The parts of `joseki match`: settings, starts, the file, and who plays, on shogi with players
// that do what a test tells them.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/str_format.h"
#include "base/file.h"
#include "base/problem.h"
#include "cli/match/file.h"
#include "cli/match/game.h"
#include "cli/match/lines.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "cli/match/settings.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::joseki::testing::CodeOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

MatchSettings Settings(uint32_t pairs) {
  MatchSettings settings;
  for (MatchSide& side : settings.sides) {
    side.name = "embedded";
    side.play.nodes = 20;
    side.play.jitter_percent = 50;
    side.play.match.max_plies = 40;
  }
  settings.seed = 5;
  settings.series.pairs = pairs;
  return settings;
}

// Plays the match in `path` until it is over, or until the file holds `stop_after` games.
book::Series Play(const MatchSettings& settings, const std::string& path, int concurrency,
                  size_t stop_after = SIZE_MAX) {
  book::Series series(settings.series);
  auto file = MatchFile::Open(path, SettingsJson(settings), settings.seed, shogi::ShogiRules());
  EXPECT_TRUE(file.ok()) << file.status();
  const auto lines = [&path] {
    const std::string text = *ReadFile(path);
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  const auto run = RunMatch(shogi::ShogiRules(), settings, concurrency, **file, series,
                            [&] { return lines() > stop_after; });
  EXPECT_TRUE(run.ok()) << run.status();
  return series;
}

TEST(MatchRunTest, PlaysTheSameMatchHoweverManyGamesAtOnce) {
  const joseki::testing::TempFolder folder;
  const MatchSettings settings = Settings(12);
  const book::Series one = Play(settings, folder / "one", 1);
  const book::Series four = Play(settings, folder / "four", 4);
  EXPECT_EQ(one.state(), book::Series::State::kDone);
  EXPECT_EQ(one.tally().pentanomial.count() + one.tally().repeats, 12u);
  EXPECT_EQ(one.tally().pentanomial, four.tally().pentanomial);
  EXPECT_EQ(one.tally().used[0].nodes, four.tally().used[0].nodes);
  MatchSettings other = settings;
  other.seed = 6;
  EXPECT_NE(Play(other, folder / "other", 2).tally().used[0].nodes, one.tally().used[0].nodes);
}

// A match that is interrupted repeatedly, also with a torn last line. No game is repeated or
// missing, and the result is that of an uninterrupted match.
TEST(MatchRunTest, GoesOnWhereItWasBrokenOff) {
  const joseki::testing::TempFolder folder;
  const MatchSettings settings = Settings(10);
  const book::Series whole = Play(settings, folder / "whole", 2);
  const std::string path = folder / "broken";
  for (const size_t lines : {size_t{1}, size_t{4}, size_t{9}}) {
    Play(settings, path, 3, lines);
    std::ofstream(path, std::ios::app) << R"({"pair":3,"attem)";
  }
  const book::Series resumed = Play(settings, path, 2);
  EXPECT_EQ(resumed.state(), book::Series::State::kDone);
  EXPECT_EQ(resumed.tally().pentanomial, whole.tally().pentanomial);
  EXPECT_EQ(resumed.tally().plies, whole.tally().plies);
  auto file = MatchFile::Open(path, SettingsJson(settings), 99, shogi::ShogiRules());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->seed(), settings.seed);
  std::set<book::SeriesGame> games;
  for (const MatchGame& game : (*file)->games()) {
    EXPECT_TRUE(games.insert(game.game).second) << game.game.pair;
  }
  EXPECT_THAT(games, SizeIs(20));
  // A larger match begins with the smaller one.
  MatchSettings larger = settings;
  larger.series.pairs = 12;
  file->reset();
  EXPECT_EQ(Play(larger, path, 2).tally().pentanomial.count(), 12u);
}

TEST(MatchFileTest, TheSameResultIsWrittenOnce) {
  const joseki::testing::TempFolder folder;
  const MatchSettings settings = Settings(2);
  const std::string path = folder / "match";
  Play(settings, path, 1);
  const auto append = [&](int wins) {
    auto file = MatchFile::Open(path, SettingsJson(settings), 99, shogi::ShogiRules());
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE((*file)->AppendResult({{"wins", wins}}).ok());
    EXPECT_TRUE((*file)->AppendResult({{"wins", wins}}).ok());
  };
  append(3);
  const std::string once = *ReadFile(path);
  EXPECT_THAT(once, ::testing::EndsWith("{\"summary\":{\"wins\":3}}\n"));
  append(3);
  EXPECT_EQ(*ReadFile(path), once);
  append(4);
  EXPECT_EQ(*ReadFile(path), once + "{\"summary\":{\"wins\":4}}\n");
}

TEST(MatchFileTest, RefusesWhatIsNotThisMatch) {
  const joseki::testing::TempFolder folder;
  const Rules& rules = shogi::ShogiRules();
  const MatchSettings settings = Settings(1);
  Play(settings, folder / "match", 1);
  MatchSettings moved = settings;
  moved.sides[0].name = "elsewhere/a.sqlite#1";
  moved.starts.name = "elsewhere/starts";
  EXPECT_TRUE(MatchFile::Open(folder / "match", SettingsJson(moved), 5, rules).ok());
  MatchSettings other = settings;
  other.sides[1].play.nodes = 21;
  const auto refused = MatchFile::Open(folder / "match", SettingsJson(other), 5, rules);
  EXPECT_EQ(CodeOf(refused.status()), "other_match");
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("b.nodes 20, not 21"));
  // One process at a time.
  const auto held = MatchFile::Open(folder / "match", SettingsJson(settings), 5, rules);
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(CodeOf(MatchFile::Open(folder / "match", SettingsJson(settings), 5, rules).status()),
            "match_running");
  // But anybody may read it, and leaves a torn line to who plays.
  const auto whole = std::filesystem::file_size(folder / "match");
  std::ofstream(folder / "match", std::ios::app) << R"({"pair":0,"att)";
  const std::string torn = *ReadFile(folder / "match");
  const auto read = MatchFile::OpenToRead(folder / "match", SettingsJson(settings), rules);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT((*read)->games(), SizeIs(2));
  EXPECT_EQ((*read)->seed(), settings.seed);
  EXPECT_EQ(*ReadFile(folder / "match"), torn);
  EXPECT_EQ(CodeOf(MatchFile::OpenToRead(folder / "match", SettingsJson(other), rules).status()),
            "other_match");
  EXPECT_EQ(CodeOf(MatchFile::OpenToRead(folder / "none", SettingsJson(settings), rules).status()),
            "io_error");
  std::filesystem::resize_file(folder / "match", whole);
  std::ofstream(folder / "notes") << "shopping list\n";
  EXPECT_EQ(CodeOf(MatchFile::Open(folder / "notes", SettingsJson(settings), 5, rules).status()),
            "bad_match_file");
  std::ofstream(folder / "draft") << "no line end";
  EXPECT_EQ(CodeOf(MatchFile::Open(folder / "draft", SettingsJson(settings), 5, rules).status()),
            "bad_match_file");
  EXPECT_EQ(*ReadFile(folder / "draft"), "no line end");
  std::filesystem::copy_file(folder / "match", folder / "spoilt");
  std::ofstream(folder / "spoilt", std::ios::app) << R"({"pair":"one"})"
                                                  << "\n";
  const auto spoilt = MatchFile::Open(folder / "spoilt", SettingsJson(settings), 5, rules);
  EXPECT_EQ(CodeOf(spoilt.status()), "bad_game");
  EXPECT_EQ(ProblemOf(spoilt.status()).line, 4);
}

TEST(MatchFileTest, RefusesWhatIsTooDeep) {
  const joseki::testing::TempFolder folder;
  const MatchSettings settings = Settings(1);
  Play(settings, folder / "match", 1);
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const std::string& line : {R"({"schema":1,"match":)" + deep + R"(,"seed":1})",
                                  *ReadFile(folder / "match") + R"({"pair":)" + deep + "}"}) {
    std::ofstream(folder / "deep") << line << "\n";
    const auto file =
        MatchFile::Open(folder / "deep", SettingsJson(settings), 5, shogi::ShogiRules());
    EXPECT_EQ(CodeOf(file.status()), "bad_match_file");
  }
}

Json Bad(Json json, const char* key, const char* value) {
  json[key] = value;
  return json;
}

TEST(MatchGameTest, IsReadAsItWasWritten) {
  MatchGame game;
  game.game = {.pair = 3, .attempt = 1, .a_first = false};
  const Rules& rules = shogi::ShogiRules();
  game.start.line = {*rules.MoveOf("7g7f")};
  game.moves = {*rules.MoveOf("7g7f"), *rules.MoveOf("P*5e")};
  game.outcome.fault = "ply 3: \"gone\"";
  game.outcome.ending = {Result::kNone, Termination::kStall};
  game.outcome.at_fault = book::Side::kB;
  game.outcome.used[1] = {1, 2, 3, 4};
  game.outcome.worker = "w";
  game.outcome.left_at[1] = 2;
  const Json json = MatchGameJson(game, rules);
  const auto again = MatchGameOf(json, rules);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(MatchGameJson(*again, rules), json);
  EXPECT_EQ(again->start.line, game.start.line);
  EXPECT_EQ(again->outcome.plies, 2u);
  EXPECT_EQ(again->outcome.worker, "w");
  EXPECT_EQ(again->outcome.left_at, game.outcome.left_at);
  // Files of earlier versions lack the exits from the books.
  Json earlier = json;
  for (const char* const side : {"a", "b"}) earlier[side].erase("left_at");
  ASSERT_TRUE(MatchGameOf(earlier, rules).ok());
  EXPECT_EQ(MatchGameOf(earlier, rules)->outcome.left_at[1], std::nullopt);
  for (const auto& [key, bad] :
       std::vector<std::pair<std::string, Json>>{{"moves", "7g7f resign"},
                                                 {"result", "first_wins"},
                                                 {"termination", "boredom"},
                                                 {"a", 7},
                                                 {"b", Bad(json["b"], "left_at", "late")},
                                                 {"pair", -1},
                                                 {"worker", 1},
                                                 {"result", "nobody"}}) {
    Json broken = json;
    broken[key] = bad;
    EXPECT_EQ(CodeOf(MatchGameOf(broken, rules).status()), "bad_game") << key;
  }
}

// A pair of which B moves first in the second game, and both leave their books.
TEST(MatchLinesTest, PairsAreSeenFromEitherSide) {
  const Rules& rules = shogi::ShogiRules();
  std::vector<MatchGame> games(4);
  book::Series series({.pairs = 2});
  for (uint32_t i = 0; i < 4; ++i) {
    MatchGame& game = games[i];
    game.game = {.pair = i / 2, .attempt = 0, .a_first = i % 2 == 0};
    // A's line with the first move is that of both pairs: 7g7f.
    for (const char* const move : {"7g7f", i < 2 ? "3c3d" : "8c8d", "2g2f"}) {
      game.moves.push_back(*rules.MoveOf(move));
    }
    game.outcome.ending = {Result::kFirstWins, Termination::kNoLegalMove};
    game.outcome.moves_hash = 10 + i;
    game.outcome.left_at = {i % 2 == 0 ? 2u : 1u, i % 2 == 0 ? 1u : 2u};
    if (i == 0) game.outcome.left_at[0] = 1;
    series.Done(game.game, game.outcome);
  }
  const auto a = PairsByLine(series, games, book::Side::kA);
  const auto b = PairsByLine(series, games, book::Side::kB);
  ASSERT_THAT(a, SizeIs(2));
  for (const auto& pairs : {a, b}) {
    for (const book::PairedGames& pair : pairs) {
      EXPECT_EQ(pair.score[0], 1);
      EXPECT_EQ(pair.score[1], 0);
    }
  }
  EXPECT_NE(a[0].line[0], a[1].line[0]);  // 7g7f; 7g7f 8c8d
  EXPECT_EQ(a[0].line[1], a[1].line[1]);  // 7g7f
  EXPECT_EQ(a[0].line[1], a[0].line[0]);
  EXPECT_EQ(b[0].line[1], b[1].line[1]);  // 7g7f, where A has the first move
  EXPECT_NE(b[0].line[0], b[1].line[0]);  // 7g7f 3c3d; 7g7f 8c8d
}

TEST(MatchStartsTest, ReadsEveryForm) {
  const Rules& rules = shogi::ShogiRules();
  const auto starts = ParseStarts(rules,
                                  "# comment\n\n"
                                  "startpos moves 7g7f 3c3d\r\n"
                                  "7g7f\n"
                                  "position sfen 4k4/9/9/9/9/9/9/9/4K4 b RB 1 moves R*5e\n"
                                  "4k4/9/9/9/9/9/9/9/4K4 w R2P 7\n",
                                  "file");
  ASSERT_TRUE(starts.ok()) << starts.status();
  ASSERT_THAT(*starts, SizeIs(4));
  EXPECT_EQ((*starts)[0].position, "startpos");
  EXPECT_THAT((*starts)[0].line, SizeIs(2));
  EXPECT_THAT((*starts)[1].line, SizeIs(1));
  EXPECT_THAT((*starts)[2].line, SizeIs(1));
  EXPECT_EQ((*starts)[3].position, "4k4/9/9/9/9/9/9/9/4K4 w R2P 7");
  const auto bad = ParseStarts(rules, "7g7f\n7g7e\n", "file");
  EXPECT_EQ(CodeOf(bad.status()), "illegal_move");
  EXPECT_EQ(ProblemOf(bad.status()).line, 2);
  EXPECT_EQ(CodeOf(ParseStarts(rules, "# none\n", "file").status()), "no_starts");
  EXPECT_EQ(CodeOf(ParseStarts(rules, "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n", "file").status()),
            "game_over");
}

// The two games of a pair have the same start; no start is repeated before all have been used.
TEST(MatchStartsTest, PairsShareTheirStart) {
  MatchSettings settings = Settings(20);
  for (const char* const text : {"7g7f", "2g2f", "5g5f", "6g6f", "1g1f"}) {
    settings.starts.lines.push_back({"startpos", {*shogi::ShogiRules().MoveOf(text)}});
  }
  const auto start = [&](uint32_t pair, bool a_first) {
    return StartOf(shogi::ShogiRules(), settings, {pair, 0, a_first}).line;
  };
  std::set<std::vector<std::vector<Move>>> orders;
  for (uint32_t round = 0; round < 4; ++round) {
    std::set<std::vector<Move>> seen;
    std::vector<std::vector<Move>> order;
    for (uint32_t i = 0; i < 5; ++i) {
      const uint32_t pair = 5 * round + i;
      EXPECT_EQ(start(pair, true), start(pair, false));
      seen.insert(start(pair, true));
      order.push_back(start(pair, true));
    }
    EXPECT_THAT(seen, SizeIs(5));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 1u);
  EXPECT_EQ(SeedOf(settings, {3, 0, true}), SeedOf(settings, {3, 0, false}));
  EXPECT_NE(SeedOf(settings, {3, 0, true}), SeedOf(settings, {3, 1, true}));
  EXPECT_NE(SeedOf(settings, {3, 0, true}), SeedOf(settings, {4, 0, true}));
}

// Plays out a series of which A wins the pairs numbered below `won` and B those below `lost` of the
// rest; the others are drawn.
book::Series PlayedOut(const book::SeriesRules& rules, uint32_t won, uint32_t lost) {
  book::Series series(rules);
  uint64_t hash = 0;
  while (const auto game = series.Next()) {
    book::SeriesOutcome outcome;
    outcome.ending = {Result::kDraw, Termination::kMaxPlies};
    const uint32_t pair = game->pair;
    if (pair < won + lost) {
      const bool a_wins = pair < won;
      outcome.ending = {WinFor(a_wins == game->a_first ? Color::kFirst : Color::kSecond),
                        Termination::kNoLegalMove};
    }
    outcome.moves_hash = ++hash;
    series.Done(*game, outcome);
  }
  return series;
}

// What a test shows depends on its bounds.
TEST(MatchReportTest, ATestShowsItsBounds) {
  const auto verdict = [](double elo0, double elo1, uint32_t won, uint32_t lost,
                          book::Series::State state) {
    const book::SeriesRules rules{.pairs = 5000, .sprt = book::Sprt{.elo0 = elo0, .elo1 = elo1}};
    const book::Series series = PlayedOut(rules, won, lost);
    EXPECT_EQ(series.state(), state) << elo0 << " " << elo1;
    const std::string words = MatchVerdict(series, rules);
    EXPECT_THAT(words, HasSubstr("As the test ended the match, the interval is too narrow"));
    return words;
  };
  using State = book::Series::State;
  EXPECT_THAT(verdict(0, 20, 40, 0, State::kAccepted), HasSubstr("accepts: A is better."));
  EXPECT_THAT(verdict(-300, -200, 1, 1, State::kAccepted),
              HasSubstr("accepts: A is not 300 worse. The interval holds 0."));
  EXPECT_THAT(verdict(0, 20, 0, 40, State::kRejected), HasSubstr("rejects: A is not 20 better."));
  EXPECT_THAT(verdict(-20, 0, 0, 40, State::kRejected), HasSubstr("rejects: B is better."));
}

// The gain that so many pairs would show is one whose interval of 95 % lies above 0.
TEST(MatchReportTest, TheGainThatWouldShowIsTwoSided) {
  const book::SeriesRules rules{.pairs = 400};
  const book::Series series = PlayedOut(rules, 40, 40);
  const book::Interval interval = book::ScoreInterval(series.tally().pentanomial);
  const double half = (interval.high - interval.low) / 2;
  const double gain = book::EloOf(0.5 + half * (1.96 + 0.8416) / 1.96);
  EXPECT_THAT(MatchVerdict(series, rules), HasSubstr(absl::StrFormat("a gain of %+.1f Elo", gain)));
}

TEST(MatchReportTest, SaysWhatWasShown) {
  book::SeriesRules rules{.pairs = 3};
  book::Series none(rules);
  EXPECT_THAT(MatchVerdict(none, rules), HasSubstr("Nothing was played"));
  book::SeriesOutcome draw;
  draw.ending = {Result::kDraw, Termination::kMaxPlies};
  for (uint32_t pair = 0; pair < 3; ++pair) {
    for (const bool a_first : {true, false}) {
      draw.moves_hash = pair;
      none.Done({pair, 0, a_first}, draw);
    }
  }
  EXPECT_THAT(MatchVerdict(none, rules), HasSubstr("prove nothing"));
  EXPECT_THAT(MatchVerdict(none, rules), ::testing::Not(HasSubstr("too narrow")));
  book::Series faulty(rules);
  book::SeriesOutcome crash;
  crash.ending = {Result::kNone, Termination::kCrash};
  faulty.Done({0, 0, true}, crash);
  EXPECT_THAT(MatchVerdict(faulty, rules), HasSubstr("void"));
  const Json json = MatchJson(Settings(3), faulty);
  EXPECT_EQ(json["state"], "void");
  EXPECT_EQ(json["faults"], 1);
  EXPECT_EQ(json["a"]["faults"]["crash"], 1);
  EXPECT_TRUE(json["elo_low"].is_null());
}

}  // namespace
}  // namespace joseki::cli
