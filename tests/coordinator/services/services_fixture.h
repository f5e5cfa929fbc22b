#pragma once

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

inline constexpr char kGames[] =
    "startpos moves 7g7f 3c3d 2g2f\n"
    "startpos moves 7g7f 8c8d 2g2f\n"
    "startpos moves 2g2f 8c8d 2f2e\n";

// Fixture for calling every service over a real connection to a real coordinator.
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
    auto server = Server::Start({.listen = "127.0.0.1:0", .db_path = db_}, *coordinator_, rules_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    const auto channel =
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
    workers_ = v1::WorkerService::NewStub(channel);
    operators_ = v1::OperatorService::NewStub(channel);
    readers_ = v1::ReaderService::NewStub(channel);
  }

  // Makes one unary call.
  template <typename Stub, typename Request, typename Response>
  static absl::Status Call(Stub& stub,
                           grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                        Response*),
                           const Request& request, Response& response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    return FromGrpc((stub.*method)(&context, request, &response));
  }
  // Reads a server's stream to its end.
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
  // The header for importing a file with this content.
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
  // True if no import has been committed, so there is nothing to tune.
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
  // A game with the book's line, after which the side to move resigns.
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
  // Plays some games; returns their number.
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
  // Expects an error for a bad field, named by its path on the other side of the wire too.
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

}  // namespace joseki::coordinator
