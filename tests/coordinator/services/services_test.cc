// Every call of every service over a real connection, in front of a real coordinator.

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "base/hash.h"
#include "base/problem.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/services/server.h"
#include "coordinator/store/run_store.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "joseki/v1/operator.grpc.pb.h"
#include "joseki/v1/reader.grpc.pb.h"
#include "joseki/v1/worker.grpc.pb.h"
#include "proto/grpc_status.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;

constexpr char kGames[] =
    "startpos moves 7g7f 3c3d 2g2f\n"
    "startpos moves 7g7f 8c8d 2g2f\n"
    "startpos moves 2g2f 8c8d 2f2e\n";

class ServicesTest : public ::testing::Test {
 protected:
  void SetUp() override { Start(absl::Milliseconds(200)); }

  void Start(absl::Duration acquire_wait) {
    server_.reset();
    coordinator_.reset();
    auto coordinator = Coordinator::Start(
        {.db_path = db_, .acquire_wait = acquire_wait, .slots_per_lease = 4}, rules_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    auto server = Server::Start({.listen = "127.0.0.1:0", .address_file = "", .db_path = db_},
                                *coordinator_, rules_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    const auto channel =
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
    workers_ = v1::WorkerService::NewStub(channel);
    operators_ = v1::OperatorService::NewStub(channel);
    readers_ = v1::ReaderService::NewStub(channel);
  }

  // One unary call.
  template <typename Stub, typename Request, typename Response>
  static absl::Status Call(Stub& stub,
                           grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                        Response*),
                           const Request& request, Response& response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    return FromGrpc((stub.*method)(&context, request, &response));
  }
  // A server's stream, read to its end.
  template <typename Reader, typename Message>
  static absl::Status ReadAll(const std::unique_ptr<Reader>& reader,
                              std::vector<Message>& messages) {
    Message message;
    while (reader->Read(&message)) messages.push_back(message);
    return FromGrpc(reader->Finish());
  }

  absl::Status Import(const std::vector<v1::ImportRequest>& messages,
                      v1::ImportResponse& response) {
    grpc::ClientContext context;
    const auto writer = operators_->Import(&context, &response);
    for (const v1::ImportRequest& message : messages) writer->Write(message);
    writer->WritesDone();
    return FromGrpc(writer->Finish());
  }
  // Of a file with this content.
  v1::ImportRequest Header(const std::string& file = kGames) const {
    v1::ImportRequest header;
    header.set_file_name("games.usi");
    header.set_format("usi");
    header.set_size(file.size());
    header.set_sha256(HashBytes(file));
    return header;
  }
  static std::string HashBytes(const std::string& file) {
    const Sha256 sha256 = Sha256Of(file);
    return {sha256.begin(), sha256.end()};
  }
  // Nothing to tune: no import has been committed.
  bool BookIsEmpty() {
    v1::CreateRunResponse created;
    return !Call(*operators_, &v1::OperatorService::Stub::CreateRun, CreateRequest(), created).ok();
  }
  void ImportGames() {
    v1::ImportRequest first = Header();
    first.set_data(kGames);
    v1::ImportResponse response;
    ASSERT_EQ(Import({first}, response), absl::OkStatus());
  }

  v1::RunSpec Spec() const {
    v1::RunSpec wire;
    wire.set_games(100);
    wire.mutable_policy()->set_name("epsilon-greedy");
    wire.mutable_play()->set_game("shogi");
    wire.mutable_play()->set_engine_id("embedded");
    wire.mutable_play()->set_nodes(10);
    wire.mutable_play()->set_max_plies(300);
    return wire;
  }
  v1::CreateRunRequest CreateRequest(const std::string& id = "") const {
    v1::CreateRunRequest request;
    *request.mutable_spec() = Spec();
    request.set_request_id(id);
    return request;
  }
  uint64_t CreateRun() {
    ImportGames();
    v1::CreateRunResponse response;
    EXPECT_EQ(Call(*operators_, &v1::OperatorService::Stub::CreateRun, CreateRequest(), response),
              absl::OkStatus());
    return response.run();
  }

  v1::JoinRequest JoinRequestOf(const std::string& worker) const {
    v1::JoinRequest request;
    request.set_worker(worker);
    request.set_protocol(1);
    request.set_slots(4);
    v1::EngineIdentity& engine = *request.add_engines();
    engine.set_id("embedded");
    engine.set_signature(1);
    return request;
  }
  v1::JoinResponse Join(const std::string& worker = "w") {
    v1::JoinResponse response;
    EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Join, JoinRequestOf(worker), response),
              absl::OkStatus());
    return response;
  }
  v1::AcquireRequest AcquireRequestOf(uint64_t session) const {
    v1::AcquireRequest request;
    request.set_session(session);
    request.set_want_slots(4);
    return request;
  }
  v1::AcquireResponse Acquire(uint64_t session) {
    v1::AcquireResponse response;
    EXPECT_EQ(
        Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(session), response),
        absl::OkStatus());
    return response;
  }
  // The book's line, and then the side to move resigns.
  static v1::Game ResignedGame(const v1::Lease& lease, const v1::Slot& slot) {
    v1::Game game;
    game.set_run(lease.run());
    game.set_lease(lease.lease());
    game.set_slot(slot.slot());
    game.set_moves(slot.line());
    game.set_termination(v1::TERMINATION_RESIGN);
    game.set_result(slot.line().size() / 2 % 2 == 0 ? v1::RESULT_SECOND_WINS
                                                    : v1::RESULT_FIRST_WINS);
    game.set_nodes(100);
    return game;
  }
  v1::SubmitRequest Played(const v1::JoinResponse& session, const v1::AcquireResponse& work) {
    v1::SubmitRequest request;
    request.set_session(session.session());
    request.set_epoch(session.epoch());
    for (const v1::Lease& lease : work.leases()) {
      for (const v1::Slot& slot : lease.slots()) *request.add_games() = ResignedGame(lease, slot);
    }
    return request;
  }
  // Plays some games; how many.
  int Play() {
    const v1::JoinResponse session = Join();
    const v1::AcquireResponse work = Acquire(session.session());
    const v1::SubmitRequest request = Played(session, work);
    v1::SubmitResponse response;
    EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Submit, request, response),
              absl::OkStatus());
    return request.games_size();
  }

  v1::Status Status() {
    v1::Status status;
    EXPECT_EQ(Call(*readers_, &v1::ReaderService::Stub::GetStatus, {}, status), absl::OkStatus());
    return status;
  }

  static void ExpectProblem(const absl::Status& status, absl::StatusCode code,
                            const std::string& problem) {
    EXPECT_EQ(status.code(), code) << status;
    if (status.ok()) return;
    EXPECT_EQ(ProblemOf(status).code, problem) << status;
  }
  // A bad field, named by its path on the other side of the wire too.
  static void ExpectBadField(const absl::Status& status, const std::string& field) {
    ExpectProblem(status, absl::StatusCode::kInvalidArgument, "bad_field");
    if (status.ok()) return;
    EXPECT_EQ(ProblemOf(status).file, field) << status;
  }

  const Rules& rules_ = shogi::ShogiRules();
  joseki::testing::TempFolder folder_;
  const std::string db_ = folder_ / "book.sqlite";
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::WorkerService::Stub> workers_;
  std::unique_ptr<v1::OperatorService::Stub> operators_;
  std::unique_ptr<v1::ReaderService::Stub> readers_;
};

