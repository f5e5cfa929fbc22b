#include "tests/engine/search/tree_searcher.h"

#include "engine/search/search_inl.h"

namespace joseki {

template class Search<TreeGame>;

}  // namespace joseki
