#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/process_use.h"
#include "coordinator/model/messages.h"
#include "coordinator/services/connection_table.h"

namespace joseki::coordinator {

// The coordinator's use of resources, from the kernel; nullopt or 0: unknown.
struct CoordinatorUse {
  ProcessUse process;
  uint64_t open_descriptors = 0;
  uint64_t most_descriptors = 0;
  uint64_t book_bytes = 0;  // size of the database's file
  uint64_t log_bytes = 0;   // size of its write-ahead log
  std::optional<uint64_t> disk_free_bytes;
};
CoordinatorUse CoordinatorUseOf(const std::string& db_path);

// A status as Prometheus metrics. docs/reference/monitoring.md has a table of every name; no worker
// is named. Values that may fall, since games of a quarantined worker leave a run, are gauges.
std::vector<prometheus::MetricFamily> MetricFamilies(const ClusterStatus& status,
                                                     const ConnectionCounts& connections,
                                                     const CoordinatorUse& use, absl::Time now);

// Replies to GET /metrics with the sources' current values, in plaintext, at an address of its own.
class MetricsServer {
 public:
  struct Sources {
    std::function<ClusterStatus()> status;
    std::function<ConnectionCounts()> connections;
  };

  // Listens on "HOST:PORT"; port 0 takes a free one. Unavailable "cannot_listen". The sources are
  // called on threads of the server, until this object is destroyed.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> Start(const std::string& listen,
                                                              const std::string& db_path,
                                                              Sources sources);
  virtual ~MetricsServer() = default;

  // "HOST:PORT", with the actual port.
  virtual const std::string& address() const = 0;
};

}  // namespace joseki::coordinator
