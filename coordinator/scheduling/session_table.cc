#include "coordinator/scheduling/session_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace joseki::coordinator {

namespace {

// `wanted`: a PlaySpec or an Opponent.
template <typename Wanted>
bool Has(const std::vector<EngineIdentity>& engines, const std::string& game,
         const Wanted& wanted) {
  return std::any_of(engines.begin(), engines.end(), [&](const EngineIdentity& engine) {
    return engine.id == wanted.engine_id && engine.Plays(game) &&
           (wanted.engine_signature == 0 || engine.signature == wanted.engine_signature) &&
           (wanted.engine_name.empty() || engine.name == wanted.engine_name) &&
           (wanted.weights_sha256.empty() || engine.weights_sha256 == wanted.weights_sha256);
  });
}

}  // namespace

bool Session::Serves(const RunSpec& spec) const {
  return Lacks(spec.requirements).empty() && Has(engines, spec.play.game, spec.play) &&
         HasOpponent(spec);
}

bool Session::HasOpponent(const RunSpec& spec) const {
  if (spec.match && !kinds.Has(SlotKind::kMatch)) return false;
  return !spec.play.opponent || Has(engines, spec.play.game, *spec.play.opponent);
}

std::string Session::Lacks(const Requirements& requirements) const {
  for (const auto& [name, value] : requirements.labels) {
    const auto label = labels.find(name);
    if (label == labels.end() || label->second != value) {
      return absl::StrCat("label ", name, "=", value);
    }
  }
  if (memory_mb < requirements.memory_mb) {
    return absl::StrCat(requirements.memory_mb, " MB for each slot");
  }
  if (cores < requirements.cores) return absl::StrCat(requirements.cores, " cores for each slot");
  return "";
}

bool SessionTable::Open(Session session) {
  const auto known = by_worker_.find(session.worker);
  if (known != by_worker_.end()) {
    if (known->second > session.id) return false;
    sessions_.erase(known->second);
  }
  by_worker_[session.worker] = session.id;
  const SessionId id = session.id;
  sessions_[id] = std::move(session);
  return true;
}

Session* SessionTable::Find(SessionId id) {
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : &at->second;
}

const Session* SessionTable::Find(SessionId id) const {
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : &at->second;
}

Session* SessionTable::FindWorker(const std::string& worker) {
  const auto at = by_worker_.find(worker);
  return at == by_worker_.end() ? nullptr : Find(at->second);
}

const Session* SessionTable::FindWorker(const std::string& worker) const {
  const auto at = by_worker_.find(worker);
  return at == by_worker_.end() ? nullptr : Find(at->second);
}

void SessionTable::Close(SessionId id) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return;
  by_worker_.erase(at->second.worker);
  sessions_.erase(at);
}

}  // namespace joseki::coordinator
