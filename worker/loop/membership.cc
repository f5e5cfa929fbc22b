#include "worker/loop/membership.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/rng.h"
#include "worker/loop/retry.h"
#include "worker/loop/words.h"
#include "worker/mistrust.h"

namespace joseki::worker {
namespace {

constexpr uint64_t kJoinStream = 1;  // of the jitter

// Whether a refusal is final: the same Join would fail again.
bool IsRefusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<Session> Membership::Current(std::stop_token stop) {
  absl::Duration spread;
  {
    Lifecycle::Lock lock = shared_.life.Hold();
    // A draining worker must not wait for another thread's Join.
    shared_.life.Await(lock, [&] { return stop.stop_requested() || session_ || !joining_; });
    if (session_) return *session_;
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    joining_ = true;
    spread = std::exchange(spread_, absl::ZeroDuration());
  }
  absl::StatusOr<Session> session = Join(spread, stop);
  const Lifecycle::Lock lock = shared_.life.Hold();
  joining_ = false;
  if (session.ok()) {
    session_ = *session;
    ++joins_;
    joined_(*session);
  }
  shared_.life.Notify();
  return session;
}

absl::StatusOr<Session> Membership::Join(absl::Duration spread, const std::stop_token& stop) {
  const JoinInput& input = shared_.options.join;
  Retry retry(shared_.options.backoff, Rng(shared_.options.seed).Split(kJoinStream));
  Mistrust mistrust;
  std::string said;
  // Spread the Joins of all workers after a coordinator's restart.
  if (spread > absl::ZeroDuration() &&
      !shared_.life.Pause(spread * Rng(Hash64(input.worker)).Unit(), stop)) {
    return absl::CancelledError("stopped");
  }
  for (;;) {
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    const absl::StatusOr<Session> session = shared_.port.Join(input, stop);
    if (session.ok()) {
      shared_.log(LogLevel::kInfo,
                  absl::StrCat("joined session=", session->session, " epoch=", session->epoch));
      return session;
    }
    const absl::Status& status = session.status();
    if (absl::IsCancelled(status) && stop.stop_requested()) return status;
    if (IsRefusal(status) || mistrust.IsFinal(status)) {
      shared_.log(LogLevel::kError, absl::StrCat("refused ", Why(status)));
      shared_.life.Fail(status);
      return status;
    }
    const absl::Duration wait = retry.WaitAfter(status);
    // Log a repeated reason at debug level only.
    std::string why = Why(status);
    shared_.log(why == said ? LogLevel::kDebug : LogLevel::kWarning,
                absl::StrCat("join_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ", why));
    said = std::move(why);
    if (!shared_.life.Pause(wait, stop)) return absl::CancelledError("stopped");
  }
}

bool Membership::Forget(SessionId session, const absl::Status& status) {
  const bool unknown =
      absl::IsFailedPrecondition(status) && ProblemOf(status).code == "unknown_session";
  // Rights may have been revoked: join again, so that the refusal ends the worker.
  const bool no_rights = absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status);
  if (!unknown && !no_rights) return false;
  const Lifecycle::Lock lock = shared_.life.Hold();
  if (session_ && session_->session == session) {
    spread_ = session_->spread;
    session_.reset();
  }
  return true;
}

void Membership::Adjust(SessionId session, const BeatOutput& reply) {
  const Lifecycle::Lock lock = shared_.life.Hold();
  if (!session_ || session_->session != session) return;
  if (reply.beat > absl::ZeroDuration()) session_->beat = reply.beat;
  if (reply.spread > absl::ZeroDuration()) session_->spread = reply.spread;
}

bool Membership::PauseAfter(const absl::Status& status, absl::Duration wait,
                            const std::stop_token& stop) {
  // An error that names a retry time comes from a live coordinator that knows this worker. A new
  // session is then no reason to retry sooner.
  const bool obey = RetryAfterOf(status).has_value();
  Lifecycle::Lock lock = shared_.life.Hold();
  const uint64_t joins = joins_;
  shared_.life.Await(lock, wait,
                     [&] { return stop.stop_requested() || (!obey && joins_ != joins); });
  return !stop.stop_requested();
}

}  // namespace joseki::worker
