#include "worker/run_books.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/problem.h"
#include "book/weights_delta.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_book.h"
#include "tests/worker/fake_artefacts.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using testing::ToyBook;

class RunBooksTest : public ::testing::Test {
 protected:
  RunBooksTest()
      : graph_(book::Graph::Build(rules_, ToyBook(4)).value()),
        cache_({.folder = folder_ / "cache", .look = absl::Milliseconds(1)}),
        books_(testing::Always(rules_), cache_, port_) {
    const ArtefactManifest snapshot = port_.Add(graph_.Serialize());
    play_.re_entry = true;
    play_.snapshot.assign(snapshot.sha256.begin(), snapshot.sha256.end());
    Rng rng(2);
    book::Weights weights(graph_.edge_count(), 0);
    for (int version = 0; version <= 8; ++version) {
      versions_.push_back(weights);
      for (int64_t& weight : weights) weight += static_cast<int64_t>(rng.Below(3));
    }
    port_.make_weights = [this](const WeightsName& name) -> absl::StatusOr<std::string> {
      asked_.emplace_back(name.have, name.version);
      return book::EncodeWeightsDelta(versions_[name.have], versions_[name.version], name.have,
                                      name.version);
    };
  }

  absl::StatusOr<std::shared_ptr<const book::AnswerBook>> Get(uint32_t version, RunId run = 1,
                                                              const std::string& epoch = "e") {
    return books_.Get(epoch, run, play_, version, [this] { ++progress_; }, {});
  }
  void ExpectBook(uint32_t version) {
    const auto book = Get(version);
    ASSERT_TRUE(book.ok()) << book.status();
    EXPECT_EQ((*book)->graph->Serialize(), graph_.Serialize());
    EXPECT_EQ(*(*book)->weights, versions_[version]);
  }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  const book::Graph graph_;
  PlaySpec play_;
  std::vector<book::Weights> versions_;
  std::vector<std::pair<uint32_t, uint32_t>> asked_;
  FakeArtefacts port_;
  ArtefactCache cache_;
  RunBooks books_;
  std::atomic<int> progress_ = 0;
};

TEST_F(RunBooksTest, BringsTheWeightsUpToDateByWhatHasChanged) {
  ExpectBook(1);
  EXPECT_GT(progress_, 1);
  ExpectBook(1);
  ExpectBook(2);
  ExpectBook(5);
  EXPECT_THAT(asked_, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 5)));
  EXPECT_EQ(port_.manifests, 1) << "of the structure";
  // An older version that is no longer kept is requested again.
  ExpectBook(7);
  ExpectBook(8);
  ExpectBook(1);
  EXPECT_EQ(asked_.back(), (std::pair<uint32_t, uint32_t>(0, 1)));
  EXPECT_EQ(Get(8)->get()->graph, Get(1)->get()->graph) << "one structure for all";
}

// Nothing arrives then, but a large structure takes long to be read: leases must outlast that.
TEST_F(RunBooksTest, ReadingAStructureFromTheCacheIsProgress) {
  ExpectBook(1);
  ASSERT_TRUE(cache_.Find(Sha256Of(graph_.Serialize())) != nullptr);
  RunBooks other(testing::Always(rules_), cache_, port_);
  int progress = 0;
  const size_t fetches = port_.offsets.size();
  ASSERT_TRUE(other.Get("e", 1, play_, 1, [&] { ++progress; }, {}).ok());
  EXPECT_EQ(port_.offsets.size(), fetches);
  EXPECT_GT(progress, 0);
}

TEST_F(RunBooksTest, AnotherProcessFindsWhatIsInTheCache) {
  ExpectBook(1);
  const size_t fetches = port_.offsets.size();
  RunBooks other(testing::Always(rules_), cache_, port_);
  const auto book = other.Get("e", 1, play_, 1, [] {}, {});
  ASSERT_TRUE(book.ok()) << book.status();
  EXPECT_EQ(*(*book)->weights, versions_[1]);
  EXPECT_EQ(port_.offsets.size(), fetches);
  EXPECT_EQ(port_.manifests, 1);
}

