#include "coordinator/operator_calls.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/core/course.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "coordinator/core/verify.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/run_making.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kRevokedAtOnce = 8;  // leases ended before others get the mutex

// An event that changes a run: change(Tables&, ActiveRun&) returns whether it may.
template <typename Change>
absl::Status ChangeRun(Gate& gate, RunId id, Change change) {
  return gate.Do([&](Tables& tables) -> absl::Status {
    if (tables.stopping) return ShuttingDown();
    ActiveRun* const run = tables.FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    return change(tables, *run);
  });
}

// Puts a committed run into the tables: slots are granted from now on.
void EnterRun(Tables& tables, RunState&& state, const NewRunRows& rows) {
  const RunId id = rows.row.run;
  for (const NewWeights& version : rows.weights) {
    tables.effects.weights.push_back({version.run, version.version, version.after});
  }
  ActiveRun run{.state = std::move(state),
                .request_id = rows.row.request_id,
                .rate = {},
                .verification = VerificationOf(rows.row.spec)};
  tables.runs.emplace(id, std::move(run));
  tables.shares.Set(id, rows.row.spec.share);
  FindServers(tables, id);
  tables.effects.serve = true;
}

}  // namespace

// ---- Runs ----

absl::StatusOr<OperatorCalls::CreatedRun> OperatorCalls::CreateRun(const RunSpec& wanted,
                                                                   const std::string& request_id) {
  // 1. Check: the specification is complete and keeps its bounds.
  RunSpec spec = wanted;
  if (spec.start.empty()) spec.start = "startpos";
  RETURN_IF_ERROR(CheckSpec(setting_.rules, spec));

  // 2. Admit: one call at a time; a repeated request gets the reply of the first.
  const std::lock_guard lock(one_at_a_time_);
  std::optional<CreatedRun> before;
  const absl::Status admitted = gate_.Do([&](Tables& tables) -> absl::Status {
    if (tables.stopping) return ShuttingDown();
    RETURN_IF_ERROR(RefuseOnFullDisk(tables));
    for (const auto& [id, run] : tables.runs) {
      if (request_id.empty() || run.request_id != request_id) continue;
      const book::Graph& its_book = *run.state.book().graph;
      before = CreatedRun{id, its_book.node_count(), its_book.edge_count()};
      break;
    }
    return absl::OkStatus();
  });
  RETURN_IF_ERROR(admitted);
  if (before) return *before;

  // 3. Freeze the book, without the tables.
  ASSIGN_OR_RETURN(NewRun fresh, BeginNewRun(setting_.options.db_path, setting_.rules, spec));
  LoadedRun& loaded = fresh.loaded;
  loaded.row.request_id = request_id;
  loaded.row.created_ms = absl::ToUnixMillis(setting_.wall.Now());

  // 4. Number it, and record the current trust.
  gate_.Do([&](Tables& tables) {
    loaded.row.run = tables.marks.run++;
    loaded.row.stage_seq = 0;  // every game in the database so far is another run's
    loaded.row.trust_change = tables.standing.trust.change();
    loaded.trust = tables.standing.trust;
  });

  // 5. Read the database's knowledge for it. Finished runs may still be owed to the database.
  if (spec.take_over) RETURN_IF_ERROR(Flush());
  RETURN_IF_ERROR(ReadKnown(setting_.options.db_path, setting_.rules, fresh));

  // 6. Make its state, with its first priors and weights.
  const CreatedRun created{loaded.row.run, loaded.graph->node_count(), loaded.graph->edge_count()};
  auto rows = std::make_shared<NewRunRows>();
  rows->row = loaded.row;
  rows->snapshot = std::move(fresh.snapshot);
  rows->links = std::move(fresh.links);
  rows->imported = loaded.imported;
  auto state = std::make_shared<RunState>(
      std::move(loaded), fresh.start,
      RunState::Options{.attempts_per_line = setting_.options.attempts_per_line});
  RunState::NewRows first = state->TakeNewRows();
  rows->priors = std::move(first.priors);
  rows->weights = std::move(first.weights);

  // 7. Commit its rows. 8. Put it into the tables: it plays from the commit on.
  Writer::Job job;
  job.write = [rows](Writer::Batch& batch) { return InsertNewRun(batch.rows, *rows); };
  job.done = [this, state, rows](const absl::Status& status) {
    if (status.ok()) gate_.Do([&](Tables& tables) { EnterRun(tables, std::move(*state), *rows); });
  };
  RETURN_IF_ERROR(writer_.Commit(std::move(job)));
  const std::optional<TakenOver>& taken = rows->row.spec.taken_over;
  spdlog::info("run_created run={} policy={} games={} positions={} moves={} taken_over={}",
               created.run, spec.policy, spec.games, created.positions, created.moves,
               taken ? taken->games : 0);
  return created;
}

