#pragma once

#include <array>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// The table `match_uses`, beside the games of matches, over one connection, inside its transaction.
// Thread rule: as the Store that is passed in.

// Stores the effort of A and B in the game. REQUIRES: it was just inserted.
absl::Status InsertMatchUse(book::Store& store, const GameRow& game);
// The effort of A and B; zeros if the worker sent none.
absl::StatusOr<std::array<book::SideUse, 2>> ReadMatchUse(book::Store& store, const GameRow& game);

}  // namespace joseki::coordinator
