#include "coordinator/services/artefact_service.h"

#include <grpcpp/alarm.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/status_macros.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/server_door.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kArtefactChunkBytes = 256 << 10;

Sha256 HashFrom(const std::string& bytes) {
  Sha256 sha256{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sha256.size()), sha256.begin());
  return sha256;
}

}  // namespace

// One Fetch: reads a chunk, waits until the rate allows it, writes it, and repeats. Deletes itself.
class ArtefactService::Stream : public grpc::ServerWriteReactor<v1::ArtefactChunk> {
 public:
  static Stream* Begin(ArtefactService& service, const v1::FetchRequest& request) {
    auto* const stream = new Stream(service, HashFrom(request.sha256()), request.offset());
    if (const absl::Status status = Check(request); status.ok()) {
      stream->Next();
    } else {
      stream->Finish(ToGrpc(status));
    }
    return stream;
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::CANCELLED);
    Next();
  }
  void OnCancel() override {
    const ScopedLock lock(mutex_);
    cancelled_ = true;
    if (alarm_ != nullptr) alarm_->Cancel();  // wakes at once, if it is set
  }
  void OnDone() override { delete this; }

 private:
  Stream(ArtefactService& service, const Sha256& sha256, uint64_t offset)
      : service_(service), sha256_(sha256), offset_(offset) {}

  // At any time the stream is reading, waiting for the alarm, writing, or finished.
  void Next() {
    if (!service_.pool_.Post([this] { Read(); })) Finish(ToGrpc(TooBusy()));
  }
  void Read() {
    absl::StatusOr<std::string> bytes =
        service_.artefacts_.Read(sha256_, offset_, kArtefactChunkBytes);
    if (!bytes.ok()) return Finish(ToGrpc(bytes.status()));
    if (bytes->empty()) return Finish(grpc::Status::OK);
    chunk_.set_offset(offset_);
    offset_ += bytes->size();
    const absl::Duration wait = service_.Pace(bytes->size());
    chunk_.set_data(*std::move(bytes));
    if (wait <= absl::ZeroDuration() || !Sleep(wait)) Write();
  }
  // Calls Write later; false if the call is cancelled, which Write will notice.
  bool Sleep(absl::Duration wait) {
    const ScopedLock lock(mutex_);
    if (cancelled_) return false;
    // Make a new alarm each time: the last one's callback may still be returning.
    alarm_ = std::make_unique<grpc::Alarm>();
    alarm_->Set(std::chrono::system_clock::now() + absl::ToChronoMicroseconds(wait),
                [this](bool) { Write(); });
    return true;
  }
  void Write() {
    bool cancelled = false;
    {
      const ScopedLock lock(mutex_);
      cancelled = cancelled_;
    }
    if (cancelled) {
      // Others need not wait for bytes that nobody gets.
      service_.Return(chunk_.data().size());
      return Finish(grpc::Status::CANCELLED);
    }
    StartWrite(&chunk_);
  }

  ArtefactService& service_;
  const Sha256 sha256_;
  uint64_t offset_;
  v1::ArtefactChunk chunk_;
  Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<grpc::Alarm> alarm_ ABSL_GUARDED_BY(mutex_);
};

ArtefactService::ArtefactService(Artefacts& artefacts, const ReaderCalls& calls,
                                 double bytes_per_second, const Clock& clock, TaskPool& pool)
    : artefacts_(artefacts),
      calls_(calls),
      bytes_per_second_(bytes_per_second),
      clock_(clock),
      pool_(pool),
      bucket_(std::max(bytes_per_second, 1.0), kArtefactChunkBytes, clock.Now()) {}

grpc::ServerUnaryReactor* ArtefactService::GetManifest(grpc::CallbackServerContext* context,
                                                       const v1::ManifestRequest* request,
                                                       v1::Manifest* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  const absl::Status is_worker = CheckIsWorker(*context->auth_context(), request->worker());
  if (!is_worker.ok()) {
    call->Fail(is_worker);
    return call.get();
  }
  // Copy the request: it lives only until the reply, and a cancellation replies.
  const bool posted = pool_.Post([this, call, asked = *request, response] {
    absl::StatusOr<v1::Manifest> manifest = ManifestOf(asked);
    if (!manifest.ok()) return call->Fail(manifest.status());
    call->Reply([&] { *response = *std::move(manifest); });
  });
  if (!posted) call->Fail(TooBusy());
  return call.get();
}

grpc::ServerWriteReactor<v1::ArtefactChunk>* ArtefactService::Fetch(
    grpc::CallbackServerContext*, const v1::FetchRequest* request) {
  return Stream::Begin(*this, *request);
}

absl::StatusOr<v1::Manifest> ArtefactService::ManifestOf(const v1::ManifestRequest& request) {
  RETURN_IF_ERROR(Check(request));
  ArtefactInfo info;
  if (request.has_weights()) {
    const v1::WeightsName& name = request.weights();
    ASSIGN_OR_RETURN(info, artefacts_.FindWeights(name.run(), name.have(), name.version()));
  } else {
    ASSIGN_OR_RETURN(info, artefacts_.Find(HashFrom(request.sha256())));
  }
  v1::Manifest manifest;
  manifest.set_sha256(std::string(info.sha256.begin(), info.sha256.end()));
  manifest.set_size(info.size);
  manifest.set_start_after_ms(static_cast<uint32_t>(absl::ToInt64Milliseconds(StartDelay(
      request.worker(), info.sha256, info.size, calls_.CountWorkers(), bytes_per_second_))));
  return manifest;
}

absl::Duration ArtefactService::Pace(size_t bytes) {
  if (bytes_per_second_ <= 0) return absl::ZeroDuration();
  const ScopedLock lock(mutex_);
  return bucket_.Take(static_cast<double>(bytes), clock_.Now());
}

void ArtefactService::Return(size_t bytes) {
  const ScopedLock lock(mutex_);
  bucket_.Return(static_cast<double>(bytes));
}

}  // namespace joseki::coordinator