absl::StatusOr<Sha256> OperatorCalls::PutBook(const std::string& bytes) {
  ASSIGN_OR_RETURN(const book::Graph graph, book::Graph::Parse(setting_.rules, bytes));
  if (graph.edge_count() == 0) {
    return MakeProblem({.code = "empty_book",
                        .found = "a book without moves",
                        .expected = "a book that can be played from"},
                       absl::StatusCode::kFailedPrecondition);
  }
  const Sha256 sha256 = Sha256Of(bytes);
  RETURN_IF_ERROR(gate_.Do(
      [](Tables& tables) { return tables.stopping ? ShuttingDown() : RefuseOnFullDisk(tables); }));
  const auto links = std::make_shared<const std::string>(graph.SerializeLinks());
  const auto kept = std::make_shared<const std::string>(bytes);
  Writer::Job job;
  job.write = [sha256, kept, links](Writer::Batch& batch) {
    return batch.rows.runs().InsertSnapshot(sha256, *kept, *links);
  };
  RETURN_IF_ERROR(writer_.Commit(std::move(job)));
  spdlog::info("book_put sha256={} positions={} moves={}", Hex(sha256), graph.node_count(),
               graph.edge_count());
  return sha256;
}

absl::StatusOr<std::string> OperatorCalls::PauseRun(RunId run) {
  return ChangeState(run, "paused");
}
absl::StatusOr<std::string> OperatorCalls::ResumeRun(RunId run) {
  return ChangeState(run, "running");
}
absl::StatusOr<std::string> OperatorCalls::StopRun(RunId run) {
  return ChangeState(run, "stopped");
}

absl::StatusOr<std::string> OperatorCalls::ChangeState(RunId id, const std::string& state) {
  RETURN_IF_ERROR(ChangeRun(gate_, id, [&](Tables& tables, ActiveRun& run) -> absl::Status {
    const std::string before = run.state.row().state;
    if (!run.state.SetState(state, "")) {
      return MakeProblem({.code = "run_state",
                          .found = absl::StrCat("run ", id, " is ", before),
                          .expected = "a run that is running or paused"},
                         absl::StatusCode::kFailedPrecondition);
    }
    tables.ledger.Owe(run.state.row());
    return absl::OkStatus();
  }));
  gate_.DoInPieces([&](Tables& tables) {
    if (state != "stopped") return false;
    const std::vector<LeaseTable::Ended> ended = tables.leases.Revoke(id, kRevokedAtOnce);
    EndLeases(tables, ended, LeaseState::kGivenBack);
    return !ended.empty();
  });
  const std::string now = gate_.Do([&](Tables& tables) {
    ActiveRun& run = tables.runs.at(id);
    FollowUp(tables, run, /*changed=*/true);
    tables.effects.serve = true;
    return run.state.row().state;
  });
  RETURN_IF_ERROR(Flush());
  spdlog::info("run_state run={} state={}", id, now);
  return now;
}

