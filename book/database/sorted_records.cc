#include "book/database/sorted_records.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/status_macros.h"

namespace joseki::book {
namespace {

// Header of a record in a chunk, in native byte order: only the process that wrote it reads it.
struct Sizes {
  uint32_t value = 0;
  uint32_t key = 0;
};

// A chunk in the merge, with its current record.
struct ChunkCursor {
  std::string key;
  std::string value;
};

absl::StatusOr<bool> ReadNext(SpillFile& file, ChunkCursor& cursor) {
  Sizes sizes;
  ASSIGN_OR_RETURN(const bool more, file.Read(&sizes, sizeof sizes));
  if (!more) return false;
  cursor.key.resize(sizes.key);
  cursor.value.resize(sizes.value);
  if (sizes.key > 0) RETURN_IF_ERROR(file.Read(cursor.key.data(), sizes.key).status());
  if (sizes.value > 0) RETURN_IF_ERROR(file.Read(cursor.value.data(), sizes.value).status());
  return true;
}

uint64_t PrefixOf(std::string_view key) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0);
  }
  return prefix;
}

}  // namespace

absl::Status SortedRecords::Add(std::string_view key, std::string_view value) {
  if (entries_.capacity() == 0) {
    // A growing vector takes up to three times its content for a moment; reserved and untouched
    // memory takes nothing.
    bytes_.reserve(memory_ - memory_ / 4);
    entries_.reserve(memory_ / 4 / sizeof(Entry) + 1);
  }
  const bool full = entries_.size() == entries_.capacity() ||
                    bytes_.size() + key.size() + value.size() > bytes_.capacity();
  if (!entries_.empty() && full) RETURN_IF_ERROR(SpillRun());
  entries_.push_back({PrefixOf(key), bytes_.size(), static_cast<uint32_t>(value.size()),
                      static_cast<uint16_t>(key.size())});
  bytes_ += key;
  bytes_ += value;
  return absl::OkStatus();
}

void SortedRecords::Sort() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = KeyOf(a).compare(KeyOf(b));
    return order != 0 ? order < 0 : a.at < b.at;
  });
}

absl::Status SortedRecords::SpillRun() {
  Sort();
  ASSIGN_OR_RETURN(SpillFile file, SpillFile::Create(folder_));
  for (const Entry& entry : entries_) {
    const Sizes sizes{entry.value, entry.key};
    RETURN_IF_ERROR(file.Write(&sizes, sizeof sizes));
    RETURN_IF_ERROR(file.Write(bytes_.data() + entry.at, size_t{entry.key} + entry.value));
  }
  chunks_.push_back(std::move(file));
  entries_.clear();
  bytes_.clear();
  return absl::OkStatus();
}

absl::Status SortedRecords::ForEach(const Visitor& visit) {
  if (chunks_.empty()) {
    Sort();
    for (const Entry& entry : entries_) {
      RETURN_IF_ERROR(
          visit(KeyOf(entry), std::string_view(bytes_).substr(entry.at + entry.key, entry.value)));
    }
    return absl::OkStatus();
  }
  if (!entries_.empty()) RETURN_IF_ERROR(SpillRun());
  // Frees the memory before the chunks are read.
  std::vector<Entry>().swap(entries_);
  std::string().swap(bytes_);
  std::vector<ChunkCursor> cursors(chunks_.size());
  // Smallest key on top; among equals the earliest chunk.
  const auto behind = [&cursors](size_t a, size_t b) {
    const int order = cursors[a].key.compare(cursors[b].key);
    return order != 0 ? order > 0 : a > b;
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(behind)> fronts(behind);
  const auto advance = [&](size_t chunk) -> absl::Status {
    ASSIGN_OR_RETURN(const bool more, ReadNext(chunks_[chunk], cursors[chunk]));
    if (more) fronts.push(chunk);
    return absl::OkStatus();
  };
  for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    RETURN_IF_ERROR(chunks_[chunk].Rewind());
    RETURN_IF_ERROR(advance(chunk));
  }
  while (!fronts.empty()) {
    const size_t chunk = fronts.top();
    fronts.pop();
    RETURN_IF_ERROR(visit(cursors[chunk].key, cursors[chunk].value));
    RETURN_IF_ERROR(advance(chunk));
  }
  return absl::OkStatus();
}

}  // namespace joseki::book
