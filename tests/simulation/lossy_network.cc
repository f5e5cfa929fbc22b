#include "tests/simulation/lossy_network.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "tests/simulation/translated.h"

namespace joseki::testing {
namespace {

using coordinator::Coordinator;

constexpr absl::Duration kDeadline = absl::Seconds(10);

// A reply in the worker's words.
template <typename From, typename To, typename Make>
std::function<void(absl::StatusOr<From>)> Turned(std::function<void(absl::StatusOr<To>)> done,
                                                 Make make) {
  return [done = std::move(done), make](absl::StatusOr<From> reply) {
    if (!reply.ok()) return done(reply.status());
    done(make(*reply));
  };
}

}  // namespace

void LossyNetwork::Send(int worker, Direction direction, std::function<void()> deliver) {
  ++stage_.report.messages;
  const Link& link = links_[static_cast<size_t>(worker)];
  if (stage_.world.Now() < link.cut_until[direction]) {
    ++stage_.report.lost;
    return;
  }
  int copies = 1;
  if (stage_.trouble()) {
    if (stage_.world.Chance(0.02)) {
      ++stage_.report.lost;
      return;
    }
    if (stage_.world.Chance(0.02)) {
      ++stage_.report.repeated;
      copies = 2;
    }
  }
  for (int copy = 0; copy < copies; ++copy) {
    absl::Duration delay = stage_.world.Between(absl::Milliseconds(1), absl::Milliseconds(30));
    if (stage_.trouble() && stage_.world.Chance(0.02)) {
      delay = stage_.world.Between(absl::Seconds(1), absl::Minutes(2));
    }
    stage_.world.After(delay, deliver);
  }
}

template <typename Reply>
void LossyNetwork::Call(int worker, const char* name, absl::Duration deadline,
                        std::function<void(Coordinator&, Done<Reply>)> verb, Done<Reply> done) {
  const auto open = std::make_shared<bool>(true);
  const Done<Reply> once = [open, done = std::move(done)](absl::StatusOr<Reply> reply) {
    if (std::exchange(*open, false)) done(std::move(reply));
  };
  stage_.world.After(deadline, [once] { once(absl::DeadlineExceededError("no answer")); });
  Send(worker, kThere, [this, worker, name, verb = std::move(verb), once] {
    stage_.world.Trace(name, " of w", worker, !coordinator_.running() ? " refused" : "");
    if (!coordinator_.running()) {
      return Send(worker, kBack, [once] { once(absl::UnavailableError("nobody listens")); });
    }
    verb(coordinator_.get(),
         [this, worker, name, once, life = coordinator_.life()](absl::StatusOr<Reply> reply) {
           // A process that has died meanwhile sends no answer.
           if (!coordinator_.Speaks(life)) return;
           stage_.world.Trace("answer to ", name, " of w", worker, " ",
                              static_cast<int>(reply.status().code()));
           Send(worker, kBack, [once, reply = std::move(reply)] { once(reply); });
         });
  });
}

void LossyNetwork::Join(int worker, worker::JoinInput input, Done<worker::Session> done) {
  Call<worker::Session>(
      worker, "join", kDeadline,
      [input = Translated(input)](Coordinator& coordinator, Done<worker::Session> reply) {
        coordinator.workers().Join(
            input, Turned<coordinator::JoinOutput>(
                       std::move(reply),
                       [](const coordinator::JoinOutput& output) { return Translated(output); }));
      },
      std::move(done));
}

void LossyNetwork::Acquire(int worker, const worker::Session& session, worker::AcquireInput input,
                           Done<worker::AcquireOutput> done) {
  const coordinator::AcquireInput asked = Translated(session.session, input);
  Call<worker::AcquireOutput>(
      worker, "acquire", session.wait + kDeadline,
      [asked](Coordinator& coordinator, Done<worker::AcquireOutput> reply) {
        coordinator.workers().Acquire(
            asked, Turned<coordinator::AcquireOutput>(std::move(reply),
                                                      [](const coordinator::AcquireOutput& output) {
                                                        return Translated(output);
                                                      }));
      },
      std::move(done));
}

void LossyNetwork::Submit(int worker, worker::SessionId session,
                          std::vector<worker::FinishedGame> games, worker::AcquireInput work,
                          Done<worker::SubmitOutput> done) {
  coordinator::SubmitInput input;
  input.work = {session, work.want_slots, std::move(work.known_runs), work.after_lease};
  input.epoch = games.front().epoch;
  for (const worker::FinishedGame& game : games) input.games.push_back(Translated(game));
  Call<worker::SubmitOutput>(
      worker, "submit", 3 * kDeadline,
      [this, input](Coordinator& coordinator, Done<worker::SubmitOutput> reply) {
        coordinator.workers().Submit(
            input, Turned<coordinator::SubmitOutput>(
                       std::move(reply), [this](const coordinator::SubmitOutput& output) {
                         if (output.work) {
                           stage_.report.leases_with_replies += output.work->leases.size();
                         }
                         return Translated(output);
                       }));
      },
      std::move(done));
}

void LossyNetwork::Beat(int worker, worker::SessionId session,
                        std::vector<worker::LeaseProgress> leases, Done<worker::BeatOutput> done) {
  std::vector<coordinator::LeaseProgress> progress;
  for (const worker::LeaseProgress& lease : leases) progress.push_back({lease.lease, lease.plies});
  Call<worker::BeatOutput>(
      worker, "beat", kDeadline,
      [session, progress](Coordinator& coordinator, Done<worker::BeatOutput> reply) {
        const auto output = coordinator.workers().Beat(session, progress);
        if (!output.ok()) return reply(output.status());
        reply(worker::BeatOutput{.cancelled = output->cancelled, .drain = output->drain});
      },
      std::move(done));
}

void LossyNetwork::Leave(int worker, worker::SessionId session,
                         std::vector<worker::SlotRef> unplayed, Done<bool> done) {
  std::vector<coordinator::SlotRef> slots;
  for (const worker::SlotRef& slot : unplayed) slots.push_back({slot.lease, slot.slot});
  Call<bool>(
      worker, "leave", kDeadline,
      [session, slots](Coordinator& coordinator, Done<bool> reply) {
        coordinator.workers().Leave(session, slots, [reply](const absl::Status& status) {
          if (!status.ok()) return reply(status);
          reply(true);
        });
      },
      std::move(done));
}

void LossyNetwork::CutSomebodyOff() {
  Link& link = links_[stage_.world.rng.Below(links_.size())];
  const absl::Time until =
      stage_.world.Now() + stage_.world.Between(absl::Seconds(5), absl::Minutes(2));
  const uint64_t which = stage_.world.rng.Below(3);  // one way, the other, both
  if (which != 0) link.cut_until[kThere] = until;
  if (which != 1) link.cut_until[kBack] = until;
}

void LossyNetwork::Mend() {
  for (Link& link : links_) link = Link();
}

}  // namespace joseki::testing
