#pragma once

#include <memory>

#include "engine/core/rules.h"
#include "engine/usi/own_book.h"
#include "engine/usi/shogi/extended_book_port.h"
#include "engine/usi/shogi/partial_book_port.h"

namespace joseki {

// The books that the engine's own book options can name, of the game with these rules: a probe
// file, which is mapped and opens at once, or any book of the game's programs
// (book/formats/book_file.h), read whole; a book of another game is refused. What is played is what
// YaneuraOu would play by these options (book/formats/reader.h). `rules` outlive it.
std::unique_ptr<usi::OwnBook> MakeOwnBook(const Rules& rules);

// An extended book: a probe file whose values are bonuses (`joseki book extend`), or any other book
// of shogi programs, whose values are used as bonuses. Positions are also found with colours
// exchanged.
std::unique_ptr<usi::ExtendedBookPort> MakeExtendedBook();

// A partial-position book (book/formats/partial_book.h), made of any book of shogi programs or a
// probe file, which is read whole: what is played in all positions that are like one, by how often.
std::unique_ptr<usi::PartialBookPort> MakePartialBook();

}  // namespace joseki
