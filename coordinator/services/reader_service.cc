#include "coordinator/services/reader_service.h"

#include <grpcpp/alarm.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/spending.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/services/export_pages.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/server_door.h"
#include "coordinator/services/to_wire.h"
#include "coordinator/store/match_store.h"
#include "coordinator/store/own_sides.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

// Limits of a page: in each listing, a reader may leave a page and a game unread.
constexpr uint64_t kBytesPerPage = uint64_t{256} << 10;
constexpr uint64_t kGamesPerPage = 1000;
constexpr size_t kListingsOfOne = 16;
constexpr size_t kUsualPositions = 20;
// Watches at once, of all readers together.
constexpr size_t kMostWatches = 24;
// The longest time for which a caller may read nothing.
constexpr absl::Duration kPatience = absl::Seconds(30);

}  // namespace

// Sends a status at once and then every `interval`, by an alarm: no thread sleeps. Deletes itself.
class ReaderService::Watch : public grpc::ServerWriteReactor<v1::Status> {
 public:
  using Read = std::function<absl::StatusOr<v1::Status>()>;

  Watch(ReaderService& service, HeldCalls::Caller caller, Read read,
        std::chrono::milliseconds interval)
      : service_(service), caller_(std::move(caller)), read_(std::move(read)), interval_(interval) {
    if (const absl::Status status = service_.Add(this); status.ok()) {
      Write();
    } else {
      Finish(ToGrpc(status));
    }
  }

  const HeldCalls::Caller& caller() const { return caller_; }

  void OnWriteDone(bool ok) override {
    if (const grpc::Status end = Sleep(ok); !end.ok()) Finish(end);
  }
  void OnCancel() override { End(grpc::Status::CANCELLED); }
  void OnDone() override {
    service_.Remove(this);
    delete this;
  }

  // Ends the stream with `status`: at once if it waits, else after the message in flight.
  void End(const grpc::Status& status) {
    const ScopedLock lock(mutex_);
    if (end_.ok()) end_ = status;
    if (alarm_ != nullptr) alarm_->Cancel();  // wakes at once, if it is set
  }
  static absl::Status Closing() { return absl::UnavailableError("the coordinator is stopping"); }

 private:
  // Sleeps until the next status is due, or returns the reason why the stream ends.
  grpc::Status Sleep(bool written) {
    const ScopedLock lock(mutex_);
    if (!end_.ok()) return end_;
    if (!written) return grpc::Status::CANCELLED;
    // Make a new alarm each time: the last one's callback may still be returning.
    alarm_ = std::make_unique<grpc::Alarm>();
    alarm_->Set(std::chrono::system_clock::now() + interval_, [this](bool) { Wake(); });
    return grpc::Status::OK;
  }
  void Wake() {
    grpc::Status end;
    {
      const ScopedLock lock(mutex_);
      end = end_;
    }
    if (!end.ok()) return Finish(end);
    Write();
  }
  void Write() {
    absl::StatusOr<v1::Status> status = read_();
    if (!status.ok()) return Finish(ToGrpc(status.status()));
    message_ = *std::move(status);
    StartWrite(&message_);
  }

  ReaderService& service_;
  const HeldCalls::Caller caller_;
  const Read read_;
  const std::chrono::milliseconds interval_;
  v1::Status message_;
  Mutex mutex_;
  grpc::Status end_ ABSL_GUARDED_BY(mutex_);  // not OK: the reason why the stream is to end
  std::unique_ptr<grpc::Alarm> alarm_ ABSL_GUARDED_BY(mutex_);
};

namespace {

// The games of a run, page by page. No read transaction stays open between pages, so that a slow
// caller does not keep the write-ahead log from being truncated.
class GamePages {
 public:
  GamePages(std::string db_path, const Rules& rules, const v1::ListGamesRequest& request)
      : db_path_(std::move(db_path)),
        rules_(rules),
        run_(request.run()),
        after_(request.after_commit_seq()),
        left_(request.limit() == 0 ? 1000 : request.limit()) {}

