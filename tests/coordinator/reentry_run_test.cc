// Runs with re-entry, from slot to audit: games that follow the book again, the weights that they
// use, and their state after a restart.
#include <SQLiteCpp/Database.h>

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/reentry.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/audit.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/weight_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;

// Ways in which a worker departs from the book's moves.
enum class Lapse { kNone, kIgnoresTheBook, kResignsAtTheBook };

// The slot's game by random moves, following the book where it is due. With a lapse: nullopt if the
// book is never due.
std::optional<SubmittedGame> PlayBySlot(const Lease& lease, const Slot& slot,
                                        const book::AnswerBook& book, Lapse lapse = Lapse::kNone) {
  SubmittedGame game;
  game.run = lease.run;
  game.lease = lease.lease;
  game.slot = slot.slot;
  game.nodes = 1;
  const auto state = testing::ToyRules().Start(slot.start, MatchRules{}).value();
  book::Follower follower(book, slot.line.size());
  Rng rng(slot.seed);
  bool lapsed = lapse == Lapse::kNone;
  for (size_t ply = 0; !state->ending(); ++ply) {
    std::vector<Move> moves = state->LegalMoves();
    std::erase(moves, Move::Board(testing::ToyPosition::kExchange, 1));
    const std::optional<Move> due = follower.See(state->key());
    if (ply < slot.line.size()) {
      moves = {slot.line[ply]};
    } else if (ply == slot.line.size()) {
      std::erase_if(moves, [&](Move move) {
        return std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end();
      });
    } else if (due && lapsed) {
      moves = {*due};
    } else if (due && lapse == Lapse::kResignsAtTheBook) {
      game.claim = {WinFor(~state->side_to_move()), Termination::kResign};
      return game;
    } else if (due) {
      std::erase(moves, *due);
      if (moves.empty()) return std::nullopt;
      lapsed = true;
    }
    const Move move = moves.at(rng.Below(moves.size()));
    EXPECT_TRUE(state->Play(move));
    follower.Played(move);
    game.moves.push_back(move);
  }
  if (!lapsed) return std::nullopt;
  game.claim = *state->ending();
  return game;
}

class ReentryRunTest : public ::testing::Test {
 protected:
  ReentryRunTest() : path_(folder_ / "book.sqlite") { testing::WriteToyBook(path_, 6); }

  static RunSpec Spec(uint64_t games, const std::string& policy) {
    RunSpec spec = testing::ToySpec(games, policy);
    spec.deviation = 0.3;
    spec.play.re_entry = true;
    spec.play.re_entry_games = 20;
    if (policy == "result-driven") spec.policy_options = {{"delta", "4,2,1"}, {"rand", "8"}};
    return spec;
  }

