#include "coordinator/services/metrics.h"

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/problem.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/store/disk.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

class Families {
 public:
  // Begins a family; the following samples belong to it.
  void Begin(std::string_view name, MetricType type, std::string_view help) {
    families_.push_back({std::string(name), std::string(help), type, {}});
  }
  void Gauge(std::string_view name, std::string_view help) { Begin(name, MetricType::Gauge, help); }
  void Counter(std::string_view name, std::string_view help) {
    Begin(name, MetricType::Counter, help);
  }
  void Add(Labels labels, double value) {
    ClientMetric& metric = families_.back().metric.emplace_back();
    metric.label = std::move(labels);
    (families_.back().type == MetricType::Counter ? metric.counter.value : metric.gauge.value) =
        value;
  }
  void Add(double value) { Add({}, value); }

  // Drops families without a sample.
  std::vector<MetricFamily> Take() {
    std::erase_if(families_, [](const MetricFamily& family) { return family.metric.empty(); });
    return std::move(families_);
  }

 private:
  std::vector<MetricFamily> families_;
};

Labels LabelOf(const RunStatus& run) { return {{"run", absl::StrCat(run.run)}}; }

// Adds a sample for each run.
template <typename Value>
void AddEach(const std::vector<RunStatus>& runs, Families& families, const Value& value) {
  for (const RunStatus& run : runs) {
    families.Add(LabelOf(run), static_cast<double>(value(run)));
  }
}

// Adds a sample for each run that has the value.
template <typename Value>
void AddWhereKnown(const std::vector<RunStatus>& runs, Families& families, const Value& value) {
  for (const RunStatus& run : runs) {
    if (const std::optional<double> known = value(run)) families.Add(LabelOf(run), *known);
  }
}

void AddProcess(const CoordinatorUse& use, absl::Time started, Families& families) {
  families.Counter("process_cpu_seconds_total", "Processor time of the coordinator");
  families.Add(use.process.cpu_seconds);
  families.Gauge("process_resident_memory_bytes", "Memory of the coordinator");
  families.Add(static_cast<double>(use.process.resident_bytes));
  families.Gauge("process_open_fds", "Open files and connections");
  families.Add(static_cast<double>(use.open_descriptors));
  families.Gauge("process_max_fds", "Limit of open files and connections");
  families.Add(static_cast<double>(use.most_descriptors));
  families.Gauge("process_start_time_seconds", "Start time of the coordinator");
  families.Add(absl::ToDoubleSeconds(started - absl::UnixEpoch()));
  families.Gauge("joseki_book_bytes", "The book's database file");
  families.Add(static_cast<double>(use.book_bytes));
  families.Gauge("joseki_book_log_bytes", "The book's write-ahead log");
  families.Add(static_cast<double>(use.log_bytes));
  families.Gauge("joseki_disk_free_bytes", "Free space on the book's disk");
  if (use.disk_free_bytes) families.Add(static_cast<double>(*use.disk_free_bytes));
}

void AddConnections(const ConnectionCounts& connections, Families& families) {
  families.Gauge("joseki_connections",
                 "Connections of authenticated and of unauthenticated callers");
  families.Add({{"of", "known"}}, static_cast<double>(connections.known));
  families.Add({{"of", "strangers"}}, static_cast<double>(connections.strangers));
  families.Gauge("joseki_connections_most", "Limit of connections: all, and unauthenticated ones");
  families.Add({{"of", "all"}}, static_cast<double>(connections.most));
  families.Add({{"of", "strangers"}}, static_cast<double>(connections.most_strangers));
  families.Counter("joseki_connections_refused_total", "Connections refused beyond a limit");
  families.Add(static_cast<double>(connections.refused));
  families.Counter("joseki_strangers_closed_total",
                   "Connections closed because they did not authenticate in time");
  families.Add(static_cast<double>(connections.strangers_out));
}

