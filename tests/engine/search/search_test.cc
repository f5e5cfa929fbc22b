#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/search/search_inl.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/game.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki {

// Shogi that counts how often a move is played: what a node is, seen from outside the search.
struct CountingShogi : Shogi {
  static inline uint64_t played = 0;
  static void Do(Position& pos, Move move, Undo& undo) {
    ++played;
    Shogi::Do(pos, move, undo);
  }
};
template class Search<CountingShogi>;

namespace {

using shogi::At;
using shogi::Play;
using shogi::Position;

SearchLimits Nodes(uint64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}
SearchLimits Depth(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}
constexpr size_t kTable = size_t{1} << 20;

// Whether the side to move mates within `plies` by checks alone; tries everything.
bool MatesByChecks(Position& position, int plies) {
  shogi::MoveList attacks;
  position.Generate<GenType::kAll>(attacks);
  for (const Move attack : attacks) {
    if (!position.GivesCheck(attack)) continue;
    shogi::Undo undo;
    position.Do(attack, undo);
    shogi::MoveList replies;
    position.Generate<GenType::kAll>(replies);
    bool mates = replies.empty() || plies >= 3;
    for (const Move reply : replies) {
      if (!mates) break;
      shogi::Undo reply_undo;
      position.Do(reply, reply_undo);
      mates = MatesByChecks(position, plies - 2);
      position.TakeBack(reply, reply_undo);
    }
    position.TakeBack(attack, undo);
    if (mates) return true;
  }
  return false;
}

struct MateCase {
  int plies;
  std::string sfen;
};
std::vector<MateCase> Mates() {
  std::vector<MateCase> cases;
  for (const auto& row : testing::ReadTsv(testing::TestData("mates.tsv"))) {
    if (row.size() == 2) cases.push_back({std::atoi(row[0].c_str()), row[1]});
  }
  return cases;
}

TEST(Search, FindsMatesOfOneThreeAndFivePlies) {
  const std::vector<MateCase> cases = Mates();
  ASSERT_EQ(cases.size(), 18u);
  Search<Shogi> search(size_t{16} << 20);
  for (const MateCase& mate : cases) {
    Position position = At(mate.sfen);
    ASSERT_TRUE(MatesByChecks(position, mate.plies)) << mate.sfen;
    ASSERT_TRUE(mate.plies == 1 || !MatesByChecks(position, mate.plies - 2)) << mate.sfen;
    search.NewGame();
    const SearchResult result = search.Run(position, Nodes(200000));
    EXPECT_EQ(result.value, MateIn(mate.plies)) << mate.sfen;
  }
}

TEST(Search, MatesDoNotDependOnTheSizeOfTheTable) {
  Search<Shogi> smallest(0);
  Search<Shogi> large(size_t{16} << 20);
  for (const MateCase& mate : Mates()) {
    if (mate.plies > 3) continue;
    const Position position = At(mate.sfen);
    smallest.NewGame();
    large.NewGame();
    EXPECT_EQ(smallest.Run(position, Nodes(200000)).value, large.Run(position, Nodes(200000)).value)
        << mate.sfen;
  }
}

TEST(Search, ANodeIsOnePlayedMoveAndTheLimitIsExact) {
  Search<CountingShogi> search(kTable);
  for (const uint64_t limit : {1, 2, 3, 29, 30, 31, 100, 255, 256, 257, 1000, 4999}) {
    CountingShogi::played = 0;
    const SearchResult result = search.Run(Position(), Nodes(limit));
    EXPECT_EQ(result.nodes, limit);
    EXPECT_EQ(CountingShogi::played, limit);
    EXPECT_TRUE(Position().IsLegal(result.best)) << limit;
  }
}

// The results of a short game that `search` plays against itself.
std::vector<std::vector<int64_t>> PlayGame(Search<Shogi>& search, int plies) {
  std::vector<std::vector<int64_t>> record;
  Position position;
  search.NewGame();
  for (int ply = 0; ply < plies; ++ply) {
    const SearchResult r = search.Run(position, Nodes(static_cast<uint64_t>(700 + 13 * ply)));
    record.push_back(
        {r.best.raw(), r.ponder.raw(), r.value, static_cast<int64_t>(r.nodes), r.depth});
    if (!r.best) break;
    shogi::Undo undo;
    position.Do(r.best, undo);
  }
  return record;
}

TEST(Search, TheSameCallsSinceNewGameGiveTheSameResults) {
  Search<Shogi> one(kTable);
  Search<Shogi> other(kTable);
  const auto first = PlayGame(one, 40);
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(PlayGame(one, 40), first) << "the second game of the same object";
  EXPECT_EQ(PlayGame(other, 40), first) << "another object";
}

TEST(Search, SeveralThreadsAnswerAsOneDoesAndLeaveNothingBehind) {
  Search<Shogi> search(kTable);
  search.SetThreads(4);
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    const SearchResult result = search.Run(position, Nodes(4000));
    EXPECT_TRUE(result.declare || position.IsLegal(result.best)) << text;
  }
  for (const MateCase& mate : Mates()) {
    if (mate.plies > 3) continue;
    EXPECT_GE(search.Run(At(mate.sfen), Nodes(200000)).value, MateIn(mate.plies)) << mate.sfen;
  }
  std::vector<Move> excluded;
  shogi::MoveList legal;
  Position().Generate<GenType::kAll>(legal);
  for (const Move move : legal) {
    if (move != legal[3]) excluded.push_back(move);
  }
  SearchLimits limits = Nodes(3000);
  limits.excluded = excluded;
  EXPECT_EQ(search.Run(Position(), limits).best, legal[3]);
  search.SetThreads(1);
  Search<Shogi> alone(kTable);
  EXPECT_EQ(PlayGame(search, 10), PlayGame(alone, 10)) << "one thread is as it was";
}

