#include "cli/cluster/rpc.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "base/address.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/to_wire.h"
#include "engine/games.h"
#include "joseki/v1/operator.grpc.pb.h"
#include "joseki/v1/reader.grpc.pb.h"
#include "proto/credentials.h"

namespace joseki::cli {
namespace {

constexpr absl::Duration kShort = absl::Seconds(15);
constexpr absl::Duration kWatch = absl::Hours(1);
constexpr absl::Duration kLong = absl::Minutes(10);  // freezes or exports a large book

void SetDeadline(grpc::ClientContext& context, absl::Duration timeout) {
  context.set_deadline(absl::ToChronoTime(absl::Now() + timeout));
}

absl::Status BadReply(const std::string& field, const std::string& found,
                      const std::string& expected) {
  return MakeProblem({.code = "bad_answer", .file = field, .found = found, .expected = expected},
                     absl::StatusCode::kDataLoss);
}

absl::StatusOr<std::vector<Move>> LineFromWire(const std::string& text, const char* field,
                                               const Rules& rules) {
  std::vector<Move> line;
  for (const std::string& word :
       std::vector<std::string>(absl::StrSplit(text, ' ', absl::SkipEmpty()))) {
    const std::optional<Move> move = rules.MoveOf(word);
    if (!move) return BadReply(field, Quote(word), "the text of a move");
    line.push_back(*move);
  }
  return line;
}

absl::StatusOr<coordinator::RunStatus> FromWire(const v1::RunStatus& wire, const Rules& rules) {
  coordinator::RunStatus run;
  ASSIGN_OR_RETURN(run.spec, coordinator::FromWire(wire.spec()));
  run.run = wire.run();
  run.state = wire.state();
  run.reason = wire.reason();
  run.stage = wire.stage();
  run.stages = wire.stages();
  run.games_done = wire.games_done();
  if (wire.has_line_searches()) {
    const v1::LineSearchStatus& searches = wire.line_searches();
    run.line_searches = {.games = searches.games(),
                         .answers = searches.answers(),
                         .trials = searches.trials(),
                         .in_answers = searches.in_answers(),
                         .in_replies = searches.in_replies(),
                         .in_trials = searches.in_trials()};
    if (searches.has_expected()) run.line_searches->expected = searches.expected();
    run.line_searches->off = searches.off();
    if (searches.has_calibration()) {
      const v1::ScoreCalibration& fit = searches.calibration();
      run.line_searches->calibration = {.games = fit.games(),
                                        .groups = fit.groups(),
                                        .slope = fit.slope(),
                                        .low = fit.low(),
                                        .high = fit.high(),
                                        .between = fit.between(),
                                        .intercept = fit.intercept()};
    }
    run.line_searches->trials_off = searches.trials_off();
  }
  run.games_per_second = wire.games_per_second();
  run.eta_seconds = wire.eta_seconds();
  run.leases = wire.leases();
  run.slots_in_flight = wire.slots_in_flight();
  run.faults = wire.faults();
  run.last_fault = wire.last_fault();
  run.draws = wire.draws();
  run.duplicates = wire.duplicates();
  run.conflicts = wire.conflicts();
  run.stale_accepted = wire.stale_accepted();
  run.poisoned_lines = wire.poisoned_lines();
  for (const auto& entry : wire.terminations()) {
    const std::optional<Termination> termination = TerminationOf(entry.first);
    if (!termination) return BadReply("terminations", Quote(entry.first), "a known termination");
    run.terminations[*termination] = entry.second;
  }
  run.think_seconds = wire.think_seconds();
  run.resign_checked = wire.resign_checked();
  run.resign_wrong = wire.resign_wrong();
  for (const v1::PoisonedLine& wire_line : wire.poisoned()) {
    coordinator::PoisonedLine& line = run.poisoned.emplace_back();
    ASSIGN_OR_RETURN(line.line, LineFromWire(wire_line.line(), "poisoned", rules));
    line.attempts = wire_line.attempts();
    line.reason = wire_line.reason();
    for (const std::string& worker : wire_line.workers()) {
      line.failed.push_back({.lease = 0, .worker = worker});
    }
  }
  run.servers = wire.servers();
  run.not_served = wire.not_served();
  run.verify_off = wire.verify_off();
  run.copies = wire.checks();
  run.mismatches = wire.mismatches();
  run.quarantined = wire.quarantined();
  run.games_excluded = wire.games_excluded();
  const v1::PriorStatus& priors = wire.priors();
  run.priors = {.version = priors.version(),
                .positions = priors.positions(),
                .done = priors.done(),
                .unscored = priors.unscored(),
                .failed = priors.failed(),
                .older = priors.older(),
                .open = priors.open(),
                .scale = priors.scale(),
                .games = priors.games()};
  if (wire.has_gain_left()) run.gain_left = wire.gain_left();
  if (wire.has_answers_changed()) run.answers_changed = wire.answers_changed();
  run.resting_lines = wire.resting_lines();
  for (const v1::RestingLine& resting : wire.resting()) {
    coordinator::RestingLine& line = run.resting.emplace_back();
    ASSIGN_OR_RETURN(line.line, LineFromWire(resting.line(), "resting", rules));
    line.draws = resting.draws();
  }
  return run;
}

absl::StatusOr<coordinator::SpendingReport> FromWire(const v1::Spending& wire, const Rules& rules) {
  coordinator::SpendingReport report;
  report.run = wire.run();
  report.commit_seq = wire.commit_seq();
  report.games = wire.games();
  report.recent_games = wire.recent_games();
  report.positions = wire.positions();
  report.reached = wire.reached();
  report.settled = wire.settled();
  report.rule = {wire.settle_error(), wire.settle_margin()};
  report.left = wire.left();
  report.gain = wire.gain();
  for (const v1::PositionSpending& from : wire.top()) {
    const std::optional<Move> answer = rules.MoveOf(from.answer());
    if (!answer && !from.answer().empty())
      return BadReply("top.answer", Quote(from.answer()), "the text of a move");
    std::optional<std::vector<Move>> line;
    if (from.has_line()) {
      ASSIGN_OR_RETURN(line, LineFromWire(from.line(), "top.line", rules));
    }
    report.top.push_back({.position = from.position(),
                          .line = std::move(line),
                          .games = from.games(),
                          .repeats = from.repeats(),
                          .recent = from.recent(),
                          .standing = from.standing(),
                          .answer = answer,
                          .gain = from.gain()});
  }
  return report;
}

coordinator::WorkerResiduals FromWire(const v1::WorkerResiduals& wire) {
  return {.games = wire.games(),
          .score = wire.score(),
          .expected = wire.expected(),
          .z = wire.z(),
          .p = wire.p(),
          .mean_plies = wire.mean_plies(),
          .nodes_per_second = wire.nodes_per_second(),
          .time_losses = wire.time_losses(),
          .conflicts = wire.conflicts()};
}

absl::StatusOr<coordinator::ClusterStatus> FromWire(const v1::Status& wire, const Rules& rules) {
  coordinator::ClusterStatus status;
  for (const v1::RunStatus& run : wire.runs()) {
    ASSIGN_OR_RETURN(coordinator::RunStatus added, FromWire(run, rules));
    status.runs.push_back(std::move(added));
  }
  for (const v1::WorkerStatus& worker : wire.workers()) {
    coordinator::WorkerStatus& added = status.workers.emplace_back();
    added.worker = worker.worker();
    added.session = worker.session();
    added.seats = worker.slots();
    added.in_flight = worker.in_flight();
    added.games = worker.games();
    added.faults = worker.faults();
    added.last_seen = absl::Seconds(worker.last_seen_seconds());
    added.build = worker.build();
    added.state = worker.state();
    added.labels.insert(worker.labels().begin(), worker.labels().end());
    added.memory_mb = worker.memory_mb();
    added.cores = worker.cores();
    added.cost = {worker.processor_ms(), worker.search_ms()};
    added.reason = worker.reason();
    added.copies = worker.checks();
    added.mismatches = worker.mismatches();
    added.residuals = FromWire(worker.residuals());
  }
  status.game = wire.game();
  status.epoch = wire.epoch();
  status.uptime = absl::Seconds(wire.uptime_seconds());
  status.commit_ms = wire.commit_ms();
  status.queued_games = wire.queued_games();
  if (wire.certificate_end() != 0) {
    status.certificate_end = absl::FromUnixSeconds(wire.certificate_end());
  }
  return status;
}

absl::StatusOr<coordinator::PositionEvidence> FromWire(const v1::PositionEvidence& wire,
                                                       const Rules& rules) {
  coordinator::PositionEvidence position;
  position.position = wire.position();
  position.commit_seq = wire.commit_seq();
  for (const v1::MoveEvidence& move : wire.moves()) {
    const std::optional<Move> parsed = rules.MoveOf(move.move());
    if (!parsed) return BadReply("moves", Quote(move.move()), "the text of a move");
    coordinator::MoveEvidence& added = position.moves.emplace_back();
    added.move = *parsed;
    added.weight = move.weight();
    added.evidence = {.wins = static_cast<uint32_t>(move.wins()),
                      .draws = static_cast<uint32_t>(move.draws()),
                      .losses = static_cast<uint32_t>(move.losses()),
                      .repeats = static_cast<uint32_t>(move.repeats())};
    added.score_low = move.score_low();
    added.score_high = move.score_high();
    added.base_weight = static_cast<int64_t>(move.prior());
    added.in_flight = move.in_flight();
    if (move.has_expected()) added.expected = move.expected();
    added.trials = move.trials();
    added.answer = move.answer();
    added.origin = move.origin();
    added.decided_by = move.decided_by();
  }
  return position;
}

std::array<book::SideUse, 2> UsesOf(const v1::GameRow& row) {
  std::array<book::SideUse, 2> uses;
  for (int side = 0; side < std::min(2, row.used_size()); ++side) {
    const v1::SideUse& use = row.used(side);
    uses[static_cast<size_t>(side)] = {use.moves(), use.book_moves(), use.nodes(), use.micros()};
  }
  return uses;
}

class GrpcCluster : public Cluster {
 public:
  GrpcCluster(const Connection& connection, const absl::StatusOr<ClientTls>& tls,
              const Rules& rules)
      : address_(connection.address),
        unusable_(tls.ok() ? CheckDialled(connection.address) : tls.status()),
        secure_(tls.ok() && tls->secure),
        rules_(&rules),
        channel_(Connect(unusable_.ok() ? connection.address : "", tls.ok() ? *tls : ClientTls())) {
  }

