// The calls of operators.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/grpc_status.h"
#include "tests/coordinator/services/services_fixture.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;

TEST_F(ServicesTest, RunsAreCreatedOnceAndSteered) {
  ImportGames();
  v1::CreateRunResponse created;
  v1::CreateRunResponse again;
  ASSERT_EQ(Call(*operators_, &v1::OperatorService::Stub::CreateRun, CreateRequest("id"), created),
            absl::OkStatus());
  EXPECT_EQ(created.moves(), 8u);
  ASSERT_EQ(Call(*operators_, &v1::OperatorService::Stub::CreateRun, CreateRequest("id"), again),
            absl::OkStatus());
  EXPECT_EQ(again.run(), created.run());

  v1::RunRequest run;
  run.set_run(created.run());
  v1::RunResponse response;
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::PauseRun, run, response),
            absl::OkStatus());
  EXPECT_EQ(response.state(), "paused");
  EXPECT_EQ(Acquire(Join().session()).leases_size(), 0);
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::ResumeRun, run, response),
            absl::OkStatus());
  EXPECT_EQ(response.state(), "running");
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::StopRun, run, response),
            absl::OkStatus());
  EXPECT_EQ(response.state(), "stopped");
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::ResumeRun, run, response).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Status().runs_size(), 1);
  EXPECT_EQ(Status().runs(0).state(), "stopped");
}

TEST_F(ServicesTest, BadFieldsOfOperatorsAreNamed) {
  v1::CreateRunRequest create = CreateRequest();
  create.mutable_spec()->mutable_play()->set_nodes(0);
  v1::CreateRunResponse created;
  ExpectBadField(Call(*operators_, &v1::OperatorService::Stub::CreateRun, create, created),
                 "spec.play.nodes");
  create = CreateRequest();
  create.mutable_spec()->mutable_policy()->set_name("no-such-policy");
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::CreateRun, create, created).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Status().runs_size(), 0) << "nothing half-done";
  v1::RunResponse response;
  ExpectBadField(Call(*operators_, &v1::OperatorService::Stub::PauseRun, {}, response), "run");
  v1::RunRequest unknown;
  unknown.set_run(77);
  ExpectProblem(Call(*operators_, &v1::OperatorService::Stub::StopRun, unknown, response),
                absl::StatusCode::kNotFound, "unknown_run");
  v1::DrainRequest drain;
  drain.set_worker("a b");
  v1::DrainResponse drained;
  ExpectBadField(Call(*operators_, &v1::OperatorService::Stub::Drain, drain, drained), "worker");
}

TEST_F(ServicesTest, DrainTellsWorkersToLeave) {
  CreateRun();
  const v1::JoinResponse session = Join("w1");
  v1::DrainRequest drain;
  drain.set_worker("w1");
  v1::DrainResponse drained;
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::Drain, drain, drained), absl::OkStatus());
  EXPECT_EQ(drained.workers(), 1u);
  const v1::AcquireResponse work = Acquire(session.session());
  EXPECT_TRUE(work.drain());
  EXPECT_EQ(work.leases_size(), 0);
}

TEST_F(ServicesTest, AWorkerIsBlockedAndUnblocked) {
  CreateRun();
  Join("w1");
  v1::BlockWorkerRequest block;
  block.set_worker("w1");
  block.set_reason("bad memory");
  v1::BlockWorkerResponse blocked;
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::BlockWorker, block, blocked),
            absl::OkStatus());
  v1::Status status;
  ASSERT_EQ(Call(*readers_, &v1::ReaderService::Stub::GetStatus, v1::GetStatusRequest(), status),
            absl::OkStatus());
  EXPECT_EQ(status.workers(0).state(), "quarantined");
  EXPECT_EQ(status.workers(0).reason(), "bad memory");
  EXPECT_EQ(status.runs(0).quarantined(), 1u);
  v1::UnblockWorkerRequest unblock;
  unblock.set_worker("w1");
  v1::UnblockWorkerResponse unblocked;
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::UnblockWorker, unblock, unblocked),
            absl::OkStatus());
  ExpectProblem(Call(*operators_, &v1::OperatorService::Stub::UnblockWorker, unblock, unblocked),
                absl::StatusCode::kFailedPrecondition, "not_blocked");
  block.set_worker("a b");
  ExpectBadField(Call(*operators_, &v1::OperatorService::Stub::BlockWorker, block, blocked),
                 "worker");
  block.set_worker("ghost");
  ExpectProblem(Call(*operators_, &v1::OperatorService::Stub::BlockWorker, block, blocked),
                absl::StatusCode::kNotFound, "unknown_worker");
  block.set_unseen(true);
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::BlockWorker, block, blocked),
            absl::OkStatus());
}

