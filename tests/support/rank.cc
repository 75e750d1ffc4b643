// SPDX-License-Identifier: Apache-2.0
#include "support/rank.h"

namespace tandem::test {

std::string TakeErrorText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

uint64_t BytesOf(HcclDataType type) {
  switch (type) {
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16:
      return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32:
      return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64:
      return 8;
    default:
      return 1;
  }
}

HcclSendRecvItem SendItem(const Buffer& buffer, uint32_t to, HcclDataType type) {
  return {HCCL_SEND, buffer.data(), buffer.bytes() / BytesOf(type), type, to};
}

HcclSendRecvItem ReceiveItem(const Buffer& buffer, uint32_t from, HcclDataType type) {
  return {HCCL_RECV, buffer.data(), buffer.bytes() / BytesOf(type), type, from};
}

void Rank::Open() {
  Ok(aclrtSetDevice(static_cast<int32_t>(index_)));
  Ok(aclrtCreateStream(&stream_));
  comm_ = Join();
}

void Rank::Close() {
  Ok(HcclCommDestroy(comm_));
  Ok(aclrtDestroyStream(stream_));
  Ok(aclrtResetDevice(static_cast<int32_t>(index_)));
}

HcclComm Rank::Join() {
  const uint32_t number = roots_++;
  HcclRootInfo root{};
  if (index_ == 0) {
    Ok(HcclGetRootInfo(&root));
    board_.PublishRoot(number, root);
  } else {
    root = board_.AwaitRoot(number);
  }
  HcclComm comm = nullptr;
  Ok(HcclCommInitRootInfo(size_, &root, index_, &comm));
  return comm;
}

void Rank::Send(const Buffer& buffer, uint32_t to, HcclDataType type) {
  Ok(HcclSend(buffer.data(), buffer.bytes() / BytesOf(type), type, to, comm_, stream_));
}

void Rank::Receive(const Buffer& buffer, uint32_t from, HcclDataType type) {
  Ok(HcclRecv(buffer.data(), buffer.bytes() / BytesOf(type), type, from, comm_, stream_));
}

void Rank::Batch(std::vector<HcclSendRecvItem> items) {
  Ok(HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), comm_, stream_));
}

void Rank::Synchronize(int line) { Ok(aclrtSynchronizeStream(stream_), line); }

Outcome Rank::TrySynchronize() {
  static_cast<void>(TakeErrorText());
  Outcome outcome;
  outcome.code = aclrtSynchronizeStream(stream_);
  outcome.text = TakeErrorText();
  return outcome;
}

Buffer Rank::Outgoing(uint32_t to, uint32_t number, uint64_t bytes, Memory memory) {
  Buffer buffer(memory, bytes);
  buffer.Fill({index_, to, number});
  return buffer;
}

void Rank::ExpectArrived(const Buffer& buffer, uint32_t from, uint32_t number, int line) const {
  const std::string wrong = buffer.Check({from, index_, number});
  Require(wrong.empty(), wrong, line);
}

void Rank::ExpectUntouched(const Buffer& buffer, int line) const {
  const std::string wrong = buffer.CheckUntouched();
  Require(wrong.empty(), wrong, line);
}

void Rank::Require(bool good, const std::string& what, int line) const {
  if (good) return;
  throw CheckFailed("rank " + std::to_string(index_) + ", line " + std::to_string(line) + ": " + what);
}

void Rank::Ok(aclError code, int line) const {
  if (code == ACL_SUCCESS) return;
  Require(false, "aclError " + std::to_string(code) + ": " + TakeErrorText(), line);
}

void Rank::Ok(HcclResult code, int line) const {
  if (code == HCCL_SUCCESS) return;
  Require(false, "HcclResult " + std::to_string(code) + ": " + TakeErrorText(), line);
}

void Rank::Refused(HcclResult code, HcclResult expected, const std::vector<std::string>& parts,
                   int line) const {
  const Outcome outcome{ACL_SUCCESS, TakeErrorText()};
  Require(
      code == expected,
      "HcclResult " + std::to_string(code) + ", expected " + std::to_string(expected) + ": " + outcome.text,
      line);
  for (const std::string& part : parts) {
    Require(outcome.Says(part), "the text does not say \"" + part + "\": " + outcome.text, line);
  }
}

void Rank::Says(const Outcome& outcome, aclError code, const std::vector<std::string>& parts,
                int line) const {
  Require(
      outcome.code == code,
      "aclError " + std::to_string(outcome.code) + ", expected " + std::to_string(code) + ": " + outcome.text,
      line);
  for (const std::string& part : parts) {
    Require(outcome.Says(part), "the text does not say \"" + part + "\": " + outcome.text, line);
  }
}

}  // namespace tandem::test