void AddWorkers(const std::vector<WorkerStatus>& workers, Families& families) {
  // States that alerts use are listed even if they are 0.
  std::map<std::string, uint64_t> states = {
      {"active", 0}, {"silent", 0}, {"quarantined", 0}, {"faulty", 0}, {"refused", 0}};
  uint64_t seats = 0;
  uint64_t busy = 0;
  WorkerCost cost;
  for (const WorkerStatus& worker : workers) {
    ++states[worker.state];
    if (worker.state != "active" && worker.state != "draining") continue;
    seats += worker.seats;
    busy += std::min(worker.in_flight, worker.seats);  // slots held ahead wait
    cost.processor_ms += worker.cost.processor_ms;
    cost.search_ms += worker.cost.search_ms;
  }
  families.Gauge("joseki_workers", "Workers by state");
  for (const auto& [state, count] : states) {
    families.Add({{"state", state}}, static_cast<double>(count));
  }
  families.Gauge("joseki_slots", "Games that the connected workers play at once");
  families.Add(static_cast<double>(seats));
  families.Gauge("joseki_slots_busy",
                 "Of these, those that have a slot; slots that wait for a seat do not count");
  families.Add(static_cast<double>(busy));
  families.Gauge("joseki_search_ratio",
                 "Share of the connected workers' processor time that was inside searches");
  if (cost.processor_ms > 0) {
    families.Add(static_cast<double>(cost.search_ms) / static_cast<double>(cost.processor_ms));
  }
}

void AddProgress(const std::vector<RunStatus>& runs, Families& families) {
  families.Gauge("joseki_run_state", "1 for the present state of the run");
  for (const RunStatus& run : runs) {
    families.Add({{"run", absl::StrCat(run.run)}, {"state", run.state}}, 1);
  }
  families.Gauge("joseki_run_games", "Counted games");
  AddEach(runs, families, [](const RunStatus& run) { return run.games_done; });
  families.Gauge("joseki_run_searches",
                 "Results of searches: for priors, answers of searches along lines, trials");
  AddEach(runs, families, [](const RunStatus& run) {
    return run.priors.done +
           (run.line_searches ? run.line_searches->answers + run.line_searches->trials : 0);
  });
  families.Gauge("joseki_run_games_target", "Requested games");
  AddWhereKnown(runs, families, [](const RunStatus& run) -> std::optional<double> {
    const uint64_t games = GamesTarget(run.spec);
    return games == 0 ? std::nullopt : std::optional(static_cast<double>(games));
  });
  families.Gauge("joseki_run_games_per_second", "Present rate of games");
  AddEach(runs, families, [](const RunStatus& run) { return run.games_per_second; });
  families.Gauge("joseki_run_eta_seconds", "Estimated time left, if there is an estimate");
  AddWhereKnown(runs, families, [](const RunStatus& run) -> std::optional<double> {
    return run.eta_seconds < 0 ? std::nullopt : std::optional(run.eta_seconds);
  });
  families.Gauge("joseki_run_stage", "Present stage");
  AddEach(runs, families, [](const RunStatus& run) { return run.stage; });
  families.Gauge("joseki_run_slots_in_flight", "Games in play");
  AddEach(runs, families, [](const RunStatus& run) { return run.slots_in_flight; });
  families.Gauge("joseki_run_servers", "Connected workers that can serve the run");
  AddEach(runs, families, [](const RunStatus& run) { return run.servers; });
  families.Gauge("joseki_run_draws", "Draws that the rule learns nothing from and throws away");
  AddEach(runs, families, [](const RunStatus& run) { return run.draws; });
  families.Gauge("joseki_run_terminations", "Games by termination");
  for (const RunStatus& run : runs) {
    for (const auto& [termination, count] : run.terminations) {
      families.Add({{"run", absl::StrCat(run.run)}, {"ending", std::string(Name(termination))}},
                   static_cast<double>(count));
    }
  }
  families.Gauge("joseki_run_gain_left",
                 "Remaining gain, which a stopping rule compares with its least gain");
  AddWhereKnown(runs, families, [](const RunStatus& run) { return run.gain_left; });
  families.Gauge("joseki_run_answers_changed",
                 "Share of the book's answers this stage has changed");
  AddWhereKnown(runs, families, [](const RunStatus& run) { return run.answers_changed; });
}