TEST(Search, SeveralThreadsShareOneTableWhateverTheOptionsSay) {
  SearchOptions options;
  options.two_tables = 1;
  options.table_forgets = 1;
  Search<Shogi> search(kTable);
  search.SetOptions(options);
  search.SetThreads(2);
  EXPECT_TRUE(search.Run(Position(), Nodes(4000)).best);
  search.SetThreads(1);
  Search<Shogi> alone(kTable);
  alone.SetOptions(options);
  EXPECT_EQ(PlayGame(search, 10), PlayGame(alone, 10)) << "one thread has its two tables back";
}

TEST(Search, SeveralThreadsAreStoppedAtOnce) {
  Search<Shogi> search(kTable);
  search.SetThreads(3);
  search.Stop();
  EXPECT_TRUE(search.Run(Position(), SearchLimits()).best);
  search.ClearStop();
  EXPECT_EQ(search.Run(Position(), Depth(4)).depth, 4);
}

TEST(Search, DoesNotChooseAnExcludedMove) {
  Search<Shogi> search(kTable);
  const Position position;
  std::vector<Move> excluded;
  shogi::MoveList legal;
  position.Generate<GenType::kAll>(legal);
  while (excluded.size() < static_cast<size_t>(legal.size())) {
    SearchLimits limits = Nodes(300);
    limits.excluded = excluded;
    const SearchResult result = search.Run(position, limits);
    ASSERT_TRUE(position.IsLegal(result.best));
    ASSERT_EQ(std::find(excluded.begin(), excluded.end(), result.best), excluded.end());
    excluded.push_back(result.best);
  }
  SearchLimits limits = Nodes(300);
  limits.excluded = excluded;
  EXPECT_FALSE(search.Run(position, limits).best) << "every move is excluded";
}

TEST(Search, FallsBackOnPointlessMovesWhereAllOthersAreExcluded) {
  const Position position = At("4k4/9/9/4P4/9/9/9/9/4K4 b - 1");
  shogi::MoveList sensible;
  position.Generate<GenType::kSearch>(sensible);
  const std::vector<Move> excluded(sensible.begin(), sensible.end());
  Search<Shogi> search(kTable);
  SearchLimits limits = Nodes(100);
  limits.excluded = excluded;
  EXPECT_EQ(shogi::ToUsi(search.Run(position, limits).best), "5d5c");
}

TEST(Search, WithoutALegalMoveTheGameIsLost) {
  Search<Shogi> search(kTable);
  const Position mated = At("k8/GR7/9/9/9/9/9/9/8K w - 1");
  const SearchResult result = search.Run(mated, Nodes(100));
  EXPECT_FALSE(result.best);
  EXPECT_EQ(result.value, MatedIn(0));
}

