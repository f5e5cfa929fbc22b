// Instantiates the search for shogi.
#include "engine/search/search_inl.h"
#include "engine/search/shogi/game.h"

namespace joseki {

template class Search<Shogi>;

}  // namespace joseki
