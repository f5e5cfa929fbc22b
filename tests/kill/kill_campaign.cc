// Kills coordinator and workers with SIGKILL under load, at random moments and at chosen points.
// These are inside a commit, a checkpoint, an export, or a write of the spool. Compares at the end
// the acknowledgements of the workers, the content of the database, and the counts of the book
// moves.
//
//   kill_campaign [--kills N] [--nodes N] [--workers N] [--slots N] [--in-flight N] [--seed N]
//
// Exit status 0 if nothing was lost and nothing was counted twice. Each kill is logged with its
// point and the number of games in flight before it.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "tests/kill/campaign.h"

namespace joseki::testing {
namespace {

constexpr std::chrono::seconds kPatience(30);

// The target of a kill, and the fault points that belong to it.
struct Target {
  const char* name;
  bool worker;
  std::vector<FaultPoint> points;  // none: at any moment
  uint64_t skip;                   // upper bound of the operations at the point before it
};

const std::vector<Target>& Targets() {
  static const std::vector<Target> targets = {
      {"commit", false, {FaultPoint::kWalWrite, FaultPoint::kWalSync}, 10},
      {"checkpoint", false, {FaultPoint::kDbWrite, FaultPoint::kDbSync}, 5},
      {"export", false, {FaultPoint::kExportRead}, 4},
      {"spool write",
       true,
       {FaultPoint::kSpoolWrite, FaultPoint::kSpoolSync, FaultPoint::kSpoolTruncate},
       8},
      {"coordinator at any moment", false, {}, 0},
      {"worker at any moment", true, {}, 0},
  };
  return targets;
}

class KillCampaign {
 public:
  KillCampaign(const CampaignFlags& flags, int kills)
      : flags_(flags),
        kills_(kills),
        rng_(flags.seed),
        campaign_("kill", flags, {"--fault-wal-pages=60"}) {}

  int Run() {
    if (!campaign_.Start()) return 1;
    const auto began = std::chrono::steady_clock::now();
    for (int kill = 0; kill < kills_; ++kill) {
      const Target& target = Targets()[static_cast<size_t>(kill) % Targets().size()];
      if (!campaign_.AwaitLoad(5)) return campaign_.Failed("no progress");
      const int worker = target.worker ? next_worker_++ % flags_.workers : -1;
      least_in_flight_ = std::min(least_in_flight_, campaign_.in_flight());
      const std::string point = KillOne(target, worker);
      if (point.empty()) return campaign_.Failed(absl::StrCat("never came to ", target.name));
      if (!target.points.empty()) ++counts_[absl::StrCat(target.name, ": ", point)];
      ++totals_[target.name];
      std::cout << "kill " << kill + 1 << " " << target.name
                << (target.points.empty() ? "" : " at " + point) << ": " << campaign_.games_done()
                << " games done, " << campaign_.in_flight() << " in flight" << std::endl;
      if (worker >= 0) {
        campaign_.cluster().StartWorker(worker);
      } else {
        campaign_.cluster().StartCoordinator();
      }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const bool well = campaign_.AwaitLoad(5) && campaign_.Finish();
    std::cout << "kills " << kills_ << " in " << took.count() << " s, each with at least "
              << least_in_flight_ << " games in flight\n";
    for (const auto& [name, count] : totals_) std::cout << "  " << count << " " << name << "\n";
    for (const auto& [name, count] : counts_) std::cout << "    " << count << " " << name << "\n";
    std::cout << (well ? "nothing lost, nothing counted twice" : "FAILED") << std::endl;
    return well ? 0 : 1;
  }

 private:
  // Returns where the kill struck; empty if it never did.
  std::string KillOne(const Target& target, int worker) {
    TestCluster& cluster = campaign_.cluster();
    if (target.points.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(rng_.Below(300)));
      if (worker >= 0) {
        cluster.KillWorker(worker);
      } else {
        cluster.KillCoordinator();
      }
      return target.name;
    }
    FaultControl& faults =
        worker >= 0 ? campaign_.worker_faults(worker) : campaign_.coordinator_faults();
    faults.struck = 0;
    faults.KillAt(target.points[rng_.Below(target.points.size())],
                  static_cast<uint32_t>(rng_.Below(target.skip + 1)),
                  static_cast<FaultMoment>(rng_.Below(3)));
    const bool exports = target.points[0] == FaultPoint::kExportRead;
    std::atomic<bool> over = false;
    std::thread reader([&] {
      while (exports && !over) cluster.Export(campaign_.run()).IgnoreError();
    });
    const auto dead = [&] {
      return worker >= 0 ? !cluster.WorkerRuns(worker) : !cluster.CoordinatorRuns();
    };
    bool died = Eventually(dead, kPatience);
    if (!died) {
      // A spool that is never empty is not truncated: then at the point that always comes.
      faults.KillAt(target.points[0], 0, FaultMoment::kHalfWay);
      died = campaign_.AwaitFault(dead);
    }
    over = true;
    reader.join();
    if (!died || faults.struck == 0) return "";
    constexpr std::array kMoments = {"before", "halfway", "after"};
    return absl::StrCat(std::string(Name(static_cast<FaultPoint>(faults.struck.load()))), " ",
                        kMoments.at(faults.kill_moment));
  }

  const CampaignFlags flags_;
  const int kills_;
  Rng rng_;
  Campaign campaign_;
  int next_worker_ = 0;
  uint32_t least_in_flight_ = ~0u;
  std::map<std::string, int> totals_;
  std::map<std::string, int> counts_;
};

int Main(int argc, char** argv) {
  CampaignFlags flags;
  flags.binaries = JOSEKI_BINARY_DIR;
  int kills = 100;
  CLI::App app("Kills a cluster's processes under load and counts its games.", "kill_campaign");
  app.add_option("--kills", kills, "in all, of each kind in turn");
  app.add_option("--game", flags.game, "of the book that is tuned");
  app.add_option("--nodes", flags.nodes, "a move");
  app.add_option("--workers", flags.workers);
  app.add_option("--slots", flags.seats, "of each worker");
  app.add_option("--in-flight", flags.in_flight, "games in flight at each kill, at least");
  app.add_option("--policy", flags.policy);
  app.add_option("--search-share", flags.search_share, "percent of the nodes, of a goal's run");
  app.add_option("--seed", flags.seed);
  app.add_option("--binaries", flags.binaries, "folder of the programs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return KillCampaign(flags, kills).Run();
}

}  // namespace
}  // namespace joseki::testing

int main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }
