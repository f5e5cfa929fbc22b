#include "book/database/parallel_read.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "book/database/import_source.h"
#include "book/database/ordered_pipe.h"

namespace joseki::book {
namespace {

// Approximate bytes that may be read ahead.
constexpr size_t kReadAhead = size_t{64} << 20;
// Events passed between threads at a time.
constexpr size_t kBatch = 256;

size_t SizeOf(const ImportEvent& event) {
  size_t size = sizeof event;
  if (const auto* game = std::get_if<book::GameRecord>(&event)) {
    size +=
        game->moves.capacity() * sizeof(Move) + game->positions.capacity() * sizeof(PackedPosition);
  } else if (const auto* position = std::get_if<book::DbPosition>(&event)) {
    size += position->moves.capacity() * sizeof(book::DbMove);
  }
  return size;
}

}  // namespace

absl::Status ReadInOrder(const std::vector<std::string>& files, const ReadOptions& options,
                         int threads, const EventSink& take) {
  ImportSource source(files, options);
  using Batch = std::vector<ImportEvent>;
  using Pipe = OrderedPipe<Batch>;
  const auto next = [&source]() -> std::optional<Pipe::Task> {
    std::optional<ImportSource::Work> work = source.Next();
    if (!work.has_value()) return std::nullopt;
    return [work = *std::move(work)](Pipe::Output& out) {
      Batch batch;
      size_t size = 0;
      const auto give = [&] {
        if (batch.empty()) return;
        out.Give(std::move(batch), size);
        batch = Batch();
        size = 0;
      };
      work([&](ImportEvent event) {
        if (batch.empty()) batch.reserve(kBatch);
        size += SizeOf(event);
        batch.push_back(std::move(event));
        if (batch.size() == kBatch) give();
      });
      give();
    };
  };
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  {
    Pipe pipe(threads > 0 ? threads : static_cast<int>(processors), kReadAhead, next);
    while (std::optional<Batch> batch = pipe.Take()) {
      for (ImportEvent& event : *batch) take(std::move(event));
    }
  }
  return source.status();
}

}  // namespace joseki::book
