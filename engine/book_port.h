#pragma once

#include <memory>

#include "engine/usi/own_book.h"

namespace joseki {

// The books that the engine's own book options can name: a probe file, which is mapped and opens at
// once, or any book of shogi programs (book/formats/book_file.h), read whole. What is played is
// what YaneuraOu would play by these options (book/formats/engine_probe.h).
std::unique_ptr<usi::OwnBook> MakeOwnBook();

}  // namespace joseki