// Black is a bishop down; moving the rook to 3h once more repeats a position of the game.
constexpr char kBishopDown[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b - 1";

TEST(Search, TakesTheDrawByRepetitionWhenBehind) {
  Position position = At(kBishopDown);
  Play(position, "2h3h 8b7b 3h2h 7b8b");
  Search<Shogi> search(kTable);
  const SearchResult result = search.Run(position, Depth(1));
  EXPECT_EQ(shogi::ToUsi(result.best), "2h3h");
  EXPECT_EQ(result.value, kValueZero);
}

TEST(Search, TheSecondOccurrenceDecidesInTheTreeTheFourthOverTheBoard) {
  Position position = At(kBishopDown);
  Play(position, "2h3h 8b7b 3h2h 7b8b");
  Search<Shogi> search(kTable);
  // One ply from the third occurrence: the game would go on, the search counts it as the draw.
  const SearchResult result = search.Run(position, Depth(1));
  shogi::Undo undo;
  position.Do(result.best, undo);
  EXPECT_EQ(position.CheckRepetition(2), Repetition::kDraw);
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kNone);
  EXPECT_EQ(result.value, kValueZero);
  Play(position, "8b7b 3h2h 7b8b 2h3h");
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kNone) << "the third occurrence";
  Play(position, "8b7b 3h2h 7b8b 2h3h");
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kDraw) << "the fourth";
}

// Black drops a pawn, White's rook captures it and goes home, Black's rook goes out and home. The
// placement before 1. recurs with 6., but the pawn has changed hands.
constexpr char kPawnGivenAway[] = "4k4/1r7/9/9/9/9/9/9/4K3R b P 1";
constexpr char kRound[] = "P*1b 8b1b 1i2i 1b2b 2i1i";

TEST(Search, APieceGivenAwayInACircleLosesWhereTheOptionSaysSo) {
  Position position = At(kPawnGivenAway);
  Play(position, kRound);
  std::vector<Move> excluded;
  shogi::MoveList legal;
  position.Generate<GenType::kAll>(legal);
  for (const Move move : legal) {
    if (shogi::ToUsi(move) != "2b8b") excluded.push_back(move);
  }
  SearchLimits limits = Depth(1);
  limits.excluded = excluded;
  Search<Shogi> search(kTable);
  EXPECT_LT(search.Run(position, limits).value, 10000);
  search.SetOptions({.hand_repetition = 1});
  const Value value = search.Run(position, limits).value;
  EXPECT_GT(value, 20000) << "White has gained a pawn for nothing";
  EXPECT_FALSE(IsMate(value));
  // The value rests on the game: without it the same position keeps its former value.
  Play(position, "2b8b");
  const Position anew = At(shogi::ToSfen(position, 1));
  ASSERT_EQ(anew.key(), position.key());
  EXPECT_GT(search.Run(anew, Depth(1)).value, -10000);
}

// Positions of lost games, where a move that looks best is answered by a long mate.
std::vector<Position> PositionsThatMatesAnswer() {
  std::vector<Position> positions;
  for (const auto& row : testing::ReadTsv(testing::TestData("answered_by_mate.tsv"))) {
    positions.push_back(At(row[0]));
  }
  return positions;
}

bool HasMate(Position position, uint64_t nodes) {
  shogi::MateFinder mates;
  return static_cast<bool>(mates.Prove(position, nodes, nullptr).move);
}

Position After(Position position, Move move) {
  shogi::Undo undo;
  position.Do(move, undo);
  return position;
}

// The search's results for those positions.
struct Answers {
  std::vector<Position>
      mated;  // where a mate answers the move, and not every move is known to lose
  int unmated = 0;
  uint64_t refuted = 0;  // moves of the root
};

Answers AnswersTo(Search<Shogi>& search, uint64_t nodes, int root_mate_nodes) {
  Answers answers;
  search.SetOptions({.root_mate_nodes = root_mate_nodes});
  for (const Position& position : PositionsThatMatesAnswer()) {
    search.NewGame();
    const SearchResult result = search.Run(position, Nodes(nodes));
    EXPECT_LE(result.nodes, nodes);
    answers.refuted += search.counts()[Technique::kRootRefuted];
    if (result.value <= -kValueMateInMaxPly) continue;
    const Position after = After(position, result.best);
    if (HasMate(after, 3000)) {
      answers.mated.push_back(after);
    } else {
      ++answers.unmated;
    }
  }
  return answers;
}

// With so few a search without mates at its root plays into several of those mates.
constexpr uint64_t kNodesOfABeliever = 30000;

