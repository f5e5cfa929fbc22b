#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/submission.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The way of a submitted game, from its worker's call to the reply. intake.cc has the steps in this
// order; those in brackets are the shell's.
//
//   1  TakeIn          who sends it, whether it may, and which slot it is for
//   2  Examine         is it a game of that slot? The rules replay it; without the tables
//   3  GrantWithGames  what its worker wants next is granted before the game counts
//   4  (writer)        the game's row, and those of the leases, in one transaction
//   5  (writer)        what the ledger holds goes into the same transaction; commit
//   6  ApplySome       what the committed game means: its slot is filled, its line credited
//   7  Conclude        runs go on, held calls are served, and the worker gets its reply

// The weights of a run by which its book answered when the slot was planned. NotFound or DataLoss
// where there are none any more; another error may pass.
using WeightsOf = std::function<absl::StatusOr<std::shared_ptr<const book::Weights>>(
    RunId run, uint32_t version)>;

// 1. On success `worker` and `places`, one a game, are set. `epoch` is the database's.
absl::Status TakeIn(Tables& tables, const SubmitInput& input, const std::string& epoch,
                    std::string& worker, std::vector<GamePlace>& places);

// 2. A game that breaks the rules is an item of kind kRejected. An error is no fault of the game's:
// it should be sent again.
absl::StatusOr<SubmittedItem> Examine(const Rules& rules, const std::string& worker,
                                      SubmittedGame&& game, GamePlace&& place,
                                      const WeightsOf& weights_of);

// 3. Grants what a Submit wants, so that one commit has both, unless others wait for it: then
// GrantSome is to follow. `busy`: the worker has games enough until a later commit.
struct GrantingWithGames {
  bool busy = true;
  bool grants = false;
};
GrantingWithGames BeginGrantWithGames(Tables& tables, const Submission& submission);

// 6. A few items from verdicts.size() on; true if there are more.
bool ApplySome(Tables& tables, const Submission& submission, std::vector<GameVerdict>& verdicts);

// 7. A reply without work is left in `replies`, one with work comes by the tables' effects.
void Conclude(Tables& tables, Submission& submission, std::vector<GameVerdict> verdicts,
              std::vector<SubmitReply>& replies);

}  // namespace joseki::coordinator