absl::StatusOr<ExtendedRun> OperatorCalls::ExtendRun(RunId id, const MoreToPlay& more) {
  const std::lock_guard lock(one_at_a_time_);
  RunSpec spec;
  Sha256 snapshot{};
  bool repeated = false;
  const absl::Status admitted = gate_.Do([&](Tables& tables) -> absl::Status {
    if (tables.stopping) return ShuttingDown();
    RETURN_IF_ERROR(RefuseOnFullDisk(tables));
    const ActiveRun* const run = tables.FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    spec = run->state.row().spec;
    snapshot = run->state.row().snapshot;
    repeated =
        !more.request_id.empty() && spec.extension && spec.extension->request_id == more.request_id;
    return absl::OkStatus();
  });
  RETURN_IF_ERROR(admitted);
  if (!repeated) {
    RETURN_IF_ERROR(CheckGamesAreHere(setting_.options.db_path, id));
    if (more.same_book) {
      RETURN_IF_ERROR(CheckBookIs(setting_.options.db_path, setting_.rules, spec, id, snapshot));
    }
  }
  ExtendedRun extended;
  const auto extend = [&](Tables& tables, ActiveRun& run) -> absl::Status {
    if (!repeated) {
      RETURN_IF_ERROR(run.state.Extend(more));
      FindServers(tables, id);
      FollowUp(tables, run, /*changed=*/true);
      tables.effects.serve = true;
    }
    extended = {run.state.row().state, run.state.row().spec};
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(ChangeRun(gate_, id, extend));
  RETURN_IF_ERROR(Flush());
  const Extension& by = *extended.spec.extension;
  spdlog::info("run_extended run={} state={} after={} games={} seconds={} regardless={}", id,
               extended.state, by.after, extended.spec.games, extended.spec.seconds, by.regardless);
  return extended;
}

absl::StatusOr<uint32_t> OperatorCalls::FreeLines(RunId id,
                                                  const std::optional<std::vector<Move>>& line) {
  size_t freed = 0;
  RETURN_IF_ERROR(ChangeRun(gate_, id, [&](Tables& tables, ActiveRun& run) -> absl::Status {
    freed = run.state.FreeLines(line, tables.marks.lease);
    if (line && freed == 0) {
      return MakeProblem({.code = "line_not_left_out",
                          .found = absl::StrCat("a line of run ", id, " that may be played"),
                          .expected = "one that `joseki run show` calls left out"},
                         absl::StatusCode::kNotFound);
    }
    FollowUp(tables, run, /*changed=*/true);
    tables.effects.serve = true;
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(Flush());
  spdlog::info("lines_freed run={} lines={}", id, freed);
  return static_cast<uint32_t>(freed);
}

absl::StatusOr<Share> OperatorCalls::SetPriority(RunId id, uint32_t priority, uint32_t weight) {
  Share share;
  RETURN_IF_ERROR(ChangeRun(gate_, id, [&](Tables& tables, ActiveRun& run) {
    share = run.state.row().spec.share;
    share.priority = std::min(priority, kMaxPriority);
    if (weight != 0) share.weight = std::min(weight, kMaxWeight);
    run.state.SetShare(share);
    tables.shares.Set(id, share);
    tables.ledger.Owe(run.state.row());
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(Flush());
  spdlog::info("run_share run={} priority={} weight={}", id, share.priority, share.weight);
  return share;
}

// ---- Workers ----

int OperatorCalls::Drain(const std::string& worker) {
  AcquireOutput answer;
  answer.drain = true;
  const int told = gate_.Do([&](Tables& tables) {
    int concerned = 0;
    if (worker.empty()) tables.drain.all = true;
    for (const auto& [id, session] : tables.sessions.all()) {
      if (!worker.empty() && session.worker != worker) continue;
      if (!worker.empty()) tables.drain.workers.insert(worker);
      ReplyToHeld(tables, id, answer);
      ++concerned;
    }
    return concerned;
  });
  spdlog::info("drain worker={} told={}", worker.empty() ? "all" : worker, told);
  return told;
}

int OperatorCalls::Undrain(const std::string& worker) {
  const int told = gate_.Do([&](Tables& tables) {
    const auto draining = [&tables] {
      return std::count_if(tables.sessions.all().begin(), tables.sessions.all().end(),
                           [&](const auto& entry) { return MustDrain(tables, entry.second); });
    };
    const auto before = draining();
    if (worker.empty()) {
      tables.drain = {};
    } else {
      tables.drain.workers.erase(worker);
    }
    return static_cast<int>(before - draining());
  });
  spdlog::info("undrain worker={} told={}", worker.empty() ? "all" : worker, told);
  return told;
}

absl::Status OperatorCalls::CheckSeen(const std::string& worker) const {
  const bool is_known = gate_.Look([&](const Tables& tables) {
    return tables.sessions.FindWorker(worker) != nullptr ||
           tables.standing.refused.count(worker) != 0 ||
           tables.standing.trust.BlockOf(worker) != nullptr;
  });
  if (is_known) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(setting_.options.db_path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const bool seen, RunStore(*store).sessions().Has(worker));
  if (seen) return absl::OkStatus();
  return MakeProblem({.code = "unknown_worker",
                      .found = absl::StrCat("worker ", Quote(worker)),
                      .expected = "the name of a worker that was ever here (`joseki workers` lists "
                                  "those that are), or --unseen for one that is still to come"},
                     absl::StatusCode::kNotFound);
}

absl::StatusOr<int> OperatorCalls::BlockWorker(const std::string& worker, const std::string& reason,
                                               bool unseen) {
  if (!unseen) RETURN_IF_ERROR(CheckSeen(worker));
  int leases = 0;
  RETURN_IF_ERROR(gate_.Do([&](Tables& tables) -> absl::Status {
    if (tables.stopping) return ShuttingDown();
    leases = Quarantine(tables, worker, reason, /*automatic=*/false);
    tables.effects.serve = true;
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(Flush());
  return leases;
}

absl::Status OperatorCalls::UnblockWorker(const std::string& worker, bool keep_games_out) {
  RETURN_IF_ERROR(gate_.Do([&](Tables& tables) {
    return tables.stopping ? ShuttingDown() : Unblock(tables, worker, keep_games_out);
  }));
  return Flush();
}

absl::Status OperatorCalls::Flush() {
  return writer_.Commit({.write = [](Writer::Batch&) { return absl::OkStatus(); }});
}

}  // namespace joseki::coordinator
