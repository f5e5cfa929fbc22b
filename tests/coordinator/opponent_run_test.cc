// Runs against an opponent, from slot to audit: whose moves are played and credited, and the state
// after a restart.
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/play_book.h"
#include "book/reentry.h"
#include "coordinator/coordinator.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/offline/audit.h"
#include "coordinator/offline/invariants.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The slot's game: our side by the line and the book, the other by the line, and then by chance.
SubmittedGame PlayForSide(const Lease& lease, const Slot& slot, const book::AnswerBook& book) {
  SubmittedGame game;
  game.run = lease.run;
  game.lease = lease.lease;
  game.slot = slot.slot;
  game.nodes = 1;
  const auto state = testing::ToyRules().Start(slot.start, MatchRules{}).value();
  book::Follower follower(book, slot.line.size(), book::OwnSide{slot.own.value(), slot.seed});
  Rng rng(slot.seed);
  for (size_t ply = 0; !state->ending(); ++ply) {
    std::vector<Move> moves = state->LegalMoves();
    std::erase(moves, Move::Board(testing::ToyPosition::kExchange, 1));
    const std::optional<Move> due = follower.See(state->key());
    EXPECT_TRUE(!due || state->side_to_move() == *slot.own);
    if (ply < slot.line.size()) {
      moves = {slot.line[ply]};
    } else if (ply == slot.line.size()) {
      std::erase_if(moves, [&](Move move) {
        return std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end();
      });
    } else if (due) {
      moves = {*due};
    }
    const Move move = moves.at(rng.Below(moves.size()));
    EXPECT_TRUE(state->Play(move));
    follower.Played(move);
    game.moves.push_back(move);
  }
  game.claim = *state->ending();
  return game;
}

class OpponentRunTest : public ::testing::Test {
 protected:
  OpponentRunTest() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_, 6); }

  // The opponent plays b1 where only b1 has been played, and uses its own engine elsewhere.
  static std::string TheirBook() {
    return book::Graph::Build(testing::ToyRules(), testing::ToyBook(4, "b1 a1"))
        .value()
        .Serialize();
  }
  RunSpec Spec(uint64_t games, Opponent::Side side, const std::string& policy = "sample-average") {
    RunSpec spec = testing::ToySpec(games, policy);
    spec.deviation = 0.1;
    spec.play.re_entry = true;
    spec.play.re_entry_games = 20;
    if (policy == "result-driven") spec.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
    Opponent opponent;
    opponent.side = side;
    opponent.book = their_book_;
    opponent.engine_id = "rival";
    opponent.engine_signature = 78;
    opponent.nodes = 100;
    spec.play.opponent = opponent;
    return spec;
  }

  void Start(bool has_rival = true) {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    session_ = Join("w", has_rival);
    const auto put = coordinator_->operators().PutBook(TheirBook());
    ASSERT_TRUE(put.ok()) << put.status();
    their_book_.assign(put->begin(), put->end());
  }
  JoinOutput Join(const std::string& name, bool has_rival) {
    std::promise<absl::StatusOr<JoinOutput>> joined;
    JoinInput input;
    input.worker = name;
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    if (has_rival) input.engines.push_back({"rival", "Rival", 78, "", "test"});
    coordinator_->workers().Join(input, [&](auto output) { joined.set_value(std::move(output)); });
    return joined.get_future().get().value();
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    if (!created.ok()) return 0;
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    RunStore rows(*store);
    graph_ = std::make_shared<const book::Graph>(
        book::Graph::Parse(
            rules_,
            rows.runs().ReadSnapshot(rows.runs().Read(created->run).value().snapshot).value())
            .value());
    return created->run;
  }
  AcquireOutput Acquire(const JoinOutput& session) {
    std::promise<absl::StatusOr<AcquireOutput>> reply;
    coordinator_->workers().Acquire({session.session, 4, {}},
                                    [&](auto output) { reply.set_value(std::move(output)); });
    return reply.get_future().get().value();
  }
  std::vector<GameVerdict> Submit(std::vector<SubmittedGame> games) {
    std::promise<absl::StatusOr<SubmitOutput>> reply;
    coordinator_->workers().Submit({{session_.session}, session_.epoch, std::move(games)},
                                   [&](auto output) { reply.set_value(std::move(output)); });
    return reply.get_future().get().value().verdicts;
  }
  book::AnswerBook BookOf(RunId run, uint32_t version) {
    const auto delta = coordinator_->weights().Delta(run, 0, version);
    EXPECT_TRUE(delta.ok()) << delta.status();
    return {graph_,
            std::make_shared<const book::Weights>(
                book::ApplyWeightsDelta({}, *delta, static_cast<uint32_t>(graph_->edge_count()))
                    .value())};
  }
  uint64_t Work(uint64_t most = 1'000'000) {
    uint64_t accepted = 0;
    while (accepted < most) {
      const AcquireOutput work = Acquire(session_);
      if (work.leases.empty()) break;
      for (const Lease& lease : work.leases) {
        EXPECT_EQ(work.runs.at(lease.run).opponent->book, their_book_);
        std::vector<SubmittedGame> games;
        for (const Slot& slot : lease.slots) {
          ++sides_[slot.own.value()];
          games.push_back(PlayForSide(lease, slot, BookOf(lease.run, slot.weights_version)));
        }
        for (const GameVerdict& verdict : Submit(games)) {
          EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
          ++accepted;
        }
      }
    }
    return accepted;
  }
  void ExpectSound(uint64_t games) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_EQ(report.games, games);
    EXPECT_THAT(report.first, IsEmpty());
    const InvariantReport invariants = CheckInvariants(*store, rules_, {}).value();
    EXPECT_THAT(invariants.first, IsEmpty());
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
  JoinOutput session_;
  std::string their_book_;
  std::shared_ptr<const book::Graph> graph_;
  std::map<Color, int> sides_;
};

