#include "tests/support/fault_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace joseki::testing {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr size_t kSector = 512;

// Old content of a file before an unsynced change.
struct UndoHead {
  uint64_t size = 0;     // of the whole file
  uint64_t offset = 0;   // where it changed
  uint64_t changed = 0;  // number of bytes, new ones included
  uint32_t bytes = 0;    // number of the bytes of old content that follow
  uint32_t check = 0;    // tells a record that was not written whole
};

uint32_t CheckOf(const UndoHead& head) {
  return static_cast<uint32_t>(head.size * 31 + head.offset * 17 + head.changed * 13 + head.bytes) ^
         0x554e444fu;
}

// Noted changes of one file, shared by every handle on it. A handle of its own on another file:
// closing one on the database file itself would give up SQLite's locks.
class UndoLog {
 public:
  explicit UndoLog(const std::string& file)
      : fd_(open((file + ".undo").c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {}
  ~UndoLog() {
    if (fd_ >= 0) close(fd_);
  }
  UndoLog(const UndoLog&) = delete;
  UndoLog& operator=(const UndoLog&) = delete;

  bool Note(uint64_t size, uint64_t offset, uint64_t changed, std::string_view old) {
    UndoHead head{size, offset, changed, static_cast<uint32_t>(old.size()), 0};
    head.check = CheckOf(head);
    std::string record(reinterpret_cast<const char*>(&head), sizeof head);
    record += old;
    return write(fd_, record.data(), record.size()) == static_cast<ssize_t>(record.size());
  }
  void Synced() { [[maybe_unused]] const int cut = ftruncate(fd_, 0); }

  std::mutex mutex;

 private:
  const int fd_;
};

void WaitUntil(SteadyClock::time_point until) {
  constexpr auto kShort = std::chrono::microseconds(200);
  const auto left = until - SteadyClock::now();
  if (left > kShort) {
    const auto nap = std::chrono::duration_cast<std::chrono::nanoseconds>(left - kShort);
    const timespec time{static_cast<time_t>(nap.count() / 1'000'000'000),
                        static_cast<long>(nap.count() % 1'000'000'000)};
    nanosleep(&time, nullptr);
  }
  while (SteadyClock::now() < until) {
  }
}

// State shared by all handles of the shim.
struct Shim {
  Shim(FaultControl& fault_control, FaultVfs::Options wanted)
      : options(wanted),
        injector(fault_control, wanted.death, wanted.seed),
        real(sqlite3_vfs_find(nullptr)) {}

  std::shared_ptr<UndoLog> LogOf(const std::string& file) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<UndoLog>& log = logs[file];
    if (log == nullptr) log = std::make_shared<UndoLog>(file);
    return log;
  }

  const FaultVfs::Options options;
  FaultInjector injector;
  sqlite3_vfs* const real;
  sqlite3_vfs vfs{};
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<UndoLog>> logs;  // guarded by mutex
};

enum class Kind { kDatabase, kWal, kOther };

// A handle of the shim; SQLite allocates it, with room for the real one behind it.
struct File {
  sqlite3_file base{};
  Shim* shim = nullptr;
  sqlite3_file* real = nullptr;
  Kind kind = Kind::kOther;
  bool reads_only = false;
  std::shared_ptr<UndoLog> undo;  // null: power loss is not modelled for this file
};

File& Of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

Shim& Of(sqlite3_vfs* vfs) { return *static_cast<Shim*>(vfs->pAppData); }

FaultPoint WritePoint(const File& file) {
  return file.kind == Kind::kDatabase ? FaultPoint::kDbWrite
         : file.kind == Kind::kWal    ? FaultPoint::kWalWrite
                                      : FaultPoint::kNone;
}

FaultPoint SyncPoint(const File& file) {
  return file.kind == Kind::kDatabase ? FaultPoint::kDbSync
         : file.kind == Kind::kWal    ? FaultPoint::kWalSync
                                      : FaultPoint::kNone;
}

uint64_t SizeOf(File& file) {
  sqlite3_int64 size = 0;
  file.real->pMethods->xFileSize(file.real, &size);
  return static_cast<uint64_t>(size);
}

// Notes what the file holds from `offset` on. REQUIRES: file.undo is there and locked.
int Note(File& file, uint64_t size, uint64_t offset, uint64_t bytes) {
  std::string old(offset < size ? std::min(bytes, size - offset) : 0, '\0');
  if (!old.empty()) {
    const int read = file.real->pMethods->xRead(file.real, old.data(), static_cast<int>(old.size()),
                                                static_cast<sqlite3_int64>(offset));
    if (read != SQLITE_OK) return read;
  }
  return file.undo->Note(size, offset, bytes, old) ? SQLITE_OK : SQLITE_FULL;
}

int Close(sqlite3_file* handle) {
  File& file = Of(handle);
  const int closed = file.real->pMethods->xClose(file.real);
  file.~File();
  return closed;
}

int Read(sqlite3_file* handle, void* to, int bytes, sqlite3_int64 offset) {
  File& file = Of(handle);
  const bool exports = file.kind == Kind::kDatabase && file.reads_only;
  const auto decision =
      file.shim->injector.Next(exports ? FaultPoint::kExportRead : FaultPoint::kNone);
  if (exports && (decision.dead || decision.fail)) return SQLITE_IOERR_READ;
  const int read = file.real->pMethods->xRead(file.real, to, bytes, offset);
  return file.shim->injector.Done(decision) ? read : SQLITE_IOERR_READ;
}

int Write(sqlite3_file* handle, const void* from, int bytes, sqlite3_int64 offset) {
  File& file = Of(handle);
  FaultInjector& injector = file.shim->injector;
  const auto decision = injector.Next(WritePoint(file));
  if (decision.dead) return SQLITE_IOERR_WRITE;
  if (decision.fail && !decision.half) return SQLITE_IOERR_WRITE;
  const int done = decision.half ? bytes / 2 : bytes;
  std::unique_lock<std::mutex> lock;
  if (injector.control().full != 0 &&
      static_cast<uint64_t>(offset) + static_cast<uint64_t>(bytes) > SizeOf(file)) {
    return SQLITE_FULL;
  }
  if (file.undo != nullptr) {
    lock = std::unique_lock(file.undo->mutex);
    const int noted =
        Note(file, SizeOf(file), static_cast<uint64_t>(offset), static_cast<uint64_t>(done));
    if (noted != SQLITE_OK) return noted;
  }
  const int written = file.real->pMethods->xWrite(file.real, from, done, offset);
  return injector.Done(decision) && !decision.fail ? written : SQLITE_IOERR_WRITE;
}

int Truncate(sqlite3_file* handle, sqlite3_int64 size) {
  File& file = Of(handle);
  const auto decision = file.shim->injector.Next(
      file.kind == Kind::kOther ? FaultPoint::kNone : FaultPoint::kDbTruncate);
  if (decision.dead || decision.fail) return SQLITE_IOERR_TRUNCATE;
  std::unique_lock<std::mutex> lock;
  if (file.undo != nullptr) {
    lock = std::unique_lock(file.undo->mutex);
    const uint64_t before = SizeOf(file);
    const auto after = static_cast<uint64_t>(size);
    const int noted = Note(file, before, after, before > after ? before - after : 0);
    if (noted != SQLITE_OK) return noted;
  }
  const int cut = file.real->pMethods->xTruncate(file.real, size);
  return file.shim->injector.Done(decision) ? cut : SQLITE_IOERR_TRUNCATE;
}

int Sync(sqlite3_file* handle, int flags) {
  File& file = Of(handle);
  FaultInjector& injector = file.shim->injector;
  const auto decision = injector.Next(SyncPoint(file));
  const auto until =
      SteadyClock::now() + std::chrono::microseconds(injector.control().sync_us.load());
  if (decision.dead || decision.fail) return SQLITE_IOERR_FSYNC;
  std::unique_lock<std::mutex> lock;
  if (file.undo != nullptr) lock = std::unique_lock(file.undo->mutex);
  const int synced =
      file.shim->options.real_sync ? file.real->pMethods->xSync(file.real, flags) : SQLITE_OK;
  WaitUntil(until);
  // Halfway: on the disk, and the program will never know.
  if (synced == SQLITE_OK && file.undo != nullptr && !decision.half) file.undo->Synced();
  return injector.Done(decision) ? synced : SQLITE_IOERR_FSYNC;
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Of(file).real->pMethods->xFileSize(Of(file).real, size);
}
int Lock(sqlite3_file* file, int level) {
  return Of(file).real->pMethods->xLock(Of(file).real, level);
}
int Unlock(sqlite3_file* file, int level) {
  return Of(file).real->pMethods->xUnlock(Of(file).real, level);
}
int CheckReservedLock(sqlite3_file* file, int* reserved) {
  return Of(file).real->pMethods->xCheckReservedLock(Of(file).real, reserved);
}
// The connection that this thread opened last. SQLite sets its own default for checkpoints when a
// connection is open, and tells nobody; its first PRAGMA comes after that.
thread_local sqlite3* newest = nullptr;

int NoteConnection(sqlite3* db, const char**, const void*) {
  newest = db;
  return SQLITE_OK;
}

int FileControl(sqlite3_file* file, int what, void* argument) {
  if (what == SQLITE_FCNTL_PRAGMA && Of(file).shim->options.wal_pages > 0 && newest != nullptr &&
      !Of(file).reads_only) {
    sqlite3_wal_autocheckpoint(std::exchange(newest, nullptr), Of(file).shim->options.wal_pages);
  }
  return Of(file).real->pMethods->xFileControl(Of(file).real, what, argument);
}
int SectorSize(sqlite3_file* file) { return Of(file).real->pMethods->xSectorSize(Of(file).real); }
int DeviceCharacteristics(sqlite3_file* file) {
  return Of(file).real->pMethods->xDeviceCharacteristics(Of(file).real);
}
int ShmMap(sqlite3_file* file, int page, int bytes, int extend, void volatile** memory) {
  return Of(file).real->pMethods->xShmMap(Of(file).real, page, bytes, extend, memory);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Of(file).real->pMethods->xShmLock(Of(file).real, offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Of(file).real->pMethods->xShmBarrier(Of(file).real); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return Of(file).real->pMethods->xShmUnmap(Of(file).real, remove);
}

// Version 2: shared memory, but no memory-mapped reading, which would go past this shim.
constexpr sqlite3_io_methods kMethods = {2,
                                         Close,
                                         Read,
                                         Write,
                                         Truncate,
                                         Sync,
                                         FileSize,
                                         Lock,
                                         Unlock,
                                         CheckReservedLock,
                                         FileControl,
                                         SectorSize,
                                         DeviceCharacteristics,
                                         ShmMap,
                                         ShmLock,
                                         ShmBarrier,
                                         ShmUnmap,
                                         nullptr,
                                         nullptr};

int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* handle, int flags, int* got) {
  Shim& shim = Of(vfs);
  File* const file = new (handle) File();
  auto* const real =
      reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(handle) + sizeof(File));
  real->pMethods = nullptr;
  const int opened = shim.real->xOpen(shim.real, name, real, flags, got);
  if (opened != SQLITE_OK) {
    if (real->pMethods != nullptr) real->pMethods->xClose(real);
    file->~File();
    handle->pMethods = nullptr;
    return opened;
  }
  file->base.pMethods = &kMethods;
  file->shim = &shim;
  file->real = real;
  file->kind = (flags & SQLITE_OPEN_MAIN_DB) != 0 ? Kind::kDatabase
               : (flags & SQLITE_OPEN_WAL) != 0   ? Kind::kWal
                                                  : Kind::kOther;
  file->reads_only = (flags & SQLITE_OPEN_READONLY) != 0;
  const bool lasts =
      (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  if (shim.options.power_loss && name != nullptr && lasts) file->undo = shim.LogOf(name);
  return SQLITE_OK;
}

int Delete(sqlite3_vfs* vfs, const char* name, int sync) {
  Shim& shim = Of(vfs);
  if (shim.injector.control().dead != 0) return SQLITE_IOERR_DELETE;
  if (shim.options.power_loss) shim.LogOf(name)->Synced();
  return shim.real->xDelete(shim.real, name, shim.options.real_sync ? sync : 0);
}
int Access(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
  return Of(vfs).real->xAccess(Of(vfs).real, name, flags, result);
}
int FullPathname(sqlite3_vfs* vfs, const char* name, int bytes, char* path) {
  return Of(vfs).real->xFullPathname(Of(vfs).real, name, bytes, path);
}
int Randomness(sqlite3_vfs* vfs, int bytes, char* to) {
  return Of(vfs).real->xRandomness(Of(vfs).real, bytes, to);
}
int Sleep(sqlite3_vfs* vfs, int us) { return Of(vfs).real->xSleep(Of(vfs).real, us); }
int CurrentTime(sqlite3_vfs* vfs, double* now) {
  return Of(vfs).real->xCurrentTime(Of(vfs).real, now);
}
int GetLastError(sqlite3_vfs* vfs, int bytes, char* text) {
  return Of(vfs).real->xGetLastError(Of(vfs).real, bytes, text);
}
int CurrentTimeInt64(sqlite3_vfs* vfs, sqlite3_int64* now) {
  return Of(vfs).real->xCurrentTimeInt64(Of(vfs).real, now);
}

// ---- Power loss ----

struct Change {
  UndoHead head;
  std::string_view old;
};

std::vector<Change> ReadUndo(std::string_view bytes) {
  std::vector<Change> changes;
  while (bytes.size() >= sizeof(UndoHead)) {
    Change change;
    std::memcpy(&change.head, bytes.data(), sizeof change.head);
    bytes.remove_prefix(sizeof change.head);
    // A record that was not written whole: its change was not made.
    if (change.head.check != CheckOf(change.head) || bytes.size() < change.head.bytes) break;
    change.old = bytes.substr(0, change.head.bytes);
    bytes.remove_prefix(change.head.bytes);
    changes.push_back(change);
  }
  return changes;
}

// One sector of a file that may end within it or before it.
std::string_view SectorOf(std::string_view bytes, size_t sector) {
  return bytes.substr(std::min(bytes.size(), sector * kSector), kSector);
}

// The contents of one file after the power went.
std::string AfterPowerLoss(std::string contents, const std::vector<Change>& changes, Rng& rng) {
  // Backwards from what the file is to what was synced. Each sector keeps one of the contents that
  // it had on the way, each with the same chance; so does the length.
  struct Choice {
    std::string kept;
    uint64_t among = 1;
  };
  std::map<size_t, Choice> sectors;
  size_t length = contents.size();
  uint64_t lengths = 1;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const UndoHead& head = change->head;
    const size_t first = head.offset / kSector;
    const size_t end = (head.offset + head.changed + kSector - 1) / kSector;
    std::vector<std::string> after;
    for (size_t sector = first; sector < end; ++sector) {
      after.emplace_back(SectorOf(contents, sector));
    }
    if (contents.size() != head.size) {
      contents.resize(head.size);
      if (rng.Below(++lengths) == 0) length = head.size;
    }
    // Writes past the old end of the file have no old content.
    if (!change->old.empty()) contents.replace(head.offset, change->old.size(), change->old);
    for (size_t sector = first; sector < end; ++sector) {
      std::string& newer = after[sector - first];
      const std::string_view older = SectorOf(contents, sector);
      if (newer == older) continue;
      Choice& choice = sectors.try_emplace(sector, Choice{std::move(newer)}).first->second;
      if (rng.Below(++choice.among) == 0) choice.kept = older;
    }
  }
  for (const auto& [sector, choice] : sectors) {
    const size_t begin = sector * kSector;
    contents.resize(std::max(contents.size(), begin + choice.kept.size()));
    contents.replace(begin, choice.kept.size(), choice.kept);
  }
  contents.resize(length);
  return contents;
}

absl::Status LosePowerOf(const std::string& path, Rng& rng) {
  const std::string undo_path = path + ".undo";
  if (!std::filesystem::exists(undo_path)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string undo, ReadFile(undo_path));
  if (!undo.empty() && std::filesystem::exists(path)) {
    ASSIGN_OR_RETURN(std::string contents, ReadFile(path));
    contents = AfterPowerLoss(std::move(contents), ReadUndo(undo), rng);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    if (!file.flush()) return absl::UnavailableError(path + " cannot be written");
  }
  // Emptied, not removed: a shim of this process may have it open.
  std::error_code error;
  std::filesystem::resize_file(undo_path, 0, error);
  return error ? absl::UnavailableError(undo_path + " cannot be emptied") : absl::OkStatus();
}

}  // namespace

struct FaultVfs::Impl : Shim {
  using Shim::Shim;
};

FaultVfs::FaultVfs(FaultControl& control, Options options)
    : impl_(std::make_unique<Impl>(control, options)) {
  sqlite3_vfs& vfs = impl_->vfs;
  vfs.iVersion = 2;
  vfs.szOsFile = static_cast<int>(sizeof(File)) + impl_->real->szOsFile;
  vfs.mxPathname = impl_->real->mxPathname;
  vfs.zName = "joseki-fault";
  vfs.pAppData = static_cast<Shim*>(impl_.get());
  vfs.xOpen = Open;
  vfs.xDelete = Delete;
  vfs.xAccess = Access;
  vfs.xFullPathname = FullPathname;
  vfs.xRandomness = Randomness;
  vfs.xSleep = Sleep;
  vfs.xCurrentTime = CurrentTime;
  vfs.xGetLastError = GetLastError;
  vfs.xCurrentTimeInt64 = CurrentTimeInt64;
  sqlite3_vfs_register(&vfs, /*makeDflt=*/1);
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(NoteConnection));
}

FaultVfs::~FaultVfs() {
  sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(NoteConnection));
  sqlite3_vfs_unregister(&impl_->vfs);
}

absl::Status LosePower(const std::string& db_path, Rng& rng) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    RETURN_IF_ERROR(LosePowerOf(db_path + suffix, rng));
  }
  // An index over the log, kept in memory alone.
  std::error_code error;
  std::filesystem::remove(db_path + "-shm", error);
  return absl::OkStatus();
}

}  // namespace joseki::testing
