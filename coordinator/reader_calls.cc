#include "coordinator/reader_calls.h"

#include <optional>

#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "coordinator/status.h"

namespace joseki::coordinator {

ClusterStatus ReaderCalls::GetOwnStatus() const {
  ClusterStatus status;
  status.game = setting_.rules.game();
  status.epoch = setting_.epoch;
  status.uptime = setting_.clock.Now() - setting_.started;
  status.commit_ms = absl::ToDoubleMilliseconds(writer_.last_commit());
  status.queued_games = writer_.queued_games();
  return status;
}

ClusterStatus ReaderCalls::GetStatus(RunId only) const {
  ClusterStatus status = GetOwnStatus();
  const absl::Time now = setting_.clock.Now();
  const absl::Time wall = setting_.wall.Now();
  const Residuals::Yardstick yardstick = gate_.Look([&](const Tables& tables) {
    for (const auto& [id, run] : tables.runs) {
      if (only == id) status.runs.push_back(FullStatusOf(tables, run, now));
      if (only == 0) status.runs.push_back(StatusOf(tables, run, now));
    }
    return tables.standing.residuals.Measure();
  });
  if (only != 0 && !status.runs.empty()) {
    Lacking lacking;
    gate_.LookInPieces([&, last = SessionId{0}](const Tables& tables) mutable {
      const auto reached = AddLacking(tables, tables.runs.at(only), last, lacking);
      last = reached.value_or(last);
      return reached.has_value();
    });
    status.runs[0].not_served = WhyNotServed(lacking);
  }
  gate_.LookInPieces([&, last = SessionId{0}](const Tables& tables) mutable {
    const std::optional<SessionId> reached = AddSessions(tables, last, yardstick, now, status);
    if (!reached) AddOtherWorkers(tables, yardstick, now, wall, status);
    last = reached.value_or(last);
    return reached.has_value();
  });
  DropSuperseded(status);
  return status;
}

absl::Status ReaderCalls::Admit() {
  return gate_.Do([](Tables& tables) { return AdmitReader(tables); });
}

absl::StatusOr<PositionEvidence> ReaderCalls::GetPosition(RunId id, const std::string& text) const {
  return gate_.Look([&](const Tables& tables) -> absl::StatusOr<PositionEvidence> {
    const ActiveRun* const run = tables.FindRun(id);
    if (run == nullptr) return UnknownRun(id);
    return EvidenceAt(setting_.rules, run->state, text);
  });
}

uint64_t ReaderCalls::CountWorkers() const {
  return gate_.Look([](const Tables& tables) { return tables.sessions.all().size(); });
}

}  // namespace joseki::coordinator