TEST_F(ServicesTest, LinesAreFreed) {
  CreateRun();
  v1::FreeLinesRequest request;
  v1::FreeLinesResponse response;
  const auto free = [&] {
    return Call(*operators_, &v1::OperatorService::Stub::FreeLines, request, response);
  };
  ExpectBadField(free(), "run");
  request.set_run(1);
  EXPECT_EQ(free(), absl::OkStatus());
  EXPECT_EQ(response.lines(), 0u);
  request.set_line("7g7f 3c3d");
  ExpectProblem(free(), absl::StatusCode::kNotFound, "line_not_left_out");
  request.set_line("7g7f knight");
  ExpectBadField(free(), "line");
  request.clear_line();
  request.set_run(99);
  ExpectProblem(free(), absl::StatusCode::kNotFound, "unknown_run");
}

TEST_F(ServicesTest, ADrainIsUndone) {
  CreateRun();
  const v1::JoinResponse session = Join("w1");
  v1::DrainRequest drain;
  v1::DrainResponse drained;
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::Drain, drain, drained), absl::OkStatus());
  EXPECT_TRUE(Acquire(session.session()).drain());
  EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::Undrain, drain, drained),
            absl::OkStatus());
  EXPECT_EQ(drained.workers(), 1u);
  EXPECT_TRUE(drained.lifted());
  EXPECT_GT(Acquire(session.session()).leases_size(), 0);
  drain.set_worker("ghost");
  ExpectProblem(Call(*operators_, &v1::OperatorService::Stub::Undrain, drain, drained),
                absl::StatusCode::kNotFound, "unknown_worker");
  drain.set_worker("a b");
  ExpectBadField(Call(*operators_, &v1::OperatorService::Stub::Undrain, drain, drained), "worker");
}

TEST_F(ServicesTest, ARunGetsAnotherShare) {
  v1::SetPriorityRequest request;
  request.set_run(CreateRun());
  request.set_priority(8);
  v1::SetPriorityResponse response;
  const auto set = [&] {
    return Call(*operators_, &v1::OperatorService::Stub::SetPriority, request, response);
  };
  EXPECT_EQ(Status().runs(0).spec().share().priority(), 5u);
  EXPECT_EQ(set(), absl::OkStatus());
  EXPECT_EQ(response.share().priority(), 8u);
  EXPECT_EQ(response.share().weight(), 100u);
  EXPECT_EQ(Status().runs(0).spec().share().priority(), 8u);
  request.set_weight(1001);
  ExpectBadField(set(), "weight");
  request.set_weight(0);
  request.set_priority(10);
  ExpectBadField(set(), "priority");
  request.set_priority(1);
  request.set_run(77);
  ExpectProblem(set(), absl::StatusCode::kNotFound, "unknown_run");
  request.set_run(0);
  ExpectBadField(set(), "run");
}

TEST_F(ServicesTest, ARunGetsMoreToPlay) {
  v1::ExtendRunRequest request;
  request.set_run(CreateRun());
  request.set_games(50);
  request.set_same_book(true);
  request.set_request_id("a");
  v1::ExtendRunResponse response;
  const auto extend = [&] {
    return Call(*operators_, &v1::OperatorService::Stub::ExtendRun, request, response);
  };
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(extend(), absl::OkStatus());
    EXPECT_EQ(response.state(), "running");
    EXPECT_EQ(response.spec().games(), 150u);
    EXPECT_EQ(response.spec().extension().times(), 1u);
  }
  EXPECT_EQ(Status().runs(0).games_target(), 150u);
  EXPECT_EQ(Status().runs(0).spec().extension().games(), 150u);
  request.set_games(0);
  ExpectBadField(extend(), "games");
  request.set_seconds(5);
  request.set_request_id("b");
  ExpectProblem(extend(), absl::StatusCode::kFailedPrecondition, "no_limit");
  request.set_run(77);
  ExpectProblem(extend(), absl::StatusCode::kNotFound, "unknown_run");
}

