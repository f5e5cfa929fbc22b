#include "worker/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/limits.h"

namespace joseki::worker {
namespace {

constexpr size_t kMostPayloadBytes = 16384;  // above 4 * kMaxGameMoves plus all other fields
constexpr size_t kRecordHeadBytes = 12;

template <typename Integer>
void Put(std::string& out, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    out += static_cast<char>(static_cast<uint8_t>(value >> (8 * i)));
  }
}

// Reads values from the front of a text; after the first failure all reads fail.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename Integer>
  Integer Get() {
    const std::string_view bytes = Bytes(sizeof(Integer));
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    }
    return static_cast<Integer>(value);
  }

  std::string_view Bytes(size_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  bool ok() const { return ok_; }
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::string Record(const FinishedGame& game) {
  const std::string payload = EncodeGame(game);
  std::string record;
  record.reserve(kRecordHeadBytes + payload.size());
  Put(record, static_cast<uint32_t>(payload.size()));
  Put(record, Hash64(payload));
  return record += payload;
}

absl::Status SpoolProblem(int error, const std::string& path, const std::string& expected) {
  return MakeProblem(
      {.code = "spool_error", .file = path, .found = std::strerror(error), .expected = expected},
      absl::ErrnoToStatusCode(error));
}

// Writes all of `bytes`; returns 0 or an errno.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace

std::string EncodeGame(const FinishedGame& game) {
  std::string out;
  out.reserve(64 + game.epoch.size() + game.fault.size() + 2 * game.moves.size());
  Put(out, static_cast<uint8_t>(game.epoch.size()));
  out += game.epoch;
  Put(out, game.run);
  Put(out, game.lease);
  Put(out, game.slot);
  Put(out, static_cast<uint8_t>(game.ending.termination));
  Put(out, static_cast<uint8_t>(game.ending.result));
  Put(out, game.nodes);
  Put(out, game.think_ms);
  const std::string_view fault = std::string_view(game.fault).substr(0, kMaxFaultBytes);
  Put(out, static_cast<uint16_t>(fault.size()));
  out += fault;
  Put(out, static_cast<uint16_t>(game.moves.size()));
  for (const Move move : game.moves) Put(out, move.raw());
  Put(out, static_cast<uint16_t>(game.scores.size()));
  for (const int16_t score : game.scores) Put(out, static_cast<uint16_t>(score));
  Put(out, game.depth);
  const bool used = game.used != std::array<book::SideUse, 2>();
  Put(out, static_cast<uint8_t>(used));
  if (!used) return out;
  for (const book::SideUse& side : game.used) {
    for (const uint64_t number : {side.moves, side.book_moves, side.nodes, side.micros}) {
      Put(out, number);
    }
  }
  return out;
}

std::optional<FinishedGame> DecodeGame(std::string_view payload) {
  Reader reader(payload);
  FinishedGame game;
  game.epoch = reader.Bytes(reader.Get<uint8_t>());
  game.run = reader.Get<uint64_t>();
  game.lease = reader.Get<uint64_t>();
  game.slot = reader.Get<uint32_t>();
  game.ending.termination = static_cast<Termination>(reader.Get<uint8_t>());
  game.ending.result = static_cast<Result>(reader.Get<uint8_t>());
  game.nodes = reader.Get<uint64_t>();
  game.think_ms = reader.Get<uint32_t>();
  const size_t fault_bytes = reader.Get<uint16_t>();
  if (fault_bytes > kMaxFaultBytes) return std::nullopt;
  game.fault = reader.Bytes(fault_bytes);
  const size_t moves = reader.Get<uint16_t>();
  if (!reader.ok() || moves > kMaxGameMoves) return std::nullopt;
  game.moves.reserve(moves);
  for (size_t i = 0; i < moves; ++i) game.moves.push_back(Move(reader.Get<uint16_t>()));
  const size_t scores = reader.Get<uint16_t>();
  if (!reader.ok() || scores > moves) return std::nullopt;
  game.scores.reserve(scores);
  for (size_t i = 0; i < scores; ++i) game.scores.push_back(reader.Get<int16_t>());
  game.depth = reader.Get<uint32_t>();
  const uint8_t used = reader.Get<uint8_t>();
  if (used > 1) return std::nullopt;
  if (used == 1) {
    for (book::SideUse& side : game.used) {
      for (uint64_t* const number : {&side.moves, &side.book_moves, &side.nodes, &side.micros}) {
        *number = reader.Get<uint64_t>();
      }
    }
    if (game.used == std::array<book::SideUse, 2>()) return std::nullopt;
  }
  if (!reader.AtEnd()) return std::nullopt;
  if (TerminationOf(Name(game.ending.termination)) != game.ending.termination) return std::nullopt;
  if (game.ending.result > Result::kDraw) return std::nullopt;
  return game;
}

absl::StatusOr<SpoolContents> ReadSpool(std::string_view bytes) {
  SpoolContents contents;
  if (!bytes.starts_with(kSpoolHeader)) {
    if (!kSpoolHeader.starts_with(bytes)) {
      return MakeProblem({.code = "not_a_spool",
                          .found = Quote(bytes.substr(0, kSpoolHeader.size())),
                          .expected = "a spool file of this version"},
                         absl::StatusCode::kFailedPrecondition);
    }
    contents.damaged_bytes = bytes.size();
    return contents;
  }
  bytes.remove_prefix(kSpoolHeader.size());
  while (!bytes.empty()) {
    Reader reader(bytes);
    const size_t size = reader.Get<uint32_t>();
    const uint64_t hash = reader.Get<uint64_t>();
    const std::string_view payload = reader.Bytes(size);
    if (!reader.ok() || size > kMostPayloadBytes) {
      // The record is torn, or its size is wrong: nothing behind it can be found.
      contents.damaged_bytes += bytes.size();
      break;
    }
    std::optional<FinishedGame> game;
    if (Hash64(payload) == hash) game = DecodeGame(payload);
    if (game) {
      contents.games.push_back(*std::move(game));
    } else {
      contents.damaged_bytes += kRecordHeadBytes + size;
    }
    bytes.remove_prefix(kRecordHeadBytes + size);
  }
  return contents;
}

absl::StatusOr<std::unique_ptr<Spool>> Spool::Open(const std::string& folder, Options options) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return SpoolProblem(error.value(), folder, "a folder for the spool");
  const std::string lock_path = absl::StrCat(folder, "/lock");
  const int lock_fd = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_fd < 0) return SpoolProblem(errno, lock_path, "a writable folder for the spool");
  // The constructor is private; from here on the destructor closes what is open.
  std::unique_ptr<Spool> spool(new Spool(folder, options, lock_fd));
  if (flock(lock_fd, LOCK_EX | LOCK_NB) != 0) {
    return MakeProblem({.code = "spool_in_use",
                        .file = folder,
                        .found = "a worker that is using this spool",
                        .expected = "one worker a folder: give each its own --name or --spool"},
                       absl::StatusCode::kFailedPrecondition);
  }
  RETURN_IF_ERROR(spool->Load());
  return spool;
}