TEST_F(ServicesTest, AWorkerJoinsPlaysAndLeaves) {
  const uint64_t run = CreateRun();
  const v1::JoinResponse session = Join();
  EXPECT_GT(session.session(), 0u);
  EXPECT_FALSE(session.epoch().empty());
  EXPECT_GT(session.beat_seconds(), 0u);
  EXPECT_GT(session.wait_seconds(), 0u);

  const v1::AcquireResponse work = Acquire(session.session());
  ASSERT_GT(work.leases_size(), 0);
  EXPECT_EQ(work.leases(0).run(), run);
  ASSERT_EQ(work.runs_size(), 1);
  EXPECT_EQ(work.runs(0).play().nodes(), 10u);

  v1::BeatRequest beat;
  beat.set_session(session.session());
  beat.add_leases()->set_lease(work.leases(0).lease());
  v1::BeatResponse beaten;
  EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten), absl::OkStatus());
  EXPECT_EQ(beaten.cancelled_size(), 0);

  const v1::SubmitRequest games = Played(session, work);
  v1::SubmitResponse verdicts;
  ASSERT_EQ(Call(*workers_, &v1::WorkerService::Stub::Submit, games, verdicts), absl::OkStatus());
  ASSERT_EQ(verdicts.verdicts_size(), games.games_size());
  for (const v1::GameVerdict& verdict : verdicts.verdicts()) {
    EXPECT_EQ(verdict.verdict(), v1::VERDICT_ACCEPTED) << verdict.reason();
  }
  ASSERT_EQ(Call(*workers_, &v1::WorkerService::Stub::Submit, games, verdicts), absl::OkStatus());
  EXPECT_EQ(verdicts.verdicts(0).verdict(), v1::VERDICT_DUPLICATE);
  EXPECT_EQ(Status().runs(0).games_done(), static_cast<uint64_t>(games.games_size()));

  const v1::AcquireResponse more = Acquire(session.session());
  ASSERT_GT(more.leases_size(), 0);
  v1::LeaveRequest leave;
  leave.set_session(session.session());
  v1::SlotRef& unplayed = *leave.add_unplayed();
  unplayed.set_lease(more.leases(0).lease());
  unplayed.set_slot(more.leases(0).slots(0).slot());
  v1::LeaveResponse left;
  EXPECT_EQ(Call(*workers_, &v1::WorkerService::Stub::Leave, leave, left), absl::OkStatus());
  v1::AcquireResponse none;
  ExpectProblem(
      Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(session.session()), none),
      absl::StatusCode::kFailedPrecondition, "unknown_session");
}

