#include "coordinator/rebuilder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/core/course.h"
#include "coordinator/core/serving.h"
#include "coordinator/runs/rebuild.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kRetry = absl::Seconds(1);

// The first run whose evidence is of an earlier trust; the end if there is none.
auto FindStale(auto& tables) {
  return std::find_if(tables.runs.begin(), tables.runs.end(), [&](const auto& entry) {
    return entry.second.state.evidence().trust().change() != tables.standing.trust.change();
  });
}

auto FindWithoutPriors(auto& tables) {
  return std::find_if(tables.runs.begin(), tables.runs.end(), [](const auto& entry) {
    const RunState& state = entry.second.state;
    return state.PriorsAreDue() && !state.priors().at_once();
  });
}

}  // namespace

Rebuilder::Rebuilder(std::string db_path, const Rules& rules, const Clock& clock, Gate& gate)
    : db_path_(std::move(db_path)), rules_(rules), clock_(clock), gate_(gate) {}

Rebuilder::~Rebuilder() { Stop(); }

void Rebuilder::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Rebuilder::Stop() {
  stop_.request_stop();
  waker_.Wake();
  if (thread_.joinable()) thread_.join();
}

void Rebuilder::Run() {
  while (!stop_.stop_requested()) {
    if (RunOne()) continue;
    const bool is_left = gate_.Look([](const Tables& tables) {
      return FindStale(tables) != tables.runs.end() ||
             FindWithoutPriors(tables) != tables.runs.end();
    });
    // Rows that could not be read are retried later.
    waker_.Sleep(is_left ? kRetry : absl::InfiniteDuration());
  }
}

bool Rebuilder::RebuildOne() {
  RunId id = 0;
  RebuildPoint point;
  gate_.Do([&](Tables& tables) {
    const auto stale = FindStale(tables);
    if (tables.stopping || stale == tables.runs.end()) return;
    id = stale->first;
    point = stale->second.state.BeginRebuild(tables.standing.trust);
  });
  if (id == 0) return false;
  const absl::Time began = clock_.Now();
  const auto read = [&]() -> absl::StatusOr<RebuiltRun> {
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(db_path_, book::OpenMode::kReadOnly));
    return RebuildRun(*store, rules_, std::move(point), stop_.get_token());
  };
  absl::StatusOr<RebuiltRun> rebuilt = read();
  if (absl::IsCancelled(rebuilt.status())) return false;
  if (!rebuilt.ok()) {
    spdlog::error("rebuild_fails run={} reason=\"{}\"", id,
                  std::string(rebuilt.status().message()));
    return false;
  }
  const bool was_over =
      gate_.Look([&](const Tables& tables) { return tables.runs.at(id).state.row().over(); });
  gate_.DoInPieces([&](Tables& tables) {
    ActiveRun& run = tables.runs.at(id);
    const Progress adoption = run.state.Adopt(*rebuilt);
    if (adoption == Progress::kMore) return true;
    if (adoption == Progress::kVoid) return false;  // a new stage has begun: retry
    tables.effects.Info(
        "run_rebuilt run={} games={} excluded={} ms={}", id, run.state.evidence().counters().games,
        run.state.evidence().counters().excluded, absl::ToInt64Milliseconds(clock_.Now() - began));
    tables.ledger.OweDroppedCheckpoint(id, run.state.evidence().trust().change());
    const bool runs_again = was_over && !run.state.row().over();
    if (runs_again) FindServers(tables, id);
    FollowUp(tables, run, /*changed=*/runs_again);
    tables.effects.serve = true;
    tables.effects.write = true;
    return false;
  });
  return true;
}

bool Rebuilder::MakePriors() {
  RunId id = 0;
  std::optional<PriorMaking> making;
  gate_.Do([&](const Tables& tables) {
    const auto due = FindWithoutPriors(tables);
    if (tables.stopping || due == tables.runs.end()) return;
    id = due->first;
    making = due->second.state.priors().Begin(due->second.state.book());
  });
  if (!making) return false;
  making->Reserve();
  Progress copied = Progress::kMore;
  gate_.DoInPieces([&](Tables& tables) {
    RunState& state = tables.runs.at(id).state;
    copied = state.priors().Copy(state.evidence(), *making);
    return copied == Progress::kMore;
  });
  if (copied != Progress::kDone) return true;
  making->Work();
  gate_.DoInPieces([&](Tables& tables) {
    ActiveRun& run = tables.runs.at(id);
    const Progress adopted = run.state.priors().Adopt(run.state.evidence(), *making);
    if (adopted == Progress::kDone) FollowUp(tables, run);
    return adopted == Progress::kMore;
  });
  return true;
}

}  // namespace joseki::coordinator