TEST_F(OpponentRunTest, CreditsOurSideAlone) {
  for (const auto side : {Opponent::Side::kBlack, Opponent::Side::kWhite, Opponent::Side::kBoth}) {
    Start();
    sides_.clear();
    const RunId run = Create(Spec(80, side));
    EXPECT_EQ(Work(), 80u);
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    std::map<Color, uint64_t> credits;
    for (book::EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
      credits[graph_->edge(edge).mover] += loaded.tuner->arms()[edge].evidence.played();
    }
    const bool black = side != Opponent::Side::kWhite;
    const bool white = side != Opponent::Side::kBlack;
    EXPECT_EQ(credits[Color::kFirst] > 0, black);
    EXPECT_EQ(credits[Color::kSecond] > 0, white);
    EXPECT_NEAR(sides_[Color::kFirst], black && white ? 40 : (black ? 80 : 0),
                black && white ? 8 : 0);
    EXPECT_EQ(sides_[Color::kFirst] + sides_[Color::kSecond], 80);
  }
  ExpectSound(240);
}

TEST_F(OpponentRunTest, GoesOnAfterARestartAsBefore) {
  for (const std::string_view policy : book::PolicyNames()) {
    Start();
    const RunId run = Create(Spec(100, Opponent::Side::kBoth, std::string(policy)));
    uint64_t played = 0;
    for (const uint64_t part : {12, 30, 8}) {
      played += Work(part);
      coordinator_.reset();
      Start();
    }
    played += Work();
    EXPECT_EQ(played, 100u);
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    EXPECT_THAT(Audit(*store, rules_).value().first, IsEmpty()) << policy;
    // The state equals the one computed from the games alone.
    LoadedRun loaded = LoadRun(*store, rules_, run).value();
    const RebuiltRun rebuilt =
        RebuildRun(*store, rules_, {loaded.row, loaded.graph, loaded.policy, loaded.trust}).value();
    for (book::EdgeId edge = 0; edge < loaded.graph->edge_count(); ++edge) {
      EXPECT_EQ(rebuilt.evidence->tuner().arms()[edge].evidence,
                loaded.tuner->arms()[edge].evidence)
          << policy;
    }
  }
}

TEST_F(OpponentRunTest, LinesFollowTheirBook) {
  Start();
  Create(Spec(40, Opponent::Side::kBlack));
  const auto graph =
      std::make_shared<const book::Graph>(book::Graph::Parse(rules_, TheirBook()).value());
  const book::PlayBook theirs = book::PlayBookOf(graph);
  size_t answered = 0;
  for (AcquireOutput work = Acquire(session_); !work.leases.empty(); work = Acquire(session_)) {
    for (const Slot& slot : work.leases.at(0).slots) {
      const auto state = rules_.Start(slot.start, MatchRules{}).value();
      for (const Move move : slot.line) {
        if (state->side_to_move() == Color::kSecond) {
          const book::NodeId node = graph->Find(state->key());
          ASSERT_NE(node, book::kNoNode);
          EXPECT_EQ(move, graph->edge(theirs.answers[node]).move);
          ++answered;
        }
        ASSERT_TRUE(state->Play(move));
      }
    }
  }
  EXPECT_GT(answered, 5u);
}

