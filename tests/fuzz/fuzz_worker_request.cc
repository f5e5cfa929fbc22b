#include <algorithm>

#include "coordinator/services/to_wire.h"
#include "joseki/v1/worker.pb.h"
#include "tests/fuzz/fuzz_request.h"

namespace joseki::coordinator {
namespace {

// The numbers that a coordinator gives out differ from life to life. Small ones in an input stand
// for those that its own requests were given, so that an input means the same each time.
class Conversation {
 public:
  explicit Conversation(FuzzedCoordinator& fuzzed)
      : fuzzed_(fuzzed), coordinator_(fuzzed.coordinator()) {}

  void Say(uint8_t which, std::string_view bytes) {
    switch (which % 5) {
      case 0:
        return Join(bytes);
      case 1:
        return Acquire(bytes);
      case 2:
        return Submit(bytes);
      case 3:
        return Beat(bytes);
      default:
        return Leave(bytes);
    }
  }

 private:
  using Fuzzed = FuzzedCoordinator;

  template <typename Request>
  static bool Parse(std::string_view bytes, Request& request) {
    return request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  }
  uint64_t SessionOf(uint64_t number) const { return number == 1 ? session_ : number; }
  const v1::Lease* Given(uint64_t number) const {
    return number >= 1 && number <= leases_.size() ? &leases_[number - 1] : nullptr;
  }
  uint64_t LeaseOf(uint64_t number) const {
    const v1::Lease* const lease = Given(number);
    return lease == nullptr ? number : lease->lease();
  }
  // A game of a lease that was given begins with its slot's line; the input has the rest.
  void Complete(v1::Game& game) const {
    const v1::Lease* const lease = Given(game.lease());
    if (lease == nullptr) return;
    game.set_lease(lease->lease());
    game.set_run(lease->run());
    for (const v1::Slot& slot : lease->slots()) {
      if (slot.slot() == game.slot()) game.set_moves(slot.line() + game.moves());
    }
  }

  void Join(std::string_view bytes) {
    v1::JoinRequest request;
    if (!Parse(bytes, request)) return;
    absl::StatusOr<JoinInput> input = FromWire(request);
    if (!input.ok()) return;
    const auto joined = fuzzed_.Wait<JoinOutput>(
        [&](auto done) { coordinator_.workers().Join(*std::move(input), std::move(done)); });
    if (!joined.ok()) return;
    session_ = joined->session;
    epoch_ = joined->epoch;
    if (coordinator_.workers().WorkerOf(session_) != request.worker()) std::abort();
    Fuzzed::MustBeSendable(ToWire(*joined));
  }
  void Acquire(std::string_view bytes) {
    v1::AcquireRequest request;
    if (!Parse(bytes, request)) return;
    request.set_session(SessionOf(request.session()));
    absl::StatusOr<AcquireInput> input = FromWire(request);
    if (!input.ok()) return;
    const auto output = fuzzed_.Wait<AcquireOutput>(
        [&](auto done) { coordinator_.workers().Acquire(*std::move(input), std::move(done)); });
    if (!output.ok()) return;
    Take(ToWire(*output));
  }
  void Submit(std::string_view bytes) {
    v1::SubmitRequest request;
    if (!Parse(bytes, request)) return;
    request.set_session(SessionOf(request.session()));
    if (request.epoch() == "e") request.set_epoch(epoch_);
    for (v1::Game& game : *request.mutable_games()) Complete(game);
    absl::StatusOr<SubmitInput> input = FromWire(request);
    if (!input.ok()) return;
    const auto output = fuzzed_.Wait<SubmitOutput>(
        [&](auto done) { coordinator_.workers().Submit(*std::move(input), std::move(done)); });
    if (!output.ok()) return;
    const v1::SubmitResponse response = ToWire(*output);
    if (response.verdicts_size() != request.games_size()) std::abort();
    Fuzzed::MustBeSendable(response);
    if (output->work) Take(ToWire(*output->work));
  }
  void Take(const v1::AcquireResponse& response) {
    Fuzzed::MustBeSendable(response);
    for (const v1::Lease& lease : response.leases()) leases_.push_back(lease);
  }
  void Beat(std::string_view bytes) {
    v1::BeatRequest request;
    if (!Parse(bytes, request)) return;
    for (v1::LeaseProgress& lease : *request.mutable_leases()) {
      lease.set_lease(LeaseOf(lease.lease()));
    }
    const auto progress = FromWire(request);
    if (!progress.ok()) return;
    const auto output = coordinator_.workers().Beat(SessionOf(request.session()), *progress);
    Fuzzed::MustBeTheCallersFault(output.status());
    if (output.ok()) Fuzzed::MustBeSendable(ToWire(*output));
  }
  void Leave(std::string_view bytes) {
    v1::LeaveRequest request;
    if (!Parse(bytes, request)) return;
    for (v1::SlotRef& slot : *request.mutable_unplayed()) slot.set_lease(LeaseOf(slot.lease()));
    absl::StatusOr<std::vector<SlotRef>> unplayed = FromWire(request);
    if (!unplayed.ok()) return;
    fuzzed_
        .Wait<bool>([&](auto done) {
          coordinator_.workers().Leave(SessionOf(request.session()), *std::move(unplayed),
                                       [done](const absl::Status& status) {
                                         done(status.ok() ? absl::StatusOr<bool>(true) : status);
                                       });
        })
        .IgnoreError();
  }

  FuzzedCoordinator& fuzzed_;
  Coordinator& coordinator_;
  uint64_t session_ = 0;
  std::string epoch_;
  std::vector<v1::Lease> leases_;
};

}  // namespace
}  // namespace joseki::coordinator

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using joseki::coordinator::FuzzedCoordinator;
  static FuzzedCoordinator fuzzed;
  joseki::coordinator::Conversation conversation(fuzzed.Next());
  fuzzed.ForEachRequest(
      data, size, [&](uint8_t which, std::string_view bytes) { conversation.Say(which, bytes); });
  return 0;
}