  void Start() {
    Coordinator::Options options;
    options.db_path = path_;
    options.acquire_wait = absl::ZeroDuration();
    options.slots_per_lease = 4;
    auto coordinator = Coordinator::Start(options, rules_, clock_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    std::promise<absl::StatusOr<JoinOutput>> joined;
    JoinInput input;
    input.worker = "w";
    input.protocol = kProtocol;
    input.seats = 4;
    input.engines = {{"toy-engine", "Toy", 77, "", "test"}};
    coordinator_->workers().Join(input, [&](auto output) { joined.set_value(std::move(output)); });
    const auto session = joined.get_future().get();
    ASSERT_TRUE(session.ok()) << session.status();
    session_ = *session;
  }
  void Restart() {
    coordinator_.reset();
    Start();
  }
  RunId Create(const RunSpec& spec) {
    const auto created = coordinator_->operators().CreateRun(spec, "");
    EXPECT_TRUE(created.ok()) << created.status();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    RunStore rows(*store);
    const RunRow row = rows.runs().Read(created->run).value();
    snapshot_ = std::string(row.snapshot.begin(), row.snapshot.end());
    graph_ = std::make_shared<const book::Graph>(
        book::Graph::Parse(rules_, rows.runs().ReadSnapshot(row.snapshot).value()).value());
    return created->run;
  }
  AcquireOutput Acquire(uint32_t want = 4) {
    std::promise<absl::StatusOr<AcquireOutput>> reply;
    coordinator_->workers().Acquire({session_.session, want, {}},
                                    [&](auto output) { reply.set_value(std::move(output)); });
    auto output = reply.get_future().get();
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? *output : AcquireOutput();
  }
  std::vector<GameVerdict> Submit(std::vector<SubmittedGame> games) {
    std::promise<absl::StatusOr<SubmitOutput>> reply;
    coordinator_->workers().Submit({{session_.session}, session_.epoch, std::move(games)},
                                   [&](auto output) { reply.set_value(std::move(output)); });
    const auto output = reply.get_future().get();
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? output->verdicts : std::vector<GameVerdict>();
  }

  // Obtains the book as a worker does: from its own version plus the coordinator's deltas.
  const book::AnswerBook& BookOf(RunId run, uint32_t version) {
    if (version != have_) {
      const auto delta = coordinator_->weights().Delta(run, have_, version);
      EXPECT_TRUE(delta.ok()) << delta.status();
      auto weights = book::ApplyWeightsDelta(have_ == 0 ? book::Weights() : *book_.weights, *delta,
                                             static_cast<uint32_t>(graph_->edge_count()));
      EXPECT_TRUE(weights.ok()) << weights.status();
      book_ = {graph_, std::make_shared<const book::Weights>(*std::move(weights))};
      have_ = version;
    }
    return book_;
  }

  // Plays until there is nothing to do, or `most` games; how many were accepted.
  uint64_t Work(uint64_t most = 1'000'000) {
    uint64_t accepted = 0;
    while (accepted < most) {
      const AcquireOutput work = Acquire();
      if (work.leases.empty()) break;
      for (const Lease& lease : work.leases) {
        EXPECT_EQ(work.runs.at(lease.run).snapshot, snapshot_);
        std::vector<SubmittedGame> games;
        for (const Slot& slot : lease.slots) {
          versions_.insert(slot.weights_version);
          const book::AnswerBook& book = BookOf(lease.run, slot.weights_version);
          games.push_back(PlayBySlot(lease, slot, book).value());
          reentered_ += book::ReenteredEdges(rules_, *graph_, slot.start, games.back().moves,
                                             slot.line.size())
                            ->size();
        }
        for (const GameVerdict& verdict : Submit(games)) {
          EXPECT_EQ(verdict.verdict, Verdict::kAccepted) << verdict.reason;
          ++accepted;
        }
      }
    }
    return accepted;
  }
  AuditReport Audited() {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    return Audit(*store, rules_).value();
  }
  void ExpectCleanAudit(uint64_t games) {
    const AuditReport report = Audited();
    EXPECT_EQ(report.games, games);
    EXPECT_THAT(report.first, ::testing::IsEmpty());
  }
  // All games that the book moves of the run count, repeats included.
  static uint64_t CreditsOf(book::Store& store, const Rules& rules, RunId run) {
    const LoadedRun loaded = LoadRun(store, rules, run).value();
    uint64_t credits = 0;
    for (const book::Arm& arm : loaded.tuner->arms()) credits += arm.evidence.played();
    return credits;
  }

  testing::TempFolder folder_;
  const std::string path_;
  const testing::ToyRules rules_{};
  testing::FakeClock clock_;
  std::unique_ptr<Coordinator> coordinator_;
  JoinOutput session_;
  std::string snapshot_;
  std::shared_ptr<const book::Graph> graph_;
  book::AnswerBook book_;
  uint32_t have_ = 0;
  std::set<uint32_t> versions_;
  uint64_t reentered_ = 0;
};

TEST_F(ReentryRunTest, EachStageHasItsWeights) {
  Start();
  Create(Spec(120, "result-driven"));
  EXPECT_EQ(Work(), 120u);
  EXPECT_EQ(versions_, (std::set<uint32_t>{1, 2, 3}));
  EXPECT_GT(reentered_, 20u) << "the test is of something";
  coordinator_.reset();
  ExpectCleanAudit(120);
}

TEST_F(ReentryRunTest, APolicyWithoutStagesHasNewWeightsEverySoManyGames) {
  Start();
  Create(Spec(100, "sample-average"));
  EXPECT_EQ(Work(), 100u);
  EXPECT_EQ(versions_, (std::set<uint32_t>{1, 2, 3, 4, 5}));
  coordinator_.reset();
  ExpectCleanAudit(100);
}

TEST_F(ReentryRunTest, CreditsWhatTheGameReenters) {
  Start();
  const RunId run = Create(Spec(100, "sample-average"));
  EXPECT_EQ(Work(), 100u);
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
  RunStore rows(*store);
  uint64_t in_lines = 0;
  uint64_t in_games = 0;
  ASSERT_TRUE(rows.games()
                  .ForEach(run, 0,
                           [&](const GameRow& game) {
                             std::set<std::pair<book::NodeId, Move>> credited;
                             const auto state = rules_.Start("startpos", MatchRules{}).value();
                             for (const Move move : game.moves) {
                               const book::NodeId node = graph_->Find(state->key());
                               if (node != book::kNoNode &&
                                   graph_->FindMove(node, move) != book::kNoEdge) {
                                 credited.insert({node, move});
                               }
                               EXPECT_TRUE(state->Play(move));
                             }
                             in_games += credited.size();
                             in_lines += game.book_plies;
                             return absl::OkStatus();
                           })
                  .ok());
  EXPECT_EQ(CreditsOf(*store, rules_, run), in_games);
  EXPECT_GT(in_games, in_lines);
}

TEST_F(ReentryRunTest, GoesOnAfterARestartAsBefore) {
  for (const std::string_view policy : book::PolicyNames()) {
    Start();
    have_ = 0;
    Create(Spec(120, std::string(policy)));
    uint64_t played = 0;
    // Between two versions, and just after one.
    for (const uint64_t part : {12, 30, 8}) {
      played += Work(part);
      Restart();
    }
    played += Work();
    EXPECT_EQ(played, 120u);
    coordinator_.reset();
    EXPECT_THAT(Audited().first, ::testing::IsEmpty()) << policy;
  }
}

TEST_F(ReentryRunTest, ALateGameIsJudgedByTheWeightsOfItsSlot) {
  Start();
  const RunId run = Create(Spec(400, "sample-average"));
  const AcquireOutput early = Acquire();
  ASSERT_EQ(early.leases.size(), 1u);
  const book::AnswerBook first = BookOf(run, 1);
  clock_.Advance(absl::Hours(1));
  Work(380);
  EXPECT_GT(*versions_.rbegin(), 16u) << "version 1 is no longer in memory";
  Restart();
  std::vector<SubmittedGame> late;
  for (const Slot& slot : early.leases[0].slots) {
    late.push_back(PlayBySlot(early.leases[0], slot, first).value());
  }
  for (const GameVerdict& verdict : Submit(late)) {
    EXPECT_EQ(verdict.verdict, Verdict::kStaleAccepted) << verdict.reason;
  }
  coordinator_.reset();
  EXPECT_THAT(Audited().first, ::testing::IsEmpty());
}

TEST_F(ReentryRunTest, RefusesAGameThatDoesNotFollowTheBook) {
  Start();
  Create(Spec(200, "sample-average"));
  std::map<Lapse, int> refused;
  for (int i = 0; i < 40; ++i) {
    const AcquireOutput work = Acquire(1);
    ASSERT_FALSE(work.leases.empty());
    const Lease& lease = work.leases[0];
    const Slot& slot = lease.slots.at(0);
    const book::AnswerBook& book = BookOf(lease.run, slot.weights_version);
    for (const Lapse lapse : {Lapse::kIgnoresTheBook, Lapse::kResignsAtTheBook}) {
      const auto game = PlayBySlot(lease, slot, book, lapse);
      if (!game) continue;
      const std::vector<GameVerdict> verdicts = Submit({*game});
      ASSERT_EQ(verdicts.size(), 1u);
      EXPECT_EQ(verdicts[0].verdict, Verdict::kRejected);
      EXPECT_THAT(verdicts[0].reason, HasSubstr("wrong_reentry"));
      ++refused[lapse];
    }
    EXPECT_EQ(Submit({PlayBySlot(lease, slot, book).value()}).at(0).verdict, Verdict::kAccepted);
  }
  EXPECT_GT(refused[Lapse::kIgnoresTheBook], 0);
  EXPECT_GT(refused[Lapse::kResignsAtTheBook], 0);
}

TEST_F(ReentryRunTest, AuditFindsWeightsThatTheGamesDoNotGive) {
  Start();
  Create(Spec(60, "sample-average"));
  Work();
  coordinator_.reset();
  auto store = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
  // Version 2 is moved before some of the games that it counts.
  ASSERT_EQ(store->db().exec("UPDATE weight_versions SET seq = seq - 5 WHERE version = 2"), 1);
  EXPECT_THAT(Audited().first, ::testing::Contains(HasSubstr("weights 2 are not what the games")));
  ASSERT_EQ(store->db().exec("DELETE FROM weight_versions WHERE version = 2"), 1);
  EXPECT_THAT(Audited().first, ::testing::Contains(HasSubstr("version 2 of run 1")));
}

TEST_F(ReentryRunTest, WithoutReentryThereAreNoWeights) {
  Start();
  RunSpec spec = Spec(20, "sample-average");
  spec.play.re_entry = false;
  spec.play.re_entry_games = 0;
  const auto created = coordinator_->operators().CreateRun(spec, "");
  ASSERT_TRUE(created.ok()) << created.status();
  const AcquireOutput work = Acquire();
  EXPECT_EQ(work.runs.at(created->run).snapshot, "");
  EXPECT_EQ(work.leases.at(0).slots.at(0).weights_version, 0u);
  EXPECT_TRUE(absl::IsNotFound(coordinator_->weights().Delta(created->run, 0, 1).status()));
}

TEST(KeptWeights, RebuildsEveryVersionFromTheDatabase) {
  const testing::TempFolder folder;
  const std::string path = folder / "book.sqlite";
  auto store = book::Store::Open(path, book::OpenMode::kCreate, "toy").value();
  Rng rng(4);
  std::vector<KeptWeights::Vector> versions = {nullptr};
  for (uint32_t version = 1; version <= 40; ++version) {
    book::Weights weights =
        versions.back() == nullptr ? book::Weights(50, 0) : book::Weights(*versions.back());
    for (int i = 0; i < 5; ++i) weights[rng.Below(50)] += static_cast<int64_t>(rng.Below(100)) - 50;
    const auto vector = std::make_shared<const book::Weights>(std::move(weights));
    ASSERT_TRUE(
        InsertNewWeights(*store, {1, version, version, version, 0, versions.back(), vector}).ok());
    versions.push_back(vector);
  }
  KeptWeights kept(path, 3);
  for (uint32_t version = 1; version <= 40; ++version) {
    EXPECT_EQ(kept.Recent(1, version), nullptr);
    const auto weights = kept.Get(1, version);
    ASSERT_TRUE(weights.ok()) << weights.status();
    EXPECT_EQ(**weights, *versions[version]);
    EXPECT_NE(kept.Recent(1, version), nullptr);
  }
  EXPECT_TRUE(absl::IsNotFound(kept.Get(1, 41).status()));
  EXPECT_TRUE(absl::IsNotFound(kept.Get(2, 1).status()));
  // From a version in memory only the changes, from an older one everything.
  const auto from_of = [&](uint32_t have) {
    return book::ReadWeightsDeltaHeader(*kept.Delta(1, have, 40))->from;
  };
  EXPECT_EQ(from_of(39), 39u);
  EXPECT_EQ(from_of(5), 0u);
  EXPECT_EQ(from_of(0), 0u);
}

}  // namespace
}  // namespace joseki::coordinator
