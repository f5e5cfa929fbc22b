#include "tests/e2e/cluster.h"

#include <grpcpp/grpcpp.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>

#include "SQLiteCpp/SQLiteCpp.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/certificates/authority.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/database/store.h"
#include "coordinator/offline/audit.h"
#include "engine/games.h"
#include "gtest/gtest.h"
#include "joseki/v1/operator.grpc.pb.h"
#include "joseki/v1/reader.grpc.pb.h"
#include "proto/credentials.h"
#include "proto/grpc_status.h"

namespace joseki::testing {
namespace {

constexpr int kBookPlies = 6;

// Two moves in every position of the first plies: the same ones each time, with nothing said for
// either.
absl::Status AddTree(const Rules& rules, book::BookImport& import, std::vector<Move> line) {
  auto state = rules.Start("startpos", MatchRules());
  if (!state.ok()) return state.status();
  for (const Move move : line) (*state)->Play(move);
  const std::vector<Move> legal = (*state)->LegalMoves();
  for (const size_t pick : {legal.size() / 3, 2 * legal.size() / 3}) {
    const Move move = legal[pick];
    const absl::Status added =
        import.AddPlayed((*state)->packed(), static_cast<int>(line.size()) + 1, move, false,
                         {.games = 10, .wins = 5, .draws = 0, .losses = 5});
    if (!added.ok()) return added;
    if (line.size() + 1 == kBookPlies) continue;
    line.push_back(move);
    if (absl::Status below = AddTree(rules, import, line); !below.ok()) return below;
    line.pop_back();
  }
  return absl::OkStatus();
}

// Every move of the first plies, and two moves in the positions that they lead to.
absl::Status AddEveryReply(const Rules& rules, book::BookImport& import,
                           const std::vector<Move>& line) {
  constexpr size_t kWidePlies = 3;
  const auto state = rules.Start("startpos", MatchRules()).value();
  for (const Move move : line) state->Play(move);
  std::vector<Move> moves = state->LegalMoves();
  if (line.size() == kWidePlies) moves = {moves[moves.size() / 3], moves[2 * moves.size() / 3]};
  for (const Move move : moves) {
    const absl::Status added =
        import.AddPlayed(state->packed(), static_cast<int>(line.size()) + 1, move, false,
                         {.games = 1, .wins = 1, .draws = 0, .losses = 0});
    if (!added.ok()) return added;
    if (line.size() == kWidePlies) continue;
    std::vector<Move> next = line;
    next.push_back(move);
    if (absl::Status below = AddEveryReply(rules, import, next); !below.ok()) return below;
  }
  return absl::OkStatus();
}

std::unique_ptr<grpc::ClientContext> Deadline() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  return context;
}

void MustBe(const absl::Status& status) { ASSERT_TRUE(status.ok()) << status; }

}  // namespace

TestCluster::TestCluster(std::string folder, std::string binaries, Options options)
    : folder_(std::move(folder)),
      binaries_(std::move(binaries)),
      options_(options),
      rules_(*RulesOf(options.game).value()) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  workers_.resize(static_cast<size_t>(options_.workers));
  MakeBook();
  if (options_.mutual_tls) MakeCertificates();
}

TestCluster::~TestCluster() {
  workers_.clear();
  coordinator_.reset();
  if (!::testing::Test::HasFailure()) std::filesystem::remove_all(folder_);
}

void TestCluster::MakeBook() const {
  auto store = book::Store::Open(File("book.sqlite"), book::OpenMode::kCreate, options_.game);
  ASSERT_TRUE(store.ok()) << store.status();
  book::BookImport import(**store, "games", "a small book", "{}");
  MustBe(AddTree(rules_, import, {}));
  if (options_.wide_book) MustBe(AddEveryReply(rules_, import, {}));
  MustBe(import.Commit(10, 0).status());
}

void TestCluster::MakeCertificates() {
  const auto authority = certificates::Authority::Create(File("certs"), absl::Now());
  ASSERT_TRUE(authority.ok()) << authority.status();
  constexpr absl::Duration kLife = absl::Hours(24);
  const auto issued = authority->Issue(certificates::Role::kOperator, "op", absl::Now(), kLife);
  ASSERT_TRUE(issued.ok()) << issued.status();
  operator_ = certificates::TlsFiles::In(*issued);
  for (int worker = 0; worker < options_.workers; ++worker) {
    MustBe(
        authority->Issue(certificates::Role::kWorker, absl::StrCat("w", worker), absl::Now(), kLife)
            .status());
  }
}

std::string TestCluster::WorkerLog(int worker) const {
  return File(absl::StrCat("w", worker, ".log"));
}

