#include "coordinator/services/metrics.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::kNow;
using ::testing::HasSubstr;
using ::testing::Not;

CoordinatorUse Use() {
  return {.process = {.cpu_seconds = 12.5, .resident_bytes = 4096},
          .open_descriptors = 9,
          .most_descriptors = 1024,
          .book_bytes = 1 << 20,
          .log_bytes = 77,
          .disk_free_bytes = uint64_t{5} << 30};
}

ConnectionCounts Connections() {
  return {.known = 40,
          .strangers = 3,
          .most = 900,
          .most_strangers = 128,
          .refused = 5,
          .strangers_out = 6};
}

// A status in which every family has a sample.
ClusterStatus FullStatus() {
  ClusterStatus status;
  status.uptime = absl::Seconds(60);
  status.commit_ms = 3;
  status.queued_games = 4;
  status.certificate_end = kNow + absl::Hours(1);
  for (const char* const state : {"active", "active", "silent"}) {
    WorkerStatus worker;
    worker.worker = absl::StrCat("secret-name-", status.workers.size());
    worker.state = state;
    worker.seats = 8;
    worker.in_flight = 5;
    worker.cost = {.processor_ms = 10'000, .search_ms = 9'000};
    status.workers.push_back(worker);
  }
  RunStatus run;
  run.run = 3;
  run.state = "running";
  run.spec.games = 1000;
  run.games_done = 440;
  run.eta_seconds = 30;
  run.faults = 2;
  run.terminations = {{Termination::kNoLegalMove, 438}, {Termination::kCrash, 2}};
  run.priors.done = 70;
  run.line_searches = LineSearchStatus{.answers = 8, .trials = 5};
  run.gain_left = 0.25;
  run.answers_changed = 0.125;
  status.runs.push_back(run);
  return status;
}

// Samples as "name{label=value,...}".
std::map<std::string, double> Samples(const ClusterStatus& status) {
  std::map<std::string, double> samples;
  for (const prometheus::MetricFamily& family :
       MetricFamilies(status, Connections(), Use(), kNow)) {
    for (const prometheus::ClientMetric& metric : family.metric) {
      std::string key = family.name;
      for (const prometheus::ClientMetric::Label& label : metric.label) {
        absl::StrAppend(&key, "{", label.name, "=", label.value, "}");
      }
      const double value = family.type == prometheus::MetricType::Counter ? metric.counter.value
                                                                          : metric.gauge.value;
      EXPECT_TRUE(samples.emplace(key, value).second) << key << " is there twice";
    }
  }
  return samples;
}