TEST_F(ServicesTest, ImportTakesAFileInPieces) {
  const std::string games = std::string(kGames) + "startpos moves 7g7f 3c3d 8h9f\n";
  v1::ImportRequest first = Header(games);
  first.set_data(games.substr(0, 41));
  v1::ImportRequest second;
  second.set_data(games.substr(41));
  v1::ImportResponse response;
  ASSERT_EQ(Import({first, second}, response), absl::OkStatus());
  EXPECT_EQ(response.games(), 3u);
  EXPECT_EQ(response.rejected(), 1u);
  EXPECT_EQ(response.moves(), 8u);
  ASSERT_EQ(response.errors_size(), 1);
  EXPECT_THAT(response.errors(0), HasSubstr("games.usi:4"));
}

// State left by a client that dies in the middle: its stream ends like that of one that has
// finished.
TEST_F(ServicesTest, AnImportIsTakenWholeOrNotAtAll) {
  const std::string games(kGames);
  v1::ImportRequest half = Header();
  half.set_data(games.substr(0, 62));
  v1::ImportResponse response;
  ExpectProblem(Import({half}, response), absl::StatusCode::kInvalidArgument, "torn_upload");
  v1::ImportRequest other = Header();
  other.set_data(std::string(games.size(), '\n'));
  ExpectProblem(Import({other}, response), absl::StatusCode::kInvalidArgument, "torn_upload");
  v1::ImportRequest longer = Header();
  longer.set_data(games + "x");
  ExpectBadField(Import({longer}, response), "data");
  v1::ImportRequest unhashed = half;
  unhashed.clear_sha256();
  ExpectBadField(Import({unhashed}, response), "sha256");
  v1::ImportRequest large = half;
  large.set_size((uint64_t{1} << 30) + 1);
  ExpectBadField(Import({large}, response), "size");
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    const auto writer = operators_->Import(&context, &response);
    writer->Write(half);
    context.TryCancel();
    EXPECT_FALSE(writer->Finish().ok());
  }
  EXPECT_TRUE(BookIsEmpty());
  // The cancelled ones let go of the right to import, each in its time.
  v1::ImportRequest whole = Header();
  whole.set_data(games);
  absl::Status last;
  do {
    last = Import({whole}, response);
  } while (absl::IsResourceExhausted(last));
  EXPECT_EQ(last, absl::OkStatus());
  EXPECT_EQ(response.games(), 3u);
}

TEST_F(ServicesTest, ABookIsPutWholeOrNotAtAll) {
  const std::string book = "these are no snapshot's bytes";
  const auto put = [&](const std::string& promised, const std::string& sent) {
    grpc::ClientContext context;
    v1::PutBookResponse response;
    const auto writer = operators_->PutBook(&context, &response);
    v1::PutBookRequest request;
    request.set_size(promised.size());
    request.set_sha256(HashBytes(promised));
    request.set_data(sent);
    writer->Write(request);
    writer->WritesDone();
    return FromGrpc(writer->Finish());
  };
  ExpectProblem(put(book, book.substr(0, 9)), absl::StatusCode::kInvalidArgument, "torn_upload");
  ExpectProblem(put(book, std::string(book.size(), 'x')), absl::StatusCode::kInvalidArgument,
                "torn_upload");
  ExpectProblem(put(book, book), absl::StatusCode::kInvalidArgument, "bad_snapshot");
  ExpectBadField(put("", "x"), "data");
}

TEST_F(ServicesTest, ImportKnowsAFileThatItHas) {
  ImportGames();
  v1::ImportRequest first = Header();
  first.set_data(kGames);
  v1::ImportResponse response;
  ExpectProblem(Import({first}, response), absl::StatusCode::kAlreadyExists, "already_imported");
  first.set_again(true);
  ASSERT_EQ(Import({first}, response), absl::OkStatus());
  EXPECT_GT(response.games(), 0u);
}

TEST_F(ServicesTest, ABadImportChangesNothing) {
  v1::ImportResponse response;
  ExpectBadField(Import({}, response), "data");
  v1::ImportRequest unknown_format = Header();
  unknown_format.set_format("cbl");
  unknown_format.set_data(kGames);
  ExpectBadField(Import({unknown_format}, response), "format");
  v1::ImportRequest data = Header();
  data.set_data(kGames);
  ExpectBadField(Import({data, Header()}, response), "file_name");
  v1::CreateRunResponse created;
  EXPECT_FALSE(
      Call(*operators_, &v1::OperatorService::Stub::CreateRun, CreateRequest(), created).ok())
      << "the book is still empty";
  // The refused imports have let go of the right to import.
  EXPECT_EQ(Import({data}, response), absl::OkStatus());
}

}  // namespace
}  // namespace joseki::coordinator