void TestCluster::StartCoordinator() {
  std::filesystem::remove(File("address"));
  std::vector<std::string> command{absl::StrCat(binaries_, "/", options_.coordinator),
                                   "--db",
                                   File("book.sqlite"),
                                   "--listen",
                                   options_.listen,
                                   "--address-file",
                                   File("address"),
                                   "--lease-seconds",
                                   absl::StrCat(options_.lease_seconds),
                                   "--beat-seconds",
                                   "1"};
  if (options_.mutual_tls) command.insert(command.end(), {"--tls", File("certs")});
  command.insert(command.end(), options_.coordinator_flags.begin(),
                 options_.coordinator_flags.end());
  coordinator_ = std::make_unique<Child>(std::move(command), File("coordinator.log"));
  ASSERT_TRUE(Eventually([this] {
    return std::filesystem::exists(File("address")) || !coordinator_->Running();
  })) << Logs();
  ASSERT_TRUE(coordinator_->Running()) << Logs();
}

void TestCluster::StartWorker(int worker) {
  const std::string name = absl::StrCat("w", worker);
  const auto other = options_.programs.find(worker);
  std::vector<std::string> command{other == options_.programs.end()
                                       ? absl::StrCat(binaries_, "/", options_.worker)
                                       : other->second,
                                   "--address-file",
                                   File("address"),
                                   "--slots",
                                   absl::StrCat(options_.seats),
                                   "--name",
                                   name,
                                   "--spool",
                                   File("spool-" + name),
                                   "--cache",
                                   File("cache"),
                                   "--log-level",
                                   "debug"};
  if (options_.mutual_tls) {
    command.insert(command.end(), {"--tls", File("certs/workers/" + name)});
  }
  if (options_.worker_flags) {
    for (std::string& flag : options_.worker_flags(worker)) command.push_back(std::move(flag));
  }
  const auto log = ReadFile(WorkerLog(worker));
  log_sizes_[worker] = log.ok() ? log->size() : 0;
  workers_[static_cast<size_t>(worker)] =
      std::make_unique<Child>(std::move(command), WorkerLog(worker),
                              options_.name_space ? options_.name_space(worker) : -1);
}

void TestCluster::KillCoordinator() { coordinator_->Kill(); }

void TestCluster::KillWorker(int worker) { workers_[static_cast<size_t>(worker)]->Kill(); }

int TestCluster::StopCoordinator() {
  coordinator_->Signal(SIGTERM);
  return coordinator_->Wait();
}

int TestCluster::StopWorker(int worker) {
  workers_[static_cast<size_t>(worker)]->Signal(SIGTERM);
  return workers_[static_cast<size_t>(worker)]->Wait();
}

int TestCluster::WaitForWorker(int worker) { return workers_[static_cast<size_t>(worker)]->Wait(); }

bool TestCluster::AwaitJoined(int worker) {
  return Eventually([&] {
    const auto log = ReadFile(WorkerLog(worker));
    return log.ok() && log->find("event=joined", log_sizes_[worker]) != log->npos;
  });
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> TestCluster::Channel() {
  const auto text = ReadFile(File("address"));
  if (!text.ok()) return absl::UnavailableError("no address yet");
  const std::string address(absl::StripAsciiWhitespace(*text));
  if (channel_ == nullptr || address != connected_to_) {
    ASSIGN_OR_RETURN(const ClientTls tls, MakeClientTls(operator_, absl::Now()));
    channel_ = grpc::CreateCustomChannel(address, tls.credentials, ChannelArgumentsFor(tls));
    connected_to_ = address;
  }
  return channel_;
}

absl::StatusOr<uint64_t> TestCluster::CreateRun(const v1::RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, Channel());
  const auto stub = v1::OperatorService::NewStub(channel);
  v1::CreateRunRequest request;
  *request.mutable_spec() = spec;
  request.set_request_id("the run");
  v1::CreateRunResponse response;
  const grpc::Status status = stub->CreateRun(Deadline().get(), request, &response);
  if (!status.ok()) return FromGrpc(status);
  return response.run();
}

absl::StatusOr<v1::RunStatus> TestCluster::Status(uint64_t run) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, Channel());
  const auto stub = v1::ReaderService::NewStub(channel);
  v1::GetStatusRequest request;
  request.set_run(run);
  v1::Status response;
  const grpc::Status status = stub->GetStatus(Deadline().get(), request, &response);
  if (!status.ok()) return FromGrpc(status);
  if (response.runs_size() != 1) return absl::NotFoundError("no such run");
  return response.runs(0);
}

absl::Status TestCluster::StopRun(uint64_t run) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, Channel());
  const auto stub = v1::OperatorService::NewStub(channel);
  v1::RunRequest request;
  request.set_run(run);
  v1::RunResponse response;
  return FromGrpc(stub->StopRun(Deadline().get(), request, &response));
}

