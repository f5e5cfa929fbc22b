// The calls of readers.
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "book/database/store.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/export_style.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/grpc_status.h"
#include "tests/coordinator/services/services_fixture.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAreArray;
using ::testing::SizeIs;

TEST_F(ServicesTest, AnExportHasTheBytesOfTheOfflineOne) {
  const uint64_t run = CreateRun();
  EXPECT_GT(Play(), 0);
  for (const std::string format : {"yaneuraou-db", "json"}) {
    v1::ExportBookRequest request;
    request.set_run(run);
    request.set_format(format);
    grpc::ClientContext context;
    std::vector<v1::ExportBookChunk> chunks;
    ASSERT_EQ(ReadAll(readers_->ExportBook(&context, request), chunks), absl::OkStatus());
    std::string bytes;
    for (const v1::ExportBookChunk& chunk : chunks) bytes += chunk.data();
    const auto store = book::Store::Open(db_, book::OpenMode::kReadOnly);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto offline =
        ExportFile(**store, rules_, {.run = run, .format = *ExportFormatOf(format)});
    ASSERT_TRUE(offline.ok()) << offline.status();
    EXPECT_EQ(bytes, offline->bytes);
    EXPECT_EQ(chunks.front().positions(), offline->positions);
    EXPECT_EQ(chunks.front().moves(), offline->moves);
    EXPECT_GT(offline->moves, offline->positions);
    EXPECT_GT(bytes.size(), 100u);
  }
}

// What the command says of a file that it writes itself, it says of one from the network, too.
TEST_F(ServicesTest, AnExportTellsWhatToSet) {
  const uint64_t run = CreateRun();
  EXPECT_GT(Play(), 0);
  v1::ExportBookRequest request;
  request.set_run(run);
  request.set_format("yaneuraou-db");
  grpc::ClientContext context;
  std::vector<v1::ExportBookChunk> chunks;
  ASSERT_EQ(ReadAll(readers_->ExportBook(&context, request), chunks), absl::OkStatus());
  const auto store = book::Store::Open(db_, book::OpenMode::kReadOnly);
  ASSERT_TRUE(store.ok()) << store.status();
  const auto book = LoadExport(**store, rules_, run);
  ASSERT_TRUE(book.ok()) << book.status();
  const auto format = book::BookFormat::kYaneuraouDb;
  const std::vector<book::DbPosition> positions = PositionsOf(*book, format);
  ASSERT_FALSE(chunks.empty());
  EXPECT_THAT(chunks[0].notes(), ElementsAreArray(NotesOn(*book, positions, format)));
  EXPECT_THAT(chunks[0].warnings(), ElementsAreArray(WarningsFor(positions, format)));
  EXPECT_THAT(chunks[0].notes(), SizeIs(1)) << "a test without a note shows nothing";
}

TEST_F(ServicesTest, GamesAreListedInPages) {
  const uint64_t run = CreateRun();
  const int played = Play() + Play();
  ASSERT_GE(played, 2);
  v1::ListGamesRequest request;
  request.set_run(run);
  std::vector<v1::GameRow> all;
  {
    grpc::ClientContext context;
    ASSERT_EQ(ReadAll(readers_->ListGames(&context, request), all), absl::OkStatus());
  }
  ASSERT_EQ(all.size(), static_cast<size_t>(played));
  EXPECT_EQ(all[0].start(), "startpos");
  EXPECT_EQ(all[0].worker(), "w");
  EXPECT_EQ(all[0].termination(), v1::TERMINATION_RESIGN);
  EXPECT_THAT(all[0].moves(), ::testing::MatchesRegex("(7g7f|2g2f).*"));
  request.set_after_commit_seq(all[0].commit_seq());
  request.set_limit(1);
  std::vector<v1::GameRow> second;
  {
    grpc::ClientContext context;
    ASSERT_EQ(ReadAll(readers_->ListGames(&context, request), second), absl::OkStatus());
  }
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].commit_seq(), all[1].commit_seq());
}

