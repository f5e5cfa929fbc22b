#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/address.h"
#include "base/certificates/revocations.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/settings.h"
#include "base/status_macros.h"
#include "base/steady_clock.h"
#include "book/database/store.h"
#include "coordinator/coordinator.h"
#include "coordinator/page/page_server.h"
#include "coordinator/services/acceptor.h"
#include "coordinator/services/metrics.h"
#include "coordinator/services/server.h"
#include "coordinator/services/server_health.h"
#include "coordinator/store/disk.h"
#include "engine/core/isa.h"
#include "engine/games.h"
#include "proto/grpc_log.h"
#include "proto/mutexes.h"
#include "proto/tls_buffers.h"

namespace joseki::coordinator {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

// Least number of beats in a lease, which waits for four (LeasePace::Patience). With fewer, a late
// beat loses games that are in play.
constexpr int kBeatsOfALease = 4;

struct Arguments {
  Coordinator::Options coordinator;
  ServerOptions server;
  std::string address_file;   // gets "HOST:PORT" once all ports listen; empty: none
  std::string page;           // HOST:PORT; empty: none
  std::string page_password;  // file; empty: no password
  int lease_seconds = 60;
  int beat_seconds = 15;
  int gather_ms = 20;
  std::string log_level = "info";
  std::string health_check;
  std::string metrics;  // HOST:PORT; empty: none
  std::string tls;      // folder
  std::string game;     // empty: the book's
};

// Sets up logging: key=value lines on stderr, in UTC.
void SetUpLog(const std::string& level) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("joseki-coordinator"));
  spdlog::set_pattern("ts=%Y-%m-%dT%H:%M:%S.%eZ level=%l %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(level));
  spdlog::flush_on(spdlog::level::info);
}

// The limits on connections. A worker holds one; with fewer workers than descriptors no action is
// necessary.
ConnectionLimits CheckDescriptors() {
  constexpr size_t kComfortable = 10'000;
  const uint64_t limit = RaiseDescriptorLimit();
  const ConnectionLimits limits = LimitsFor(limit);
  if (limits.most < kComfortable) {
    spdlog::warn(
        "event=few_descriptors limit={} workers={}: more need a higher limit (ulimit -Hn, "
        "LimitNOFILE= of systemd, --ulimit nofile= of a container)",
        limit, limits.most);
  }
  return limits;
}

// Blocks SIGTERM and SIGINT before any thread starts; Serve waits for them.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

PageOptions PageOf(const Arguments& arguments) {
  return {.listen = arguments.page,
          .db_path = arguments.coordinator.db_path,
          .password_file = arguments.page_password,
          .certificate = arguments.server.tls.certificate,
          .key = arguments.server.tls.key,
          .insecure_network = arguments.server.insecure_network};
}

struct Address {
  std::string_view flag;
  HostPort listen;
};

// Where the coordinator listens; "bad_address" names the option.
absl::StatusOr<std::vector<Address>> AddressesOf(const Arguments& arguments) {
  std::vector<Address> addresses;
  for (const auto& [flag, address] :
       {std::pair("--listen", &arguments.server.listen), std::pair("--page", &arguments.page),
        std::pair("--metrics", &arguments.metrics)}) {
    if (address->empty()) continue;
    const std::optional<HostPort> listen = ParseHostPort(*address);
    if (!listen) {
      return MakeProblem({.code = "bad_address",
                          .file = flag,
                          .found = Quote(*address),
                          .expected = "HOST:PORT, such as 127.0.0.1:7460"});
    }
    addresses.push_back({flag, *listen});
  }
  return addresses;
}

// Checks that the ports are free. All are bound at once, so that no two are equal.
absl::Status CheckPorts(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const std::vector<Address> addresses, AddressesOf(arguments));
  std::vector<std::unique_ptr<Acceptor>> held;
  for (const Address& address : addresses) {
    absl::StatusOr<std::unique_ptr<Acceptor>> port = Acceptor::Listen({.listen = address.listen});
    if (!port.ok()) return At(port.status(), address.flag);
    held.push_back(*std::move(port));
  }
  return absl::OkStatus();
}