Spool::Spool(std::string folder, Options options, int lock_fd)
    : folder_(std::move(folder)),
      path_(absl::StrCat(folder_, "/games.spool")),
      options_(options),
      lock_fd_(lock_fd) {}

Spool::~Spool() {
  if (fd_ >= 0) close(fd_);
  close(lock_fd_);
}

absl::Status Spool::Load() {
  const ScopedLock lock(mutex_);
  std::string bytes(kSpoolHeader);
  bool rewrite = false;
  if (absl::StatusOr<std::string> read = ReadFile(path_); read.ok()) {
    bytes = *std::move(read);
  } else if (absl::IsNotFound(read.status())) {
    rewrite = true;
  } else {
    return read.status();
  }
  absl::StatusOr<SpoolContents> contents = ReadSpool(bytes);
  if (!contents.ok()) return At(contents.status(), path_);
  damaged_bytes_ = contents->damaged_bytes;
  std::string kept(kSpoolHeader);
  for (FinishedGame& game : contents->games) {
    const std::string record = Record(game);
    kept += record;
    pending_bytes_ += record.size();
    pending_.emplace(next_ticket_++, Pending{.game = std::move(game), .bytes = record.size()});
  }
  written_ = next_ticket_ - 1;
  // A torn record would hide every later one: rewrite the file.
  rewrite = rewrite || kept.size() != bytes.size();
  Show();
  if (rewrite) RETURN_IF_ERROR(WriteFileAtomically(path_, kept));
  file_bytes_ = kept.size();
  return Reopen();
}

void Spool::Show() {
  const ScopedLock lock(shown_mutex_);
  shown_ = {pending_.size(), pending_bytes_, write_error_};
}

absl::Status Spool::Reopen() {
  const int fd = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return SpoolProblem(errno, path_, "a writable file");
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
  nameless_ = false;
  return absl::OkStatus();
}

