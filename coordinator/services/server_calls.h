#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/revocations.h"
#include "base/mutex.h"
#include "coordinator/services/server_door.h"
#include "coordinator/services/task_pool.h"
#include "proto/grpc_status.h"

// The kinds of calls that the services share, over gRPC's callback API.
namespace joseki::coordinator {

inline absl::Status TooBusy() {
  return absl::ResourceExhaustedError("too many calls wait for the database; try again");
}

// A unary call that gets one reply later, from whichever comes first: the coordinator, a
// cancellation, or the server's end. Request and response live until the reply.
class PendingCall : public grpc::ServerUnaryReactor {
 public:
  static std::shared_ptr<PendingCall> Begin() {
    std::shared_ptr<PendingCall> call(new PendingCall);
    call->self_ = call;
    return call;
  }

  // `fill` writes the response, and runs only if this is the first reply.
  template <typename Fill>
  void Reply(const Fill& fill) {
    if (replied_.exchange(true)) return;
    fill();
    Finish(grpc::Status::OK);
  }
  void Fail(const absl::Status& status) {
    if (!replied_.exchange(true)) Finish(ToGrpc(status));
  }
  bool replied() const { return replied_; }

  void OnCancel() override { Fail(absl::CancelledError("the caller hung up")); }
  void OnDone() override { self_.reset(); }

 private:
  PendingCall() = default;

  // OnDone and OnCancel are short, so gRPC may run them inline instead of waking an executor thread
  // for each call.
  bool InternalInlineable() override { return true; }

  std::atomic<bool> replied_ = false;
  std::shared_ptr<PendingCall> self_;  // until gRPC is done with it
};

// Calls that the coordinator holds for long (Acquire), so that closing can reply to them.
class HeldCalls {
 public:
  using Caller = std::optional<certificates::Identity>;

  // Returns false, after failing the call, once closed or if the caller has been revoked meanwhile.
  bool Add(const std::shared_ptr<PendingCall>& call, Caller caller) {
    absl::Status refusal;
    {
      const ScopedLock lock(mutex_);
      const bool revoked =
          caller && revocations_ != nullptr && revocations_->Contains(caller->serial);
      if (!closed_ && !revoked) {
        if (calls_.size() >= sweep_at_) Sweep();
        calls_.push_back({call, std::move(caller)});
        return true;
      }
      refusal = revoked ? Revoked(*caller) : Closing();
    }
    call->Fail(refusal);
    return false;
  }
  void Close() {
    std::vector<Held> calls;
    {
      const ScopedLock lock(mutex_);
      closed_ = true;
      calls.swap(calls_);
    }
    for (const Held& held : calls) {
      if (const std::shared_ptr<PendingCall> call = held.call.lock()) call->Fail(Closing());
    }
  }
  // Fails the calls of revoked certificates, and those added later. `revocations` outlives the last
  // call.
  void Refuse(const certificates::Revocations& revocations) {
    std::vector<Held> calls;
    {
      const ScopedLock lock(mutex_);
      revocations_ = &revocations;
      calls = calls_;
    }
    for (const Held& held : calls) {
      if (!held.caller || !revocations.Contains(held.caller->serial)) continue;
      if (const std::shared_ptr<PendingCall> call = held.call.lock()) {
        call->Fail(Revoked(*held.caller));
      }
    }
  }

 private:
  struct Held {
    std::weak_ptr<PendingCall> call;
    Caller caller;
  };

  static absl::Status Closing() { return absl::UnavailableError("the coordinator is stopping"); }

  // Forgets calls that have a reply; runs again when twice as many are kept.
  void Sweep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::erase_if(calls_, [](const Held& held) {
      const std::shared_ptr<PendingCall> call = held.call.lock();
      return call == nullptr || call->replied();
    });
    sweep_at_ = 2 * calls_.size() + 64;
  }

  Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  // Null before the first change.
  const certificates::Revocations* revocations_ ABSL_GUARDED_BY(mutex_) = nullptr;
  size_t sweep_at_ ABSL_GUARDED_BY(mutex_) = 64;
  std::vector<Held> calls_ ABSL_GUARDED_BY(mutex_);
};

