// Instantiates the search for xiangqi.
#include "engine/search/search_inl.h"
#include "engine/search/xiangqi/game.h"

namespace joseki {

template class Search<Xiangqi>;

}  // namespace joseki
