#include "coordinator/services/put_book_service.h"

#include <string>

#include "base/status_macros.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/server_calls.h"

namespace joseki::coordinator {
namespace {

class PutBookCall : public grpc::ServerReadReactor<v1::PutBookRequest> {
 public:
  PutBookCall(std::atomic<bool>& busy, TaskPool& pool, OperatorCalls& calls, size_t most_bytes,
              v1::PutBookResponse* response)
      : busy_(busy), pool_(pool), calls_(calls), upload_(most_bytes), response_(response) {
    if (busy_.exchange(true)) {
      Finish(ToGrpc(absl::ResourceExhaustedError("another book is being read; try again")));
      return;
    }
    StartRead(&message_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Keep();
    const absl::Status status = TakePiece(message_, upload_);
    if (!status.ok()) return End(status);
    StartRead(&message_);
  }
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override { delete this; }

 private:
  // Allow the next call before the caller learns of this one's end.
  void End(const absl::Status& status) {
    busy_ = false;
    Finish(ToGrpc(status));
  }

  // Called when every byte is here, or the caller has cancelled.
  void Keep() {
    if (cancelled_) return End(absl::CancelledError("the caller hung up"));
    const bool posted = pool_.Post([this] {
      const absl::StatusOr<std::string> bytes = upload_.Finish();
      if (!bytes.ok()) return End(bytes.status());
      const absl::StatusOr<Sha256> kept = calls_.PutBook(*bytes);
      if (kept.ok()) response_->set_sha256(std::string(kept->begin(), kept->end()));
      End(kept.status());
    });
    if (!posted) End(TooBusy());
  }

  std::atomic<bool>& busy_;
  TaskPool& pool_;
  OperatorCalls& calls_;
  Upload upload_;
  v1::PutBookResponse* const response_;
  std::atomic<bool> cancelled_ = false;
  v1::PutBookRequest message_;
};

}  // namespace

absl::Status TakePiece(const v1::PutBookRequest& message, Upload& upload) {
  if (!upload.promised()) {
    RETURN_IF_ERROR(upload.Promise(message.size(), message.sha256()));
  } else if (message.size() != 0 || !message.sha256().empty()) {
    return BadField("size", "a second header", "the header in the first message only");
  }
  return upload.Add(message.data());
}

grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(std::atomic<bool>& busy, TaskPool& pool,
                                                     OperatorCalls& calls, size_t most_bytes,
                                                     v1::PutBookResponse* response) {
  return new PutBookCall(busy, pool, calls, most_bytes, response);
}

}  // namespace joseki::coordinator
