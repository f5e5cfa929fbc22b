// What operators and readers ask for.

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/folding.h"
#include "book/stats/interval.h"
#include "coordinator/coordinator.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/book_answer.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/evaluation_store.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMaxLinesShown = 100;
constexpr size_t kRevokedAtOnce = 8;  // that end, before somebody else gets the mutex

absl::Status UnknownRun(RunId run) {
  return MakeProblem(
      {.code = "unknown_run", .found = absl::StrCat("run ", run), .expected = "a run"},
      absl::StatusCode::kNotFound);
}

// The book as it is now, frozen; for a run that folds colours, it knows each position turned, too.
absl::StatusOr<book::Graph> FreezeBook(const std::string& db_path, const Rules& rules,
                                       const RunSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  book::BookStore book(*store);
  ASSIGN_OR_RETURN(book::Graph graph, book.LoadGraph(rules));
  if (!book::AsksToFold(spec.policy_options)) return graph;
  ASSIGN_OR_RETURN(const std::vector<book::MarkedMove> marks, book.Marks());
  book::ForbiddenMoves forbidden;
  for (const book::MarkedMove& marked : marks) {
    if (marked.mark == book::kForbidden) forbidden.emplace(marked.position, marked.move);
  }
  return book::Fold(rules, graph, forbidden);
}

// Whether the book is what the run froze.
absl::Status CheckBookIs(const std::string& db_path, const Rules& rules, const RunSpec& spec,
                         RunId run, const Sha256& snapshot) {
  ASSIGN_OR_RETURN(const book::Graph graph, FreezeBook(db_path, rules, spec));
  if (Sha256Of(graph.Serialize()) == snapshot) return absl::OkStatus();
  return MakeProblem({.code = "book_changed",
                      .found = absl::StrCat("a book that has changed since run ", run, " began"),
                      .expected = "the book that the run froze"},
                     absl::StatusCode::kFailedPrecondition);
}

// A run that goes on needs its games: they are read again when a worker is blocked.
absl::Status CheckGamesAreHere(const std::string& db_path, RunId run) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(*store, run));
  const bool dropped = std::any_of(archives.begin(), archives.end(),
                                   [](const ArchiveRow& archive) { return archive.dropped; });
  if (!dropped) return absl::OkStatus();
  return MakeProblem({.code = "games_dropped",
                      .found = absl::StrCat("run ", run, ", games of which are in archives alone"),
                      .expected = "its games in the book (`joseki archive put-back`)"},
                     absl::StatusCode::kFailedPrecondition);
}

// What searches of earlier runs say of a new run's book, beside what it was imported with.
absl::Status FindEvaluations(const std::string& db_path, const Rules& rules, book::NodeId start,
                             LoadedRun& run) {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(run.priors.shared, LastEvaluation(*store));
  ASSIGN_OR_RETURN(
      Evaluations evaluations,
      LoadEvaluations(*store, rules, run.row, run.graph, start, run.priors.shared, run.imported));
  evaluations.SetTrust(run.trust);
  run.evaluations = std::make_shared<Evaluations>(std::move(evaluations));
  return absl::OkStatus();
}

// Finds out what a new run takes over, and credits it.
absl::Status TakeOver(RunStore& rows, const Rules& rules, book::NodeId start, LoadedRun& run) {
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  std::optional<TakenOver>& taken = run.row.spec.taken_over;
  ASSIGN_OR_RETURN(taken, FindTakenOver(rows, run.row.spec));
  if (!taken) return absl::OkStatus();
  uint64_t games = 0;
  RETURN_IF_ERROR(ForEachTakenOver(
      rows, rules, run.row.spec, *run.graph, start, run.trust, [&](const book::TunedGame& game) {
        if (!run.tuner->Seen(game.moves_hash)) run.seen.push_back(game.moves_hash);
        run.changed.insert(run.changed.end(), game.edges.begin(), game.edges.end());
        run.tuner->Apply(game);
        ++games;
      }));
  taken->games = games;
  if (games == 0) taken.reset();
  return absl::OkStatus();
}

