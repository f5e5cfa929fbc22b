#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/certificates/revocations.h"
#include "base/mutex.h"
#include "coordinator/reader_calls.h"
#include "coordinator/services/export_pages.h"
#include "coordinator/services/permits.h"
#include "coordinator/services/server_calls.h"
#include "coordinator/services/task_pool.h"
#include "engine/core/rules.h"
#include "joseki/v1/reader.grpc.pb.h"

namespace joseki::coordinator {

// proto/joseki/v1/reader.proto. Status and positions come from the coordinator's memory; books and
// games from read-only connections of the service's own, on the pool.
class ReaderService : public v1::ReaderService::CallbackService {
 public:
  // The end of the coordinator's certificate; nullopt without TLS.
  using CertificateEnd = std::function<std::optional<absl::Time>()>;

  // `pool` must end before `calls` do.
  ReaderService(ReaderCalls& calls, const Rules& rules, std::string db_path, TaskPool& pool,
                CertificateEnd certificate_end)
      : calls_(calls),
        rules_(rules),
        db_path_(std::move(db_path)),
        pool_(pool),
        certificate_end_(std::move(certificate_end)),
        listings_(ListingPermits()) {}

  // Ends every watch with UNAVAILABLE, and refuses later ones.
  void Close();
  // Ends the watches of revoked certificates, and refuses later ones. `revocations` outlives the
  // last call.
  void Refuse(const certificates::Revocations& revocations);

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const v1::GetStatusRequest* request,
                                      v1::Status* response) override;
  grpc::ServerWriteReactor<v1::Status>* WatchStatus(grpc::CallbackServerContext* context,
                                                    const v1::WatchStatusRequest* request) override;
  grpc::ServerUnaryReactor* GetPosition(grpc::CallbackServerContext* context,
                                        const v1::GetPositionRequest* request,
                                        v1::PositionEvidence* response) override;
  grpc::ServerWriteReactor<v1::ExportBookChunk>* ExportBook(
      grpc::CallbackServerContext* context, const v1::ExportBookRequest* request) override;
  grpc::ServerWriteReactor<v1::GameRow>* ListGames(grpc::CallbackServerContext* context,
                                                   const v1::ListGamesRequest* request) override;

  grpc::ServerUnaryReactor* GetSpending(grpc::CallbackServerContext* context,
                                        const v1::GetSpendingRequest* request,
                                        v1::Spending* response) override;

 private:
  class Watch;

  // Not OK: the reason why the watch must end.
  absl::Status Add(Watch* watch);
  void Remove(Watch* watch);
  // The limit on simultaneous listings of games per caller: "too_many_listings".
  static std::shared_ptr<Permits> ListingPermits();
  // NotFound "unknown_run" if there is no such run.
  absl::StatusOr<v1::Status> StatusOf(RunId run, bool brief) const;

  ReaderCalls& calls_;
  const Rules& rules_;
  const std::string db_path_;
  TaskPool& pool_;
  const CertificateEnd certificate_end_;

  Mutex mutex_;  // taken before a watch's own
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  // Null before the first change.
  const certificates::Revocations* revocations_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::set<Watch*> watches_ ABSL_GUARDED_BY(mutex_);
  const std::shared_ptr<Permits> exports_ = ExportPermits();
  const std::shared_ptr<Permits> listings_;
};

}  // namespace joseki::coordinator