TEST(Search, DoesNotBelieveAMoveThatALongMateAnswers) {
  Search<Shogi> search(size_t{16} << 20);
  const std::vector<Position> answered = AnswersTo(search, kNodesOfABeliever, 0).mated;
  EXPECT_GE(answered.size(), 5u);
  const Answers doubted = AnswersTo(search, 60000, 3000);
  EXPECT_EQ(doubted.mated.size(), 0u);
  EXPECT_GE(doubted.unmated, 5);
  EXPECT_GT(doubted.refuted, 0u);

  // The other side finds these mates at its root, beyond the horizon of its search.
  uint64_t proven = 0;
  const auto mates_seen = [&](int root_mate_nodes) {
    search.SetOptions({.root_mate_nodes = root_mate_nodes});
    return std::count_if(answered.begin(), answered.end(), [&](const Position& position) {
      search.NewGame();
      const bool seen = search.Run(position, Depth(4)).value >= kValueMateInMaxPly;
      proven += search.counts()[Technique::kRootMate];
      return seen;
    });
  };
  EXPECT_LT(mates_seen(0), answered.size());
  EXPECT_EQ(proven, 0u);
  EXPECT_EQ(mates_seen(3000), answered.size());
  EXPECT_GT(proven, 0u);
}

TEST(Search, LeavesARefutedMoveEvenWhereItIsBrokenOff) {
  constexpr uint64_t kNodes = 8000;
  const Position position = PositionsThatMatesAnswer().back();
  Search<Shogi> search(kTable);
  const Move looked_best = search.Run(position, Depth(3)).best;
  ASSERT_TRUE(HasMate(After(position, looked_best), kNodes / 16));
  search.NewGame();
  const SearchResult result = search.Run(position, Nodes(kNodes));
  EXPECT_EQ(result.depth, 3) << "the next one knows of no better move when it ends";
  EXPECT_NE(result.best, looked_best);
}

TEST(Search, ExcludedMovesAreNoMates) {
  Search<Shogi> search(size_t{16} << 20);
  uint64_t proven = 0;
  for (const Position& position : AnswersTo(search, kNodesOfABeliever, 0).mated) {
    search.SetOptions({.root_mate_nodes = 3000});
    search.NewGame();
    SearchLimits limits = Nodes(48000);
    const Move best = search.Run(position, limits).best;
    proven += search.counts()[Technique::kRootMate];
    limits.excluded = std::span(&best, 1);
    search.NewGame();
    EXPECT_NE(search.Run(position, limits).best, best);
    EXPECT_EQ(search.counts()[Technique::kRootMate], 0u);
  }
  EXPECT_GT(proven, 0u);
}

TEST(Search, SeesMatesInOneAtItsLeavesWhereTheOptionSaysSo) {
  Search<Shogi> search(kTable);
  int plain = 0;
  int seen = 0;
  for (const MateCase& mate : Mates()) {
    if (mate.plies != 3) continue;
    for (const int most : {0, 2}) {
      search.SetOptions({.mate_in_one = most});
      search.NewGame();
      const Value value = search.Run(At(mate.sfen), Depth(1)).value;
      EXPECT_LE(value, MateIn(mate.plies)) << mate.sfen;
      (most == 0 ? plain : seen) += IsMate(value) ? 1 : 0;
    }
  }
  EXPECT_LT(plain, seen);
}

TEST(Search, SeesMatesBeyondTheHorizonWhereTheOptionSaysSo) {
  Search<Shogi> search(kTable);
  int plain = 0;
  int longer = 0;
  for (const MateCase& mate : Mates()) {
    if (mate.plies != 5) continue;
    SearchLimits limits = Depth(3);
    search.SetOptions({});
    search.NewGame();
    plain += IsMate(search.Run(At(mate.sfen), limits).value) ? 1 : 0;
    search.SetOptions({.mate_nodes = 1000});
    search.NewGame();
    const SearchResult result = search.Run(At(mate.sfen), limits);
    EXPECT_GE(result.value, kValueMateInMaxPly) << mate.sfen;
    // Not less than the truth: here a mate is proven, not that it is the shortest.
    EXPECT_LE(result.value, MateIn(mate.plies)) << mate.sfen;
    ++longer;
    // Its nodes are nodes of the search.
    limits = Nodes(500);
    search.SetOptions({.mate_nodes = 37});
    search.NewGame();
    EXPECT_LE(search.Run(At(mate.sfen), limits).nodes, 500u);
  }
  EXPECT_LT(plain, longer);
}

TEST(Search, DoesNotStoreAValueThatRestsOnTheGamesHistory) {
  Position with_history = At(kBishopDown);
  Play(with_history, "2h3h 8b7b 3h2h 7b8b");
  Search<Shogi> search(kTable);
  EXPECT_EQ(search.Run(with_history, Depth(4)).value, kValueZero);
  // This is the position without history, with the same table: no draw is within reach.
  const Position without = At(kBishopDown);
  ASSERT_EQ(without.key(), with_history.key());
  const Value fresh = Search<Shogi>(kTable).Run(without, Depth(1)).value;
  EXPECT_LT(fresh, -200);
  EXPECT_LT(search.Run(without, Depth(1)).value, fresh / 2);
}