  // Switches to the rules of the coordinator's game; a coordinator that names none has the default
  // game.
  absl::Status LearnGame() {
    v1::GetStatusRequest request;
    request.set_brief(true);
    v1::Status response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(reader_->GetStatus(&context, request, &response)));
    const std::string_view game = response.game().empty() ? book::kDefaultGame : response.game();
    ASSIGN_OR_RETURN(rules_, RulesOf(game));
    return absl::OkStatus();
  }

  const Rules& rules() const override { return *rules_; }

  absl::StatusOr<CreatedRun> CreateRun(const coordinator::RunSpec& spec,
                                       const std::string& request_id) override {
    v1::CreateRunRequest request;
    *request.mutable_spec() = coordinator::ToWire(spec);
    request.set_request_id(request_id);
    v1::CreateRunResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    RETURN_IF_ERROR(Checked(operator_->CreateRun(&context, request, &response)));
    return CreatedRun{response.run(), response.positions(), response.moves()};
  }

  absl::StatusOr<std::string> PutBook(const std::string& bytes) override {
    v1::PutBookResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    RETURN_IF_ERROR(Upload(*operator_->PutBook(&context, &response), v1::PutBookRequest(), bytes));
    return response.sha256();
  }

  absl::StatusOr<book::ImportReport> Import(const FileToImport& file,
                                            const std::string& bytes) override {
    v1::ImportRequest header;
    header.set_file_name(file.name);
    header.set_format(file.format);
    header.set_plies(file.plies);
    header.set_professional(file.professional);
    header.set_again(file.again);
    v1::ImportResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    RETURN_IF_ERROR(Upload(*operator_->Import(&context, &response), std::move(header), bytes));
    book::ImportReport report;
    report.games = static_cast<int64_t>(response.games());
    report.book_positions = static_cast<int64_t>(response.book_positions());
    report.rejected = static_cast<int64_t>(response.rejected());
    report.positions = static_cast<int64_t>(response.positions());
    report.moves = static_cast<int64_t>(response.moves());
    for (const auto& [reason, count] : response.rejects()) {
      report.rejects_by_reason[reason] = static_cast<int64_t>(count);
    }
    for (const std::string& error : response.errors()) {
      report.first_problems.push_back(absl::InvalidArgumentError(error));
    }
    return report;
  }