TEST_F(RunBooksTest, AnotherProcessNeedsTheRulesNoMore) {
  ExpectBook(1);
  const Sha256 snapshot = Sha256Of(graph_.Serialize());
  const std::string notes = std::string(cache_.FindNotes(snapshot)->bytes());
  EXPECT_EQ(notes, graph_.SerializeLinks());
  const auto as_graph = [&] {
    RunBooks other(testing::Always(rules_), cache_, port_);
    const auto book = other.Get("e", 1, play_, 1, [] {}, {});
    EXPECT_TRUE(book.ok()) << book.status();
    return book.ok() ? (*book)->graph->Serialize() + (*book)->graph->SerializeLinks() : "";
  };
  const std::string whole = graph_.Serialize() + notes;
  EXPECT_EQ(as_graph(), whole);
  // Notes that do not belong to this book are ignored and recreated.
  for (const std::string& other : {std::string("nonsense"), notes.substr(0, notes.size() / 2)}) {
    cache_.KeepNotes(snapshot, other);
    EXPECT_EQ(as_graph(), whole);
    EXPECT_EQ(cache_.FindNotes(snapshot)->bytes(), notes);
  }
}

TEST_F(RunBooksTest, RunsAndDatabasesAreKeptApart) {
  ExpectBook(1);
  ASSERT_TRUE(Get(1, 2).ok());
  ASSERT_TRUE(Get(1, 1, "another").ok());
  EXPECT_THAT(asked_, ElementsAre(Pair(0, 1), Pair(0, 1), Pair(0, 1)));
}

TEST_F(RunBooksTest, KeepsTheLastRunsAndThoseThatGamesFollow) {
  const auto followed = Get(1, 1);
  ASSERT_TRUE(followed.ok()) << followed.status();
  std::vector<std::weak_ptr<const book::Graph>> structures;
  for (RunId run = 2; run <= 6; ++run) {
    const auto book = Get(1, run);
    ASSERT_TRUE(book.ok()) << book.status();
    structures.emplace_back((*book)->graph);
  }
  EXPECT_TRUE(structures[0].expired()) << "nobody follows run 2";
  EXPECT_FALSE(structures[3].expired()) << "run 5 was a moment ago";
  EXPECT_EQ(Get(1, 1)->get()->graph, (*followed)->graph);
  ASSERT_TRUE(Get(1, 2).ok()) << "it is fetched again";
}

TEST_F(RunBooksTest, TakesEverythingWhereADeltaDoesNotFit) {
  ExpectBook(1);
  // The coordinator's version 1 has become another, as after a crash before it was written.
  ++versions_[1][0];
  ExpectBook(2);
  EXPECT_THAT(asked_, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(0, 2)));
}

TEST_F(RunBooksTest, RefusesWeightsOfAnotherVersionOrBook) {
  port_.make_weights = [this](const WeightsName&) {
    return book::EncodeWeightsDelta({}, versions_[2], 0, 2);
  };
  EXPECT_EQ(ProblemOf(Get(3).status()).code, "bad_weights_delta");
  port_.make_weights = [](const WeightsName&) {
    return book::EncodeWeightsDelta({}, book::Weights(3), 0, 3);
  };
  EXPECT_EQ(ProblemOf(Get(3).status()).code, "bad_weights_delta");
}

TEST_F(RunBooksTest, RefusesAStructureThatIsNone) {
  const ArtefactManifest nonsense = port_.Add("nonsense");
  play_.snapshot.assign(nonsense.sha256.begin(), nonsense.sha256.end());
  EXPECT_EQ(ProblemOf(Get(1).status()).code, "bad_snapshot");
}

TEST_F(RunBooksTest, IsThereAtTheNextTry) {
  port_.on_chunk = [](int fetch, uint64_t) {
    return fetch == 1 ? absl::UnavailableError("lost") : absl::OkStatus();
  };
  EXPECT_TRUE(absl::IsUnavailable(Get(1).status()));
  ExpectBook(1);
}

TEST_F(RunBooksTest, OneSlotFetchesForAll) {
  std::vector<std::thread> slots;
  for (int i = 0; i < 6; ++i) slots.emplace_back([this] { ExpectBook(3); });
  for (std::thread& slot : slots) slot.join();
  EXPECT_THAT(asked_, ElementsAre(Pair(0, 3)));
}

}  // namespace
}  // namespace joseki::worker