// Where every position has one move there is nothing to tune.
absl::Status CheckChoice(const book::Graph& graph, book::NodeId start) {
  std::vector<book::NodeId> open = {start};
  std::vector<bool> seen(graph.node_count());
  seen[start] = true;
  while (!open.empty()) {
    const book::Graph::Stop& at = graph.stop(open.back());
    open.pop_back();
    if (at.count > 1) return absl::OkStatus();
    for (book::EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
      const book::NodeId to = graph.target(edge);
      if (to == book::kNoNode || seen[to]) continue;
      seen[to] = true;
      open.push_back(to);
    }
  }
  return MakeProblem({.code = "no_choice",
                      .found = "a book with one move in every position that lines come to",
                      .expected = "a position with two book moves, to choose between"},
                     absl::StatusCode::kFailedPrecondition);
}

}  // namespace

absl::StatusOr<Coordinator::CreatedRun> Coordinator::CreateRun(const RunSpec& wanted,
                                                               const std::string& request_id) {
  RunSpec spec = wanted;
  if (spec.start.empty()) spec.start = "startpos";
  RETURN_IF_ERROR(CheckSpec(rules_, spec));
  const std::lock_guard one_at_a_time(create_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    RETURN_IF_ERROR(RefuseOnFullDisk());
    for (const auto& [id, run] : runs_) {
      if (request_id.empty() || run.request_id != request_id) continue;
      const book::Graph& graph = run.state.graph();
      return CreatedRun{id, graph.node_count(), graph.edge_count()};
    }
  }
  book::Graph graph;  // a match asks none of ours
  if (!spec.match) {
    ASSIGN_OR_RETURN(graph, FreezeBook(options_.db_path, rules_, spec));
  }
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules_, graph, spec));
  if (!spec.match) RETURN_IF_ERROR(CheckChoice(graph, start));
  const auto bytes = std::make_shared<const std::string>(graph.Serialize());
  const auto links = std::make_shared<const std::string>(graph.SerializeLinks());

  LoadedRun fresh;
  fresh.row.request_id = request_id;
  fresh.row.spec = spec;
  fresh.row.snapshot = Sha256Of(*bytes);
  fresh.row.created_ms = NowMs();
  fresh.graph = std::make_shared<const book::Graph>(std::move(graph));
  ASSIGN_OR_RETURN(fresh.policy, PolicyOf(spec));
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Orbits> orbits,
                   book::OrbitsFor(rules_, *fresh.graph, spec.policy_options));
  fresh.tuner = std::make_unique<book::Tuner>(fresh.graph, fresh.policy, /*priors=*/nullptr,
                                              std::move(orbits));
  {
    const std::lock_guard lock(mutex_);
    fresh.row.run = marks_.run++;
    // What is in the database so far is of other runs.
    fresh.row.stage_seq = 0;
    fresh.row.trust_change = trust_.change();
    fresh.trust = trust_;
  }
  {
    ASSIGN_OR_RETURN(const auto store,
                     book::Store::Open(options_.db_path, book::OpenMode::kReadOnly));
    RunStore rows(*store);
    ASSIGN_OR_RETURN(fresh.opponent, OpponentBook(rows, rules_, spec));
    if (spec.match) {
      RETURN_IF_ERROR(CheckMatchBooks(rows, spec));
    } else {
      ASSIGN_OR_RETURN(book::ImportedValues imported,
                       book::BookStore(*store).ReadImportedValues(*fresh.graph));
      fresh.imported = std::make_shared<const book::ImportedValues>(std::move(imported));
    }
    if (spec.take_over) {
      RETURN_IF_ERROR(Flush());  // which runs are over may not have been written yet
      RETURN_IF_ERROR(TakeOver(rows, rules_, start, fresh));
    }
  }
  fresh.tuner->ComputeValues();
  if (HasPriors(spec, *fresh.policy, *fresh.imported)) {
    RETURN_IF_ERROR(FindEvaluations(options_.db_path, rules_, start, fresh));
  }
  if (spec.line_searches.wanted()) {
    ASSIGN_OR_RETURN(LineSearches searches,
                     LineSearches::Make(rules_, fresh.graph, spec, kEvaluationAttempts));
    fresh.line_searches = std::make_shared<LineSearches>(std::move(searches));
  }
  const RunRow row = fresh.row;
  const auto imported = fresh.imported;
  const CreatedRun created{row.run, fresh.graph->node_count(), fresh.graph->edge_count()};
  auto state = std::make_shared<std::optional<RunState>>();
  state->emplace(std::move(fresh), start,
                 RunState::Options{.attempts_per_line = options_.attempts_per_line});
  (*state)->BeginPriors();
  const std::vector<PriorSet> priors = (*state)->TakeNewPriors();
  if (spec.play.re_entry) (*state)->BeginWeights();
  const auto weights = std::make_shared<const std::vector<NewWeights>>((*state)->TakeNewWeights());

  std::promise<absl::Status> committed;
  Writer::Job job;
  job.write = [row, bytes, links, imported, priors, weights](Writer::Batch& batch) -> absl::Status {
    RETURN_IF_ERROR(batch.rows.InsertSnapshot(row.snapshot, *bytes, *links));
    RETURN_IF_ERROR(InsertImportedValues(batch.rows.store(), row.run, *imported));
    for (const PriorSet& set : priors) {
      RETURN_IF_ERROR(InsertPriorSet(batch.rows.store(), set));
    }
    for (const NewWeights& version : *weights) {
      RETURN_IF_ERROR(WriteWeights(batch.rows.store(), version));
    }
    return batch.rows.InsertRun(row);
  };
  job.done = [this, state, row, weights, &committed](absl::Status status) {
    Calls calls;
    if (status.ok()) {
      const std::lock_guard lock(mutex_);
      for (const NewWeights& version : *weights) {
        weights_.Put(version.run, version.version, version.after);
      }
      Run run{*std::move(*state), row.request_id, RateMeter(), 0, 0, VerificationOf(row.spec)};
      runs_.emplace(row.run, std::move(run));
      shares_.Set(row.run, row.spec.share);
      FindServers(row.run);
      ServeWaiters(calls);
    }
    RunCalls(calls);
    committed.set_value(std::move(status));
  };
  if (!writer_->Push(std::move(job))) {
    return absl::ResourceExhaustedError("the writer's queue is full");
  }
  RETURN_IF_ERROR(Await(committed.get_future()));
  spdlog::info("run_created run={} policy={} games={} positions={} moves={} taken_over={}",
               created.run, spec.policy, spec.games, created.positions, created.moves,
               row.spec.taken_over ? row.spec.taken_over->games : 0);
  return created;
}

