// Makes the coordinator's disk full, faulty and lose power under load, and makes the workers' disks
// fail. After each fault checks that all acknowledged games are stored once and counted once.
//
//   storage_faults [--rounds N] [--nodes N] [--workers N] [--slots N] [--in-flight N] [--seed N]
//
// Exit status 0 if nothing was lost and nothing was counted twice. A round is one fault of each
// kind.

#include <array>
#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "tests/kill/campaign.h"
#include "tests/support/fault_vfs.h"

namespace joseki::testing {
namespace {

class StorageFaults {
 public:
  StorageFaults(const CampaignFlags& flags, int rounds)
      : flags_(flags),
        rounds_(rounds),
        rng_(flags.seed),
        campaign_("storage", flags, {"--fault-wal-pages=60", "--fault-power-loss"}) {}

  int Run() {
    if (!campaign_.Start()) return 1;
    const auto began = std::chrono::steady_clock::now();
    bool well = true;
    for (int round = 1; round <= rounds_ && well; ++round) {
      well = FullDisk() && FailingOperations() && FailingByChance() && WorkersDisk() &&
             PowerLossAtAnyMoment() && PowerLossAt(FaultPoint::kWalWrite) &&
             PowerLossAt(FaultPoint::kWalSync) && PowerLossAt(FaultPoint::kDbWrite) &&
             PowerLossAt(FaultPoint::kDbSync);
    }
    well = well && campaign_.AwaitLoad(20) && campaign_.Finish();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::cout << "rounds " << rounds_ << " in " << took.count() << " s: full disks " << full_
              << ", operations failed " << failed_ << ", power lost " << power_lost_ << "\n"
              << (well ? "nothing lost, nothing counted twice" : "FAILED") << std::endl;
    return well ? 0 : 1;
  }

 private:
  FaultControl& faults() { return campaign_.coordinator_faults(); }

  bool Loaded() { return campaign_.AwaitLoad(10) || campaign_.Failed("no progress") == 0; }
  // All is as before: games go on being accepted, and what was said is stored.
  bool Recovered(const std::string& from) {
    if (!campaign_.cluster().CoordinatorRuns()) {
      return campaign_.Failed("the coordinator did not survive: " + from) == 0;
    }
    return Loaded() && campaign_.Check("after " + from);
  }
  static void Wait(uint64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

  bool FullDisk() {
    if (!Loaded()) return false;
    ++full_;
    faults().full = 1;
    Wait(1000 + rng_.Below(2000));
    faults().full = 0;
    return Recovered("a full disk");
  }

  // Errors of each operation, with and without a half-written page.
  bool FailingOperations() {
    for (const FaultPoint point :
         {FaultPoint::kWalWrite, FaultPoint::kWalSync, FaultPoint::kDbWrite, FaultPoint::kDbSync}) {
      if (!Loaded()) return false;
      const uint64_t before = faults().Failed(point);
      faults().torn = static_cast<uint32_t>(rng_.Below(2));
      faults().Fail(point, 1 + static_cast<uint32_t>(rng_.Below(3)));
      const bool struck = campaign_.AwaitFault([&] { return faults().Failed(point) > before; });
      if (!struck) return campaign_.Failed(absl::StrCat("no ", std::string(Name(point)))) == 0;
      Wait(200);
      faults().Fail(point, 0);
      faults().torn = 0;
      failed_ += faults().Failed(point) - before;
      if (!Recovered(absl::StrCat("errors of ", std::string(Name(point))))) return false;
    }
    return true;
  }

  // Every operation may fail, one in twenty does.
  bool FailingByChance() {
    constexpr std::array kPoints = {FaultPoint::kWalWrite, FaultPoint::kWalSync,
                                    FaultPoint::kDbWrite, FaultPoint::kDbSync,
                                    FaultPoint::kDbTruncate};
    if (!Loaded()) return false;
    uint64_t failed = 0;
    for (const FaultPoint point : kPoints) {
      failed -= faults().Failed(point);
      faults().FailByChance(point, 50'000);
    }
    Wait(3000);
    for (const FaultPoint point : kPoints) {
      faults().FailByChance(point, 0);
      failed += faults().Failed(point);
    }
    failed_ += failed;
    return Recovered(absl::StrCat(failed, " errors by chance"));
  }

  bool WorkersDisk() {
    if (!Loaded()) return false;
    for (int worker = 0; worker < flags_.workers; ++worker) {
      FaultControl& disk = campaign_.worker_faults(worker);
      disk.torn = static_cast<uint32_t>(rng_.Below(2));
      disk.FailByChance(FaultPoint::kSpoolWrite, 300'000);
      disk.FailByChance(FaultPoint::kSpoolSync, 300'000);
      disk.FailByChance(FaultPoint::kSpoolTruncate, 300'000);
    }
    Wait(2000);
    for (int worker = 0; worker < flags_.workers; ++worker) {
      FaultControl& disk = campaign_.worker_faults(worker);
      for (const FaultPoint point :
           {FaultPoint::kSpoolWrite, FaultPoint::kSpoolSync, FaultPoint::kSpoolTruncate}) {
        disk.FailByChance(point, 0);
        failed_ += disk.Failed(point);
      }
      if (!campaign_.cluster().WorkerRuns(worker)) {
        return campaign_.Failed("a worker did not survive its disk") == 0;
      }
    }
    return Recovered("errors of the workers' disks");
  }

  bool PowerLossAtAnyMoment() {
    if (!Loaded()) return false;
    Wait(rng_.Below(500));
    campaign_.cluster().KillCoordinator();
    return PowerIsLost("a power loss");
  }

  bool PowerLossAt(FaultPoint point) {
    if (!Loaded()) return false;
    faults().struck = 0;
    faults().KillAt(point, static_cast<uint32_t>(rng_.Below(10)),
                    static_cast<FaultMoment>(rng_.Below(3)));
    if (!campaign_.AwaitFault([&] { return !campaign_.cluster().CoordinatorRuns(); })) {
      return campaign_.Failed(absl::StrCat("no ", std::string(Name(point)))) == 0;
    }
    return PowerIsLost(absl::StrCat("a power loss in ", std::string(Name(point))));
  }

  bool PowerIsLost(const std::string& how) {
    ++power_lost_;
    const absl::Status lost = LosePower(campaign_.cluster().File("book.sqlite"), rng_);
    if (!lost.ok()) return campaign_.Failed(lost.ToString()) == 0;
    campaign_.cluster().StartCoordinator();
    return Recovered(how);
  }

  const CampaignFlags flags_;
  const int rounds_;
  Rng rng_;
  Campaign campaign_;
  int full_ = 0;
  int power_lost_ = 0;
  uint64_t failed_ = 0;
};

int Main(int argc, char** argv) {
  CampaignFlags flags;
  flags.binaries = JOSEKI_BINARY_DIR;
  int rounds = 5;
  CLI::App app("Lets disks fail under load and counts the games.", "storage_faults");
  app.add_option("--rounds", rounds);
  app.add_option("--nodes", flags.nodes, "a move");
  app.add_option("--workers", flags.workers);
  app.add_option("--slots", flags.seats, "of each worker");
  app.add_option("--in-flight", flags.in_flight, "games in flight at each fault, at least");
  app.add_option("--policy", flags.policy);
  app.add_option("--seed", flags.seed);
  app.add_option("--binaries", flags.binaries, "folder of the programs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return StorageFaults(flags, rounds).Run();
}

}  // namespace
}  // namespace joseki::testing

int main(int argc, char** argv) { return joseki::testing::Main(argc, argv); }
