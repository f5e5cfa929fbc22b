#include "worker/artefact_client.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/mutex.h"
#include "base/status_macros.h"
#include "joseki/v1/artefact.grpc.pb.h"
#include "proto/credentials.h"
#include "worker/wire.h"

namespace joseki::worker {
namespace {

// Includes time in which the coordinator serves others first.
constexpr absl::Duration kManifestDeadline = absl::Seconds(60);
// A longer transfer is resumed at its last byte.
constexpr absl::Duration kFetchDeadline = absl::Minutes(10);

class ArtefactClient final : public ArtefactPort {
 public:
  ArtefactClient(AddressSource address, std::string worker, certificates::TlsFiles tls)
      : address_(std::move(address)), worker_(std::move(worker)), tls_(std::move(tls)) {}

  absl::StatusOr<ArtefactManifest> Manifest(const Sha256& sha256, std::stop_token stop) override {
    v1::ManifestRequest request;
    request.set_sha256(std::string(sha256.begin(), sha256.end()));
    return Manifest(std::move(request), stop);
  }

  absl::StatusOr<ArtefactManifest> Manifest(const WeightsName& weights,
                                            std::stop_token stop) override {
    v1::ManifestRequest request;
    request.mutable_weights()->set_run(weights.run);
    request.mutable_weights()->set_have(weights.have);
    request.mutable_weights()->set_version(weights.version);
    return Manifest(std::move(request), stop);
  }

  absl::Status Fetch(const Sha256& sha256, uint64_t offset, const ChunkSink& sink,
                     std::stop_token stop) override {
    v1::FetchRequest request;
    request.set_sha256(std::string(sha256.begin(), sha256.end()));
    request.set_offset(offset);
    ASSIGN_OR_RETURN(const std::shared_ptr<Stub> stub, Connected());
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         absl::ToChronoMicroseconds(kFetchDeadline));
    const std::stop_callback cancel(stop, [&] { context.TryCancel(); });
    const auto stream = stub->Fetch(&context, request);
    absl::Status taken;
    for (v1::ArtefactChunk chunk; taken.ok() && stream->Read(&chunk);) {
      taken = sink(chunk.offset(), chunk.data());
    }
    if (!taken.ok()) context.TryCancel();
    const grpc::Status status = stream->Finish();
    if (!taken.ok()) return taken;
    return Answered(stub, status);
  }

 private:
  using Stub = v1::ArtefactService::Stub;

  absl::StatusOr<ArtefactManifest> Manifest(v1::ManifestRequest request,
                                            const std::stop_token& stop) {
    request.set_worker(worker_);
    ASSIGN_OR_RETURN(const std::shared_ptr<Stub> stub, Connected());
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         absl::ToChronoMicroseconds(kManifestDeadline));
    const std::stop_callback cancel(stop, [&] { context.TryCancel(); });
    v1::Manifest manifest;
    RETURN_IF_ERROR(Answered(stub, stub->GetManifest(&context, request, &manifest)));
    return FromWire(manifest);
  }

  // Records the result of a call; after a lost connection the next call makes a new one.
  absl::Status Answered(const std::shared_ptr<Stub>& stub, const grpc::Status& status) {
    const ScopedLock lock(mutex_);
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE && stub_ == stub) stub_ = nullptr;
    return StatusOfCall(status, connected_to_, !tls_.empty());
  }

  absl::StatusOr<std::shared_ptr<Stub>> Connected() {
    const ScopedLock lock(mutex_);
    if (stub_ == nullptr) {
      ASSIGN_OR_RETURN(connected_to_, address_());
      ASSIGN_OR_RETURN(const ClientTls tls, MakeClientTls(tls_, absl::Now()));
      stub_ = v1::ArtefactService::NewStub(
          grpc::CreateCustomChannel(connected_to_, tls.credentials, ChannelArgumentsFor(tls)));
    }
    return stub_;
  }

  const AddressSource address_;
  const std::string worker_;
  const certificates::TlsFiles tls_;
  Mutex mutex_;
  std::string connected_to_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Stub> stub_ ABSL_GUARDED_BY(mutex_);  // nullptr: not connected
};

}  // namespace

std::unique_ptr<ArtefactPort> MakeArtefactClient(AddressSource address, std::string worker,
                                                 certificates::TlsFiles tls) {
  return std::make_unique<ArtefactClient>(std::move(address), std::move(worker), std::move(tls));
}

}  // namespace joseki::worker
