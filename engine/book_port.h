#pragma once

#include <memory>

#include "engine/core/rules.h"
#include "engine/usi/own_book.h"
#include "engine/usi/shogi/extended_book_port.h"
#include "engine/usi/shogi/partial_book_port.h"

namespace joseki {

// The books that the engine's own book options can name, for the game of `rules`. A probe file is
// mapped and opens at once; any other book of the game's programs (book/formats/book_file.h) is
// read whole. A book of another game is refused. The move is the one that YaneuraOu would play
// under these options (book/formats/reader.h). `rules` must outlive the result.
std::unique_ptr<usi::OwnBook> MakeOwnBook(const Rules& rules);

// An extended book: a probe file whose values are bonuses (`joseki book extend`). Any other book of
// shogi programs serves as well; its values are used as bonuses. Positions are also found with
// colours exchanged.
std::unique_ptr<usi::ExtendedBookPort> MakeExtendedBook();

// A partial-position book (book/formats/partial_book.h) from a probe file or any book of shogi
// programs, read whole. It gives the moves played in all similar positions, by frequency.
std::unique_ptr<usi::PartialBookPort> MakePartialBook();

}  // namespace joseki