absl::StatusOr<Sha256> Coordinator::PutBook(const std::string& bytes) {
  ASSIGN_OR_RETURN(const book::Graph graph, book::Graph::Parse(rules_, bytes));
  if (graph.edge_count() == 0) {
    return MakeProblem({.code = "empty_book",
                        .found = "a book without moves",
                        .expected = "a book that can be played from"},
                       absl::StatusCode::kFailedPrecondition);
  }
  const Sha256 sha256 = Sha256Of(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    RETURN_IF_ERROR(RefuseOnFullDisk());
  }
  const auto links = std::make_shared<const std::string>(graph.SerializeLinks());
  const auto kept = std::make_shared<const std::string>(bytes);
  std::promise<absl::Status> committed;
  Writer::Job job;
  job.write = [sha256, kept, links](Writer::Batch& batch) {
    return batch.rows.InsertSnapshot(sha256, *kept, *links);
  };
  job.done = [&committed](absl::Status status) { committed.set_value(std::move(status)); };
  if (!writer_->Push(std::move(job))) {
    return absl::ResourceExhaustedError("the writer's queue is full");
  }
  RETURN_IF_ERROR(Await(committed.get_future()));
  spdlog::info("book_put sha256={} positions={} moves={}", Hex(sha256), graph.node_count(),
               graph.edge_count());
  return sha256;
}