// Cancels a call whose caller does not read. Alarms of an ended call may still fire.
class Patience : public std::enable_shared_from_this<Patience> {
 public:
  Patience(grpc::CallbackServerContext& context, absl::Duration length)
      : length_(absl::ToChronoMilliseconds(length)), context_(&context) {}

  // Cancels the call unless Rest, another Begin or End comes in time.
  void Begin() {
    const ScopedLock lock(mutex_);
    if (context_ == nullptr) return;
    alarm_ = std::make_unique<grpc::Alarm>();
    alarm_->Set(std::chrono::system_clock::now() + length_,
                [self = shared_from_this()](bool rings) {
                  const ScopedLock alarm_lock(self->mutex_);
                  if (rings && self->context_ != nullptr) self->context_->TryCancel();
                });
  }
  // The caller has read: what follows takes our time.
  void Rest() {
    std::unique_ptr<grpc::Alarm> alarm;  // cancelled without the mutex
    const ScopedLock lock(mutex_);
    alarm = std::move(alarm_);
  }
  // Marks the call as over.
  void End() {
    std::unique_ptr<grpc::Alarm> alarm;  // cancelled without the mutex
    const ScopedLock lock(mutex_);
    context_ = nullptr;
    alarm = std::move(alarm_);
  }

 private:
  const std::chrono::milliseconds length_;
  Mutex mutex_;
  grpc::CallbackServerContext* context_ ABSL_GUARDED_BY(mutex_);  // nullptr: over
  std::unique_ptr<grpc::Alarm> alarm_ ABSL_GUARDED_BY(mutex_);
};

// A stream of messages that are made page by page on the pool's threads. No thread waits while the
// caller reads; a caller that takes longer than `patience` for a page is cancelled. `next` returns
// the next page, empty at the end. Deletes itself.
template <typename Message>
class PagedStream : public grpc::ServerWriteReactor<Message> {
 public:
  using Next = std::function<absl::StatusOr<std::vector<Message>>()>;

  static PagedStream* Begin(TaskPool& pool, grpc::CallbackServerContext& context,
                            absl::Duration patience, Next next) {
    auto* const stream = new PagedStream(pool, std::move(next));
    stream->patience_ = std::make_shared<Patience>(context, patience);
    stream->Fetch();
    return stream;
  }
  // A stream that only fails.
  static PagedStream* Failed(TaskPool& pool, const absl::Status& status) {
    auto* const stream = new PagedStream(pool, nullptr);
    stream->Finish(ToGrpc(status));
    return stream;
  }

  void OnWriteDone(bool ok) override {
    if (!ok || cancelled_) {
      this->Finish(grpc::Status::CANCELLED);
    } else if (++at_ < page_.size()) {
      this->StartWrite(&page_[at_]);
    } else {
      patience_->Rest();
      Fetch();
    }
  }
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override {
    if (patience_ != nullptr) patience_->End();
    delete this;
  }

 private:
  PagedStream(TaskPool& pool, Next next) : pool_(pool), next_(std::move(next)) {}

  // At any time one page is being fetched, or one write is in flight, or the call is finished.
  void Fetch() {
    const bool posted = pool_.Post([this] {
      if (cancelled_) return this->Finish(grpc::Status::CANCELLED);
      absl::StatusOr<std::vector<Message>> page = next_();
      if (!page.ok()) return this->Finish(ToGrpc(page.status()));
      if (page->empty()) return this->Finish(grpc::Status::OK);
      page_ = *std::move(page);
      at_ = 0;
      patience_->Begin();
      this->StartWrite(&page_[at_]);
    });
    if (!posted) this->Finish(ToGrpc(TooBusy()));
  }

  TaskPool& pool_;
  const Next next_;
  std::shared_ptr<Patience> patience_;  // null if it only fails
  std::vector<Message> page_;
  size_t at_ = 0;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace joseki::coordinator