  absl::StatusOr<std::string> ChangeRun(RunId run, Change change) override {
    v1::RunRequest request;
    request.set_run(run);
    v1::RunResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    grpc::Status status;
    switch (change) {
      case Change::kPause:
        status = operator_->PauseRun(&context, request, &response);
        break;
      case Change::kResume:
        status = operator_->ResumeRun(&context, request, &response);
        break;
      case Change::kStop:
        status = operator_->StopRun(&context, request, &response);
        break;
    }
    RETURN_IF_ERROR(Checked(status));
    return response.state();
  }

  absl::StatusOr<coordinator::ExtendedRun> ExtendRun(RunId run,
                                                     const coordinator::MoreToPlay& more) override {
    v1::ExtendRunRequest request;
    request.set_run(run);
    request.set_games(more.games);
    request.set_seconds(more.seconds);
    request.set_same_book(more.same_book);
    request.set_request_id(more.request_id);
    v1::ExtendRunResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    RETURN_IF_ERROR(Checked(operator_->ExtendRun(&context, request, &response)));
    coordinator::ExtendedRun extended;
    extended.state = response.state();
    ASSIGN_OR_RETURN(extended.spec, coordinator::FromWire(response.spec()));
    return extended;
  }

  absl::StatusOr<coordinator::Share> SetPriority(RunId run, uint32_t priority,
                                                 uint32_t weight) override {
    v1::SetPriorityRequest request;
    request.set_run(run);
    request.set_priority(priority);
    request.set_weight(weight);
    v1::SetPriorityResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(operator_->SetPriority(&context, request, &response)));
    return coordinator::Share{response.share().priority(), response.share().weight()};
  }

