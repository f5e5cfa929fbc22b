#include "coordinator/services/put_book_service.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "coordinator/services/from_wire.h"
#include "coordinator/services/server_calls.h"

namespace joseki::coordinator {
namespace {

class PutBookCall : public grpc::ServerReadReactor<v1::PutBookRequest> {
 public:
  PutBookCall(std::atomic<bool>& busy, TaskPool& pool, Coordinator& coordinator, size_t most_bytes,
              v1::PutBookResponse* response)
      : busy_(busy),
        pool_(pool),
        coordinator_(coordinator),
        most_bytes_(most_bytes),
        response_(response) {
    if (busy_.exchange(true)) {
      Finish(ToGrpc(absl::ResourceExhaustedError("another book is being read; try again")));
      return;
    }
    StartRead(&message_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Keep();
    if (bytes_.size() + message_.data().size() > most_bytes_) {
      return End(BadField("data", absl::StrCat("more than ", most_bytes_, " bytes"),
                          absl::StrCat("at most ", most_bytes_)));
    }
    bytes_ += message_.data();
    StartRead(&message_);
  }
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override { delete this; }

 private:
  // The next one may begin before the caller knows of the end of this one.
  void End(const absl::Status& status) {
    busy_ = false;
    Finish(ToGrpc(status));
  }

  // Every byte is here, or the caller has hung up.
  void Keep() {
    if (cancelled_) return End(absl::CancelledError("the caller hung up"));
    const bool posted = pool_.Post([this] {
      const absl::StatusOr<Sha256> kept = coordinator_.PutBook(bytes_);
      if (kept.ok()) response_->set_sha256(std::string(kept->begin(), kept->end()));
      End(kept.status());
    });
    if (!posted) End(TooBusy());
  }

  std::atomic<bool>& busy_;
  TaskPool& pool_;
  Coordinator& coordinator_;
  const size_t most_bytes_;
  v1::PutBookResponse* const response_;
  std::atomic<bool> cancelled_ = false;
  v1::PutBookRequest message_;
  std::string bytes_;
};

}  // namespace

grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(std::atomic<bool>& busy, TaskPool& pool,
                                                     Coordinator& coordinator, size_t most_bytes,
                                                     v1::PutBookResponse* response) {
  return new PutBookCall(busy, pool, coordinator, most_bytes, response);
}

}  // namespace joseki::coordinator