TEST_F(OpponentRunTest, AWorkerWithoutTheirEngineGetsNothing) {
  Start(/*has_rival=*/false);
  const RunId run = Create(Spec(40, Opponent::Side::kBoth));
  EXPECT_THAT(Acquire(session_).leases, IsEmpty());
  EXPECT_EQ(coordinator_->readers().GetStatus(run).runs.at(0).not_served,
            "1 worker lacks the opponent's engine rival");
  EXPECT_EQ(coordinator_->readers().GetStatus(run).runs.at(0).servers, 0u);
  const JoinOutput able = Join("able", true);
  EXPECT_THAT(Acquire(able).leases, ::testing::SizeIs(1));
  EXPECT_EQ(coordinator_->readers().GetStatus(run).runs.at(0).servers, 1u);
}

TEST_F(OpponentRunTest, RefusesWhatCannotBe) {
  Start();
  const auto code = [&](const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    return created.ok() ? "ok"
                        : ProblemOf(created.status()).code + " " + ProblemOf(created.status()).file;
  };
  RunSpec spec = Spec(10, Opponent::Side::kBoth);
  spec.play.re_entry = false;
  spec.play.re_entry_games = 0;
  EXPECT_EQ(code(spec), "bad_run_spec opponent.");
  spec = Spec(10, Opponent::Side::kBoth);
  spec.play.opponent->nodes = 0;
  EXPECT_EQ(code(spec), "bad_run_spec opponent.nodes");
  spec = Spec(10, Opponent::Side::kBoth);
  spec.play.opponent->book = std::string(32, 'x');
  EXPECT_THAT(
      coordinator_->operators().CreateRun(spec, "").status(),
      ::testing::Truly([](const absl::Status& status) { return absl::IsNotFound(status); }));
  EXPECT_EQ(ProblemOf(coordinator_->operators().PutBook("no book").status()).code, "bad_snapshot");
  EXPECT_EQ(ProblemOf(coordinator_->operators().PutBook(book::Graph().Serialize()).status()).code,
            "empty_book");
}

// Two workers play the same game if both have the engines; the copies agree on either side's moves.
TEST_F(OpponentRunTest, GamesAreVerified) {
  Start();
  RunSpec spec = Spec(30, Opponent::Side::kBoth);
  spec.verify_percent = 100;
  const RunId run = Create(spec);
  EXPECT_EQ(coordinator_->readers().GetStatus(run).runs.at(0).verify_off, "");
  const JoinOutput other = Join("other", true);
  for (bool any = true; any;) {
    any = false;
    for (const JoinOutput& session : {session_, other}) {
      const AcquireOutput work = Acquire(session);
      for (const Lease& lease : work.leases) {
        any = true;
        std::vector<SubmittedGame> games;
        for (const Slot& slot : lease.slots) {
          games.push_back(PlayForSide(lease, slot, BookOf(lease.run, slot.weights_version)));
        }
        std::promise<absl::StatusOr<SubmitOutput>> reply;
        coordinator_->workers().Submit({{session.session}, session.epoch, std::move(games)},
                                       [&](auto output) { reply.set_value(std::move(output)); });
        const SubmitOutput output = reply.get_future().get().value();
        for (const GameVerdict& verdict : output.verdicts) {
          EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
        }
      }
    }
  }
  const RunStatus status = coordinator_->readers().GetStatus(run).runs.at(0);
  EXPECT_EQ(status.games_done, 30u);
  EXPECT_GE(status.copies, 20u);
  EXPECT_EQ(status.mismatches, 0u);
  spec.play.opponent->engine_signature = 0;
  EXPECT_THAT(coordinator_->readers().GetStatus(Create(spec)).runs.at(0).verify_off,
              HasSubstr("opponent's engine"));
}

TEST(Pairing, TellsOpponentsApart) {
  std::set<std::string> pairings;
  PlaySpec play;
  pairings.insert(PairingOf(play));
  Opponent opponent;
  opponent.nodes = 100;
  play.opponent = opponent;
  pairings.insert(PairingOf(play));
  const auto change = [&](auto apply) {
    PlaySpec other = play;
    apply(*other.opponent);
    EXPECT_TRUE(pairings.insert(PairingOf(other)).second) << PairingOf(other);
  };
  change([](Opponent& o) { o.side = Opponent::Side::kBlack; });
  change([](Opponent& o) { o.book = std::string(32, 'b'); });
  change([](Opponent& o) { o.engine_id = "rival"; });
  change([](Opponent& o) { o.engine_signature = 7; });
  change([](Opponent& o) { o.nodes = 200; });
  change([](Opponent& o) { o.engine_options = {{"x", "1"}}; });
  change([](Opponent& o) { o.rules.choice = book::PlayRules::Choice::kShare; });
  EXPECT_EQ(pairings.size(), 9u);
}

}  // namespace
}  // namespace joseki::coordinator