absl::Status Spool::Append(FinishedGame game) {
  if (game.moves.size() > kMaxGameMoves) {
    game.moves.resize(kMaxGameMoves);
    game.scores.clear();  // they no longer match the moves
  }
  const uint64_t bytes = kRecordHeadBytes + EncodeGame(game).size();
  const ScopedLock lock(mutex_);
  pending_.emplace(next_ticket_++, Pending{.game = std::move(game), .bytes = bytes});
  pending_bytes_ += bytes;
  Show();
  absl::Status written = WriteUnwritten();
  Show();
  return written;
}

absl::Status Spool::WriteUnwritten() {
  std::string bytes;
  for (auto entry = pending_.upper_bound(written_); entry != pending_.end(); ++entry) {
    bytes += Record(entry->second.game);
  }
  if (bytes.empty() && write_error_.ok()) return absl::OkStatus();
  if (nameless_) RETURN_IF_ERROR(write_error_ = Reopen());
  RETURN_IF_ERROR(CutTornTail());
  if (const int error = WriteAll(fd_, bytes); error != 0) {
    torn_ = true;
    if (CutTornTail().ok()) write_error_ = SpoolProblem(error, path_, "room for finished games");
    return write_error_;
  }
  written_ = next_ticket_ - 1;
  file_bytes_ += bytes.size();
  write_error_ = absl::OkStatus();
  return absl::OkStatus();
}

// Cuts off an incomplete record, which would hide every later one.
absl::Status Spool::CutTornTail() {
  if (torn_ && ftruncate(fd_, static_cast<off_t>(file_bytes_)) != 0) {
    return write_error_ = SpoolProblem(errno, path_, "a file that can be cut");
  }
  torn_ = false;
  return absl::OkStatus();
}

absl::Status Spool::Sync() {
  const ScopedLock lock(mutex_);
  absl::Status synced = WriteUnwritten();
  if (synced.ok()) {
    if (fdatasync(fd_) != 0) {
      synced = SpoolProblem(errno, path_, "a disk that keeps what is written");
    }
    write_error_ = synced;
  }
  Show();
  return synced;
}

Spool::Batch Spool::Oldest(size_t most_games, uint64_t most_bytes) const {
  const ScopedLock lock(mutex_);
  Batch batch;
  uint64_t bytes = 0;
  for (const auto& [ticket, entry] : pending_) {
    if (!batch.games.empty() &&
        (batch.games.size() == most_games || bytes + entry.bytes > most_bytes ||
         entry.game.epoch != batch.games.front().epoch)) {
      break;
    }
    bytes += entry.bytes;
    batch.tickets.push_back(ticket);
    batch.games.push_back(entry.game);
  }
  return batch;
}

void Spool::Acknowledge(std::span<const Ticket> tickets) {
  const ScopedLock lock(mutex_);
  for (const Ticket ticket : tickets) {
    const auto found = pending_.find(ticket);
    if (found == pending_.end()) continue;
    pending_bytes_ -= found->second.bytes;
    pending_.erase(found);
  }
  Show();
  Compact();
  Show();
}

// Errors here only cost space: records that stay in the file are duplicates later.
void Spool::Compact() {
  if (nameless_ && !Reopen().ok()) return;
  if (pending_.empty()) {
    if (ftruncate(fd_, kSpoolHeader.size()) == 0) {
      file_bytes_ = kSpoolHeader.size();
      torn_ = false;
      write_error_ = absl::OkStatus();
    }
    return;
  }
  if (file_bytes_ < options_.compact_bytes || pending_bytes_ > file_bytes_ / 2) return;
  std::string bytes(kSpoolHeader);
  for (const auto& [ticket, entry] : pending_) bytes += Record(entry.game);
  if (!WriteFileAtomically(path_, bytes).ok()) return;
  written_ = next_ticket_ - 1;
  file_bytes_ = bytes.size();
  torn_ = false;
  nameless_ = true;
  write_error_ = Reopen();
}

size_t Spool::pending() const {
  const ScopedLock lock(shown_mutex_);
  return shown_.games;
}

uint64_t Spool::pending_bytes() const {
  const ScopedLock lock(shown_mutex_);
  return shown_.bytes;
}

absl::Status Spool::Room() const {
  const ScopedLock lock(shown_mutex_);
  RETURN_IF_ERROR(shown_.error);
  if (shown_.bytes >= options_.most_bytes) {
    return MakeProblem({.code = "spool_full",
                        .file = path_,
                        .found = absl::StrCat(shown_.bytes, " bytes that wait for an answer"),
                        .expected = absl::StrCat("less than ", options_.most_bytes)},
                       absl::StatusCode::kResourceExhausted);
  }
  return absl::OkStatus();
}

}  // namespace joseki::worker