absl::StatusOr<std::string> Coordinator::PauseRun(RunId run) { return ChangeState(run, "paused"); }
absl::StatusOr<std::string> Coordinator::ResumeRun(RunId run) {
  return ChangeState(run, "running");
}
absl::StatusOr<std::string> Coordinator::StopRun(RunId run) { return ChangeState(run, "stopped"); }

absl::StatusOr<std::string> Coordinator::ChangeState(RunId id, const std::string& state) {
  Calls calls;
  std::string now;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    Run* run = FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    const std::string before = run->state.row().state;
    if (!run->state.SetState(state, "")) {
      return MakeProblem({.code = "run_state",
                          .found = absl::StrCat("run ", id, " is ", before),
                          .expected = "a run that is running or paused"},
                         absl::StatusCode::kFailedPrecondition);
    }
    ledger_.Owe(run->state.row());
    while (state == "stopped") {
      const std::vector<LeaseTable::Ended> ended = leases_.Revoke(id, kRevokedAtOnce);
      if (ended.empty()) break;
      EndLeases(ended, LeaseState::kGivenBack);
      mutex_.LetOthers();
    }
    FollowUp(*run, /*changed=*/true);
    now = run->state.row().state;
    ServeWaiters(calls);
  }
  RunCalls(calls);
  RETURN_IF_ERROR(Flush());
  spdlog::info("run_state run={} state={}", id, now);
  return now;
}

absl::StatusOr<ExtendedRun> Coordinator::ExtendRun(RunId id, const MoreToPlay& more) {
  const std::lock_guard one_at_a_time(create_mutex_);
  RunSpec spec;
  Sha256 snapshot{};
  bool repeated = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    RETURN_IF_ERROR(RefuseOnFullDisk());
    const Run* const run = FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    spec = run->state.spec();
    snapshot = run->state.row().snapshot;
    repeated =
        !more.request_id.empty() && spec.extension && spec.extension->request_id == more.request_id;
  }
  if (!repeated) {
    RETURN_IF_ERROR(CheckGamesAreHere(options_.db_path, id));
    if (more.same_book) {
      RETURN_IF_ERROR(CheckBookIs(options_.db_path, rules_, spec, id, snapshot));
    }
  }
  ExtendedRun extended;
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    Run& run = *FindRun(id);
    if (!repeated) {
      RETURN_IF_ERROR(run.state.Extend(more));
      FindServers(id);
      FollowUp(run, /*changed=*/true);
      ServeWaiters(calls);
    }
    extended = {run.state.row().state, run.state.spec()};
  }
  RunCalls(calls);
  RETURN_IF_ERROR(Flush());
  const Extension& by = *extended.spec.extension;
  spdlog::info("run_extended run={} state={} after={} games={} seconds={} regardless={}", id,
               extended.state, by.after, extended.spec.games, extended.spec.seconds, by.regardless);
  return extended;
}

absl::StatusOr<uint32_t> Coordinator::FreeLines(RunId id,
                                                const std::optional<std::vector<Move>>& line) {
  Calls calls;
  size_t freed = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    Run* const run = FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    freed = run->state.FreeLines(line, marks_.lease);
    if (line && freed == 0) {
      return MakeProblem({.code = "line_not_left_out",
                          .found = absl::StrCat("a line of run ", id, " that may be played"),
                          .expected = "one that `joseki run show` calls left out"},
                         absl::StatusCode::kNotFound);
    }
    FollowUp(*run, /*changed=*/true);
    ServeWaiters(calls);
  }
  RunCalls(calls);
  RETURN_IF_ERROR(Flush());
  spdlog::info("lines_freed run={} lines={}", id, freed);
  return static_cast<uint32_t>(freed);
}

