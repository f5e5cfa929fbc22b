#include "tests/kill/campaign.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/database/store.h"
#include "coordinator/offline/invariants.h"
#include "gtest/gtest.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

constexpr uint64_t kEndless = 10'000'000;
constexpr std::chrono::seconds kPatience(120);
// Whatever a commit or a checkpoint does, it has done by then.
constexpr uint64_t kGamesToAnyFault = 3000;

v1::RunSpec SpecOf(const CampaignFlags& flags) {
  v1::RunSpec spec = SmallRun("campaign", kEndless, flags.game);
  v1::PlaySpec& play = *spec.mutable_play();
  (*play.mutable_engine_options())["hash_mb"] = "1";
  play.set_nodes(flags.nodes);
  play.set_max_plies(100);
  spec.mutable_policy()->set_name(flags.policy);
  spec.set_deviation(0.008);
  if (flags.search_share > 0) {
    spec.mutable_line_searches()->set_nodes(5 * flags.nodes);
    spec.mutable_line_searches()->set_share(flags.search_share);
  }
  spec.set_seed(flags.seed);
  return spec;
}

}  // namespace

Campaign::Campaign(std::string name, CampaignFlags flags,
                   std::vector<std::string> coordinator_flags)
    : name_(std::move(name)), flags_(std::move(flags)) {
  const auto folder =
      std::filesystem::temp_directory_path() / absl::StrCat("joseki-", name_, "-", getpid());
  const auto control = [folder](const std::string& process) {
    return (folder / (process + ".fault")).string();
  };
  coordinator_flags.push_back("--fault-control=" + control("coordinator"));
  cluster_ = std::make_unique<TestCluster>(
      folder.string(), flags_.binaries,
      TestCluster::Options{.game = flags_.game,
                           .workers = flags_.workers,
                           .seats = flags_.seats,
                           .lease_seconds = 5,
                           .coordinator_flags = std::move(coordinator_flags),
                           .coordinator = "tests/fault_coordinator",
                           .worker = "tests/fault_worker",
                           .worker_flags = [control](int worker) {
                             return std::vector<std::string>{"--fault-control=" +
                                                             control(absl::StrCat("w", worker))};
                           }});
  coordinator_faults_ = SharedFaultControl::Map(control("coordinator")).value();
  for (int worker = 0; worker < flags_.workers; ++worker) {
    worker_faults_.push_back(SharedFaultControl::Map(control(absl::StrCat("w", worker))).value());
  }
}

bool Campaign::Start() {
  cluster_->StartCoordinator();
  const auto run = cluster_->CreateRun(SpecOf(flags_));
  if (!run.ok()) {
    Failed(run.status().ToString());
    return false;
  }
  run_ = *run;
  for (int worker = 0; worker < flags_.workers; ++worker) cluster_->StartWorker(worker);
  return true;
}

bool Campaign::AwaitLoad(uint64_t more_games) {
  const uint64_t due = games_done_ + more_games;
  return cluster_->Await(run_, [&](const v1::RunStatus& status) {
    if (status.games_done() < due || status.slots_in_flight() < flags_.in_flight) return false;
    games_done_ = status.games_done();
    in_flight_ = status.slots_in_flight();
    return true;
  });
}

bool Campaign::AwaitFault(const std::function<bool()>& struck) {
  const uint64_t enough = games_done_ + kGamesToAnyFault;
  for (uint64_t games = games_done_;;) {
    if (Eventually(struck, kPatience)) return true;
    const auto status = cluster_->Status(run_);
    // Perhaps it has just ended by the fault.
    if (!status.ok()) return Eventually(struck, kPatience);
    if (status->games_done() <= games || games >= enough) return false;
    games = status->games_done();
  }
}

bool Campaign::Check(const std::string& when) {
  // First what was said, then what is stored: what is said in between may be stored too.
  const std::set<TestCluster::Key> acknowledged = cluster_->Acknowledged();
  const auto store = book::Store::Open(cluster_->File("book.sqlite"), book::OpenMode::kReadOnly);
  if (!store.ok()) return Failed(store.status().ToString()) == 0;
  const auto report = coordinator::CheckInvariants(**store, cluster_->rules(),
                                                   {acknowledged.begin(), acknowledged.end()});
  if (!report.ok()) return Failed(report.status().ToString()) == 0;
  std::cout << when << ": acknowledged " << acknowledged.size() << ", stored " << report->games
            << ", violations " << report->violations << ", bad verdicts " << cluster_->BadVerdicts()
            << std::endl;
  for (const std::string& violation : report->first) std::cout << "  " << violation << std::endl;
  return report->violations == 0 && cluster_->BadVerdicts() == 0;
}

bool Campaign::Finish() {
  // A worker that was started last has games in its spool that it does not yet know to be stored.
  for (int worker = 0; worker < flags_.workers; ++worker) {
    if (!cluster_->AwaitJoined(worker)) {
      return Failed(absl::StrCat("worker ", worker, " never joined")) == 0;
    }
  }
  if (const absl::Status stopped = cluster_->StopRun(run_); !stopped.ok()) {
    return Failed(stopped.ToString()) == 0;
  }
  std::string unclean;
  for (int worker = 0; worker < flags_.workers; ++worker) {
    const int status = cluster_->StopWorker(worker);
    if (status == 0) continue;
    absl::StrAppend(&unclean, " worker ", worker, " (", status, ")");
  }
  if (const int status = cluster_->StopCoordinator(); status != 0) {
    absl::StrAppend(&unclean, " coordinator (", status, ")");
  }
  if (!unclean.empty()) return Failed(absl::StrCat("did not end well:", unclean)) == 0;
  if (!Check("at the end")) return Failed("invariants") == 0;
  const TestCluster::Stored stored = cluster_->Read();
  const std::set<TestCluster::Key> acknowledged = cluster_->Acknowledged();
  const std::set<TestCluster::Key> all = stored.all();
  size_t lost = 0;
  for (const TestCluster::Key& key : acknowledged) lost += !all.contains(key);
  size_t untold = 0;
  for (const TestCluster::Key& key : stored.games) untold += !acknowledged.contains(key);
  for (const TestCluster::Key& key : stored.searches) untold += !acknowledged.contains(key);
  const auto credited = static_cast<int64_t>(stored.credited);
  const auto expected = static_cast<int64_t>(stored.expected_credit);
  std::cout << "games stored " << stored.games.size() << ", searches " << stored.searches.size()
            << ", made again " << stored.copies.size() << ", acknowledged " << acknowledged.size()
            << ", lost " << lost << ", stored and not told of " << untold
            << ", counted twice (book moves) " << credited - expected << ", faults "
            << stored.faults << ", audit mismatches " << stored.mismatches << std::endl;
  if (::testing::Test::HasFailure() || lost != 0 || untold != 0 || credited != expected ||
      stored.mismatches != 0 || stored.faults != 0) {
    return Failed("the counts do not agree " + stored.first_mismatch) == 0;
  }
  return true;
}

int Campaign::Failed(const std::string& what) {
  std::cerr << name_ << ": " << what << "\n" << cluster_->Logs();
  return 1;
}

}  // namespace joseki::testing