TEST_F(ServicesTest, ABriefStatusSaysTheGameAndNoRunsOrWorkers) {
  CreateRun();
  EXPECT_GT(Play(), 0);
  const auto status = [&](bool brief) {
    v1::GetStatusRequest request;
    request.set_brief(brief);
    v1::Status reply;
    grpc::ClientContext context;
    EXPECT_TRUE(readers_->GetStatus(&context, request, &reply).ok());
    return reply;
  };
  const v1::Status whole = status(false);
  const v1::Status brief = status(true);
  EXPECT_EQ(whole.runs_size(), 1);
  EXPECT_EQ(whole.workers_size(), 1);
  EXPECT_EQ(brief.runs_size() + brief.workers_size(), 0);
  EXPECT_EQ(brief.game(), "shogi");
  EXPECT_EQ(brief.game(), whole.game());
  EXPECT_EQ(brief.epoch(), whole.epoch());
}

// Listings that a caller requests and does not read are bounded; the unread part makes the list
// incomplete.
TEST_F(ServicesTest, SoManyListingsHasOneCaller) {
  const uint64_t run = CreateRun();
  {
    const auto store = book::Store::Open(db_, book::OpenMode::kReadWrite).value();
    RunStore rows(*store);
    ASSERT_TRUE(rows.Begin().ok());
    GameRow game;
    game.run = run;
    game.worker = "w";
    game.ending = {Result::kFirstWins, Termination::kResign};
    game.moves.assign(1000, rules_.MoveOf("7g7f").value());
    for (uint32_t slot = 0; slot < 3000; ++slot) {
      game.lease = 1'000'000;
      game.slot = slot;
      game.commit_seq = 1'000'000 + slot;
      ASSERT_TRUE(rows.games().Insert(game).ok());
    }
    ASSERT_TRUE(rows.Commit().ok());
  }
  v1::ListGamesRequest request;
  request.set_run(run);
  request.set_limit(3000);
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::GameRow>>> listings;
  v1::GameRow row;
  const auto list = [&] {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    listings.push_back(readers_->ListGames(contexts.back().get(), request));
    return listings.back()->Read(&row);
  };
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(list()) << i;
  ASSERT_FALSE(list());
  ExpectProblem(FromGrpc(listings.back()->Finish()), absl::StatusCode::kResourceExhausted,
                "too_many_listings");
  int read = 1;
  while (listings[0]->Read(&row)) ++read;
  EXPECT_EQ(FromGrpc(listings[0]->Finish()), absl::OkStatus());
  EXPECT_EQ(read, 3000) << "in pages that are smaller";
  for (size_t i = 1; i + 1 < listings.size(); ++i) {
    contexts[i]->TryCancel();
    while (listings[i]->Read(&row)) {
    }
    EXPECT_EQ(listings[i]->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
}

TEST_F(ServicesTest, APositionShowsTheEvidence) {
  const uint64_t run = CreateRun();
  const int played = Play();
  v1::GetPositionRequest request;
  request.set_run(run);
  v1::PositionEvidence position;
  ASSERT_EQ(Call(*readers_, &v1::ReaderService::Stub::GetPosition, request, position),
            absl::OkStatus());
  ASSERT_EQ(position.moves_size(), 2);
  uint64_t games = 0;
  int answers = 0;
  for (const v1::MoveEvidence& move : position.moves()) {
    games += move.wins() + move.losses() + move.repeats();
    answers += move.answer() ? 1 : 0;
    EXPECT_LE(move.score_low(), move.score_high());
  }
  EXPECT_EQ(games, static_cast<uint64_t>(played));
  EXPECT_EQ(answers, 1);
}

TEST_F(ServicesTest, BadFieldsOfReadersAreNamed) {
  v1::GetStatusRequest unknown;
  unknown.set_run(77);
  v1::Status status;
  ExpectProblem(Call(*readers_, &v1::ReaderService::Stub::GetStatus, unknown, status),
                absl::StatusCode::kNotFound, "unknown_run");
  v1::GetPositionRequest position;
  position.set_position(std::string(201, 'p'));
  v1::PositionEvidence evidence;
  ExpectBadField(Call(*readers_, &v1::ReaderService::Stub::GetPosition, position, evidence),
                 "position");
  {
    v1::WatchStatusRequest request;
    request.set_interval_ms(1);
    grpc::ClientContext context;
    std::vector<v1::Status> statuses;
    ExpectBadField(ReadAll(readers_->WatchStatus(&context, request), statuses), "interval_ms");
  }
  {
    v1::ExportBookRequest request;
    request.set_format("pgn");
    grpc::ClientContext context;
    std::vector<v1::ExportBookChunk> chunks;
    ExpectBadField(ReadAll(readers_->ExportBook(&context, request), chunks), "format");
  }
  {
    v1::ExportBookRequest request;
    request.set_format("eleeye");
    grpc::ClientContext context;
    std::vector<v1::ExportBookChunk> chunks;
    ExpectProblem(ReadAll(readers_->ExportBook(&context, request), chunks),
                  absl::StatusCode::kInvalidArgument, "other_game");
  }
  {
    v1::ExportBookRequest request;
    request.set_run(77);
    request.set_format("json");
    grpc::ClientContext context;
    std::vector<v1::ExportBookChunk> chunks;
    ExpectProblem(ReadAll(readers_->ExportBook(&context, request), chunks),
                  absl::StatusCode::kNotFound, "unknown_run");
  }
  {
    grpc::ClientContext context;
    std::vector<v1::GameRow> rows;
    ExpectBadField(ReadAll(readers_->ListGames(&context, {}), rows), "run");
  }
}

TEST_F(ServicesTest, AWatchGoesOnUntilTheCallerHangsUp) {
  CreateRun();
  v1::WatchStatusRequest request;
  request.set_interval_ms(200);
  grpc::ClientContext context;
  const auto reader = readers_->WatchStatus(&context, request);
  v1::Status status;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(reader->Read(&status));
    EXPECT_EQ(status.runs_size(), 1);
  }
  context.TryCancel();
  while (reader->Read(&status)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ServicesTest, SoManyMayWatch) {
  v1::WatchStatusRequest request;
  request.set_interval_ms(60000);
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::Status>>> watches;
  v1::Status status;
  const auto watch = [&] {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    watches.push_back(readers_->WatchStatus(contexts.back().get(), request));
    return watches.back()->Read(&status);
  };
  for (int i = 0; i < 24; ++i) ASSERT_TRUE(watch()) << i;
  ASSERT_FALSE(watch());
  ExpectProblem(FromGrpc(watches.back()->Finish()), absl::StatusCode::kResourceExhausted,
                "too_many_watches");
  for (size_t i = 0; i + 1 < watches.size(); ++i) {
    contexts[i]->TryCancel();
    while (watches[i]->Read(&status)) {
    }
    EXPECT_EQ(watches[i]->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
}

TEST_F(ServicesTest, ClosingAnswersWhoIsHeldAndEndsWatches) {
  Start(absl::Minutes(10));  // with nothing to do, an Acquire would be held for that long
  const uint64_t session = Join().session();
  const absl::Time joined = absl::Now();
  std::future<absl::Status> held = std::async(std::launch::async, [&] {
    v1::AcquireResponse work;
    return Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(session), work);
  });
  v1::WatchStatusRequest request;
  request.set_interval_ms(60000);
  grpc::ClientContext context;
  const auto reader = readers_->WatchStatus(&context, request);
  v1::Status status;
  ASSERT_TRUE(reader->Read(&status));
  // Heard of after it had joined: the Acquire is held. One that comes later is cut off instead.
  for (bool heard = false; !heard;) {
    const absl::Time asked = absl::Now();
    heard = asked - absl::Seconds(Status().workers(0).last_seen_seconds()) > joined;
  }
  server_->Shutdown(absl::Minutes(10));  // and needs none of it: nobody is left waiting
  EXPECT_EQ(held.get().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(reader->Read(&status));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace joseki::coordinator