absl::Status Coordinator::Flush() {
  std::promise<absl::Status> committed;
  Writer::Job job;
  job.write = [](Writer::Batch&) { return absl::OkStatus(); };
  job.done = [&committed](absl::Status status) { committed.set_value(std::move(status)); };
  if (!writer_->Push(std::move(job))) {
    return absl::ResourceExhaustedError("the writer's queue is full");
  }
  return Await(committed.get_future());
}

absl::Status Coordinator::Await(std::future<absl::Status> written) {
  if (!options_.own_threads) writer_->RunQueued();
  return written.get();
}

absl::StatusOr<Share> Coordinator::SetPriority(RunId id, uint32_t priority, uint32_t weight) {
  Share share;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ShuttingDown();
    Run* const run = FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    share = run->state.spec().share;
    share.priority = std::min(priority, kMaxPriority);
    if (weight != 0) share.weight = std::min(weight, kMaxWeight);
    run->state.SetShare(share);
    shares_.Set(id, share);
    ledger_.Owe(run->state.row());
  }
  RETURN_IF_ERROR(Flush());
  spdlog::info("run_share run={} priority={} weight={}", id, share.priority, share.weight);
  return share;
}

int Coordinator::Drain(const std::string& worker) {
  int told = 0;
  Calls calls;
  AcquireOutput answer;
  answer.drain = true;
  {
    const std::lock_guard lock(mutex_);
    if (worker.empty()) draining_ = true;
    for (const auto& [id, session] : sessions_.all()) {
      if (!worker.empty() && session.worker != worker) continue;
      if (!worker.empty()) drained_.insert(worker);
      ReplyToHeld(id, answer, calls);
      ++told;
    }
  }
  RunCalls(calls);
  spdlog::info("drain worker={} told={}", worker.empty() ? "all" : worker, told);
  return told;
}

int Coordinator::Undrain(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  const auto draining = [this] {
    return std::count_if(sessions_.all().begin(), sessions_.all().end(),
                         [this](const auto& entry) { return MustDrain(entry.second); });
  };
  const auto before = draining();
  if (worker.empty()) {
    draining_ = false;
    drained_.clear();
  } else {
    drained_.erase(worker);
  }
  const int told = static_cast<int>(before - draining());
  spdlog::info("undrain worker={} told={}", worker.empty() ? "all" : worker, told);
  return told;
}

absl::Status Coordinator::AdmitReader() {
  const std::lock_guard lock(mutex_);
  NoteLoad(Now());
  if (!pressure_.Sheds(Pressure::Level::kNoReaders)) return absl::OkStatus();
  return Later(MakeProblem({.code = "too_busy",
                            .found = "games that wait for the disk",
                            .expected = "the same call again a little later"},
                           absl::StatusCode::kResourceExhausted),
               lock);
}

bool Coordinator::draining() const {
  const std::lock_guard lock(mutex_);
  return draining_;
}

