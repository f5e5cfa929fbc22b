#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "worker/artefact_port.h"

namespace joseki::worker {

// A coordinator's artefacts in memory, sent in small chunks; hooks inject faults.
class FakeArtefacts : public ArtefactPort {
 public:
  static constexpr size_t kChunk = 100;

  ArtefactManifest Add(std::string bytes) {
    const std::lock_guard lock(mutex_);
    const Sha256 sha256 = Sha256Of(bytes);
    const ArtefactManifest manifest{.sha256 = sha256, .size = bytes.size(), .start_after = {}};
    artefacts_[sha256] = std::move(bytes);
    return manifest;
  }

  absl::StatusOr<ArtefactManifest> Manifest(const Sha256& sha256, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    ++manifests;
    const auto found = artefacts_.find(sha256);
    if (found == artefacts_.end()) return absl::NotFoundError("unknown artefact");
    return ArtefactManifest{.sha256 = sha256, .size = found->second.size(), .start_after = {}};
  }
  absl::StatusOr<ArtefactManifest> Manifest(const WeightsName& weights, std::stop_token) override {
    if (!make_weights) return absl::NotFoundError("no weights");
    const absl::StatusOr<std::string> bytes = make_weights(weights);
    if (!bytes.ok()) return bytes.status();
    return Add(*bytes);
  }
  absl::Status Fetch(const Sha256& sha256, uint64_t offset, const ChunkSink& sink,
                     std::stop_token stop) override {
    std::string bytes;
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      offsets.push_back(offset);
      number = static_cast<int>(offsets.size());
      const auto found = artefacts_.find(sha256);
      if (found == artefacts_.end()) return absl::NotFoundError("unknown artefact");
      bytes = found->second;
    }
    if (spoil) spoil(number, bytes);
    for (size_t at = offset; at < bytes.size(); at += kChunk) {
      if (stop.stop_requested()) return absl::CancelledError("stopped");
      if (on_chunk) {
        if (absl::Status status = on_chunk(number, at); !status.ok()) return status;
      }
      const absl::Status taken = sink(at, std::string_view(bytes).substr(at, kChunk));
      if (!taken.ok()) return taken;
    }
    return absl::OkStatus();
  }

  std::function<void(int fetch, std::string& bytes)> spoil;          // changes what is sent
  std::function<absl::Status(int fetch, uint64_t offset)> on_chunk;  // before each chunk
  std::function<absl::StatusOr<std::string>(const WeightsName&)> make_weights;

  std::vector<uint64_t> offsets;  // of every Fetch; read only while none is running
  int manifests = 0;

 private:
  std::mutex mutex_;
  std::map<Sha256, std::string> artefacts_;
};

}  // namespace joseki::worker
