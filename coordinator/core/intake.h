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

// The way of a submitted game, from its worker's call to the reply. WorkerCalls::Submit goes
// through the steps (coordinator/worker_calls.cc), and intake.cc has them in this order, but for
// the two that write rows.
//
//   1  TakeIn          find its sender, whether that may send, and its slot
//   2  Examine         replay it by the rules: is it a game of that slot? Without the tables
//   3  GrantWithGames  grant the worker's next slots, before the game counts
//   4  WriteGames      write the game's row, and those of the leases, in one transaction
//   5  Payer           add the ledger's debts to the transaction, and commit
//   6  ApplySome       fill its slot, and credit its line; then the runs go on, as after each event
//   7  Conclude        reply to the worker, with work if it wants some

// The weights of a run by which its book answered when the slot was planned. NotFound or DataLoss
// if they are gone; other errors may be temporary.
using WeightsOf = std::function<absl::StatusOr<std::shared_ptr<const book::Weights>>(
    RunId run, uint32_t version)>;

// 1. `epoch` is the database's.
struct TakenIn {
  std::string worker;
  std::vector<GamePlace> places;  // one per game
};
absl::StatusOr<TakenIn> TakeIn(Tables& tables, const SubmitInput& input, const std::string& epoch);

// 2. A game that breaks the rules is an item of kind kRejected. An error is not the game's fault:
// it should be sent again.
absl::StatusOr<SubmittedItem> Examine(const Rules& rules, const std::string& worker,
                                      SubmittedGame&& game, GamePlace&& place,
                                      const WeightsOf& weights_of);

// 3. Grants the slots that a Submit wants, so that one commit has both, unless others wait for
// them. Call until it returns false; the first call sets `busy`: the worker has enough games until
// a later commit.
bool GrantWithGames(Tables& tables, Submission& submission, bool& busy);

// 6. Applies a few items from verdicts.size() on; true if there are more.
bool ApplySome(Tables& tables, const Submission& submission, std::vector<GameVerdict>& verdicts);

// 7. A reply without work is left in `replies`; one with work is sent by the tables' effects.
void Conclude(Tables& tables, Submission& submission, std::vector<GameVerdict> verdicts,
              std::vector<SubmitReply>& replies);

}  // namespace joseki::coordinator