RunStatus Coordinator::StatusOf(const Run& run, absl::Time now) const {
  const RunState& state = run.state;
  const RunRow& row = state.row();
  const RunCounters& counters = state.counters();
  RunStatus status;
  status.run = row.run;
  status.spec = row.spec;
  status.state = row.state;
  status.reason = row.reason;
  const std::string& problem = storage_problem_.empty() ? disk_problem_ : storage_problem_;
  if (!problem.empty() && state.running()) {
    status.state = "paused";
    status.reason = problem;
  }
  status.stages = static_cast<uint32_t>(state.stages());
  status.stage = static_cast<uint32_t>(row.stage) + 1;
  if (status.stages > 0) status.stage = std::min(status.stage, status.stages);
  status.games_done = counters.games;
  status.games_per_second = run.rate.PerSecond(now);
  status.leases = leases_.LiveLeases(row.run);
  status.slots_in_flight = leases_.OpenSlots(row.run);
  status.faults = counters.faults;
  status.draws = counters.draws;
  status.duplicates = run.duplicates;
  status.conflicts = run.conflicts;
  status.stale_accepted = counters.stale;
  status.poisoned_lines = state.poisoned_lines();
  status.gain_left = state.gain_left();
  status.answers_changed = state.answers_changed();
  status.resting_lines = state.resting_lines();
  status.servers = run.servers;
  status.terminations = counters.terminations;
  status.think_seconds = static_cast<double>(counters.think_ms) / 1000;
  status.resign_checked = counters.resign_checked;
  status.resign_wrong = counters.resign_wrong;
  if (const Evaluations* const evaluations = state.evaluations()) {
    const Evaluations::Count& count = evaluations->count();
    status.priors = {.version = state.priors().version,
                     .positions = count.positions,
                     .done = count.done,
                     .unscored = count.unscored,
                     .failed = count.failed,
                     .older = count.older,
                     .open = static_cast<uint32_t>(evaluations->open()),
                     .scale = state.priors().model.scale,
                     .games = 1e-3 * state.priors().model.milli_games};
  }
  if (const LineSearches* const searches = state.line_searches()) {
    status.line_searches = {.games = searches->games_spent(),
                            .answers = searches->repertoire().answers(),
                            .trials = searches->repertoire().trials(),
                            .in_answers = searches->games_spent(book::TaskKind::kAnswer),
                            .in_replies = searches->games_spent(book::TaskKind::kReply),
                            .in_trials = searches->games_spent(book::TaskKind::kTrial)};
    if (const auto recent = searches->repertoire().course().Recent()) {
      status.line_searches->expected = recent->score;
    }
  }
  AddTrust(run, status);
  if (state.running() && row.spec.games > 0 && status.games_per_second > 0) {
    // Searches take their part of the time that a game takes.
    const uint64_t spent = status.games_spent();
    const double each =
        static_cast<double>(spent) / static_cast<double>(std::max<uint64_t>(counters.games, 1));
    const uint64_t left = row.spec.games - std::min(row.spec.games, spent);
    status.eta_seconds = static_cast<double>(left) / (status.games_per_second * each);
  }
  if (state.running() && row.spec.seconds > 0) {
    const double left = std::max(
        0.0, static_cast<double>(row.spec.seconds) - static_cast<double>(row.played_ms) / 1000);
    if (status.eta_seconds < 0 || left < status.eta_seconds) status.eta_seconds = left;
  }
  return status;
}

namespace {

// Whoever joined again while the others were told of is there twice, the last time as he is.
void DropSuperseded(std::vector<WorkerStatus>& workers) {
  std::map<std::string, SessionId> newest;
  for (const WorkerStatus& worker : workers) {
    SessionId& session = newest[worker.worker];
    session = std::max(session, worker.session);
  }
  std::erase_if(workers, [&](const WorkerStatus& worker) {
    return worker.session != 0 && worker.session != newest.at(worker.worker);
  });
}

}  // namespace

ClusterStatus Coordinator::GetOwnStatus() const {
  ClusterStatus status;
  status.game = rules_.game();
  status.epoch = epoch_;
  status.uptime = clock_.Now() - started_;
  status.commit_ms = absl::ToDoubleMilliseconds(writer_->last_commit());
  status.queued_games = writer_->queued_games();
  return status;
}

ClusterStatus Coordinator::GetStatus(RunId only) const {
  ClusterStatus status = GetOwnStatus();
  const absl::Time now = clock_.Now();
  Residuals::Yardstick yardstick;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, run] : runs_) {
      if (only == 0 || only == id) status.runs.push_back(StatusOf(run, now));
      if (only != id) continue;
      status.runs.back().poisoned = run.state.Poisoned(kMaxLinesShown);
      status.runs.back().resting = run.state.Resting(kMaxLinesShown);
      status.runs.back().not_served = WhyNotServed(run);
    }
    yardstick = residuals_.Measure();
  }
  // Ten thousand workers take longer than anybody may have to wait for the tables.
  const std::lock_guard lock(mutex_);
  for (std::optional<SessionId> last = 0; last;) {
    last = AddSessions(status, *last, yardstick, now);
    mutex_.LetOthers();
  }
  AddOtherWorkers(status, yardstick, now);
  DropSuperseded(status.workers);
  return status;
}

