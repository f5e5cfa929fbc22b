#include "coordinator/core/recompute.h"

#include <algorithm>
#include <utility>

#include "coordinator/core/serving.h"

namespace joseki::coordinator {
namespace {

constexpr book::NodeId kWeighedAtOnce = 4096;  // positions, before others get the mutex

// The first run whose evidence is of an earlier trust and that is not put off, rather one that
// plays; the end if there is none.
auto FindStale(auto& tables, const PutOff& put_off = {}) {
  const auto stale = [&](const auto& entry) {
    const auto until = put_off.find(entry.first);
    if (until != put_off.end() && tables.moment.now < until->second) return false;
    return entry.second.state.evidence().trust().change() != tables.standing.trust.change();
  };
  const auto plays = std::find_if(tables.runs.begin(), tables.runs.end(), [&](const auto& entry) {
    return entry.second.state.row().running() && stale(entry);
  });
  if (plays != tables.runs.end()) return plays;
  return std::find_if(tables.runs.begin(), tables.runs.end(), stale);
}

auto FindWithoutPriors(auto& tables) {
  return std::find_if(tables.runs.begin(), tables.runs.end(), [](const auto& entry) {
    const RunState& state = entry.second.state;
    return state.PriorsAreDue() && !state.priors().at_once();
  });
}

}  // namespace

std::optional<DueRebuild> BeginRebuild(Tables& tables, const PutOff& put_off) {
  const auto stale = FindStale(tables, put_off);
  if (tables.holds.stopping || stale == tables.runs.end()) return std::nullopt;
  return DueRebuild{stale->first, tables.moment.now,
                    stale->second.state.BeginRebuild(tables.standing.trust)};
}

bool AdoptRebuilt(Tables& tables, RunId id, absl::Time began, RebuiltRun& rebuilt) {
  RunState& run = tables.runs.at(id).state;
  const bool was_over = run.row().over();
  const Progress adoption = run.Adopt(rebuilt);
  if (adoption == Progress::kMore) return true;
  if (adoption == Progress::kVoid) return false;  // a new stage has begun: retry
  tables.effects.Info("run_rebuilt run={} games={} excluded={} ms={}", id,
                      run.evidence().counters().games, run.evidence().counters().excluded,
                      absl::ToInt64Milliseconds(tables.moment.now - began));
  tables.ledger.OweDroppedCheckpoint(id, run.evidence().trust().change());
  if (was_over && !run.row().over()) {
    FindServers(tables, id);
    tables.TouchRow(id);
  } else {
    tables.Touch(id);
  }
  tables.notes.serve = true;
  tables.effects.write = true;
  return false;
}

std::optional<DuePriors> BeginPriors(const Tables& tables) {
  const auto due = FindWithoutPriors(tables);
  if (tables.holds.stopping || due == tables.runs.end()) return std::nullopt;
  const RunState& state = due->second.state;
  return DuePriors{due->first, state.priors().Begin(state.book())};
}

Progress CopyForPriors(Tables& tables, DuePriors& priors) {
  RunState& state = tables.runs.at(priors.run).state;
  return state.priors().Copy(state.evidence(), priors.making);
}

bool AdoptPriors(Tables& tables, DuePriors& priors) {
  RunState& state = tables.runs.at(priors.run).state;
  const Progress adopted = state.priors().Adopt(state.evidence(), priors.making);
  if (adopted == Progress::kDone) tables.Touch(priors.run);
  return adopted == Progress::kMore;
}

bool AnyIsDue(const Tables& tables) {
  return FindStale(tables) != tables.runs.end() || FindWithoutPriors(tables) != tables.runs.end();
}

std::optional<DueCopy> FindCopy(const Tables& tables) {
  for (const auto& [id, run] : tables.runs) {
    if (!run.state.row().running()) continue;
    if (auto wanted = run.state.evidence().weights().WantsCopy()) return DueCopy{id, wanted};
  }
  return std::nullopt;
}

void GiveCopy(Tables& tables, const DueCopy& due, book::Weights&& copy) {
  tables.runs.at(due.run).state.evidence().weights().GiveCopy(due.of, std::move(copy));
}

bool WeighSome(Tables& tables) {
  return std::any_of(tables.runs.begin(), tables.runs.end(), [](auto& entry) {
    RunState& state = entry.second.state;
    return state.row().running() && state.evidence().weights().WeighSome(kWeighedAtOnce);
  });
}

}  // namespace joseki::coordinator