// Checks that fail before the book is made: a mistyped start leaves no book behind.
absl::Status CheckStart(const Arguments& arguments) {
  RETURN_IF_ERROR(Server::Check(arguments.server));
  if (!arguments.page.empty()) RETURN_IF_ERROR(PageServer::Check(PageOf(arguments)));
  for (const std::string& file : {arguments.address_file, arguments.page_password}) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (folder.empty() || std::filesystem::is_directory(folder, error)) continue;
    return FileProblem(ENOENT, file, "a folder that is there");
  }
  std::error_code error;
  const bool is_there = std::filesystem::exists(arguments.coordinator.db_path, error);
  // For a book that another coordinator may have, the lock is the better reason.
  return is_there ? absl::OkStatus() : CheckPorts(arguments);
}

// The rules of the book's own game; for a new book, of the game that is named.
absl::StatusOr<const Rules*> RulesFor(const Arguments& arguments) {
  const std::string& path = arguments.coordinator.db_path;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error || bytes == 0) {
    return RulesOf(arguments.game.empty() ? book::kDefaultGame : arguments.game);
  }
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(path, book::OpenMode::kReadOnly, arguments.game));
  return RulesOf(store->game());
}

// Starts database, coordinator and server, and stops them in reverse order. At the end no new calls
// are accepted, running calls get replies, and the queue is committed. Games that workers still
// play stay in their spools until the coordinator is back. Unavailable "listener_broken" if it
// stops because nobody can connect any more, and "lock_lost" if another coordinator has taken the
// book. A supervisor should then restart the process.
absl::Status Serve(const Arguments& arguments, const sigset_t& signals) {
  RETURN_IF_ERROR(CheckStart(arguments));
  ASSIGN_OR_RETURN(const Rules* const found_rules, RulesFor(arguments));
  const Rules& rules = *found_rules;
  // Runs consume time by this clock, which does not follow changes of the machine's clock.
  const SteadyClock clock(Clock::System());
  Coordinator::Options options = arguments.coordinator;
  options.page = PageServer::UrlOf(PageOf(arguments));
  options.wall = &Clock::System();
  std::atomic<bool> lock_lost = false;
  std::atomic<bool> broken = false;
  const auto stop_because = [](std::atomic<bool>& reason) {
    return [&reason] {
      reason = true;
      kill(getpid(), SIGTERM);
    };
  };
  options.lock_lost = stop_because(lock_lost);
  ASSIGN_OR_RETURN(const std::unique_ptr<Coordinator> coordinator,
                   Coordinator::Start(options, rules, clock));
  RETURN_IF_ERROR(CheckPorts(arguments));  // before one of them is announced
  ServerOptions server_options = arguments.server;
  server_options.broken = stop_because(broken);
  ASSIGN_OR_RETURN(const std::unique_ptr<Server> server,
                   Server::Start(server_options, *coordinator, rules));
  std::unique_ptr<MetricsServer> metrics;
  if (!arguments.metrics.empty()) {
    ASSIGN_OR_RETURN(metrics, MetricsServer::Start(
                                  arguments.metrics, arguments.coordinator.db_path,
                                  {.status =
                                       [&coordinator, &server] {
                                         ClusterStatus status =
                                             coordinator->readers().GetStatus(/*run=*/0);
                                         status.certificate_end = server->certificate_end();
                                         return status;
                                       },
                                   .connections = [&server] { return server->connections(); }}));
  }
  spdlog::info("event=listening address={} db={} tls={} enrolment={} metrics={}", server->address(),
               arguments.coordinator.db_path, arguments.server.tls.empty() ? "off" : "on",
               arguments.server.authority.empty() ? "off" : "on",
               metrics == nullptr ? "off" : metrics->address());
  std::unique_ptr<PageServer> page;
  if (!arguments.page.empty()) {
    PageOptions page_options = PageOf(arguments);
    page_options.certificate_end = [&server] { return server->certificate_end(); };
    ASSIGN_OR_RETURN(page,
                     PageServer::Start(std::move(page_options), coordinator->readers(), rules));
    spdlog::info("event=page address={}://{}/", page->scheme(), page->address());
  }
  // Everything listens before the file exists: others wait for it.
  if (!arguments.address_file.empty()) {
    RETURN_IF_ERROR(WriteFileAtomically(arguments.address_file, server->address() + "\n"));
  }
  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("event=stopping signal={}", signal);
  page.reset();
  metrics.reset();  // it queries both
  server->Shutdown();
  if (lock_lost) {
    return MakeProblem({.code = "lock_lost",
                        .file = arguments.coordinator.db_path,
                        .found = "another coordinator that has taken the book",
                        .expected = "its lock file to stay while a coordinator runs"},
                       absl::StatusCode::kUnavailable);
  }
  if (!broken) return absl::OkStatus();
  return MakeProblem({.code = "listener_broken",
                      .file = "--listen",
                      .found = server->address(),
                      .expected = "a port on which connections can be taken; start anew"},
                     absl::StatusCode::kUnavailable);
}