absl::StatusOr<PositionEvidence> Coordinator::GetPosition(RunId id, const std::string& text) const {
  const std::lock_guard lock(mutex_);
  const Run* run = FindRun(id);
  if (run == nullptr) return UnknownRun(id);
  const RunState& state = run->state;
  const std::string& position = text.empty() ? state.spec().start : text;
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> game,
                   rules_.Start(position, state.spec().play.match));
  const book::Graph& graph = state.graph();
  const book::NodeId node = graph.Find(game->key());
  // Where searches along lines say anything, they are what the exported book plays.
  const LineSearches* const searches = state.line_searches();
  const bool searched = searches != nullptr && searches->say_something();
  const std::vector<book::Repertoire::Answer> found =
      searched ? searches->repertoire().CandidatesAt(game->key())
               : std::vector<book::Repertoire::Answer>();
  if (node == book::kNoNode && found.empty()) {
    return MakeProblem({.code = "not_in_book",
                        .found = Quote(position, 200),
                        .expected = "a position of the run's book"},
                       absl::StatusCode::kNotFound);
  }
  PositionEvidence evidence;
  evidence.commit_seq = state.commit_seq();
  evidence.position = node == book::kNoNode
                          ? game->text()
                          : rules_.Text(graph.node(node).packed, graph.node(node).ply);
  if (node != book::kNoNode) {
    const book::Choices choices = state.tuner().choices(node);
    const std::span<const book::Arm> arms = choices.arms;
    const std::span<const book::Graph::Edge> edges = graph.moves(node);
    const size_t answer = arms.empty() ? 0 : state.answer().At(node, choices);
    // The book ends where searches say nothing, but where it was imported with values.
    const bool imported = book::BestImported(graph, state.answer().imported, node) != book::kNoEdge;
    const bool answers = !searched || (found.empty() && imported);
    for (size_t i = 0; i < arms.size(); ++i) {
      MoveEvidence& move = evidence.moves.emplace_back();
      move.move = edges[i].move;
      move.weight = state.policy().Weight(choices, i);
      move.evidence = arms[i].evidence;
      const book::Interval interval =
          book::Wilson(arms[i].evidence.wins, arms[i].evidence.decided());
      move.score_low = interval.low;
      move.score_high = interval.high;
      move.base_weight = arms[i].base_weight;
      move.in_flight = arms[i].in_flight;
      move.answer = answers && i == answer;
    }
  }
  for (const book::Repertoire::Answer& candidate : found) {
    auto at = std::find_if(evidence.moves.begin(), evidence.moves.end(),
                           [&](const MoveEvidence& move) { return move.move == candidate.move; });
    if (at == evidence.moves.end()) {
      at = evidence.moves.insert(at, MoveEvidence{.move = candidate.move, .evidence = {}});
    }
    at->answer = &candidate == &found.front();
    at->expected = candidate.value;
    at->weight = candidate.value;
    at->trials = candidate.trials;
  }
  std::stable_sort(evidence.moves.begin(), evidence.moves.end(),
                   [](const MoveEvidence& a, const MoveEvidence& b) {
                     return std::tuple(a.expected.has_value(), a.weight) >
                            std::tuple(b.expected.has_value(), b.weight);
                   });
  return evidence;
}

absl::StatusOr<std::string> Coordinator::WeightsDelta(RunId run, uint32_t have, uint32_t version) {
  return weights_.Delta(run, have, version);
}

uint64_t Coordinator::workers() const {
  const std::lock_guard lock(mutex_);
  return sessions_.all().size();
}

}  // namespace joseki::coordinator
