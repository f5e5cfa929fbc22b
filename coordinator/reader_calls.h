#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/gate.h"
#include "coordinator/model/messages.h"
#include "coordinator/setting.h"
#include "coordinator/store/writer.h"

namespace joseki::coordinator {

// Calls of readers (proto/joseki/v1/reader.proto, artefact.proto). They never wait for the writer.
// Thread-safe.
class ReaderCalls {
 public:
  // All must outlive this object.
  ReaderCalls(const Setting& setting, Gate& gate, const Writer& writer)
      : setting_(setting), gate_(gate), writer_(writer) {}

  // `run`: the one to be told in full; 0: all, in brief.
  ClusterStatus GetStatus(RunId run) const;
  // The coordinator's own status, without runs and workers.
  ClusterStatus GetOwnStatus() const;
  // ResourceExhausted, with a delay for the retry, while the load leaves no room for watches and
  // listings.
  absl::Status Admit();
  absl::StatusOr<PositionEvidence> GetPosition(RunId run, const std::string& position) const;
  // The number of workers with a session.
  uint64_t CountWorkers() const;

 private:
  const Setting& setting_;
  Gate& gate_;
  const Writer& writer_;
};

}  // namespace joseki::coordinator