void AddTlsOptions(CLI::App& app, Arguments& arguments) {
  ServerOptions& server = arguments.server;
  CLI::Option* const folder =
      app.add_option("--tls", arguments.tls,
                     "the folder of `joseki certs init`: certificates, revocations, enrolment")
          ->type_name("DIR");
  for (CLI::Option* const option :
       {app.add_option("--tls-ca", server.tls.authority, "the authority's certificate (PEM)"),
        app.add_option("--tls-cert", server.tls.certificate, "the coordinator's certificate (PEM)"),
        app.add_option("--tls-key", server.tls.key, "its private key (PEM)"),
        app.add_option("--tls-revoked", server.revocations, "serials of revoked certificates")}) {
    option->type_name("FILE")->excludes(folder);
  }
}

// Uses a folder of `joseki certs init`. Its authority's key may be kept elsewhere; then no node can
// enrol.
void UseFolder(const std::string& folder, ServerOptions& server) {
  server.tls = certificates::TlsFiles::In(folder);
  server.revocations = folder + "/revoked";
  if (std::filesystem::exists(folder + "/ca.key")) server.authority = folder;
}

// Throws unless a lease outlasts some late beats.
void CheckPace(const Arguments& arguments) {
  const int most = arguments.lease_seconds / kBeatsOfALease;
  if (arguments.beat_seconds <= most) return;
  throw CLI::ValidationError(
      "--beat-seconds", absl::StrCat(arguments.beat_seconds, ", expected at most ", most,
                                     ", a quarter of --lease-seconds ", arguments.lease_seconds));
}