TEST(Search, KnowsThatPerpetualCheckLoses) {
  Position position = At("k8/9/9/9/9/9/9/7R1/8K b - 1");
  Play(position, "2h9h 9a8a 9h8h 8a9a");
  // Only the check that repeats is left to choose from.
  shogi::MoveList legal;
  position.Generate<GenType::kAll>(legal);
  std::vector<Move> excluded;
  for (const Move move : legal) {
    if (shogi::ToUsi(move) != "8h9h") excluded.push_back(move);
  }
  Search<Shogi> search(kTable);
  SearchLimits limits = Depth(2);
  limits.excluded = excluded;
  const SearchResult result = search.Run(position, limits);
  EXPECT_EQ(shogi::ToUsi(result.best), "8h9h");
  EXPECT_LT(result.value, -30000);
  EXPECT_FALSE(IsMate(result.value));
}

TEST(Search, DeclaresAWin) {
  // Black: king and ten pieces in the camp, 35 points.
  Search<Shogi> search(kTable);
  const Position now = At("KGGSS+N+N+L+L/RB7/9/9/9/9/9/9/4k4 b RB7P 1");
  ASSERT_TRUE(now.CanDeclare27());
  const SearchResult result = search.Run(now, Nodes(1000));
  EXPECT_TRUE(result.declare);
  EXPECT_FALSE(result.best);

  SearchLimits without = Nodes(1000);
  without.declaration = false;
  const SearchResult other = search.Run(now, without);
  EXPECT_FALSE(other.declare);
  EXPECT_TRUE(now.IsLegal(other.best));
}

TEST(Search, SeesADeclarationComing) {
  // The king steps into the camp, and after any reply Black declares. Without that the move is
  // worse than others: reverse futility cuts at depth 2 before the reply.
  const Position before = At("RGGSS+N+N+L+L/1B7/9/K8/9/9/9/9/4k4 b RB7P 1");
  SearchOptions exact;
  exact.reverse_futility = 0;
  for (const auto& [options, depth] : {std::pair(exact, 2), std::pair(SearchOptions(), 3)}) {
    Search<Shogi> search(kTable);
    search.SetOptions(options);
    const SearchResult result = search.Run(before, Depth(depth));
    EXPECT_EQ(result.value, MateIn(3)) << depth;
    EXPECT_FALSE(result.declare) << depth;
    SearchLimits without = Depth(depth);
    without.declaration = false;
    search.NewGame();
    EXPECT_LT(search.Run(before, without).value, MateIn(3)) << depth;
  }
}

TEST(Search, AnObserverSeesEveryIteration) {
  Search<Shogi> search(kTable);
  std::vector<int> depths;
  const SearchResult result = search.Run(Position(), Depth(5), [&](const SearchInfo& info) {
    depths.push_back(info.depth);
    ASSERT_FALSE(info.pv.empty());
    Position position;
    for (const Move move : info.pv) {
      ASSERT_TRUE(position.IsLegal(move));
      shogi::Undo undo;
      position.Do(move, undo);
    }
  });
  EXPECT_EQ(depths, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(result.depth, 5);
}

TEST(Search, LinesDifferInTheirFirstMoveAndFallInValue) {
  Search<Shogi> search(kTable);
  SearchLimits limits = Depth(3);
  limits.lines = 4;
  std::vector<Move> first;
  std::vector<Value> values;
  const SearchResult result = search.Run(Position(), limits, [&](const SearchInfo& info) {
    EXPECT_EQ(info.lines, 4);
    if (info.depth < 3) return;
    EXPECT_EQ(info.line, static_cast<int>(first.size()) + 1);
    first.push_back(info.pv[0]);
    values.push_back(info.value);
  });
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first[0], result.best);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::unique(first.begin(), first.end()), first.end());
  EXPECT_GE(values.front(), values.back());
}

TEST(Search, StopEndsASearchWithoutLimits) {
  Search<Shogi> search(kTable);
  SearchResult result;
  std::thread thread([&] { result = search.Run(Position(), SearchLimits()); });
  search.Stop();  // before or during the search: both must end it
  thread.join();
  EXPECT_TRUE(Position().IsLegal(result.best));
  search.ClearStop();
  EXPECT_EQ(search.Run(Position(), Nodes(2000)).nodes, 2000u);
}

