// Priors made in pieces, while games go on.

#include "coordinator/runs/prior_making.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "book/reentry.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using testing::ToyRules;

class PriorMakingTest : public ::testing::Test {
 protected:
  PriorMakingTest() {
    RunSpec spec = testing::ToySpec(10'000, "response");
    spec.priors.nodes = 5000;
    spec.play.re_entry = true;
    spec.play.re_entry_games = 400;
    LoadedRun loaded = testing::FreshRun(spec, 4);
    const book::NodeId start = loaded.graph->Find(testing::ToyPosition().key());
    loaded.evaluations = std::make_shared<Evaluations>(
        Evaluations::Make(rules_, loaded.graph, start, 4, spec.priors, 3).value());
    state_.emplace(std::move(loaded), start, RunState::Options{.small_book = 0});
    const RunState::NewRows first = state_->TakeNewRows();
    EXPECT_EQ(first.priors.size(), 1u);
    EXPECT_EQ(first.weights.size(), 1u);
  }

  void Play(int games) {
    for (int i = 0; i < games; ++i) {
      const LeaseId lease = ++lease_;
      const PlannedSlot plan = state_->Plan(lease, 1).at(0);
      games_.push_back(testing::RowOf(plan, 0, testing::PlaySlot(1, lease, plan.slot), ++seq_));
      state_->Credit(games_.back(), plan, true);
      state_->Advance();
    }
  }
  void Search(int positions) {
    SlotKinds kinds;
    kinds.Add(SlotKind::kEvaluation);
    for (int i = 0; i < positions; ++i) {
      const PlannedSlot plan = state_->Plan(++lease_, 1, kinds).at(0);
      ASSERT_EQ(plan.slot.kind, SlotKind::kEvaluation);
      const auto score = static_cast<int16_t>(lease_ * 37 % 400 - 200);
      state_->searches().Add(
          plan, true, {.seq = ++evaluation_, .score = score, .worker = "w", .lease = lease_});
      state_->Advance();
    }
  }
  PriorMaking Begin() {
    PriorMaking making = state_->priors().Begin(state_->book());
    making.Reserve();
    return making;
  }
  Progress Copy(PriorMaking& making) {
    return state_->priors().Copy(state_->evidence(), making, {.edges = 7});
  }
  Progress Adopt(PriorMaking& making) {
    return state_->priors().Adopt(state_->evidence(), making, {.late = 3});
  }
  // A tuner computed from scratch from all games and the newest priors.
  book::Tuner Anew() {
    book::Tuner tuner(state_->book().graph, PolicyOf(state_->row().spec).value(),
                      state_->searches().evaluations()->PriorsOf(state_->priors().newest(), {}));
    const book::NodeId start = state_->book().graph->Find(testing::ToyPosition().key());
    for (const GameRow& game : games_) {
      std::vector<book::EdgeId> edges =
          book::EdgesOf(*state_->book().graph, start, std::span(game.moves).first(game.book_plies));
      edges.insert(edges.end(), game.reentered.begin(), game.reentered.end());
      tuner.Apply({edges, game.ending, game.stage, game.moves_hash});
    }
    tuner.ComputeValues();
    return tuner;
  }

  const ToyRules rules_{};
  std::optional<RunState> state_;
  std::vector<GameRow> games_;
  LeaseId lease_ = 0;
  uint64_t seq_ = 0;
  uint64_t evaluation_ = 0;
};

TEST_F(PriorMakingTest, GivesWhatIsGivenAtOnceThoughGamesGoOn) {
  Play(150);
  EXPECT_FALSE(state_->PriorsAreDue());
  Search(20);
  ASSERT_TRUE(state_->PriorsAreDue()) << "enough is known, but Advance leaves it to the owner";
  EXPECT_EQ(state_->priors().newest().version, 1u);
  PriorMaking making = Begin();
  int pieces = 0;
  while (Copy(making) == Progress::kMore) {
    Play(2);
    ++pieces;
  }
  EXPECT_GT(pieces, 5);
  EXPECT_EQ(making.set.games, games_.size());
  EXPECT_EQ(making.set.games_seq, seq_);
  EXPECT_EQ(making.set.evaluations, 20u);
  const std::vector<book::Arm> then(state_->evidence().tuner().arms().begin(),
                                    state_->evidence().tuner().arms().end());
  Play(3);
  Search(2);
  making.Work();
  // The model follows from the set's contents, whatever came later.
  PriorSet fitted = making.set;
  FitModels(state_->searches().evaluations()->AssessmentsOf(making.set, {}), then, fitted);
  EXPECT_EQ(making.set, fitted);
  int late = 0;
  for (; Adopt(making) == Progress::kMore; ++late) {
    if (late < 4) Play(1);
  }
  EXPECT_GT(late, 4);
  EXPECT_EQ(state_->priors().newest(), making.set);
  EXPECT_EQ(state_->priors().newest().version, 2u);
  EXPECT_EQ(state_->TakeNewRows().priors, std::vector<PriorSet>{making.set});
  EXPECT_FALSE(state_->PriorsAreDue());
  Play(5);
  const book::Tuner anew = Anew();
  for (book::NodeId node = 0; node < state_->book().graph->node_count(); ++node) {
    const book::Choices at = state_->evidence().tuner().choices(node);
    const book::Choices want = anew.choices(node);
    for (size_t i = 0; i < at.size(); ++i) {
      EXPECT_EQ(anew.policy().Weight(at, i), anew.policy().Weight(want, i)) << node << " " << i;
    }
  }
}

TEST_F(PriorMakingTest, WeightsAreWorkedOutAnewInPieces) {
  const auto of = state_->evidence().weights().WantsCopy();
  ASSERT_NE(of, nullptr);
  state_->evidence().weights().GiveCopy(of, *of);
  EXPECT_FALSE(state_->evidence().weights().WeighSome(5)) << "they are of these priors";
  Play(30);
  Search(20);
  PriorMaking making = Begin();
  while (Copy(making) == Progress::kMore) {
  }
  making.Work();
  while (Adopt(making) == Progress::kMore) {
  }
  int pieces = 0;
  for (; state_->evidence().weights().WeighSome(5); ++pieces) Play(1);
  EXPECT_GT(pieces, 2);
  std::vector<NewWeights> versions;
  for (; versions.empty(); versions = state_->TakeNewRows().weights) Play(1);
  const NewWeights& made = versions.at(0);
  EXPECT_EQ(*made.after, book::WeightsOf(state_->evidence().tuner()));
  EXPECT_NE(*made.after, *made.before);
}

TEST_F(PriorMakingTest, AreNotTakenOverWhereEvidenceIsComputedAnew) {
  Play(30);
  Search(20);
  PriorMaking making = Begin();
  ASSERT_EQ(Copy(making), Progress::kMore);
  state_->BeginRebuild({});
  EXPECT_EQ(Copy(making), Progress::kVoid);
  EXPECT_EQ(Adopt(making), Progress::kVoid);
  EXPECT_FALSE(state_->PriorsAreDue()) << "not before that has come";
  EXPECT_EQ(state_->priors().newest().version, 1u);
}

}  // namespace
}  // namespace joseki::coordinator