  absl::StatusOr<std::vector<v1::GameRow>> Next() {
    std::vector<v1::GameRow> page;
    if (left_ == 0) return page;
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(db_path_, book::OpenMode::kReadOnly));
    RunStore rows(*store);
    ASSIGN_OR_RETURN(const RunRow run, rows.runs().Read(run_));
    const uint64_t most = std::min(left_, kGamesPerPage);
    uint64_t bytes = 0;
    bool full = false;
    OwnSides sides(rows, run.spec);
    Trust trust;
    if (run.spec.play.opponent) {
      ASSIGN_OR_RETURN(trust, ReadTrust(rows, run.trust_change));
    }
    RETURN_IF_ERROR(rows.games().ForEach(run_, after_, [&](const GameRow& game) -> absl::Status {
      page.push_back(RowOf(game, run.spec));
      ASSIGN_OR_RETURN(const std::optional<Slot> slot, sides.SlotOf(game));
      if (slot) NameGame(*slot, page.back());
      if (run.spec.match) {
        ASSIGN_OR_RETURN(const auto uses, ReadMatchUse(*store, game));
        for (const book::SideUse& side : uses) *page.back().add_used() = ToWire(side);
      }
      page.back().set_excluded(trust.Excludes(game.worker, game.lease));
      after_ = game.commit_seq;
      bytes += page.back().ByteSizeLong();
      full = page.size() == most || bytes >= kBytesPerPage;
      return full ? absl::CancelledError() : absl::OkStatus();
    }));
    left_ = full ? left_ - page.size() : 0;
    return page;
  }

 private:
  v1::GameRow RowOf(const GameRow& game, const RunSpec& spec) const {
    v1::GameRow wire;
    wire.set_commit_seq(game.commit_seq);
    wire.set_lease(game.lease);
    wire.set_slot(game.slot);
    wire.set_stage(static_cast<uint32_t>(game.stage) + 1);
    wire.set_worker(game.worker);
    wire.set_start(spec.start);
    std::string moves;
    for (const Move move : game.moves) {
      if (!moves.empty()) moves += ' ';
      moves += rules_.Text(move);
    }
    wire.set_moves(std::move(moves));
    wire.set_book_plies(game.book_plies);
    wire.set_result(static_cast<v1::Result>(game.ending.result));
    wire.set_termination(static_cast<v1::Termination>(game.ending.termination));
    wire.set_nodes(game.nodes);
    wire.set_fault(game.fault);
    wire.mutable_scores()->Add(game.scores.begin(), game.scores.end());
    return wire;
  }

  static v1::SideUse ToWire(const book::SideUse& side) {
    v1::SideUse wire;
    wire.set_moves(side.moves);
    wire.set_book_moves(side.book_moves);
    wire.set_nodes(side.nodes);
    wire.set_micros(side.micros);
    return wire;
  }
  static void NameGame(const Slot& slot, v1::GameRow& wire) {
    wire.set_own_side(*slot.own == Color::kFirst ? v1::SIDE_BLACK : v1::SIDE_WHITE);
    wire.set_pair(slot.pair);
    wire.set_attempt(slot.attempt);
  }

  const std::string db_path_;
  const Rules& rules_;
  const RunId run_;
  uint64_t after_;
  uint64_t left_;
};

}  // namespace

std::shared_ptr<Permits> ReaderService::ListingPermits() {
  return std::make_shared<Permits>(Permits::Options{
      .most = kListingsOfOne, .code = "too_many_listings", .what = "listings on their way"});
}

absl::StatusOr<v1::Status> ReaderService::StatusOf(RunId run, bool brief) const {
  ClusterStatus status = brief ? calls_.GetOwnStatus() : calls_.GetStatus(run);
  if (certificate_end_) status.certificate_end = certificate_end_();
  if (!brief && run != 0 && status.runs.empty()) {
    return MakeProblem({.code = "unknown_run",
                        .file = "run",
                        .found = absl::StrCat(run),
                        .expected = "the number of a run of this coordinator"},
                       absl::StatusCode::kNotFound);
  }
  return ToWire(status, rules_);
}

grpc::ServerUnaryReactor* ReaderService::GetStatus(grpc::CallbackServerContext* context,
                                                   const v1::GetStatusRequest* request,
                                                   v1::Status* response) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  absl::StatusOr<v1::Status> status = StatusOf(request->run(), request->brief());
  const grpc::Status answer = ToGrpc(status.status());
  if (status.ok()) *response = *std::move(status);
  reactor->Finish(answer);
  return reactor;
}

absl::Status ReaderService::Add(Watch* watch) {
  const HeldCalls::Caller& caller = watch->caller();
  const ScopedLock lock(mutex_);
  if (closed_) return Watch::Closing();
  if (caller && revocations_ != nullptr && revocations_->Contains(caller->serial)) {
    return Revoked(*caller);
  }
  if (watches_.size() >= kMostWatches) {
    return WithRetryAfter(MakeProblem({.code = "too_many_watches",
                                       .found = absl::StrCat(watches_.size(), " that watch"),
                                       .expected = "fewer at once"},
                                      absl::StatusCode::kResourceExhausted),
                          kPatience);
  }
  watches_.insert(watch);
  return absl::OkStatus();
}