absl::StatusOr<uint64_t> TestCluster::Export(uint64_t run) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, Channel());
  const auto stub = v1::ReaderService::NewStub(channel);
  v1::ExportBookRequest request;
  request.set_run(run);
  request.set_format("json");
  const auto context = Deadline();
  const auto reader = stub->ExportBook(context.get(), request);
  uint64_t bytes = 0;
  for (v1::ExportBookChunk chunk; reader->Read(&chunk);) bytes += chunk.data().size();
  if (const grpc::Status status = reader->Finish(); !status.ok()) return FromGrpc(status);
  return bytes;
}

bool TestCluster::Await(uint64_t run, const std::function<bool(const v1::RunStatus&)>& wanted,
                        std::chrono::seconds patience) {
  return Eventually(
      [&] {
        const auto status = Status(run);
        return status.ok() && wanted(*status);
      },
      patience);
}

std::set<TestCluster::Key> TestCluster::Acknowledged() const {
  static const std::regex kAnswer(
      "event=game_answered run=\\d+ lease=(\\d+) slot=(\\d+) "
      "verdict=(accepted|duplicate|stale_accepted)");
  std::set<Key> keys;
  for (int worker = 0; worker < options_.workers; ++worker) {
    std::ifstream log(WorkerLog(worker));
    for (std::string line; std::getline(log, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, kAnswer)) continue;
      keys.emplace(std::stoull(match[1]), static_cast<uint32_t>(std::stoul(match[2])));
    }
  }
  return keys;
}

int TestCluster::BadVerdicts() const {
  int bad = 0;
  for (int worker = 0; worker < options_.workers; ++worker) {
    std::ifstream log(WorkerLog(worker));
    for (std::string line; std::getline(log, line);) {
      bad += line.find("verdict=conflict") != std::string::npos ||
             line.find("verdict=rejected") != std::string::npos ||
             line.find("event=game_refused") != std::string::npos;
    }
  }
  return bad;
}

std::set<TestCluster::Key> TestCluster::Stored::all() const {
  std::set<Key> keys = games;
  keys.insert(copies.begin(), copies.end());
  keys.insert(searches.begin(), searches.end());
  return keys;
}

int64_t TestCluster::Number(const std::string& sql) const {
  SQLite::Database db(File("book.sqlite"), SQLite::OPEN_READONLY, 10'000);
  return db.execAndGet(sql).getInt64();
}

TestCluster::Stored TestCluster::Read() const {
  Stored stored;
  {
    SQLite::Database db(File("book.sqlite"), SQLite::OPEN_READONLY);
    SQLite::Statement games(db, "SELECT lease, slot, termination, book_plies FROM games");
    while (games.executeStep()) {
      stored.games.emplace(static_cast<uint64_t>(games.getColumn(0).getInt64()),
                           static_cast<uint32_t>(games.getColumn(1).getInt64()));
      const bool fault = IsFault(static_cast<Termination>(games.getColumn(2).getInt()));
      stored.faults += fault;
      if (!fault) stored.expected_credit += static_cast<uint64_t>(games.getColumn(3).getInt64());
    }
    SQLite::Statement copies(db, "SELECT lease, slot FROM checks WHERE state <> 0");
    while (copies.executeStep()) {
      stored.copies.emplace(static_cast<uint64_t>(copies.getColumn(0).getInt64()),
                            static_cast<uint32_t>(copies.getColumn(1).getInt64()));
    }
    SQLite::Statement searches(db, "SELECT lease, slot, termination FROM evaluations");
    while (searches.executeStep()) {
      stored.searches.emplace(static_cast<uint64_t>(searches.getColumn(0).getInt64()),
                              static_cast<uint32_t>(searches.getColumn(1).getInt64()));
      stored.faults += IsFault(static_cast<Termination>(searches.getColumn(2).getInt()));
    }
    stored.credited = static_cast<uint64_t>(
        db.execAndGet("SELECT coalesce(sum(wins + draws + losses + repeats), 0) FROM evidence")
            .getInt64());
  }
  const auto store = book::Store::Open(File("book.sqlite"), book::OpenMode::kReadOnly);
  EXPECT_TRUE(store.ok()) << store.status();
  if (!store.ok()) return stored;
  const auto audit = coordinator::Audit(**store, rules_);
  EXPECT_TRUE(audit.ok()) << audit.status();
  if (!audit.ok()) return stored;
  stored.audited = audit->games;
  stored.mismatches = audit->mismatches;
  if (!audit->first.empty()) stored.first_mismatch = audit->first.front();
  return stored;
}

std::string TestCluster::Logs() const {
  std::string text;
  std::vector<std::string> paths{File("coordinator.log")};
  for (int worker = 0; worker < options_.workers; ++worker) paths.push_back(WorkerLog(worker));
  for (const std::string& path : paths) {
    const auto log = ReadFile(path);
    if (!log.ok()) continue;
    absl::StrAppend(&text, path, ":\n",
                    log->substr(log->size() - std::min<size_t>(log->size(), 3000)), "\n");
  }
  return text;
}

}  // namespace joseki::testing