int Run(int argc, char** argv) {
  const SettingsOptions settings = {.section = "joseki-coordinator",
                                    .prefix = "JOSEKI_COORDINATOR_"};
  SettingPlaces places;
  Arguments arguments;
  CLI::App app("Hands opening lines to workers, takes their games and tunes the book.",
               "joseki-coordinator");
  app.set_version_flag("--version", "joseki-coordinator " JOSEKI_VERSION);
  app.add_option("--db", arguments.coordinator.db_path,
                 "the book's database; created if it does not exist")
      ->type_name("FILE");
  app.add_option("--game", arguments.game,
                 "game of a new book (default: shogi); an existing book names its own")
      ->type_name("GAME");
  app.add_option("--listen", arguments.server.listen,
                 "address to listen at; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  app.add_option("--address-file", arguments.address_file,
                 "file that receives HOST:PORT once the coordinator listens, its page and metrics "
                 "too")
      ->type_name("FILE");
  app.add_option("--page", arguments.page,
                 "also serve the page for browsers here, read-only; beyond loopback over HTTPS, "
                 "with --tls and --page-password")
      ->type_name("HOST:PORT");
  app.add_option("--page-password", arguments.page_password,
                 "file with the page's password; created with a random one if it does not exist")
      ->type_name("FILE");
  app.add_option("--artefact-rate", arguments.server.artefact_mb_per_second,
                 "MB a second of books and weights to all workers together; 0: no limit")
      ->type_name("MB")
      ->check(Within(0.0, 1e6))
      ->capture_default_str();
  app.add_flag("--insecure-network", arguments.server.insecure_network,
               "listen beyond loopback without TLS: anyone who reaches the port may do everything");
  AddTlsOptions(app, arguments);
  app.add_option("--lease-seconds", arguments.lease_seconds,
                 "shortest silence of a worker after which its games are given to others")
      ->check(Within(5, 86400))
      ->capture_default_str();
  app.add_option("--beat-seconds", arguments.beat_seconds,
                 "interval of a worker's reports when it submits nothing; at most a quarter of "
                 "--lease-seconds")
      ->check(Within(1, 3600))
      ->capture_default_str();
  app.add_option("--slots-per-lease", arguments.coordinator.slots_per_lease,
                 "most games handed out at once")
      ->check(Within(1, 1024))
      ->capture_default_str();
  app.add_option("--gather-ms", arguments.gather_ms,
                 "longest wait of a game for a shared commit, under low load")
      ->check(Within(0, 1000))
      ->capture_default_str();
  app.add_option("--quarantine-outliers", arguments.coordinator.quarantine_outliers,
                 "quarantine workers whose results would have less than this probability if all "
                 "workers played alike, such as 1e-6; 0: only show them")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  app.add_flag("--allow-network-filesystem", arguments.coordinator.allow_network_file_system,
               "run on a book whose disk another machine serves; no other machine may open it");
  app.add_option("--metrics", arguments.metrics,
                 "address of /metrics for Prometheus, unencrypted: anyone who reaches the port "
                 "reads counts of games and workers; port 0 takes a free one")
      ->type_name("HOST:PORT");
  app.add_option("--log-level", arguments.log_level, "least level that is logged to stderr")
      ->check(OneOf({"debug", "info", "warning", "error"}))
      ->capture_default_str();
  app.add_option("--health-check", arguments.health_check,
                 "ask the coordinator at this address whether it serves, and exit 0 or 1")
      ->type_name("HOST:PORT");
  AddSettingsOption(app, settings);
  const auto fail = [](const absl::Status& status, int code) {
    std::cerr << "joseki-coordinator: " << status.message() << "\n";
    return code;
  };
  try {
    absl::StatusOr<std::vector<std::string>> line = CommandLine(app, settings, argc, argv, places);
    if (!line.ok()) return fail(line.status(), kBadUsage);
    app.parse(*std::move(line));
    if (arguments.health_check.empty() && arguments.coordinator.db_path.empty()) {
      throw CLI::RequiredError("--db");
    }
    CheckPace(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(UsageError(error.what(), "joseki-coordinator", places), kBadUsage);
  }
  if (const auto isa = ChosenIsa(); !isa.ok()) return fail(isa.status(), kBadUsage);
  if (const auto addresses = AddressesOf(arguments); !addresses.ok()) {
    return fail(addresses.status(), kBadUsage);
  }
  if (!arguments.tls.empty()) UseFolder(arguments.tls, arguments.server);
  const sigset_t signals = BlockSignals();
  if (!arguments.health_check.empty()) {
    const absl::Status status =
        CheckHealth(arguments.health_check, absl::Seconds(5), arguments.server.tls);
    return status.ok() ? kDone : fail(status, kFailed);
  }
  SetUpLog(arguments.log_level);
  arguments.server.connections = CheckDescriptors();
  arguments.coordinator.lease_term = absl::Seconds(arguments.lease_seconds);
  arguments.coordinator.pressure.beat = absl::Seconds(arguments.beat_seconds);
  arguments.coordinator.gather = absl::Milliseconds(arguments.gather_ms);
  arguments.coordinator.seed = static_cast<uint64_t>(absl::ToUnixNanos(absl::Now()));
  arguments.server.db_path = arguments.coordinator.db_path;
  const absl::Status status = Serve(arguments, signals);
  if (!status.ok()) return fail(status, kFailed);
  spdlog::info("event=stopped");
  return kDone;
}

}  // namespace
}  // namespace joseki::coordinator

int main(int argc, char** argv) {
  joseki::SpareDeadlockDetection();
  joseki::ReleaseIdleTlsBuffers();
  joseki::SilenceGrpcLog();
  return joseki::coordinator::Run(argc, argv);
}