void ReaderService::Refuse(const certificates::Revocations& revocations) {
  const ScopedLock lock(mutex_);
  revocations_ = &revocations;
  for (Watch* const watch : watches_) {
    const HeldCalls::Caller& caller = watch->caller();
    if (caller && revocations.Contains(caller->serial)) watch->End(ToGrpc(Revoked(*caller)));
  }
}

void ReaderService::Remove(Watch* watch) {
  const ScopedLock lock(mutex_);
  watches_.erase(watch);
}

void ReaderService::Close() {
  const ScopedLock lock(mutex_);
  closed_ = true;
  for (Watch* const watch : watches_) watch->End(ToGrpc(Watch::Closing()));
}

grpc::ServerWriteReactor<v1::Status>* ReaderService::WatchStatus(
    grpc::CallbackServerContext* context, const v1::WatchStatusRequest* request) {
  const int interval =
      request->interval_ms() == 0 ? 1000 : static_cast<int>(request->interval_ms());
  return new Watch(
      *this, CallerOf(*context->auth_context()),
      [this, run = request->run(), checked = Check(*request)]() -> absl::StatusOr<v1::Status> {
        RETURN_IF_ERROR(checked);
        RETURN_IF_ERROR(calls_.Admit());
        return StatusOf(run, /*brief=*/false);
      },
      std::chrono::milliseconds(interval));
}

grpc::ServerUnaryReactor* ReaderService::GetPosition(grpc::CallbackServerContext* context,
                                                     const v1::GetPositionRequest* request,
                                                     v1::PositionEvidence* response) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  absl::Status status = Check(*request);
  if (status.ok()) {
    const absl::StatusOr<PositionEvidence> position =
        calls_.GetPosition(request->run(), request->position());
    if (position.ok()) *response = ToWire(*position, rules_);
    status = position.status();
  }
  reactor->Finish(ToGrpc(status));
  return reactor;
}

grpc::ServerWriteReactor<v1::ExportBookChunk>* ReaderService::ExportBook(
    grpc::CallbackServerContext* context, const v1::ExportBookRequest* request) {
  using Stream = PagedStream<v1::ExportBookChunk>;
  const std::optional<book::BookFormat> format = ExportFormatOf(request->format());
  if (!format) {
    return Stream::Failed(pool_, BadField("format", Quote(request->format()),
                                          "\"yaneuraou-db\", \"ybb\", \"apery\" or \"json\""));
  }
  if (const absl::Status status = calls_.Admit(); !status.ok()) {
    return Stream::Failed(pool_, status);
  }
  absl::StatusOr<Permits::Permit> permit = Permits::Take(exports_);
  if (!permit.ok()) return Stream::Failed(pool_, permit.status());
  const auto pages =
      std::make_shared<ExportPages>(db_path_, rules_, request->run(), *format, *std::move(permit));
  return Stream::Begin(pool_, *context, kPatience, [pages] { return pages->Next(); });
}

grpc::ServerWriteReactor<v1::GameRow>* ReaderService::ListGames(
    grpc::CallbackServerContext* context, const v1::ListGamesRequest* request) {
  using Stream = PagedStream<v1::GameRow>;
  if (const absl::Status status = Check(*request); !status.ok()) {
    return Stream::Failed(pool_, status);
  }
  const std::optional<certificates::Identity> caller = CallerOf(*context->auth_context());
  absl::StatusOr<Permits::Permit> permit = Permits::Take(listings_, caller ? caller->serial : "");
  if (!permit.ok()) return Stream::Failed(pool_, permit.status());
  const auto pages = std::make_shared<GamePages>(db_path_, rules_, *request);
  return Stream::Begin(
      pool_, *context, kPatience,
      [this, pages, permit = *std::move(permit)]() -> absl::StatusOr<std::vector<v1::GameRow>> {
        RETURN_IF_ERROR(calls_.Admit());
        return pages->Next();
      });
}

grpc::ServerUnaryReactor* ReaderService::GetSpending(grpc::CallbackServerContext*,
                                                     const v1::GetSpendingRequest* request,
                                                     v1::Spending* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::Status status = Check(*request);
  if (status.ok()) status = calls_.Admit();
  if (!status.ok()) {
    call->Fail(status);
    return call.get();
  }
  const size_t most = request->most() == 0 ? kUsualPositions : request->most();
  const bool posted = pool_.Post([this, call, run = request->run(), most, response] {
    const absl::StatusOr<SpendingReport> report = [&]() -> absl::StatusOr<SpendingReport> {
      ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                       book::Store::Open(db_path_, book::OpenMode::kReadOnly));
      return ReadSpending(*store, rules_, run, most);
    }();
    if (!report.ok()) return call->Fail(report.status());
    call->Reply([&] { *response = ToWire(*report, rules_); });
  });
  if (!posted) call->Fail(TooBusy());
  return call.get();
}

}  // namespace joseki::coordinator