  absl::StatusOr<uint32_t> Drain(const std::string& worker) override {
    v1::DrainRequest request;
    request.set_worker(worker);
    v1::DrainResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(operator_->Drain(&context, request, &response)));
    return response.workers();
  }

  absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::string>& line) override {
    v1::FreeLinesRequest request;
    request.set_run(run);
    if (line) request.set_line(*line);
    v1::FreeLinesResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(operator_->FreeLines(&context, request, &response)));
    return response.lines();
  }

  absl::StatusOr<uint32_t> BlockWorker(const std::string& worker, const std::string& reason,
                                       bool unseen) override {
    v1::BlockWorkerRequest request;
    request.set_worker(worker);
    request.set_reason(reason);
    request.set_unseen(unseen);
    v1::BlockWorkerResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(operator_->BlockWorker(&context, request, &response)));
    return response.leases();
  }

  absl::Status UnblockWorker(const std::string& worker, bool keep_games_out) override {
    v1::UnblockWorkerRequest request;
    request.set_worker(worker);
    request.set_keep_games_out(keep_games_out);
    v1::UnblockWorkerResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    return Checked(operator_->UnblockWorker(&context, request, &response));
  }

  absl::StatusOr<Undrained> Undrain(const std::string& worker) override {
    v1::DrainRequest request;
    request.set_worker(worker);
    v1::DrainResponse response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(operator_->Undrain(&context, request, &response)));
    return Undrained{.lifted = response.lifted(), .workers = response.workers()};
  }

  absl::StatusOr<coordinator::ClusterStatus> GetStatus(RunId run) override {
    v1::GetStatusRequest request;
    request.set_run(run);
    v1::Status response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(reader_->GetStatus(&context, request, &response)));
    return FromWire(response, *rules_);
  }

  absl::Status WatchStatus(
      RunId run, absl::Duration interval,
      const std::function<bool(const coordinator::ClusterStatus&)>& visit) override {
    v1::WatchStatusRequest request;
    request.set_run(run);
    request.set_interval_ms(static_cast<uint32_t>(absl::ToInt64Milliseconds(interval)));
    // One long call after another: the caller may watch without limit.
    for (;;) {
      grpc::ClientContext context;
      SetDeadline(context, kWatch);
      const auto reader = reader_->WatchStatus(&context, request);
      v1::Status message;
      absl::Status result;
      while (reader->Read(&message)) {
        const absl::StatusOr<coordinator::ClusterStatus> status = FromWire(message, *rules_);
        result = status.status();
        if (status.ok() && visit(*status)) continue;
        context.TryCancel();
        reader->Finish();
        return result;
      }
      result = Checked(reader->Finish());
      if (!absl::IsDeadlineExceeded(result)) return result;
    }
  }

  absl::StatusOr<coordinator::PositionEvidence> GetPosition(RunId run,
                                                            const std::string& position) override {
    v1::GetPositionRequest request;
    request.set_run(run);
    request.set_position(position);
    v1::PositionEvidence response;
    grpc::ClientContext context;
    SetDeadline(context, kShort);
    RETURN_IF_ERROR(Checked(reader_->GetPosition(&context, request, &response)));
    return FromWire(response, *rules_);
  }

  absl::StatusOr<coordinator::SpendingReport> GetSpending(RunId run, uint32_t most) override {
    v1::GetSpendingRequest request;
    request.set_run(run);
    request.set_most(most);
    v1::Spending response;
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    RETURN_IF_ERROR(Checked(reader_->GetSpending(&context, request, &response)));
    return FromWire(response, *rules_);
  }

  absl::StatusOr<coordinator::ExportedFile> ExportBook(RunId run,
                                                       const std::string& format) override {
    v1::ExportBookRequest request;
    request.set_run(run);
    request.set_format(format);
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    const auto reader = reader_->ExportBook(&context, request);
    coordinator::ExportedFile book;
    v1::ExportBookChunk chunk;
    while (reader->Read(&chunk)) {
      book.bytes += chunk.data();
      book.positions += chunk.positions();
      book.moves += chunk.moves();
      book.warnings.insert(book.warnings.end(), chunk.warnings().begin(), chunk.warnings().end());
      book.notes.insert(book.notes.end(), chunk.notes().begin(), chunk.notes().end());
    }
    RETURN_IF_ERROR(Checked(reader->Finish()));
    return book;
  }

  absl::Status ListGames(RunId run, uint64_t after, uint32_t limit,
                         const std::function<void(const ListedGame&)>& visit) override {
    v1::ListGamesRequest request;
    request.set_run(run);
    request.set_after_commit_seq(after);
    request.set_limit(limit);
    grpc::ClientContext context;
    SetDeadline(context, kLong);
    const auto reader = reader_->ListGames(&context, request);
    v1::GameRow row;
    while (reader->Read(&row)) {
      visit({.commit_seq = row.commit_seq(),
             .lease = row.lease(),
             .slot = row.slot(),
             .stage = row.stage(),
             .worker = row.worker(),
             .start = row.start(),
             .moves = row.moves(),
             .book_plies = row.book_plies(),
             .ending = {static_cast<Result>(row.result()),
                        static_cast<Termination>(row.termination())},
             .nodes = row.nodes(),
             .scores = {row.scores().begin(), row.scores().end()},
             .own = row.own_side() == v1::SIDE_BLACK   ? std::optional(Color::kFirst)
                    : row.own_side() == v1::SIDE_WHITE ? std::optional(Color::kSecond)
                                                       : std::nullopt,
             .pair = row.pair(),
             .attempt = row.attempt(),
             .excluded = row.excluded(),
             .fault = row.fault(),
             .used = UsesOf(row)});
    }
    return Checked(reader->Finish());
  }

 private:
  // A channel without credentials or address fails every call.
  static std::shared_ptr<grpc::Channel> Connect(const std::string& address, const ClientTls& tls) {
    grpc::ChannelArguments arguments = ChannelArgumentsFor(tls);
    arguments.SetMaxReceiveMessageSize(64 << 20);  // the status of thousands of workers
    return grpc::CreateCustomChannel(address, tls.credentials, arguments);
  }

  // Sends a file in pieces, the first with what `request` says of it.
  template <typename Request>
  absl::Status Upload(grpc::ClientWriter<Request>& writer, Request request,
                      const std::string& bytes) const {
    constexpr size_t kPiece = 1 << 20;
    request.set_size(bytes.size());
    const Sha256 sha256 = Sha256Of(bytes);
    request.set_sha256(std::string(sha256.begin(), sha256.end()));
    bool goes_on = true;
    size_t at = 0;
    do {
      request.set_data(bytes.substr(at, kPiece));
      goes_on = writer.Write(request);
      request.Clear();
      at += kPiece;
    } while (goes_on && at < bytes.size());
    if (goes_on) writer.WritesDone();
    return Checked(writer.Finish());
  }

  absl::Status Checked(const grpc::Status& status) const {
    RETURN_IF_ERROR(unusable_);
    return StatusOfCall(status, address_, secure_);
  }

  const std::string address_;
  const absl::Status unusable_;  // error of our certificate, or of the address
  const bool secure_;
  const Rules* rules_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::OperatorService::Stub> operator_ =
      v1::OperatorService::NewStub(channel_);
  const std::unique_ptr<v1::ReaderService::Stub> reader_ = v1::ReaderService::NewStub(channel_);
};

}  // namespace

bool IsGone(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

std::unique_ptr<Cluster> Cluster::At(const Connection& connection, const Rules& rules) {
  return std::make_unique<GrpcCluster>(connection, MakeClientTls(connection.tls, absl::Now()),
                                       rules);
}

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Reach(const Connection& connection) {
  ASSIGN_OR_RETURN(const Rules* const rules, RulesOf(book::kDefaultGame));
  auto cluster =
      std::make_unique<GrpcCluster>(connection, MakeClientTls(connection.tls, absl::Now()), *rules);
  RETURN_IF_ERROR(cluster->LearnGame());
  return cluster;
}

}  // namespace joseki::cli