TEST(MetricsTest, SaysWhatTheStatusSays) {
  const std::map<std::string, double> samples = Samples(FullStatus());
  const auto expect = [&](const std::string& key, double value) {
    const auto at = samples.find(key);
    ASSERT_NE(at, samples.end()) << key;
    EXPECT_DOUBLE_EQ(at->second, value) << key;
  };
  expect("joseki_commit_seconds", 0.003);
  expect("joseki_queued_games", 4);
  expect("joseki_certificate_end_seconds", 1'800'003'600);
  expect("process_start_time_seconds", 1'799'999'940);
  expect("process_cpu_seconds_total", 12.5);
  expect("joseki_book_log_bytes", 77);
  expect("joseki_workers{state=active}", 2);
  expect("joseki_workers{state=silent}", 1);
  expect("joseki_workers{state=quarantined}", 0);
  expect("joseki_slots", 16);
  expect("joseki_slots_busy", 10);
  expect("joseki_search_ratio", 0.9);
  expect("joseki_run_state{run=3}{state=running}", 1);
  expect("joseki_run_games{run=3}", 440);
  expect("joseki_run_searches{run=3}", 83);
  expect("joseki_run_games_target{run=3}", 1000);
  expect("joseki_run_eta_seconds{run=3}", 30);
  expect("joseki_run_faults_total{run=3}", 2);
  expect("joseki_run_terminations{run=3}{ending=crash}", 2);
  expect("joseki_run_gain_left{run=3}", 0.25);
}

TEST(MetricsTest, SlotsThatWaitForASeatAreNotBusy) {
  ClusterStatus status = FullStatus();
  status.workers[0].in_flight = 480;  // held ahead
  const std::map<std::string, double> samples = Samples(status);
  EXPECT_EQ(samples.at("joseki_slots"), 16);
  EXPECT_EQ(samples.at("joseki_slots_busy"), 13);
}

TEST(MetricsTest, LeavesOutWhatIsNotKnown) {
  ClusterStatus status = FullStatus();
  status.certificate_end = std::nullopt;
  status.workers.clear();
  status.runs[0].eta_seconds = -1;
  status.runs[0].spec.games = 0;
  status.runs[0].gain_left = std::nullopt;
  status.runs[0].line_searches = std::nullopt;
  const std::map<std::string, double> samples = Samples(status);
  for (const char* const name :
       {"joseki_certificate_end_seconds", "joseki_search_ratio", "joseki_run_eta_seconds{run=3}",
        "joseki_run_games_target{run=3}", "joseki_run_gain_left{run=3}"}) {
    EXPECT_EQ(samples.count(name), 0u) << name;
  }
  EXPECT_EQ(samples.at("joseki_workers{state=active}"), 0);
  EXPECT_EQ(samples.at("joseki_run_searches{run=3}"), 70) << "those for priors are known";
}

// The table of docs/reference/monitoring.md: "| `joseki_slots` | gauge | ... |".
TEST(MetricsTest, EveryNameIsDocumentedAndTheOtherWayRound) {
  std::map<std::string, std::string> said;
  std::ifstream page(JOSEKI_SOURCE_DIR "/docs/reference/monitoring.md");
  const std::regex row(
      "^\\| `((?:joseki|process)_[a-z_]+)(?:\\{[a-z, ]+\\})?` \\| (gauge|counter) \\|.*");
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (std::regex_match(line, match, row)) said[match[1]] = match[2];
  }
  std::map<std::string, std::string> given;
  for (const prometheus::MetricFamily& family :
       MetricFamilies(FullStatus(), Connections(), Use(), kNow)) {
    given[family.name] = family.type == prometheus::MetricType::Counter ? "counter" : "gauge";
    EXPECT_FALSE(family.help.empty()) << family.name;
  }
  EXPECT_EQ(said, given);
}

// The response to a GET of /metrics.
std::string Scrape(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(colon + 1))));
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  const std::string request = "GET /metrics HTTP/1.0\r\n\r\n";
  EXPECT_EQ(write(fd, request.data(), request.size()), static_cast<ssize_t>(request.size()));
  std::string reply;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    reply.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  return reply;
}

TEST(MetricsServerTest, AnswersWithTheStatusOfTheMoment) {
  testing::TempFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "book.sqlite", "12345").ok());
  const auto server = MetricsServer::Start("127.0.0.1:0", folder / "book.sqlite",
                                           {.status = FullStatus, .connections = Connections});
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string reply = Scrape((*server)->address());
  EXPECT_THAT(reply, HasSubstr("200 OK"));
  EXPECT_THAT(reply, HasSubstr("\njoseki_run_games{run=\"3\"} 440\n"));
  EXPECT_THAT(reply, HasSubstr("\njoseki_book_bytes 5\n"));
  EXPECT_THAT(reply, HasSubstr("# TYPE joseki_run_faults_total counter"));
  EXPECT_THAT(reply, Not(HasSubstr("secret-name")));
}

TEST(MetricsServerTest, SaysWhereItCannotListen) {
  const MetricsServer::Sources source = {.status = FullStatus, .connections = Connections};
  const auto first = MetricsServer::Start("127.0.0.1:0", "", source);
  ASSERT_TRUE(first.ok()) << first.status();
  for (const std::string& address : {(*first)->address(), std::string("nonsense"),
                                     std::string(":80"), std::string("127.0.0.1:none")}) {
    const auto server = MetricsServer::Start(address, "", source);
    ASSERT_FALSE(server.ok()) << address;
    EXPECT_EQ(ProblemOf(server.status()).code, "cannot_listen") << server.status();
    EXPECT_EQ(ProblemOf(server.status()).file, "--metrics");
  }
}

TEST(CoordinatorUseTest, IsThatOfThisProcess) {
  const CoordinatorUse use = CoordinatorUseOf("/tmp/there-is-no-such.sqlite");
  EXPECT_GT(use.process.resident_bytes, 100'000u);
  EXPECT_GE(use.open_descriptors, 3u);
  EXPECT_GE(use.most_descriptors, use.open_descriptors);
  EXPECT_EQ(use.book_bytes, 0u);
  EXPECT_TRUE(use.disk_free_bytes.has_value());
}

}  // namespace
}  // namespace joseki::coordinator