void AddTroubles(const std::vector<RunStatus>& runs, Families& families) {
  families.Counter("joseki_run_faults_total",
                   "Games and searches that a fault of an engine or worker ended");
  AddEach(runs, families, [](const RunStatus& run) { return run.faults; });
  families.Counter("joseki_run_duplicates_total", "Games submitted again");
  AddEach(runs, families, [](const RunStatus& run) { return run.duplicates; });
  families.Counter("joseki_run_conflicts_total", "Games submitted again with other content");
  AddEach(runs, families, [](const RunStatus& run) { return run.conflicts; });
  families.Counter("joseki_run_late_total", "Games accepted after their lease had ended");
  AddEach(runs, families, [](const RunStatus& run) { return run.stale_accepted; });
  families.Counter("joseki_run_checks_total", "Games repeated by a second worker");
  AddEach(runs, families, [](const RunStatus& run) { return run.copies; });
  families.Counter("joseki_run_mismatches_total",
                   "Games that differed when a second worker repeated them");
  AddEach(runs, families, [](const RunStatus& run) { return run.mismatches; });
  families.Gauge("joseki_run_games_excluded", "Games of quarantined workers, which count nowhere");
  AddEach(runs, families, [](const RunStatus& run) { return run.games_excluded; });
  families.Gauge("joseki_run_poisoned_lines", "Lines that failed too often and are left out");
  AddEach(runs, families, [](const RunStatus& run) { return run.poisoned_lines; });
}

class Collector final : public prometheus::Collectable {
 public:
  Collector(std::string db_path, MetricsServer::Sources sources)
      : db_path_(std::move(db_path)), sources_(std::move(sources)) {}

  std::vector<MetricFamily> Collect() const override {
    return MetricFamilies(sources_.status(), sources_.connections(), CoordinatorUseOf(db_path_),
                          absl::Now());
  }

 private:
  const std::string db_path_;
  const MetricsServer::Sources sources_;
};

class PrometheusServer final : public MetricsServer {
 public:
  PrometheusServer(const std::string& listen, std::shared_ptr<Collector> collector)
      : collector_(std::move(collector)), exposer_(listen) {
    exposer_.RegisterCollectable(collector_);
    address_ =
        absl::StrCat(listen.substr(0, listen.rfind(':')), ":", exposer_.GetListeningPorts().at(0));
  }

  const std::string& address() const override { return address_; }

 private:
  const std::shared_ptr<Collector> collector_;
  prometheus::Exposer exposer_;  // ends its threads before the collector
  std::string address_;
};

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

}  // namespace

CoordinatorUse CoordinatorUseOf(const std::string& db_path) {
  CoordinatorUse use;
  use.process = ProcessUseOf(getpid()).value_or(ProcessUse());
  std::error_code error;
  for (std::filesystem::directory_iterator file("/proc/self/fd", error), end; !error && file != end;
       file.increment(error)) {
    ++use.open_descriptors;
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) use.most_descriptors = limit.rlim_cur;
  use.book_bytes = FileBytes(db_path);
  use.log_bytes = FileBytes(db_path + "-wal");
  if (const absl::StatusOr<DiskSpace> space = SpaceFor(db_path); space.ok()) {
    use.disk_free_bytes = space->free;
  }
  return use;
}

std::vector<MetricFamily> MetricFamilies(const ClusterStatus& status,
                                         const ConnectionCounts& connections,
                                         const CoordinatorUse& use, absl::Time now) {
  Families families;
  families.Gauge("joseki_build_info", "1, with the version as a label");
  families.Add({{"version", JOSEKI_VERSION}}, 1);
  families.Gauge("joseki_commit_seconds", "Duration of the last commit");
  families.Add(status.commit_ms / 1000);
  families.Gauge("joseki_queued_games", "Games waiting for the disk");
  families.Add(static_cast<double>(status.queued_games));
  families.Gauge("joseki_certificate_end_seconds", "Expiry of the coordinator's certificate");
  if (status.certificate_end) {
    families.Add(absl::ToDoubleSeconds(*status.certificate_end - absl::UnixEpoch()));
  }
  AddProcess(use, now - status.uptime, families);
  AddConnections(connections, families);
  AddWorkers(status.workers, families);
  AddProgress(status.runs, families);
  AddTroubles(status.runs, families);
  return families.Take();
}

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                                    const std::string& db_path,
                                                                    Sources sources) {
  const auto cannot = [&](const std::string& why) {
    return MakeProblem({.code = "cannot_listen",
                        .file = "--metrics",
                        .found = absl::StrCat(Quote(listen), why.empty() ? "" : ": ", why),
                        .expected = "HOST:PORT, an address of this machine and a free port"},
                       absl::StatusCode::kUnavailable);
  };
  if (listen.rfind(':') == std::string::npos || listen.rfind(':') == 0) return cannot("");
  try {
    return std::make_unique<PrometheusServer>(
        listen, std::make_shared<Collector>(db_path, std::move(sources)));
  } catch (const std::exception& error) {  // the library reports errors so
    return cannot(error.what());
  }
}

}  // namespace joseki::coordinator