TEST_F(ServicesTest, AStrangeWorkerIsRefused) {
  v1::JoinRequest other_protocol = JoinRequestOf("w");
  other_protocol.set_protocol(2);
  v1::JoinResponse joined;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Join, other_protocol, joined),
                absl::StatusCode::kFailedPrecondition, "protocol");
  v1::AcquireResponse work;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Acquire, AcquireRequestOf(999), work),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
  v1::BeatRequest beat;
  beat.set_session(999);
  v1::BeatResponse beaten;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
  v1::SubmitRequest submit;
  submit.set_session(999);
  v1::SubmitResponse verdicts;
  ExpectProblem(Call(*workers_, &v1::WorkerService::Stub::Submit, submit, verdicts),
                absl::StatusCode::kFailedPrecondition, "unknown_session");
}

TEST_F(ServicesTest, BadFieldsOfWorkersAreNamed) {
  v1::JoinRequest join = JoinRequestOf("a b");
  v1::JoinResponse joined;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Join, join, joined), "worker");
  v1::AcquireRequest acquire = AcquireRequestOf(1);
  acquire.set_want_slots(0);
  v1::AcquireResponse work;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Acquire, acquire, work), "want_slots");
  v1::SubmitRequest submit;
  submit.add_games()->set_moves("odd");
  v1::SubmitResponse verdicts;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Submit, submit, verdicts),
                 "games[0].moves");
  v1::BeatRequest beat;
  while (beat.leases_size() <= 1024) beat.add_leases();
  v1::BeatResponse beaten;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Beat, beat, beaten), "leases");
  v1::LeaveRequest leave;
  leave.add_unplayed()->set_slot(1u << 31);
  v1::LeaveResponse left;
  ExpectBadField(Call(*workers_, &v1::WorkerService::Stub::Leave, leave, left), "unplayed[0].slot");
}

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
  EXPECT_GT(Acquire(session.session()).leases_size(), 0);
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

// What a client that dies in the middle leaves: its stream ends as that of one that has finished.
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
  unknown_format.set_format("pgn");
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
    const auto offline = Export(**store, rules_, run, *ExportFormatOf(format));
    ASSERT_TRUE(offline.ok()) << offline.status();
    EXPECT_EQ(bytes, *offline);
    EXPECT_GT(bytes.size(), 100u);
  }
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

// Whoever asks for lists and reads none has a bound, and what it leaves unread is no whole list.
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
      ASSERT_TRUE(rows.InsertGame(game).ok());
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