TEST(Search, KeepsToItsTime) {
  Search<Shogi> search(kTable);
  SearchLimits limits;
  limits.hard_ms = 30;
  const auto start = std::chrono::steady_clock::now();
  const SearchResult result = search.Run(Position(), limits);
  EXPECT_TRUE(result.best);
  // Generous: the machine may be busy. Without the limit the search would go on for hours.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Search, MoreNodesWinMoreGames) {
  // Ten pairs from the openings of the benchmark's positions; draws count half.
  int wins = 0;
  int games = 0;
  const auto starts = BenchPositions();
  for (size_t i = 0; i < 6; ++i) {
    for (const Color strong : {Color::kFirst, Color::kSecond}) {
      Search<Shogi> deep(kTable);
      Search<Shogi> shallow(kTable);
      Position position = At(starts[i]);
      while (position.plies() < 300) {
        const bool is_deep = position.side_to_move() == strong;
        const SearchResult r =
            is_deep ? deep.Run(position, Nodes(1500)) : shallow.Run(position, Nodes(50));
        if (r.declare || !r.best) {
          wins += r.declare == is_deep ? 2 : 0;
          break;
        }
        shogi::Undo undo;
        position.Do(r.best, undo);
        if (position.CheckRepetition(4) != Repetition::kNone) {
          wins += 1;
          break;
        }
      }
      ++games;
    }
  }
  EXPECT_GE(wins, 2 * games * 3 / 4) << "half points of " << 2 * games;
}

// Speaks for moves of one position.
class OneFavour : public Favours<Shogi> {
 public:
  OneFavour(const Position& position, Move move, Value bonus)
      : key_(position.key()), favour_{move, bonus} {}
  size_t At(const Position& position, std::span<Favour> favours) const override {
    if (position.key() != key_ || favours.empty()) return 0;
    favours[0] = favour_;
    return 1;
  }

 private:
  const Key key_;
  const Favour favour_;
};

Move UsiMove(const char* text) { return *shogi::MoveFromUsi(text); }

TEST(SearchFavours, ABonusDecidesBetweenMovesThatAreNearlyEqual) {
  const Position start;
  Search<Shogi> search(kTable);
  const SearchResult plain = search.Run(start, Nodes(20'000));
  const Move quiet = UsiMove("9g9f");
  ASSERT_NE(plain.best, quiet);
  const OneFavour for_it(start, quiet, 300);
  search.NewGame();
  search.SetFavours(&for_it);
  const SearchResult favoured = search.Run(start, Nodes(20'000));
  EXPECT_EQ(favoured.best, quiet);
  EXPECT_GT(favoured.value, 100);  // the score contains it
  // A penalty keeps the search from its own move.
  const OneFavour against(start, plain.best, -300);
  search.NewGame();
  search.SetFavours(&against);
  EXPECT_NE(search.Run(start, Nodes(20'000)).best, plain.best);
  // Without any it is the search that it was.
  search.NewGame();
  search.SetFavours(nullptr);
  const SearchResult again = search.Run(start, Nodes(20'000));
  EXPECT_EQ(again.best, plain.best);
  EXPECT_EQ(again.value, plain.value);
}

// The other side's bonus counts against us: after 7g7f it has one for a reply, so we do not go
// there.
TEST(SearchFavours, TheOtherSideHasItsOwn) {
  Position position;
  Search<Shogi> search(kTable);
  const Move best = search.Run(position, Nodes(20'000)).best;
  Position after = position;
  shogi::Undo undo;
  after.Do(best, undo);
  const OneFavour reply(after, search.Run(after, Nodes(20'000)).best, 500);
  search.NewGame();
  search.SetFavours(&reply);
  EXPECT_NE(search.Run(position, Nodes(20'000)).best, best);
}

TEST(SearchFavours, NoBonusMakesUpForAMate) {
  // Black mates with G*5b; nothing else does.
  const Position position = At("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  const Move mate = UsiMove("G*5b");
  const OneFavour other(position, UsiMove("G*1a"), 1000);
  const OneFavour against(position, mate, -1000);
  for (const OneFavour* favour : {&other, &against}) {
    Search<Shogi> search(kTable);
    search.SetFavours(favour);
    const SearchResult result = search.Run(position, Depth(3));
    EXPECT_EQ(result.best, mate);
    EXPECT_EQ(result.value, MateIn(1));
  }
}

}  // namespace
}  // namespace joseki
