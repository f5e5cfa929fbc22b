#include "cli/open_book.h"

#include "base/status_macros.h"

namespace joseki::cli {

absl::StatusOr<std::unique_ptr<book::Store>> OpenBook(Context& context, const std::string& path,
                                                      book::OpenMode mode) {
  ASSIGN_OR_RETURN(std::unique_ptr<book::Store> store,
                   book::Store::Open(path, mode, context.game()));
  RETURN_IF_ERROR(context.UseGame(store->game()));
  return store;
}

}  // namespace joseki::cli
