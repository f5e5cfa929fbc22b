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
#include "coordinator/core/orders.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/verify.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/run_making.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {

// ---- Runs ----

absl::StatusOr<OperatorCalls::CreatedRun> OperatorCalls::CreateRun(const RunSpec& wanted,
                                                                   const std::string& request_id) {
  // 1. Check: the specification is complete and keeps its bounds.
  RunSpec spec = wanted;
  if (spec.start.empty()) spec.start = "startpos";
  RETURN_IF_ERROR(CheckSpec(setting_.rules, spec));

  // 2. Admit: one call at a time; a repeated request gets the reply of the first.
  const ScopedLock lock(one_at_a_time_);
  std::optional<CreatedRun> before;
  const absl::Status admitted = gate_.Look([&](const Tables& tables) -> absl::Status {
    RETURN_IF_ERROR(Admit(tables));
    for (const auto& [id, run] : tables.runs) {
      if (request_id.empty() || run.state.row().request_id != request_id) continue;
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
  gate_.Do([&](Tables& tables) { NumberRun(tables, loaded); });

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
  WriteJob job;
  job.write = [rows](WriteBatch& batch) { return InsertNewRun(batch.rows, *rows); };
  job.done = [this, state, rows](const absl::Status& status) {
    if (!status.ok()) return;
    gate_.Do([&](Tables& tables) { EnterRun(tables, std::move(*state), rows->weights); });
  };
  RETURN_IF_ERROR(writer_.Commit(std::move(job)));
  const std::optional<TakenOver>& taken = rows->row.spec.taken_over;
  spdlog::info("event=run_created run={} policy={} games={} positions={} moves={} taken_over={}",
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
  RETURN_IF_ERROR(gate_.Look([](const Tables& tables) { return Admit(tables); }));
  const auto links = std::make_shared<const std::string>(graph.SerializeLinks());
  const auto kept = std::make_shared<const std::string>(bytes);
  WriteJob job;
  job.write = [sha256, kept, links](WriteBatch& batch) {
    return batch.rows.runs().InsertSnapshot(sha256, *kept, *links);
  };
  RETURN_IF_ERROR(writer_.Commit(std::move(job)));
  spdlog::info("event=book_put sha256={} positions={} moves={}", Hex(sha256), graph.node_count(),
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
  RETURN_IF_ERROR(gate_.Do([&](Tables& tables) { return SetRunState(tables, id, state); }));
  if (state == "stopped") {
    gate_.DoInPieces([&](Tables& tables) { return EndSomeLeases(tables, id); });
  }
  const std::string now =
      gate_.Look([&](const Tables& tables) { return tables.runs.at(id).state.row().state; });
  RETURN_IF_ERROR(Flush());
  spdlog::info("event=run_state run={} state={}", id, now);
  return now;
}

absl::StatusOr<ExtendedRun> OperatorCalls::ExtendRun(RunId id, const MoreToPlay& more) {
  const ScopedLock lock(one_at_a_time_);
  RunSpec spec;
  Sha256 snapshot{};
  bool repeated = false;
  const absl::Status admitted = gate_.Look([&](const Tables& tables) -> absl::Status {
    RETURN_IF_ERROR(Admit(tables));
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
    RETURN_IF_ERROR(
        gate_.Do([&](Tables& tables) { return coordinator::ExtendRun(tables, id, more); }));
  }
  const ExtendedRun extended = gate_.Look([&](const Tables& tables) {
    const RunRow& row = tables.runs.at(id).state.row();
    return ExtendedRun{row.state, row.spec};
  });
  RETURN_IF_ERROR(Flush());
  const Extension& by = *extended.spec.extension;
  spdlog::info("event=run_extended run={} state={} after={} games={} seconds={} regardless={}", id,
               extended.state, by.after, extended.spec.games, extended.spec.seconds, by.regardless);
  return extended;
}

absl::StatusOr<uint32_t> OperatorCalls::FreeLines(RunId id,
                                                  const std::optional<std::vector<Move>>& line) {
  ASSIGN_OR_RETURN(const size_t freed, gate_.Do([&](Tables& tables) {
    return coordinator::FreeLines(tables, id, line);
  }));
  RETURN_IF_ERROR(Flush());
  spdlog::info("event=lines_freed run={} lines={}", id, freed);
  return static_cast<uint32_t>(freed);
}

absl::StatusOr<Share> OperatorCalls::SetPriority(RunId id, uint32_t priority, uint32_t weight) {
  ASSIGN_OR_RETURN(const Share share, gate_.Do([&](Tables& tables) {
    return SetShare(tables, id, priority, weight);
  }));
  RETURN_IF_ERROR(Flush());
  spdlog::info("event=run_share run={} priority={} weight={}", id, share.priority, share.weight);
  return share;
}

// ---- Workers ----

int OperatorCalls::Drain(const std::string& worker) {
  const int told = gate_.Do([&](Tables& tables) { return coordinator::Drain(tables, worker); });
  spdlog::info("event=drain worker={} told={}", worker.empty() ? "all" : worker, told);
  return told;
}

absl::StatusOr<Undrained> OperatorCalls::Undrain(const std::string& worker) {
  ASSIGN_OR_RETURN(const Undrained undrained,
                   gate_.Do([&](Tables& tables) { return coordinator::Undrain(tables, worker); }));
  spdlog::info("event=undrain worker={} lifted={} told={}", worker.empty() ? "all" : worker,
               undrained.lifted, undrained.workers);
  return undrained;
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
  ASSIGN_OR_RETURN(const int leases,
                   gate_.Do([&](Tables& tables) { return Block(tables, worker, reason); }));
  RETURN_IF_ERROR(Flush());
  return leases;
}

absl::Status OperatorCalls::UnblockWorker(const std::string& worker, bool keep_games_out) {
  RETURN_IF_ERROR(
      gate_.Do([&](Tables& tables) { return Unblock(tables, worker, keep_games_out); }));
  return Flush();
}

absl::Status OperatorCalls::Flush() { return writer_.Commit({}); }

}  // namespace joseki::coordinator
