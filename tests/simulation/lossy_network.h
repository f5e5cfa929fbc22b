#pragma once

#include <array>
#include <functional>
#include <vector>

#include "absl/time/time.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/sim_worker.h"
#include "tests/simulation/stage.h"

namespace joseki::testing {

// The network between workers and coordinator. During trouble it loses, repeats, delays and
// reorders messages and replies.
class LossyNetwork final : public SimNetwork {
 public:
  LossyNetwork(Stage& stage, SimCoordinator& coordinator, int workers)
      : stage_(stage), coordinator_(coordinator), links_(static_cast<size_t>(workers)) {}

  // Cuts one of the workers off from the coordinator for a while, in one direction or both.
  void CutSomebodyOff();
  // Ends all cuts.
  void Mend();

  void Join(int worker, worker::JoinInput input, Done<worker::Session> done) override;
  void Acquire(int worker, const worker::Session& session, worker::AcquireInput input,
               Done<worker::AcquireOutput> done) override;
  void Submit(int worker, worker::SessionId session, std::vector<worker::FinishedGame> games,
              worker::AcquireInput work, Done<worker::SubmitOutput> done) override;
  void Beat(int worker, worker::SessionId session, std::vector<worker::LeaseProgress> leases,
            Done<worker::BeatOutput> done) override;
  void Leave(int worker, worker::SessionId session, std::vector<worker::SlotRef> unplayed,
             Done<bool> done) override;

 private:
  // Present faults of one worker's link: towards the coordinator, and back.
  struct Link {
    std::array<absl::Time, 2> cut_until = {absl::InfinitePast(), absl::InfinitePast()};
  };
  enum Direction : size_t { kThere = 0, kBack = 1 };

  void Send(int worker, Direction direction, std::function<void()> deliver);
  template <typename Reply>
  void Call(int worker, const char* name, absl::Duration deadline,
            std::function<void(coordinator::Coordinator&, Done<Reply>)> verb, Done<Reply> done);

  Stage& stage_;
  SimCoordinator& coordinator_;
  std::vector<Link> links_;
};

}  // namespace joseki::testing
